package interp

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// nativeCall is one call of a native function.
type nativeCall struct {
	t    *thread
	name string
	do   func(*nativeCall) Value
	want clib.Sig // the signature in C
	sig  *ir.Type // the signature in the program
	args []Value
	w    []uint64 // arguments in the form of C, see word
	bad  misuse   // the first misuse

	// What the function needs before it continues; at most one of these is set.
	back  uint64   // the function pointer to call, 0 for none
	pass  []uint64 // the arguments for back
	sleep int64    // virtual nanoseconds to wait

	then   func(result Value) Value // continues after the call of back
	framed bool                     // has a native frame, because it has called back
}

// newNativeCall checks the arguments of a call.
func (t *thread) newNativeCall(name string, vals []Value, sig *ir.Type) (*nativeCall, misuse) {
	row, do := clib.Table[name], natives[name]
	if l, ok := loader[name]; ok {
		row, do = l.row, l.do
	}
	if do == nil {
		return nil, misuse{native, fmt.Sprintf("the native function %s is not known to the interpreter", name)}
	}
	c := &nativeCall{t: t, name: name, do: do, want: row.Signature(), sig: sig, args: vals}
	types := t.m.types
	most := len(c.want.Params)
	if len(vals) < c.want.Least || len(vals) > most && !c.want.Variadic {
		return nil, misuse{native, fmt.Sprintf("%s takes %d arguments, not %d", name, most, len(vals))}
	}
	for i := range vals {
		ty := types.At(sig.Fields[i])
		class := byte('*')
		if i < most {
			class = c.want.Params[i]
		}
		if !fits(class, ty) {
			return nil, misuse{native, fmt.Sprintf("argument %d of %s has the type %s", i+1, name, types.String(sig.Fields[i]))}
		}
		c.w = append(c.w, word(class, ty, vals[i]))
	}
	for len(c.w) < most {
		c.w = append(c.w, 0)
	}
	if len(sig.Results) == 1 && (c.want.Result == 'v' || !fits(c.want.Result, types.At(sig.Results[0]))) {
		return nil, misuse{native, fmt.Sprintf("%s does not return a %s", name, types.String(sig.Results[0]))}
	}
	return c, misuse{}
}

// fits reports whether a Mu type can stand for a class of C types: d is a double, f a float, * any argument after the
// parameters, other classes are integers or pointers.
func fits(class byte, t *ir.Type) bool {
	number := t.Kind == ir.KInt && t.Bits <= 64 || isPointer(t)
	switch class {
	case 'd':
		return t.Kind == ir.KDouble
	case 'f':
		return t.Kind == ir.KFloat
	case '*':
		return number || t.Kind == ir.KDouble || t.Kind == ir.KFloat
	}
	return number
}

// word is an argument in the form of C: narrow integers are sign-extended to 32 bits
// (docs/native.md, "Values"), an int parameter is the low 32 bits, signed, and a float after
// the parameters is a double.
func word(class byte, t *ir.Type, v Value) uint64 {
	x := v.Lo
	if t.Kind == ir.KInt && t.Bits < 32 {
		x = uint64(uint32(signed(x, t.Bits)))
	}
	switch {
	case class == 'i':
		return uint64(int64(int32(x)))
	case class == '*' && t.Kind == ir.KFloat:
		return Float64(float64(v.AsFloat32())).Lo
	}
	return x
}

// run calls the function for the first time.
func (c *nativeCall) run() Value { return c.do(c) }

// step does what the function needs, and returns from it when it needs nothing more; v is then its result.
func (c *nativeCall) step(v Value) action {
	t := c.t
	for {
		switch {
		case t.m.over:
			return stop
		case c.bad.kind != noError:
			return t.misused(c.bad)
		case c.sleep > 0:
			t.m.waiting = append(t.m.waiting, &waiter{thread: t, timed: true, deadline: t.m.now() + c.sleep,
				sleep: func() { t.deliver(c.results(v)) }})
			t.m.unready(t)
			return yield
		case c.back == 0:
			if c.framed {
				t.stack.pop()
			}
			return t.deliver(c.results(v))
		}
		f := c.back
		c.back = 0
		if e := t.m.addresses.exposed[f]; e != nil {
			return c.enter(e)
		}
		name, ok := t.m.addresses.symbols[f]
		if !ok {
			return t.failf(native, "bad function pointer: there is no native function at %#x", f)
		}
		inner, bad := t.newNativeCall(name, c.passed(), c.passedSig())
		if bad.kind != noError {
			return t.misused(bad)
		}
		r := inner.run()
		c.bad = inner.bad
		v = c.then(r)
	}
}

// enter calls an exposed function back.
func (c *nativeCall) enter(e *exposure) action {
	if e.gone {
		return c.t.fail(native, "native code calls a function that is not exposed any more")
	}
	sig := e.fn.sig()
	ok := len(sig.Fields) == len(c.pass) && len(sig.Results) == 1
	for _, p := range append(sig.Fields[:len(sig.Fields):len(sig.Fields)], sig.Results...) {
		ok = ok && fits('l', c.t.m.types.At(p))
	}
	if !ok {
		return c.t.failf(native, "%s is exposed with another signature than native code calls it with", e.fn.fn.Called())
	}
	return c.t.enterExposed(e, c.passed(), c)
}

func (c *nativeCall) passed() []Value {
	vals := make([]Value, len(c.pass))
	for i, w := range c.pass {
		vals[i] = Value{Lo: w}
	}
	return vals
}

// passedSig is the signature of the function that is called back: pointers as parameters, an int as result.
func (c *nativeCall) passedSig() *ir.Type {
	types := c.t.m.types
	sig := &ir.Type{Kind: ir.KSig, Results: []ir.TypeID{types.Int(32)}}
	for range c.pass {
		sig.Fields = append(sig.Fields, types.Int(64))
	}
	return sig
}

// results are the results of the CCALL: an int has 32 bits, and the program's type may cut off more.
func (c *nativeCall) results(v Value) []Value {
	if len(c.sig.Results) == 0 {
		return nil
	}
	if c.want.Result == 'i' {
		v.Lo = uint64(uint32(v.Lo))
	}
	if r := c.t.m.types.At(c.sig.Results[0]); r.Kind == ir.KInt {
		v = truncate(v, r.Bits)
	}
	return []Value{v}
}

// addr reads an argument as an address or unsigned number.
func (c *nativeCall) addr(i int) uint64 { return c.w[i] }

// int reads an argument as a signed number.
func (c *nativeCall) int(i int) int64 { return int64(c.w[i]) }

// bytes returns the n bytes at an address; after a misuse it returns other memory of that size.
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

// Numbers of errors, as all Unix systems have them.
const (
	errNoEntry  = 2
	errIO       = 5
	errBadFile  = 9
	errNoMemory = 12
	errAccess   = 13
	errExist    = 17
	errInvalid  = 22
	errPipe     = 29 // seeking is not possible
	errDomain   = 33
	errRange    = 34
	errOverflow = 75 // of Linux
)

// errno is the memory of the stack's errno.
func (c *nativeCall) errno() *unit {
	s := c.t.stack
	if s.errno == nil {
		s.errno = c.t.m.nativeBlock(4)
	}
	return s.errno
}

// fail sets errno.
func (c *nativeCall) fail(number int64) { storeBytes(c.errno().data, Value{Lo: uint64(number)}) }

// failIf sets errno if a condition holds.
func (c *nativeCall) failIf(bad bool, number int64) {
	if bad {
		c.fail(number)
	}
}
