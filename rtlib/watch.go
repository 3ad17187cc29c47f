package rtlib

import "sync/atomic"

// WatchpointEnabled reports whether the watchpoint of an ID is enabled. Generated code
// loads the flag itself.
func WatchpointEnabled(id uint32) bool {
	for i := range current.Watchpoints {
		if w := &current.Watchpoints[i]; w.ID == id {
			return atomic.LoadUint32(&w.On) != 0
		}
	}
	return false
}

// SetWatchpoint enables or disables the watchpoint of an ID; one that no code has is
// accepted (mu-runtime, 8.1).
func SetWatchpoint(id uint32, on bool) {
	var flag uint32
	if on {
		flag = 1
	}
	for i := range current.Watchpoints {
		if w := &current.Watchpoints[i]; w.ID == id {
			atomic.StoreUint32(&w.On, flag)
		}
	}
}
