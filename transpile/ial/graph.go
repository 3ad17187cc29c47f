package ial

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ial/layout"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// Managed references can be converted to any managed type, and are checked where they are used.
// A graph says where no check is needed. Its nodes are managed types and types of function
// pointers; an edge leads from a type to a type to which its values may be converted. So a type can
// hold objects of all types from which a path leads to it.
//
// Where an object of one type is used as another type, a value at some offset in the first may
// become a value of the type that the second has at that offset: this adds more edges.
type graph struct {
	layouts *layout.Table
	nodes   []*node
	known   map[*module.Type]*node
	lost    bool // types may hold anything

	// Types that stand for all exceptions and for all user slots.
	exceptions, users *module.Type
	made              []*module.Type // types of objects that the program makes
	queue             [][2]*node     // pairs: objects of the first may be in the second
}

// node is a type.
type node struct {
	typ  *module.Type
	to   []*node
	from map[*node]bool // types of the values, besides its own
	any  bool           // values may come from anywhere
}

// maxNodes is the number of converted types above which every access is checked.
const maxNodes = 400

func newGraph(p *module.Program, layouts *layout.Table) *graph {
	return &graph{
		layouts: layouts, known: map[*module.Type]*node{},
		exceptions: &module.Type{Kind: module.Void}, users: &module.Type{Kind: module.Void},
	}
}

func (g *graph) node(t *module.Type) *node {
	n := g.known[t]
	if n == nil {
		n = &node{typ: t, from: map[*node]bool{}}
		g.known[t] = n
		if g.nodes = append(g.nodes, n); len(g.nodes) > maxNodes {
			g.lost = true
		}
	}
	return n
}

// flow notes that values of one type may become values of another.
func (g *graph) flow(from, to *module.Type) {
	if from == to || g.lost {
		return
	}
	a, b := g.node(from), g.node(to)
	if slices.Contains(a.to, b) {
		return
	}
	a.to = append(a.to, b)
	g.hold(b, a)
	for x := range a.from {
		g.hold(b, x)
	}
	if a.any {
		g.setAny(b)
	}
}

// hold notes that values of the type of x may be in b, and what follows from it.
func (g *graph) hold(b, x *node) {
	if b == x || b.from[x] {
		return
	}
	b.from[x] = true
	g.queue = append(g.queue, [2]*node{x, b})
	for _, c := range b.to {
		g.hold(c, x)
	}
}

func (g *graph) setAny(n *node) {
	if n.any {
		return
	}
	n.any = true
	for _, c := range n.to {
		g.setAny(c)
	}
}

// unknown notes that values of a type may come from anywhere.
func (g *graph) unknown(t *module.Type) {
	if (t.IsManaged() || t.Kind == module.FuncType && t.Conv == module.Standard) && !isObject(t) {
		g.setAny(g.node(t))
		g.contents(t, func(*module.Type) { g.lost = true })
	}
}

// isObject reports whether a type is mci/Object&, which has no members.
func isObject(t *module.Type) bool {
	return t.Kind == module.Reference && t.Elem.Struct.Module.Name == intrinsics
}

// allocate notes that the program makes objects of a type.
func (g *graph) allocate(t *module.Type) {
	if t.IsManaged() && !slices.Contains(g.made, t) && len(g.made) < maxNodes {
		g.made = append(g.made, t)
	}
}

// mix notes that a place in memory may be accessed as either type.
func (g *graph) mix(a, b *module.Type) {
	if a == b {
		return
	}
	var as, bs []*module.Type
	g.contents(a, func(t *module.Type) { as = append(as, t) })
	g.contents(b, func(t *module.Type) { bs = append(bs, t) })
	if len(as)*len(bs) > maxNodes {
		g.lost = true
		return
	}
	for _, x := range as {
		for _, y := range bs {
			g.flow(x, y)
			g.flow(y, x)
		}
	}
	if len(as) == 0 || len(bs) == 0 { // one type has only numbers, which may have been any reference
		for _, x := range append(as, bs...) {
			g.unknown(x)
		}
	}
}

// contents calls f for the types of references and functions in a value.
func (g *graph) contents(t *module.Type, f func(*module.Type)) {
	switch {
	case t.Kind == module.StructType:
		for _, m := range g.layouts.Struct(t.Struct).Members {
			g.contents(m.Field.Type, f)
		}
	case t.Kind == module.Static:
		g.contents(t.Elem, f)
	case t.IsManaged(), t.Kind == module.FuncType && t.Conv == module.Standard:
		f(t)
	}
}

// spread follows the objects that are used as another type.
func (g *graph) spread() {
	for len(g.queue) > 0 && !g.lost {
		p := g.queue[len(g.queue)-1]
		g.queue = g.queue[:len(g.queue)-1]
		g.overlay(p[0].typ, p[1].typ)
	}
}

// overlay mixes the types that two types of objects have at the same offsets.
func (g *graph) overlay(a, b *module.Type) {
	switch {
	case a.Kind == module.Reference && b.Kind == module.Reference:
		as, bs := g.layouts.Struct(a.Elem.Struct).Members, g.layouts.Struct(b.Elem.Struct).Members
		for i, x := range as {
			if i < len(bs) && bs[i].Offset == x.Offset {
				g.mix(x.Field.Type, bs[i].Field.Type)
				continue
			}
			// The members differ: values may be at any offset.
			for _, y := range bs {
				if x.Offset.W8 < y.Offset.W8+g.layouts.Of(y.Field.Type).Size.W8 && y.Offset.W8 < x.Offset.W8+g.layouts.Of(x.Field.Type).Size.W8 {
					g.mix(x.Field.Type, y.Field.Type)
				}
			}
		}
	case a.IsManaged() && b.IsManaged() && a.IsArray() && b.IsArray():
		g.mix(a.Elem, b.Elem)
	}
}

// tainted reports whether values of a type of function pointers may point to anything but
// functions of that type.
func (g *graph) tainted(t *module.Type) bool {
	n := g.known[t]
	return g.lost || n != nil && (n.any || len(n.from) > 0)
}

// sources are the types of the objects that values of a managed type may be, besides its
// own.
func (g *graph) sources(t *module.Type) []*module.Type {
	n := g.known[t]
	if g.lost || n != nil && n.any {
		return g.made
	}
	var list []*module.Type
	if n != nil {
		for _, x := range g.nodes {
			if n.from[x] && x.typ.IsManaged() {
				list = append(list, x.typ)
			}
		}
	}
	return list
}

// alike are the sources of a type that an access fits; all says whether these are all the
// sources, so that no check is needed.
func (g *graph) alike(t *module.Type, fits func(*module.Type) bool) (list []*module.Type, all bool) {
	all = !g.lost
	if n := g.known[t]; n != nil && n.any {
		all = false
	}
	for _, x := range g.sources(t) {
		switch {
		case x == t:
		case fits(x):
			list = append(list, x)
		default:
			all = false
		}
	}
	return list, all
}

// checked reports whether values of a type of arrays may be objects that do not fit it.
func (g *graph) checked(t *module.Type) bool {
	_, all := g.alike(t, func(x *module.Type) bool { return g.sameElements(x, t) && x.Kind == t.Kind && x.Count == t.Count })
	return !all
}
