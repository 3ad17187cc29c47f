package gc

import (
	"slices"
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Finals are objects for which a program has to do something when nothing else
// refers to them.
//
//  1. Set enters an object with a word, which says what to do.
//  2. When a collection has marked all that is reachable, the objects that are not are moved
//     to a queue, and marked with all that they refer to.
//  3. Next takes them off the queue; objects in the queue are reachable.
//
// A program can use a zero Finals.
type Finals struct {
	once   sync.Once
	remove func() // undoes the registration; set by once

	mu    sync.Mutex
	words map[mem.Address]uintptr // by object; guarded by mu
	order []mem.Address           // keys of words and some that were removed, the oldest first; guarded by mu
	queue []final                 // guarded by mu
}

type final struct {
	object mem.Address
	word   uintptr
}

// Set enters an object with a word, which replaces the word it had; a word of 0
// removes the object.
func (f *Finals) Set(object, word uintptr) {
	a := mem.Address(object)
	if word != 0 {
		f.once.Do(f.register)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if word == 0 {
		delete(f.words, a)
		return
	}
	if f.words == nil {
		f.words = map[mem.Address]uintptr{}
	}
	if _, ok := f.words[a]; !ok {
		f.order = append(f.order, a)
	}
	f.words[a] = word
}

// register makes collections look at f.
func (f *Finals) register() {
	h := program
	remove := RegisterRoots(f.visit)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.finals = append(h.finals, f)
	f.remove = func() {
		remove()
		h.mu.Lock()
		defer h.mu.Unlock()
		h.finals = slices.DeleteFunc(h.finals, func(x *Finals) bool { return x == f })
	}
}

// Drop gives all objects up; f is not used any more. A running thread must not call it.
func (f *Finals) Drop() {
	if f.once.Do(func() {}); f.remove != nil {
		f.remove()
	}
}

// Now moves an object that has a word to the queue.
func (f *Finals) Now(object uintptr) {
	a := mem.Address(object)
	f.mu.Lock()
	defer f.mu.Unlock()
	if w, ok := f.words[a]; ok {
		delete(f.words, a)
		f.queue = append(f.queue, final{a, w})
	}
}

// Next takes an object and its word off the queue, 0 if it is empty.
func (f *Finals) Next() (object, word uintptr) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.queue) == 0 {
		return 0, 0
	}
	x := f.queue[0]
	f.queue = f.queue[1:]
	return uintptr(x.object), x.word
}

// Due is the length of the queue.
func (f *Finals) Due() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.queue)
}

// visit visits the queue.
func (f *Finals) visit(visit func(uintptr)) {
	for _, x := range f.queue {
		visit(uintptr(x.object))
	}
}

// finals moves what has not been marked to the queues, and marks it. The world is stopped, all
// else is marked.
func (m *marking) finals() {
	m.h.mu.Lock()
	list := m.h.finals
	m.h.mu.Unlock()
	for _, f := range list {
		m.final(f)
	}
}

// final is finals for one set.
func (m *marking) final(f *Finals) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var left []mem.Address
	seen := len(f.queue)
	for _, a := range f.order {
		w, ok := f.words[a]
		switch {
		case !ok:
		case m.marks.Has(a):
			left = append(left, a)
		default:
			delete(f.words, a)
			f.queue = append(f.queue, final{a, w})
		}
	}
	f.order = left
	if seen == len(f.queue) {
		return
	}
	// The first worker continues; the others have ended.
	w := m.workers[0]
	m.done, m.waiting = false, len(m.workers)-1
	m.guard(func() {
		for _, x := range f.queue[seen:] {
			w.Addr(uintptr(x.object))
		}
		w.drain()
	})
	m.wg.Wait()
}
