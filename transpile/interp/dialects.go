package interp

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Operations that only other dialects than Mu have.

// shift is SHLFAR, LSHRFAR, ASHRFAR, ROTL and ROTR. The count is a number of any
// width, taken as unsigned.
func (d *decoder) shift(in *ir.Inst) (step, error) {
	if err := d.operands(in, in.Ty, in.Ty2); err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty); err != nil {
		return nil, err
	}
	t, vector := d.laneType(in.Ty)
	u, vector2 := d.laneType(in.Ty2)
	if t.Kind != ir.KInt || u.Kind != ir.KInt || vector != vector2 || vector && d.types.At(in.Ty).Len != d.types.At(in.Ty2).Len {
		return nil, d.mistyped(in)
	}
	f := shiftOp(in.Op, t.Bits, u.Bits)
	if vector {
		f = lanes(f)
	}
	x, y, to := d.operand(in.Args[0]), d.operand(in.Args[1]), d.result(in, 0)
	return func(_ *thread, fr *frame) action {
		fr.regs[to] = f(x.get(fr), y.get(fr))
		return next
	}, nil
}

// shiftOp computes with numbers of any size: x is n bits wide, the count m.
func shiftOp(op ir.Op, n, m uint32) valueOp {
	return func(x, y Value) Value {
		v, k, width := x.BigInt(n, op == ir.OpAShrFar), y.BigInt(m, false), big.NewInt(int64(n))
		switch op {
		case ir.OpShlFar:
			if k.Cmp(width) >= 0 {
				return Value{}
			}
			return FromBigInt(v.Lsh(v, uint(k.Uint64())), n)
		case ir.OpLShrFar, ir.OpAShrFar:
			if k.Cmp(width) >= 0 {
				k = width // leaves 0, or the sign
			}
			return FromBigInt(v.Rsh(v, uint(k.Uint64())), n)
		}
		r := uint(k.Mod(k, width).Uint64())
		if op == ir.OpRotR {
			r = (uint(n) - r) % uint(n)
		}
		low := new(big.Int).Rsh(v, uint(n)-r)
		return FromBigInt(v.Or(v.Lsh(v, r), low), n)
	}
}

// word is ZEXTWORD and SEXTWORD.
func (d *decoder) word(in *ir.Inst) (step, error) {
	x, to, err := d.unary(in, intKind)
	if err != nil {
		return nil, err
	}
	extend := func(v Value) Value { return v }
	if in.Op == ir.OpSExtWord {
		extend = func(v Value) Value { return signExtend(v, wordBits) }
	}
	return func(_ *thread, fr *frame) action {
		fr.regs[to] = truncate(extend(truncate(Value{Lo: x.lo(fr)}, wordBits)), 64)
		return next
	}, nil
}

// fail is FAIL: the kind of the error is the immediate, the text a constant.
func (d *decoder) fail(in *ir.Inst) (step, error) {
	if len(in.Args) != 1 || in.Imm >= uint64(ir.NumFailures) {
		return nil, d.mistyped(in)
	}
	c := d.v.Values[in.Args[0]].Const
	if c == nil || c.Kind != ir.ConstBytes {
		return nil, fmt.Errorf("the text is no constant of bytes")
	}
	k, text := failures[in.Imm], c.Bytes
	return func(t *thread, _ *frame) action { return t.fail(k, text) }, nil
}

// failIndex is FAILINDEX.
func (d *decoder) failIndex(in *ir.Inst) (step, error) {
	if len(in.Args) != 3 {
		return nil, d.mistyped(in)
	}
	c := d.v.Values[in.Args[2]].Const
	if c == nil || c.Kind != ir.ConstBytes {
		return nil, fmt.Errorf("the text is no constant of bytes")
	}
	index, length := d.operand(in.Args[0]), d.operand(in.Args[1])
	return func(t *thread, fr *frame) action {
		return t.failf(bounds, "index %d out of range [0,%d)%s", index.lo(fr), length.lo(fr), c.Bytes)
	}, nil
}

func (d *decoder) unreachable(in *ir.Inst) (step, error) {
	return func(t *thread, _ *frame) action { return t.fail(unreachable, "") }, nil
}

// funcAddr is FUNCADDR. A function gets its address at the first request.
func (d *decoder) funcAddr(in *ir.Inst) (step, error) {
	return d.apply(in, funcKind, func(t *thread, x Value) (Value, action) {
		if fn, ok := x.ref.(*function); ok {
			return Value{Lo: t.m.addresses.function(fn)}, next
		}
		return Value{}, next
	})
}

// funcAt is FUNCAT.
func (d *decoder) funcAt(in *ir.Inst) (step, error) {
	if len(in.Args) != 2 {
		return nil, d.mistyped(in)
	}
	c := d.v.Values[in.Args[1]].Const
	if c == nil || c.Kind != ir.ConstBytes {
		return nil, fmt.Errorf("the text is no constant of bytes")
	}
	sig, text := in.Sig, c.Bytes
	one := *in
	one.Args = in.Args[:1]
	return d.apply(&one, uptrKind, func(t *thread, x Value) (Value, action) {
		if x.Lo == 0 && text == "" {
			return null, next
		}
		if x.Lo == 0 {
			return null, t.fail(nullFunc, text)
		}
		fn := t.m.addresses.functions[x.Lo]
		if fn == nil {
			return null, t.fail(badSignature, "bad function pointer: no function is at the address")
		}
		if !t.m.fits(fn, sig) {
			return null, t.failf(badSignature, "function pointer type mismatch: %s has another signature", fn.fn.Called())
		}
		return Value{ref: fn}, next
	})
}

// fits reports whether parameters and results of a function are of the machine classes
// of a signature.
func (m *machine) fits(fn *function, sig ir.TypeID) bool {
	have, want := fn.sig(), m.types.At(sig)
	return m.sameLooseClasses(have.Fields, want.Fields) && m.sameLooseClasses(have.Results, want.Results)
}

// function is the address of a function.
func (a *addresses) function(fn *function) uint64 {
	for addr, f := range a.functions {
		if f == fn {
			return addr
		}
	}
	addr := a.newCode()
	a.functions[addr] = fn
	return addr
}

// allocaMark is ALLOCAMARK: the number of cells of the frame.
func (d *decoder) allocaMark(in *ir.Inst) (step, error) {
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	to := d.result(in, 0)
	return func(_ *thread, fr *frame) action {
		n := 0
		if fr.rare != nil {
			n = len(fr.rare.cells)
		}
		fr.regs[to] = Value{Lo: uint64(n)}
		return next
	}, nil
}

// allocaReset is ALLOCARESET.
func (d *decoder) allocaReset(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, intKind); err != nil {
		return nil, err
	}
	x := d.operand(in.Args[0])
	return func(t *thread, fr *frame) action {
		if fr.rare == nil {
			return next
		}
		for n := x.lo(fr); uint64(len(fr.rare.cells)) > n; {
			last := len(fr.rare.cells) - 1
			fr.rare.cells[last].dead = true
			t.m.addresses.retire(fr.rare.cells[last])
			fr.rare.cells = fr.rare.cells[:last]
		}
		return next
	}, nil
}

// elements returns the place of the first of n elements at a location, which must all
// exist. If n is 0, only the location is checked.
func (t *thread) elements(v Value, ptr bool, s *shape, n uint64) (u *unit, off uint64, isNull bool, m misuse) {
	u, off, isNull, m = t.locate(v, ptr)
	stride := s.distance()
	switch {
	case isNull || m.kind != noError:
	case n > uint64(len(u.data)) && stride > 0:
		m = misuse{bounds, fmt.Sprintf("%d elements at offset %d of a %s", n, int64(off), u.describe())}
	case !ptr && !span(v.Hi).holds(off, (n-1)*stride+s.size):
		m = misuse{bounds, fmt.Sprintf("%d elements at offset %d of a %s, outside of the array", n, int64(off), u.describe())}
	}
	return u, off, isNull, m
}

// memMove is MEMMOVE.
func (d *decoder) memMove(in *ir.Inst) (step, error) {
	s, err := d.storable(in)
	if err == nil {
		err = d.operandKinds(in, []ir.Kind{pointerKind(in)}, []ir.Kind{pointerKind(in)}, intKind)
	}
	if err != nil {
		return nil, err
	}
	to, from, count, ptr := d.operand(in.Args[0]), d.operand(in.Args[1]), d.operand(in.Args[2]), in.Has(ir.FlagPtr)
	stride := s.distance()
	return func(t *thread, f *frame) action {
		n := count.get(f)
		if n.Lo == 0 && n.Hi == 0 {
			return next
		}
		u, uo, null1, m1 := t.elements(to.get(f), ptr, s, n.Lo)
		v, vo, null2, m2 := t.elements(from.get(f), ptr, s, n.Lo)
		switch {
		case null1 || null2:
			return t.null(f, in)
		case m1.kind != noError:
			return t.misused(m1)
		case m2.kind != noError:
			return t.misused(m2)
		case u.fixed:
			return t.fail(badType, u.name+" is read-only")
		}
		vals := make([]Value, n.Lo)
		for i := range vals {
			var m misuse
			if vals[i], m = v.load(s, vo+uint64(i)*stride); m.kind != noError {
				return t.misused(m)
			}
		}
		var raw []byte // values do not contain the bytes between members
		if !s.traced {
			raw = slices.Clone(v.data[vo : vo+(n.Lo-1)*stride+s.size])
		}
		for i, x := range vals {
			if m := u.store(s, uo+uint64(i)*stride, x); m.kind != noError {
				return t.misused(m)
			}
		}
		copy(u.data[uo:], raw)
		return next
	}, nil
}

// memFill is MEMFILL.
func (d *decoder) memFill(in *ir.Inst) (step, error) {
	s, err := d.storable(in)
	if err == nil && len(in.Args) != 3 {
		err = d.mistyped(in)
	}
	if err == nil {
		err = d.operandKind(in, 0, pointerKind(in))
	}
	if err == nil {
		err = d.operandKind(in, 2, intKind...)
	}
	if err != nil {
		return nil, err
	}
	val, err := d.storedValue(in, 1)
	if err != nil {
		return nil, err
	}
	to, count, ptr := d.operand(in.Args[0]), d.operand(in.Args[2]), in.Has(ir.FlagPtr)
	stride := s.distance()
	return func(t *thread, f *frame) action {
		n := count.get(f)
		if n.Lo == 0 && n.Hi == 0 {
			return next
		}
		u, off, isNull, m := t.elements(to.get(f), ptr, s, n.Lo)
		switch {
		case isNull:
			return t.fail(nullRef, "")
		case m.kind != noError:
			return t.misused(m)
		case u.fixed:
			return t.fail(badType, u.name+" is read-only")
		}
		x := val.get(f)
		for i := range n.Lo {
			if m := u.store(s, off+i*stride, x); m.kind != noError {
				return t.misused(m)
			}
		}
		return next
	}, nil
}

// newStackWith is NEWSTACKWITH: the bottom frame already has its arguments, and waits
// for no values.
func (d *decoder) newStackWith(in *ir.Inst) (step, error) {
	callee, args, _, err := d.calleeArgs(in, ir.KFuncRef)
	if err == nil {
		err = d.resultCount(in, 1)
	}
	if err != nil {
		return nil, err
	}
	to, id := d.result(in, 0), in.Sig
	return func(t *thread, fr *frame) action {
		fn, ok := callee.get(fr).ref.(*function)
		if !ok {
			return t.fail(nullFunc, "new_stack of NULL")
		}
		if !t.m.fits(fn, id) {
			return t.failf(badSignature, "%s has another signature", fn.fn.Called())
		}
		vals := getAll(args, fr)
		if defined, a := t.defined(fn, vals); !defined {
			return a
		}
		s, a := t.newStack(fn)
		if a != next {
			return a
		}
		r := s.top.extra()
		r.bound, r.args = true, vals
		fr.regs[to] = Value{ref: s}
		return next
	}, nil
}

// funcNow is FUNCNOW. It asks the client for a definition itself, without arguments, and never
// returns NULL.
func (d *decoder) funcNow(in *ir.Inst) (step, error) {
	return d.apply(in, funcKind, func(t *thread, x Value) (Value, action) {
		fn, ok := x.ref.(*function)
		if !ok {
			return null, t.fail(nullFunc, "")
		}
		if defined, a := t.defined(fn, nil); !defined {
			return null, a
		}
		return x, next
	})
}

// defined reports whether a function has a definition. If not, it asks the client for one, and
// the instruction is then executed again.
func (t *thread) defined(fn *function, args []Value) (bool, action) {
	c, err := fn.current()
	switch {
	case err != nil:
		return false, t.m.abandon(err)
	case c != nil:
		return true, next
	case t.m.handler.fn == nil:
		return false, t.failf(undefinedFunction, "%s has no definition", fn.fn.Called())
	}
	t.stack.push(&frame{kind: undefinedFrame, pc: created, rare: &rareFrame{fn: fn, asks: true}})
	return false, t.deliver(args)
}

// rethrow is RETHROW.
func (d *decoder) rethrow(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, refKind); err != nil {
		return nil, err
	}
	if d.v.Func.Attrs&ir.NoThrow != 0 {
		return func(t *thread, _ *frame) action { return t.fail(trapped, nothrow) }, nil
	}
	x := d.operand(in.Args[0])
	return func(t *thread, f *frame) action {
		exc := x.get(f)
		t.again = t.caught.trace != "" && t.caught.exc.ref == exc.ref
		a := t.raise(f.parent, exc, false)
		t.again = false
		return a
	}, nil
}

// caughtExc is the newest exception that a thread has caught, and where it came from.
type caughtExc struct {
	exc   Value
	trace string
}

// threadCell is THREADCELL.
func (d *decoder) threadCell(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, irefKind); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	c := d.v.Values[in.Args[0]].Const
	if c == nil || c.Kind != ir.ConstGlobal || !c.Global.ThreadLocal {
		return nil, d.mistyped(in)
	}
	g, to := c.Global, d.result(in, 0)
	return func(t *thread, fr *frame) action {
		u := t.cells[g]
		if u == nil {
			s := t.m.shapes.of(g.Type)
			u = t.m.newUnit(globalUnit, s, s.size)
			u.name = g.Name
			if g.Init != nil {
				u.store(s, 0, t.m.constant(g.Init))
			}
			if t.cells == nil {
				t.cells = map[*ir.Global]*unit{}
			}
			t.cells[g] = u
		}
		fr.regs[to] = Value{ref: u}
		return next
	}, nil
}
