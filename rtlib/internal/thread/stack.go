package thread

import (
	"errors"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/stack"
)

// Transfer is the area in which lists of values travel between stacks. A list is
// flattened to scalar leaves in order: traced references take the next entry of R, all
// else the next of W: ints zero-extended, floats as their bits, pointers and funcrefs as
// addresses, 128-bit values low word first. A tagref64 takes one of each: its reference
// or 0 in R, its bits in W.
//
// Entries are valid from when they are written until the next call of the runtime or of
// generated code; those that a call takes are roots as long as it needs them.
type Transfer struct {
	W []uint64
	R []uintptr

	Live int // entries of R that are roots
}

// Stack is a Mu stack. Its fields belong to whoever has bound it.
type Stack struct {
	X  *Transfer // of the thread it is bound to
	Th *Thread   // the thread it is bound to; stale while it is not

	Group *Group // never changed

	Ctx   *gc.Ctx
	Entry any       // what it runs, for Machine.Body
	Held  []uintptr // further roots
	Data  any       // of the layer above

	// Inspection is what the layer above knows about a stack that is inspected, and what
	// is to be changed when it is bound.
	Inspection any

	m      *Machine
	state  stack.State
	co     *stack.Co // nil before it is first bound, and of home stacks
	rep    *stack.Co // stands in for co while the stack waits in a callback
	native int       // callbacks that it is in
	home   *home     // nil for any but home stacks
	next   *Stack    // where the thread goes when the stack has died
	obj    uintptr   // its object in the heap, 0 when there is none
	guest  guest     // of resumable stacks
}

// Of returns the stack of a context.
func Of(t *gc.Ctx) *Stack { return (*Stack)(t.User) }

// State returns the state of the stack.
func (s *Stack) State() *stack.State { return &s.state }

// unwind is the panic value that takes a stack's goroutine to its base.
type unwind struct{}

// gcEvery is the least number of stacks made between two collections that happen because
// stacks were made: an abandoned stack takes much memory that the heap does not see.
const gcEvery = 20000

// NewResumable is NewStack for a stack that runs a resumable body.
func (m *Machine) NewResumable(t *gc.Ctx, entry any, body Body, list uint32) *Stack {
	s := m.NewStack(t, entry, list)
	if s != nil {
		s.guest.body = body
	}
	return s
}

// NewStack makes a stack, READY<list>, that will run entry. t is the context of the
// caller, nil if it is no Mu thread. It returns nil when there is no address space left, when
// the limits of the process leave no room (budget), or when Mu code has as many stacks as it may (Full), none of which can be collected.
func (m *Machine) NewStack(t *gc.Ctx, entry any, list uint32) *Stack {
	if n := m.made.Add(1); t != nil && n > gcEvery && n > m.alive.Load()/2 {
		m.made.Store(0)
		gc.Collect(t, "stacks")
	}
	if t != nil && m.Full() > 0 {
		m.made.Store(0)
		gc.Collect(t, "stacks")
		if m.Full() > 0 {
			return nil
		}
	}
	if t != nil && !m.allows(t) {
		return nil
	}
	c := gc.NewCtx()
	if c == nil && t != nil {
		gc.Collect(t, "stacks")
		c = gc.NewCtx()
	}
	if c == nil {
		return nil
	}
	s := &Stack{Ctx: c, Entry: entry, m: m, Group: m.groupOf(t)}
	c.User = unsafe.Pointer(s)
	s.state.Leave(list)
	m.alive.Add(1)
	return s
}

// allows reports whether the limits of the process allow another stack or thread; if not, a collection may help.
func (m *Machine) allows(t *gc.Ctx) bool {
	if m.budget.take(m.alive.Load()) {
		return true
	}
	m.made.Store(0)
	gc.Collect(t, "stacks")
	return m.budget.take(m.alive.Load())
}

// Object returns the address of the object that stands for s, which is new or bound to
// the caller's thread. It is made when there is none yet; 0 when the heap is exhausted.
// t is the context of the caller.
func (s *Stack) Object(t *gc.Ctx) uintptr {
	if s.obj != 0 {
		return s.obj
	}
	n := s.m.stacks.put(s)
	if n == 0 {
		return 0
	}
	obj := t.NewKind(s.m.stackType, n)
	if obj == 0 {
		s.m.stacks.drop(n)
		return 0
	}
	*at(obj) = s
	s.obj = obj
	return obj
}

// Is reports whether ref, not NULL, refers to s.
func (s *Stack) Is(ref uintptr) bool { return s.obj == ref }

// Stack returns the stack that a stackref, not NULL, refers to.
func (m *Machine) Stack(ref uintptr) *Stack { return *at(ref) }

// at is where the object of a stack has the address of the Stack, after its number. Go's collector
// does not look there: the table of stacks keeps the Stack as long as there is the object.
//
//go:norace
//go:nocheckptr
func at(obj uintptr) **Stack { return (**Stack)(unsafe.Pointer(obj + 8)) }

// Kill makes a READY stack that is neither lent nor held DEAD and gives back what it holds.
func (m *Machine) Kill(s *Stack) stack.Verdict {
	if v := s.state.Kill(); v != stack.Bound {
		return v
	}
	m.bury(s)
	return stack.Bound
}

// bury gives back what a stack that was just killed holds.
func (m *Machine) bury(s *Stack) {
	switch {
	case s.home != nil:
		s.home.wake <- ErrStackKilled
	case s.rep != nil:
		// Native frames cannot be unwound from here: their goroutine waits for ever
		// (docs/native.md, "Stacks with C frames").
		s.free()
	default:
		s.free()
		if s.co != nil {
			s.co.Doom()
		}
	}
}

// free gives back the context of a dead stack.
func (s *Stack) free() {
	if s.m.Freeing != nil {
		s.m.Freeing(s.Ctx)
	}
	s.Ctx.Free()
	s.Held, s.Inspection = nil, nil
	s.Entry, s.Data = nil, nil // an idle worker may refer to the stack for long
	s.m.alive.Add(-1)
}

// run is the job of a stack's worker.
func (s *Stack) run() *stack.Co {
	if s.runBody() {
		return nil
	}
	return s.end()
}

// end ends the stack. It returns the Co with which its thread continues.
func (s *Stack) end() *stack.Co {
	th, b := s.Th, s.next
	s.next, s.native = nil, 0
	s.state.End()
	th.adopt(b)
	s.free()
	if b == nil {
		return th.driver
	}
	return th.route(b)
}

// runBody runs the body. It reports whether the stack was killed from outside.
func (s *Stack) runBody() (doomed bool) {
	goexit := true
	defer func() {
		if r := recover(); r != nil {
			if stack.IsDoom(r) {
				doomed = true
			} else if _, ok := r.(unwind); !ok {
				s.Th.leftNative()
				s.Th.err = s.m.Fault(s.Th.cur, r) // of a guest, perhaps
			}
		} else if goexit {
			// Code of a client has called runtime.Goexit: the thread ends (docs/client.md, "The
			// client API"). The goroutine, which can no longer serve others, stays here.
			s.Th.leftNative()
			co := s.co
			co.Switch(s.end())
		}
	}()
	s.m.Body(s)
	goexit = false
	return false
}

// leftNative makes the thread running if a native was left by a panic or by runtime.Goexit.
func (th *Thread) leftNative() {
	if th.gc.Safe() {
		th.gc.LeaveSafe()
	}
}

// Errors with which Run ends.
var (
	ErrThreadExit  = errors.New("the Mu thread has exited")
	ErrStackKilled = errors.New("the Mu stack was killed")
	ErrBusy        = errors.New("the context is in use")
	ErrClosed      = errors.New("the threads of the VM were stopped")
)

// home is the additional state of a home stack.
type home struct {
	wake chan error  // the stack is bound again; with an error: it is to be unwound
	busy atomic.Bool // Run is active
	err  error       // why the stack was unwound
}
