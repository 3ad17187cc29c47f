package libc

import (
	"sync/atomic"
	"time"
)

// Waiting are the functions of the runtime for natives that wait (Waits). The Errno is that of the caller, which
// identifies the stack.
type Waiting struct {
	// Pause returns after d. It does not return if the call that the native is part of is to end.
	Pause func(e Errno, d time.Duration)

	// Cut reports whether that is possible, so that a native which waits in the system must call Pause now and then.
	Cut func(e Errno) bool
}

var onWait atomic.Pointer[Waiting]

// SetWait sets the functions with which natives wait.
func SetWait(w Waiting) { onWait.Store(&w) }

// pause waits.
func pause(e Errno, d time.Duration) {
	if w := onWait.Load(); w != nil && e != 0 {
		w.Pause(e, d)
		return
	}
	time.Sleep(d)
}

// beforeCut is how long a native waits in the system before it looks whether its call is to end.
const beforeCut = 50 * time.Millisecond

// awaitInput returns when a descriptor can be read, as far as this system can tell.
func awaitInput(e Errno, fd int32) {
	if w := onWait.Load(); w != nil && e != 0 && w.Cut(e) {
		for !readable(fd, beforeCut) {
			w.Pause(e, 0)
		}
	}
}
