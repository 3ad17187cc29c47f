package mu

import (
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/internal/typegraph"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// How the types and signatures of a bundle are made:
//
//  1. Each definition becomes a node; names become edges, to nodes of the bundle
//     or to canonical types of earlier bundles.
//  2. A composite that contains itself is an error. Its nodes, those with
//     an unknown name, and all that refer to them are unknown: NoType.
//  3. The other nodes are made canonical together.
//  4. The rules about members are checked on the canonical types.

// A typeGraph is the graph of the bundle being loaded.
type typeGraph struct {
	typegraph.Graph
	defs []syntax.Def // of each node
}

var typeKinds = [...]ir.Kind{
	syntax.TypeInt: ir.KInt, syntax.TypeFloat: ir.KFloat, syntax.TypeDouble: ir.KDouble,
	syntax.TypeVoid: ir.KVoid, syntax.TypeRef: ir.KRef, syntax.TypeIRef: ir.KIRef,
	syntax.TypeWeakRef: ir.KWeakRef, syntax.TypeUPtr: ir.KUPtr, syntax.TypeStruct: ir.KStruct,
	syntax.TypeHybrid: ir.KHybrid, syntax.TypeArray: ir.KArray, syntax.TypeVector: ir.KVector,
	syntax.TypeFuncRef: ir.KFuncRef, syntax.TypeUFuncPtr: ir.KUFuncPtr,
	syntax.TypeThreadRef: ir.KThreadRef, syntax.TypeStackRef: ir.KStackRef,
	syntax.TypeFrameCursorRef: ir.KFrameCursorRef, syntax.TypeIRNodeRef: ir.KIRNodeRef,
	syntax.TypeIRBuilderRef: ir.KIRBuilderRef,
	syntax.TypeTagRef64:     ir.KTagRef64,
}

// typeKind is the constructor of types of a kind.
func typeKind(k ir.Kind) syntax.TypeKind {
	return syntax.TypeKind(max(0, slices.Index(typeKinds[:], k)))
}

// defineTypes makes the types and signatures of the bundle.
func (l *loader) defineTypes() {
	g := &typeGraph{}
	for _, d := range l.b.Defs {
		switch d.(type) {
		case *syntax.TypeDef, *syntax.SigDef:
			_, n := d.Head()
			// If a name is defined twice, it denotes the first definition.
			if e := l.find(n.Sym); e != nil && e.raw < 0 && e.pos == l.b.Pos(n.Off) {
				e.raw = int32(len(g.defs))
			}
			g.defs = append(g.defs, d)
		}
	}
	if len(g.defs) == 0 {
		return
	}
	g.Nodes = make([]ir.Node, len(g.defs))
	g.Bad = make([]bool, len(g.defs))
	for i, d := range g.defs {
		l.typeNode(g, i, d)
	}
	g.Cycles(func(cycle []int) { l.reportContainment(g, cycle) })
	ids := g.Types(l.types)
	for i, d := range g.defs {
		_, n := d.Head()
		if e := l.find(n.Sym); e != nil && e.bundle == l.number && e.raw == int32(i) && (e.kind == entType || e.kind == entSig) {
			e.typ = ids[i]
			if !g.Bad[i] && !l.inline[n.Sym] {
				l.out.Type(l.name(n), ids[i])
			}
		}
	}
	for i, d := range g.defs {
		switch d := d.(type) {
		case *syntax.TypeDef:
			l.checkTypeDef(d, ids[i])
			l.checkLimits(d, ids[i])
		case *syntax.SigDef:
			l.checkSigDef(d)
		}
	}
}

// typeNode fills node i from its definition.
func (l *loader) typeNode(g *typeGraph, i int, d syntax.Def) {
	refs := func(names []syntax.Name, kind entKind) []ir.TypeID {
		out := make([]ir.TypeID, len(names))
		for k, n := range names {
			out[k] = l.typeRef(n, kind)
			if out[k] == ir.NoType {
				g.Bad[i] = true
			}
		}
		return out
	}
	n := &g.Nodes[i]
	switch d := d.(type) {
	case *syntax.SigDef:
		n.Kind = ir.KSig
		n.Fields = refs(d.Params, entType)
		n.Results = refs(d.Results, entType)
	case *syntax.TypeDef:
		n.Kind = typeKinds[d.Kind]
		if d.Len != nil {
			switch bad := d.BadLen(l.name(d.Name), l.b.Literal(d.Len)); {
			case bad != "":
				l.message(d.Len.Off, bad)
				g.Bad[i] = true
			case n.Kind == ir.KInt:
				n.Bits = uint32(d.Len.Lo)
			default:
				n.Len = d.Len.Lo
			}
		}
		kind := entType
		if n.Kind == ir.KFuncRef || n.Kind == ir.KUFuncPtr {
			kind = entSig
		}
		args := refs(d.Args, kind)
		switch {
		case n.Kind == ir.KStruct:
			n.Fields = args
		case len(args) > 0:
			n.Elem = args[len(args)-1]
			if n.Kind == ir.KHybrid {
				n.Fields = args[:len(args)-1]
			}
		}
	}
	if _, name := d.Head(); !l.nameless(name.Sym) {
		n.Name = l.name(name)
	}
}

// typeRef resolves the name of a type or signature while the graph is made.
func (l *loader) typeRef(n syntax.Name, kind entKind) ir.TypeID {
	e := l.find(n.Sym)
	switch {
	case e == nil:
		l.unknown(n, kind)
	case e.kind != kind:
		l.wrongKind(n, e, kind)
	case e.bundle != l.number:
		return e.typ
	case e.raw >= 0:
		return ir.Raw(int(e.raw))
	}
	return ir.NoType
}

// typeOf resolves the name of a type after types are made. It returns NoType for a
// faulty type, which has been reported.
func (l *loader) typeOf(n syntax.Name) ir.TypeID { return l.typeName(n, entType) }

// sigOf resolves the name of a signature.
func (l *loader) sigOf(n syntax.Name) ir.TypeID { return l.typeName(n, entSig) }

func (l *loader) typeName(n syntax.Name, kind entKind) ir.TypeID {
	e := l.find(n.Sym)
	switch {
	case e == nil:
		l.unknown(n, kind)
	case e.kind != kind:
		l.wrongKind(n, e, kind)
	default:
		return e.typ
	}
	return ir.NoType
}

// wrongKind reports a name that denotes an entity of the wrong kind.
func (l *loader) wrongKind(n syntax.Name, e *entity, want entKind) {
	d := l.errorf(n.Off, "%s is %s, not %s", l.name(n), e.kind, want)
	if e.pos.IsValid() {
		d.Also(e.pos, "defined")
	}
}

// maxCycle is the number of types of a cycle that a message names.
const maxCycle = 8

func (l *loader) reportContainment(g *typeGraph, cycle []int) {
	first, known := 0, false
	named := func(i int) bool {
		_, n := g.defs[cycle[i]].Head()
		return !l.inline[n.Sym]
	}
	for i, n := range cycle {
		if named(i) && !named(first) || named(i) == named(first) && n < cycle[first] {
			first = i
		}
		known = known || g.Bad[n]
		g.Bad[n] = true
	}
	if known {
		return // part of a cycle that was reported, or wrong for another reason
	}
	var b strings.Builder
	for i := range cycle {
		_, n := g.defs[cycle[(first+i)%len(cycle)]].Head()
		if i == maxCycle {
			b.WriteString(" > ...")
			break
		}
		if i > 0 {
			b.WriteString(" > ")
		}
		b.WriteString(l.name(n))
	}
	_, n := g.defs[cycle[first]].Head()
	via := ""
	if len(cycle) > 1 {
		via = " (" + b.String() + " > " + l.name(n) + ")"
	}
	l.errorf(n.Off, "%s contains itself%s; let it hold a reference: .typedef %s.ref = ref<%s>", l.name(n), via, l.name(n), l.name(n))
}

// checkTypeDef checks the members of a type (docs/language.md, "Types").
func (l *loader) checkTypeDef(d *syntax.TypeDef, id ir.TypeID) {
	for i, n := range d.Args {
		e := l.find(n.Sym)
		if e == nil || e.typ == ir.NoType || e.kind != entType && e.kind != entSig {
			continue
		}
		k := l.types.Kind(e.typ)
		switch d.Kind {
		case syntax.TypeUPtr:
			if id != ir.NoType && !l.info.nativeSafe(e.typ) {
				l.deviate(&l.top, devM, n.Off, "%s: the referent %s of a uptr is not native-safe", l.name(d.Name), l.name(n))
			}
		case syntax.TypeUFuncPtr:
			if id != ir.NoType && !l.info.nativeSafe(e.typ) {
				l.deviate(&l.top, devM, n.Off, "%s: the %s of a ufuncptr is not native-safe", l.name(d.Name), l.called("signature", n))
			}
		}
		if bad := d.BadArg(i, typeKind(k), l.name(d.Name), l.name(n)); bad != "" {
			l.message(n.Off, bad)
		}
	}
}

// checkSigDef checks that a signature has only value types (docs/language.md, "Definitions").
func (l *loader) checkSigDef(d *syntax.SigDef) {
	check := func(names []syntax.Name, role string) {
		for _, n := range names {
			if e := l.find(n.Sym); e != nil && e.kind == entType && e.typ != ir.NoType && !l.info.isValue(e.typ) {
				l.errorf(n.Off, "%s: invalid %s %s: %s is not a type of values", l.name(d.Name), role, l.name(n), l.info.notValue(e.typ))
			}
		}
	}
	check(d.Params, "parameter")
	check(d.Results, "result")
}
