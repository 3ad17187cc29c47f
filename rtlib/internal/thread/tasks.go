package thread

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// A taskBudget refuses threads before the system refuses the threads of its own that Go needs for them: then Go ends the
// process. A Mu thread needs one only while it is in a native that blocks, so it is counted by what the system says is
// left, which is looked at again when half of that many threads were made since the last time. Threads that have not begun
// to run yet count as if each needed one.
type taskBudget struct {
	mu   sync.Mutex
	none bool // there is no limit; guarded by mu
	left int  // how many threads may be made until the limit is looked at again; guarded by mu
	full bool // the last one was refused; guarded by mu

	idle atomic.Int64 // threads that were started and have not begun to run
}

const (
	taskReserve = 8                      // threads of the system that stay free, beside those for all processors: for collections of Go, and to wait for events
	settleStep  = time.Millisecond       // new threads get this long to block, and to take a thread of the system
	settleMost  = 250 * time.Millisecond // again and again, but not for longer than this
	manyTasks   = 4 * maxUnasked         // if more are left, the next look is in time whatever new threads do
	settleSteps = 4                      // until all have begun to run, and the number has not changed so often
)

// ThreadSpace is how much address space a thread of the system takes, in bytes: with C it has a stack of C's. It is set
// before the first thread.
var ThreadSpace uint64

// tasksLeft is systemThreads, but for tests.
var tasksLeft = systemThreads

// systemThreads is how many threads of the system the limits of the process still allow.
func systemThreads() uint64 {
	left := mem.Tasks(manyTasks)
	if ThreadSpace > 0 {
		if space, _ := headroom(); space != mem.Unlimited {
			left = min(left, (space-min(space, reserve))/ThreadSpace)
		}
	}
	return left
}

// arenaSpace is what the first malloc of a thread may take, for some threads: 64 MB in glibc.
const arenaSpace = 64 << 20

// atOnce is how many threads may be made until the limit of the address space is looked at again.
func atOnce() uint64 {
	space, _ := headroom()
	if ThreadSpace == 0 || space == mem.Unlimited {
		return mem.Unlimited
	}
	return max(1, (space-min(space, reserve))/(ThreadSpace+arenaSpace))
}

// take reports whether another thread may be made.
func (b *taskBudget) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.full = !b.takes()
	return !b.full
}

func (b *taskBudget) takes() bool {
	switch {
	case b.none:
		return true
	case b.left > 0:
		b.left--
		return true
	}
	left := b.settled()
	b.none = left == mem.Unlimited
	reserve := uint64(taskReserve+runtime.GOMAXPROCS(0)) + uint64(b.idle.Load())
	if left <= reserve {
		return false
	}
	b.left = int(min((left-reserve+1)/2, maxUnasked, atOnce())) - 1
	return true
}

// settled is what is left of the limit when the threads that were made have done what they do first. If all is well, the
// number is the same a few times.
func (b *taskBudget) settled() uint64 {
	left := tasksLeft()
	if left > manyTasks {
		return left
	}
	same := 0
	for start := time.Now(); same < settleSteps && time.Since(start) < settleMost; same++ {
		time.Sleep(settleStep)
		if now := tasksLeft(); now != left || b.idle.Load() > 0 {
			left, same = now, -1
		}
	}
	return left
}

// allowsThread reports whether the limits of the process allow another thread. The caller must have a safepoint here.
func (m *Machine) allowsThread(t *gc.Ctx) bool {
	th := Of(t).Th
	th.EnterSafe() // it may wait
	defer th.LeaveSafe()
	return m.tasks.take()
}
