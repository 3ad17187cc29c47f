package core

import "github.com/uvm2go/uvm2go/internal/lexis/decl"

// The limits of types (docs/language.md, "Limits"), except the limit of the size, which depends on memory.

// extent is how large a type is, counted until above the limits.
type extent struct{ parts, scalars uint64 }

// extents caches the extents of types.
type extents map[*VType]extent

// of computes the extent of a type that does not contain itself.
func (e extents) of(v *VType) extent {
	x, ok := e[v]
	if ok {
		return x
	}
	if v.isComposite() {
		v.eachMember(func(m *VType) {
			y := e.of(m)
			n := uint64(1)
			if v.Kind == VArray || v.Kind == VVector {
				n = min(v.Len, 2*decl.MaxParts)
			}
			x.parts = min(x.parts+y.parts, 2*decl.MaxParts)
			x.scalars = min(x.scalars+n*y.scalars, 2*decl.MaxParts)
		})
	} else {
		x = extent{1, 1}
	}
	e[v] = x
	return x
}

// limits reports types that are too large, unless a member is already too large.
func (g *typeGraph) limits() {
	wide := func(v *VType) bool { return g.extents.of(v).parts > decl.MaxParts }
	for i, x := range g.list {
		if g.bad[i] || !x.typ.isComposite() {
			continue
		}
		member := false
		x.typ.eachMember(func(m *VType) { member = member || wide(m) })
		name := x.def.Name
		if wide(x.typ) && !member {
			g.d.errorf(name, "%s: invalid type: it has more than %d scalars, those of its parts counted, of an array those of one element", name.Text, decl.MaxParts)
			g.bad[i] = true
		}
	}
}
