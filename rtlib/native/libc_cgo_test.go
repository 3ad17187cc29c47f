//go:build cgo && linux

package native

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/native/internal/ctest"
)

func randomFloat(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return math.Float64frombits(r.Uint64())
	case 1:
		return float64(r.IntN(2000)-1000) / 4
	case 2:
		return []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, math.MaxFloat64, 1e22, 0.1}[r.IntN(9)]
	case 3:
		return math.Ldexp(r.Float64()-0.5, r.IntN(60))
	case 4:
		return r.NormFloat64() * 1e5
	}
	return r.NormFloat64()
}

// TestLibcMath: exact functions agree to the bit, the others to a few ulps.
func TestLibcMath(t *testing.T) {
	one := func(f func(float32) float32) func(float64) float64 {
		return func(x float64) float64 { return float64(f(float32(x))) }
	}
	exact := []func(float64) float64{Sqrt, Fabs, Floor, Ceil, Trunc, Round, Rint, one(Sqrtf), one(Fabsf), one(Floorf), one(Ceilf), one(Truncf), one(Roundf)}
	near := []func(float64) float64{Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Log, Log2, Log10, Cbrt, Expm1, Log1p, Exp2}
	exact2 := []func(x, y float64) float64{Fmod, func(x, y float64) float64 { return float64(Fmodf(float32(x), float32(y))) }, Copysign, Fmax, Fmin}
	near2 := []func(x, y float64) float64{Pow, Atan2, Hypot}
	close := func(x, y float64) bool {
		return x == y || x != x && y != y || math.Abs(x-y) <= 1e-13*math.Abs(y)+1e-300 || math.IsInf(x, 0) && math.Abs(y) > 1e308
	}
	same := func(x, y float64) bool {
		return x != x && y != y || math.Float64bits(x) == math.Float64bits(y)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		x, y := randomFloat(r), randomFloat(r)
		for op, f := range exact {
			if got, want := f(x), ctest.Math1(op, x); !same(got, want) {
				t.Fatalf("exact function %d of %x: got %x, want %x", op, x, got, want)
			}
		}
		for op, f := range exact2 {
			if got, want := f(x, y), ctest.Math2(op, x, y); !same(got, want) && !(op >= 3 && (got == want || x != x || y != y)) { // signs of zeros, signalling NaNs
				t.Fatalf("exact function %d of %x, %x: got %x, want %x", op, x, y, got, want)
			}
		}
		exp := int32(r.IntN(5000) - 2500)
		if got, want := Ldexp(x, uint32(exp)), ctest.Ldexp(x, exp); !same(got, want) {
			t.Fatalf("ldexp(%x, %d): got %x, want %x", x, exp, got, want)
		}
		// Arguments where the functions are well conditioned.
		x, y = r.NormFloat64()*3, r.NormFloat64()*3
		for op, f := range near {
			if got, want := f(x), ctest.Math1(20+op, x); !close(got, want) {
				t.Errorf("function %d of %v: got %v, want %v", op, x, got, want)
			}
		}
		for op, f := range near2 {
			if got, want := f(x, y), ctest.Math2(20+op, x, y); !close(got, want) {
				t.Errorf("function %d of %v, %v: got %v, want %v", op, x, y, got, want)
			}
		}
	}
}

func TestLibcFormat(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30000 {
		var b strings.Builder
		b.WriteByte('%')
		for _, c := range "-+ #0" {
			if r.IntN(4) == 0 {
				b.WriteRune(c)
			}
		}
		if r.IntN(2) == 0 {
			fmt.Fprint(&b, r.IntN(30)+1)
		}
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, ".%d", r.IntN(20))
		}
		spec := b.String()
		x := int64(r.Uint64()) >> r.UintN(64)
		format := spec + []string{"", "l", "ll", "h", "hh", "z", "j"}[r.IntN(7)] + string("diuxXo"[r.IntN(6)]) + "|"
		if got, want := string(appendFormat(nil, []byte(format), []uint64{uint64(x)})), ctest.FormatInt(format, x); got != want {
			t.Errorf("printf(%q, %d): got %q, want %q", format, x, got, want)
		}
		format = spec + string("fFeEgG"[r.IntN(6)]) + "|"
		f := randomFloat(r)
		if f != f {
			f = math.NaN() // the sign of a NaN is nobody's business
		}
		if got, want := string(appendFormat(nil, []byte(format), []uint64{math.Float64bits(f)})), ctest.FormatDouble(format, f); got != want {
			t.Errorf("printf(%q, %v): got %q, want %q", format, f, got, want)
		}
	}
}

func TestLibcText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	e := NewErrno()
	defer e.Free()
	end := room(t, 8)
	buf := room(t, 64)
	for range 100000 {
		alphabet := []string{" +-0123456789", " +-0x123abcz", "+-.0123456789eE", "0x.1fp+-3 in", "-infatyINFNA"}[r.IntN(5)]
		s := make([]byte, r.IntN(24))
		for i := range s {
			s[i] = alphabet[r.IntN(len(alphabet))]
		}
		put(buf, string(s)+"\x00")
		base := []int{0, 10, 16, 8, 36, 2, 7}[r.IntN(7)]
		check := func(op int, name string, got uint64) {
			t.Helper()
			want, used, no := ctest.Text(op, buf, base)
			if strings.Contains(strings.ToLower(string(s)), "nan(") {
				return
			}
			f := math.Float64frombits(want)
			if op == 2 && f != f && math.IsNaN(math.Float64frombits(got)) {
				got = want
			}
			if op == 2 && no == eRANGE && f != 0 && !math.IsInf(f, 0) {
				no = e.Get() // a subnormal result may or may not be told
			}
			if got != want || int64(*at[uintptr](end)-buf) != used || e.Get() != no && !(op < 2 && used == 0) {
				t.Errorf("%s(%q, %d): got %#x, used %d, errno %d, want %#x, %d, %d", name, s, base, got, *at[uintptr](end)-buf, e.Get(), want, used, no)
			}
			e.Set(0)
		}
		check(0, "strtol", Strtol(e, buf, end, uint32(base)))
		check(1, "strtoul", Strtoul(e, buf, end, uint32(base)))
		check(2, "strtod", math.Float64bits(Strtod(e, buf, end)))
	}
	for c := int32(-1); c < 256; c++ {
		var got int
		for i, f := range []func(uint32) uint32{Isupper, Islower, Isalpha, Isdigit, Isxdigit, Isalnum, Isspace, Isprint} {
			if f(uint32(c)) != 0 {
				got |= 1 << i
			}
		}
		if want := ctest.Types(c); got != want {
			t.Errorf("ctype of %d: got %#b, want %#b", c, got, want)
		}
	}
}

func TestLibcStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	a, b := room(t, 64), room(t, 64)
	for range 100000 {
		fill := func(p uintptr) {
			n := r.IntN(40)
			for i := range n {
				*at[byte](p + uintptr(i)) = "aaab\xff"[r.IntN(5)]
			}
			*at[byte](p + uintptr(n)) = 0
		}
		fill(a)
		if r.IntN(2) == 0 {
			fill(b)
		} else { // nearly equal
			Memcpy(b, a, 64)
			*at[byte](b + uintptr(r.IntN(64))) = 'a'
			*at[byte](b + 63) = 0
		}
		o := uintptr(r.IntN(8))
		x, y := a+o%uintptr(Strlen(a)+1), b+uintptr(r.IntN(8))%uintptr(Strlen(b)+1)
		n := uint64(r.IntN(int(min(Strlen(x), Strlen(y)) + 1)))
		for op, got := range []uint32{Memcmp(x, y, n), Strcmp(x, y), Strncmp(x, y, uint64(r.IntN(40)))} {
			m := n
			if op == 2 {
				m = uint64(r.IntN(40))
				got = Strncmp(x, y, m)
			}
			if want := ctest.Sign(op, x, y, m); sign(got) != want {
				t.Fatalf("comparison %d of %q, %q, %d: got %d, want %d", op, cstring("", x), cstring("", y), m, int32(got), want)
			}
		}
		c := uint64("ab\xff\x00z"[r.IntN(5)])
		short := y + uintptr(Strlen(y)) - uintptr(min(Strlen(y), uint64(r.IntN(4))))
		for op, got := range []uintptr{Strchr(x, uint32(c)), Strrchr(x, uint32(c)), Strstr(x, short)} {
			if want := ctest.Find(op, x, short, c); got != want {
				t.Fatalf("search %d in %q: got %#x, want %#x", op, cstring("", x), got, want)
			}
		}
	}
}
