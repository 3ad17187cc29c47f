package gc

import (
	"syscall/js"
	"time"
)

// host is the program that runs this one. It delivers events (the end of a write to a file, a message,
// a timer of its own) only while no goroutine runs. A thread that waits in a loop for what another stores
// would keep it from that for ever, and with it the other thread, if that one is writing. So all threads
// rest together now and then. There is one OS thread, so nothing here needs a lock.
var host struct {
	begin js.Value      // a function that calls its argument after other events
	end   js.Func       // ends the rest
	every time.Duration // between rests
	due   time.Time     // when the next one is
	over  chan struct{} // closed when the rest ends; nil while there is none
}

// A rest that does not end because a goroutine of a client keeps running is given up after
// longestRest, and the next is restLater.
const (
	longestRest = 100 * time.Millisecond
	restLater   = time.Second
)

func init() {
	host.begin, host.every = js.Global().Get("setImmediate"), 2*time.Millisecond
	if host.begin.Type() != js.TypeFunction {
		// Browsers have only a timer, which they delay by some milliseconds.
		host.begin, host.every = js.Global().Get("setTimeout"), 20*time.Millisecond
	}
	host.due = time.Now().Add(host.every)
	host.end = js.FuncOf(func(js.Value, []js.Value) any {
		endRest(host.every)
		return nil
	})
}

// endRest ends the rest, if there is one.
func endRest(next time.Duration) {
	if host.over != nil {
		close(host.over)
		host.over, host.due = nil, time.Now().Add(next)
	}
}

// restDue reports whether it is time to rest.
func restDue() bool { return host.over != nil || time.Now().After(host.due) }

// rest waits until the host has handled its events, which it does when all goroutines wait. The thread is safe.
func rest() {
	if host.over == nil {
		host.over = make(chan struct{})
		host.begin.Invoke(host.end)
	}
	late := time.NewTimer(longestRest)
	select {
	case <-host.over:
	case <-late.C:
		endRest(restLater)
	}
	late.Stop()
}
