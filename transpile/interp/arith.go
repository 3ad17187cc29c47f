package interp

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Binary operations (docs/language.md, "Numbers"). An operation is found once, when code is
// decoded, as a function of two scalars: narrow for integers of up to 64 bits, wide beyond.
// Vectors apply it lane by lane.

type narrowOp func(x, y uint64) uint64
type valueOp func(x, y Value) Value

// shiftMask masks a shift count to m bits, m the least integer with
// 2^m >= n. The count can then still be n or more.
func shiftMask(n uint32) uint64 { return 1<<bits.Len32(n-1) - 1 }

// isDivision reports whether an operation fails on a zero divisor.
func isDivision(op ir.Op) bool {
	switch op {
	case ir.OpUDiv, ir.OpSDiv, ir.OpURem, ir.OpSRem:
		return true
	}
	return false
}

// narrowBinary is the operation on int<n>, n <= 64. Divisors must not be 0.
func narrowBinary(op ir.Op, n uint32) narrowOp {
	m, sm := mask(n), shiftMask(n)
	switch op {
	case ir.OpAdd:
		return func(x, y uint64) uint64 { return (x + y) & m }
	case ir.OpSub:
		return func(x, y uint64) uint64 { return (x - y) & m }
	case ir.OpMul:
		return func(x, y uint64) uint64 { return (x * y) & m }
	case ir.OpUDiv:
		return func(x, y uint64) uint64 { return x / y }
	case ir.OpURem:
		return func(x, y uint64) uint64 { return x % y }
	case ir.OpSDiv: // Go gives MIN / -1 = MIN for 64 bits; others are masked to it
		return func(x, y uint64) uint64 { return uint64(signed(x, n)/signed(y, n)) & m }
	case ir.OpSRem:
		return func(x, y uint64) uint64 { return uint64(signed(x, n)%signed(y, n)) & m }
	case ir.OpShl: // Go shifts by 64 or more give 0
		return func(x, y uint64) uint64 { return x << (y & sm) & m }
	case ir.OpLShr:
		return func(x, y uint64) uint64 { return x >> (y & sm) }
	case ir.OpAShr:
		return func(x, y uint64) uint64 { return uint64(signed(x, n)>>(y&sm)) & m }
	case ir.OpAnd:
		return func(x, y uint64) uint64 { return x & y }
	case ir.OpOr:
		return func(x, y uint64) uint64 { return x | y }
	case ir.OpXor:
		return func(x, y uint64) uint64 { return x ^ y }
	}
	return nil
}

// wideBinary is the operation on int<n>, 64 < n <= 128. Operations that are not
// simple with two words use math/big.
func wideBinary(op ir.Op, n uint32) valueOp {
	sm := shiftMask(n)
	viaBig := func(signed bool, f func(z, x, y *big.Int) *big.Int) valueOp {
		return func(x, y Value) Value {
			return FromBigInt(f(new(big.Int), x.BigInt(n, signed), y.BigInt(n, signed)), n)
		}
	}
	switch op {
	case ir.OpAdd:
		return func(x, y Value) Value {
			lo, carry := bits.Add64(x.Lo, y.Lo, 0)
			hi, _ := bits.Add64(x.Hi, y.Hi, carry)
			return truncate(Value{Lo: lo, Hi: hi}, n)
		}
	case ir.OpSub:
		return func(x, y Value) Value {
			lo, borrow := bits.Sub64(x.Lo, y.Lo, 0)
			hi, _ := bits.Sub64(x.Hi, y.Hi, borrow)
			return truncate(Value{Lo: lo, Hi: hi}, n)
		}
	case ir.OpMul:
		return func(x, y Value) Value {
			hi, lo := bits.Mul64(x.Lo, y.Lo)
			hi += x.Hi*y.Lo + x.Lo*y.Hi
			return truncate(Value{Lo: lo, Hi: hi}, n)
		}
	case ir.OpUDiv:
		return viaBig(false, (*big.Int).Quo)
	case ir.OpURem:
		return viaBig(false, (*big.Int).Rem)
	case ir.OpSDiv:
		return viaBig(true, (*big.Int).Quo)
	case ir.OpSRem:
		return viaBig(true, (*big.Int).Rem)
	case ir.OpShl:
		return func(x, y Value) Value {
			k := y.Lo & sm
			return truncate(Value{Lo: x.Lo << k, Hi: x.Hi<<k | x.Lo>>(64-k) | x.Lo<<(k-64)}, n)
		}
	case ir.OpLShr:
		return func(x, y Value) Value {
			k := y.Lo & sm
			return Value{Lo: x.Lo>>k | x.Hi<<(64-k) | x.Hi>>(k-64), Hi: x.Hi >> k}
		}
	case ir.OpAShr:
		return func(x, y Value) Value {
			k := uint(y.Lo & sm)
			b := x.BigInt(n, true)
			return FromBigInt(b.Rsh(b, k), n)
		}
	case ir.OpAnd:
		return func(x, y Value) Value { return Value{Lo: x.Lo & y.Lo, Hi: x.Hi & y.Hi} }
	case ir.OpOr:
		return func(x, y Value) Value { return Value{Lo: x.Lo | y.Lo, Hi: x.Hi | y.Hi} }
	case ir.OpXor:
		return func(x, y Value) Value { return Value{Lo: x.Lo ^ y.Lo, Hi: x.Hi ^ y.Hi} }
	}
	return nil
}

// float32Binary is the operation on float. The product is converted explicitly, so
// that Go must not fuse it with the next operation.
func float32Binary(op ir.Op) func(x, y float32) float32 {
	switch op {
	case ir.OpFAdd:
		return func(x, y float32) float32 { return x + y }
	case ir.OpFSub:
		return func(x, y float32) float32 { return x - y }
	case ir.OpFMul:
		return func(x, y float32) float32 { return float32(x * y) }
	case ir.OpFDiv:
		return func(x, y float32) float32 { return x / y }
	case ir.OpFRem: // the remainder of two floats is a float, so nothing is rounded
		return func(x, y float32) float32 { return float32(math.Mod(float64(x), float64(y))) }
	}
	return nil
}

// float64Binary is the operation on double.
func float64Binary(op ir.Op) func(x, y float64) float64 {
	switch op {
	case ir.OpFAdd:
		return func(x, y float64) float64 { return x + y }
	case ir.OpFSub:
		return func(x, y float64) float64 { return x - y }
	case ir.OpFMul:
		return func(x, y float64) float64 { return float64(x * y) }
	case ir.OpFDiv:
		return func(x, y float64) float64 { return x / y }
	case ir.OpFRem:
		return math.Mod
	}
	return nil
}

// scalarBinary is a binary operation on a scalar type, or nil.
func scalarBinary(op ir.Op, t *ir.Type) valueOp {
	switch {
	case t.Kind == ir.KInt && t.Bits <= 64:
		if f := narrowBinary(op, t.Bits); f != nil {
			return func(x, y Value) Value { return Value{Lo: f(x.Lo, y.Lo)} }
		}
	case t.Kind == ir.KInt:
		return wideBinary(op, t.Bits)
	case t.Kind == ir.KFloat:
		if f := float32Binary(op); f != nil {
			return func(x, y Value) Value { return Float32(f(x.AsFloat32(), y.AsFloat32())) }
		}
	case t.Kind == ir.KDouble:
		if f := float64Binary(op); f != nil {
			return func(x, y Value) Value { return Float64(f(x.AsFloat64(), y.AsFloat64())) }
		}
	}
	return nil
}

// lanes applies a scalar operation to each pair of elements of two vectors.
func lanes(f valueOp) valueOp {
	return func(x, y Value) Value {
		a, b := x.elems(), y.elems()
		out := make([]Value, len(a))
		for i := range a {
			out[i] = f(a[i], b[i])
		}
		return makeAggregate(out)
	}
}

// hasZero reports whether a divisor is zero, in any lane if it is a vector.
func hasZero(v Value, vector bool) bool {
	if !vector {
		return v.Lo == 0 && v.Hi == 0
	}
	for _, e := range v.elems() {
		if hasZero(e, false) {
			return true
		}
	}
	return false
}

func (d *decoder) binary(in *ir.Inst) (step, error) {
	if err := d.operands(in, in.Ty, in.Ty); err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty); err != nil {
		return nil, err
	}
	x, y, to := d.operand(in.Args[0]), d.operand(in.Args[1]), d.result(in, 0)
	elem, vector := d.laneType(in.Ty)
	division := isDivision(in.Op)
	if elem.Kind == ir.KInt && elem.Bits <= 64 && !vector {
		f := narrowBinary(in.Op, elem.Bits)
		if f == nil {
			return nil, d.mistyped(in)
		}
		if !division {
			return func(_ *thread, fr *frame) action {
				fr.regs[to] = Value{Lo: f(x.lo(fr), y.lo(fr))}
				return next
			}, nil
		}
		return func(t *thread, fr *frame) action {
			divisor := y.lo(fr)
			if divisor == 0 {
				return t.exceptional(fr, divByZero, "")
			}
			fr.regs[to] = Value{Lo: f(x.lo(fr), divisor)}
			return next
		}, nil
	}
	f := scalarBinary(in.Op, elem)
	if f == nil {
		return nil, d.mistyped(in)
	}
	if vector {
		f = lanes(f)
	}
	return func(t *thread, fr *frame) action {
		b := y.get(fr)
		if division && hasZero(b, vector) {
			return t.exceptional(fr, divByZero, "")
		}
		fr.regs[to] = f(x.get(fr), b)
		return next
	}, nil
}

// addOvf is @uvm.math.add_ovf: a sum, failing when the signed sum overflows
// (docs/language.md, "Common instructions").
func (d *decoder) addOvf(in *ir.Inst) (step, error) {
	if err := d.operands(in, in.Ty, in.Ty); err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty); err != nil {
		return nil, err
	}
	ty := d.types.At(in.Ty)
	add := scalarBinary(ir.OpAdd, ty)
	if ty.Kind != ir.KInt || add == nil {
		return nil, d.mistyped(in)
	}
	x, y, to, n := d.operand(in.Args[0]), d.operand(in.Args[1]), d.result(in, 0), ty.Bits
	negative := func(v Value) bool { return int64(signExtend(v, n).Hi) < 0 }
	return func(t *thread, fr *frame) action {
		a, b := x.get(fr), y.get(fr)
		sum := add(a, b)
		if negative(a) == negative(b) && negative(sum) != negative(a) {
			return t.exceptional(fr, overflow, "")
		}
		fr.regs[to] = sum
		return next
	}, nil
}

// mathFunc is @uvm.math.sin, cos, tan or sqrt (docs/language.md, "Common instructions").
func (d *decoder) mathFunc(in *ir.Inst) (step, error) {
	if err := d.operands(in, in.Ty); err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty); err != nil {
		return nil, err
	}
	f := map[ir.Op]func(float64) float64{
		ir.OpMathSin: math.Sin, ir.OpMathCos: math.Cos, ir.OpMathTan: math.Tan, ir.OpMathSqrt: math.Sqrt,
	}[in.Op]
	x, to := d.operand(in.Args[0]), d.result(in, 0)
	switch d.types.Kind(in.Ty) {
	case ir.KFloat:
		return func(_ *thread, fr *frame) action {
			fr.regs[to] = Float32(float32(f(float64(x.get(fr).AsFloat32()))))
			return next
		}, nil
	case ir.KDouble:
		return func(_ *thread, fr *frame) action {
			fr.regs[to] = Float64(f(x.get(fr).AsFloat64()))
			return next
		}, nil
	}
	return nil, d.mistyped(in)
}
