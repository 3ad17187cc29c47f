package interp

import "math"

// The functions of libm. The errors are those of glibc: EDOM outside the domain, ERANGE at poles and for results that
// are too large or, where C requires it, too small.

// A mathFunc is a function of libm for doubles, and the errors that it reports.
type mathFunc struct {
	name   string
	one    func(x float64) float64
	two    func(x, y float64) float64
	errors mathErrors
}

type mathErrors uint8

const (
	domain mathErrors = 1 << iota // NaN for arguments that are not NaN
	pole                          // infinite for a finite argument at which the function has a pole
	large                         // infinite for other finite arguments
	small                         // 0 for arguments where the function is not 0
)

var mathFuncs = []mathFunc{
	{name: "sin", one: math.Sin, errors: domain}, {name: "cos", one: math.Cos, errors: domain}, {name: "tan", one: math.Tan, errors: domain},
	{name: "asin", one: math.Asin, errors: domain}, {name: "acos", one: math.Acos, errors: domain}, {name: "atan", one: math.Atan},
	{name: "sinh", one: math.Sinh, errors: large}, {name: "cosh", one: math.Cosh, errors: large}, {name: "tanh", one: math.Tanh},
	{name: "exp", one: math.Exp, errors: large | small}, {name: "exp2", one: math.Exp2, errors: large | small},
	{name: "expm1", one: math.Expm1, errors: large},
	{name: "log", one: math.Log, errors: domain | pole}, {name: "log2", one: math.Log2, errors: domain | pole},
	{name: "log10", one: math.Log10, errors: domain | pole}, {name: "log1p", one: math.Log1p, errors: domain | pole},
	{name: "sqrt", one: math.Sqrt, errors: domain}, {name: "cbrt", one: math.Cbrt},
	{name: "floor", one: math.Floor}, {name: "ceil", one: math.Ceil}, {name: "trunc", one: math.Trunc}, {name: "round", one: math.Round},
	{name: "rint", one: math.RoundToEven}, {name: "nearbyint", one: math.RoundToEven}, {name: "fabs", one: math.Abs},
	{name: "pow", two: math.Pow, errors: domain | large | small}, {name: "fmod", two: math.Mod, errors: domain},
	{name: "atan2", two: math.Atan2, errors: small}, {name: "hypot", two: math.Hypot, errors: large},
	{name: "copysign", two: math.Copysign}, {name: "fmax", two: fmax}, {name: "fmin", two: fmin},
	{name: "ldexp", two: ldexp, errors: large | small}, {name: "scalbn", two: ldexp, errors: large | small},
}

func mathNatives() {
	for _, f := range mathFuncs {
		natives[f.name] = func(c *nativeCall) Value { return Float64(f.call(c, false)) }
		natives[f.name+"f"] = func(c *nativeCall) Value { return Float32(float32(f.call(c, true))) }
	}
}

// call calculates, and sets errno by arguments and result; single says that they are floats.
func (f *mathFunc) call(c *nativeCall, single bool) float64 {
	number := func(i int) float64 {
		switch {
		case c.want.Params[i] == 'i':
			return float64(c.int(i))
		case single:
			return float64(c.args[i].AsFloat32())
		}
		return c.args[i].AsFloat64()
	}
	x := number(0)
	y, r := 1.0, 0.0
	if f.two != nil {
		y = number(1)
		r = f.two(x, y)
	} else {
		r = f.one(x)
	}
	if single {
		r = float64(float32(r))
	}
	nan := math.IsNaN(x) || math.IsNaN(y)
	inf := math.IsInf(x, 0) || math.IsInf(y, 0)
	switch {
	case nan:
	case math.IsNaN(r):
		c.failIf(f.errors&domain != 0, errDomain)
	case math.IsInf(r, 0):
		c.failIf(f.errors&(pole|large) != 0 && !inf, errRange)
	case r == 0:
		c.failIf(f.errors&small != 0 && f.tooSmall(x, y), errRange)
	}
	return r
}

// tooSmall reports whether the result is 0 although the exact value is not.
func (f *mathFunc) tooSmall(x, y float64) bool {
	switch f.name {
	case "exp", "exp2":
		return !math.IsInf(x, 0)
	case "atan2": // of x/y
		return x != 0 && !math.IsInf(y, 0)
	}
	return x != 0 && !math.IsInf(x, 0) && !math.IsInf(y, 0)
}

// fmax takes NaN for a missing number; math.Max does not.
func fmax(x, y float64) float64 {
	switch {
	case math.IsNaN(x):
		return y
	case math.IsNaN(y):
		return x
	}
	return math.Max(x, y)
}

func fmin(x, y float64) float64 { return -fmax(-x, -y) }

// ldexp cuts the exponent to the range that matters.
func ldexp(x, exp float64) float64 { return math.Ldexp(x, int(max(-5000, min(exp, 5000)))) }
