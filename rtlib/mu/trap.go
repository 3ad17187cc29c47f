package mu

import (
	"errors"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// TrapHandler handles a trap (docs/language.md, "Traps and watchpoints"): of a TRAP instruction or an
// undefined function, with wpid 0, or of an enabled WATCHPOINT. Meanwhile the thread is unbound and
// its stack is READY. ctx is only for this trap and closes when the handler returns. Handlers of
// several threads may run at the same time. A panic of the handler, or a fault in it, ends the
// process with a report of the kind NATIVE; runtime.Goexit in it ends the thread, like ThreadEnd.
type TrapHandler func(ctx *Ctx, thread ThreadRef, stack StackRef, wpid uint32) TrapResult

// TrapResult is the result of a trap handler: ThreadEnd, PassValues, PassArgs (see Pass) or ThrowExc, with values and
// stack of the trap's context (see Import). nil, or a stack that cannot be bound, is a fatal
// error of the program.
type TrapResult interface{ result() }

// ThreadEnd ends the trapped thread; its stack stays READY.
type ThreadEnd struct{}

func (ThreadEnd) result()  {}
func (PassValues) result() {}
func (PassArgs) result()   {}
func (ThrowExc) result()   {}

// SetTrapHandler makes h handle the traps; nil restores the default handler of programs.
// From then on deadlocks are not detected.
func (vm *VM) SetTrapHandler(h TrapHandler) {
	if h == nil {
		vm.core.SetTrapHandler(nil)
		return
	}
	vm.core.SetTrapHandler(func(t *core.Ctx, stack uintptr, _ *core.Site, wpid uint32) core.TrapResult {
		return vm.takeTrap(h, t, stack, wpid)
	})
}

func (vm *VM) takeTrap(h TrapHandler, t *core.Ctx, stack uintptr, wpid uint32) core.TrapResult {
	c := vm.NewContext()
	c.trap = t
	st := StackRef{(*held[StackRef])(c.addRef(core.SimpleType(core.VStackRef), stack))}
	c.thread = core.ThreadRef(t)
	if c.thread == 0 {
		core.Fail(t, core.OutOfMemory, "", "no memory for the reference to the trapped thread")
	}
	th := ThreadRef{(*held[ThreadRef])(c.addRef(core.SimpleType(core.VThreadRef), c.thread))}
	result := c.handle(t, stack, func() TrapResult { return h(c, th, st, wpid) })
	if vm.core.Halted() {
		c.forget()
		core.Heed(t)
	}
	r, kind, err := c.outcome(t, result)
	c.forget()
	if err != nil {
		c.broken(t, kind, err)
	}
	return r
}

// outcome carries out the result of a handler. An error is returned with the kind as which it is reported.
func (c *Ctx) outcome(t *core.Ctx, result TrapResult) (r core.TrapResult, kind core.Kind, err error) {
	if absent(result) {
		return r, core.UnhandledTrap, fail(BadArg, "nil")
	}
	how, ok := result.(Resumption)
	if !ok { // ThreadEnd
		r.Action = core.TrapThreadExit
		return r, 0, nil
	}
	stack := how.stack()
	if err = c.valid(stack.raw()); err == nil && stack.IsNull() {
		err = fail(Null, "the stack is NULL")
	}
	if err != nil {
		return r, core.StackState, err
	}
	r.Stack = stack.r[0]
	if err = how.valid(c); err != nil {
		return r, core.StackTypes, err
	}
	pass, flags, err := how.put(c, t, r.Stack)
	r.Action, r.Pass = core.TrapPassValues, pass
	if flags&core.ThrowExc != 0 {
		r.Action = core.TrapThrowExc
	}
	return r, core.StackTypes, err
}

// broken ends the execution of the thread because of the result of a handler.
func (c *Ctx) broken(t *core.Ctx, kind core.Kind, err error) {
	var e *Error
	errors.As(err, &e)
	core.Misuse(t, kind, string(e.Code), "the result of the trap handler: "+e.Msg)
}

// handle calls a handler for the trap of a stack, in a safe region. If the handler calls runtime.Goexit, the thread ends. A
// panic of the handler ends the process (docs/client.md, "The client API").
func (c *Ctx) handle(t *core.Ctx, stack uintptr, h func() TrapResult) (result TrapResult) {
	core.EnterSafe(t)
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil {
			core.HandlerPanicked(t, stack, r)
		}
		c.close()
		core.LeaveSafe(t)
	}()
	result = h()
	c.end()
	core.LeaveSafe(t)
	returned = true
	return result
}

// ThreadLocal returns the thread-local reference of the trapped thread; only in a trap
// handler.
func (c *Ctx) ThreadLocal(th ThreadRef) (Ref, error) {
	if err := c.trapped(th); err != nil {
		return Ref{}, err
	}
	var ref Ref
	err := c.do(func(*core.Ctx) error {
		ref = Ref{(*held[Ref])(c.addRef(core.TypeTo(core.VRef, core.SimpleType(core.VVoid)), core.ThreadLocal(c.trap)))}
		return nil
	})
	return ref, err
}

// SetThreadLocal sets the thread-local reference of the trapped thread; only in a trap
// handler.
func (c *Ctx) SetThreadLocal(th ThreadRef, ref Ref) error {
	if err := c.trapped(th); err != nil {
		return err
	}
	if err := c.check(ref.raw()); err != nil {
		return err
	}
	return c.do(func(*core.Ctx) error { core.SetThreadLocal(c.trap, ref.r[0]); return nil })
}

func (c *Ctx) trapped(th ThreadRef) error {
	p, err := c.referent(th.raw(), "thread")
	if err != nil {
		return err
	}
	if c.trap == nil || p != c.thread {
		return fail(NotInTrap, "the thread is not the one whose trap this context is for")
	}
	return nil
}
