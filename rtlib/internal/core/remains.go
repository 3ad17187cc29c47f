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
	vm    *VM // that loaded the bundle; nil before that
	names []EntityName
	late  *LateNames
	room  placeRoom // for its places

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

// A placeRoom is a range of places, of which a bundle or an undefined function has some.
type placeRoom struct {
	first uint32 // 0 for an empty range
	class int    // the logarithm of the length
}

// freePlaces are the ranges of places that were given back, by class. Only the one who has stopped the world uses it.
var freePlaces [32][]placeRoom

// places are the ranges that a VM has. Only the one who has stopped the world uses it.
type places map[placeRoom]bool

// giveBack clears a range, so that others can have it.
func (p places) giveBack(r placeRoom) {
	if p[r] {
		delete(p, r)
		clear(current.Frames[r.first-1:][:1<<r.class])
		freePlaces[r.class] = append(freePlaces[r.class], r)
	}
}

// drop gives back all ranges of a VM that is gone. The world is stopped.
func (p places) drop() {
	inspections.Lock()
	defer inspections.Unlock()
	for r := range p {
		p.giveBack(r)
	}
}

// clearAway removes what is gone. The world is stopped.
func (c *commit) clearAway() {
	gone.mu.Lock()
	list := gone.list
	gone.list = nil
	gone.mu.Unlock()
	if len(list) == 0 {
		return
	}
	byVM := map[*VM][]*Remains{}
	for _, r := range list {
		byVM[r.vm] = append(byVM[r.vm], r)
	}
	for vm, list := range byVM {
		vm.entities().clearAway(list)
	}
	inspections.Lock()
	defer inspections.Unlock()
	for _, r := range list {
		r.vm.places.giveBack(r.room)
	}
}

// clearAway removes the names and IDs of what is gone.
func (dir *directory) clearAway(list []*Remains) {
	dir.mu.Lock()
	defer dir.mu.Unlock()
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
}

// takePlaces takes a range for n places, not 0. The world is stopped.
func (c *commit) takePlaces(n int) placeRoom {
	r := placeRoom{class: bits.Len(uint(n - 1))}
	free := &freePlaces[r.class]
	if n := len(*free); n > 0 {
		r, *free = (*free)[n-1], (*free)[:n-1]
	} else {
		r.first = uint32(len(c.sites)) + 1
		c.sites = append(c.sites, make([]FrameSite, 1<<r.class)...)
	}
	c.rooms = append(c.rooms, r)
	return r
}

// enterPlaces gives the places of a bundle their numbers, and returns the first.
func (c *commit) enterPlaces(frames []FrameSite, r *Remains) (first uint32) {
	if len(frames) == 0 {
		return 1
	}
	r.room = c.takePlaces(len(frames))
	return r.room.first
}
