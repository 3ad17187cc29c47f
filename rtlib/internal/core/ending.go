package core

import (
	"runtime"
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// endings are functions that run before the process ends, in reverse order.
var endings struct {
	mu   sync.Mutex
	list []func()      // guarded by mu
	done chan struct{} // guarded by mu; nil until they begin, closed when all have run
}

// atEnd makes f run before the process ends, unless a signal or C code ends it.
func atEnd(f func()) {
	endings.mu.Lock()
	defer endings.mu.Unlock()
	if endings.list == nil {
		libc.SetExit(exit)
	}
	endings.list = append(endings.list, f)
}

// runEndings runs them once. Another thread that ends the process meanwhile waits. An ending that ends the process itself
// does not wait for its own end: the endings that are left run inside of it.
func runEndings() {
	endings.mu.Lock()
	begun := endings.done
	if begun == nil {
		endings.done = make(chan struct{})
		defer close(endings.done)
	}
	endings.mu.Unlock()
	if begun != nil && !inEnding() {
		<-begun
		return
	}
	for f := nextEnding(); f != nil; f = nextEnding() {
		f()
	}
}

// nextEnding takes the last ending from the list; nil if there is none.
func nextEnding() func() {
	endings.mu.Lock()
	defer endings.mu.Unlock()
	n := len(endings.list)
	if n == 0 {
		return nil
	}
	f := endings.list[n-1]
	endings.list = endings.list[:n-1]
	return f
}

// inEnding reports whether an ending calls the caller, which is runEndings: whether that function is on the stack once more,
// near the top. (Below an ending may be the frames of a program, millions of them.)
func inEnding() bool {
	var pcs [200]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	own, more := frames.Next()
	for more {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function == own.Function {
			return true
		}
	}
	return false
}
