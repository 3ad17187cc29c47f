package thread

import (
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// A budget refuses stacks and threads before the limits of the process are reached: Go ends a process that gets no memory,
// and the system kills one. Each stack may take memory of Go (its goroutine), and of the runtime, after it was made, so
// the limits are looked at again after a number of them that depends on what is left.
type budget struct {
	mu    sync.Mutex
	known bool // the limits were looked at; guarded by mu
	none  bool // there are no limits; guarded by mu
	tight bool // Go has to do with the memory that it took at the start; guarded by mu
	left  int  // how many stacks and threads may be made until they are looked at again; guarded by mu
	full  bool // the last one was refused; guarded by mu
}

const (
	reserve    = 72 << 20 // address space that stays free: Go takes it for its heap in pieces of 64 MB
	memReserve = 8 << 20  // memory that stays free
	stackCost  = 64 << 10 // what one stack or thread may take, frames beyond the first ones included
	maxUnasked = 1 << 12  // stacks and threads until the limits are looked at again
	fewStacks  = 512      // stacks where there never is the reserve
)

// headroom is mem.Headroom, but for tests.
var headroom = mem.Headroom

// take reports whether another stack or thread may be made; alive is how many stacks there are.
func (b *budget) take(alive int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.full = !b.takes(alive)
	return !b.full
}

func (b *budget) takes(alive int64) bool {
	switch {
	case b.none:
		return true
	case b.tight:
		return alive < fewStacks
	case b.left > 0:
		b.left--
		return true
	}
	space, memory := headroom()
	if !b.known {
		b.known, b.none, b.tight = true, space == mem.Unlimited && memory == mem.Unlimited, space < reserve+stackCost
		if b.none || b.tight {
			return b.takes(alive)
		}
	}
	if space < reserve+stackCost || memory < memReserve+stackCost {
		return false
	}
	b.left = int(min((space-reserve)/stackCost, (memory-memReserve)/stackCost, maxUnasked)) - 1
	return true
}

// Refused tells which limits of the process, not of the program, allowed no further stack or thread, "" if none did.
func (m *Machine) Refused() string {
	m.budget.mu.Lock()
	defer m.budget.mu.Unlock()
	m.tasks.mu.Lock()
	defer m.tasks.mu.Unlock()
	switch {
	case m.budget.full:
		return "the limits of the process (address space, control group) leave no room for another stack or thread"
	case m.tasks.full:
		return "the limits of the process (processes of the user, control group, address space) leave no room for another thread"
	}
	return ""
}
