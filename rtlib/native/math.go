package native

import (
	"math"

	"github.com/uvm2go/uvm2go/rtlib/num"
)

// Functions whose result C and Go both define to the bit are marked Exact in
// Table; the rest are Go's approximations, off by an ulp from this or that C
// library as those are from each other.

// Sqrt is sqrt.
func Sqrt(x float64) float64 { return math.Sqrt(x) }

// Fabs is fabs.
func Fabs(x float64) float64 { return math.Abs(x) }

// Floor is floor.
func Floor(x float64) float64 { return math.Floor(x) }

// Ceil is ceil.
func Ceil(x float64) float64 { return math.Ceil(x) }

// Trunc is trunc.
func Trunc(x float64) float64 { return math.Trunc(x) }

// Round is round: halves go away from zero.
func Round(x float64) float64 { return math.Round(x) }

// Rint is rint and nearbyint in the default mode: halves go to even.
func Rint(x float64) float64 { return math.RoundToEven(x) }

// Fmod is fmod.
func Fmod(x, y float64) float64 { return num.FRem64(x, y) }

// Ldexp is ldexp and scalbn.
func Ldexp(x float64, exp uint32) float64 {
	return math.Ldexp(x, int(min(max(int32(exp), -5000), 5000)))
}

// Copysign is copysign.
func Copysign(x, sign float64) float64 { return math.Copysign(x, sign) }

// Fmax is fmax: NaN counts as missing.
func Fmax(x, y float64) float64 {
	if x != x {
		return y
	}
	if y != y {
		return x
	}
	return max(x, y)
}

// Fmin is fmin: NaN counts as missing.
func Fmin(x, y float64) float64 {
	if x != x {
		return y
	}
	if y != y {
		return x
	}
	return min(x, y)
}

// Sqrtf is sqrtf. Rounding the root in double to float is rounding the root.
func Sqrtf(x float32) float32 { return float32(math.Sqrt(float64(x))) }

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
func Fmodf(x, y float32) float32 { return num.FRem32(x, y) }

// Sin is sin.
func Sin(x float64) float64 { return math.Sin(x) }

// Cos is cos.
func Cos(x float64) float64 { return math.Cos(x) }

// Tan is tan.
func Tan(x float64) float64 { return math.Tan(x) }

// Asin is asin.
func Asin(x float64) float64 { return math.Asin(x) }

// Acos is acos.
func Acos(x float64) float64 { return math.Acos(x) }

// Atan is atan.
func Atan(x float64) float64 { return math.Atan(x) }

// Atan2 is atan2.
func Atan2(y, x float64) float64 { return math.Atan2(y, x) }

// Sinh is sinh.
func Sinh(x float64) float64 { return math.Sinh(x) }

// Cosh is cosh.
func Cosh(x float64) float64 { return math.Cosh(x) }

// Tanh is tanh.
func Tanh(x float64) float64 { return math.Tanh(x) }

// Exp is exp.
func Exp(x float64) float64 { return math.Exp(x) }

// Exp2 is exp2.
func Exp2(x float64) float64 { return math.Exp2(x) }

// Expm1 is expm1.
func Expm1(x float64) float64 { return math.Expm1(x) }

// Log is log.
func Log(x float64) float64 { return math.Log(x) }

// Log2 is log2.
func Log2(x float64) float64 { return math.Log2(x) }

// Log10 is log10.
func Log10(x float64) float64 { return math.Log10(x) }

// Log1p is log1p.
func Log1p(x float64) float64 { return math.Log1p(x) }

// Pow is pow.
func Pow(x, y float64) float64 { return math.Pow(x, y) }

// Hypot is hypot.
func Hypot(x, y float64) float64 { return math.Hypot(x, y) }

// Cbrt is cbrt.
func Cbrt(x float64) float64 { return math.Cbrt(x) }

// Sinf is sinf.
func Sinf(x float32) float32 { return float32(math.Sin(float64(x))) }

// Cosf is cosf.
func Cosf(x float32) float32 { return float32(math.Cos(float64(x))) }

// Tanf is tanf.
func Tanf(x float32) float32 { return float32(math.Tan(float64(x))) }

// Expf is expf.
func Expf(x float32) float32 { return float32(math.Exp(float64(x))) }

// Logf is logf.
func Logf(x float32) float32 { return float32(math.Log(float64(x))) }

// Powf is powf.
func Powf(x, y float32) float32 { return float32(math.Pow(float64(x), float64(y))) }

// Abs is abs; the least int is its own, as in practice everywhere.
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
