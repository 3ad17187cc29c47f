package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// NewStack makes a stack whose bottom frame is a function.
func (c *Ctx) NewStack(f FuncRef) (StackRef, error) {
	e, err := c.function(f)
	if err != nil {
		return StackRef{}, err
	}
	var s StackRef
	err = c.do(func(t *core.Ctx) error {
		p := core.NewStack(t, f.raw().address())
		if p == 0 {
			return fail(OutOfMemory, "no memory for a stack of %s", e.Func.Name)
		}
		s = StackRef{(*held[StackRef])(c.addRef(core.SimpleType(core.VStackRef), p))}
		return nil
	})
	return s, err
}

// KillStack kills a READY stack.
func (c *Ctx) KillStack(s StackRef) error {
	p, err := c.referent(s.raw(), "stack")
	if err != nil {
		return err
	}
	return c.do(func(t *core.Ctx) error { core.KillStack(t, p); return nil })
}

// Awaits returns, for each value that a READY stack waits for, a type of its machine class: for an int or a pointer the
// type itself or one that is passed in the same way; the zero Type for references and composite values. For a stack that
// is not READY it returns nil.
func (c *Ctx) Awaits(s StackRef) ([]Type, error) {
	p, err := c.referent(s.raw(), "stack")
	if err != nil {
		return nil, err
	}
	var types []Type
	err = c.do(func(*core.Ctx) error {
		for _, ty := range core.Awaits(p) {
			types = append(types, c.awaited(ty))
		}
		return nil
	})
	return types, err
}

// awaited is a type of Awaits as clients see it.
func (c *Ctx) awaited(v *core.VType) Type {
	if v == nil {
		return Type{}
	}
	return c.typ(v)
}

// Resumption says with what a thread resumes a stack: PassValues, PassArgs (see Pass) or ThrowExc.
type Resumption interface {
	put(c *Ctx, t *core.Ctx, stack uintptr) (pass uint32, flags core.Flags, err error)
	valid(c *Ctx) error // checks that the values belong to the context
	stack() StackRef
}

// PassValues resumes with values. Stack is for the results of trap handlers; NewThread
// ignores it.
type PassValues struct {
	Stack  StackRef
	Values []Value
}

// PassArgs is PassValues with arguments as for Ctx.Call: a plain Go value goes where the stack waits for a number or a
// pointer that it fits.
type PassArgs struct {
	Stack StackRef
	Args  []any
}

// Pass returns what resumes a stack with arguments as for Ctx.Call: the result of a trap handler, or for NewThread, which
// ignores the stack.
//
//	return mu.Pass(stack, 12, 0.5)
func Pass(stack StackRef, args ...any) PassArgs { return PassArgs{stack, args} }

// ThrowExc resumes by raising an exception, which may be NULL.
type ThrowExc struct {
	Stack StackRef
	Exc   Ref
}

func (p PassValues) put(c *Ctx, t *core.Ctx, stack uintptr) (uint32, core.Flags, error) {
	n, err := c.toStack(t, stack, []any{p.Values})
	return n, 0, err
}

func (p PassValues) valid(c *Ctx) error { return c.allValid(p.Values) }

func (p PassValues) stack() StackRef { return p.Stack }

func (p PassArgs) put(c *Ctx, t *core.Ctx, stack uintptr) (uint32, core.Flags, error) {
	n, err := c.toStack(t, stack, p.Args)
	return n, 0, err
}

func (p PassArgs) valid(c *Ctx) error { return c.allGiven(p.Args) }

func (p PassArgs) stack() StackRef { return p.Stack }

func (e ThrowExc) put(c *Ctx, t *core.Ctx, _ uintptr) (uint32, core.Flags, error) {
	core.X(t).R[0] = e.Exc.r[0]
	return 0, core.ThrowExc, nil
}

func (e ThrowExc) valid(c *Ctx) error { return c.valid(e.Exc.raw()) }

func (e ThrowExc) stack() StackRef { return e.Stack }

// NewThread starts a thread on a READY stack. local is its thread-local reference, which
// may be the zero Ref.
func (c *Ctx) NewThread(s StackRef, local Ref, how Resumption) (ThreadRef, error) {
	p, err := c.referent(s.raw(), "stack")
	if err != nil {
		return ThreadRef{}, err
	}
	if absent(how) {
		return ThreadRef{}, fail(BadArg, "neither values nor an exception")
	}
	if err := how.valid(c); err != nil {
		return ThreadRef{}, err
	}
	tl := uintptr(0)
	if local.raw() != nil {
		if err := c.check(local.raw()); err != nil {
			return ThreadRef{}, err
		}
		tl = local.r[0]
	}
	var th ThreadRef
	err = c.do(func(t *core.Ctx) error {
		pass, flags, err := how.put(c, t, p)
		if err != nil {
			return err
		}
		ref := core.NewThreadAfter(t, p, tl, pass, flags, nil, c.vm.gate())
		if ref == 0 {
			return fail(OutOfMemory, "no memory for a thread")
		}
		th = ThreadRef{(*held[ThreadRef])(c.addRef(core.SimpleType(core.VThreadRef), ref))}
		return nil
	})
	return th, err
}
