package interp

import (
	"math"
	"math/big"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Conversions and SELECT (docs/language.md, "Numbers").

// scalarConvert is a conversion between two scalar types, or nil.
func (m *machine) scalarConvert(op ir.Op, from, to *ir.Type) func(Value) Value {
	ints := from.Kind == ir.KInt && to.Kind == ir.KInt
	identity := func(v Value) Value { return v }
	switch op {
	case ir.OpTrunc:
		if ints && to.Bits < from.Bits {
			return func(v Value) Value { return truncate(v, to.Bits) }
		}
	case ir.OpZExt:
		if ints && to.Bits > from.Bits {
			return identity
		}
	case ir.OpSExt:
		if ints && to.Bits > from.Bits {
			return func(v Value) Value { return truncate(signExtend(v, from.Bits), to.Bits) }
		}
	case ir.OpFPTrunc:
		if from.Kind == ir.KDouble && to.Kind == ir.KFloat {
			return func(v Value) Value { return Float32(float32(v.AsFloat64())) }
		}
	case ir.OpFPExt:
		if from.Kind == ir.KFloat && to.Kind == ir.KDouble {
			return func(v Value) Value { return Float64(float64(v.AsFloat32())) }
		}
	case ir.OpFPToUI, ir.OpFPToSI:
		if to.Kind == ir.KInt && isFP(from) {
			return fpToInt(from, to.Bits, op == ir.OpFPToSI)
		}
	case ir.OpUIToFP, ir.OpSIToFP:
		if from.Kind == ir.KInt && isFP(to) {
			return intToFP(from.Bits, to, op == ir.OpSIToFP)
		}
	case ir.OpBitcast:
		if bitSize(from) == bitSize(to) && bitSize(from) != 0 && from.Kind != to.Kind {
			return identity
		}
	case ir.OpRefCast:
		if m.sameClass(from, to) && !isPointer(from) && from.Kind != ir.KInt {
			return func(v Value) Value { return Value{Lo: v.Lo, ref: v.ref} } // without a span
		}
	case ir.OpPtrCast:
		if !isPointer(to) && to.Kind != ir.KInt {
			return nil
		}
		n := uint32(wordBits)
		if to.Kind == ir.KInt {
			n = to.Bits
		}
		if isPointer(from) || from.Kind == ir.KInt && isPointer(to) {
			return func(v Value) Value { return truncate(Value{Lo: v.Lo}, n) }
		}
	case ir.OpRefAddr: // deviation 13.2 h
		if (from.Kind == ir.KRef || from.Kind == ir.KIRef) && isPointer(to) {
			return func(v Value) Value { return Value{Lo: m.addresses.take(v)} }
		}
	case ir.OpRefAt:
		if (to.Kind == ir.KRef || to.Kind == ir.KIRef) && isPointer(from) {
			return m.addresses.at
		}
	}
	return nil
}

func isFP(t *ir.Type) bool      { return t.Kind == ir.KFloat || t.Kind == ir.KDouble }
func isPointer(t *ir.Type) bool { return t.Kind == ir.KUPtr || t.Kind == ir.KUFuncPtr }

// bitSize is the width of a type that BITCAST accepts, 0 for others.
func bitSize(t *ir.Type) uint32 {
	switch {
	case t.Kind == ir.KFloat || t.Kind == ir.KInt && t.Bits == 32:
		return 32
	case t.Kind == ir.KDouble || t.Kind == ir.KInt && t.Bits == 64:
		return 64
	}
	return 0
}

func readFP(t *ir.Type, v Value) float64 {
	if t.Kind == ir.KFloat {
		return float64(v.AsFloat32())
	}
	return v.AsFloat64()
}

// fpToInt rounds toward zero and clamps to the range of int<n>; NaN gives 0.
func fpToInt(from *ir.Type, n uint32, isSigned bool) func(Value) Value {
	low, high := 0.0, math.Ldexp(1, int(n)) // the range is low <= x < high
	if isSigned {
		low, high = -math.Ldexp(1, int(n)-1), math.Ldexp(1, int(n)-1)
	}
	least, most := Value{}, truncate(Value{Lo: math.MaxUint64, Hi: math.MaxUint64}, n)
	if isSigned {
		one := big.NewInt(1)
		half := one.Lsh(one, uint(n-1))
		least = FromBigInt(half, n)
		most = FromBigInt(half.Sub(half, big.NewInt(1)), n)
	}
	return func(v Value) Value {
		x := math.Trunc(readFP(from, v))
		switch {
		case x != x:
			return Value{}
		case x < low:
			return least
		case x >= high:
			return most
		}
		i, _ := big.NewFloat(x).Int(nil)
		return FromBigInt(i, n)
	}
}

// intToFP rounds once, to nearest even; a number that is too large becomes infinite.
func intToFP(n uint32, to *ir.Type, isSigned bool) func(Value) Value {
	if n <= 64 {
		switch {
		case isSigned && to.Kind == ir.KFloat:
			return func(v Value) Value { return Float32(float32(signed(v.Lo, n))) }
		case isSigned:
			return func(v Value) Value { return Float64(float64(signed(v.Lo, n))) }
		case to.Kind == ir.KFloat:
			return func(v Value) Value { return Float32(float32(v.Lo)) }
		}
		return func(v Value) Value { return Float64(float64(v.Lo)) }
	}
	return func(v Value) Value {
		x := new(big.Float).SetInt(v.BigInt(n, isSigned)) // exact
		if to.Kind == ir.KFloat {
			f, _ := x.Float32()
			return Float32(f)
		}
		f, _ := x.Float64()
		return Float64(f)
	}
}

func (d *decoder) convert(in *ir.Inst) (step, error) {
	if err := d.operands(in, in.Ty); err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty2); err != nil {
		return nil, err
	}
	from, fromVector := d.laneType(in.Ty)
	to, toVector := d.laneType(in.Ty2)
	f := d.m.scalarConvert(in.Op, from, to)
	if f == nil || fromVector != toVector ||
		fromVector && d.types.At(in.Ty).Len != d.types.At(in.Ty2).Len {
		return nil, d.mistyped(in)
	}
	if fromVector {
		scalar := f
		f = func(v Value) Value {
			src := v.elems()
			out := make([]Value, len(src))
			for i, e := range src {
				out[i] = scalar(e)
			}
			return makeAggregate(out)
		}
	}
	x, dst := d.operand(in.Args[0]), d.result(in, 0)
	return func(_ *thread, fr *frame) action {
		fr.regs[dst] = f(x.get(fr))
		return next
	}, nil
}

func (d *decoder) selectOp(in *ir.Inst) (step, error) {
	if err := d.operands(in, in.Ty, in.Ty2, in.Ty2); err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty2); err != nil {
		return nil, err
	}
	cond, vector := d.laneType(in.Ty)
	if cond.Kind != ir.KInt || cond.Bits != 1 {
		return nil, d.mistyped(in)
	}
	if _, v := d.laneType(in.Ty2); vector && (!v || d.types.At(in.Ty).Len != d.types.At(in.Ty2).Len) {
		return nil, d.mistyped(in)
	}
	c, x, y, to := d.operand(in.Args[0]), d.operand(in.Args[1]), d.operand(in.Args[2]), d.result(in, 0)
	if !vector {
		return func(_ *thread, fr *frame) action {
			if c.lo(fr) != 0 {
				fr.regs[to] = x.get(fr)
			} else {
				fr.regs[to] = y.get(fr)
			}
			return next
		}, nil
	}
	return func(_ *thread, fr *frame) action {
		a, b := x.get(fr).elems(), y.get(fr).elems()
		out := make([]Value, len(a))
		for i, l := range c.get(fr).elems() {
			if l.Lo != 0 {
				out[i] = a[i]
			} else {
				out[i] = b[i]
			}
		}
		fr.regs[to] = makeAggregate(out)
		return next
	}, nil
}
