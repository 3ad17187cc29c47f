//go:build cgo

package libmu

import (
	"sync"
	"sync/atomic"
)

// A registry numbers things that C refers to. Numbers are used again.
type registry[T any] struct {
	list atomic.Pointer[[]*T] // replaced when it grows

	mu   sync.Mutex
	free []uint32 // guarded by mu
}

// add adds a thing and returns its number.
func (r *registry[T]) add(x *T) uint32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.free); n > 0 {
		no := r.free[n-1]
		r.free = r.free[:n-1]
		(*r.list.Load())[no] = x
		return no
	}
	var list []*T
	if l := r.list.Load(); l != nil {
		list = *l
	}
	list = append(list, x)
	r.list.Store(&list)
	return uint32(len(list) - 1)
}

// at returns the thing with a number, which C has got from add.
func (r *registry[T]) at(no uint32) *T { return (*r.list.Load())[no] }

// drop frees a number.
func (r *registry[T]) drop(no uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	(*r.list.Load())[no] = nil
	r.free = append(r.free, no)
}

var (
	vms      registry[vm]
	clients  registry[client]
	builders registry[builder]
)
