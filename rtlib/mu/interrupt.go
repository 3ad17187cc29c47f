package mu

import (
	"sync"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Interrupt ends the call that runs on the context, from any goroutine: the called function ends with a run-time error
// (Interrupted) that Mu code cannot catch, and Call returns it. A function that runs ends at its next safepoint, which is
// a call or the end of a turn of a loop; one that waits for a futex or another stack, sleeps in a native of the
// runtime, or waits there for input (on Linux), ends at once. C functions, natives of the client and trap handlers
// return first. Interrupt does not wait for that. It also ends the hooks of a bundle that is being loaded. It has no
// effect if nothing of this runs.
func (c *Ctx) Interrupt() {
	n := c.running.wanted()
	if n == 0 {
		return
	}
	c.running.insist(n, time.Millisecond)
}

// insist asks the thread of a call to end it, and again after a pause if the call still runs then: the stack or the thread
// may be another by now. Between these times no goroutine waits.
func (i *interruption) insist(number uint64, pause time.Duration) {
	if i.interrupt(number) {
		time.AfterFunc(pause, func() { i.insist(number, min(2*pause, longestPause)) })
	}
}

// longestPause is how long Interrupt waits before it asks again.
const longestPause = 100 * time.Millisecond

// interruption is the state of the call that runs on a context.
type interruption struct {
	mu     sync.Mutex
	t      *core.Ctx // of the call, nil if none runs
	number uint64    // of the call
	asked  bool      // Interrupt was called
	core   core.Interruption
}

// begin notes that a call begins.
func (i *interruption) begin(t *core.Ctx) *interruption {
	i.mu.Lock()
	i.t = t
	i.number++
	i.mu.Unlock()
	return i
}

// end notes that the call has ended.
func (i *interruption) end() {
	i.mu.Lock()
	i.core.End()
	i.t, i.asked = nil, false
	i.mu.Unlock()
}

// wanted returns the number of the call that runs, 0 if there is none or it has been asked to end.
func (i *interruption) wanted() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.t == nil || i.asked {
		return 0
	}
	i.asked = true
	return i.number
}

// interrupt asks the thread of a call to end it, and reports whether the call still runs.
func (i *interruption) interrupt(number uint64) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.t == nil || i.number != number {
		return false
	}
	i.core.Ask(i.t)
	return true
}
