package thread

import (
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
	"github.com/uvm2go/uvm2go/rtlib/internal/stack"
)

// Thread is a Mu thread (docs/language.md, "Stacks and threads").
type Thread struct {
	Number uint32              // for messages; the first is 1
	X      *Transfer           // values on their way
	Local  uintptr             // the thread-local reference
	Kept   uintptr             // a reference kept for the layer above
	Cells  map[uintptr]uintptr // objects that are the thread's own, by the address of the thread-local cell; nil before the first

	m     *Machine
	group *Group
	gc    *gc.Thread
	cur   *Stack // bound to it, or about to be
	obj   uintptr
	pins  pinSet

	driver  *stack.Co    // nil before it is needed
	wake    *Stack       // the home stack that the driver is to wake, nil to end
	back    chan *Stack  // for the driver, from a home stack: what to run now, nil to end
	homes   []*Stack     // home stacks that it was the last to have: their Run returns when it ends; guarded by Machine.mu
	callers atomic.Int32 // len(homes)
	err     error        // why it ends

	wait    waiter
	timer   *time.Timer
	counted bool // in Group.started; guarded by Machine.mu
}

// newThread makes a thread of a group and registers it.
func (m *Machine) newThread(g *Group) *Thread {
	th := &Thread{m: m, group: g, gc: gc.NewThread(), back: make(chan *Stack, 1)}
	if m.NewTransfer != nil {
		th.X = m.NewTransfer()
	} else {
		th.X = &Transfer{}
	}
	th.X.W = make([]uint64, m.MaxTransfer)
	th.X.R = make([]uintptr, m.MaxTransfer)
	th.wait.init(th)
	m.mu.Lock()
	m.number++
	th.Number = m.number
	m.threads = append(m.threads, th)
	g.users.Add(1)
	if g.Closed() {
		th.gc.Break()
	}
	m.mu.Unlock()
	return th
}

// Stack returns the stack that the thread is bound to.
func (th *Thread) Stack() *Stack { return th.cur }

// HasCaller reports whether a Go caller waits for the thread to end.
func (th *Thread) HasCaller() bool { return th.callers.Load() > 0 }

// Err returns why a thread ends, nil for no error.
func (th *Thread) Err() error { return th.err }

// EnterSafe says that the thread will not touch the heap until LeaveSafe.
func (th *Thread) EnterSafe() { th.gc.EnterSafe() }

// LeaveSafe waits until the thread may touch the heap again.
func (th *Thread) LeaveSafe() { th.gc.LeaveSafe() }

// Object returns the address of the object that stands for the thread, made when there is
// none yet; 0 when the heap is exhausted.
func (th *Thread) Object(t *gc.Ctx) uintptr {
	if th.obj != 0 {
		return th.obj
	}
	n := th.m.threadTable.put(th)
	if n == 0 {
		return 0
	}
	obj := t.NewKind(th.m.threadType, n)
	if obj == 0 {
		th.m.threadTable.drop(n)
	}
	th.obj = obj
	return obj
}

// Thread returns the thread that a threadref, not NULL, refers to.
func (m *Machine) Thread(ref uintptr) *Thread {
	return m.threadTable.get(mem.Load64(mem.Address(ref)))
}

// NewThread makes a thread that is not started yet, with a thread-local reference, and
// its object if t, the context of the caller, is not nil. It returns nil when the heap is
// exhausted, or when the limits of the process leave no room.
func (m *Machine) NewThread(t *gc.Ctx, local uintptr) *Thread {
	if t != nil && (!m.allows(t) || !m.allowsThread(t)) {
		return nil
	}
	th := m.newThread(m.groupOf(t))
	th.Local = local
	if t != nil && th.Object(t) == 0 {
		th.Drop()
		return nil
	}
	return th
}

// Drop undoes NewThread.
func (th *Thread) Drop() {
	th.unlist()
	th.gc.Exit()
	th.group.leave()
}

// Start starts a thread of NewThread on s, which the caller has bound and whose values or
// exception are in place.
func (th *Thread) Start(s *Stack) { th.StartAfter(s, nil) }

// StartAfter is Start for a thread that begins when the channel is closed, or all threads are stopped; nil is for at
// once. Until then the thread counts as a running one, and holds its values.
func (th *Thread) StartAfter(s *Stack, begin <-chan struct{}) {
	m := th.m
	th.cur = s
	m.mu.Lock()
	th.counted = true
	th.group.started++
	m.mu.Unlock()
	m.counts.Add(1 << 32)
	m.tasks.idle.Add(1)
	go func() {
		if begin != nil {
			select {
			case <-begin:
			case <-th.group.done:
			}
		}
		m.tasks.idle.Add(-1)
		th.gc.LeaveSafe()
		th.adopt(s)
		th.drive(s)
	}()
}

// adopt makes b, which is bound, the stack of the thread; nil is for none. Values in X need no
// roots any more: the next thing that happens is that b takes them.
func (th *Thread) adopt(b *Stack) {
	th.X.Live = 0
	th.cur = b
	if b == nil {
		th.gc.Bind(nil)
		return
	}
	if b.home != nil && b.Th != th {
		b.moveHome(th)
	}
	b.Th, b.X = th, th.X
	th.gc.Bind(b.Ctx)
}

// route returns the Co to switch to so that b runs on the thread's behalf.
func (th *Thread) route(b *Stack) *stack.Co {
	switch {
	case b.home != nil:
		th.wake = b
		return th.driver
	case b.rep != nil:
		return b.rep
	case b.co == nil:
		b.co = stack.Take(b.run)
		b.co.Of(&b.state)
	}
	return b.co
}

// drive is the thread's driver; it starts with running b.
func (th *Thread) drive(b *Stack) {
	th.driver = stack.Plain()
	for b != nil {
		if b.home != nil {
			b.home.wake <- nil
			b = <-th.back
			continue
		}
		th.driver.Switch(th.route(b))
		b, th.wake = th.wake, nil
	}
	th.end()
}

// Swap leaves the current stack READY<list> and runs b, another stack, which the caller has
// bound. It returns when the stack is bound again: s.Th and s.X are those of the thread
// that bound it.
func (th *Thread) Swap(b *Stack, list uint32) {
	a := th.cur
	if b.idle() {
		a.lend(th, b, list)
		return
	}
	th.adopt(b)
	a.part(th, b, list)
}

// part leaves s, whose goroutine this is, READY<list> and runs b, the stack of the thread. It
// returns when s is bound again.
func (s *Stack) part(th *Thread, b *Stack, list uint32) {
	switch {
	case s.home != nil:
		s.leaveHome(th, b, list)
	case s.native > 0:
		s.leaveNative(th, b, list)
	default:
		s.co.SwitchReady(th.route(b), &s.state, list)
	}
}

// Leave is the first part of a swap from the stack of t to the one that ref refers to: the caller
// makes the switch, if there is one, then calls Arrive. The values of list pass are in transfer.
// Anything but a switch between two stacks on workers is left to others: Swap, and Machine.Swap
// for stacks that cannot be bound.
func Leave(t *gc.Ctx, ref uintptr, pass, list uint32, site unsafe.Pointer) stack.Hop {
	s := Of(t)
	if ref == 0 {
		s.refused(ref, pass, list, site)
		return stack.Hop{}
	}
	b := *at(ref)
	if !b.state.Take(pass) {
		s.refused(ref, pass, list, site)
		return stack.Hop{}
	}
	th := s.Th
	if s.co == nil || b.co == nil || s.native|b.native != 0 {
		if b.idle() {
			s.lend(th, b, list)
		} else {
			th.Swap(b, list)
		}
		return stack.Hop{}
	}
	// This is adopt and SwitchReady. The stores of pointers are in a row, which saves tests for
	// write barriers.
	th.X.Live = 0
	if b.Th != th {
		b.Th, b.X = th, th.X
	}
	th.gc.Switch(t, b.Ctx)
	th.cur = b
	h := s.co.Leave(b.co, list)
	th.gc.Notice(b.Ctx)
	return h
}

// noSwap is a site for Leave: a stack that cannot be bound at once is not bound.
var noSwap byte

// refused is the rest of Leave when a stack cannot be bound at once.
func (s *Stack) refused(ref uintptr, pass, list uint32, site unsafe.Pointer) {
	if site == unsafe.Pointer(&noSwap) {
		s.guest.refused = true
		return
	}
	s.m.Swap(s, ref, pass, list, 0, site)
}

// Landed is Arrive for the ordinary case. If it reports false it has done
// nothing.
func (s *Stack) Landed() bool { return s.co != nil && s.co.Landed() }

// Arrive is the rest of Swap: the stack is bound again.
func (s *Stack) Arrive() {
	if s.co != nil {
		s.co.Arrive()
	}
}

// SwapKill kills the current stack and runs b, which the caller has bound; nil ends the
// thread. It does not return.
func (th *Thread) SwapKill(b *Stack) {
	th.cur.next = b
	panic(unwind{})
}

// Fail ends the thread with an error. It does not return.
func (th *Thread) Fail(err error) {
	th.err = err
	panic(unwind{})
}

// leaveNative is Swap for a worker that is locked to an OS thread by a callback.
func (s *Stack) leaveNative(th *Thread, b *Stack, list uint32) {
	rep := stack.Plain()
	s.rep = rep
	wake := make(chan struct{})
	go func() {
		rep.SwitchReady(th.route(b), &s.state, list)
		close(wake)
	}()
	<-wake
	s.rep = nil
}

// EnterCallback says that native code called back into the stack, on the goroutine of
// the stack, which is locked from now on.
func (s *Stack) EnterCallback() {
	s.Ctx.FromC()
	s.native++
}

// Callbacks returns how many callbacks the stack is in.
func (s *Stack) Callbacks() int { return s.native }

// LeaveCallback says that a callback returns.
func (s *Stack) LeaveCallback() {
	s.native--
	s.Ctx.ToC()
}

// end ends a thread, which is running: its stack is gone.
func (th *Thread) end() {
	m := th.m
	m.mu.Lock()
	homes := th.homes
	th.homes = nil
	m.mu.Unlock()
	var waiting []*Stack
	for _, s := range homes {
		s.state.Unhold() // nobody has the cursor any more
		if s.state.Bind(0, true) == stack.Bound {
			waiting = append(waiting, s) // no collection can kill it now
		}
	}
	th.unlist() // before it is safe: roots must not go while a collection is under way
	th.gc.EnterSafe()
	th.gc.Exit()
	err := th.err
	if err == nil {
		err = ErrThreadExit
	}
	for _, s := range waiting {
		s.Th = nil
		s.home.wake <- err
	}
	if th.err != nil && th.err != (errEnded{}) && len(homes) == 0 {
		m.Orphan(th.group, th.err)
	}
	if th.counted {
		m.mu.Lock()
		g := th.group
		if g.started--; g.started == 0 && g.idle != nil {
			close(g.idle)
			g.idle = nil
		}
		m.mu.Unlock()
		if n := m.counts.Add(-1 << 32 & (1<<64 - 1)); m.stuck(n) {
			m.blame()
		}
	}
	th.group.leave()
}

// unlist takes a thread, perhaps one that was never started, out of the registry, and its
// roots with it. The caller is a running thread.
func (th *Thread) unlist() {
	m := th.m
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := slices.Index(m.threads, th); i >= 0 {
		m.threads = slices.Delete(m.threads, i, i+1)
	}
	th.Local, th.Cells, th.pins, th.cur = 0, nil, pinSet{}, nil
}

// Pin adds one pin of a location to those of the thread (docs/native.md, "Values").
func (th *Thread) Pin(addr uintptr) { th.pins.add(addr) }

// Unpin removes one pin of a location; false when there is none.
func (th *Thread) Unpin(addr uintptr) bool { return th.pins.remove(addr) }
