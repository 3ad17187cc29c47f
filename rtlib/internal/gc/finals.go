package gc

import (
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// finals are the objects for which the program has to do something when nothing else
// refers to them.
//
//  1. SetFinal enters an object with a word, which says what to do.
//  2. When a collection has marked all that is reachable, the objects that are not are moved
//     to a queue, and marked with all that they refer to.
//  3. NextFinal takes them off the queue; objects in the queue are reachable.
type finals struct {
	mu    sync.Mutex
	words map[mem.Address]uintptr // by object; guarded by mu
	order []mem.Address           // keys of words and some that were removed, the oldest first; guarded by mu
	queue []final                 // guarded by mu
}

type final struct {
	object mem.Address
	word   uintptr
}

// SetFinal enters an object with a word, which replaces the word it had; a word of 0
// removes the object.
func SetFinal(object, word uintptr) {
	f, a := &program.finals, mem.Address(object)
	f.mu.Lock()
	defer f.mu.Unlock()
	if word == 0 {
		delete(f.words, a)
		return
	}
	if f.words == nil {
		f.words = map[mem.Address]uintptr{}
		RegisterRoots(f.visit)
	}
	if _, ok := f.words[a]; !ok {
		f.order = append(f.order, a)
	}
	f.words[a] = word
}

// FinalNow moves an object that has a word to the queue.
func FinalNow(object uintptr) {
	f, a := &program.finals, mem.Address(object)
	f.mu.Lock()
	defer f.mu.Unlock()
	if w, ok := f.words[a]; ok {
		delete(f.words, a)
		f.queue = append(f.queue, final{a, w})
	}
}

// NextFinal takes an object and its word off the queue, 0 if it is empty.
func NextFinal() (object, word uintptr) {
	f := &program.finals
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.queue) == 0 {
		return 0, 0
	}
	x := f.queue[0]
	f.queue = f.queue[1:]
	return uintptr(x.object), x.word
}

// FinalsDue is the length of the queue.
func FinalsDue() int {
	f := &program.finals
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.queue)
}

// visit visits the queue.
func (f *finals) visit(visit func(uintptr)) {
	for _, x := range f.queue {
		visit(uintptr(x.object))
	}
}

// finals moves what has not been marked to the queue, and marks it. The world is stopped, all
// else is marked.
func (m *marking) finals() {
	f := &m.h.finals
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
