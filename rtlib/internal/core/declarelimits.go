package core

// The limits of types, those of the translator (docs/language.md, "Limits") but for that of the
// size, which memory sets: a text of n definitions can name types of 2^n parts.
const (
	maxScalars = 1 << 12 // of a value
	maxParts   = 1 << 16 // scalars in memory, of arrays those of one element
)

// extent is how large a type is, counted until above the limits.
type extent struct{ parts, scalars uint64 }

// extents remembers the extents of types.
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
				n = min(v.Len, 2*maxParts)
			}
			x.parts = min(x.parts+y.parts, 2*maxParts)
			x.scalars = min(x.scalars+n*y.scalars, 2*maxParts)
		})
	} else {
		x = extent{1, 1}
	}
	e[v] = x
	return x
}

// limits reports types that are too large, but for those that are so because of a member.
func (g *typeGraph) limits(nodes []*declared) {
	wide := func(v *VType) bool { return g.extents.of(v).parts > maxParts }
	for _, x := range nodes {
		if g.bad[x] || !x.typ.isComposite() {
			continue
		}
		member := false
		x.typ.eachMember(func(m *VType) { member = member || wide(m) })
		name := x.def.Name
		switch {
		case x.typ.Kind == VVector && x.typ.Len > maxScalars:
			g.d.fault(Check, x.def.Len.Off, "%s: invalid length %s: a vector has at most %d elements", name.Text, x.def.LenText, maxScalars)
		case wide(x.typ) && !member:
			g.d.errorf(name, "%s: invalid type: it has more than %d scalars, those of its parts counted, of an array those of one element", name.Text, maxParts)
		default:
			continue
		}
		g.bad[x] = true
	}
}
