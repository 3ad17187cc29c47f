package lex

// A Slab hands out slices cut from large arrays, so that the many short lists
// of a tree cost one allocation a few thousand.
type Slab[T any] struct {
	free []T
	size int // length of the last array
}

// The arrays of a Slab double in length from the least to the greatest.
const (
	minSlab = 32
	maxSlab = 4096
)

// Copy gives a slice with the elements of list, nil if there are none. It has
// no room after it, so appending to it cannot reach a neighbour.
func (s *Slab[T]) Copy(list []T) []T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		if n > maxSlab/4 {
			return append(make([]T, 0, n), list...)
		}
		s.grow(n)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	copy(out, list)
	return out
}

// One gives a pointer to a zero element.
func (s *Slab[T]) One() *T {
	if len(s.free) == 0 {
		s.grow(1)
	}
	p := &s.free[0]
	s.free = s.free[1:]
	return p
}

// grow makes a new array with room for n elements at least.
func (s *Slab[T]) grow(n int) {
	s.size = max(min(2*s.size, maxSlab), minSlab, n)
	s.free = make([]T, s.size)
}
