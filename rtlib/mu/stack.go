package mu

import (
	"context"
	"errors"
	"io"

	rt "github.com/uvm2go/uvm2go/rtlib"
)

// Call calls a function on the stack of the context. An exception that leaves it is an
// *Exception, a run-time error an *Error. The function may take any time, and may trap.
func (c *Ctx) Call(f FuncRef, args ...Value) ([]Value, error) {
	e, err := c.function(f)
	if err != nil {
		return nil, err
	}
	if err := c.checkAll(args); err != nil {
		return nil, err
	}
	var results []Value
	err = c.do(func(t *rt.Ctx) error {
		n, err := intoTransfer(t, args)
		if err != nil {
			return err
		}
		if n != e.Func.Params {
			return fail(TypeMismatch, "%s is called with other values", e.Func.Name)
		}
		e.Func.Enter(t)
		if t.Thrown == 0 {
			results = c.fromTransfer(t, e.Results)
		}
		return nil
	})
	var exc *rt.Exception
	if errors.As(err, &exc) {
		ty := c.vm.to(rt.VRef, c.vm.simple(rt.VVoid))
		return nil, &Exception{Ref{handle: c.addRef(ty, exc.Ref)}, exc.Type}
	}
	return results, err
}

// CallContext is Call that returns early, with the error of ctx, when ctx is done. What was
// called cannot be interrupted: it goes on, on a goroutine of its own, and the context is
// busy (CtxBusy) until it ends.
func (c *Ctx) CallContext(ctx context.Context, f FuncRef, args ...Value) ([]Value, error) {
	if ctx.Done() == nil {
		return c.Call(f, args...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	type outcome struct {
		results []Value
		err     error
	}
	done := make(chan outcome, 1)
	go func() {
		res, err := c.Call(f, args...)
		done <- outcome{res, err}
	}()
	select {
	case o := <-done:
		return o.results, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// function returns the entity of a funcref.
func (c *Ctx) function(f FuncRef) (*rt.Entity, error) {
	if err := c.check(f.handle); err != nil {
		return nil, err
	}
	e := rt.EntityOfFunc(rt.FuncAt(f.address()))
	if e == nil {
		return nil, fail(Null, "the function is NULL")
	}
	return e, nil
}

func (c *Ctx) checkAll(vals []Value) error {
	for _, v := range vals {
		if err := c.check(raw(v)); err != nil {
			return err
		}
	}
	return nil
}

// Define gives a function the body of another one of the same signature: the next call
// enters it, and so does one that is tried again after it trapped (mu-runtime, 5.2). It
// works for functions that the bundles declare and do not define, or that a later bundle
// defines, and may be done again. Frames that exist go on as they are.
func (c *Ctx) Define(f, body FuncRef) error {
	to, err := c.function(f)
	if err != nil {
		return err
	}
	from, err := c.function(body)
	if err != nil {
		return err
	}
	return c.do(func(t *rt.Ctx) error { rt.Define(t, to.Func, from.Func); return nil })
}

// LoadBundle loads a bundle that was translated with the package, by -later: what it
// defines gets names and IDs, and calls enter its versions of functions from then on. The
// bundle is given by the name of its file, without folder, or by its text. It is an error
// if there is none (DynCode), it is loaded already (Conflict), or it uses something of
// another that is not (BadBundle); nothing has changed then.
func (c *Ctx) LoadBundle(name string) error {
	return c.do(func(t *rt.Ctx) error { rt.LoadBundle(t, name); return nil })
}

// LoadBundleText loads a bundle given as text (mu-runtime, D25). It may be the text of a bundle
// that was translated with the package, which is loaded as by LoadBundle, or declare types,
// signatures, constants, cells, functions and exposed functions of its own, using everything
// that is visible. What it declares is visible from then on; its functions trap when they are
// called, until a handler or Define gives them a body. On an error nothing is added; all errors
// of the text are in it, with line and column, and the code is that of the first: ParseFailed,
// BadBundle, Conflict for a name that exists, DynCode for a function with a body.
func (c *Ctx) LoadBundleText(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return c.do(func(t *rt.Ctx) error { rt.LoadText(t, string(text)); return nil })
}

// LoadHAIL runs a HAIL script (mu-runtime, 14.1): it makes objects, and stores into them
// and into global cells. A script with a syntax error (ParseFailed) does nothing; another
// error (BadHAIL) ends it where it is.
func (c *Ctx) LoadHAIL(script string) error {
	return c.do(func(t *rt.Ctx) error { rt.LoadHAIL(t, script); return nil })
}

// Expose gives native code a function pointer to call a function by, on the stack that
// called native code, with a cookie that only that call can ask for. It works for
// signatures to which the bundles have pointers: ufuncptr<sig> must be the type of a
// name in them. The calling convention is #DEFAULT, C's.
func (c *Ctx) Expose(f FuncRef, cookie uint64) (UFP, error) {
	e, err := c.function(f)
	if err != nil {
		return UFP{}, err
	}
	if e.CSig == nil {
		return UFP{}, fail(TypeMismatch, "%s: the bundles have no type of function pointers of its signature", e.Func.Name)
	}
	var p UFP
	err = c.do(func(t *rt.Ctx) error {
		p = UFP{handle: c.add(e.Pointer, []uint64{uint64(rt.ExposeFunc(t, f.address(), cookie, e.CSig))}, nil)}
		return nil
	})
	return p, err
}

// Unexpose takes a function pointer of Expose back. Calling it is an error from then on.
func (c *Ctx) Unexpose(p UFP) error {
	if err := c.check(p.handle); err != nil {
		return err
	}
	return c.do(func(t *rt.Ctx) error { rt.Unexpose(t, p.address()); return nil })
}

// NewStack makes a stack whose bottom frame is a function.
func (c *Ctx) NewStack(f FuncRef) (StackRef, error) {
	e, err := c.function(f)
	if err != nil {
		return StackRef{}, err
	}
	var s StackRef
	err = c.do(func(t *rt.Ctx) error {
		p := rt.NewStack(t, f.address())
		if p == 0 {
			return fail(OutOfMemory, "no memory for a stack of %s", e.Func.Name)
		}
		s = StackRef{handle: c.addRef(c.vm.simple(rt.VStackRef), p)}
		return nil
	})
	return s, err
}

// KillStack kills a READY stack.
func (c *Ctx) KillStack(s StackRef) error {
	p, err := c.referent(s.handle, "stack")
	if err != nil {
		return err
	}
	return c.do(func(t *rt.Ctx) error { rt.KillStack(t, p); return nil })
}

// Resumption is how a thread binds a stack: PassValues or ThrowExc.
type Resumption interface {
	put(c *Ctx, t *rt.Ctx) (pass uint32, flags rt.Flags, err error)
	held() []*handle
}

// PassValues resumes with values. Stack is for the results of trap handlers; NewThread
// ignores it.
type PassValues struct {
	Stack  StackRef
	Values []Value
}

// ThrowExc resumes by raising an exception, which may be NULL.
type ThrowExc struct {
	Stack StackRef
	Exc   Ref
}

func (p PassValues) put(c *Ctx, t *rt.Ctx) (uint32, rt.Flags, error) {
	n, err := intoTransfer(t, p.Values)
	return n, 0, err
}

func (p PassValues) held() []*handle {
	var l []*handle
	for _, v := range p.Values {
		l = append(l, raw(v))
	}
	return l
}

func (e ThrowExc) put(c *Ctx, t *rt.Ctx) (uint32, rt.Flags, error) {
	rt.X(t).R[0] = e.Exc.r[0]
	return 0, rt.ThrowExc, nil
}

func (e ThrowExc) held() []*handle { return []*handle{e.Exc.handle} }

// NewThread starts a thread on a READY stack. local is its thread-local reference, which
// may be the zero Ref.
func (c *Ctx) NewThread(s StackRef, local Ref, how Resumption) (ThreadRef, error) {
	p, err := c.referent(s.handle, "stack")
	if err != nil {
		return ThreadRef{}, err
	}
	if how == nil {
		return ThreadRef{}, fail(BadArg, "neither values nor an exception")
	}
	if err := c.check(how.held()...); err != nil {
		return ThreadRef{}, err
	}
	tl := uintptr(0)
	if local.handle != nil {
		if err := c.check(local.handle); err != nil {
			return ThreadRef{}, err
		}
		tl = local.r[0]
	}
	var th ThreadRef
	err = c.do(func(t *rt.Ctx) error {
		pass, flags, err := how.put(c, t)
		if err != nil {
			return err
		}
		ref := rt.NewThread(t, p, tl, pass, flags, nil)
		if ref == 0 {
			return fail(OutOfMemory, "no memory for a thread")
		}
		th = ThreadRef{handle: c.addRef(c.vm.simple(rt.VThreadRef), ref)}
		return nil
	})
	return th, err
}

// NewCursor opens a frame cursor at the top frame of a READY stack.
func (c *Ctx) NewCursor(s StackRef) (Cursor, error) {
	p, err := c.referent(s.handle, "stack")
	if err != nil {
		return Cursor{}, err
	}
	return c.cursor(func(t *rt.Ctx) uintptr { return rt.MetaNewCursor(t, p) })
}

func (c *Ctx) cursor(f func(t *rt.Ctx) uintptr) (Cursor, error) {
	var cur Cursor
	err := c.do(func(t *rt.Ctx) error {
		cur = Cursor{handle: c.addRef(c.vm.simple(rt.VCursorRef), f(t))}
		return nil
	})
	return cur, err
}

// onCursor does something with an open cursor.
func (c *Ctx) onCursor(cur Cursor, f func(t *rt.Ctx, p uintptr)) error {
	p, err := c.referent(cur.handle, "cursor")
	if err != nil {
		return err
	}
	return c.do(func(t *rt.Ctx) error { f(t, p); return nil })
}

// NextFrame moves a cursor one frame down.
func (c *Ctx) NextFrame(cur Cursor) error {
	return c.onCursor(cur, func(t *rt.Ctx, p uintptr) { rt.MetaNextFrame(t, p) })
}

// CopyCursor opens another cursor at the frame of one.
func (c *Ctx) CopyCursor(cur Cursor) (Cursor, error) {
	p, err := c.referent(cur.handle, "cursor")
	if err != nil {
		return Cursor{}, err
	}
	return c.cursor(func(t *rt.Ctx) uintptr { return rt.MetaCopyCursor(t, p) })
}

// CloseCursor closes a cursor. It must be done before the stack is bound.
func (c *Ctx) CloseCursor(cur Cursor) error {
	return c.onCursor(cur, func(t *rt.Ctx, p uintptr) { rt.MetaCloseCursor(t, p) })
}

// CurFunc returns the ID of the function of the cursor's frame; 0 for native code.
func (c *Ctx) CurFunc(cur Cursor) (ID, error) { return c.cursorID(cur, rt.MetaCurFunc) }

// CurFuncVer returns the ID of the version; 0 for native code and undefined functions.
func (c *Ctx) CurFuncVer(cur Cursor) (ID, error) { return c.cursorID(cur, rt.MetaCurFuncVer) }

// CurInst returns the ID of the instruction at which the frame rests; 0 for native code,
// undefined functions and frames that have not started.
func (c *Ctx) CurInst(cur Cursor) (ID, error) { return c.cursorID(cur, rt.MetaCurInst) }

func (c *Ctx) cursorID(cur Cursor, f func(t *rt.Ctx, p uintptr) uint32) (id ID, err error) {
	err = c.onCursor(cur, func(t *rt.Ctx, p uintptr) { id = ID(f(t, p)) })
	return id, err
}

// DumpKeepalives returns the values of the KEEPALIVE clause of the instruction at which
// the cursor's frame rests, the arguments for an undefined function.
func (c *Ctx) DumpKeepalives(cur Cursor) ([]Value, error) {
	var vals []Value
	err := c.onCursor(cur, func(t *rt.Ctx, p uintptr) {
		var types []*rt.VType
		for _, k := range rt.Keepalives(t, p) {
			types = append(types, k.Type)
		}
		vals = c.fromTransfer(t, types)
	})
	return vals, err
}

// PopFramesTo removes the frames above a cursor's (mu-runtime, section 7).
func (c *Ctx) PopFramesTo(cur Cursor) error {
	return c.onCursor(cur, func(t *rt.Ctx, p uintptr) { rt.MetaPopFramesTo(t, p) })
}

// PushFrame adds a frame of a function on top of a READY stack.
func (c *Ctx) PushFrame(s StackRef, f FuncRef) error {
	e, err := c.function(f)
	if err != nil {
		return err
	}
	p, err := c.referent(s.handle, "stack")
	if err != nil {
		return err
	}
	return c.do(func(t *rt.Ctx) error { rt.PushFrame(t, p, e.Func); return nil })
}
