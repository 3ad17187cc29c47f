//go:build cgo && linux

package libc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/libc/internal/fixture/ctest"
)

func randomFloat(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		if x := math.Float64frombits(r.Uint64()); x == x {
			return x
		}
		return math.NaN() // never a signalling NaN
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

// specials are arguments for which functions have special results, and numbers near them.
var specials = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1.5, math.Inf(1), math.Inf(-1), math.NaN(),
	5e-324, -5e-324, 2.5e-308, 1e-45, 1e-40, -1e-40, math.MaxFloat64, -math.MaxFloat64, math.MaxFloat32, 1e38, 3.5e38, 1e22, -1e22,
	700, 709, 710, 720, -700, -740, -745, -746, -800, 1023, 1024, -1074, -1075, -1080, 80, 88, 89, -87, -100, -104, 1 << 53, 1<<53 + 2,
	math.Nextafter(1, 2), math.Nextafter(-1, -2), math.Nextafter(1, 0)}

// least is the least number above 0.
func least(single bool) float64 {
	if single {
		return math.SmallestNonzeroFloat32
	}
	return math.SmallestNonzeroFloat64
}

// kindOf is the kind of a result that determines errno.
func kindOf(x float64) int {
	switch {
	case x != x:
		return 1
	case math.IsInf(x, 0):
		return 2
	case x == 0:
		return 3
	}
	return 0
}

// TestLibcMath compares all functions of libm with C's, for random and special arguments: exact functions agree to
// the bit, the others to a few ulps where they are well conditioned; errno is the same wherever the results are of the
// same kind, and the kinds of results differ only near limits.
func TestLibcMath(t *testing.T) {
	close := func(x, y, eps, tiny float64) bool {
		return x == y || x != x && y != y || math.Abs(x-y) <= eps*math.Abs(y)+tiny
	}
	same := func(x, y float64) bool {
		return x != x && y != y || math.Float64bits(x) == math.Float64bits(y)
	}
	e := NewErrno()
	defer e.Free()
	tested := 0
	for _, row := range Table {
		sig := strings.TrimPrefix(row.Sig, "e")
		single := strings.HasPrefix(sig, "f")
		if _, _, ok := ctest.Math(row.C, sig, 0, 0, 0); !ok {
			continue
		}
		tested++
		word := func(x float64) uint64 {
			if single {
				return uint64(math.Float32bits(float32(x)))
			}
			return math.Float64bits(x)
		}
		n := Lookup(row.C)
		check := func(x, y float64, i int32, conditioned bool) {
			t.Helper()
			if single { // C's promotion must not change the argument
				x, y = float64(float32(x)), float64(float32(y))
			}
			args := []uint64{word(x), word(y)}
			if strings.HasSuffix(sig, "i)") {
				args[1] = uint64(uint32(i))
			}
			e.Set(0)
			w, err := n.Call(e, args[:len(n.plan.params)]...)
			if err != nil {
				t.Fatal(err)
			}
			got := math.Float64frombits(w)
			eps, tiny := 1e-13, 1e-300
			if single {
				got, eps, tiny = float64(math.Float32frombits(uint32(w))), 1e-5, 1e-37
			}
			want, errno, _ := ctest.Math(row.C, sig, x, y, i)
			bad := false
			switch {
			case row.Flags&Exact != 0:
				bad = !same(got, want) || e.Get() != errno
			case kindOf(got) != kindOf(want): // near a limit
				bad = got != got || want != want || !close(max(-1e308, min(1e308, got)), max(-1e308, min(1e308, want)), 1, tiny) && !single
			case math.Abs(want) == least(single): // it may have been rounded from less
				bad = !close(got, want, 1, tiny)
			default:
				bad = e.Get() != errno || conditioned && !close(got, want, eps, tiny)
			}
			if bad {
				t.Errorf("%s(%v, %v, %d): got %v, errno %d; want %v, errno %d", row.C, x, y, i, got, e.Get(), want, errno)
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		for _, x := range specials {
			for _, y := range specials {
				check(x, y, 0, false)
			}
			for _, i := range []int32{0, 1, -1, 100, -100, 1023, 1024, -1074, -1080, 2100, -2200, 5000, -5000, math.MaxInt32, math.MinInt32} {
				check(x, 0, i, false)
			}
		}
		for range 5000 {
			check(randomFloat(r), randomFloat(r), int32(r.IntN(5000)-2500), false)
			check(r.NormFloat64()*3, r.NormFloat64()*3, int32(r.IntN(100)-50), true)
			check(r.NormFloat64()*1000, r.NormFloat64()*1000, int32(r.IntN(100)-50), false)
		}
	}
	if tested < 45 {
		t.Errorf("%d functions tested", tested)
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
		if got, want := formatted(format, uint64(x)), ctest.FormatInt(format, x); got != want {
			t.Errorf("printf(%q, %d): got %q, want %q", format, x, got, want)
		}
		format = spec + string("fFeEgG"[r.IntN(6)]) + "|"
		f := randomFloat(r)
		if f != f {
			f = math.NaN() // the sign of a NaN does not matter
		}
		if got, want := formatted(format, math.Float64bits(f)), ctest.FormatDouble(format, f); got != want {
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
		if r.IntN(50) == 0 {
			s = []byte([]string{"nan(12)x", "-NaN(_aZ9)", "nan(", "nan(-)", "nan()"}[r.IntN(5)])
		}
		if r.IntN(20) == 0 { // a number slightly above 0
			s = fmt.Appendf(nil, "%d.%de-%d", r.IntN(10), r.IntN(1e5), 305+r.IntN(25))
			if r.IntN(3) == 0 {
				s = fmt.Appendf(nil, "0x%x.%xp-%d", r.IntN(32), r.IntN(0x100), 1000+r.IntN(90))
			}
		}
		put(buf, string(s)+"\x00")
		base := []int{0, 10, 16, 8, 36, 2, 7}[r.IntN(7)]
		check := func(op int, name string, got uint64) {
			t.Helper()
			want, used, no := ctest.Text(op, buf, base)
			f := math.Float64frombits(want)
			if op%3 == 2 && f != f && math.IsNaN(math.Float64frombits(got)) {
				got = want
			}
			if got != want || op < 3 && int64(*at[uintptr](end)-buf) != used || e.Get() != no && !(op < 2 && used == 0) {
				t.Errorf("%s(%q, %d): got %#x, used %d, errno %d, want %#x, %d, %d", name, s, base, got, *at[uintptr](end)-buf, e.Get(), want, used, no)
			}
			e.Set(0)
		}
		check(0, "strtol", Strtol(e, buf, end, uint32(base)))
		check(1, "strtoul", Strtoul(e, buf, end, uint32(base)))
		check(2, "strtod", math.Float64bits(Strtod(e, buf, end)))
		check(3, "atoi", uint64(int64(int32(Atoi(e, buf)))))
		check(4, "atoll", Atol(e, buf))
		check(5, "atof", math.Float64bits(Atof(e, buf)))
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
