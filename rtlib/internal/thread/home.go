package thread

import (
	"runtime/debug"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// NewHome makes a home stack, for a Go caller to run Mu functions on; nil when there is no
// address space left.
func (g *Group) NewHome() *Stack {
	s := g.m.NewStack(nil, nil, 0)
	if s != nil {
		s.Group = g
		s.state.Activate()
		s.home = &home{wake: make(chan error, 1)}
		g.m.mu.Lock()
		if g.homes == nil {
			g.homes = map[*home]bool{}
		}
		g.homes[s.home] = true
		g.m.mu.Unlock()
	}
	return s
}

// Close ends a home stack on which nothing runs. It reports false if something does.
func (s *Stack) Close() bool {
	s = s.enter()
	if s == nil {
		return false
	}
	if th := s.Th; th != nil {
		th.gc.LeaveSafe()
		s.leaveThread(th)
		th.finish()
	}
	s.state.End()
	s.free()
	s.m.mu.Lock()
	delete(s.Group.homes, s.home)
	s.m.mu.Unlock()
	s.Group.settle()
	return true
}

// Home returns the home stack of a context on which something may run.
func Home(t *gc.Ctx) *Stack { return (*Stack)(atomic.LoadPointer(&t.User)) }

// enter claims the home stack for Run, Clear or Close. It returns the Stack that the context has
// now, because what runs until then may leave another, see retire; nil if something runs.
func (s *Stack) enter() *Stack {
	if !s.home.busy.CompareAndSwap(false, true) {
		return nil
	}
	return Of(s.Ctx)
}

// release undoes enter.
func (s *Stack) release() {
	s.home.busy.Store(false)
	if s.Group.Closed() {
		s.Group.settle()
	}
}

// Run runs f on a home stack, bound to a thread. It returns when f has returned, when the
// stack was killed, when the thread has ended and no other has the stack, or when the group was closed. If f ends the
// goroutine by runtime.Goexit the thread ends, too.
func (s *Stack) Run(f func()) (err error) {
	g := s.Group
	if s = s.enter(); s == nil {
		if g.Closed() { // whoever frees the group may be closing the stack
			return ErrClosed
		}
		return ErrBusy
	}
	if g.Closed() {
		s.release()
		return ErrClosed
	}
	th := s.Th
	if th == nil {
		th = s.m.newThread(s.Group)
	}
	th.gc.LeaveSafe()
	if th.cur == s && th.gc.Ctx() == s.Ctx {
		th.X.Live = 0 // it has it, as after the last call
	} else {
		th.adopt(s)
	}
	th.Kept = 0
	fault := debug.SetPanicOnFault(true)
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil {
			err = s.why(r)
		} else { // f has ended the goroutine
			s.reach()
			err = ErrThreadExit
		}
		debug.SetPanicOnFault(fault)
		err = s.leaveRun(th, err)
	}()
	f()
	if s.Ctx.Thrown != 0 {
		err = s.m.Thrown(s)
	}
	returned = true
	debug.SetPanicOnFault(fault)
	return s.leaveRun(th, err)
}

// reach makes the thread of s running, on a goroutine that a native has left by a panic or by
// runtime.Goexit.
func (s *Stack) reach() {
	if s.Th.gc.Safe() {
		s.Th.gc.LeaveSafe()
	}
}

// leaveRun is the end of Run, which s began with th and ended with err. It returns the error of Run.
func (s *Stack) leaveRun(th *Thread, err error) error {
	keep := s.Th == th && err != ErrThreadExit && th.callers.Load() == 1
	if keep && s.next == nil && s.obj == 0 { // as nearly always
		s.renew()
		th.gc.EnterSafe()
		s.release()
		return outwardly(err)
	}
	if s.Th == nil { // the thread ended elsewhere
		fresh := s.m.newThread(s.Group)
		fresh.gc.LeaveSafe()
		fresh.adopt(s)
		keep = true
	}
	now, b := s.Th, s.next
	s.next = nil
	s = s.retire()
	switch {
	case b != nil: // KILL_OLD: the thread continues elsewhere
		s.leaveThread(now)
		now.adopt(b)
		now.handOver(b)
	case keep:
		now.gc.EnterSafe()
	default: // the thread ends, as by RET from the bottom frame
		s.leaveThread(now)
		now.finish()
	}
	s.release()
	return outwardly(err)
}

// outwardly is an error as callers of Run get it.
func outwardly(err error) error {
	if err != nil && err == (errEnded{}) {
		return ErrClosed
	}
	return err
}

// finish ends a thread that a home stack has left.
func (th *Thread) finish() {
	if th.driver != nil {
		th.back <- nil
	} else {
		th.end()
	}
}

// moveHome makes th the thread with whose end the Go caller's Run on s ends.
func (s *Stack) moveHome(th *Thread) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	s.dropHome()
	th.homes = append(th.homes, s)
	th.callers.Add(1)
}

// dropHome undoes moveHome. The caller holds Machine.mu.
func (s *Stack) dropHome() {
	if s.Th == nil {
		return
	}
	if i := slices.Index(s.Th.homes, s); i >= 0 {
		s.Th.homes = slices.Delete(s.Th.homes, i, i+1)
		s.Th.callers.Add(-1)
	}
}

// leaveThread separates a home stack from its thread, which is then bound to no stack.
func (s *Stack) leaveThread(th *Thread) {
	s.m.mu.Lock()
	s.dropHome()
	s.m.mu.Unlock()
	s.Th = nil
	th.adopt(nil)
}

// why returns the error of a home stack that a panic has unwound.
func (s *Stack) why(r any) error {
	if _, ok := r.(unwind); ok {
		return s.whyUnwound()
	}
	s.reach()
	return s.m.Fault(s, r)
}

// whyUnwound returns the error of a home stack that unwound itself, or was unwound.
func (s *Stack) whyUnwound() error {
	err := s.home.err
	s.home.err = nil
	switch {
	case err == ErrStackKilled:
		s.m.mu.Lock()
		s.dropHome()
		s.m.mu.Unlock()
		s.Th = nil
	case err != nil: // the thread has ended
	case s.next != nil:
		err = ErrStackKilled
	case s.Th.err != nil:
		err, s.Th.err = s.Th.err, nil
	default:
		err = ErrThreadExit
	}
	return err
}

// leaveHome is Swap for a home stack.
func (s *Stack) leaveHome(th *Thread, b *Stack, list uint32) {
	s.state.Leave(list) // from here on another thread may bind s
	th.handOver(b)
	if err := <-s.home.wake; err != nil {
		s.home.err = err
		panic(unwind{})
	}
}

// handOver lets b run on the thread, which a home stack leaves.
func (th *Thread) handOver(b *Stack) {
	switch {
	case b.home != nil:
		b.home.wake <- nil
	case th.driver == nil:
		go th.drive(b)
	default:
		th.back <- b
	}
}

// retire makes a home stack, bound to a thread, ready for the next Run. References to it
// must be to a dead stack from now on. So if there may be any, another Stack takes its
// place, and retire returns that.
func (s *Stack) retire() *Stack {
	n := s
	if s.obj != 0 {
		n = &Stack{m: s.m, Group: s.Group, Ctx: s.Ctx, X: s.X, home: s.home}
		n.moveHome(s.Th)
		s.m.mu.Lock()
		s.dropHome()
		s.m.mu.Unlock()
		n.Th = s.Th
		n.Th.cur = n
		atomic.StorePointer(&n.Ctx.User, unsafe.Pointer(n)) // another caller may look, see Home
		s.state.End()
		s.Held, s.Inspection = nil, nil
	}
	n.renew()
	return n
}

// renew makes the stack empty.
func (s *Stack) renew() {
	s.state.Activate()
	s.Ctx.Reset()
	if s.Held != nil {
		s.Held = nil
	}
}

// Clear makes the thread of a home stack as new: no pins, no thread-local reference. It
// reports false if something runs on the stack.
func (s *Stack) Clear() bool {
	if s = s.enter(); s == nil {
		return false
	}
	if th := s.Th; th != nil && th.hasState() {
		th.gc.LeaveSafe()
		th.Forget()
		th.gc.EnterSafe()
	}
	s.release()
	return true
}

// hasState reports whether there is something to Forget.
func (th *Thread) hasState() bool {
	return th.Local|th.Kept != 0 || len(th.Cells) > 0 || !th.pins.empty()
}

// Forget makes the thread, which is running and the caller's, as new: no pins, no thread-local reference.
func (th *Thread) Forget() {
	if th.hasState() {
		th.Local, th.Kept, th.Cells, th.pins = 0, 0, nil, pinSet{}
	}
}
