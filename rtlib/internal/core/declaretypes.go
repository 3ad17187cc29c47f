package core

import (
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/decl"
)

// The types of a text that is loaded (docs/language.md, "Types" and "Definitions").

// constructor is the kind that a constructor makes.
func constructor(k decl.TypeKind) VKind {
	return VKind(max(0, slices.Index(kindWords[:], k.String())))
}

// types makes the types and signatures of the text. Those that are wrong, and those that refer
// to them, get none.
func (d *declaration) types(tt *typeTable) {
	var nodes []*declared
	for _, x := range d.list {
		switch x.def.Kind {
		case defType:
			x.typ = &VType{Kind: constructor(x.def.Ctor), Name: x.def.Name.Text}
			nodes = append(nodes, x)
		case defSig:
			x.typ = &VType{Kind: VSig, Name: x.def.Name.Text}
			nodes = append(nodes, x)
		}
	}
	g := &typeGraph{d: d, node: map[*VType]*declared{}, bad: map[*declared]bool{}, extents: extents{}}
	for _, x := range nodes {
		g.node[x.typ] = x
	}
	for _, x := range nodes {
		g.parts(x)
	}
	g.containment(nodes)
	g.spread(nodes)
	for _, x := range nodes {
		if !g.bad[x] {
			g.members(x)
		}
	}
	g.limits(nodes)
	g.spread(nodes)
	var good []*VType
	for _, x := range nodes {
		if g.bad[x] {
			x.typ = nil
		} else {
			good = append(good, x.typ)
		}
	}
	rep, fresh := tt.merge(good)
	d.fresh = fresh
	i := 0
	for _, x := range nodes {
		if x.typ != nil {
			x.typ = rep[i]
			i++
			x.ent = &Entity{Kind: x.kind, Type: x.typ}
		}
	}
}

// typeGraph is the types of a text before they are merged.
type typeGraph struct {
	d    *declaration
	node map[*VType]*declared // of the text
	bad  map[*declared]bool
	extents
}

// parts fills in what a definition says.
func (g *typeGraph) parts(x *declared) {
	def, v := x.def, x.typ
	resolve := func(list []declName, want EntityKind) (out []*VType) {
		for _, n := range list {
			t := g.d.resolve(n, want)
			if t == nil {
				g.bad[x] = true
				continue
			}
			out = append(out, t)
		}
		return out
	}
	if v.Kind == VSig {
		v.Fields, v.Results = resolve(def.Params, TypeEntity), resolve(def.Results, TypeEntity)
		return
	}
	if n := def.Len; n != nil {
		large := n.TooBig || n.Hi != 0
		neg := n.Neg && (large || n.Lo != 0)
		shown := def.LenText
		switch {
		case v.Kind == VInt && (neg || !large && n.Lo == 0):
			g.d.fault(Check, n.Off, "%s: invalid width %s: an int has at least 1 bit", def.Name.Text, shown)
			g.bad[x] = true
		case v.Kind == VInt && (large || n.Lo > 128):
			g.d.fault(Check, n.Off, "%s: unsupported width %s: an int has at most 128 bits", def.Name.Text, shown)
			g.bad[x] = true
		case v.Kind == VInt:
			v.Bits = uint32(n.Lo)
		case neg || large || n.Lo == 0:
			g.d.fault(Check, n.Off, "%s: invalid length %s: %s has 1 to 2^64-1 elements", def.Name.Text, shown, article(def.Ctor.String()))
			g.bad[x] = true
		default:
			v.Len = n.Lo
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
}

func (v *VType) isComposite() bool {
	return v.Kind == VStruct || v.Kind == VArray || v.Kind == VVector || v.Kind == VHybrid
}

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

// containment reports composites that contain themselves: a depth-first search with a
// stack of its own, since chains may be as long as the text.
func (g *typeGraph) containment(nodes []*declared) {
	const (
		open = 1
		done = 2
	)
	type step struct {
		x    *declared
		kids []*declared
	}
	state := map[*declared]uint8{}
	var path []step
	push := func(x *declared) {
		state[x] = open
		s := step{x: x}
		x.typ.eachMember(func(m *VType) {
			if k := g.node[m]; k != nil {
				s.kids = append(s.kids, k)
			}
		})
		path = append(path, s)
	}
	for _, root := range nodes {
		if state[root] != 0 {
			continue
		}
		push(root)
		for len(path) > 0 {
			s := &path[len(path)-1]
			if len(s.kids) == 0 {
				state[s.x] = done
				path = path[:len(path)-1]
				continue
			}
			k := s.kids[0]
			s.kids = s.kids[1:]
			switch state[k] {
			case 0:
				push(k)
			case open:
				known := false
				first := k
				for i := len(path) - 1; ; i-- {
					x := path[i].x
					known = known || g.bad[x]
					g.bad[x] = true
					if x.def.Name.Off < first.def.Name.Off {
						first = x
					}
					if x == k {
						break
					}
				}
				if !known {
					g.d.errorf(first.def.Name, "%s contains itself", first.def.Name.Text)
				}
			}
		}
	}
}

// spread makes wrong all types that refer to a wrong one.
func (g *typeGraph) spread(nodes []*declared) {
	users := map[*declared][]*declared{}
	var work []*declared
	for _, x := range nodes {
		use := func(list ...*VType) {
			for _, v := range list {
				if k := g.node[v]; k != nil {
					users[k] = append(users[k], x)
				}
			}
		}
		use(x.typ.Elem)
		use(x.typ.Fields...)
		use(x.typ.Results...)
		if g.bad[x] {
			work = append(work, x)
		}
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range users[x] {
			if !g.bad[u] {
				g.bad[u] = true
				work = append(work, u)
			}
		}
	}
}

// members checks what a type or signature consists of.
func (g *typeGraph) members(x *declared) {
	def, v := x.def, x.typ
	bad := func(n declName, format string, args ...any) {
		g.d.errorf(n, format, args...)
		g.bad[x] = true
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
				case g.extents.of(types[i]).scalars > maxScalars:
					bad(n, "%s: invalid %s %s: %s of more than %d scalars is not a type of values", def.Name.Text, role, n.Text, article(kindWords[types[i].Kind]), maxScalars)
				}
			}
		}
		return
	}
	if !v.isComposite() {
		return
	}
	i := 0
	v.eachMember(func(m *VType) {
		n, role := def.Args[i], "field"
		switch {
		case v.Kind == VArray || v.Kind == VVector:
			role = "element"
		case v.Kind == VHybrid && i == len(def.Args)-1:
			role = "variable part"
		}
		i++
		switch {
		case m.Kind == VVoid || m.Kind == VHybrid:
			bad(n, "%s: invalid %s %s: %s has no %s of type %s", def.Name.Text, role, n.Text, article(def.Ctor.String()), role, kindWords[m.Kind])
		case v.Kind == VVector && (m.isComposite() || m.Kind == VWeakRef):
			bad(n, "%s: invalid element %s: a vector has scalar elements, not %s", def.Name.Text, n.Text, kindWords[m.Kind])
		}
	})
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

// notValue says why a type is not one of values.
func (v *VType) notValue() string {
	if v.isComposite() && v.Kind != VHybrid {
		return article(kindWords[v.Kind]) + " that holds a weakref"
	}
	return kindWords[v.Kind]
}

// article puts "a" or "an" before a word.
func article(s string) string {
	if s != "" && strings.IndexByte("aeiou", s[0]) >= 0 {
		return "an " + s
	}
	return "a " + s
}
