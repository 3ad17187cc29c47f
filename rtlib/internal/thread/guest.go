package thread

import (
	"time"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/stack"
)

// Resumable stacks.
//
// A stack whose function stops nowhere but in its own body needs no goroutine to keep its place: all
// that it must remember lies in its frame on the shadow stack, and Ctx.Resume says where to continue. Its
// body is a function that runs until the stack swaps to another, returns where to, and is called again
// when the stack is bound again.
//
// Such a body runs as a guest on the goroutine of the stack that swapped to it, its host, which waits
// for nothing but what the body does: the switch is a call, the switch back a return. To everybody else
// the host is READY, as it must be; but while its goroutine is lent nobody else can bind it. Another
// thread that wants to bind it waits in Settle until the guest has left. To make this wait short, the
// guest is asked to move to a goroutine of its own, which it does at its next poll. That is why a body
// that may be a guest has polls in all its loops, if there are several threads, and calls only functions
// that return without waiting for others.
//
// A guest that must not or cannot stay one (it was asked to move, its thread ends, it fails, it makes a rare
// kind of swap) gets a goroutine of its own, on which it continues with what it wanted to do. It keeps
// that goroutine until it is dead: see Drive.

// Step is what a resumable body wants to do next: a SWAPSTACK, or Move. None: the body has returned, or an
// exception has left it.
type Step struct {
	Pass, Ret uint32 // value lists
	Flags     Flags
	Site      unsafe.Pointer // for Machine.Swap
}

// Flags are forms of SWAPSTACK.
type Flags uint8

// The flags.
const (
	KillOld  Flags = 1 << iota
	ThrowExc       // raise R[0] on the stack instead of passing it values
)

// Move is the step of a guest that was asked to move.
var Move Step

// Body is the body of a resumable stack. It returns the stack to swap to.
type Body func(t *gc.Ctx) (to uintptr, step *Step)

// guest is the additional state of a resumable stack.
type guest struct {
	body  Body   // nil for any but resumable stacks
	host  *Stack // on whose goroutine it runs, or ran last; nil when it has its own
	move  bool   // it is asked to move; written when the world is stopped
	ended bool   // the body has returned

	refused bool // the stack that Leave was to bind could not be

	// The swap that it has to make again, on a goroutine of its own. The stack to swap to and the values in transfer
	// need no roots here: there is no safepoint before Machine.Swap, which roots them while it waits.
	to   uintptr
	step *Step
}

// idle reports whether a stack that is bound could run as a guest now.
func (s *Stack) idle() bool { return s.co == nil && s.guest.body != nil }

// ShouldMove is for a poll in a resumable body. It reports whether the body is to return Move.
func ShouldMove(t *gc.Ctx) bool {
	t.Asked() // a safepoint, too
	s := Of(t)
	return s.co == nil && s.guest.move
}

// lend runs b, which is bound, on the goroutine of s, until s is bound again.
func (s *Stack) lend(th *Thread, b *Stack, list uint32) {
	th.receive(s, b, s)
	s.state.Lend(list)
	th.gc.Notice(b.Ctx)
	for {
		to, step := s.runGuest(th, b)
		if step == nil || step.Flags != 0 || to == 0 {
			if s.takeBack(th, b, to, step) {
				return
			}
			break
		}
		n := *at(to)
		if n == s && step.Pass == list {
			s.state.Return()
			th.receive(b, s, nil)
			b.state.Publish(step.Ret)
			th.gc.Notice(s.Ctx)
			return
		}
		if n == s || !n.state.Take(step.Pass) {
			b.guest.to, b.guest.step = to, step
			break
		}
		if n.idle() {
			th.receive(b, n, s)
			b.state.Publish(step.Ret)
			th.gc.Notice(n.Ctx)
			b = n
			continue
		}
		th.adopt(n)
		b.state.Publish(step.Ret)
		s.part(th, n, list)
		return
	}
	// b continues on a goroutine of its own.
	b.guest.host, b.guest.move = nil, false
	s.part(th, b, list)
}

// receive makes b, which is bound, the stack of the thread in place of a. If host is not nil, b is going
// to run on the goroutine of host. The values in X need no roots: b takes them next.
func (th *Thread) receive(a, b, host *Stack) {
	th.X.Live = 0
	if b.Th != th {
		b.Th, b.X = th, th.X
	}
	if host != nil {
		b.guest.move = false
		if b.guest.host != host {
			b.guest.host = host
		}
	}
	th.gc.Switch(a.Ctx, b.Ctx)
	th.cur = b
}

// GuestFrame is the name of the Go function whose frame lies between those of a guest and its host.
const GuestFrame = "github.com/uvm2go/uvm2go/rtlib/internal/thread.(*Stack).runGuest"

// runGuest runs the body of b until it wants something. If a Go caller outlives the thread, whatever unwinds
// the body must not unwind s.
func (s *Stack) runGuest(th *Thread, b *Stack) (to uintptr, step *Step) {
	if th.callers.Load() == 0 {
		return b.guest.body(b.Ctx)
	}
	defer func() {
		if r := recover(); r != nil {
			switch r.(type) {
			case unwind:
			default:
				th.err = s.m.Fault(b, r)
			}
			b.guest.ended, to, step = true, 0, nil
			b.Ctx.Thrown = 0
		}
	}()
	return b.guest.body(b.Ctx)
}

// takeBack is the less frequent part of lend: b has returned, is to move, kills itself, or throws. It reports
// whether s continues; if not, b has to get a goroutine.
func (s *Stack) takeBack(th *Thread, b *Stack, to uintptr, step *Step) bool {
	if step == nil {
		b.guest.ended = true
		return false
	}
	waits, _ := s.state.Ready()
	if to == 0 || *at(to) != s || step.Flags&ThrowExc == 0 && step.Pass != waits {
		if step != &Move {
			b.guest.to, b.guest.step = to, step
		}
		return false
	}
	s.state.Return()
	th.receive(b, s, nil)
	if step.Flags&ThrowExc != 0 {
		s.Ctx.Thrown, s.Ctx.Exc, s.Ctx.Overflow = 1, th.X.R[0], false
	}
	if step.Flags&KillOld != 0 {
		b.state.End()
		b.free()
	} else {
		b.state.Publish(step.Ret)
	}
	th.gc.Notice(s.Ctx)
	return true
}

// Drive runs a resumable stack on its own goroutine, from where it is, until its body has returned. The body
// itself makes the swaps that are not simple, at their place in the program, see Again.
func (s *Stack) Drive() {
	t := s.Ctx
	for !s.guest.ended {
		if s.guest.step != nil {
			t.Thrown = SwapAgain
		}
		to, step := s.guest.body(t)
		switch {
		case step == nil:
			return
		case step == &Move: // it has
		default:
			var h stack.Hop
			s.guest.refused = step.Flags != 0
			if !s.guest.refused {
				h = Leave(t, to, step.Pass, step.Ret, unsafe.Pointer(&noSwap))
			}
			switch {
			case s.guest.refused:
				s.guest.to, s.guest.step = to, step
			case h.Yield != nil:
				h.Yield(struct{}{})
				s.Arrive()
			case h.Next != nil:
				h.Next()
				s.Arrive()
			}
		}
	}
}

// SwapAgain is Ctx.Thrown when a body continues at a swap that is still to be made: it has to call Again.
const SwapAgain = 3

// Again makes the swap that a body has returned before. When it returns, the stack has been bound again.
func Again(t *gc.Ctx) {
	s := Of(t)
	to, step := s.guest.to, s.guest.step
	s.guest.to, s.guest.step = 0, nil
	t.Thrown = 0
	s.m.Swap(s, to, step.Pass, step.Ret, step.Flags, step.Site)
}

// Resumable reports whether the stack runs a resumable body.
func (s *Stack) Resumable() bool { return s.guest.body != nil }

// Settle waits until the goroutine of s is not lent any more. t is the context of the caller, a running
// thread; it may collect.
func (m *Machine) Settle(t *gc.Ctx, s *Stack) {
	th := Of(t).Th
	for pause := time.Microsecond; s.state.Lent(); pause = min(2*pause, time.Millisecond) {
		var asked *gc.Ctx
		gc.Exclusive(t, func() {
			for _, other := range m.threads {
				if b := other.cur; b != nil && b.co == nil && b.guest.body != nil && b.guest.host == s && s.state.Lent() {
					b.guest.move = true
					asked = b.Ctx
				}
			}
		})
		if asked != nil {
			asked.Ask()
		}
		th.gc.EnterSafe()
		time.Sleep(pause)
		th.gc.LeaveSafe()
	}
}
