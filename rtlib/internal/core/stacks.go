package core

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/stack"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// machine has the threads and stacks of the process.
var machine *thread.Machine

// NewStack is @uvm.new_stack: a stack whose bottom frame is the function f. It returns 0
// if no stack can be made.
//
//go:norace
//go:nocheckptr
func NewStack(t *Ctx, f uintptr) uintptr {
	if f == 0 {
		Fail(t, NullFunc, "", "new_stack of NULL")
	}
	fn := (*Func)(unsafe.Pointer(f))
	body := fn.frozen(t)
	s := machine.NewResumable(t, body, body.Resume, fn.Params)
	if s == nil {
		return 0
	}
	ref := s.Object(t)
	if ref == 0 {
		machine.Kill(s)
	}
	return ref
}

// FuncNow returns the function f fixed to its current version, for a new stack. It returns 0 if
// f has no version: then the next call, which must be of f, only asks the client for a
// definition, see Undefined.
//
//go:norace
//go:nocheckptr
func FuncNow(t *Ctx, f uintptr) uintptr {
	fn := (*Func)(unsafe.Pointer(f))
	if !fn.Defined {
		X(t).asking = true
		return 0
	}
	return uintptr(unsafe.Pointer(fn.frozen(t)))
}

// CurrentStack is @uvm.current_stack.
func CurrentStack(t *Ctx) uintptr {
	ref := thread.Of(t).Object(t)
	if ref == 0 {
		Fail(t, OutOfMemory, "", "current_stack")
	}
	return ref
}

// KillStack is @uvm.kill_stack.
func KillStack(t *Ctx, ref uintptr) {
	if ref == 0 {
		Fail(t, StackState, "", "the stack is NULL")
	}
	s := machine.Stack(ref)
	if s == nil {
		Fail(t, StackState, "", "the stack is DEAD")
	}
	for {
		switch verdict := machine.Kill(s); verdict {
		case stack.Bound:
			return
		case stack.Held:
			Fail(t, CursorError, "", "the stack has open frame cursors")
		case stack.Lent:
			awaitReturn(t, s, ref, 0)
		default:
			Fail(t, StackState, "", "the stack is "+verdict.String())
		}
	}
}

// bind binds the stack that ref refers to, in order to pass it a list of values or an
// exception. If that is not possible, the program fails.
func bind(t *Ctx, ref uintptr, pass uint32, flags Flags, site *Site) *thread.Stack {
	s, kind, detail := tryBind(t, ref, pass, flags)
	if s == nil {
		Fail(t, kind, site.where(), detail)
	}
	return s
}

// tryBind is like bind, but returns the error.
func tryBind(t *Ctx, ref uintptr, pass uint32, flags Flags) (*thread.Stack, Kind, string) {
	if ref == 0 {
		return nil, StackState, "the stack is NULL"
	}
	s := machine.Stack(ref)
	if s == nil {
		return nil, StackState, "the stack is DEAD"
	}
	verdict, waits := s.State().TryBind(pass, flags&ThrowExc != 0)
	for verdict == stack.Lent {
		refs := list(pass).R
		if flags&ThrowExc != 0 {
			refs = 1
		}
		awaitReturn(t, s, ref, refs)
		verdict, waits = s.State().TryBind(pass, flags&ThrowExc != 0)
	}
	switch verdict {
	case stack.Active, stack.Dead:
		return nil, StackState, "the stack is " + verdict.String()
	case stack.Held:
		return nil, CursorError, "the stack has open frame cursors"
	case stack.WrongTypes:
		return nil, StackTypes, "the stack waits for (" + list(waits).String() + "), the values are (" + list(pass).String() + ")"
	}
	if flags&ThrowExc != 0 {
		s.Ctx.Thrown, s.Ctx.Exc, s.Ctx.Overflow = 1, X(t).R[0], false
	}
	return s, 0, ""
}

// awaitReturn waits until the goroutine of a stack, which ref refers to, is not lent any more. The first refs
// references in X(t) are kept alive meanwhile.
func awaitReturn(t *Ctx, s *thread.Stack, ref uintptr, refs int) {
	x, th := X(t), thread.Of(t).Th
	live, kept := x.Live, th.Kept
	x.Live, th.Kept = max(live, refs), ref
	machine.Settle(t, s)
	x.Live, th.Kept = live, kept
}

// SwapStack is SWAPSTACK (docs/language.md, "Stacks and threads"). The values of list pass, or with
// ThrowExc the exception in R[0], are in X(t). On return the results of list ret are in X(t), or
// t.Thrown is set. With KillOld it does not return.
func SwapStack(t *Ctx, stack uintptr, pass, ret uint32, flags Flags, site *Site) {
	if flags != 0 {
		swapStack(thread.Of(t), stack, pass, ret, flags, site)
		landed(t)
	} else if h := LeaveStack(t, stack, pass, ret, site); h.Yield != nil {
		h.Yield(struct{}{})
		EnterStack(t)
	} else if h.Next != nil {
		h.Next()
		EnterStack(t)
	}
}

// LeaveStack is the first part of a SwapStack without flags. If there is more to do, its caller must
// switch, see stack.Hop, and then call EnterStack.
func LeaveStack(t *Ctx, ref uintptr, pass, ret uint32, site *Site) stack.Hop {
	h := thread.Leave(t, ref, pass, ret, unsafe.Pointer(site))
	if h.Yield == nil && h.Next == nil {
		landed(t)
	}
	return h
}

// EnterStack is the rest of SwapStack, when the stack is bound again.
func EnterStack(t *Ctx) {
	s := thread.Of(t)
	if !s.Landed() {
		s.Arrive()
	}
	if t.Thrown != 0 || s.Inspection != nil {
		resumed(t)
	}
}

// landed is called when values or an exception have arrived.
func landed(t *Ctx) {
	if t.Thrown != 0 || thread.Of(t).Inspection != nil {
		resumed(t)
	}
}

// ShouldMove is for a poll in a resumable body, when t.Poll is set: it is a safepoint, and reports
// whether the body must return &Move.
func ShouldMove(t *Ctx) bool { return thread.ShouldMove(t) }

// GrowStart is Ctx.Grow for a resumable body at its start, whose arguments, with refs references, are in X(t).
func GrowStart(t *Ctx, size uintptr, refs int) uintptr {
	x := X(t)
	x.Live = refs
	fp := t.Grow(size)
	x.Live = 0
	return fp
}

// Woken is for a resumable body that continues with t.Thrown set. It reports whether there is an exception.
func Woken(t *Ctx) bool {
	if t.Thrown == thread.SwapAgain {
		if thread.Again(t); t.Thrown == 0 {
			return false
		}
	}
	noteOrigin(t, t.Exc)
	return true
}

// swapSlow is thread.Machine.Swap.
func swapSlow(s *thread.Stack, ref uintptr, pass, ret uint32, flags Flags, site unsafe.Pointer) {
	swapStack(s, ref, pass, ret, flags, (*Site)(site))
}

// swapStack is SwapStack without its last step.
func swapStack(s *thread.Stack, stack uintptr, pass, ret uint32, flags Flags, site *Site) {
	t := s.Ctx
	if flags&KillOld == 0 && stack != 0 && s.Is(stack) {
		swapSelf(t, pass, ret, flags, site)
		return
	}
	b := bind(t, stack, pass, flags, site)
	if flags&KillOld != 0 {
		s.Th.SwapKill(b)
	}
	s.Th.Swap(b, ret)
}

// swapSelf is a SWAPSTACK to the current stack: it passes the values to itself.
func swapSelf(t *Ctx, pass, ret uint32, flags Flags, site *Site) {
	if flags&ThrowExc != 0 {
		Throw(t, X(t).R[0])
	} else if pass != ret {
		Fail(t, StackTypes, site.where(), "the stack waits for ("+list(ret).String()+"), the values are ("+list(pass).String()+")")
	}
}

// where returns the name of the instruction at a site in reports, "" if it has none: then reports
// show its line.
func (s *Site) where() string {
	if s == nil {
		return ""
	}
	return s.Where
}

// runBody is thread.Machine.Body.
func runBody(s *thread.Stack) {
	t := s.Ctx
	if s.Resumable() {
		s.Drive()
	} else if t.Thrown == 0 {
		switch e := s.Entry.(type) {
		case *Func:
			startCreated(t, s, e)
		case func(t *Ctx):
			e(t)
		}
	}
	if t.Thrown != 0 {
		stop(s, leftBottom(s))
	}
}
