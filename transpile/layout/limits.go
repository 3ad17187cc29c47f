package layout

import (
	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// These limits bound the time of readers, passes, generator and runtime that grows with the
// size of the values of a type.
const (
	// MaxScalars is the greatest number of scalars of a value. Go compilers take
	// seconds for a function that contains so many.
	MaxScalars = decl.MaxScalars
	// MaxParts is the greatest number of scalars of a type in memory, where the
	// elements of an array count once: the collector's map of an object lists them.
	MaxParts = decl.MaxParts
	// MaxCells is the greatest total size of global cells, in bytes: linkers require
	// static data below 2 GB.
	MaxCells = 1 << 30
)

// Limits says which types are too large. It caches counts.
type Limits struct {
	table          *Table
	types          *ir.Types
	parts, scalars []uint32 // by TypeID, 0 for those that are not known
	cells          uint64   // bytes of the cells so far
}

// NewLimits returns limits for a table of types, which may grow.
func NewLimits(t *ir.Types) *Limits { return &Limits{table: New(t), types: t} }

// Excess says what is too large about a type; "" if nothing is, or if a member of it is
// already too large.
func (l *Limits) Excess(id ir.TypeID) string {
	if id == ir.NoType || !composite(l.types.Kind(id)) {
		return ""
	}
	n := l.types.At(id)
	large := func(id ir.TypeID) bool { return l.table.Of(id).Size.W8 >= TooBig } // then it is not known
	wide := func(id ir.TypeID) bool { return l.Parts(id) > MaxParts }
	member := func(test func(ir.TypeID) bool) bool {
		for _, m := range n.Fields {
			if test(m) {
				return true
			}
		}
		return n.Elem != ir.NoType && test(n.Elem)
	}
	switch {
	case large(id) && !member(large):
		return "it takes 2^47 bytes or more"
	case wide(id) && !member(wide):
		return "it has more than 65536 scalars, those of its parts counted, of an array those of one element"
	}
	return ""
}

// Cell counts a global cell of a type, and reports whether the total size of the cells has
// become too large with it.
func (l *Limits) Cell(id ir.TypeID) bool {
	before := l.cells
	l.cells = min(before+l.table.Of(id).Size.W8, TooBig)
	return before <= MaxCells && l.cells > MaxCells
}

// Parts counts the scalars of a type in memory, each array, vector and variable
// part as one element. It stops counting some way above MaxParts.
func (l *Limits) Parts(id ir.TypeID) uint32 {
	return l.count(&l.parts, id, func(uint64) uint64 { return 1 })
}

// Scalars counts the scalars of a value. It stops counting some way above
// MaxScalars.
func (l *Limits) Scalars(id ir.TypeID) uint32 {
	return l.count(&l.scalars, id, func(n uint64) uint64 { return n })
}

// count adds up scalars; for an array or vector of n elements it counts times(n)
// times those of one element.
func (l *Limits) count(known *[]uint32, id ir.TypeID, times func(n uint64) uint64) uint32 {
	if n := l.types.Len(); n > len(*known) {
		*known = append(*known, make([]uint32, n-len(*known)+64)...)
	}
	if c := (*known)[id]; c != 0 {
		return c
	}
	const many = 2 * MaxParts
	n := l.types.At(id)
	c := uint64(1)
	if composite(n.Kind) {
		c = 0
		for _, f := range n.Fields {
			c = min(c+uint64(l.count(known, f, times)), many)
		}
		if n.Elem != ir.NoType {
			k := uint64(1)
			if n.Kind != ir.KHybrid {
				k = min(times(n.Len), many)
			}
			c = min(c+k*uint64(l.count(known, n.Elem, times)), many)
		}
	}
	(*known)[id] = uint32(max(c, 1))
	return (*known)[id]
}

func composite(k ir.Kind) bool {
	return k == ir.KStruct || k == ir.KArray || k == ir.KVector || k == ir.KHybrid
}
