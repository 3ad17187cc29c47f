package dialects_test

import (
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// evaluate computes the result of an operation (docs/ial.md, "Instructions") with
// big integers.
func (c numberTest) evaluate(x, y number) number {
	switch t := &c.from; {
	case c.op == "conv":
		return convert(x, &c.result)
	case strings.HasPrefix(c.op, "cmp."):
		return truth(compare(c.op, x, y), &c.result)
	case c.op == "not" && t.float:
		return t.of(float64(truth(x.toFloat() == 0, &c.result).bits))
	case c.op == "not":
		return truth(x.bits == 0, t)
	case t.float:
		return floatOp(c.op, x, y)
	default:
		return intOp(c.op, x, y)
	}
}

func truth(b bool, t *numType) number {
	if b {
		return number{1, t}
	}
	return number{0, t}
}

func compare(op string, x, y number) bool {
	order, unordered := 0, false
	if x.t.float {
		a, b := x.toFloat(), y.toFloat()
		unordered = a != a || b != b
		if !unordered && a < b {
			order = -1
		} else if !unordered && a > b {
			order = 1
		}
	} else {
		order = x.toInt().Cmp(y.toInt())
	}
	switch op {
	case "cmp.eq":
		return !unordered && order == 0
	case "cmp.neq":
		return unordered || order != 0
	case "cmp.gt":
		return !unordered && order > 0
	case "cmp.lt":
		return !unordered && order < 0
	case "cmp.gteq":
		return !unordered && order >= 0
	}
	return !unordered && order <= 0
}

func floatOp(op string, x, y number) number {
	a, b := x.toFloat(), y.toFloat()
	switch op {
	case "ari.add": // a double holds sums, products and quotients of floats well enough to round them twice
		return x.t.of(a + b)
	case "ari.sub":
		return x.t.of(a - b)
	case "ari.mul":
		return x.t.of(a * b)
	case "ari.div":
		return x.t.of(a / b)
	case "ari.rem":
		return x.t.of(math.Mod(a, b))
	}
	return number{x.bits ^ 1<<(x.t.width-1), x.t} // ari.neg
}

func intOp(op string, x, y number) number {
	a, b, t, r := x.toInt(), y.toInt(), x.t, new(big.Int)
	width := uint64(t.width)
	switch op {
	case "ari.add":
		r.Add(a, b)
	case "ari.sub":
		r.Sub(a, b)
	case "ari.mul":
		r.Mul(a, b)
	case "ari.div":
		r.Quo(a, b)
	case "ari.rem":
		r.Rem(a, b)
	case "ari.neg":
		r.Neg(a)
	case "bit.and":
		r.And(a, b)
	case "bit.or":
		r.Or(a, b)
	case "bit.xor":
		r.Xor(a, b)
	case "bit.neg":
		r.Not(a)
	case "shl":
		r.Lsh(a, uint(min(y.bits, width)))
	case "shr":
		r.Rsh(a, uint(min(y.bits, width)))
	case "rol":
		r.SetUint64(rotate(x.bits, t.width, int(y.bits%width)))
	case "ror":
		r.SetUint64(rotate(x.bits, t.width, t.width-int(y.bits%width)))
	default:
		panic(op)
	}
	return t.wrap(r)
}

func rotate(x uint64, width, n int) uint64 {
	if width == 64 {
		return bits.RotateLeft64(x, n)
	}
	return x<<n | x>>(width-n)
}

func convert(x number, to *numType) number {
	switch {
	case x.t.float && to.float:
		return to.of(x.toFloat())
	case !x.t.float && !to.float:
		return to.wrap(x.toInt())
	case to.float:
		exact := new(big.Float).SetInt(x.toInt())
		if to.width == 32 {
			f, _ := exact.Float32()
			return to.of(float64(f))
		}
		f, _ := exact.Float64()
		return to.of(f)
	}
	low, high := new(big.Int), new(big.Int).SetUint64(to.mask())
	if to.signed {
		high.Rsh(high, 1)
		low.Not(high)
	}
	f := x.toFloat()
	switch {
	case f != f:
		return number{0, to}
	case math.IsInf(f, 1):
		return to.wrap(high)
	case math.IsInf(f, -1):
		return to.wrap(low)
	}
	i, _ := big.NewFloat(f).Int(nil)
	if i.Cmp(high) > 0 {
		i = high
	} else if i.Cmp(low) < 0 {
		i = low
	}
	return to.wrap(i)
}
