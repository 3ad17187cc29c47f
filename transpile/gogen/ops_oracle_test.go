package gogen_test

import (
	"math"
	"math/big"
	"strings"
)

// The result of each operation (docs/language.md, "Numbers"), computed from bit patterns with
// big integers and exact fractions.

// An evalFunc computes one lane; ok is false if the operation continues exceptionally.
type evalFunc func(a []*big.Int) (r *big.Int, ok bool)

func always(f func(a []*big.Int) *big.Int) evalFunc {
	return func(a []*big.Int) (*big.Int, bool) { return f(a), true }
}

func truth(b bool) *big.Int {
	if b {
		return big.NewInt(1)
	}
	return new(big.Int)
}

var intOps = []string{"ADD", "SUB", "MUL", "UDIV", "SDIV", "UREM", "SREM", "SHL", "LSHR", "ASHR", "AND", "OR", "XOR"}

// intOp is a binary operation on integers of n bits.
func intOp(op string, n uint) evalFunc {
	pure := func(f func(a, b *big.Int) *big.Int) evalFunc {
		return always(func(a []*big.Int) *big.Int { return wrap(f(a[0], a[1]), n) })
	}
	division := func(f func(a, b *big.Int) *big.Int) evalFunc {
		return func(a []*big.Int) (*big.Int, bool) {
			if a[1].Sign() == 0 {
				return nil, false
			}
			return wrap(f(a[0], a[1]), n), true
		}
	}
	shift := func(f func(a *big.Int, k uint) *big.Int) evalFunc {
		m := int64(pow2(int(n)))
		return pure(func(a, b *big.Int) *big.Int {
			return f(a, uint(new(big.Int).Mod(b, big.NewInt(m)).Uint64()))
		})
	}
	s := func(x *big.Int) *big.Int { return signed(x, n) }
	switch op {
	case "ADD":
		return pure(func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) })
	case "SUB":
		return pure(func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) })
	case "MUL":
		return pure(func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) })
	case "AND":
		return pure(func(a, b *big.Int) *big.Int { return new(big.Int).And(a, b) })
	case "OR":
		return pure(func(a, b *big.Int) *big.Int { return new(big.Int).Or(a, b) })
	case "XOR":
		return pure(func(a, b *big.Int) *big.Int { return new(big.Int).Xor(a, b) })
	case "UDIV":
		return division(func(a, b *big.Int) *big.Int { return new(big.Int).Quo(a, b) })
	case "UREM":
		return division(func(a, b *big.Int) *big.Int { return new(big.Int).Rem(a, b) })
	case "SDIV":
		return division(func(a, b *big.Int) *big.Int { return new(big.Int).Quo(s(a), s(b)) })
	case "SREM":
		return division(func(a, b *big.Int) *big.Int { return new(big.Int).Rem(s(a), s(b)) })
	case "SHL":
		return shift(func(a *big.Int, k uint) *big.Int { return new(big.Int).Lsh(a, k) })
	case "LSHR":
		return shift(func(a *big.Int, k uint) *big.Int { return new(big.Int).Rsh(a, k) })
	case "ASHR":
		return shift(func(a *big.Int, k uint) *big.Int { return new(big.Int).Rsh(s(a), k) })
	}
	panic(op)
}

var intComparisons = []string{"EQ", "NE", "SGT", "SGE", "SLT", "SLE", "UGT", "UGE", "ULT", "ULE"}

// intComparison compares patterns of n bits.
func intComparison(op string, n uint) evalFunc {
	return always(func(a []*big.Int) *big.Int {
		x, y := a[0], a[1]
		if op[0] == 'S' {
			x, y = signed(x, n), signed(y, n)
		}
		c := x.Cmp(y)
		switch strings.TrimLeft(op, "SU") {
		case "EQ":
			return truth(c == 0)
		case "NE":
			return truth(c != 0)
		}
		return relation(op[1:], c)
	})
}

// relation judges the outcome of a comparison: -1 less, 0 equal, 1 greater.
func relation(name string, c int) *big.Int {
	switch name {
	case "EQ":
		return truth(c == 0)
	case "NE":
		return truth(c != 0)
	case "GT":
		return truth(c > 0)
	case "GE":
		return truth(c >= 0)
	case "LT":
		return truth(c < 0)
	case "LE":
		return truth(c <= 0)
	}
	panic(name)
}

// A number is a floating point number taken apart.
type number struct {
	nan, inf, neg bool
	// mag is the magnitude in units of the least denormal number.
	mag *big.Int
}

// A format is one of IEEE 754's binary ones.
type format struct {
	frac, exp uint // bits of fraction and exponent
	least     uint // the least denormal number is 2^-least
}

var formats = map[kind]format{kFloat: {23, 8, 149}, kDouble: {52, 11, 1074}}

func (f format) bits() uint { return 1 + f.exp + f.frac }

// split splits a bit pattern into the parts of a number.
func (f format) split(b *big.Int) number {
	n := number{neg: b.Bit(int(f.bits())-1) == 1}
	frac := wrap(b, f.frac)
	exp := uint(wrap(new(big.Int).Rsh(b, f.frac), f.exp).Uint64())
	switch {
	case exp == 1<<f.exp-1:
		n.nan, n.inf = frac.Sign() != 0, frac.Sign() == 0
	case exp == 0:
		n.mag = frac
	default:
		frac.SetBit(frac, int(f.frac), 1)
		n.mag = frac.Lsh(frac, exp-1)
	}
	return n
}

func (n number) zero() bool { return !n.nan && !n.inf && n.mag.Sign() == 0 }

// whole is a finite number as a signed integer in units of 2^-least.
func (n number) whole() *big.Int {
	if n.neg {
		return new(big.Int).Neg(n.mag)
	}
	return n.mag
}

// rat is a finite number.
func (f format) rat(n number) *big.Rat {
	return new(big.Rat).SetFrac(n.whole(), new(big.Int).Lsh(big.NewInt(1), f.least))
}

func (f format) nan() *big.Int { return wrap(maskOf(f.exp+1).Lsh(maskOf(f.exp+1), f.frac-1), f.bits()) }

func (f format) isNaN(b *big.Int) bool { return f.split(b).nan }

func (f format) sign(b *big.Int, neg bool) *big.Int {
	return new(big.Int).SetBit(b, int(f.bits())-1, uint(truth(neg).Uint64()))
}

func (f format) inf(neg bool) *big.Int {
	return f.sign(new(big.Int).Lsh(maskOf(f.exp), f.frac), neg)
}

func (f format) zero(neg bool) *big.Int { return f.sign(new(big.Int), neg) }

// round is the pattern of the number nearest to x, ties to even; a number beyond the greatest
// becomes infinity, and neg is the sign of a zero.
func (f format) round(x *big.Rat, neg bool) *big.Int {
	if x.Sign() == 0 {
		return f.zero(neg)
	}
	if f.frac == 23 {
		y, _ := x.Float32()
		return f.sign(u64(uint64(math.Float32bits(y))), x.Sign() < 0)
	}
	y, _ := x.Float64()
	return f.sign(u64(math.Float64bits(y)), x.Sign() < 0)
}

var fpOps = []string{"FADD", "FSUB", "FMUL", "FDIV", "FREM"}

func fpOp(op string, k kind) evalFunc {
	f := formats[k]
	return always(func(a []*big.Int) *big.Int {
		x, y := f.split(a[0]), f.split(a[1])
		if x.nan || y.nan {
			return f.nan()
		}
		if op == "FSUB" {
			y.neg = !y.neg
		}
		neg := x.neg != y.neg
		switch op {
		case "FADD", "FSUB":
			switch {
			case x.inf && y.inf && neg:
				return f.nan()
			case x.inf:
				return f.inf(x.neg)
			case y.inf:
				return f.inf(y.neg)
			}
			// An exact zero is +0 unless both are -0.
			return f.round(new(big.Rat).Add(f.rat(x), f.rat(y)), x.neg && y.neg)
		case "FMUL":
			switch {
			case x.inf && y.zero() || x.zero() && y.inf:
				return f.nan()
			case x.inf || y.inf:
				return f.inf(neg)
			}
			return f.round(new(big.Rat).Mul(f.rat(x), f.rat(y)), neg)
		case "FDIV":
			switch {
			case x.inf && y.inf || x.zero() && y.zero():
				return f.nan()
			case x.inf || y.zero():
				return f.inf(neg)
			case y.inf:
				return f.zero(neg)
			}
			return f.round(new(big.Rat).Quo(f.rat(x), f.rat(y)), neg)
		case "FREM":
			switch {
			case x.inf || y.zero():
				return f.nan()
			case y.inf:
				return a[0]
			}
			x.mag = new(big.Int).Rem(x.mag, y.mag)
			return f.round(f.rat(x), x.neg)
		}
		panic(op)
	})
}

var fpComparisons = []string{"FTRUE", "FFALSE", "FORD", "FUNO", "FOEQ", "FONE", "FOGT", "FOGE", "FOLT", "FOLE",
	"FUEQ", "FUNE", "FUGT", "FUGE", "FULT", "FULE"}

func fpComparison(op string, k kind) evalFunc {
	f := formats[k]
	return always(func(a []*big.Int) *big.Int {
		x, y := f.split(a[0]), f.split(a[1])
		unordered := x.nan || y.nan
		switch op {
		case "FTRUE":
			return truth(true)
		case "FFALSE":
			return truth(false)
		case "FORD":
			return truth(!unordered)
		case "FUNO":
			return truth(unordered)
		}
		if unordered {
			return truth(op[1] == 'U')
		}
		return relation(op[2:], f.order(x).Cmp(f.order(y)))
	})
}

// order maps numbers to integers in the same order.
func (f format) order(n number) *big.Int {
	if n.inf {
		n.mag = new(big.Int).Lsh(big.NewInt(1), 1<<f.exp+f.frac)
	}
	return n.whole()
}

// convert is a conversion of scalars.
func convert(op string, from, to shape) evalFunc {
	return always(func(a []*big.Int) *big.Int {
		x := a[0]
		switch op {
		case "TRUNC", "ZEXT", "PTRCAST":
			return wrap(x, to.bits)
		case "BITCAST":
			return x
		case "SEXT":
			return wrap(signed(x, from.bits), to.bits)
		case "UITOFP":
			return formats[to.kind].round(new(big.Rat).SetInt(x), false)
		case "SITOFP":
			return formats[to.kind].round(new(big.Rat).SetInt(signed(x, from.bits)), false)
		case "FPTRUNC", "FPEXT":
			n, t := formats[from.kind].split(x), formats[to.kind]
			switch {
			case n.nan:
				return t.nan()
			case n.inf:
				return t.inf(n.neg)
			}
			return t.round(formats[from.kind].rat(n), n.neg)
		case "FPTOUI":
			return clamp(from, x, new(big.Int), maskOf(to.bits))
		case "FPTOSI":
			top := maskOf(to.bits - 1)
			return wrap(clamp(from, x, new(big.Int).Not(top), top), to.bits)
		}
		panic(op)
	})
}

// clamp is a floating point number cut to an integer, within limits.
func clamp(s shape, x, lo, hi *big.Int) *big.Int {
	f := formats[s.kind]
	n := f.split(x)
	switch {
	case n.nan:
		return new(big.Int)
	case n.inf && n.neg:
		return lo
	case n.inf:
		return hi
	}
	i := new(big.Int).Quo(n.whole(), new(big.Int).Lsh(big.NewInt(1), f.least))
	if i.Cmp(lo) < 0 {
		return lo
	}
	if i.Cmp(hi) > 0 {
		return hi
	}
	return i
}

func selectOne(a []*big.Int) *big.Int {
	if a[0].Sign() != 0 {
		return a[1]
	}
	return a[2]
}
