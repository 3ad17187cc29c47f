package num

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// widths128 are the widths of a U128 that tests go through.
var widths128 = []uint{65, 66, 95, 96, 100, 127, 128}

func toBig(x U128) *big.Int {
	b := new(big.Int).SetUint64(x.Hi)
	return b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(x.Lo))
}

func pow2(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

// signed reads the n low bits of b as two's complement.
func signed(b *big.Int, n uint) *big.Int {
	b = wrap(b, n)
	if b.Bit(int(n)-1) != 0 {
		b.Sub(b, pow2(n))
	}
	return b
}

// wrap reduces b modulo 2^n to a pattern.
func wrap(b *big.Int, n uint) *big.Int { return new(big.Int).Mod(b, pow2(n)) }

// values128 are corner cases, and random values with runs of equal bits, which cause
// more carries than uniform ones.
func values128(r *rand.Rand, random int) []U128 {
	var vs []U128
	for _, n := range []uint{0, 1, 31, 32, 52, 53, 62, 63, 64, 65, 94, 95, 126, 127} {
		p := From64(1).Shl(n)
		vs = append(vs, p, p.Sub(From64(1)), p.Neg(), p.Not(), p.Add(From64(1)))
	}
	for range random {
		vs = append(vs, random128(r))
	}
	return vs
}

func random128(r *rand.Rand) U128 {
	x := U128{r.Uint64(), r.Uint64()}
	if r.IntN(2) == 0 {
		x = x.And(U128{r.Uint64(), r.Uint64()}.AShr(r.UintN(128)))
	}
	if r.IntN(3) == 0 {
		x = x.Or(U128{^uint64(0), ^uint64(0)}.Shl(r.UintN(128)))
	}
	return x.LShr(r.UintN(128))
}

func random() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func TestBinary128(t *testing.T) {
	b2i := func(b bool) U128 {
		if b {
			return From64(1)
		}
		return U128{}
	}
	one := func(b bool) *big.Int { return toBig(b2i(b)) }
	type bigOp = func(x, y *big.Int) *big.Int // on mathematical values
	z := func() *big.Int { return new(big.Int) }
	ops := []struct {
		name   string
		signed bool
		div    bool
		got    func(x, y U128) U128
		want   bigOp
	}{
		{"add", false, false, U128.Add, func(x, y *big.Int) *big.Int { return z().Add(x, y) }},
		{"sub", false, false, U128.Sub, func(x, y *big.Int) *big.Int { return z().Sub(x, y) }},
		{"mul", false, false, U128.Mul, func(x, y *big.Int) *big.Int { return z().Mul(x, y) }},
		{"and", false, false, U128.And, func(x, y *big.Int) *big.Int { return z().And(x, y) }},
		{"or", false, false, U128.Or, func(x, y *big.Int) *big.Int { return z().Or(x, y) }},
		{"xor", false, false, U128.Xor, func(x, y *big.Int) *big.Int { return z().Xor(x, y) }},
		{"udiv", false, true, U128.UDiv, func(x, y *big.Int) *big.Int { return z().Quo(x, y) }},
		{"urem", false, true, U128.URem, func(x, y *big.Int) *big.Int { return z().Rem(x, y) }},
		{"sdiv", true, true, U128.SDiv, func(x, y *big.Int) *big.Int { return z().Quo(x, y) }},
		{"srem", true, true, U128.SRem, func(x, y *big.Int) *big.Int { return z().Rem(x, y) }},
		{"eq", false, false, func(x, y U128) U128 { return b2i(x.EQ(y)) }, func(x, y *big.Int) *big.Int { return one(x.Cmp(y) == 0) }},
		{"ne", false, false, func(x, y U128) U128 { return b2i(x.NE(y)) }, func(x, y *big.Int) *big.Int { return one(x.Cmp(y) != 0) }},
		{"ult", false, false, func(x, y U128) U128 { return b2i(x.ULT(y)) }, func(x, y *big.Int) *big.Int { return one(x.Cmp(y) < 0) }},
		{"ule", false, false, func(x, y U128) U128 { return b2i(x.ULE(y)) }, func(x, y *big.Int) *big.Int { return one(x.Cmp(y) <= 0) }},
		{"ugt", false, false, func(x, y U128) U128 { return b2i(x.UGT(y)) }, func(x, y *big.Int) *big.Int { return one(x.Cmp(y) > 0) }},
		{"uge", false, false, func(x, y U128) U128 { return b2i(x.UGE(y)) }, func(x, y *big.Int) *big.Int { return one(x.Cmp(y) >= 0) }},
		{"slt", true, false, func(x, y U128) U128 { return b2i(x.SLT(y)) }, func(x, y *big.Int) *big.Int { return one(x.Cmp(y) < 0) }},
		{"sle", true, false, func(x, y U128) U128 { return b2i(x.SLE(y)) }, func(x, y *big.Int) *big.Int { return one(x.Cmp(y) <= 0) }},
		{"sgt", true, false, func(x, y U128) U128 { return b2i(x.SGT(y)) }, func(x, y *big.Int) *big.Int { return one(x.Cmp(y) > 0) }},
		{"sge", true, false, func(x, y U128) U128 { return b2i(x.SGE(y)) }, func(x, y *big.Int) *big.Int { return one(x.Cmp(y) >= 0) }},
	}
	vals := values128(random(), 20)
	for _, n := range widths128 {
		for _, x := range vals {
			x = x.Mask(n)
			for _, y := range vals {
				y = y.Mask(n)
				if y.IsZero() {
					y = From64(7)
				}
				for _, op := range ops {
					gx, gy, wx, wy := x, y, toBig(x), toBig(y)
					if op.signed {
						gx, gy, wx, wy = x.SignExtend(n), y.SignExtend(n), signed(wx, n), signed(wy, n)
					}
					got := op.got(gx, gy).Mask(n)
					if want := wrap(op.want(wx, wy), n); toBig(got).Cmp(want) != 0 {
						t.Fatalf("%s int<%d> %#x %#x: got %#x, want %#x", op.name, n, toBig(x), toBig(y), toBig(got), want)
					}
				}
			}
		}
	}
}

func TestUnary128(t *testing.T) {
	vals := values128(random(), 300)
	for _, x := range vals {
		b := toBig(x)
		check := func(name string, n uint, got U128, want *big.Int) {
			t.Helper()
			if toBig(got).Cmp(wrap(want, 128)) != 0 {
				t.Fatalf("%s %d %#x: got %#x, want %#x", name, n, b, toBig(got), wrap(want, 128))
			}
		}
		check("neg", 0, x.Neg(), new(big.Int).Neg(b))
		check("not", 0, x.Not(), new(big.Int).Not(b))
		check("From64", 0, From64(x.Lo), new(big.Int).SetUint64(x.Lo))
		check("FromS64", 0, FromS64(int64(x.Lo)), big.NewInt(int64(x.Lo)))
		if x.IsZero() != (b.Sign() == 0) {
			t.Fatalf("IsZero %#x: got %v", b, x.IsZero())
		}
		for n := uint(1); n <= 128; n++ {
			check("mask", n, x.Mask(n), wrap(b, n))
			check("sext", n, x.SignExtend(n), signed(b, n))
		}
		for k := uint(0); k <= 130; k++ {
			check("shl", k, x.Shl(k), new(big.Int).Lsh(b, k))
			check("lshr", k, x.LShr(k), new(big.Int).Rsh(b, k))
			check("ashr", k, x.AShr(k), new(big.Int).Rsh(signed(b, 128), k))
		}
	}
}

// TestShift128 shifts like generated code: the count is masked, the operand is extended
// before and the result masked after.
func TestShift128(t *testing.T) {
	for _, n := range widths128 {
		for _, x := range values128(random(), 100) {
			x = x.Mask(n)
			for c := uint64(0); c < 260; c++ {
				k := ShiftCount(c, n)
				if want := uint(c % 128); k != want {
					t.Fatalf("ShiftCount(%d, %d): got %d, want %d", c, n, k, want)
				}
				b := toBig(x)
				for name, p := range map[string][2]*big.Int{
					"shl":  {toBig(x.Shl(k).Mask(n)), wrap(new(big.Int).Lsh(b, k), n)},
					"lshr": {toBig(x.LShr(k)), new(big.Int).Rsh(b, k)},
					"ashr": {toBig(x.SignExtend(n).AShr(k).Mask(n)), wrap(new(big.Int).Rsh(signed(b, n), k), n)},
				} {
					if p[0].Cmp(p[1]) != 0 {
						t.Fatalf("%s int<%d> %#x by %d: got %#x, want %#x", name, n, b, c, p[0], p[1])
					}
				}
			}
		}
	}
}

func TestAddOvf128(t *testing.T) {
	vals := values128(random(), 60)
	for _, n := range append([]uint{1, 2, 8, 63, 64}, widths128...) {
		for _, x := range vals {
			for _, y := range vals {
				x, y := x.Mask(n), y.Mask(n)
				sum := new(big.Int).Add(signed(toBig(x), n), signed(toBig(y), n))
				got, ovf := AddOvf128(x, y, n)
				if want := signed(sum, n).Cmp(sum) != 0; ovf != want || toBig(got).Cmp(wrap(sum, n)) != 0 {
					t.Fatalf("int<%d> %#x + %#x: got %#x %v, want %#x %v", n, toBig(x), toBig(y), toBig(got), ovf, wrap(sum, n), want)
				}
			}
		}
	}
}

func ExampleU128_SDiv() {
	least := From64(1).Shl(127)
	q := least.SDiv(FromS64(-1))
	fmt.Println(q == least, least.SRem(FromS64(-1)))
	// Output: true {0 0}
}

func BenchmarkUDiv128(b *testing.B) {
	r := random()
	x, y := U128{r.Uint64(), r.Uint64()}, U128{r.Uint64(), r.Uint64() >> 20}
	for b.Loop() {
		x.Lo++
		x.UDiv(y)
	}
}
