package mem

import "sync"

// Slots hands out equal pieces of a reserved region, lowest first, and takes them back.
// The content of a slot is unspecified, except that a slot never used before is zero.
// Its methods may be called by several goroutines at the same time.
type Slots struct {
	region Region
	size   uintptr // bytes of a slot
	step   uintptr // bytes committed at a time, a multiple of size and PageSize
	keep   int     // how many free slots may hold memory of the system

	mu        sync.Mutex
	next      Address   // lowest slot never handed out; guarded by mu
	committed Address   // end of committed memory; guarded by mu
	free      []Address // slots taken back; guarded by mu
}

// NewSlots divides a region into slots of size bytes; size divides PageSize or is a multiple
// of it. When more than keep slots are free, the memory of the others is given back.
func NewSlots(r Region, size uintptr, keep int) *Slots {
	return &Slots{region: r, size: size, step: max(size, PageSize), keep: keep, next: r.Base, committed: r.Base}
}

// Size returns the bytes of a slot.
func (s *Slots) Size() uintptr { return s.size }

// Contains reports whether a lies in the region of the slots.
func (s *Slots) Contains(a Address) bool { return s.region.Contains(a) }

// Left returns the bytes from an address in the region to the end of its slot.
func (s *Slots) Left(a Address) uintptr { return s.size - a.Sub(s.region.Base)%s.size }

// Get returns a slot; false if there are no more.
func (s *Slots) Get() (Address, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		a := s.free[n-1]
		s.free = s.free[:n-1]
		return a, true
	}
	if s.region.End().Sub(s.next) < s.size {
		return 0, false
	}
	if s.next == s.committed {
		n := min(s.step, s.region.End().Sub(s.next))
		if !Commit(s.next, n) {
			return 0, false
		}
		s.committed = s.committed.Add(n)
	}
	a := s.next
	s.next = a.Add(s.size)
	return a, true
}

// Put takes a slot back.
func (s *Slots) Put(a Address) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) >= s.keep && s.size >= SystemPage {
		Discard(a, s.size)
	}
	s.free = append(s.free, a)
}

// InUse returns the number of slots handed out and not taken back.
func (s *Slots) InUse() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(s.next.Sub(s.region.Base)/s.size) - len(s.free)
}
