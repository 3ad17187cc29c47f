package live

import (
	"math"

	"github.com/uvm2go/uvm2go/rtlib/num"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Operations scalar by scalar, of vectors and of numbers of unusual widths. All scalars are read
// before one is written: the result may lie where an operand did.

// lanes makes an operation with two operands of a type.
func (c *compiler) lanes(o ir.Op, ty ir.TypeID, x, y, to words) {
	c.site(opDo, 0, 0, &site{do: c.lanesFunc(o, ty, x, y, to)})
}

// lanesFunc is lanes as a function.
func (c *compiler) lanesFunc(o ir.Op, ty ir.TypeID, x, y, to words) func(fp ptr) {
	l := c.leavesOf(ty)
	if len(l) == 0 {
		return func(ptr) {}
	}
	f := scalarOp(o, &l[0])
	if f == nil {
		c.fail("%s: the engine has no code for %s of %s", c.v.Name, o, c.ir.String(ty))
	}
	res := make([]leaf, len(l))
	copy(res, l)
	if cl := o.Info().Class; cl == ir.ClassCmpEQ || cl == ir.ClassCmpInt || cl == ir.ClassCmpULT || cl == ir.ClassCmpFP {
		for i := range res {
			res[i] = leaf{kind: ir.KInt, bits: 1, bytes: 1, at: [2]int32{0, int32(i)}}
		}
	}
	if len(l) == 1 {
		a, r := l[0], res[0]
		return func(fp ptr) { r.write(fp, to, f(a.read(fp, x), a.read(fp, y))) }
	}
	return func(fp ptr) {
		a, b := scalars(l, fp, x), scalars(l, fp, y)
		for i := range res {
			res[i].write(fp, to, f(a[i], b[i]))
		}
	}
}

// scalarOp is an operation on two scalars as numbers, nil if there is none.
func scalarOp(o ir.Op, l *leaf) func(x, y num.U128) num.U128 {
	switch l.kind {
	case ir.KFloat, ir.KDouble:
		return floatOp(o, l.kind == ir.KFloat)
	}
	n := uint(l.bits)
	if l.kind != ir.KInt {
		n = 64
	}
	return intOp(o, n)
}

func truth(b bool) num.U128 { return num.U128{Lo: b2u(b)} }

// intOp is an operation on ints of n bits, which are zero-extended.
func intOp(o ir.Op, n uint) func(x, y num.U128) num.U128 {
	type u = num.U128
	sx := func(x u) u { return x.SignExtend(n) }
	count := func(y u) uint { return num.ShiftCount(y.Lo, n) }
	switch o {
	case ir.OpAdd:
		return func(x, y u) u { return x.Add(y).Mask(n) }
	case ir.OpSub:
		return func(x, y u) u { return x.Sub(y).Mask(n) }
	case ir.OpMul:
		return func(x, y u) u { return x.Mul(y).Mask(n) }
	case ir.OpSDiv:
		return func(x, y u) u { return sx(x).SDiv(sx(y)).Mask(n) }
	case ir.OpSRem:
		return func(x, y u) u { return sx(x).SRem(sx(y)).Mask(n) }
	case ir.OpUDiv:
		return u.UDiv
	case ir.OpURem:
		return u.URem
	case ir.OpShl:
		return func(x, y u) u { return x.Shl(count(y)).Mask(n) }
	case ir.OpLShr:
		return func(x, y u) u { return x.LShr(count(y)) }
	case ir.OpAShr:
		return func(x, y u) u { return sx(x).AShr(count(y)).Mask(n) }
	case ir.OpAnd:
		return u.And
	case ir.OpOr:
		return u.Or
	case ir.OpXor:
		return u.Xor
	case ir.OpEQ:
		return func(x, y u) u { return truth(x == y) }
	case ir.OpNE:
		return func(x, y u) u { return truth(x != y) }
	case ir.OpSGE:
		return func(x, y u) u { return truth(sx(x).SGE(sx(y))) }
	case ir.OpSGT:
		return func(x, y u) u { return truth(sx(x).SGT(sx(y))) }
	case ir.OpSLE:
		return func(x, y u) u { return truth(sx(x).SLE(sx(y))) }
	case ir.OpSLT:
		return func(x, y u) u { return truth(sx(x).SLT(sx(y))) }
	case ir.OpUGE:
		return func(x, y u) u { return truth(x.UGE(y)) }
	case ir.OpUGT:
		return func(x, y u) u { return truth(x.UGT(y)) }
	case ir.OpULE:
		return func(x, y u) u { return truth(x.ULE(y)) }
	case ir.OpULT:
		return func(x, y u) u { return truth(x.ULT(y)) }
	}
	return nil
}

// floatOp is an operation on bits of floating-point numbers.
func floatOp(o ir.Op, single bool) func(x, y num.U128) num.U128 {
	type u = num.U128
	if f := floatCompare(o); f != nil {
		if single {
			return func(x, y u) u {
				return truth(f(float64(math.Float32frombits(uint32(x.Lo))), float64(math.Float32frombits(uint32(y.Lo)))))
			}
		}
		return func(x, y u) u { return truth(f(math.Float64frombits(x.Lo), math.Float64frombits(y.Lo))) }
	}
	if single {
		f := arithmetic[float32](o)
		if o == ir.OpFRem {
			f = num.FRem32
		}
		if f == nil {
			return nil
		}
		return func(x, y u) u {
			return u{Lo: uint64(math.Float32bits(f(math.Float32frombits(uint32(x.Lo)), math.Float32frombits(uint32(y.Lo)))))}
		}
	}
	f := arithmetic[float64](o)
	if o == ir.OpFRem {
		f = num.FRem64
	}
	if f == nil {
		return nil
	}
	return func(x, y u) u {
		return u{Lo: math.Float64bits(f(math.Float64frombits(x.Lo), math.Float64frombits(y.Lo)))}
	}
}

func arithmetic[T float32 | float64](o ir.Op) func(x, y T) T {
	switch o {
	case ir.OpFAdd:
		return func(x, y T) T { return x + y }
	case ir.OpFSub:
		return func(x, y T) T { return x - y }
	case ir.OpFMul:
		return func(x, y T) T { return T(x * y) }
	case ir.OpFDiv:
		return func(x, y T) T { return x / y }
	}
	return nil
}

// floatCompare is a comparison; that of two floats is that of the doubles.
func floatCompare(o ir.Op) func(x, y float64) bool {
	uno := func(x, y float64) bool { return x != x || y != y }
	switch o {
	case ir.OpFFalse:
		return func(x, y float64) bool { return false }
	case ir.OpFTrue:
		return func(x, y float64) bool { return true }
	case ir.OpFUno:
		return uno
	case ir.OpFOrd:
		return func(x, y float64) bool { return !uno(x, y) }
	case ir.OpFOEQ:
		return func(x, y float64) bool { return x == y }
	case ir.OpFONE:
		return func(x, y float64) bool { return x < y || x > y }
	case ir.OpFOGT:
		return func(x, y float64) bool { return x > y }
	case ir.OpFOGE:
		return func(x, y float64) bool { return x >= y }
	case ir.OpFOLT:
		return func(x, y float64) bool { return x < y }
	case ir.OpFOLE:
		return func(x, y float64) bool { return x <= y }
	case ir.OpFUEQ:
		return func(x, y float64) bool { return !(x < y || x > y) }
	case ir.OpFUNE:
		return func(x, y float64) bool { return x != y }
	case ir.OpFUGT:
		return func(x, y float64) bool { return !(x <= y) }
	case ir.OpFUGE:
		return func(x, y float64) bool { return !(x < y) }
	case ir.OpFULT:
		return func(x, y float64) bool { return !(x >= y) }
	case ir.OpFULE:
		return func(x, y float64) bool { return !(x > y) }
	}
	return nil
}

// convertLanes makes a conversion.
func (c *compiler) convertLanes(in *ir.Inst) {
	from, to := c.leavesOf(in.Ty), c.leavesOf(in.Ty2)
	x, w := c.operand(in.Args[0]), c.results(in)
	f := conversion(in.Op, &from[0], &to[0])
	if f == nil {
		c.fail("%s: the engine has no code for %s from %s to %s", c.v.Name, in.Op, c.ir.String(in.Ty), c.ir.String(in.Ty2))
	}
	c.site(opDo, 0, 0, &site{do: func(fp ptr) {
		a := scalars(from, fp, x)
		for i := range to {
			to[i].write(fp, w, f(a[i]))
		}
	}})
}

// conversion is a conversion of a scalar.
func conversion(o ir.Op, from, to *leaf) func(x num.U128) num.U128 {
	type u = num.U128
	n, m := uint(from.bits), uint(to.bits)
	single := func(k ir.Kind) bool { return k == ir.KFloat }
	double := func(x u) float64 {
		if single(from.kind) {
			return float64(math.Float32frombits(uint32(x.Lo)))
		}
		return math.Float64frombits(x.Lo)
	}
	switch o {
	case ir.OpTrunc:
		return func(x u) u { return x.Mask(m) }
	case ir.OpZExt, ir.OpBitcast:
		return func(x u) u { return x }
	case ir.OpPtrCast:
		if m == 0 {
			m = uint(wordBits)
		}
		return func(x u) u { return x.Mask(m) }
	case ir.OpSExt:
		return func(x u) u { return x.SignExtend(n).Mask(m) }
	case ir.OpFPTrunc:
		return func(x u) u { return u{Lo: uint64(math.Float32bits(float32(math.Float64frombits(x.Lo))))} }
	case ir.OpFPExt:
		return func(x u) u { return u{Lo: math.Float64bits(double(x))} }
	case ir.OpFPToUI:
		return func(x u) u { return num.FToU128(double(x), m) }
	case ir.OpFPToSI:
		return func(x u) u { return num.FToS128(double(x), m).Mask(m) }
	case ir.OpUIToFP:
		if single(to.kind) {
			return func(x u) u { return u{Lo: uint64(math.Float32bits(num.U128ToF32(x)))} }
		}
		return func(x u) u { return u{Lo: math.Float64bits(num.U128ToF64(x))} }
	case ir.OpSIToFP:
		if single(to.kind) {
			return func(x u) u { return u{Lo: uint64(math.Float32bits(num.S128ToF32(x.SignExtend(n))))} }
		}
		return func(x u) u { return u{Lo: math.Float64bits(num.S128ToF64(x.SignExtend(n)))} }
	}
	return nil
}

// selectLanes makes a SELECT by a vector of conditions.
func (c *compiler) selectLanes(in *ir.Inst) {
	conds, l := c.leavesOf(in.Ty), c.leavesOf(in.Ty2)
	k, x, y, to := c.operand(in.Args[0]), c.operand(in.Args[1]), c.operand(in.Args[2]), c.results(in)
	c.site(opDo, 0, 0, &site{do: func(fp ptr) {
		cond, a, b := scalars(conds, fp, k), scalars(l, fp, x), scalars(l, fp, y)
		for i := range l {
			if cond[i].Lo == 0 {
				a[i] = b[i]
			}
		}
		for i := range l {
			l[i].write(fp, to, a[i])
		}
	}})
}
