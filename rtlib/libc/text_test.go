package libc

import (
	"math"
	"runtime"
	"slices"
	"testing"
)

// formatted is the text that printf makes from a format.
func formatted(format string, args ...uint64) string {
	b, ok := appendFormat(nil, []byte(format), args)
	if !ok {
		return "too long"
	}
	return string(b)
}

// TestFormatTooLong: a text whose length does not fit an int is an error.
func TestFormatTooLong(t *testing.T) {
	e := NewErrno()
	defer e.Free()
	buf := room(t, 64)
	for _, c := range []struct {
		format string
		arg    uint64
	}{{"%2147483648d", 1}, {"%99999999999999999999d", 1}, {"%.2147483648d", 1}, {"%*d", 1 << 31}, {"%.*d", 1<<31 - 1}} {
		f := newString(c.format)
		e.Set(0)
		if got := Snprintf(e, buf, 64, f, []uint64{c.arg, 1}); got != failed || e.Get() != eOVERFLOW {
			t.Errorf("%s: got %d, errno %d", c.format, int32(got), e.Get())
		}
		Free(f)
	}
}

func TestFormat(t *testing.T) {
	s := uint64(newString("hello"))
	f := math.Float64bits
	neg := func(x int64) uint64 { return uint64(x) }
	for _, test := range []struct {
		format string
		args   []uint64
		want   string
	}{
		{"plain", nil, "plain"}, {"", nil, ""}, {"100%%", nil, "100%"},
		{"%d", []uint64{0xffffffff}, "-1"}, {"%i|%d", []uint64{5, neg(-7)}, "5|-7"}, {"%ld", []uint64{neg(-1 << 63)}, "-9223372036854775808"},
		{"%lld %zd %jd", []uint64{1 << 40, 2, 3}, "1099511627776 2 3"}, {"%hd %hhd", []uint64{0x18000, 0x1ff}, "-32768 -1"},
		{"%u %lu", []uint64{neg(-1), neg(-1)}, "4294967295 18446744073709551615"}, {"%hu %hhu", []uint64{neg(-1), neg(-1)}, "65535 255"},
		{"%5d|%-5d|%05d", []uint64{42, 42, 42}, "   42|42   |00042"}, {"%+d % d", []uint64{1, 2}, "+1  2"}, {"%+05d", []uint64{neg(-3)}, "-0003"},
		{"%.3d|%8.3d|%08.3d|%.0d|", []uint64{5, 5, 5, 0}, "005|     005|     005||"},
		{"%x %X %#x %#X %#x", []uint64{255, 255, 255, 255, 0}, "ff FF 0xff 0XFF 0"}, {"%08x|%#010x", []uint64{0xbeef, 0xbeef}, "0000beef|0x0000beef"},
		{"%o %#o %#o", []uint64{8, 8, 0}, "10 010 0"}, {"%lx", []uint64{neg(-1)}, "ffffffffffffffff"},
		{"%c%c", []uint64{'a', 'b'}, "ab"}, {"%3c|%-3c|", []uint64{'x', 'y'}, "  x|y  |"},
		{"%s|%8s|%-8s|%.2s|", []uint64{s, s, s, s}, "hello|   hello|hello   |he|"}, {"%s", []uint64{0}, "(null)"},
		{"%*d|%-*d|%*d|%.*f", []uint64{5, 1, 5, 2, neg(-5), 3, 2, f(1.005)}, "    1|2    |3    |1.00"},
		{"%p %p", []uint64{0x1234, 0}, "0x1234 (nil)"},
		{"%f %.2f %.0f %#.0f", []uint64{f(1.5), f(2.675), f(2.5), f(3)}, "1.500000 2.67 2 3."}, {"%8.3f|%-8.1f|%08.2f", []uint64{f(-1.5), f(2), f(-3.25)}, "  -1.500|2.0     |-0003.25"},
		{"%e %.0e %E", []uint64{f(12345.678), f(5), f(1e-300)}, "1.234568e+04 5e+00 1.000000E-300"}, {"%.3e", []uint64{f(0)}, "0.000e+00"},
		{"%g %g %g %g", []uint64{f(100000), f(1e6), f(1e-4), f(1e-5)}, "100000 1e+06 0.0001 1e-05"}, {"%.3g %#.3g %.10g %g", []uint64{f(1234), f(1), f(0.1), f(0)}, "1.23e+03 1.00 0.1 0"},
		{"%.0g %G", []uint64{f(9.99), f(1e20)}, "1e+01 1E+20"}, {"%#g", []uint64{f(1.5)}, "1.50000"},
		{"%f %F %e %5g|%05g", []uint64{f(math.Inf(1)), f(math.Inf(-1)), f(math.NaN()), f(math.Inf(1)), f(math.Inf(1))}, "inf -INF nan   inf|  inf"},
		{"%+f % g %f", []uint64{f(1), f(2), f(math.Copysign(0, -1))}, "+1.000000  2 -0.000000"},
		{"%a %a %A", []uint64{f(1), f(0.5), f(-10)}, "0x1p+0 0x1p-1 -0X1.4P+3"},
		{"%d %d", []uint64{1}, "1 0"}, {"%y %", nil, "%y %"}, {"%5", nil, "%5"}, {"%-", nil, "%-"}, {"%q!", []uint64{1}, "%q!"},
	} {
		if got := formatted(test.format, test.args...); got != test.want {
			t.Errorf("printf(%q, %v): got %q, want %q", test.format, test.args, got, test.want)
		}
	}
}

func TestSnprintf(t *testing.T) {
	buf, format := room(t, 8), newString("%s!")
	s := uint64(newString("hello"))
	for n := range uint64(9) {
		Memset(buf, '#', 8)
		want := "hello!"
		if n == 0 {
			want = "########"
		} else {
			want = want[:min(int(n)-1, 6)] + "\x00"
		}
		if got := Snprintf(0, buf, n, format, []uint64{s}); got != 6 || string(span("", buf, uint64(len(want)))) != want {
			t.Errorf("snprintf of %d: %d %q, want %q", n, got, span("", buf, 8), want)
		}
		if n < 8 && *at[byte](buf + 7) != '#' {
			t.Errorf("snprintf of %d wrote past its room", n)
		}
	}
	if got := Sprintf(0, buf, format, []uint64{s}); got != 6 || string(cstring("", buf)) != "hello!" {
		t.Errorf("sprintf: %d", got)
	}
}

func FuzzFormat(f *testing.F) {
	f.Add("%5.3d%s%g%-*x", uint64(7), 2.5)
	s := uint64(newString("text"))
	f.Fuzz(func(t *testing.T, format string, x uint64, y float64) {
		for i := range len(format) - 1 { // a string argument must be an address
			if format[i] == 's' || format[i+1] == 's' {
				return
			}
		}
		if len(formatted(format, x&0xff, math.Float64bits(y), s, x)) > 8<<20 {
			t.Skip("long")
		}
	})
}

func TestNumbers(t *testing.T) {
	e := NewErrno()
	defer e.Free()
	end := room(t, 8)
	for _, test := range []struct {
		s     string
		base  uint32
		l     int64
		u     uint64
		used  int
		lErr  int32
		ulErr int32
	}{
		{"123", 10, 123, 123, 3, 0, 0}, {"  \t\n+42x", 10, 42, 42, 7, 0, 0}, {"-7", 10, -7, math.MaxUint64 - 6, 2, 0, 0},
		{"0x1F", 0, 31, 31, 4, 0, 0}, {"0x1F", 16, 31, 31, 4, 0, 0}, {"0x1F", 10, 0, 0, 1, 0, 0}, {"0xg", 16, 0, 0, 1, 0, 0}, {"0x", 0, 0, 0, 1, 0, 0},
		{"017", 0, 15, 15, 3, 0, 0}, {"z", 36, 35, 35, 1, 0, 0}, {"19", 9, 1, 1, 1, 0, 0},
		{"", 10, 0, 0, 0, 0, 0}, {"  -", 10, 0, 0, 0, 0, 0}, {"abc", 10, 0, 0, 0, 0, 0},
		{"9223372036854775807", 10, math.MaxInt64, math.MaxInt64, 19, 0, 0},
		{"9223372036854775808", 10, math.MaxInt64, 1 << 63, 19, eRANGE, 0},
		{"-9223372036854775808", 10, math.MinInt64, 1 << 63, 20, 0, 0},
		{"-9223372036854775809", 10, math.MinInt64, 1<<63 - 1, 20, eRANGE, 0},
		{"18446744073709551616", 10, math.MaxInt64, math.MaxUint64, 20, eRANGE, eRANGE},
		{"-99999999999999999999", 10, math.MinInt64, math.MaxUint64, 21, eRANGE, eRANGE},
		{"12", 1, 0, 0, 0, eINVAL, eINVAL}, {"12", 37, 0, 0, 0, eINVAL, eINVAL},
	} {
		s := newString(test.s)
		check := func(name string, got, want uint64, no int32) {
			t.Helper()
			if got != want || e.Get() != no || *at[uintptr](end) != s+uintptr(test.used) {
				t.Errorf("%s(%q, %d): got %d, errno %d, used %d", name, test.s, test.base, got, e.Get(), *at[uintptr](end)-s)
			}
			e.Set(0)
		}
		check("strtol", Strtol(e, s, end, test.base), uint64(test.l), test.lErr)
		check("strtoul", Strtoul(e, s, end, test.base), test.u, test.ulErr)
		if test.base == 10 && test.lErr == 0 {
			if Atol(0, s) != uint64(test.l) || Atoi(0, s) != uint32(test.l) {
				t.Errorf("atol(%q): got %d", test.s, int64(Atol(0, s)))
			}
		}
	}
	for _, test := range []struct {
		s    string
		want float64
		used int
		no   int32
	}{
		{"1.5", 1.5, 3, 0}, {"  -2e3x", -2000, 6, 0}, {"1e", 1, 1, 0}, {"1e+", 1, 1, 0}, {".5", 0.5, 2, 0}, {"5.", 5, 2, 0}, {".", 0, 0, 0}, {"", 0, 0, 0}, {"x", 0, 0, 0},
		{"inf", math.Inf(1), 3, 0}, {"-INFINITYx", math.Inf(-1), 9, 0}, {"infinit", math.Inf(1), 3, 0}, {"nan", math.NaN(), 3, 0}, {"-nan", math.NaN(), 4, 0},
		{"0x1.8p1", 3, 7, 0}, {"0xA", 10, 3, 0}, {"0x", 0, 1, 0}, {"0x1e2", 482, 5, 0}, {"1e400", math.Inf(1), 5, eRANGE}, {"-1e400", math.Inf(-1), 6, eRANGE}, {"1e-400", 0, 6, eRANGE}, {"0e5", 0, 3, 0}, {"0.000", 0, 5, 0},
		{"1_000", 1, 1, 0},
	} {
		s := newString(test.s)
		got := Strtod(e, s, end)
		if got != test.want && (got == got || test.want == test.want) || e.Get() != test.no || *at[uintptr](end) != s+uintptr(test.used) {
			t.Errorf("strtod(%q): got %v, errno %d, used %d", test.s, got, e.Get(), *at[uintptr](end)-s)
		}
		e.Set(0)
		if f := Atof(0, s); f != got && got == got {
			t.Errorf("atof(%q): got %v", test.s, f)
		}
	}
}

func TestCharacters(t *testing.T) {
	in := func(c uint32, set string) bool {
		for i := range len(set) {
			if uint32(set[i]) == c {
				return true
			}
		}
		return false
	}
	const upper, lower, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
	for i := -1; i < 256; i++ { // EOF too
		c := uint32(int32(i))
		for name, p := range map[string][2]bool{
			"isupper":  {Isupper(c) != 0, in(c, upper)},
			"islower":  {Islower(c) != 0, in(c, lower)},
			"isalpha":  {Isalpha(c) != 0, in(c, upper+lower)},
			"isdigit":  {Isdigit(c) != 0, in(c, digits)},
			"isxdigit": {Isxdigit(c) != 0, in(c, digits+"abcdefABCDEF")},
			"isalnum":  {Isalnum(c) != 0, in(c, upper+lower+digits)},
			"isspace":  {Isspace(c) != 0, in(c, " \t\n\v\f\r")},
			"isprint":  {Isprint(c) != 0, i >= 32 && i < 127},
			"toupper":  {Toupper(c) == c-32, in(c, lower)},
			"tolower":  {Tolower(c) == c+32, in(c, upper)},
		} {
			if p[0] != p[1] {
				t.Errorf("%s(%d): got %v", name, i, p[0])
			}
		}
	}
}

func TestRand(t *testing.T) {
	Srand(7)
	a, b := Rand(), Rand()
	if a == b || a > math.MaxInt32 || b > math.MaxInt32 {
		t.Errorf("rand: %d, %d", a, b)
	}
	Srand(7)
	if c := Rand(); c != a {
		t.Errorf("rand after srand: %d, want %d", c, a)
	}
}

func TestMath(t *testing.T) {
	inf, nan, negZ := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	same := func(x, y float64) bool {
		return x != x && y != y || math.Float64bits(x) == math.Float64bits(y)
	}
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"round 0.5", Round(0.5), 1}, {"round -2.5", Round(-2.5), -3}, {"round -0.2", Round(-0.2), negZ}, {"rint 2.5", Rint(2.5), 2}, {"rint -0.5", Rint(-0.5), negZ},
		{"trunc -1.9", Trunc(-1.9), -1}, {"floor -1.1", Floor(-1.1), -2}, {"ceil -1.9", Ceil(-1.9), -1}, {"ceil -0.5", Ceil(-0.5), negZ},
		{"sqrt -1", Sqrt(0, -1), nan}, {"fabs -0", Fabs(negZ), 0}, {"fmod", Fmod(0, -5.5, 2), -1.5}, {"fmod by 0", Fmod(0, 1, 0), nan},
		{"ldexp", Ldexp(0, 1, 4), 16}, {"ldexp under", Ldexp(0, 1, 0x80000000), 0}, {"ldexp over", Ldexp(0, -1, 0x7fffffff), -inf}, {"ldexp subnormal", Ldexp(0, 3, 0xfffffbcd), 1e-323}, {"ldexp inf", Ldexp(0, inf, 0xffffffff), inf},
		{"copysign", Copysign(3, negZ), -3}, {"fmax nan", Fmax(nan, 1), 1}, {"fmax", Fmax(1, 2), 2}, {"fmin nan", Fmin(1, nan), 1}, {"fmin", Fmin(1, 2), 1},
		{"sqrtf", float64(Sqrtf(0, 2)), float64(float32(math.Sqrt2))}, {"fabsf", float64(Fabsf(-1.5)), 1.5}, {"floorf", float64(Floorf(-0.5)), -1}, {"ceilf", float64(Ceilf(0.5)), 1},
		{"truncf", float64(Truncf(-1.5)), -1}, {"roundf", float64(Roundf(2.5)), 3}, {"fmodf", float64(Fmodf(0, 5.5, -2)), 1.5},
		{"sin", Sin(0, 0), 0}, {"cos", Cos(0, 0), 1}, {"tan", Tan(0, 0), 0}, {"asin", Asin(0, 1), math.Pi / 2}, {"acos", Acos(0, 1), 0}, {"atan", Atan(1), math.Pi / 4}, {"atan2", Atan2(0, negZ, -1), -math.Pi},
		{"sinh", Sinh(0, 0), 0}, {"cosh", Cosh(0, 0), 1}, {"tanh", Tanh(inf), 1}, {"exp", Exp(0, 0), 1}, {"exp2", Exp2(0, 10), 1024}, {"expm1", Expm1(0, negZ), negZ}, {"log", Log(0, 1), 0}, {"log 0", Log(0, 0), -inf},
		{"log2", Log2(0, 8), 3}, {"log10", Log10(0, 1000), math.Log10(1000)}, {"log1p", Log1p(0, -1), -inf}, {"pow", Pow(0, 2, -2), 0.25}, {"pow 0", Pow(0, nan, 0), 1}, {"hypot", Hypot(0, 3, -4), 5}, {"hypot inf", Hypot(0, inf, nan), inf}, {"cbrt", Cbrt(-27), -3},
		{"sinf", float64(Sinf(0, 0)), 0}, {"cosf", float64(Cosf(0, 0)), 1}, {"tanf", float64(Tanf(0, 0)), 0}, {"expf", float64(Expf(0, 0)), 1}, {"logf", float64(Logf(0, 1)), 0}, {"powf", float64(Powf(0, 2, 3)), 8},
	} {
		near := slices.Contains(otherBits[runtime.GOARCH], test.name) && math.Nextafter(test.got, test.want) == test.want
		if !same(test.got, test.want) && !near {
			t.Errorf("%s: got %v, want %v", test.name, test.got, test.want)
		}
	}
	if Abs(0xfffffffb) != 5 || Abs(5) != 5 || Abs(1<<31) != 1<<31 || Labs(math.MaxUint64) != 1 || Labs(1<<63) != 1<<63 {
		t.Error("abs, labs")
	}
}
