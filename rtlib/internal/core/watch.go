package core

import (
	"sync"
	"sync/atomic"
)

// WatchpointEnabled reports whether the watchpoint with an ID is enabled. Generated code
// loads the flag itself.
func WatchpointEnabled(id uint32) bool {
	watches.mu.Lock()
	defer watches.mu.Unlock()
	found := false
	eachWatch(id, func(w *Watch) { found = found || atomic.LoadUint32(&w.On) != 0 })
	return found
}

// SetWatchpoint enables or disables the watchpoint with an ID; an ID that no code uses is
// accepted (docs/language.md, "Traps and watchpoints").
func SetWatchpoint(id uint32, on bool) {
	var flag uint32
	if on {
		flag = 1
	}
	watches.mu.Lock()
	defer watches.mu.Unlock()
	if watches.on == nil {
		watches.on = map[uint32]uint32{}
	}
	watches.on[id] = flag
	eachWatch(id, func(w *Watch) { atomic.StoreUint32(&w.On, flag) })
}

// watches are the flags of code that was loaded at run time, and the states of all IDs that were set,
// for code that will be loaded.
var watches struct {
	mu   sync.Mutex
	on   map[uint32]uint32   // guarded by mu
	live map[uint32][]*Watch // guarded by mu
}

// addWatch enters the flag of a watchpoint in code that is being loaded.
func addWatch(w *Watch) {
	watches.mu.Lock()
	defer watches.mu.Unlock()
	if watches.live == nil {
		watches.live = map[uint32][]*Watch{}
	}
	w.On = watches.on[w.ID]
	watches.live[w.ID] = append(watches.live[w.ID], w)
}

// watchLike sets the flag of a watchpoint in a package that is being linked.
func watchLike(w *Watch) {
	watches.mu.Lock()
	defer watches.mu.Unlock()
	w.On = watches.on[w.ID]
}

// eachWatch calls f for the flags of an ID; each package that uses the ID has its own flag. The caller
// holds the lock.
func eachWatch(id uint32, f func(w *Watch)) {
	for _, p := range packages {
		for i := range p.Watchpoints {
			if w := &p.Watchpoints[i]; w.ID == id {
				f(w)
			}
		}
	}
	for _, w := range watches.live[id] {
		f(w)
	}
}
