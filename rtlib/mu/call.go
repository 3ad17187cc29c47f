package mu

import (
	"context"
	"errors"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Call calls a function on the stack of the context. An argument is a Value of the context, or a plain Go
// value: any integer that fits the int<n>, a bool for an int<1>, a float for a float or double that can
// represent it exactly, a uintptr for a pointer. A []Value or a []any among the arguments stands for its
// elements, so that a list of values is passed as Call(f, list). If an argument does not fit, Call returns an error
// (OutOfRange, TypeMismatch, or BadHandle for a nil Value) and does not call the function. An exception that leaves the function is
// returned as an *Exception, a run-time error as an *Error. The function may run for any time, and may
// trap.
func (c *Ctx) Call(f FuncRef, args ...any) ([]Value, error) {
	var results []Value
	err := c.enter(f, args, nil, func(t *core.Ctx, e *core.Entity) { results = c.fromTransfer(t, e.Results) })
	return results, err
}

// Results are pointers to variables for the results of a function, one for each: to a Go integer for an
// int<n> with no more bits, to a bool for an int<1>, to a float32 or float64 for a float, to a float64 for
// a double, to a uintptr for a pointer. For all results it may be a pointer to a Value or to a variable of
// the result's own type of value, such as Ref.
//
//	var quotient, remainder int64
//	err := ctx.CallInto(divide, mu.Results{&quotient, &remainder}, 17, 5)
type Results []any

// CallInto is Call, but stores the results in variables; results in plain Go variables get no handle. If a
// variable does not fit its result, CallInto returns an error (TypeMismatch, or BadArg for a nil pointer) and does not
// call the function.
// A Go int has the width of the machine's word, so it fits an int<64> only on some machines.
func (c *Ctx) CallInto(f FuncRef, results Results, args ...any) error {
	if results == nil {
		results = Results{}
	}
	return c.enter(f, args, results, func(t *core.Ctx, e *core.Entity) { c.store(t, e.Results, results) })
}

// Literals reads the arguments of a call of a function from a text, separated by commas, in the form of
// uvm2go run -call: numbers, lists of them in brackets, NULL for references. It returns an error (BadArg) if
// the text does not fit the parameters, and another (DynCode) in programs that cannot load code (-live).
func (c *Ctx) Literals(f FuncRef, text string) ([]Value, error) {
	e, err := c.function(f)
	if err != nil {
		return nil, err
	}
	if core.Engine.Literals == nil {
		return nil, fail(DynCode, "the program has no engine for code that arrives at run time")
	}
	w, r, err := core.Engine.Literals(c.vm.core, e, e.Func.Name, text)
	if err != nil {
		return nil, fail(BadArg, "%v", err)
	}
	vals := make([]Value, len(w))
	for i := range vals {
		vals[i] = wrap(c.add(e.Params[i], w[i], r[i]))
	}
	return vals, nil
}

// Call1 is CallInto for a function with one result.
//
//	d, err := mu.Call1[int64](ctx, gcd, 48, 36)
func Call1[R any](ctx *Ctx, f FuncRef, args ...any) (R, error) {
	var r R
	err := ctx.CallInto(f, Results{&r}, args...)
	return r, err
}

// enter calls a function and then take, which gets the results from the transfer area. into, if not nil, is
// checked first. args and into do not escape, so they are not allocated on the heap.
func (c *Ctx) enter(f FuncRef, args, into []any, take func(t *core.Ctx, e *core.Entity)) error {
	e, err := c.function(f)
	if err != nil {
		return err
	}
	if into != nil {
		if err := suit(e, into); err != nil {
			return err
		}
	}
	if n := count(args); n != len(e.Params) {
		return fail(TypeMismatch, "%s is called with %d arguments, want %d", e.Func.Name, n, len(e.Params))
	}
	err = c.do(func(t *core.Ctx) error {
		p := passing{ctx: c, x: core.X(t), to: e.Params, name: e.Func.Name}
		if err := p.all(args); err != nil {
			return err
		}
		defer c.running.begin(t).end()
		e.Func.Enter(t)
		core.Heed(t) // the function may have come to no safepoint after what cannot be interrupted
		if t.Thrown == 0 {
			take(t, e)
		}
		return nil
	})
	if err != nil {
		return c.caught(err)
	}
	return nil
}

// caught converts an exception that left a function to an *Exception of this package.
func (c *Ctx) caught(err error) error {
	var exc *core.Exception
	if errors.As(err, &exc) {
		ty := core.TypeTo(core.VRef, core.SimpleType(core.VVoid))
		return &Exception{Ref{(*held[Ref])(c.addRef(ty, exc.Ref))}, exc.Type, exc}
	}
	return err
}

// store moves results from the transfer area into variables that fit them.
func (c *Ctx) store(t *core.Ctx, types []*core.VType, into []any) {
	x := core.X(t)
	w, r := 0, 0
	for i, ty := range types {
		nw, nr := ty.Width()
		if !toGo(ty, x.W[w:w+nw], into[i]) {
			h := c.add(ty, x.W[w:w+nw], x.R[r:r+nr])
			if p, ok := into[i].(*Value); ok {
				*p = wrap(h)
			} else if at, _, ok := variable(into[i]); ok {
				*at = h
			}
		}
		w, r = w+nw, r+nr
	}
}

// fromTransfer makes handles for the values in the transfer area.
func (c *Ctx) fromTransfer(t *core.Ctx, types []*core.VType) []Value {
	if len(types) == 0 {
		return nil
	}
	x := core.X(t)
	w, r := 0, 0
	out := make([]Value, len(types))
	for i, ty := range types {
		nw, nr := ty.Width()
		out[i] = wrap(c.add(ty, x.W[w:w+nw], x.R[r:r+nr]))
		w, r = w+nw, r+nr
	}
	return out
}

// CallContext is Call, but returns early, with the error of ctx, when ctx is done. It also interrupts the called
// function (Interrupt), which runs on a separate goroutine. The context is busy (CtxBusy) until the function has ended.
func (c *Ctx) CallContext(ctx context.Context, f FuncRef, args ...any) ([]Value, error) {
	if absent(ctx) {
		return nil, errNoContext
	}
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
		o := outcome{err: fail(ThreadExit, "a native has ended the goroutine of the call")}
		defer func() { done <- o }()
		o.results, o.err = c.Call(f, args...)
	}()
	select {
	case o := <-done:
		return o.results, o.err
	case <-ctx.Done():
		c.Interrupt()
		return nil, ctx.Err()
	}
}

var errNoContext = fail(BadArg, "the context.Context is nil")

// function returns the entity of a funcref.
func (c *Ctx) function(f FuncRef) (*core.Entity, error) {
	if err := c.check(f.raw()); err != nil {
		return nil, err
	}
	e := c.vm.core.EntityOfFunc(core.FuncAt(f.raw().address()))
	if e == nil {
		return nil, fail(Null, "the function is NULL")
	}
	return e, nil
}
