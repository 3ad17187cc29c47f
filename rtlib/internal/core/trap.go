package core

import (
	"fmt"
	"os"
	"strings"
	"unsafe"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// TrapHandler is a trap handler written in Go (docs/language.md, "Traps and watchpoints"). It runs
// on a separate stack, t, bound to the thread that trapped; stack is the trapped one, READY for
// the results of site. For an undefined function site.ID is 0. It must call EnterSafe before it
// blocks, and LeaveSafe afterwards.
type TrapHandler func(t *Ctx, stack uintptr, site *Site, wpid uint32) TrapResult

// TrapAction says how a trap handler ends.
type TrapAction uint8

const (
	TrapThreadExit TrapAction = iota // the thread ends; the trapped stack stays READY
	TrapPassValues                   // the thread continues on Stack, with values of list Pass in X(t)
	TrapThrowExc                     // the thread continues on Stack, with the exception in X(t).R[0]
)

// TrapResult is the result of a TrapHandler.
type TrapResult struct {
	Action TrapAction
	Stack  uintptr
	Pass   uint32
}

// handler is a trap handler, in Mu or in Go.
type handler struct {
	mu     *Func       // of @uvm.meta.set_trap_handler
	data   uintptr     // its third argument
	native TrapHandler // or one in Go
}

// trapAbort means that the mode of the default handler is abort, not print.
var trapAbort bool

// suspension is the Stack.Data of a stack that waits for its trap handler.
type suspension struct {
	site *Site
	wpid uint32
	w    []uint64 // keep-alive values; the references are in Stack.Held
}

// SetTrapHandler is @uvm.meta.set_trap_handler: f is a function of (stackref
// int<32> ref<void>) -> () (docs/language.md, "Traps and watchpoints").
//
//go:norace
//go:nocheckptr
func SetTrapHandler(t *Ctx, f, userdata uintptr) {
	if f == 0 {
		Fail(t, NullFunc, "", "the trap handler is NULL")
	}
	vmOf(t).trap.Store(&handler{mu: (*Func)(unsafe.Pointer(f)), data: userdata})
}

// SetGoTrapHandler is SetTrapHandler for the VM of the packages.
func SetGoTrapHandler(h TrapHandler) { first.SetTrapHandler(h) }

// SetTrapHandler makes h handle all traps of the VM; nil restores the default handler. From then on it
// is not an error if all threads wait: the client may wake them.
func (vm *VM) SetTrapHandler(h TrapHandler) {
	machine.Detect.Store(false)
	var n *handler
	if h != nil {
		n = &handler{native: h}
	}
	vms.mu.Lock()
	defer vms.mu.Unlock()
	vm.trap.Store(n)
}

// Trap is TRAP, wpid 0, or an enabled WATCHPOINT. The keep-alive values are in X(t), in
// order. On return the results are there, or t.Thrown is set.
func Trap(t *Ctx, site *Site, wpid uint32) {
	h := vmOf(t).trap.Load()
	if gc.TrapTrace {
		traceTrap(t, site, wpid)
	}
	if h != nil {
		h.take(t, site, wpid)
		return
	}
	if trapAbort {
		Fail(t, UnhandledTrap, site.trap(), "")
	}
	say(t, trapLine(X(t), site))
	if site.Results != 0 {
		Fail(t, UnhandledTrap, site.trap(), "the trap wants results ("+list(site.Results).String()+")")
	}
}

// trap is how reports call the trap of a site. One without a name has a number in its function, by which it is told
// from others on its line.
func (s *Site) trap() string {
	if s.Where == "" {
		if number, ok := strings.CutPrefix(s.Name, s.Func.plain()+"+"); ok {
			return s.Func.called() + "+" + number
		}
	}
	return s.Where
}

// NeedBody fails if a function has no body and no trap handler could give it one. A tail call asks before it removes
// its frame, so that the report names the frame.
func NeedBody(t *Ctx, f *Func) {
	if !f.Defined && f.ID < firstHost && vmOf(t).trap.Load() == nil {
		noBody(t, f)
	}
}

func noBody(t *Ctx, f *Func) { Fail(t, UndefinedFunction, "", f.called()+" has no definition") }

// Undefined is called by the thunk of an undefined function, with the arguments in X(t)
// (docs/language.md, "Definitions"). It returns true, with the arguments in X(t) again, if the call
// must be repeated, and false if t.Thrown is set or the call was only made to ask the client.
func Undefined(t *Ctx, f *Func) bool {
	asking := X(t).asking
	X(t).asking = false
	h := vmOf(t).trap.Load()
	if h == nil {
		noBody(t, f)
	}
	x, n := X(t), list(f.Params)
	fp, ok := restUndefined(t, f)
	if !ok {
		return false
	}
	s := thread.Of(t)
	w := append([]uint64(nil), x.W[:n.W]...)
	r := append([]uintptr(nil), x.R[:n.R]...)
	outer, data := s.Held, s.Data
	h.deliver(t, &suspension{site: &Site{Name: f.plain(), Where: f.called(), Func: f}, w: w}, r)
	s.Held, s.Data = outer, data
	if fp != 0 {
		t.SP = fp
	}
	if t.Thrown != 0 {
		return false // values may be in X(t), see Land
	}
	if asking {
		return false
	}
	x = X(t)
	copy(x.W, w)
	copy(x.R, r)
	return true
}

// take passes the trap to the handler.
func (h *handler) take(t *Ctx, site *Site, wpid uint32) {
	x := X(t)
	var n List
	for _, k := range site.Keep {
		k.Type.count(&n)
	}
	s := thread.Of(t)
	sus := &suspension{site: site, wpid: wpid, w: append([]uint64(nil), x.W[:n.W]...)}
	h.deliver(t, sus, append([]uintptr(nil), x.R[:n.R]...))
	s.Held, s.Data = nil, nil
	Heed(t)
}

// deliver leaves the stack, which can then be resumed with the results of the site, and runs
// the handler on a new stack. It returns when the stack was bound again.
func (h *handler) deliver(t *Ctx, sus *suspension, refs []uintptr) {
	s := thread.Of(t)
	s.Held, s.Data = refs, sus
	ref := s.Object(t)
	if ref == 0 {
		Fail(t, OutOfMemory, sus.site.where(), "")
	}
	var entry any = h.mu
	pass := uint32(0)
	if h.mu == nil {
		entry = func(t *Ctx) { h.run(t, sus) }
	} else {
		pass = h.mu.Params
	}
	hs := machine.NewStack(t, entry, pass)
	if hs == nil {
		Fail(t, NoResource, sus.site.where(), "no stack for the trap handler")
	}
	hs.State().Bind(pass, true)
	x := X(t)
	x.R[0], x.W[0], x.R[1] = ref, uint64(sus.wpid), h.data
	s.Th.Swap(hs, sus.site.Results)
	resumed(t)
}

// run is the bottom of the stack of a handler in Go.
func (h *handler) run(t *Ctx, sus *suspension) {
	x := X(t)
	th := thread.Of(t).Th
	ref := x.R[0]
	th.Kept = ref
	result := h.ask(t, ref, sus)
	th.Kept = 0
	Heed(t)
	var flags Flags
	switch result.Action {
	case TrapPassValues:
	case TrapThreadExit:
		ThreadExit(t)
	case TrapThrowExc:
		flags = ThrowExc
	default:
		panic(fmt.Sprintf("trap handler with the answer %d", result.Action))
	}
	SwapStack(t, result.Stack, result.Pass, 0, flags|KillOld, sus.site)
}

// ask calls a handler in Go.
func (h *handler) ask(t *Ctx, ref uintptr, sus *suspension) TrapResult {
	return h.native(t, ref, sus.site, sus.wpid)
}

// traceTrap writes the line of a trap for UVMDEBUG=traptrace=1.
func traceTrap(t *Ctx, site *Site, wpid uint32) {
	var b strings.Builder
	b.WriteString("uvm: trap ")
	b.WriteString(lex.Visible(site.Name))
	if wpid != 0 {
		b.WriteString(" watchpoint ")
		b.WriteString(uitoa(uint64(wpid)))
	}
	b.WriteString(" in thread ")
	b.WriteString(uitoa(uint64(thread.Of(t).Th.Number)))
	b.WriteString("\n")
	os.Stderr.WriteString(b.String())
}
