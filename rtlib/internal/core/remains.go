package core

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// Remains are what the runtime has of a bundle for as long as something can reach its code: the names and IDs of its
// versions and of what is in them, and the places of its frames. The definitions of a bundle are not among them: they can be
// reached by name.
type Remains struct {
	names []EntityName
	late  *LateNames
	first uint32 // the first of its places
	class int    // of the room for them

	kept atomic.Bool
}

// Keep keeps the remains for good: compiled code, which is never unloaded, has their names and IDs.
func (r *Remains) Keep() { r.kept.Store(true) }

// gone are the remains of bundles whose code nothing can reach.
var gone struct {
	mu   sync.Mutex
	list []*Remains
}

// Abandon says that nothing can reach the code of a bundle any more. Its remains go when the next bundle arrives.
func Abandon(r *Remains) {
	if r.kept.Load() {
		return
	}
	gone.mu.Lock()
	defer gone.mu.Unlock()
	gone.list = append(gone.list, r)
}

// freePlaces are the first ones of ranges of places that were given back, by class: the logarithm of the length. Only the
// thread that has stopped the world uses it.
var freePlaces [32][]uint32

// clearAway removes what is gone. The world is stopped.
func (c *commit) clearAway() {
	gone.mu.Lock()
	list := gone.list
	gone.list = nil
	gone.mu.Unlock()
	if len(list) == 0 {
		return
	}
	dir := entities()
	dir.mu.Lock()
	late := map[*LateNames]bool{}
	for _, r := range list {
		late[r.late] = true
		for _, n := range r.names {
			delete(dir.more.names, n.ID)
			if dir.more.ids[n.Name] == n.ID {
				delete(dir.more.ids, n.Name)
			}
			if dir.late.roots[n.Name] == r.late {
				delete(dir.late.roots, n.Name)
			}
		}
	}
	dir.late.list = slices.DeleteFunc(dir.late.list, func(l *LateNames) bool { return late[l] })
	dir.mu.Unlock()
	inspections.Lock()
	defer inspections.Unlock()
	for _, r := range list {
		if r.first != 0 {
			clear(c.sites[r.first-1:][:1<<r.class])
			freePlaces[r.class] = append(freePlaces[r.class], r.first)
		}
	}
}

// enterPlaces gives the places of a bundle their numbers, and returns the first.
func (c *commit) enterPlaces(frames []FrameSite, r *Remains) (first uint32) {
	if len(frames) == 0 {
		return 1
	}
	r.class = bits.Len(uint(len(frames) - 1))
	free := &freePlaces[r.class]
	if n := len(*free); n > 0 {
		r.first, *free = (*free)[n-1], (*free)[:n-1]
	} else {
		r.first = uint32(len(c.sites)) + 1
		c.sites = append(c.sites, make([]FrameSite, 1<<r.class)...)
	}
	return r.first
}
