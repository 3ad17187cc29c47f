package rtlib

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// The limits of types, those of the translator (docs/language.md, "Limits"): a text of n
// definitions can name types of 2^n parts.
const (
	maxTypeSize = 1 << 47 // bytes
	maxScalars  = 1 << 12 // of a value
	maxParts    = 1 << 16 // scalars in memory, of arrays those of one element
)

// extent is how large a type is, counted until far above the limits.
type extent struct{ size, align, parts, scalars uint64 }

// extents remembers the extents of types.
type extents map[*VType]extent

// of computes the extent of a type that does not contain itself.
func (e extents) of(v *VType) extent {
	if x, ok := e[v]; ok {
		return x
	}
	x := e.compute(v)
	x.size, x.parts, x.scalars = min(x.size, 2*maxTypeSize), min(x.parts, 2*maxParts), min(x.scalars, 2*maxParts)
	e[v] = x
	return x
}

func (e extents) compute(v *VType) (x extent) {
	up := func(n, a uint64) uint64 { return (n + a - 1) / a * a }
	switch v.Kind {
	case VStruct, VHybrid:
		x.align = 1
		members := v.Fields
		if v.Kind == VHybrid {
			members = append(members[:len(members):len(members)], v.Elem)
		}
		for _, m := range members {
			y := e.of(m)
			x.align = max(x.align, y.align)
			x.size = min(up(x.size, y.align)+y.size, 2*maxTypeSize)
			x.parts += y.parts
			x.scalars = min(x.scalars+y.scalars, 2*maxParts)
		}
		x.size = up(x.size, x.align)
	case VArray, VVector:
		y := e.of(v.Elem)
		n := min(v.Len, 2*maxTypeSize)
		x = extent{align: y.align, parts: y.parts, scalars: min(n, 2*maxParts) * y.scalars}
		if y.size > 0 && n > 2*maxTypeSize/y.size {
			x.size = 2 * maxTypeSize
		} else {
			x.size = n * y.size
		}
		if v.Kind == VVector {
			for x.align = 1; x.align < x.size; x.align *= 2 {
			}
			x.size = x.align
		}
	default:
		x = extent{align: 1, parts: 1, scalars: 1}
		switch v.Kind {
		case VVoid:
			return x
		case VInt:
			for x.size = 1; x.size*8 < uint64(v.Bits); x.size *= 2 {
			}
		case VFloat:
			x.size = 4
		case VDouble, VTagRef64:
			x.size = 8
		default:
			x.size = uint64(mem.WordSize)
		}
		x.align = x.size
	}
	return x
}

// limits reports types that are too large, but for those that are so because of a member.
func (g *typeGraph) limits(nodes []*declared) {
	large := func(v *VType) bool { return g.extents.of(v).size > maxTypeSize }
	wide := func(v *VType) bool { return g.extents.of(v).parts > maxParts }
	for _, x := range nodes {
		if g.bad[x] || !x.typ.isComposite() {
			continue
		}
		alone := func(test func(*VType) bool) bool {
			member := false
			x.typ.eachMember(func(m *VType) { member = member || test(m) })
			return test(x.typ) && !member
		}
		name := x.def.Name
		switch {
		case x.typ.Kind == VVector && x.typ.Len > maxScalars:
			g.d.fault(Check, x.def.Len.Off, "%s: invalid length %s: a vector has at most %d elements", name.Text, x.def.LenText, maxScalars)
		case alone(large):
			g.d.errorf(name, "%s: invalid type: it takes more than 2^47 bytes", name.Text)
		case alone(wide):
			g.d.errorf(name, "%s: invalid type: it has more than %d scalars, those of its parts counted, of an array those of one element", name.Text, maxParts)
		default:
			continue
		}
		g.bad[x] = true
	}
}
