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
	last  time.Time     // when the newest rest ended
	over  chan struct{} // closed when the rest ends; nil while there is none
}

func init() {
	host.last = time.Now()
	host.begin, host.every = js.Global().Get("setImmediate"), 2*time.Millisecond
	if host.begin.Type() != js.TypeFunction {
		// Browsers have only a timer, which they delay by some milliseconds.
		host.begin, host.every = js.Global().Get("setTimeout"), 20*time.Millisecond
	}
	host.end = js.FuncOf(func(js.Value, []js.Value) any {
		close(host.over)
		host.over, host.last = nil, time.Now()
		return nil
	})
}

// restDue reports whether it is time to rest.
func restDue() bool { return host.over != nil || time.Since(host.last) > host.every }

// rest waits until the host has seen to its events, which is when all goroutines wait. The thread is safe.
func rest() {
	if host.over == nil {
		host.over = make(chan struct{})
		host.begin.Invoke(host.end)
	}
	<-host.over
}
