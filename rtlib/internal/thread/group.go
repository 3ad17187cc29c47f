package thread

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/stack"
)

// A Group has the threads and stacks of one VM. What a thread makes is of its group. The layer above embeds it as the
// first field of its own struct. It must not be copied.
//
// Closing a group ends its threads for good, as an interruption ends one (interrupt.go): each unwinds at its next
// safepoint; waits end. A thread that is in native code ends when it returns. When nothing of the group runs any more,
// the function given to Close is called.
type Group struct {
	m *Machine

	closed atomic.Bool // written with Machine.mu locked
	done   chan struct{}
	users  atomic.Int64 // threads that have not ended

	homes   map[*home]bool // those that are not closed; guarded by Machine.mu
	started int            // threads of Start that have not ended; guarded by Machine.mu
	idle    chan struct{}  // closed when started becomes 0, nil if nobody asked; guarded by Machine.mu

	gone func() // called when nothing of the closed group runs; set before closed
	once sync.Once
}

// Init makes g a group of the machine.
func (m *Machine) Init(g *Group) { g.m, g.done = m, make(chan struct{}) }

// Closed reports whether the group was closed.
func (g *Group) Closed() bool { return g.closed.Load() }

// Done returns a channel that is closed when the group is closed.
func (g *Group) Done() <-chan struct{} { return g.done }

// nobody is what Idle returns when no thread is left.
var nobody = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Idle returns a channel that is closed when no started thread of the group is left.
func (g *Group) Idle() <-chan struct{} {
	g.m.mu.Lock()
	defer g.m.mu.Unlock()
	if g.started == 0 {
		return nobody
	}
	if g.idle == nil {
		g.idle = make(chan struct{})
	}
	return g.idle
}

// leave says that a thread has ended.
func (g *Group) leave() {
	if g.users.Add(-1) == 0 {
		g.settle()
	}
}

// settle calls gone if the group is closed and nothing of it runs any more. Calls of Run are found by their homes: a count
// of them would be one word that all callers write, and would order what they do.
func (g *Group) settle() {
	if !g.closed.Load() || g.users.Load() != 0 {
		return
	}
	g.m.mu.Lock()
	busy := false
	for h := range g.homes {
		busy = busy || h.busy.Load()
	}
	g.m.mu.Unlock()
	if !busy && g.users.Load() == 0 {
		g.once.Do(func() {
			go g.gone()
			g.gone = nil
		})
	}
}

// Close closes the group and reports true; false if it was closed before. The caller is no running thread. No code of
// the group runs on after Close, except natives and what they return to, until its next safepoint. gone is called when
// that has ended, too, on a separate goroutine.
func (g *Group) Close(gone func()) bool {
	m := g.m
	first := false
	g.users.Add(1) // so that gone is not called before all threads know
	gc.Stopped(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if first = !g.closed.Load(); first {
			g.gone = gone
			g.closed.Store(true)
			close(g.done)
			g.breakAll()
		}
	})
	if first {
		g.insist(time.Millisecond)
	}
	g.leave()
	return first
}

// breakAll asks the threads to end, and reports whether any executes something. The caller holds Machine.mu.
func (g *Group) breakAll() (busy bool) {
	for _, th := range g.m.threads {
		if th.group == g {
			th.gc.Break()
			busy = busy || th.busy()
		}
	}
	return busy
}

// busy reports whether the thread executes something. The caller holds Machine.mu.
func (th *Thread) busy() bool {
	return th.counted || slices.ContainsFunc(th.homes, func(s *Stack) bool { return s.home.busy.Load() })
}

// insist asks the threads to end and ends their waits, and does so again after a pause: a thread may have gone to
// another stack, which does not know of it, or begun to wait.
func (g *Group) insist(pause time.Duration) {
	m := g.m
	m.mu.Lock()
	busy := g.breakAll()
	for _, th := range m.threads {
		if th.group == g {
			th.wait.cut()
		}
	}
	m.mu.Unlock()
	if busy {
		time.AfterFunc(pause, func() { g.insist(min(2*pause, longestPause)) })
	}
}

// longestPause is how long a closed group waits before it asks its threads again.
const longestPause = 100 * time.Millisecond

// Bury kills the stacks of a closed group in which nothing runs. The world is stopped.
func (g *Group) Bury() {
	g.m.stacks.each(func(s *Stack) {
		if s.Group == g {
			s.state.Unhold()
			if s.home == nil && s.state.Kill() == stack.Bound {
				g.m.bury(s)
			}
		}
	})
}

// errEnded is why the threads of a closed group end. Run returns ErrClosed for it.
type errEnded struct{}

func (errEnded) Error() string { return ErrClosed.Error() }

// End ends the thread, whose group was closed. It does not return.
func (th *Thread) End() { th.Fail(errEnded{}) }
