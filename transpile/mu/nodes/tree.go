package nodes

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// A Tree is a complete bundle: the tree of a text that nobody has written. Offsets in it are numbers of nodes.
type Tree struct {
	*syntax.Bundle // whose File is not set

	// Known are the names in the tree of entities that existed before.
	Known []Known

	// Wrong is what is wrong with nodes. The definitions that they are in are Faulty. Only the later builder has such
	// trees.
	Wrong []Wrong

	// Names are what the author's own source calls values, by their local names; nil if it does not say.
	Names map[string]string

	b           *Builder
	first, last int // the symbols of nodes without a name are below last and not below first, by Index
	locals      map[*node][]LocalID
}

// Known is a name of an existing entity, or of its signature.
type Known struct {
	Sym syntax.Sym
	ID  uint32
	Sig bool // the signature of the function with the ID
}

// Wrong says what is wrong with the node with a number, 0 for what is no node.
type Wrong struct {
	No  int
	Msg string // begins with which node it is
}

// A LocalID is the reserved ID of a parameter or result, with its name, "" if it has none.
type LocalID struct {
	Name string
	ID   uint32
}

// End ends the bundle and makes its tree. No call is possible afterwards.
func (b *Builder) End() (*Tree, *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return nil, errorf(BadHandle, "the bundle was loaded or given up")
	}
	b.ended = true
	t := b.tree()
	if len(t.Wrong) > 0 {
		var l []string
		for _, w := range t.Wrong {
			l = append(l, w.Msg)
		}
		return nil, &Error{BadCheck, strings.Join(l, "\n\t")}
	}
	return t, nil
}

// tree makes the tree of the nodes.
func (b *Builder) tree() *Tree {
	w := &maker{Builder: b, out: &Tree{Bundle: &syntax.Bundle{Syms: b.syms}, Wrong: b.wrong, b: b}, defs: map[*node]syntax.Def{}}
	for _, x := range b.wrong {
		if w.bad == nil {
			w.bad = map[int32]bool{}
		}
		w.bad[int32(x.No)] = true
	}
	w.reserve()
	w.localIDs()
	w.bundle()
	return w.out
}

// Abort ends the bundle without a tree.
func (b *Builder) Abort() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
}

// Nameless reports whether a name is of a node that has none: its spelling then says which node it is.
func (t *Tree) Nameless(s syntax.Sym) bool { return t.first <= s.Index() && s.Index() < t.last }

// ID is the reserved ID of the node with a number, 0 if it has none.
func (t *Tree) ID(no syntax.Off) uint32 { return t.b.nodes[no-1].id }

// FuncID is the reserved ID of the function of the version with a number, 0 if it has none.
func (t *Tree) FuncID(version syntax.Off) uint32 { return t.b.nodes[version-1].parent.id }

// Locals are the reserved IDs of the parameters of the block with a number, and of the results in it.
func (t *Tree) Locals(block syntax.Off) []LocalID { return t.locals[t.b.nodes[block-1]] }

// Where is the position of the node with a number or, if it has none, which node it is.
func (t *Tree) Where(no int) string {
	n := t.b.node(no)
	if n == nil {
		return ""
	}
	return t.b.where(n)
}

// Position is the position of the node with a number, the zero Position if it has none.
func (t *Tree) Position(no int) diag.Position {
	if n := t.b.node(no); n != nil {
		return t.b.places[n.at]
	}
	return diag.Position{}
}

// Called is what the author's own source calls the value with a local name.
func (t *Tree) Called(_ int, local string) string { return t.Names[local] }

// A maker makes the tree of a bundle.
type maker struct {
	*Builder
	out    *Tree
	syms   []syntax.Sym // of nodes, by number
	sigs   []syntax.Sym // of the signatures of the functions in Known that get a version
	blocks lex.Slab[syntax.Block]
	dests  lex.Slab[syntax.Dest]
	defs   map[*node]syntax.Def
	bad    map[int32]bool // nodes whose operands are missing because they are wrong
}

// reserve gives each node its symbol: its name, or one that no name is.
func (w *maker) reserve() {
	var known []*node // functions that get a version, whose signatures need names
	for _, n := range w.nodes {
		if f, ok := n.part.(*function); ok && n.known && f.versions > 0 {
			known = append(known, n)
		}
	}
	count := len(w.nodes) + len(known)
	first := w.Builder.syms.Reserve(count)
	w.out.first, w.out.last = first.Index(), first.Index()+count
	w.Builder.syms.SpellLate(first, count, func(i int) string {
		if i >= len(w.nodes) {
			return "the signature of " + w.short(known[i-len(w.nodes)])
		}
		return w.short(w.nodes[i])
	})
	global := func(i int) syntax.Sym { return syntax.Sym(w.out.first+i) << 1 }
	w.syms = make([]syntax.Sym, 1, 1+len(w.nodes))
	for i, n := range w.nodes {
		s := global(i)
		switch {
		case n.known:
			w.out.Known = append(w.out.Known, Known{Sym: s, ID: n.id})
		case n.name != "":
			s = w.Builder.syms.InternString(n.name)
		case n.parent != nil:
			s |= 1 // local
		}
		w.syms = append(w.syms, s)
	}
	for i, n := range known {
		s := global(len(w.nodes) + i)
		n.part.(*function).sig = s
		w.out.Known = append(w.out.Known, Known{Sym: s, ID: n.id, Sig: true})
	}
}

// localIDs notes the reserved IDs of parameters and results.
func (w *maker) localIDs() {
	w.out.locals = map[*node][]LocalID{}
	for _, n := range w.nodes {
		block := n.parent
		switch {
		case n.id == 0:
			continue
		case n.kind == Result:
			block = block.parent
		case n.kind != Param && n.kind != ExcParam:
			continue
		}
		w.out.locals[block] = append(w.out.locals[block], LocalID{n.name, n.id})
	}
}

// name makes a name of the number of a node.
func (w *maker) name(n *syntax.Name) { n.Sym = w.syms[n.Sym] }

func (w *maker) list(list []syntax.Name) {
	for i := range list {
		w.name(&list[i])
	}
}

// errorf notes what is wrong with a node.
func (w *maker) errorf(n *node, format string, args ...any) {
	w.fault(n, ": "+fmt.Sprintf(format, args...))
}

func (w *maker) fault(n *node, msg string) {
	w.out.Wrong = append(w.out.Wrong, Wrong{int(n.no), w.where(n) + msg})
}

// bundle makes the definitions, in the order of their nodes. A version stands for its function.
func (w *maker) bundle() {
	out := w.out.Bundle
	for _, n := range w.nodes {
		if n.known {
			continue
		}
		if f := w.faults[n]; f != "" {
			w.errorf(n, "%s", f)
		}
		switch d := n.part.(type) {
		case *syntax.TypeDef:
			w.typeDef(n, d)
		case *syntax.SigDef:
			w.name(&d.Name)
			w.list(d.Params)
			w.list(d.Results)
		case *syntax.ConstDef:
			w.name(&d.Name)
			w.name(&d.Type)
			w.list(d.List)
		case *syntax.GlobalDef:
			w.name(&d.Name)
			w.name(&d.Type)
		case *syntax.ExposeDef:
			w.name(&d.Name)
			w.name(&d.Func)
			w.name(&d.Cookie)
		case *function:
			w.name(&d.decl.Name)
			w.name(&d.decl.Sig)
			if d.versions == 0 {
				out.Defs = append(out.Defs, d.decl)
			}
		}
		switch d := n.part.(type) {
		case syntax.Def:
			out.Defs = append(out.Defs, d)
			w.defs[n] = d
		case *version:
			f := w.version(n, d)
			out.Defs = append(out.Defs, f)
			w.defs[n] = f
		}
	}
	w.faulty()
}

// faulty marks the definitions with mistakes: nothing else in them is checked.
func (w *maker) faulty() {
	wrong := map[*node]bool{}
	for _, x := range w.out.Wrong {
		for n := w.node(x.No); n != nil; n = n.parent {
			wrong[n] = true
			if n.kind == Version {
				break
			}
		}
	}
	w.out.Faulty = map[syntax.Def]bool{}
	for n, d := range w.defs {
		if wrong[n] || n.kind == Version && wrong[n.parent] {
			w.out.Faulty[d] = true
		}
	}
}

func (w *maker) typeDef(n *node, d *syntax.TypeDef) {
	w.name(&d.Name)
	w.list(d.Args)
	if len(d.Args) > 0 || w.bad[n.no] {
		return
	}
	switch d.Kind {
	case syntax.TypeStruct:
		w.errorf(n, "struct wants 1 field or more, got none")
	case syntax.TypeRef, syntax.TypeIRef, syntax.TypeWeakRef, syntax.TypeUPtr, syntax.TypeFuncRef, syntax.TypeUFuncPtr:
		w.errorf(n, "what it refers to is missing")
	}
}

// version makes the definition of a function. Its nodes are after that of the function, so that has its name.
func (w *maker) version(n *node, v *version) *syntax.FuncDef {
	off := syntax.Off(n.no)
	d := &syntax.FuncDef{Close: off}
	d.Off, d.Open, d.Version = off, off, syntax.Name{Sym: w.syms[n.no], Off: off}
	d.Name = syntax.Name{Sym: w.syms[n.parent.no], Off: off}
	f := n.parent.part.(*function)
	if d.Sig = (syntax.Name{Sym: f.sig, Off: off}); f.decl != nil {
		d.Sig.Sym = f.decl.Sig.Sym
	}
	if len(v.blocks) == 0 && !w.bad[n.no] {
		w.errorf(n, "a block is missing")
	}
	d.Blocks = w.blocks.Make(len(v.blocks))
	for i, blk := range v.blocks {
		w.block(&d.Blocks[i], blk, blk.part.(*block))
	}
	w.out.Blocks += len(v.blocks)
	return d
}

func (w *maker) block(out *syntax.Block, n *node, blk *block) {
	off := syntax.Off(n.no)
	out.Name = syntax.Name{Sym: w.syms[n.no], Off: off}
	out.Params = blk.params
	for i := range out.Params {
		w.name(&out.Params[i].Type)
		w.name(&out.Params[i].Name)
	}
	switch len(blk.exc) {
	case 0:
	case 1:
		out.Exc = syntax.Name{Sym: w.syms[blk.exc[0].no], Off: off}
	default:
		w.fault(n, " has more than one exception parameter")
	}
	if len(blk.insts) == 0 && !w.bad[n.no] {
		w.errorf(n, "an instruction is missing")
	}
	out.Insts = make([]syntax.Inst, len(blk.insts))
	for i, in := range blk.insts {
		w.inst(in)
		out.Insts[i] = in.Inst
	}
	w.out.Insts += len(blk.insts)
}

// inst completes an instruction.
func (w *maker) inst(in *inst) {
	if in.node.name != "" {
		in.Name = syntax.Name{Sym: w.syms[in.node.no], Off: in.Off}
	}
	w.list(in.Results)
	w.list(in.Types)
	w.name(&in.Sig)
	w.list(in.Args)
	w.list(in.Keep)
	if x := in.Ext; x != nil {
		w.list(x.Sigs)
		w.name(&x.ThreadLocal)
		w.list(x.RetTypes)
		w.list(x.PassTypes)
		w.list(x.PassArgs)
		w.name(&x.Throw)
		if x.New == syntax.NoNewStack && in.row.clauses&newStack != 0 && !w.bad[in.node.no] {
			w.errorf(in.node, "the new-stack clause is missing")
		}
	}
	if len(in.dests) == 0 && len(in.row.dests) == 0 {
		return
	}
	for i := range in.dests {
		d := &in.dests[i]
		w.name(&d.key)
		w.name(&d.Block)
		w.list(d.Args)
	}
	w.destinations(in)
}

// destinations puts the destinations of an instruction in order.
func (w *maker) destinations(in *inst) {
	want := in.row.dests
	var room [3]uint8
	switch c := in.row.clauses; {
	case c&exc != 0:
		want, in.Flags = append(room[:0], normal, except), in.Flags|syntax.HasExc
	case c&wpExc != 0 && in.dest(except) != nil:
		want, in.Flags = append(append(room[:0], want...), except), in.Flags|syntax.HasWPEx
	}
	list := w.dests.Make(len(in.dests))[:0]
	for _, kind := range want {
		d := in.dest(kind)
		if d == nil {
			w.errorf(in.node, "destination %s is missing", destNames[kind])
			continue
		}
		list = append(list, d.Dest)
	}
	for i := range in.dests {
		if d := &in.dests[i]; d.kind == 0 {
			in.Args = append(in.Args, d.key)
			list = append(list, d.Dest)
		}
	}
	in.Dests = list
}
