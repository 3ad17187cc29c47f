package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// convert converts between scalar types.
func (e *fn) convert(op ir.Op, from, to ir.TypeID, x expr, isConst bool) expr {
	f, t := e.At(from), e.At(to)
	if isConst && (op != ir.OpTrunc || f.Bits <= 64) && f.Bits != 1 && f.Bits <= 64 {
		x = opaque(conv(e.GoType(from), x))
	}
	switch op {
	case ir.OpTrunc, ir.OpZExt:
		return intCast(x, f.Bits, t.Bits, false)
	case ir.OpSExt:
		return intCast(x, f.Bits, t.Bits, true)
	case ir.OpFPTrunc:
		return conv(gotree.Float32, x)
	case ir.OpFPExt:
		return conv(gotree.Float64, x)
	case ir.OpFPToUI, ir.OpFPToSI:
		return fpToInt(x, f.Kind == ir.KFloat, t.Bits, op == ir.OpFPToSI)
	case ir.OpUIToFP, ir.OpSIToFP:
		return intToFP(x, f.Bits, t.Kind == ir.KFloat, op == ir.OpSIToFP)
	case ir.OpBitcast:
		switch {
		case t.Kind == ir.KFloat:
			return fromBits32(x)
		case t.Kind == ir.KDouble:
			return fromBits64(x)
		case f.Kind == ir.KFloat:
			return bits32(x)
		}
		return bits64(x)
	case ir.OpRefCast, ir.OpRefAddr, ir.OpRefAt:
		return x
	case ir.OpPtrCast:
		switch {
		case f.Kind == ir.KInt && f.Bits == 1:
			return conv(gotree.Uintptr, rtInt("B2U", x))
		case f.Kind == ir.KInt && f.Bits > 64:
			return conv(gotree.Uintptr, dot(x, "Lo"))
		case f.Kind == ir.KInt:
			return conv(gotree.Uintptr, x)
		case t.Kind == ir.KInt:
			return intCast(conv(gotree.Uint64, x), 64, t.Bits, false)
		}
		return x
	}
	e.fail("conversion %s", op)
	return x
}

// wordOf is ZEXTWORD or SEXTWORD: Go's int and uint are of the size of a word.
func wordOf(op ir.Op, x expr) expr {
	if op == ir.OpSExtWord {
		return conv(gotree.Uint64, conv(gotree.Int64, conv(gotree.IntType, x)))
	}
	return conv(gotree.Uint64, conv(gotree.UintType, x))
}

// The bits of floating-point numbers.

// intCast converts between integer widths, keeping the value or its low bits.
func intCast(x expr, f, t uint32, signed bool) expr {
	switch {
	case f == 1 && t > 64:
		if signed {
			return masked128(numCall("FromS64", neg(conv(gotree.Int64, rt("B2U", x)))), t)
		}
		return numCall("From64", rt("B2U", x))
	case f == 1:
		if signed {
			return masked(unsigned(neg(rt("B2U", x)), t), t)
		}
		return unsigned(rt("B2U", x), t)
	case f > 64 && t > 64:
		if t > f && signed {
			x = method(x, "SignExtend", lit(f))
		}
		return masked128(x, t)
	case f > 64:
		if t == 1 {
			return odd(dot(x, "Lo"))
		}
		return masked(unsigned(dot(x, "Lo"), t), t)
	case t > 64:
		if signed {
			return masked128(numCall("FromS64", conv(gotree.Int64, signedOf(x, f))), t)
		}
		return numCall("From64", conv(gotree.Uint64, x))
	case t == 1:
		return odd(x)
	case signed:
		return masked(unsigned(signedOf(x, f), t), t)
	case t < f:
		return masked(unsigned(x, t), t)
	}
	return unsigned(x, t)
}

func fpToInt(x expr, single bool, n uint32, signed bool) expr {
	wide, src := x, "F64"
	if single {
		wide, src = conv(gotree.Float64, x), "F32"
	}
	sign, dst := "U", "U"
	if signed {
		sign, dst = "S", "I"
	}
	switch {
	case n == 32:
		return numInt(src+"To"+dst+"32", x)
	case n == 64:
		return numInt(src+"To"+dst+"64", x)
	case n > 64:
		return numCall("FTo"+sign+"128", wide, lit(n))
	case n == 1:
		return ne(numCall("FTo"+sign, wide, lit(1)), zero)
	}
	return unsigned(numCall("FTo"+sign, wide, lit(n)), n)
}

func numInt(name string, x expr) expr {
	return &gotree.Call{F: qual("num", name), Args: []expr{x}, K: gotree.Int}
}

func intToFP(x expr, n uint32, single bool, signed bool) expr {
	ty, size := gotree.Float64, "64"
	if single {
		ty, size = gotree.Float32, "32"
	}
	switch {
	case n == 1 && signed:
		return conv(ty, neg(conv(gotree.Int64, rt("B2U", x))))
	case n == 1:
		return conv(ty, rt("B2U", x))
	case n > 64 && signed:
		return numCall("S128ToF"+size, signExtended(x, n))
	case n > 64:
		return numCall("U128ToF"+size, x)
	case single && n > 32 && signed: // see num: Go's own conversion rounds wrongly on 32-bit machines
		return numCall("S64ToF32", conv(gotree.Uint64, signedOf(x, n)))
	case single && n > 32:
		return numCall("U64ToF32", x)
	case signed:
		return conv(ty, signedOf(x, n))
	}
	return conv(ty, x)
}
