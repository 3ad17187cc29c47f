package uvm2014

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/internal/typegraph"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// How the types and signatures of a bundle are made:
//
//  1. Each constructor of a type or signature definition becomes a node; names become
//     edges, to nodes of the bundle or to canonical types of earlier bundles.
//  2. A composite that contains itself is an error. Its nodes, those with an unknown
//     name, and all that refer to them are unknown: NoType.
//  3. The other nodes are made canonical together.
//  4. The rules about members are checked on the canonical types.
//
// Types written in other places are made one by one, when the types that they name are already
// canonical.

// The greatest widths of int that are read, and that are translated.
const (
	maxWidth = 255
	maxBits  = 128
)

// A typeGraph is the graph of the bundle being loaded.
type typeGraph struct {
	typegraph.Graph
	offs  []syntax.Off // by node
	texts []written    // by node: its parts
}

func (g *typeGraph) add(off syntax.Off) int {
	g.offs = append(g.offs, off)
	g.texts = append(g.texts, written{})
	return g.Add()
}

var typeKinds = [...]ir.Kind{
	syntax.TypeInt: ir.KInt, syntax.TypeFloat: ir.KFloat, syntax.TypeDouble: ir.KDouble, syntax.TypeRef: ir.KRef,
	syntax.TypeIRef: ir.KIRef, syntax.TypeWeakRef: ir.KWeakRef, syntax.TypeStruct: ir.KStruct, syntax.TypeArray: ir.KArray,
	syntax.TypeHybrid: ir.KHybrid, syntax.TypeVoid: ir.KVoid, syntax.TypeFunc: ir.KFuncRef, syntax.TypeThread: ir.KThreadRef,
	syntax.TypeStack: ir.KStackRef, syntax.TypeTagRef64: ir.KTagRef64,
}

// defineTypes makes the types and signatures of the bundle.
func (l *loader) defineTypes() {
	g := &typeGraph{}
	l.graph = g
	defer func() { l.graph = nil }()
	type def struct {
		e    *entity
		h    *syntax.Head
		node int
	}
	var defs []def
	aliases := map[*entity]*syntax.TypeDef{}
	for _, d := range l.b.Defs {
		h := d.DefHead()
		e := l.find(h.Name.Sym)
		if h.Name.IsZero() || e == nil || e.def != d || e.kind != entType && e.kind != entSig {
			continue
		}
		if t, ok := d.(*syntax.TypeDef); ok && !t.Type.IsZero() {
			aliases[e] = t
			continue
		}
		e.raw = int32(g.add(h.Name.Off))
		defs = append(defs, def{e, h, int(e.raw)})
	}
	for _, d := range l.b.Defs {
		if e := l.find(d.DefHead().Name.Sym); e != nil {
			if t := aliases[e]; t != nil && e.def == d {
				l.alias(e, t, aliases)
			}
		}
	}
	for _, d := range defs {
		g.Nodes[d.node].Name = l.name(d.h.Name)
		switch t := d.e.def.(type) {
		case *syntax.TypeDef:
			if l.b.Faulty[t] {
				g.Bad[d.node] = true
				continue
			}
			l.typeNode(d.node, t.Type)
		case *syntax.SigDef:
			if l.b.Faulty[t] {
				g.Bad[d.node] = true
				continue
			}
			l.sigNode(d.node, t.Sig)
		}
	}
	again := make([]int, len(l.repeated)) // nodes
	for i, r := range l.repeated {
		again[i] = -1
		switch d := r.def.(type) {
		case *syntax.TypeDef:
			if t := d.Type; t.TypeCtor != nil && !l.b.Faulty[d] && t.IsZero() {
				again[i] = g.add(d.Name.Off)
				l.typeNode(again[i], t)
			}
		case *syntax.SigDef:
			if !l.b.Faulty[d] {
				again[i] = g.add(d.Name.Off)
				l.sigNode(again[i], d.Sig)
			}
		}
	}
	g.Cycles(l.reportCycle)
	ids := g.Types(l.types)
	for _, d := range defs {
		d.e.typ = ids[d.node]
	}
	for e := range aliases {
		if e.raw >= 0 {
			e.typ = ids[e.raw]
		}
	}
	for _, kind := range []entKind{entType, entSig} {
		for _, d := range l.b.Defs {
			h := d.DefHead()
			e := l.find(h.Name.Sym)
			if h.Name.IsZero() || e == nil || e.def != d || e.kind != kind || e.typ == ir.NoType {
				continue
			}
			l.prog.Entities[l.name(h.Name)] = e.typ
			l.prog.TypeIDs[l.name(h.Name)] = l.id(h, kind)
			l.types.SetName(e.typ, l.name(h.Name))
		}
	}
	for i, r := range l.repeated {
		if r.of.kind == entConst || r.of.kind == entGlobal {
			continue // see repeatedValues
		}
		have := ir.NoType
		if d, ok := r.def.(*syntax.TypeDef); ok && !d.Type.IsZero() {
			have = l.typ(d.Type) // an alias
		} else if again[i] >= 0 {
			have = ids[again[i]]
		}
		if r.of.typ == ir.NoType && have == ir.NoType {
			continue // both are wrong
		}
		l.repeats(r, have == r.of.typ)
	}
	for i, id := range ids {
		if id != ir.NoType {
			l.given.mark(id)
			l.checkMembers(g.offs[i], g.texts[i], id)
		}
	}
}

// alias lets a name that an old bundle defines as another name of a type denote that type.
func (l *loader) alias(e *entity, t *syntax.TypeDef, aliases map[*entity]*syntax.TypeDef) {
	for steps := 0; ; steps++ {
		to := l.named(t.Type.Name, entType)
		switch {
		case to == nil:
		case aliases[to] != nil && steps <= len(aliases):
			t = aliases[to]
			continue
		case aliases[to] != nil:
			l.errorf(t.Name.Off, "%s is defined by itself", l.name(t.Name))
		case to.bundle != l.number:
			e.typ = to.typ
		default:
			e.raw = to.raw
		}
		return
	}
}

// node returns the number of a type while the graph is made: canonical or raw, or NoType.
func (l *loader) node(t syntax.Type) ir.TypeID {
	switch {
	case t.TypeCtor == nil:
		return ir.NoType
	case !t.Name.IsZero():
		return l.nodeOf(t.Name, entType)
	}
	t = t.Here()
	i := l.graph.add(t.Off)
	l.typeNode(i, t)
	return ir.Raw(i)
}

func (l *loader) nodeOf(n syntax.Name, kind entKind) ir.TypeID {
	e := l.named(n, kind)
	switch {
	case e == nil:
		return ir.NoType
	case e.raw >= 0 && e.bundle == l.number:
		return ir.Raw(int(e.raw))
	}
	return e.typ
}

// named is the entity of a name that must be a type or signature, nil after an error.
func (l *loader) named(n syntax.Name, kind entKind) *entity {
	e := l.find(n.Sym)
	switch {
	case e == nil:
		l.unknown(n, strings.TrimPrefix(kind.String(), "a "), func(n syntax.Name) string {
			return l.hintEntity(n, func(e *entity) bool { return e.kind == kind })
		})
	case e.kind != kind:
		l.wrongKind(n, e, kind.String())
		return nil
	}
	return e
}

// typeNode fills a node from a constructor.
func (l *loader) typeNode(i int, t syntax.Type) {
	if t.TypeCtor == nil {
		l.graph.Bad[i] = true
		return
	}
	n, ok := l.ctor(t, l.node, l.sigRef)
	n.Name = l.graph.Nodes[i].Name
	l.graph.Nodes[i] = n
	l.graph.Bad[i] = !ok
	l.graph.texts[i] = written{members: t.Args}
}

// ctor is the type that a constructor makes from its parts; part and sig find the parts. It reports whether
// all of them are known.
func (l *loader) ctor(t syntax.Type, part func(syntax.Type) ir.TypeID, sig func(syntax.Sig) ir.TypeID) (ir.Type, bool) {
	n, ok := ir.Type{Kind: typeKinds[t.Kind]}, true
	switch t.Kind {
	case syntax.TypeInt:
		n.Bits, ok = l.width(t)
	case syntax.TypeArray:
		n.Len, ok = l.length(t)
	case syntax.TypeFunc:
		n.Elem = sig(t.Sig)
		ok = n.Elem != ir.NoType
	}
	args, known := eachType(t.Args, part)
	switch t.Kind {
	case syntax.TypeStruct:
		n.Fields = args
	case syntax.TypeRef, syntax.TypeIRef, syntax.TypeWeakRef, syntax.TypeArray:
		n.Elem = args[0]
	case syntax.TypeHybrid:
		n.Elem = args[1]
		if !l.isVoid(t.Args[0]) {
			n.Fields = args[:1]
		}
	}
	return n, ok && known
}

// sigCtor is like ctor, for the constructor of a signature.
func (l *loader) sigCtor(s syntax.Sig, part func(syntax.Type) ir.TypeID) (ir.Type, bool) {
	list := s.Params
	if len(list) == 1 && l.isVoid(list[0]) { // the parser has dropped one that is written out
		l.deviate(l.devs, "void list", list[0].Off, "the parameters (void) are read as none")
		list = nil
	}
	params, ok := eachType(list, part)
	n := ir.Type{Kind: ir.KSig, Fields: params}
	if !l.isVoid(s.Ret) {
		ret := part(s.Ret)
		n.Results = []ir.TypeID{ret}
		ok = ok && ret != ir.NoType
	} else if s.Ret.Name.IsZero() {
		l.given.mark(l.void)
	}
	return n, ok
}

// eachType finds the types in a list, and reports whether all are known.
func eachType(list []syntax.Type, part func(syntax.Type) ir.TypeID) ([]ir.TypeID, bool) {
	if len(list) == 0 {
		return nil, true
	}
	ids, ok := make([]ir.TypeID, len(list)), true
	for i, t := range list {
		ids[i] = part(t)
		ok = ok && ids[i] != ir.NoType
	}
	return ids, ok
}

// isVoid reports whether a type is void, under whatever name.
func (l *loader) isVoid(t syntax.Type) bool {
	for steps := 0; t.TypeCtor != nil && steps < len(l.ents)+1; steps++ {
		if t.Name.IsZero() {
			return t.Kind == syntax.TypeVoid
		}
		e := l.find(t.Name.Sym)
		if e == nil || e.kind != entType {
			return false
		}
		if e.bundle != l.number {
			return e.typ == l.void
		}
		d, ok := e.def.(*syntax.TypeDef)
		if !ok {
			return false
		}
		t = d.Type
	}
	return false
}

func (l *loader) sigRef(s syntax.Sig) ir.TypeID {
	if s.SigCtor == nil {
		return ir.NoType
	}
	if !s.Name.IsZero() {
		return l.nodeOf(s.Name, entSig)
	}
	i := l.graph.add(s.Off)
	l.sigNode(i, s)
	return ir.Raw(i)
}

func (l *loader) sigNode(i int, s syntax.Sig) {
	if s.SigCtor == nil {
		l.graph.Bad[i] = true
		return
	}
	n, ok := l.sigCtor(s, l.node)
	n.Name = l.graph.Nodes[i].Name
	l.graph.Nodes[i] = n
	l.graph.Bad[i] = !ok
	l.graph.texts[i] = written{s.Params, s.Ret}
}

func (l *loader) width(t syntax.Type) (uint32, bool) {
	switch n := t.Len; {
	case n == nil:
	case !n.IsUint64() || n.Lo < 1 || n.Lo > maxWidth:
		l.errorf(n.Off, "invalid width %s: an int has 1 to %d bits", l.b.IntText(n), maxWidth)
	case n.Lo > maxBits:
		l.errorf(n.Off, "unsupported width %d: ints of up to %d bits are translated", n.Lo, maxBits)
	default:
		return uint32(n.Lo), true
	}
	return 0, false
}

func (l *loader) length(t syntax.Type) (uint64, bool) {
	if t.Len == nil {
		return 0, false
	}
	if !t.Len.IsUint64() {
		l.errorf(t.Len.Off, "invalid length %s: an array has 0 to 2^64-1 elements", l.b.IntText(t.Len))
		return 0, false
	}
	return t.Len.Lo, true
}

// reportCycle reports a type that contains itself by value.
func (l *loader) reportCycle(cycle []int) {
	g := l.graph
	first, known := cycle[0], false
	for _, n := range cycle {
		if g.Nodes[n].Name != "" && (g.Nodes[first].Name == "" || g.offs[n] < g.offs[first]) {
			first = n
		}
		known = known || g.Bad[n]
	}
	for _, n := range cycle {
		g.Bad[n] = true
	}
	if known {
		return // part of a cycle that was reported, or wrong for another reason
	}
	name := g.Nodes[first].Name
	if name == "" {
		name = "the type"
	}
	l.errorf(g.offs[first], "%s contains itself: only a ref, iref, weakref or func may lead back to it", name)
}

// typ makes a type that is written outside of type definitions. It returns NoType after an
// error, which has been reported.
func (l *loader) typ(t syntax.Type) ir.TypeID {
	switch {
	case t.TypeCtor == nil:
		return ir.NoType
	case !t.IsZero():
		return l.typeOf(t.Name, entType)
	}
	if id := l.known(t.Num); id != ir.NoType {
		return id
	}
	t = t.Here()
	n, ok := l.ctor(t, l.typ, l.sig)
	if !ok {
		return ir.NoType
	}
	before := l.types.Len()
	id := l.types.Intern(n)
	if l.types.Len() != before && !l.checkMembers(t.Off, written{members: t.Args}, id) {
		return ir.NoType
	}
	l.given.mark(id)
	l.nodes[t.Num].typ = id
	return id
}

// typeOf is the type or signature that a name denotes when all are known, NoType after an error.
func (l *loader) typeOf(n syntax.Name, kind entKind) ir.TypeID {
	if e := l.named(n, kind); e != nil {
		return e.typ
	}
	return ir.NoType
}

// sig makes a signature that is written outside of definitions of signatures.
func (l *loader) sig(s syntax.Sig) ir.TypeID {
	switch {
	case s.SigCtor == nil:
		return ir.NoType
	case !s.IsZero():
		return l.typeOf(s.Name, entSig)
	}
	if id := l.known(s.Num); id != ir.NoType {
		return id
	}
	s = s.Here()
	n, ok := l.sigCtor(s, l.typ)
	if !ok {
		return ir.NoType
	}
	before := l.types.Len()
	id := l.types.Intern(n)
	if l.types.Len() != before && !l.checkMembers(s.Off, written{s.Params, s.Ret}, id) {
		return ir.NoType
	}
	l.given.mark(id)
	l.nodes[s.Num].typ = id
	return id
}

// written has the parts of a type or signature as they are in the bundle.
type written struct {
	members []syntax.Type // parameters of a signature
	result  syntax.Type   // of a signature
}

// checkMembers checks the parts of a type or signature. off is its own place.
func (l *loader) checkMembers(off syntax.Off, w written, id ir.TypeID) bool {
	n := l.types.At(id)
	ok := true
	fault := func(at syntax.Type, format string, args ...any) {
		ok = false
		place := off
		if at.Off != 0 {
			place = at.Off
		}
		l.errorf(place, format, args...)
	}
	member := func(i int) syntax.Type {
		if uint(i) < uint(len(w.members)) {
			return w.members[i]
		}
		return syntax.Type{}
	}
	if what := l.limits.Excess(id); what != "" {
		fault(syntax.Type{}, "invalid type: %s", what)
	}
	switch n.Kind {
	case ir.KStruct:
		for i, f := range n.Fields {
			if !l.fixed(f) {
				fault(member(i), "field %d of a struct has a type of fixed length, not %s", i, l.text(f))
			}
		}
	case ir.KArray:
		if !l.fixed(n.Elem) {
			fault(member(0), "the elements of an array have a type of fixed length, not %s", l.text(n.Elem))
		}
	case ir.KHybrid:
		for _, f := range n.Fields {
			if !l.fixed(f) {
				fault(member(0), "the fixed part of a hybrid has a type of fixed length or void, not %s", l.text(f))
			}
		}
		if !l.fixed(n.Elem) {
			fault(member(1), "the variable part of a hybrid has a type of fixed length, not %s", l.text(n.Elem))
		}
	case ir.KSig:
		for i, p := range n.Fields {
			if !l.isValue(p) {
				fault(member(i), "parameter %d of a signature has a type of values, not %s", i+1, l.notValue(p))
			}
		}
		for _, r := range n.Results {
			if !l.isValue(r) {
				fault(w.result, "a signature returns a type of values or void, not %s", l.notValue(r))
			}
		}
	}
	return ok
}

// fixed reports whether a type has a fixed length and is not void.
func (l *loader) fixed(t ir.TypeID) bool {
	k := l.types.Kind(t)
	return k != ir.KVoid && k != ir.KHybrid && k != ir.KSig
}

// isValue reports whether a value can have a type.
func (l *loader) isValue(t ir.TypeID) bool {
	n := l.types.At(t)
	switch n.Kind {
	case ir.KWeakRef, ir.KArray, ir.KHybrid, ir.KVoid, ir.KSig, ir.KInvalid:
		return false
	case ir.KStruct:
		known, ok := l.values[t]
		if !ok {
			known = true
			for _, f := range n.Fields {
				known = known && l.isValue(f)
			}
			known = known && l.limits.Scalars(t) <= layout.MaxScalars
			l.values[t] = known
		}
		return known
	}
	return true
}

func (l *loader) kind(t ir.TypeID) ir.Kind { return l.types.Kind(t) }

// notValue spells a type that values cannot have, and says so if it is only too large.
func (l *loader) notValue(t ir.TypeID) string {
	if l.kind(t) == ir.KStruct && l.limits.Scalars(t) > layout.MaxScalars {
		return fmt.Sprintf("%s, which has more than %d scalars", l.text(t), layout.MaxScalars)
	}
	return l.text(t)
}

// text spells a type as a bundle of this dialect writes it.
func (l *loader) text(t ir.TypeID) string {
	if n := l.types.At(t).Name; n != "" {
		return n
	}
	var b strings.Builder
	l.spell(&b, t, 2)
	return b.String()
}

// sigText spells a signature out.
func (l *loader) sigText(t ir.TypeID) string {
	var b strings.Builder
	l.spell(&b, t, 2)
	return b.String()
}

func (l *loader) spell(b *strings.Builder, t ir.TypeID, depth int) {
	n := l.types.At(t)
	sub := func(t ir.TypeID) {
		switch name := l.types.At(t).Name; {
		case name != "":
			b.WriteString(name)
		case depth == 0:
			b.WriteString("...")
		default:
			l.spell(b, t, depth-1)
		}
	}
	switch n.Kind {
	case ir.KFuncRef:
		b.WriteString("func<")
		sub(n.Elem)
		b.WriteByte('>')
	case ir.KThreadRef:
		b.WriteString("thread")
	case ir.KStackRef:
		b.WriteString("stack")
	case ir.KHybrid:
		b.WriteString("hybrid<")
		if len(n.Fields) == 0 {
			b.WriteString("void")
		} else {
			sub(n.Fields[0])
		}
		b.WriteByte(' ')
		sub(n.Elem)
		b.WriteByte('>')
	case ir.KSig:
		if len(n.Results) == 0 {
			b.WriteString("void")
		} else {
			sub(n.Results[0])
		}
		b.WriteString(" (")
		for i, p := range n.Fields {
			if i > 0 {
				b.WriteByte(' ')
			}
			sub(p)
		}
		b.WriteByte(')')
	default:
		b.WriteString(l.types.Structure(t, depth))
	}
}
