package libc

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// A soft has the functions for float or for double, from the rows of the table.
type soft struct {
	name string
	bits uint
	pack func(x float64) uint64
	read func(w uint64) float64
	rat  func(x *big.Rat) float64 // rounds to nearest even
}

var softs = []soft{
	{"sf", 32, func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) },
		func(w uint64) float64 { return float64(math.Float32frombits(uint32(w))) },
		func(x *big.Rat) float64 { f, _ := x.Float32(); return float64(f) }},
	{"df", 64, math.Float64bits, math.Float64frombits, func(x *big.Rat) float64 { f, _ := x.Float64(); return f }},
}

func (s *soft) call(t *testing.T, format string, args ...uint64) uint64 {
	t.Helper()
	name := fmt.Sprintf(format, s.name)
	n := Lookup(name)
	if n == nil {
		t.Fatalf("%s is not there", name)
	}
	w, err := n.Call(0, args...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestSoftArithmetic compares sums, differences, products, quotients and the order of finite numbers with those of
// rational numbers, rounded once.
func TestSoftArithmetic(t *testing.T) {
	ops := map[string]func(z, x, y *big.Rat) *big.Rat{"add": (*big.Rat).Add, "sub": (*big.Rat).Sub, "mul": (*big.Rat).Mul, "div": (*big.Rat).Quo}
	for _, s := range softs {
		r := rand.New(rand.NewPCG(3, 4))
		for range 3000 {
			x, y := s.number(r), s.number(r)
			p, q := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y)
			a, b := s.pack(x), s.pack(y)
			for op, f := range ops {
				if op == "div" && y == 0 {
					continue
				}
				got, want := s.read(s.call(t, "__"+op+"%s3", a, b)), s.rat(f(new(big.Rat), p, q))
				if got != want {
					t.Fatalf("__%s%s3(%v, %v) = %v, want %v", op, s.name, x, y, got, want)
				}
			}
			for op, holds := range map[string]bool{"lt": p.Cmp(q) < 0, "le": p.Cmp(q) <= 0, "gt": p.Cmp(q) > 0, "ge": p.Cmp(q) >= 0, "eq": p.Cmp(q) == 0, "ne": p.Cmp(q) != 0} {
				if got := compared(op, s.call(t, "__"+op+"%s2", a, b)); got != holds {
					t.Fatalf("__%s%s2(%v, %v): %v", op, s.name, x, y, got)
				}
			}
			if got := int32(s.call(t, "__cmp%s2", a, b)); int(got) != p.Cmp(q) {
				t.Fatalf("__cmp%s2(%v, %v) = %d", s.name, x, y, got)
			}
			if s.call(t, "__unord%s2", a, b) != 0 {
				t.Fatalf("%v and %v are not ordered", x, y)
			}
		}
	}
}

// number is a random finite number, often of a size at which results are rounded.
func (s *soft) number(r *rand.Rand) float64 {
	for {
		x := s.read(r.Uint64())
		switch r.IntN(4) {
		case 0:
			x = float64(r.IntN(9) - 4)
		case 1:
			x = r.NormFloat64() * 100
		case 2:
			x = math.Ldexp(r.Float64(), 30-r.IntN(60))
		}
		if x = s.read(s.pack(x)); x-x == 0 {
			return x
		}
	}
}

// compared is the truth value that the result of a comparison stands for.
func compared(op string, w uint64) bool {
	c := int32(w)
	return map[string]bool{"lt": c < 0, "le": c <= 0, "gt": c > 0, "ge": c >= 0, "eq": c == 0, "ne": c != 0}[op]
}

// TestSoftSpecial: infinities, NaN, zeroes and signs.
func TestSoftSpecial(t *testing.T) {
	inf, nan, minus := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, s := range softs {
		for _, c := range []struct {
			op         string
			x, y, want float64
		}{
			{"add", inf, 1, inf}, {"add", inf, -inf, nan}, {"add", minus, minus, minus}, {"add", minus, 0, 0}, {"sub", 1, 1, 0}, {"sub", inf, inf, nan},
			{"mul", minus, 1, minus}, {"mul", 0, inf, nan}, {"mul", -inf, 2, -inf}, {"div", 1, 0, inf}, {"div", 1, minus, -inf}, {"div", 0, 0, nan},
			{"div", inf, inf, nan}, {"div", 1, -inf, minus}, {"add", nan, 1, nan}, {"mul", 1, nan, nan},
		} {
			got := s.read(s.call(t, "__"+c.op+"%s3", s.pack(c.x), s.pack(c.y)))
			if got != got && c.want != c.want {
				continue
			}
			if got != c.want || math.Signbit(got) != math.Signbit(c.want) {
				t.Errorf("__%s%s3(%v, %v) = %v, want %v", c.op, s.name, c.x, c.y, got, c.want)
			}
		}
		for _, x := range []float64{0, minus, 1, -2.5, inf, nan} {
			w := s.pack(x)
			if got := s.call(t, "__neg%s2", w); got != w^1<<(s.bits-1) {
				t.Errorf("__neg%s2(%v) = %#x", s.name, x, got)
			}
			for _, op := range []string{"lt", "le", "gt", "ge", "eq"} {
				if compared(op, s.call(t, "__"+op+"%s2", w, s.pack(nan))) || compared(op, s.call(t, "__"+op+"%s2", s.pack(nan), w)) {
					t.Errorf("%v %s NaN", x, op)
				}
			}
			if !compared("ne", s.call(t, "__ne%s2", w, s.pack(nan))) || s.call(t, "__unord%s2", s.pack(nan), w) == 0 || s.call(t, "__unord%s2", w, s.pack(nan)) == 0 {
				t.Errorf("%v and NaN are not told apart", x)
			}
		}
		if !compared("eq", s.call(t, "__eq%s2", 0, s.pack(minus))) || !compared("lt", s.call(t, "__lt%s2", s.pack(-inf), s.pack(inf))) {
			t.Errorf("%s: order of zeroes or infinities", s.name)
		}
	}
}

// TestSoftConversion compares conversions to and from integers with those of rational numbers; numbers out of range
// are clamped.
func TestSoftConversion(t *testing.T) {
	for _, s := range softs {
		r := rand.New(rand.NewPCG(5, 6))
		for i := range 4000 {
			w := r.Uint64() >> r.IntN(64)
			x := s.number(r)
			if i%2 == 0 {
				x = s.read(s.pack(math.Ldexp(x, r.IntN(70))))
			}
			if x-x != 0 {
				x = math.Inf(int(x))
			}
			for _, c := range []struct {
				name   string
				bits   uint
				signed bool
			}{{"si", 32, true}, {"di", 64, true}, {"si", 32, false}, {"di", 64, false}} {
				uns, un := "uns", "un"
				low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), c.bits)
				if c.signed {
					uns, un = "", ""
					high.Rsh(high, 1)
					low.Neg(high)
				}
				high.Sub(high, big.NewInt(1))
				want := clamped(x, low, high)
				if got := s.call(t, "__fix"+uns+"%s"+c.name, s.pack(x)); got != bitsOf(want, c.bits) {
					t.Fatalf("__fix%s%s%s(%v) = %#x, want %v", uns, s.name, c.name, x, got, want)
				}
				v := w << (64 - c.bits) >> (64 - c.bits)
				n := new(big.Int).SetUint64(v)
				if c.signed {
					n.SetInt64(int64(w) << (64 - c.bits) >> (64 - c.bits))
				}
				if got, want := s.read(s.call(t, "__float"+un+c.name+"%s", v)), s.rat(new(big.Rat).SetInt(n)); got != want {
					t.Fatalf("__float%s%s%s(%v) = %v, want %v", un, c.name, s.name, n, got, want)
				}
			}
		}
	}
	double, single := softs[1], softs[0]
	for _, x := range []float64{0, math.Copysign(0, -1), 1, 1.1, 1e300, 1e-300, math.Inf(-1), 5e-324, 16777217} {
		w := Lookup("__truncdfsf2")
		v, _ := w.Call(0, double.pack(x))
		if got := uint32(v); got != math.Float32bits(float32(x)) {
			t.Errorf("__truncdfsf2(%v) = %#x", x, got)
		}
		e, _ := Lookup("__extendsfdf2").Call(0, single.pack(x))
		if e != math.Float64bits(float64(float32(x))) {
			t.Errorf("__extendsfdf2(%v) = %#x", x, e)
		}
	}
}

// clamped is a number toward zero, within a range.
func clamped(x float64, low, high *big.Int) *big.Int {
	switch {
	case math.IsInf(x, 1):
		return high
	case math.IsInf(x, -1):
		return low
	}
	n, _ := new(big.Float).SetFloat64(x).Int(nil)
	switch {
	case n.Cmp(low) < 0:
		return low
	case n.Cmp(high) > 0:
		return high
	}
	return n
}

// bitsOf is the low bits of an integer.
func bitsOf(n *big.Int, bits uint) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), bits)
	return m.Mod(n, m).Uint64()
}
