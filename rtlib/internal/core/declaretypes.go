package core

import (
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/internal/lexis/graph"
)

// The types of a text that is loaded (docs/language.md, "Types" and "Definitions").

// typeKinds are the constructors of kinds; signatures have none.
var typeKinds = [...]decl.TypeKind{
	VVoid: decl.TypeVoid, VInt: decl.TypeInt, VFloat: decl.TypeFloat, VDouble: decl.TypeDouble, VUPtr: decl.TypeUPtr,
	VUFuncPtr: decl.TypeUFuncPtr, VRef: decl.TypeRef, VIRef: decl.TypeIRef, VWeakRef: decl.TypeWeakRef,
	VTagRef64: decl.TypeTagRef64, VFuncRef: decl.TypeFuncRef, VStackRef: decl.TypeStackRef, VThreadRef: decl.TypeThreadRef,
	VCursorRef: decl.TypeFrameCursorRef, VNodeRef: decl.TypeIRNodeRef, VBuilderRef: decl.TypeIRBuilderRef, VStruct: decl.TypeStruct, VArray: decl.TypeArray,
	VVector: decl.TypeVector, VHybrid: decl.TypeHybrid, VSig: decl.NoType,
}

// types makes the types and signatures of the text. Definitions with errors, and those that refer to
// them, get no type.
func (d *declaration) types(tt *typeTable) {
	g := &typeGraph{d: d, number: map[*VType]int{}, extents: extents{}}
	for _, x := range d.list {
		switch x.def.Kind {
		case defType:
			x.typ = &VType{Kind: VKind(slices.Index(typeKinds[:], x.def.Type.Kind)), Name: x.def.Name.Text}
		case defSig:
			x.typ = &VType{Kind: VSig, Name: x.def.Name.Text}
		default:
			continue
		}
		if x.def.Unnamed {
			x.typ.Name = ""
		}
		g.number[x.typ] = len(g.list)
		g.list = append(g.list, x)
	}
	g.bad = make([]bool, len(g.list))
	for i, x := range g.list {
		g.bad[i] = !g.parts(x)
	}
	g.containment()
	g.spread()
	for i, x := range g.list {
		g.bad[i] = g.bad[i] || !g.members(x)
	}
	g.limits()
	g.spread()
	var good []*VType
	for i, x := range g.list {
		if g.bad[i] {
			x.typ = nil
		} else {
			good = append(good, x.typ)
		}
	}
	rep, fresh := tt.merge(good)
	d.fresh = fresh
	i := 0
	for _, x := range g.list {
		if x.typ != nil {
			x.typ = rep[i]
			i++
			x.ent = &Entity{Kind: x.kind, Type: x.typ}
		}
	}
}

// typeGraph is the types of a text before they are merged.
type typeGraph struct {
	d      *declaration
	list   []*declared
	number map[*VType]int // in list, of the types of the text
	bad    []bool         // by number
	extents
}

// parts fills in the parts of a definition. It reports whether there was no error.
func (g *typeGraph) parts(x *declared) (ok bool) {
	def, v := x.def, x.typ
	ok = true
	resolve := func(list []declName, want EntityKind) (out []*VType) {
		for _, n := range list {
			t := g.d.resolve(n, want)
			if t == nil {
				ok = false
				continue
			}
			out = append(out, t)
		}
		return out
	}
	if v.Kind == VSig {
		v.Fields, v.Results = resolve(def.Params, TypeEntity), resolve(def.Results, TypeEntity)
		return ok
	}
	if def.Type.Len != nil {
		if bad := def.Type.BadLen(def.Name.Text, def.LenText); bad != "" {
			g.d.message(def.Type.Len.Off, bad)
			ok = false
		} else if n := def.Type.Len.Lo; v.Kind == VInt {
			v.Bits = uint32(n)
		} else {
			v.Len = n
		}
	}
	want := TypeEntity
	if v.Kind == VFuncRef || v.Kind == VUFuncPtr {
		want = SigEntity
	}
	args := resolve(def.Args, want)
	switch {
	case v.Kind == VStruct:
		v.Fields = args
	case len(args) > 0:
		v.Elem = args[len(args)-1]
		if v.Kind == VHybrid {
			v.Fields = args[:len(args)-1]
		}
	}
	return ok
}

func (v *VType) isComposite() bool { return typeKinds[v.Kind].Composite() }

// eachMember calls f for the types that a composite consists of.
func (v *VType) eachMember(f func(*VType)) {
	if !v.isComposite() {
		return
	}
	for _, m := range v.Fields {
		f(m)
	}
	if v.Elem != nil {
		f(v.Elem)
	}
}

// nodes are the numbers of types, -1 for a type that is not in the text.
func (g *typeGraph) nodes(types []*VType) []int {
	out := make([]int, len(types))
	for i, v := range types {
		out[i] = -1
		if k, ok := g.number[v]; ok {
			out[i] = k
		}
	}
	return out
}

// containment reports composites that contain themselves.
func (g *typeGraph) containment() {
	members := func(i int) []int {
		var types []*VType
		g.list[i].typ.eachMember(func(m *VType) { types = append(types, m) })
		return g.nodes(types)
	}
	graph.Cycles(len(g.list), members, func(cycle []int, _ int) {
		known, first := false, cycle[0]
		for _, i := range cycle {
			known = known || g.bad[i]
			g.bad[i] = true
			first = min(first, i)
		}
		if n := g.list[first].def.Name; !known {
			g.d.errorf(n, "%s contains itself", n.Text)
		}
	})
}

// spread marks all types that refer to a faulty one as faulty.
func (g *typeGraph) spread() {
	graph.Spread(g.bad, func(i int) []int {
		var types []*VType
		g.list[i].typ.eachPart(func(p *VType) { types = append(types, p) })
		return g.nodes(types)
	})
}

// members checks the parts of a type or signature. It reports whether there was no error.
func (g *typeGraph) members(x *declared) (ok bool) {
	def, v := x.def, x.typ
	ok = true
	bad := func(n declName, format string, args ...any) {
		g.d.errorf(n, format, args...)
		ok = false
	}
	if v.Kind == VSig {
		for i, list := range [][]declName{def.Params, def.Results} {
			types, role := v.Fields, "parameter"
			if i == 1 {
				types, role = v.Results, "result"
			}
			for i, n := range list {
				switch {
				case !types[i].isValue():
					bad(n, "%s: invalid %s %s: %s is not a type of values", def.Name.Text, role, n.Text, types[i].notValue())
				case g.extents.of(types[i]).scalars > decl.MaxScalars:
					bad(n, "%s: invalid %s %s: %s of more than %d scalars is not a type of values", def.Name.Text, role, n.Text, decl.Article(kindWords[types[i].Kind]), decl.MaxScalars)
				}
			}
		}
		return ok
	}
	i := 0
	v.eachMember(func(m *VType) {
		if msg := def.Type.BadArg(i, typeKinds[m.Kind], def.Name.Text, def.Args[i].Text); msg != "" {
			g.d.message(def.Args[i].Off, msg)
			ok = false
		}
		i++
	})
	return ok
}

// isValue reports whether variables may have the type.
func (v *VType) isValue() bool {
	switch v.Kind {
	case VVoid, VHybrid, VWeakRef, VSig:
		return false
	}
	return !v.hasWeak(map[*VType]bool{})
}

// hasWeak reports whether a component is a weakref. seen are types found to have none.
func (v *VType) hasWeak(seen map[*VType]bool) bool {
	if v.Kind == VWeakRef || seen[v] {
		return v.Kind == VWeakRef
	}
	seen[v] = true
	weak := false
	v.eachMember(func(m *VType) { weak = weak || m.hasWeak(seen) })
	return weak
}

// notValue says why values cannot have a type.
func (v *VType) notValue() string {
	if v.isComposite() && v.Kind != VHybrid {
		return decl.Article(kindWords[v.Kind]) + " that holds a weakref"
	}
	return kindWords[v.Kind]
}
