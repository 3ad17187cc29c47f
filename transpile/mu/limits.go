package mu

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// A bundle of n definitions can name types of 2^n parts, as each may hold the one
// before twice. Whatever takes time with the size of what a type means, in a
// reader, pass, generator or the runtime, is kept in bounds here.
const (
	// maxScalars is how many scalars a value may have. Go compilers take seconds
	// for a function that spells out that many.
	maxScalars = 1 << 12
	// maxParts is how many scalars a type may have in memory, where the elements of
	// an array count once: what a collector's map of an object lists.
	maxParts = 1 << 16
	// maxCells is the size of all global cells together, in bytes: linkers want
	// static data below 2 GB.
	maxCells = 1 << 30
)

// checkLimits reports a type that is too large. It is silent about one that is
// too large because a member of it is.
func (l *loader) checkLimits(d *syntax.TypeDef, id ir.TypeID) {
	if id == ir.NoType || !isComposite(l.types.Kind(id)) {
		return
	}
	n := l.types.At(id)
	large := func(id ir.TypeID) bool { return l.layouts.Of(id).Size.W8 >= layout.TooBig } // then it is not known
	wide := func(id ir.TypeID) bool { return l.info.parts(id) > maxParts }
	members := n.Fields
	if n.Elem != ir.NoType {
		members = append(members[:len(members):len(members)], n.Elem)
	}
	any := func(test func(ir.TypeID) bool) bool {
		for _, m := range members {
			if test(m) {
				return true
			}
		}
		return false
	}
	switch {
	case large(id) && !any(large):
		l.errorf(d.Name.Off, "%s: invalid type: it takes 2^60 bytes or more", l.name(d.Name))
	case wide(id) && !any(wide):
		l.errorf(d.Name.Off, "%s: invalid type: it has more than %d scalars, those of its parts counted, of an array those of one element", l.name(d.Name), maxParts)
	}
}

// checkCells reports the global cell with which the cells of the program become
// too large.
func (l *loader) checkCells(d *syntax.GlobalDef, t ir.TypeID) {
	size := l.layouts.Of(t).Size.W8
	if l.cells <= maxCells && l.cells+size > maxCells {
		l.errorf(d.Name.Off, "%s: the global cells of the program take more than 2^30 bytes", l.name(d.Name))
	}
	l.cells = min(l.cells+size, layout.TooBig)
}

// parts counts the scalars of a type in memory, each array, vector and variable
// part as one element. It stops counting some way above maxParts.
func (x *typeInfo) parts(id ir.TypeID) uint32 {
	return x.count(&x.partCounts, id, func(uint64) uint64 { return 1 })
}

// scalars counts the scalars of a value. It stops counting some way above
// maxScalars.
func (x *typeInfo) scalars(id ir.TypeID) uint32 {
	return x.count(&x.scalarCounts, id, func(n uint64) uint64 { return n })
}

// count adds up scalars, of an array or vector of n elements times(n) times those
// of one. known remembers counts, by TypeID, with 0 for those that are not known.
func (x *typeInfo) count(known *[]uint32, id ir.TypeID, times func(n uint64) uint64) uint32 {
	*known = grown(*known, x.t.Len())
	if c := (*known)[id]; c != 0 {
		return c
	}
	const many = 2 * maxParts
	n := x.t.At(id)
	c := uint64(1)
	if isComposite(n.Kind) {
		c = 0
		for _, f := range n.Fields {
			c = min(c+uint64(x.count(known, f, times)), many)
		}
		if n.Elem != ir.NoType {
			k := uint64(1)
			if n.Kind != ir.KHybrid {
				k = min(times(n.Len), many)
			}
			c = min(c+k*uint64(x.count(known, n.Elem, times)), many)
		}
	}
	(*known)[id] = uint32(max(c, 1))
	return (*known)[id]
}
