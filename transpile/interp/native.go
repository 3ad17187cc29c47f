package interp

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Native calls and exposed functions (mu-language 11, mu-runtime 11). There is
// no native code here: what a program may call are the functions of the table
// in libc.go and its own exposed functions.

// exposure is one way to call a function from native code.
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
			return t.fail(native, "unexposing a function of .expose: "+e.fn.fn.Name)
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
			return t.failf(native, "no function is at address %#x", addr)
		}
		v, bad := t.callNative(name, vals, sig)
		switch {
		case t.m.over:
			return stop
		case bad.kind != noError:
			return t.misused(bad)
		case len(sig.Results) == 0:
			return t.deliver(nil)
		}
		return t.deliver([]Value{v})
	}, nil
}

// callback enters an exposed function from a native call: a native frame, and
// on it a frame that knows the cookie.
func (t *thread) callback(e *exposure, vals []Value, sig *ir.Type) action {
	if e.gone {
		return t.fail(native, "native code calls a function that is not exposed any more")
	}
	want := e.fn.sig()
	if !t.m.sameClasses(sig.Fields, want.Fields) || !t.m.sameClasses(sig.Results, want.Results) {
		return t.failf(badSignature, "%s is exposed with another signature", e.fn.fn.Name)
	}
	if t.stack.depth+1 >= t.m.cfg.StackLimit {
		return t.raise(t.stack.top, null, true)
	}
	_, c, a := t.target(Value{ref: e.fn}, e.fn.fn.Sig)
	if a != next {
		return a
	}
	t.stack.push(&frame{kind: nativeFrame, rare: &rareFrame{waits: want.Results}})
	if c == nil {
		return t.enterUndefined(e.fn, vals)
	}
	f := c.newFrame()
	f.extra().cookie = e.cookie
	t.stack.push(f)
	return t.deliver(vals)
}

// callNative calls a function of the native table.
func (t *thread) callNative(name string, vals []Value, sig *ir.Type) (Value, misuse) {
	n, ok := natives[name]
	if !ok {
		return null, misuse{native, fmt.Sprintf("the native function %s is not known to the interpreter", name)}
	}
	types := t.m.types
	if len(vals) != len(n.params) {
		return null, misuse{native, fmt.Sprintf("%s takes %d arguments, not %d", name, len(n.params), len(vals))}
	}
	for i, p := range n.params {
		if !fits(p, types.At(sig.Fields[i])) {
			return null, misuse{native, fmt.Sprintf("argument %d of %s has the type %s", i+1, name, types.String(sig.Fields[i]))}
		}
	}
	if len(sig.Results) == 1 && (n.result == 'v' || !fits(n.result, types.At(sig.Results[0]))) {
		return null, misuse{native, fmt.Sprintf("%s does not return a %s", name, types.String(sig.Results[0]))}
	}
	c := &nativeCall{t: t, args: vals, sig: sig}
	v := n.call(c)
	if len(sig.Results) == 1 {
		if r := types.At(sig.Results[0]); r.Kind == ir.KInt {
			v = truncate(v, r.Bits)
		}
	}
	return v, c.bad
}

// fits says whether a Mu type can stand for a C type: i an integer or pointer,
// d a double, f a float.
func fits(c rune, t *ir.Type) bool {
	switch c {
	case 'i':
		return t.Kind == ir.KInt && t.Bits <= 64 || isPointer(t)
	case 'd':
		return t.Kind == ir.KDouble
	case 'f':
		return t.Kind == ir.KFloat
	}
	return false
}

// nativeCall is one call of a native function.
type nativeCall struct {
	t    *thread
	args []Value
	sig  *ir.Type
	bad  misuse // what went wrong
}

// addr reads an argument as an address or unsigned number.
func (c *nativeCall) addr(i int) uint64 { return c.args[i].Lo }

// int reads an argument as a signed number of the width that the caller says.
func (c *nativeCall) int(i int) int64 {
	if t := c.t.m.types.At(c.sig.Fields[i]); t.Kind == ir.KInt {
		return signed(c.args[i].Lo, t.Bits)
	}
	return int64(c.args[i].Lo)
}

// bytes gives the n bytes at an address; after misuse they are some others.
func (c *nativeCall) bytes(addr, n uint64) []byte {
	b, bad := c.t.m.addresses.bytes(addr, n)
	if bad.kind != noError {
		c.bad = bad
	}
	return b
}

func (c *nativeCall) cstring(addr uint64) []byte {
	b, bad := c.t.m.addresses.cstring(addr)
	if bad.kind != noError {
		c.bad = bad
	}
	return b
}
