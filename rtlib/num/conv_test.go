package num

import (
	"math"
	"math/big"
	"testing"
)

var (
	nan    = math.NaN()
	inf    = math.Inf(1)
	negZ   = math.Copysign(0, -1)
	finite = func(f float64) bool { return f-f == 0 }
)

// floats are corner cases of every width's range, then random patterns.
func floats() []float64 {
	fs := []float64{0, negZ, 0.5, 0.9, 1.5, 127.9, 128, 255.9, 256, nan, inf, 5e-324, math.MaxFloat64, math.MaxFloat32, 1e10, 1e19, 1e30}
	for n := range 131 {
		p := math.Ldexp(1, n)
		fs = append(fs, p, math.Nextafter(p, 0), math.Nextafter(p, inf), p-1, p+1, p-0.5, p+0.5, p*1.75, float64(float32(p*0.99)))
	}
	r := random()
	for range 400 {
		fs = append(fs, math.Ldexp(r.Float64(), r.IntN(140)), math.Float64frombits(r.Uint64()))
	}
	for _, f := range fs {
		fs = append(fs, -f)
	}
	return fs
}

// clamped is the oracle: trunc(f) in [lo, hi], NaN giving 0.
func clamped(f float64, lo, hi *big.Int) *big.Int {
	switch {
	case f != f:
		return new(big.Int)
	case f > 0 && !finite(f):
		return hi
	case f < 0 && !finite(f):
		return lo
	}
	b, _ := new(big.Float).SetFloat64(f).Int(nil)
	switch {
	case b.Cmp(lo) < 0:
		return lo
	case b.Cmp(hi) > 0:
		return hi
	}
	return b
}

// ranges returns the clamped conversions of f to int<n> as patterns.
func ranges(f float64, n uint) (u, s *big.Int) {
	one := big.NewInt(1)
	u = clamped(f, new(big.Int), new(big.Int).Sub(pow2(n), one))
	s = clamped(f, new(big.Int).Neg(pow2(n-1)), new(big.Int).Sub(pow2(n-1), one))
	return u, wrap(s, n)
}

func TestFPToInt(t *testing.T) {
	for _, f := range floats() {
		check := func(name string, n uint, got U128, want *big.Int) {
			t.Helper()
			if toBig(got).Cmp(want) != 0 {
				t.Errorf("%s %v to int<%d>: got %#x, want %#x", name, f, n, toBig(got), want)
			}
		}
		for n := uint(1); n <= 128; n++ {
			u, s := ranges(f, n)
			if n > 64 {
				check("FToU128", n, FToU128(f, n), u)
				check("FToS128", n, FToS128(f, n), s)
			} else {
				check("FToU", n, From64(FToU(f, n)), u)
				check("FToS", n, From64(FToS(f, n)), s)
			}
		}
		u64, s64 := ranges(f, 64)
		u32, s32 := ranges(f, 32)
		check("F64ToU64", 64, From64(F64ToU64(f)), u64)
		check("F64ToI64", 64, From64(F64ToI64(f)), s64)
		check("F64ToU32", 32, From64(uint64(F64ToU32(f))), u32)
		check("F64ToI32", 32, From64(uint64(F64ToI32(f))), s32)
		g := float32(f)
		f = float64(g)
		u64, s64 = ranges(f, 64)
		u32, s32 = ranges(f, 32)
		check("F32ToU64", 64, From64(F32ToU64(g)), u64)
		check("F32ToI64", 64, From64(F32ToI64(g)), s64)
		check("F32ToU32", 32, From64(uint64(F32ToU32(g))), u32)
		check("F32ToI32", 32, From64(uint64(F32ToI32(g))), s32)
	}
}

// TestFPVectors has worked examples of conversions and remainders.
func TestFPVectors(t *testing.T) {
	for _, test := range []struct {
		f    float64
		n    uint
		s, u uint64
	}{
		{127.9, 8, 127, 127}, {200, 8, 127, 200}, {-200, 8, 0x80, 0}, {-0.9, 8, 0, 0}, {nan, 8, 0, 0}, {-inf, 8, 0x80, 0},
		{255.9, 8, 127, 255}, {256, 8, 127, 255}, {-1, 8, 0xff, 0}, {-0.5, 8, 0, 0}, {inf, 8, 127, 255},
		{1, 1, 0, 1}, {-1, 1, 1, 0}, {-9, 1, 1, 0},
	} {
		if got := FToS(test.f, test.n); got != test.s {
			t.Errorf("FPTOSI %v to i%d: got %#x, want %#x", test.f, test.n, got, test.s)
		}
		if got := FToU(test.f, test.n); got != test.u {
			t.Errorf("FPTOUI %v to i%d: got %#x, want %#x", test.f, test.n, got, test.u)
		}
	}
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"UITOFP i64 max double", U64ToF64(^uint64(0)), 18446744073709551616},
		{"UITOFP i32 16777217 float", float64(U64ToF32(16777217)), 16777216},
		{"UITOFP i32 16777219 float", float64(U64ToF32(16777219)), 16777220},
		{"SITOFP i1 1 double", S64ToF64(uint64(SignExt(1, 1))), -1},
		{"FDIV 1 -0", 1 / negZ, -inf},
		{"FDIV 0 0", (negZ + 0) / negZ, nan},
		{"FREM 7 4", FRem64(7, 4), 3},
		{"FREM 5.5 -2", FRem64(5.5, -2), 1.5},
		{"FREM -5.5 2", FRem64(-5.5, 2), -1.5},
		{"FREM 45 4", FRem64(45, 4), 1},
		{"FREM -4 2", FRem64(-4, 2), negZ},
		{"FREM 1 inf", FRem64(1, inf), 1},
		{"FREM inf 1", FRem64(inf, 1), nan},
		{"FREM 1 0", FRem64(1, 0), nan},
	} {
		if !same(test.got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, test.got, test.want)
		}
	}
}

// same is equality that distinguishes the zeros and takes all NaNs as equal.
func same(x, y float64) bool {
	return x != x && y != y || math.Float64bits(x) == math.Float64bits(y)
}

func TestIntToFP(t *testing.T) {
	vals := values128(random(), 3000)
	for n := uint(0); n < 128; n++ { // ties and their neighbours, both formats
		for _, prec := range []uint{24, 53} {
			if n < prec+1 {
				continue
			}
			tie := From64(1).Shl(n).Add(From64(1).Shl(n - prec))
			odd := tie.Add(From64(1).Shl(n - prec + 1))
			one := From64(1)
			vals = append(vals, tie, tie.Add(one), tie.Sub(one), odd, odd.Add(one), odd.Sub(one))
		}
	}
	for _, x := range vals {
		checkToFP(t, "U128", U128ToF64(x), U128ToF32(x), toBig(x))
		checkToFP(t, "S128", S128ToF64(x), S128ToF32(x), signed(toBig(x), 128))
		lo := From64(x.Lo)
		checkToFP(t, "U64", U64ToF64(x.Lo), U64ToF32(x.Lo), toBig(lo))
		checkToFP(t, "S64", S64ToF64(x.Lo), S64ToF32(x.Lo), signed(toBig(lo), 64))
		y := x.LShr(63)
		checkToFP(t, "U128", U128ToF64(y), U128ToF32(y), toBig(y))
	}
}

func checkToFP(t *testing.T, name string, got64 float64, got32 float32, b *big.Int) {
	t.Helper()
	exact := new(big.Float).SetPrec(200).SetInt(b)
	want64, _ := exact.Float64()
	want32, _ := exact.Float32()
	if !same(got64, want64) {
		t.Errorf("%sToF64(%#x): got %x, want %x", name, b, got64, want64)
	}
	if !same(float64(got32), float64(want32)) {
		t.Errorf("%sToF32(%#x): got %x, want %x", name, b, got32, want32)
	}
}

// remOracle computes fmod of finite numbers, y not 0, exactly.
func remOracle(x, y float64) float64 {
	shift := func(f float64) (*big.Int, int) {
		m, e := math.Frexp(math.Abs(f))
		return big.NewInt(int64(m * (1 << 53))), e - 53
	}
	mx, ex := shift(x)
	my, ey := shift(y)
	e := min(ex, ey)
	mx.Lsh(mx, uint(ex-e))
	my.Lsh(my, uint(ey-e))
	r := new(big.Float).SetPrec(64).SetInt(mx.Rem(mx, my))
	f, _ := r.SetMantExp(r, e).Float64()
	return math.Copysign(f, x)
}

func TestFRem(t *testing.T) {
	specials := []float64{0, negZ, nan, inf, -inf, 1, -1, 5e-324, math.MaxFloat64, math.SmallestNonzeroFloat32, math.MaxFloat32, 0x1p-1022, 0x1p-126, 3, 0.1}
	for _, x := range specials {
		for _, y := range specials {
			checkRem(t, x, y)
		}
	}
	r := random()
	for range 5000 {
		checkRem(t, math.Float64frombits(r.Uint64()), math.Float64frombits(r.Uint64()))
		checkRem(t, r.NormFloat64()*1e6, r.NormFloat64())
		checkRem(t, float64(r.IntN(100)), float64(r.IntN(20)))
		checkRem(t, math.Float64frombits(r.Uint64()), math.Float64frombits(r.Uint64()&(1<<63|1<<53-1)))
		checkRem(t, float64(math.Float32frombits(r.Uint32())), float64(math.Float32frombits(r.Uint32())))
		checkRem(t, float64(math.Float32frombits(r.Uint32())), float64(math.Float32frombits(r.Uint32()&(1<<31|1<<24-1))))
	}
}

func checkRem(t *testing.T, x, y float64) {
	t.Helper()
	want := func(x, y float64) float64 {
		switch {
		case x != x || y != y || !finite(x) || y == 0:
			return nan
		case !finite(y):
			return x
		}
		return remOracle(x, y)
	}
	if got, want := FRem64(x, y), want(x, y); !same(got, want) {
		t.Fatalf("FRem64(%x, %x): got %x, want %x", x, y, got, want)
	}
	x32, y32 := float32(x), float32(y)
	if got, want := float64(FRem32(x32, y32)), want(float64(x32), float64(y32)); !same(got, want) {
		t.Fatalf("FRem32(%x, %x): got %x, want %x", x32, y32, got, want)
	}
}

func BenchmarkFRem(b *testing.B) {
	for _, bm := range []struct {
		name string
		x, y float64
	}{{"near", 45, 4}, {"far", 1e300, 3e-10}} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				FRem64(bm.x, bm.y)
			}
		})
		b.Run(bm.name+"/math.Mod", func(b *testing.B) {
			for b.Loop() {
				math.Mod(bm.x, bm.y)
			}
		})
	}
}

// TestNarrow tests the function that only 32-bit machines use.
func TestNarrow(t *testing.T) {
	for _, x := range values128(random(), 3000) {
		want, _ := new(big.Float).SetPrec(200).SetInt(toBig(From64(x.Lo))).Float32()
		if got := narrow(x.Lo); got != want {
			t.Errorf("narrow(%#x): got %x, want %x", x.Lo, got, want)
		}
	}
}
