package libc

import (
	"math"

	"github.com/uvm2go/uvm2go/rtlib/num"
)

// Functions whose result C and Go both define to the bit are marked Exact in Table.
// The others are Go's approximations, which may differ by an ulp from a C library, as
// C libraries do from each other.
//
// Errno becomes EDOM for arguments outside the domain and ERANGE for poles, results too large and results
// that are 0 because they are too small, as in glibc. Neither a NaN nor an infinite argument is a range error.

// domain sets EDOM if an argument is bad.
func (e Errno) domain(bad bool) {
	if bad {
		e.Set(eDOM)
	}
}

// erange sets ERANGE if the result is out of range.
func (e Errno) erange(bad bool) {
	if bad {
		e.Set(eRANGE)
	}
}

func finite(x float64) bool { return x-x == 0 }

// lost reports whether a result is 0 or infinite.
func lost(y float64) bool { return y == 0 || math.IsInf(y, 0) }

// Sqrt is sqrt. Without an Errno it is one machine instruction where the machine has one.
func Sqrt(e Errno, x float64) float64 {
	if e != 0 {
		e.domain(x < 0)
	}
	return math.Sqrt(x)
}

// Fabs is fabs.
func Fabs(x float64) float64 { return math.Abs(x) }

// Floor is floor.
func Floor(x float64) float64 { return math.Floor(x) }

// Ceil is ceil.
func Ceil(x float64) float64 { return math.Ceil(x) }

// Trunc is trunc.
func Trunc(x float64) float64 { return math.Trunc(x) }

// Round is round: halves are rounded away from zero.
func Round(x float64) float64 { return math.Round(x) }

// Rint is rint and nearbyint in the default mode: halves are rounded to even.
func Rint(x float64) float64 { return math.RoundToEven(x) }

// Fmod is fmod.
func Fmod(e Errno, x, y float64) float64 {
	e.domain(y == 0 && x == x || math.IsInf(x, 0) && y == y)
	return num.FRem64(x, y)
}

// Ldexp is ldexp and scalbn.
func Ldexp(e Errno, x float64, exp uint32) float64 {
	y := math.Ldexp(x, int(min(max(int32(exp), -5000), 5000)))
	e.erange(lost(y) && finite(x) && x != 0)
	return y
}

// Copysign is copysign.
func Copysign(x, sign float64) float64 { return math.Copysign(x, sign) }

// Fmax is fmax: a NaN is treated as a missing argument.
func Fmax(x, y float64) float64 {
	if x != x {
		return y
	}
	if y != y {
		return x
	}
	return max(x, y)
}

// Fmin is fmin: a NaN is treated as a missing argument.
func Fmin(x, y float64) float64 {
	if x != x {
		return y
	}
	if y != y {
		return x
	}
	return min(x, y)
}

// Sin is sin.
func Sin(e Errno, x float64) float64 {
	e.domain(math.IsInf(x, 0))
	return math.Sin(x)
}

// Cos is cos.
func Cos(e Errno, x float64) float64 {
	e.domain(math.IsInf(x, 0))
	return math.Cos(x)
}

// Tan is tan.
func Tan(e Errno, x float64) float64 {
	e.domain(math.IsInf(x, 0))
	return math.Tan(x)
}

// Asin is asin.
func Asin(e Errno, x float64) float64 {
	e.domain(x < -1 || x > 1)
	return math.Asin(x)
}

// Acos is acos.
func Acos(e Errno, x float64) float64 {
	e.domain(x < -1 || x > 1)
	return math.Acos(x)
}

// Atan is atan.
func Atan(x float64) float64 { return math.Atan(x) }

// Atan2 is atan2.
func Atan2(e Errno, y, x float64) float64 {
	z := math.Atan2(y, x)
	e.erange(z == 0 && y != 0 && finite(x))
	return z
}

// Sinh is sinh.
func Sinh(e Errno, x float64) float64 {
	y := math.Sinh(x)
	e.erange(math.IsInf(y, 0) && finite(x))
	return y
}

// Cosh is cosh.
func Cosh(e Errno, x float64) float64 {
	y := math.Cosh(x)
	e.erange(math.IsInf(y, 0) && finite(x))
	return y
}

// Tanh is tanh.
func Tanh(x float64) float64 { return math.Tanh(x) }

// Exp is exp.
func Exp(e Errno, x float64) float64 {
	y := math.Exp(x)
	e.erange(lost(y) && finite(x))
	return y
}

// Exp2 is exp2.
func Exp2(e Errno, x float64) float64 {
	y := math.Exp2(x)
	e.erange(lost(y) && finite(x))
	return y
}

// Expm1 is expm1.
func Expm1(e Errno, x float64) float64 {
	y := math.Expm1(x)
	e.erange(math.IsInf(y, 0) && finite(x))
	return y
}

// Log is log.
func Log(e Errno, x float64) float64 {
	e.domain(x < 0)
	e.erange(x == 0)
	return math.Log(x)
}

// Log2 is log2.
func Log2(e Errno, x float64) float64 {
	e.domain(x < 0)
	e.erange(x == 0)
	return math.Log2(x)
}

// Log10 is log10.
func Log10(e Errno, x float64) float64 {
	e.domain(x < 0)
	e.erange(x == 0)
	return math.Log10(x)
}

// Log1p is log1p.
func Log1p(e Errno, x float64) float64 {
	e.domain(x < -1)
	e.erange(x == -1)
	return math.Log1p(x)
}

// Pow is pow.
func Pow(e Errno, x, y float64) float64 {
	z := math.Pow(x, y)
	e.pow(x, y, z)
	return z
}

// pow sets errno for z, the power of x and y.
func (e Errno) pow(x, y, z float64) {
	if finite(x) && finite(y) {
		e.domain(z != z)
		e.erange(math.IsInf(z, 0) || z == 0 && x != 0)
	}
}

// Hypot is hypot.
func Hypot(e Errno, x, y float64) float64 {
	z := math.Hypot(x, y)
	e.erange(math.IsInf(z, 0) && finite(x) && finite(y))
	return z
}

// Cbrt is cbrt.
func Cbrt(x float64) float64 { return math.Cbrt(x) }

// Abs is abs; the result for the least int is the least int, as in all common C libraries.
func Abs(x uint32) uint32 {
	if int32(x) < 0 {
		return -x
	}
	return x
}

// Labs is labs and llabs.
func Labs(x uint64) uint64 {
	if int64(x) < 0 {
		return -x
	}
	return x
}
