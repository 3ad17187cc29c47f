package gogen_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
)

// A kind is the family of a scalar type.
type kind byte

const (
	kInt    kind = 'i'
	kFloat  kind = 'f'
	kDouble kind = 'd'
	kPtr    kind = 'p' // uptr
	kFunc   kind = 'q' // ufuncptr
)

// A shape is a scalar type or, with lanes, a vector of one.
type shape struct {
	kind  kind
	bits  uint
	lanes int // 0 for a scalar
}

func intShape(n uint) shape { return shape{kInt, n, 0} }

var (
	float32Shape = shape{kFloat, 32, 0}
	float64Shape = shape{kDouble, 64, 0}
	ptrShape     = shape{kPtr, 64, 0}
	funcShape    = shape{kFunc, 64, 0}
)

func (s shape) elem() shape        { return shape{s.kind, s.bits, 0} }
func (s shape) vector(n int) shape { return shape{s.kind, s.bits, n} }
func (s shape) count() int         { return max(1, s.lanes) }
func (s shape) address() bool      { return s.kind == kPtr || s.kind == kFunc }
func (s shape) fp() bool           { return s.kind == kFloat || s.kind == kDouble }

// name is the name of the type in the bundle, without its sigil.
func (s shape) name() string {
	n := string(s.kind)
	if s.kind == kInt {
		n = fmt.Sprintf("i%d", s.bits)
	}
	if s.lanes > 0 {
		n = fmt.Sprintf("V%d_%s", s.lanes, n)
	}
	return n
}

// ctor is the type's constructor.
func (s shape) ctor() string {
	switch {
	case s.lanes > 0:
		return fmt.Sprintf("vector<@%s %d>", s.elem().name(), s.lanes)
	case s.kind == kFloat:
		return "float"
	case s.kind == kDouble:
		return "double"
	case s.kind == kPtr:
		return "uptr<@i64>"
	case s.kind == kFunc:
		return "ufuncptr<@v_v>"
	}
	return fmt.Sprintf("int<%d>", s.bits)
}

func pow2(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

// size is the size in memory and the alignment.
func (s shape) size() int {
	if s.lanes > 0 {
		return pow2(s.lanes * s.elem().size())
	}
	return max(1, pow2(int(s.bits))/8)
}

// A value is the bit pattern of each lane.
type value []*big.Int

func one(x *big.Int) value { return value{x} }

// maskOf is 2^n-1.
func maskOf(n uint) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), n)
	return m.Sub(m, big.NewInt(1))
}

// wrap reduces x modulo 2^n.
func wrap(x *big.Int, n uint) *big.Int { return new(big.Int).And(x, maskOf(n)) }

// signed is the signed reading of a pattern of n bits.
func signed(x *big.Int, n uint) *big.Int {
	if x.Bit(int(n)-1) == 0 {
		return x
	}
	return new(big.Int).Sub(x, new(big.Int).Lsh(big.NewInt(1), n))
}

func u64(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

// encode puts a value into memory. Bits beyond the width of its type are filled with junk,
// which a load must ignore.
func encode(dst []byte, s shape, v value, junk byte) {
	for i := range dst[:s.size()] {
		dst[i] = junk
	}
	step := s.elem().size()
	for i, x := range v {
		lane := dst[i*step : (i+1)*step]
		high := new(big.Int).Lsh(big.NewInt(int64(junk)), s.bits)
		x = wrap(high.Or(high, x), uint(8*step))
		b := x.FillBytes(make([]byte, step))
		for j := range lane {
			lane[j] = b[step-1-j]
		}
	}
}

// decode reads a value, with all the bits in memory.
func decode(src []byte, s shape) value {
	step := s.elem().size()
	v := make(value, s.count())
	for i := range v {
		b := make([]byte, step)
		for j := range b {
			b[step-1-j] = src[i*step+j]
		}
		v[i] = new(big.Int).SetBytes(b)
	}
	return v
}

func (v value) String() string {
	var b strings.Builder
	for i, x := range v {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%#x", x)
	}
	return b.String()
}

// literal is a scalar value in a constant definition.
func literal(s shape, x *big.Int) string {
	switch s.kind {
	case kFloat:
		return fmt.Sprintf("bitsf(%#x)", x)
	case kDouble:
		return fmt.Sprintf("bitsd(%#x)", x)
	}
	return fmt.Sprintf("%#x", x)
}

// edges are scalar operands for which operations tend to be wrong: for integers 0, 1, -1, least,
// greatest, single bits, alternating ones; all values if there are few.
func edges(s shape, r *rand.Rand) []*big.Int {
	switch s.kind {
	case kFloat:
		return floatEdges
	case kDouble:
		return doubleEdges
	}
	var list []*big.Int
	add := func(x *big.Int) { list = append(list, wrap(x, s.bits)) }
	n := s.bits
	for _, x := range []int64{0, 1, -1} {
		add(big.NewInt(x))
	}
	least := new(big.Int).Lsh(big.NewInt(1), n-1)
	add(least)
	add(new(big.Int).Sub(least, big.NewInt(1)))
	add(new(big.Int).Add(least, big.NewInt(1)))
	for _, x := range []int64{2, -2, 3, 7, -7, 10} {
		add(big.NewInt(x))
	}
	for _, k := range []uint{n / 2, n - 2, 31, 32, 63, 64} {
		if k < n {
			add(new(big.Int).Lsh(big.NewInt(1), k))
		}
	}
	third := new(big.Int).Div(maskOf(n+n%2), big.NewInt(3)) // 0101...
	add(third)
	add(new(big.Int).Lsh(third, 1))
	for range 4 {
		add(random(n, r))
	}
	return distinct(list)
}

// distinct drops duplicates.
func distinct(list []*big.Int) []*big.Int {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(x *big.Int) bool {
		k := x.String()
		old := seen[k]
		seen[k] = true
		return old
	})
}

// random is a pattern of n bits of any length.
func random(n uint, r *rand.Rand) *big.Int {
	x := new(big.Int).Lsh(u64(r.Uint64()), 64)
	x.Or(x, u64(r.Uint64()))
	return x.Rsh(x, 128-n+uint(r.IntN(int(n))))
}

// counts are shift amounts at and past the width.
func counts(n uint) []*big.Int {
	m := int64(pow2(int(n)))
	var list []*big.Int
	for _, k := range []int64{int64(n) - 1, int64(n), int64(n) + 1, int64(n) / 2, m - 1, m, m + 1, 3 * m, 32, 33, 63, 64, 65} {
		list = append(list, wrap(big.NewInt(k), n))
	}
	return list
}

var floatEdges, doubleEdges = fpEdges()

func fpEdges() (f, d []*big.Int) {
	for _, b := range []uint32{
		0, 1 << 31, // zeros
		0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, // one, infinity
		0x7fc00000, 0xffc01234, 0x7f800001, // NaN, one of them signalling
		1, 0x80000001, 0x007fffff, 0x00800000, 0x80800001, // around the least normal
		0x7f7fffff, 0xff7fffff, 0x7f000000, // around the greatest
		math.Float32bits(0.1), math.Float32bits(-2.5), math.Float32bits(3), math.Float32bits(0.5), math.Float32bits(-1.5),
		math.Float32bits(1 << 24), math.Float32bits(1<<24 - 1), 0x3f800001, 0x3f7fffff, math.Float32bits(1e-30), math.Float32bits(7.25e22),
		0x1f800000, 0x20000001, // squares near the least
	} {
		f = append(f, u64(uint64(b)))
	}
	for _, b := range []uint64{
		0, 1 << 63,
		0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000,
		0x7ff8000000000000, 0xfff8000000001234, 0x7ff0000000000001,
		1, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000, 0x8010000000000001,
		0x7fefffffffffffff, 0xffefffffffffffff, 0x7fe0000000000000,
		math.Float64bits(0.1), math.Float64bits(-2.5), math.Float64bits(3), math.Float64bits(0.5), math.Float64bits(-1.5),
		math.Float64bits(1 << 53), math.Float64bits(1<<53 - 1), 0x3ff0000000000001, 0x3fefffffffffffff, math.Float64bits(1e-300), math.Float64bits(7.25e222),
		0x1e50000000000001, 0x1e60000000000000,
		// where float rounds: its greatest, half way beyond, its least, half of it
		math.Float64bits(math.MaxFloat32), 0x47efffffefffffff, 0x47effffff0000000, 0x47efffffe0000001,
		math.Float64bits(math.SmallestNonzeroFloat32), math.Float64bits(math.SmallestNonzeroFloat32 / 2), math.Float64bits(math.SmallestNonzeroFloat32 * 0.5000001),
		math.Float64bits(math.SmallestNonzeroFloat32 * 1.5), 0x3ff0000010000000, 0x3ff0000030000000, 0x3ff0000010000001, 0x380fffffffffffff,
	} {
		d = append(d, u64(b))
	}
	return f, d
}

// toInt are floating point operands around the limits of an integer type.
func toInt(s shape, n uint) []*big.Int {
	list := edges(s, nil)
	for _, e := range []int{int(n) - 1, int(n)} {
		for _, sign := range []float64{1, -1} {
			x := sign * math.Ldexp(1, e)
			if s.kind == kDouble {
				for _, y := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, 2*x), x + 0.5, x - 0.5, x + 1, x - 1, x - 1.5, x / 3} {
					list = append(list, u64(math.Float64bits(y)))
				}
				continue
			}
			f := float32(x)
			for _, y := range []float32{f, math.Nextafter32(f, 0), math.Nextafter32(f, 2*f), f + 0.5, f - 0.5, f + 1, f - 1, f / 3} {
				list = append(list, u64(uint64(math.Float32bits(y))))
			}
		}
	}
	for _, x := range []float64{0.999, -0.999, -0.4, 1.999, -1.999, 6.5} {
		if s.kind == kDouble {
			list = append(list, u64(math.Float64bits(x)))
		} else {
			list = append(list, u64(uint64(math.Float32bits(float32(x)))))
		}
	}
	return list
}

// toFP are integers that lie between floating point numbers: ties, and just beside.
func toFP(s shape, r *rand.Rand) []*big.Int {
	list := edges(s, r)
	for _, mant := range []uint{24, 53} {
		for top := mant + 1; top <= s.bits; top += 1 + s.bits/8 {
			unit := new(big.Int).Lsh(big.NewInt(1), top-mant) // distance of floating point numbers
			half := new(big.Int).Rsh(unit, 1)
			base := new(big.Int).Lsh(big.NewInt(1), top-1)
			for _, odd := range []bool{false, true} {
				x := new(big.Int).Add(base, half)
				if odd {
					x.Add(x, unit)
				}
				for d := int64(-1); d <= 1; d++ {
					y := new(big.Int).Add(x, big.NewInt(d))
					list = append(list, wrap(y, s.bits), wrap(y.Neg(y), s.bits))
				}
			}
		}
		if s.bits > mant { // rounds up to the next power of two
			x := maskOf(s.bits)
			list = append(list, x, new(big.Int).Rsh(x, 1))
		}
	}
	return list
}
