package mu

import (
	"sync"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Interrupt ends the call that runs on the context, from any goroutine. At its next safepoint, which is a call or the
// end of a turn of a loop, the called function ends with a run-time error (Interrupted) that Mu code cannot catch, and
// Call returns it. A native, a trap handler or a wait for a futex or a stack ends first. Interrupt does not wait for
// that. It has no effect if no call runs.
func (c *Ctx) Interrupt() {
	n := c.running.wanted()
	if n == 0 {
		return
	}
	go func() {
		for pause := time.Millisecond; c.running.interrupt(n); pause = min(2*pause, longestPause) {
			time.Sleep(pause)
		}
	}()
}

// longestPause is how long Interrupt waits before it asks again.
const longestPause = 100 * time.Millisecond

// interruption is the state of the call that runs on a context.
type interruption struct {
	mu     sync.Mutex
	thread breaker // that the call began on, nil if none runs
	number uint64  // of the call
	asked  bool    // Interrupt was called
}

// breaker is a thread of the collector.
type breaker interface {
	Break()
	Mend()
}

// begin notes that a call begins.
func (i *interruption) begin(t *core.Ctx) *interruption {
	i.mu.Lock()
	i.thread = t.Th
	i.number++
	i.mu.Unlock()
	return i
}

// end notes that the call has ended.
func (i *interruption) end() {
	i.mu.Lock()
	if i.asked {
		i.thread.Mend()
	}
	i.thread, i.asked = nil, false
	i.mu.Unlock()
}

// wanted returns the number of the call that runs, 0 if there is none or it has been asked to end.
func (i *interruption) wanted() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.thread == nil || i.asked {
		return 0
	}
	i.asked = true
	return i.number
}

// interrupt asks the thread of a call to end it, and reports whether the call still runs.
func (i *interruption) interrupt(number uint64) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.thread == nil || i.number != number {
		return false
	}
	i.thread.Break()
	return true
}
