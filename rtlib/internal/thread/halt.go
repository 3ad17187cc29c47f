package thread

import "github.com/uvm2go/uvm2go/rtlib/internal/gc"

// The end of all threads.
//
// When the world is stopped for good, calls that Go callers wait for must end with an error; all other
// code just stays where it is. A Go caller's goroutine is in one of three places:
//
//   - It runs its home stack, or is on its way out of a safe region: it comes to halted, and panics with
//     closing, which runHome catches.
//   - It has lent itself to a guest, which comes to halted: likewise.
//   - It waits in leaveHome because its thread runs another stack: Halt wakes it with ErrClosed.
//
// A home stack that has ended so stays busy: nothing runs on it any more.

// closing is the panic value that unwinds the goroutine of a Go caller out of Run when all threads have been
// stopped for good.
type closing struct{}

// Halt stops all threads for good and ends what Go callers run with ErrClosed. The caller is no running
// thread.
func (m *Machine) Halt() {
	gc.Halt()
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-m.closed:
		return
	default:
	}
	close(m.closed)
	for _, th := range m.threads {
		for _, s := range th.homes {
			select {
			case s.home.wake <- ErrClosed:
			default: // it has been woken, and comes to halted
			}
		}
	}
	for i := range m.futex {
		m.futex[i].wakeAll()
	}
}

// Closed returns a channel that is closed by Halt.
func (m *Machine) Closed() <-chan struct{} { return m.closed }

// halted is gc.Halted: the goroutine of the thread's stack wants to continue.
func halted(g *gc.Thread) {
	if c := g.Ctx(); c != nil {
		s := Of(c)
		if s.guest.body != nil && s.co == nil && s.guest.host != nil {
			s = s.guest.host // whose goroutine this is
		}
		if s.home != nil {
			panic(closing{})
		}
	}
	select {}
}

// wakeAll wakes all waiters.
func (b *bucket) wakeAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for addr := range b.queues {
		b.wake(addr, 1<<32-1)
	}
}
