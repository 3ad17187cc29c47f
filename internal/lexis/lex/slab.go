package lex

// A Slab hands out slices cut from large arrays, so that the many short lists
// of a tree cost one allocation a few thousand.
type Slab[T any] struct {
	free []T
	last []T // the last array, of which free is the end
	size int // its length
}

// The arrays of a Slab double in length from the least to the greatest.
const (
	minSlab = 32
	maxSlab = 4096
)

// Copy gives a slice with the elements of list, nil if there are none. It has
// no room after it, so appending to it cannot reach a neighbour.
func (s *Slab[T]) Copy(list []T) []T {
	out := s.Make(len(list))
	copy(out, list)
	return out
}

// Push appends a zero element to a list: nil, or what Push returned last, of which elements at the end may have been
// dropped. Cut ends it. Nothing else may be asked of the Slab in between, and no zero elements after it.
func (s *Slab[T]) Push(list []T) []T {
	n := len(list)
	if n == len(s.free) {
		s.grow(2*n + 1)
		copy(s.free, list)
	}
	list = s.free[:n+1]
	clear(list[n:])
	return list
}

// Cut gives the list that Push has made, as Copy would: nil if it is empty, and without room after it.
func (s *Slab[T]) Cut(list []T) []T {
	n := len(list)
	if n == 0 {
		return nil
	}
	s.free = s.free[n:]
	return list[:n:n]
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
	s.last = make([]T, s.size)
	s.free = s.last
}

// Fit makes room for n elements, but not for more: for a Slab that hands out about that many.
func (s *Slab[T]) Fit(n int) {
	if n > len(s.free) && n <= maxSlab {
		s.last = make([]T, n)
		s.free = s.last
	}
}

// Make gives a slice of n zero elements, nil if n is 0, as Copy does.
func (s *Slab[T]) Make(n int) []T {
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		if n > maxSlab/4 {
			return make([]T, n)
		}
		s.grow(n)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// Reset makes room of what was handed out, which must not be used any more.
func (s *Slab[T]) Reset() {
	clear(s.last[:len(s.last)-len(s.free)])
	s.free = s.last
}
