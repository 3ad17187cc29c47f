package core

import "sync/atomic"

// WatchpointEnabled reports whether the watchpoint of an ID is enabled. Generated code
// loads the flag itself.
func WatchpointEnabled(id uint32) bool {
	found := false
	eachWatch(id, func(w *Watch) { found = found || atomic.LoadUint32(&w.On) != 0 })
	return found
}

// SetWatchpoint enables or disables the watchpoint of an ID; one that no code has is
// accepted (docs/language.md, "Traps and watchpoints").
func SetWatchpoint(id uint32, on bool) {
	var flag uint32
	if on {
		flag = 1
	}
	eachWatch(id, func(w *Watch) { atomic.StoreUint32(&w.On, flag) })
}

// eachWatch calls f for the flags of an ID, of which each package that has it has its own.
func eachWatch(id uint32, f func(w *Watch)) {
	for _, p := range packages {
		for i := range p.Watchpoints {
			if w := &p.Watchpoints[i]; w.ID == id {
				f(w)
			}
		}
	}
}
