package ir

import (
	"math"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// kindByName finds the constructors of types.
var kindByName = func() map[string]Kind {
	m := map[string]Kind{}
	for k := KVoid; k < KSig; k++ {
		m[k.String()] = k
	}
	return m
}()

// defineTypes reads the lines of types and makes them canonical together.
func (r *reader) defineTypes(lines []line) {
	type def struct {
		line
		name  string
		alias string // the other name that it is defined as
		rest  []token
	}
	var defs []def
	inVersion := false
	for _, l := range lines {
		if inVersion {
			inVersion = !l.is("}")
			continue
		}
		if l.word() == "version" {
			inVersion = true
		}
		if l.word() != "type" {
			continue
		}
		r.start(l)
		r.expect("type")
		d := def{line: l, name: r.typeName()}
		r.expect("=")
		d.rest = r.line
		if len(r.line) > 0 && (r.line[0].text == "#" || r.line[0].sigil == '@') {
			d.alias = r.typeName()
		}
		switch _, taken := r.types[d.name]; {
		case r.bad:
			continue
		case taken || r.operands[d.name] != nil:
			r.errorf(l.toks[1].off, "%s redefined", d.name)
			continue
		}
		r.types[d.name] = Raw(len(defs))
		defs = append(defs, d)
	}
	r.graph = true
	r.nodes = make([]Node, len(defs))
	for _, d := range defs {
		r.nodePos = append(r.nodePos, r.file.Pos(d.toks[1].off))
	}
	// Resolve aliases of aliases.
	target := make([]TypeID, len(defs))
	for i := range defs {
		k, steps := i, 0
		for defs[k].alias != "" && steps <= len(defs) {
			next, ok := rawIndex(r.types[defs[k].alias])
			if !ok {
				r.errorf(defs[k].toks[1].off, "unknown type %s", defs[k].alias)
				break
			}
			k, steps = next, steps+1
		}
		if steps > len(defs) {
			r.errorf(defs[i].toks[1].off, "%s is defined as itself", defs[i].name)
			k = i
		}
		target[i] = Raw(k)
	}
	for name, raw := range r.types {
		k, _ := rawIndex(raw)
		r.types[name] = target[k]
	}
	ids := make([]uint32, len(defs))
	for i := range defs {
		d := &defs[i]
		r.start(line{toks: d.rest, end: d.end})
		r.nodes[i].Kind = KVoid
		if t := r.typ(); d.alias == "" {
			if k, ok := rawIndex(t); ok && !r.bad {
				r.nodes[i] = r.nodes[k]
			}
		}
		if d.alias == "" && d.name[0] == '@' {
			r.nodes[i].Name = d.name
		}
		ids[i], _ = r.id()
		r.done()
	}
	r.graph = false
	known := r.t.Add(r.nodes)
	for i, pos := range r.nodePos {
		r.writes(known[i], pos)
	}
	r.nodes, r.nodePos = nil, nil
	for name, raw := range r.types {
		k, _ := rawIndex(raw)
		r.types[name] = known[k]
	}
	for i, d := range defs {
		if d.name[0] != '#' {
			r.prog.Entities[d.name] = r.types[d.name]
			if ids[i] != 0 {
				r.prog.TypeIDs[d.name] = ids[i]
			}
		}
	}
}

// typeName takes the name of a type, or a label.
func (r *reader) typeName() string {
	if r.accept("#") {
		return "#" + r.word("a number")
	}
	n := r.name()
	if n == "" || n[0] == '#' {
		if !r.bad {
			r.fail("want the name of a type, got %q", n)
		}
		return "@"
	}
	return n
}

// makeType makes a type that is written at pos: a node while the graph is made, else a canonical type.
func (r *reader) makeType(n Type, pos diag.Pos) TypeID {
	if r.bad {
		return NoType
	}
	if r.graph {
		r.nodes = append(r.nodes, Node(n))
		r.nodePos = append(r.nodePos, pos)
		return Raw(len(r.nodes) - 1)
	}
	id := r.t.Intern(n)
	r.writes(id, pos)
	return id
}

// writes notes the position of a type in the text, if it is the first.
func (r *reader) writes(id TypeID, pos diag.Pos) {
	if _, ok := r.prog.TypePos[id]; !ok {
		r.prog.TypePos[id] = pos
	}
}

// typ reads a type. After an error it returns NoType.
func (r *reader) typ() TypeID {
	if r.deep++; r.deep > maxDepth {
		r.fail("nested too deep")
	}
	defer func() { r.deep-- }()
	pos := r.pos()
	switch {
	case r.bad || len(r.line) == 0:
		r.fail("want a type, got %s", r.shown())
		return NoType
	case r.peek("#") || r.line[0].sigil == '@':
		at := r.off()
		n := r.typeName()
		t, ok := r.types[n]
		if !ok && !r.bad {
			r.errorf(at, "unknown type %s", n)
			r.bad, r.line = true, nil
		}
		return t
	case r.accept("("):
		n := Type{Kind: KSig, Fields: r.typeList(")")}
		r.expect("->")
		r.expect("(")
		n.Results = r.typeList(")")
		return r.makeType(n, pos)
	}
	name, suffix, _ := strings.Cut(r.line[0].text, ".")
	k, ok := kindByName[name]
	n := Type{Kind: k}
	if !ok || suffix != "" && !readLayout(&n, suffix) {
		r.fail("want a type, got %s", r.shown())
		return NoType
	}
	r.line = r.line[1:]
	switch k {
	case KInt:
		r.expect("<")
		b := r.number("width")
		if b > math.MaxInt32 {
			r.fail("bad width %d", b)
		}
		n.Bits = uint32(b)
		r.expect(">")
	case KRef, KIRef, KWeakRef, KUPtr, KFuncRef, KUFuncPtr:
		r.expect("<")
		n.Elem = r.typ()
		r.expect(">")
	case KStruct:
		r.expect("<")
		n.Fields = r.typeList(">")
	case KHybrid:
		r.expect("<")
		l := r.typeList(">")
		if len(l) == 0 {
			r.fail("a hybrid has a variable part")
			return NoType
		}
		n.Fields, n.Elem = l[:len(l)-1:len(l)-1], l[len(l)-1]
		if len(n.Fields) == 0 {
			n.Fields = nil
		}
	case KArray, KVector:
		r.expect("<")
		n.Elem = r.typ()
		n.Len = r.number("length")
		r.expect(">")
	}
	return r.makeType(n, pos)
}

// readLayout reads step and alignment of a struct.
func readLayout(n *Type, suffix string) bool {
	for _, s := range strings.Split(suffix, ".") {
		word := strings.TrimRight(s, "0123456789")
		x, err := strconv.ParseUint(s[len(word):], 10, 31)
		switch {
		case err != nil || x == 0 || n.Kind != KStruct:
			return false
		case word == "step":
			n.Bits = uint32(x)
		case word == "align":
			n.Len = x
		default:
			return false
		}
	}
	return true
}

func (r *reader) typeList(end string) (l []TypeID) {
	for !r.bad && !r.accept(end) {
		l = append(l, r.typ())
	}
	return l
}
