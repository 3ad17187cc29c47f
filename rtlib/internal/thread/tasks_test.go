package thread

import (
	"runtime"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Threads are refused before the limit is reached, whether each of them takes a thread of the system or none does.
func TestTaskBudget(t *testing.T) {
	old := tasksLeft
	defer func() { tasksLeft = old }()
	reserve := taskReserve + runtime.GOMAXPROCS(0)
	made, blocked := 0, 0
	var limit uint64
	tasksLeft = func() uint64 { return limit - uint64(blocked) }
	takes := func(b *taskBudget, most int, blocks bool) (n int) {
		for n < most && b.take() {
			made, n = made+1, n+1
			if blocks {
				blocked++
			}
		}
		return n
	}
	limit = uint64(reserve + 100)
	var b taskBudget
	if n := takes(&b, 1000, true); n != 100 || !b.full {
		t.Errorf("%d threads that block, want 100", n)
	}
	limit++
	if n := takes(&b, 10, true); n != 1 {
		t.Errorf("%d threads where one has ended", n)
	}
	limit, blocked = uint64(reserve+100), 0
	var idle taskBudget
	if n := takes(&idle, 300, false); n != 300 || idle.full {
		t.Errorf("%d threads that do not block, want 300", n)
	}
	limit = mem.Unlimited
	var free taskBudget
	if n := takes(&free, 1<<20, false); n != 1<<20 {
		t.Errorf("%d threads without a limit", n)
	}
}

// With C, each thread takes address space, of which the reserve stays free.
func TestThreadSpace(t *testing.T) {
	old := headroom
	defer func() { headroom, ThreadSpace = old, 0 }()
	headroom = func() (uint64, uint64) { return reserve + 100<<20, mem.Unlimited }
	ThreadSpace = 8 << 20
	if n := systemThreads(); n != 12 {
		t.Errorf("%d threads in 100 MB, want 12", n)
	}
	if n := atOnce(); n != 1 {
		t.Errorf("%d threads at once, want 1", n)
	}
	headroom = func() (uint64, uint64) { return reserve - 1, mem.Unlimited }
	if n := systemThreads(); n != 0 {
		t.Errorf("%d threads in the reserve", n)
	}
	ThreadSpace = 0
	if n, all := systemThreads(), mem.Tasks(manyTasks); n < min(all, 1) {
		t.Errorf("%d threads without C, the system allows %d", n, all)
	}
}

// Threads that are made before the last ones block are counted when they have settled; those that do not begin to run are
// counted as if they blocked.
func TestTasksSettle(t *testing.T) {
	old := tasksLeft
	defer func() { tasksLeft = old }()
	var b taskBudget
	reports := []uint64{500, 480, 450, 450, 450, 450, 450, 430}
	asked := 0
	b.idle.Store(7)
	tasksLeft = func() uint64 {
		if asked++; asked == 5 {
			b.idle.Store(0)
		}
		return reports[min(asked, len(reports))-1]
	}
	if got := b.settled(); got != 430 {
		t.Errorf("got %d after %d looks", got, asked)
	}
	tasksLeft = func() uint64 { return 500 }
	b.idle.Store(495)
	if b.take() {
		t.Error("495 threads that have not begun leave room in 500")
	}
}
