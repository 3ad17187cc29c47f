package num

import (
	"math"
	"math/bits"
)

// Floating point to integer, docs/language.md, "Numbers": toward zero, then clamped to the
// range of the result; NaN gives 0. Go's own conversion is only defined for values whose
// integer part is in range, so each function tests that first.

// FToU is FPTOUI to int<n>, 1 <= n <= 64.
func FToU(f float64, n uint) uint64 {
	if !(f >= 1) { // NaN too
		return 0
	}
	if f >= math.Ldexp(1, int(n)) {
		return Mask(^uint64(0), n)
	}
	return uint64(f)
}

// FToS is FPTOSI to int<n>, 1 <= n <= 64; the result is zero-extended.
func FToS(f float64, n uint) uint64 {
	lim := math.Ldexp(1, int(n)-1)
	switch {
	case f >= lim:
		return 1<<(n-1) - 1
	case f <= -lim:
		return 1 << (n - 1)
	case f != f:
		return 0
	}
	return Mask(uint64(int64(f)), n)
}

// F64ToU64 is FPTOUI <double int<64>>.
func F64ToU64(f float64) uint64 {
	if f >= 0 && f < 0x1p64 {
		return uint64(f)
	}
	return clampU(f, 64)
}

// F64ToU32 is FPTOUI <double int<32>>.
func F64ToU32(f float64) uint32 {
	if f >= 0 && f < 0x1p32 {
		return uint32(f)
	}
	return uint32(clampU(f, 32))
}

// F64ToI64 is FPTOSI <double int<64>>, as the register's pattern.
func F64ToI64(f float64) uint64 {
	if f >= -0x1p63 && f < 0x1p63 {
		return uint64(int64(f))
	}
	return clampS(f, 64)
}

// F64ToI32 is FPTOSI <double int<32>>, as the register's pattern.
func F64ToI32(f float64) uint32 {
	if f > -0x1p31-1 && f < 0x1p31 {
		return uint32(int32(f))
	}
	return uint32(clampS(f, 32))
}

// F32ToU64 is FPTOUI <float int<64>>.
func F32ToU64(f float32) uint64 {
	if f >= 0 && f < 0x1p64 {
		return uint64(f)
	}
	return clampU(float64(f), 64)
}

// F32ToU32 is FPTOUI <float int<32>>.
func F32ToU32(f float32) uint32 {
	if f >= 0 && f < 0x1p32 {
		return uint32(f)
	}
	return uint32(clampU(float64(f), 32))
}

// F32ToI64 is FPTOSI <float int<64>>, as the register's pattern.
func F32ToI64(f float32) uint64 {
	if f >= -0x1p63 && f < 0x1p63 {
		return uint64(int64(f))
	}
	return clampS(float64(f), 64)
}

// F32ToI32 is FPTOSI <float int<32>>, as the register's pattern.
func F32ToI32(f float32) uint32 {
	if f >= -0x1p31 && f < 0x1p31 {
		return uint32(int32(f))
	}
	return uint32(clampS(float64(f), 32))
}

// clampU and clampS are the rare halves of the functions above, kept out of
// line so that the common halves inline.
//
//go:noinline
func clampU(f float64, n uint) uint64 { return FToU(f, n) }

//go:noinline
func clampS(f float64, n uint) uint64 { return FToS(f, n) }

// FToU128 is FPTOUI to int<n>, 65 <= n <= 128. A float converts to double
// first, which is exact.
func FToU128(f float64, n uint) U128 {
	if !(f >= 1) { // NaN too
		return U128{}
	}
	if f >= math.Ldexp(1, int(n)) {
		return U128{^uint64(0), ^uint64(0)}.Mask(n)
	}
	return trunc128(f)
}

// FToS128 is FPTOSI to int<n>, 65 <= n <= 128; the result is zero-extended.
func FToS128(f float64, n uint) U128 {
	lim := math.Ldexp(1, int(n)-1)
	least := From64(1).Shl(n - 1)
	switch {
	case f >= lim:
		return least.Sub(From64(1))
	case f <= -lim:
		return least
	case f >= 1:
		return trunc128(f)
	case f <= -1:
		return trunc128(-f).Neg().Mask(n)
	}
	return U128{} // the open interval (-1, 1) and NaN
}

// trunc128 is the integer part of f, 1 <= f < 2^128.
func trunc128(f float64) U128 {
	b := math.Float64bits(f)
	mant := From64(b&(1<<52-1) | 1<<52)
	if e := uint(b>>52) - 1023; e < 52 {
		return mant.LShr(52 - e)
	} else {
		return mant.Shl(e - 52)
	}
}

// Integer to floating point, docs/language.md, "Numbers": one rounding, to nearest even.
// Go's conversion of a 64-bit integer to float32 rounds twice on some 32-bit machines,
// so generated code calls U64ToF32 and S64ToF32 instead; on 64-bit machines they are
// Go's conversion. Integers of up to 32 bits and conversions to float64 need no help.

// U64ToF32 is UITOFP <int<64> float>.
func U64ToF32(x uint64) float32 {
	if bits.UintSize == 64 {
		return float32(x)
	}
	return narrow(x)
}

// S64ToF32 is SITOFP <int<64> float> of a pattern, and of any narrower integer
// once it is sign-extended.
func S64ToF32(x uint64) float32 {
	if bits.UintSize == 64 {
		return float32(int64(x))
	}
	if int64(x) < 0 {
		return -narrow(-x)
	}
	return narrow(x)
}

// narrow rounds x to float32 through a float64 that is exact, or whose last bit is set
// if bits were lost (a sticky bit).
//
//go:noinline
func narrow(x uint64) float32 {
	const low = 1<<11 - 1
	if x>>53 != 0 {
		x = (x | (x&low + low)) &^ low
	}
	return float32(float64(x))
}

// U64ToF64 is UITOFP <int<64> double>.
func U64ToF64(x uint64) float64 { return float64(x) }

// S64ToF64 is SITOFP <int<64> double> of a pattern.
func S64ToF64(x uint64) float64 { return float64(int64(x)) }

// squeeze cuts x, which is 2^64 or more, to its 64 leading bits and their exponent. If
// bits are lost the last bit is set, far below the place where either format rounds, so
// that rounding the result is the same as rounding x.
func squeeze(x U128) (lead uint64, exp uint) {
	s := uint(bits.LeadingZeros64(x.Hi))
	x = x.Shl(s)
	if x.Lo != 0 {
		x.Hi |= 1
	}
	return x.Hi, 64 - s
}

// U128ToF64 is UITOFP <int<n> double>, 65 <= n <= 128.
func U128ToF64(x U128) float64 {
	if x.Hi == 0 {
		return float64(x.Lo)
	}
	lead, exp := squeeze(x)
	return float64(lead) * math.Float64frombits(uint64(1023+exp)<<52)
}

// U128ToF32 is UITOFP <int<n> float>, 65 <= n <= 128. A number that rounds to 2^128
// becomes +Inf.
func U128ToF32(x U128) float32 {
	if x.Hi == 0 {
		return U64ToF32(x.Lo)
	}
	lead, exp := squeeze(x)
	return U64ToF32(lead) * math.Float32frombits(uint32(127+exp)<<23)
}

// S128ToF64 is SITOFP of a sign-extended value to double.
func S128ToF64(x U128) float64 {
	if int64(x.Hi) < 0 {
		return -U128ToF64(x.Neg())
	}
	return U128ToF64(x)
}

// S128ToF32 is SITOFP of a sign-extended value to float.
func S128ToF32(x U128) float32 {
	if int64(x.Hi) < 0 {
		return -U128ToF32(x.Neg())
	}
	return U128ToF32(x)
}
