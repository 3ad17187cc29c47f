package libc

import (
	"math"

	"github.com/uvm2go/uvm2go/rtlib/num"
)

// Functions of float: those of double, rounded once more. Errno depends on the rounded result.

// single rounds a result. It is a range error if rounding makes a finite result infinite or, if small is set, a nonzero
// result 0.
func (e Errno) single(y float64, small bool) float32 {
	z := float32(y)
	e.erange(finite(y) && !finite(float64(z)) || small && y != 0 && z == 0)
	return z
}

// Asinf is asinf.
func Asinf(e Errno, x float32) float32 { return float32(Asin(e, float64(x))) }

// Acosf is acosf.
func Acosf(e Errno, x float32) float32 { return float32(Acos(e, float64(x))) }

// Log2f is log2f.
func Log2f(e Errno, x float32) float32 { return float32(Log2(e, float64(x))) }

// Log10f is log10f.
func Log10f(e Errno, x float32) float32 { return float32(Log10(e, float64(x))) }

// Log1pf is log1pf.
func Log1pf(e Errno, x float32) float32 { return float32(Log1p(e, float64(x))) }

// Sinhf is sinhf.
func Sinhf(e Errno, x float32) float32 { return e.single(Sinh(e, float64(x)), false) }

// Coshf is coshf.
func Coshf(e Errno, x float32) float32 { return e.single(Cosh(e, float64(x)), false) }

// Expm1f is expm1f.
func Expm1f(e Errno, x float32) float32 { return e.single(Expm1(e, float64(x)), false) }

// Exp2f is exp2f.
func Exp2f(e Errno, x float32) float32 { return e.single(Exp2(e, float64(x)), true) }

// Atanf is atanf.
func Atanf(x float32) float32 { return float32(Atan(float64(x))) }

// Tanhf is tanhf.
func Tanhf(x float32) float32 { return float32(Tanh(float64(x))) }

// Cbrtf is cbrtf.
func Cbrtf(x float32) float32 { return float32(Cbrt(float64(x))) }

// Rintf is rintf.
func Rintf(x float32) float32 { return float32(Rint(float64(x))) }

// Fmaxf is fmaxf.
func Fmaxf(x, y float32) float32 { return float32(Fmax(float64(x), float64(y))) }

// Fminf is fminf.
func Fminf(x, y float32) float32 { return float32(Fmin(float64(x), float64(y))) }

// Copysignf is copysignf.
func Copysignf(x, y float32) float32 { return float32(Copysign(float64(x), float64(y))) }

// Atan2f is atan2f.
func Atan2f(e Errno, y, x float32) float32 { return e.single(Atan2(e, float64(y), float64(x)), true) }

// Hypotf is hypotf.
func Hypotf(e Errno, x, y float32) float32 { return e.single(Hypot(e, float64(x), float64(y)), false) }

// Ldexpf is ldexpf and scalbnf.
func Ldexpf(e Errno, x float32, exp uint32) float32 {
	return e.single(Ldexp(e, float64(x), uint32(min(max(int32(exp), -400), 400))), true)
}

// Sqrtf is sqrtf. Rounding the root in double to float is rounding the root.
func Sqrtf(e Errno, x float32) float32 {
	if e != 0 {
		e.domain(x < 0)
	}
	return float32(math.Sqrt(float64(x)))
}

// Fabsf is fabsf.
func Fabsf(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// Floorf is floorf.
func Floorf(x float32) float32 { return float32(math.Floor(float64(x))) }

// Ceilf is ceilf.
func Ceilf(x float32) float32 { return float32(math.Ceil(float64(x))) }

// Truncf is truncf.
func Truncf(x float32) float32 { return float32(math.Trunc(float64(x))) }

// Roundf is roundf.
func Roundf(x float32) float32 { return float32(math.Round(float64(x))) }

// Fmodf is fmodf.
func Fmodf(e Errno, x, y float32) float32 {
	e.domain(y == 0 && x == x || math.IsInf(float64(x), 0) && y == y)
	return num.FRem32(x, y)
}

// Sinf is sinf.
func Sinf(e Errno, x float32) float32 {
	return float32(Sin(e, float64(x)))
}

// Cosf is cosf.
func Cosf(e Errno, x float32) float32 {
	return float32(Cos(e, float64(x)))
}

// Tanf is tanf.
func Tanf(e Errno, x float32) float32 {
	return float32(Tan(e, float64(x)))
}

// Expf is expf.
func Expf(e Errno, x float32) float32 {
	y := float32(math.Exp(float64(x)))
	e.erange(lost(float64(y)) && finite(float64(x)))
	return y
}

// Logf is logf.
func Logf(e Errno, x float32) float32 {
	return float32(Log(e, float64(x)))
}

// Powf is powf.
func Powf(e Errno, x, y float32) float32 {
	z := float32(math.Pow(float64(x), float64(y)))
	e.pow(float64(x), float64(y), float64(z))
	return z
}
