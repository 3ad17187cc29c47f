package interp

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Exposed functions and native calls (docs/language.md, "Native code"; docs/native.md). There is
// no native code here: a program may call the functions of package clib, which the files libc*.go
// implement, and its own exposed functions.

// exposure is a function pointer for native code.
type exposure struct {
	fn     *function
	cookie uint64
	static bool // made by .expose
	gone   bool // unexposed
}

func (m *machine) newExposure(fn *function, cookie uint64, static bool) uint64 {
	addr := m.addresses.newCode()
	m.addresses.exposed[addr] = &exposure{fn: fn, cookie: cookie, static: static}
	return addr
}

// staticExposure is the address of an exposed function of a bundle.
func (m *machine) staticExposure(e *ir.Expose) uint64 {
	addr, ok := m.exposes[e]
	if !ok {
		var cookie uint64
		if e.Cookie != nil {
			cookie = e.Cookie.Lo
		}
		addr = m.newExposure(m.function(e.Func), cookie, true)
		m.exposes[e] = addr
	}
	return addr
}

func (d *decoder) expose(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, funcKind, intKind); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	x, cookie, to := d.operand(in.Args[0]), d.operand(in.Args[1]), d.result(in, 0)
	return func(t *thread, f *frame) action {
		fn, ok := x.get(f).ref.(*function)
		if !ok {
			return t.fail(nullFunc, "exposing NULL")
		}
		f.regs[to] = Value{Lo: t.m.newExposure(fn, cookie.lo(f), false)}
		return next
	}, nil
}

func (d *decoder) unexpose(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, []ir.Kind{ir.KUFuncPtr}); err != nil {
		return nil, err
	}
	x := d.operand(in.Args[0])
	return func(t *thread, f *frame) action {
		e := t.m.addresses.exposed[x.lo(f)]
		switch {
		case e == nil:
			return t.fail(native, "unexposing what is not exposed")
		case e.gone:
			return t.fail(native, "unexposing what is not exposed")
		case e.static:
			return t.fail(native, "unexposing a function of .expose: "+e.fn.fn.Called())
		}
		e.gone = true
		return next
	}, nil
}

func (d *decoder) ccall(in *ir.Inst) (step, error) {
	callee, args, sig, err := d.calleeArgs(in, ir.KUFuncPtr)
	if err != nil {
		return nil, err
	}
	if err := d.results(in, sig.Results...); err != nil {
		return nil, err
	}
	if len(sig.Results) > 1 {
		return nil, fmt.Errorf("%d results of a native function", len(sig.Results))
	}
	d.cur.waits = sig.Results
	return func(t *thread, f *frame) action {
		addr := callee.lo(f)
		if addr < nullZone {
			return t.fail(nullFunc, "calling native code at NULL")
		}
		vals := getAll(args, f)
		if e := t.m.addresses.exposed[addr]; e != nil {
			return t.callback(e, vals, sig)
		}
		name, ok := t.m.addresses.symbols[addr]
		if !ok {
			if fn := t.m.addresses.functions[addr]; fn != nil {
				return t.failf(badSignature, "function pointer type mismatch: %s is not exposed to native code", fn.fn.Called())
			}
			return t.failf(native, "bad function pointer: no function is at address %#x", addr)
		}
		c, bad := t.newNativeCall(name, vals, sig)
		if bad.kind != noError {
			return t.misused(bad)
		}
		return c.step(c.run())
	}, nil
}

// callback enters an exposed function from a native call: it pushes a native frame,
// and on it a frame that has the cookie.
func (t *thread) callback(e *exposure, vals []Value, sig *ir.Type) action {
	if e.gone {
		return t.fail(native, "native code calls a function that is not exposed any more")
	}
	want := e.fn.sig()
	if !t.m.sameClasses(sig.Fields, want.Fields) || !t.m.sameClasses(sig.Results, want.Results) {
		return t.failf(badSignature, "function pointer type mismatch: %s is exposed with another signature", e.fn.fn.Called())
	}
	return t.enterExposed(e, vals, nil)
}

// enterExposed enters an exposed function from native code: from c or, if c is nil, from a new native frame, which
// returns the result of the function.
func (t *thread) enterExposed(e *exposure, vals []Value, c *nativeCall) action {
	if t.stack.depth+1 >= t.m.cfg.StackLimit {
		return t.raise(t.stack.top, null, true)
	}
	_, code, a := t.target(Value{ref: e.fn}, e.fn.fn.Sig)
	if a != next {
		return a
	}
	waits := e.fn.sig().Results
	if c == nil || !c.framed {
		t.stack.push(&frame{kind: nativeFrame, rare: &rareFrame{native: c}})
	}
	if c != nil {
		c.framed = true
	}
	t.stack.top.rare.waits = waits
	if code == nil {
		return t.enterUndefined(e.fn, vals)
	}
	f := code.newFrame()
	f.extra().cookie = e.cookie
	t.stack.push(f)
	return t.deliver(vals)
}
