package interp

import "github.com/uvm2go/uvm2go/transpile/ir"

// A span is the memory array in which GETELEMIREF or SHIFTIREF has moved an iref: the
// offsets of its beginning and end in its unit, in the upper and the lower half of a word.
// A program may compute a reference to a place outside, but an access through it is BOUNDS
// (docs/language.md, "Memory"). Zero means no span; then only the bounds of the unit are
// checked.
//
// Nested arrays are one memory array (docs/language.md, "Memory"). A span is only known
// for references that move by the type of the array's elements; a reference that moves
// over an object byte by byte has none.
type span uint64

func makeSpan(begin, end uint64) span {
	if end >= 1<<32 {
		return 0
	}
	return span(begin<<32 | end)
}

// holds reports whether size bytes at off lie inside.
func (s span) holds(off, size uint64) bool {
	if s == 0 {
		return true
	}
	begin, end := uint64(s)>>32, uint64(s)&mask(32)
	return off >= begin && off <= end && end-off >= size
}

// nextSpan is the span of an iref after a move in an array of elem or, if elem is
// NoType, to a member of its referent.
func nextSpan(v Value, elem ir.TypeID) span {
	s := span(v.Hi)
	u, ok := v.ref.(*unit)
	if !ok || s != 0 && !s.holds(v.Lo, 1) {
		return s // outside already
	}
	if elem == ir.NoType {
		return 0
	}
	return u.arrayAt(v.Lo, elem)
}

// arrayAt finds the memory array of elem that the location at off is in.
func (u *unit) arrayAt(off uint64, elem ir.TypeID) span {
	s := u.shape
	if s == nil || off >= uint64(len(u.data)) {
		return 0
	}
	base := uint64(0)     // the offset of s
	var begin, end uint64 // the outermost of nested arrays
	for nested := false; ; {
		switch {
		case s.elem != nil && (s.t.Kind != ir.KHybrid || off >= s.size):
			length := s.t.Len * s.stride
			if s.t.Kind == ir.KHybrid { // hybrids are never members
				base, length = s.size, uint64(len(u.data))-s.size
			}
			if !nested {
				nested, begin, end = true, base, base+length
			}
			if s.elem.id == elem {
				return makeSpan(begin, end)
			}
			if s.stride == 0 || off-base >= length {
				return 0 // after the last element of a vector
			}
			base += (off - base) / s.stride * s.stride
			s = s.elem
		case s.fields != nil:
			i := s.fieldAt(off - base)
			if i < 0 {
				return 0
			}
			base += s.offsets[i]
			s = s.fields[i]
			nested = false
		default:
			return 0
		}
	}
}
