package num

import "math/bits"

// U128 is an int<n> with 65 <= n <= 128 in a register: a pattern of 128 bits.
// In memory it is two words, the low one first.
type U128 struct{ Lo, Hi uint64 }

// From64 zero-extends.
func From64(x uint64) U128 { return U128{x, 0} }

// FromS64 sign-extends.
func FromS64(x int64) U128 { return U128{uint64(x), uint64(x >> 63)} }

// IsZero reports whether x is 0.
func (x U128) IsZero() bool { return x.Lo|x.Hi == 0 }

// Add is x + y modulo 2^128.
func (x U128) Add(y U128) U128 {
	lo, c := bits.Add64(x.Lo, y.Lo, 0)
	hi, _ := bits.Add64(x.Hi, y.Hi, c)
	return U128{lo, hi}
}

// Sub is x - y modulo 2^128.
func (x U128) Sub(y U128) U128 {
	lo, b := bits.Sub64(x.Lo, y.Lo, 0)
	hi, _ := bits.Sub64(x.Hi, y.Hi, b)
	return U128{lo, hi}
}

// Neg is -x modulo 2^128.
func (x U128) Neg() U128 { return U128{}.Sub(x) }

// Mul is x * y modulo 2^128.
func (x U128) Mul(y U128) U128 {
	hi, lo := bits.Mul64(x.Lo, y.Lo)
	return U128{lo, hi + x.Hi*y.Lo + x.Lo*y.Hi}
}

// And is the bitwise conjunction.
func (x U128) And(y U128) U128 { return U128{x.Lo & y.Lo, x.Hi & y.Hi} }

// Or is the bitwise disjunction.
func (x U128) Or(y U128) U128 { return U128{x.Lo | y.Lo, x.Hi | y.Hi} }

// Xor is the bitwise exclusive disjunction.
func (x U128) Xor(y U128) U128 { return U128{x.Lo ^ y.Lo, x.Hi ^ y.Hi} }

// Not is the bitwise complement of all 128 bits.
func (x U128) Not() U128 { return U128{^x.Lo, ^x.Hi} }

// Shl shifts left by k; from 128 on it gives 0.
//
// Go's shifts give 0 for counts past the width, and 64-k and k-64 wrap to
// such counts where they would be negative.
func (x U128) Shl(k uint) U128 {
	return U128{x.Lo << k, x.Hi<<k | x.Lo>>(64-k) | x.Lo<<(k-64)}
}

// LShr shifts right by k, filling with zeros; from 128 on it gives 0.
func (x U128) LShr(k uint) U128 {
	return U128{x.Lo>>k | x.Hi<<(64-k) | x.Hi>>(k-64), x.Hi >> k}
}

// AShr shifts right by k, filling with the sign, bit 127; from 128 on only
// copies of the sign are left. An int<n> with n < 128 must be sign-extended
// before and masked after.
func (x U128) AShr(k uint) U128 {
	if k < 64 {
		return U128{x.Lo>>k | x.Hi<<(64-k), uint64(int64(x.Hi) >> k)}
	}
	return U128{uint64(int64(x.Hi) >> (k - 64)), uint64(int64(x.Hi) >> 63)}
}

// Mask clears the bits from n on: TRUNC, and the last step of an operation on int<n>.
// 1 <= n <= 128.
func (x U128) Mask(n uint) U128 {
	if n > 64 {
		return U128{x.Lo, x.Hi & (^uint64(0) >> ((128 - n) & 63))}
	}
	return U128{x.Lo & (^uint64(0) >> ((64 - n) & 63)), 0}
}

// SignExtend copies bit n-1 to all bits from n on: SEXT, and the first step of a signed
// operation on int<n>. 1 <= n <= 128.
func (x U128) SignExtend(n uint) U128 {
	if n > 64 {
		s := (128 - n) & 63
		return U128{x.Lo, uint64(int64(x.Hi<<s) >> s)}
	}
	s := (64 - n) & 63
	lo := int64(x.Lo<<s) >> s
	return U128{uint64(lo), uint64(lo >> 63)}
}

// EQ is x == y, like Go's == on U128.
func (x U128) EQ(y U128) bool { return x == y }

// NE is x != y.
func (x U128) NE(y U128) bool { return x != y }

// ULT is x < y, unsigned.
func (x U128) ULT(y U128) bool {
	_, b := bits.Sub64(x.Lo, y.Lo, 0)
	_, b = bits.Sub64(x.Hi, y.Hi, b)
	return b != 0
}

// ULE is x <= y, unsigned.
func (x U128) ULE(y U128) bool { return !y.ULT(x) }

// UGT is x > y, unsigned.
func (x U128) UGT(y U128) bool { return y.ULT(x) }

// UGE is x >= y, unsigned.
func (x U128) UGE(y U128) bool { return !x.ULT(y) }

// flip maps the signed order of 128-bit patterns to the unsigned one.
func (x U128) flip() U128 { return U128{x.Lo, x.Hi ^ 1<<63} }

// SLT is x < y, signed. Operands of int<n>, n < 128, are sign-extended first.
func (x U128) SLT(y U128) bool { return x.flip().ULT(y.flip()) }

// SLE is x <= y, signed.
func (x U128) SLE(y U128) bool { return !y.flip().ULT(x.flip()) }

// SGT is x > y, signed.
func (x U128) SGT(y U128) bool { return y.flip().ULT(x.flip()) }

// SGE is x >= y, signed.
func (x U128) SGE(y U128) bool { return !x.flip().ULT(y.flip()) }

// UDiv is the unsigned quotient; y is not 0.
func (x U128) UDiv(y U128) U128 {
	q, _ := x.UDivRem(y)
	return q
}

// URem is the unsigned remainder; y is not 0.
func (x U128) URem(y U128) U128 {
	_, r := x.UDivRem(y)
	return r
}

// SDiv is the signed quotient, rounded toward zero; y is not 0. The least
// value divided by -1 is itself.
func (x U128) SDiv(y U128) U128 {
	q, _ := x.abs().UDivRem(y.abs())
	if int64(x.Hi^y.Hi) < 0 {
		return q.Neg()
	}
	return q
}

// SRem is the remainder for SDiv: it has the sign of x. y is not 0. The remainder of the
// least value by -1 is 0.
func (x U128) SRem(y U128) U128 {
	_, r := x.abs().UDivRem(y.abs())
	if int64(x.Hi) < 0 {
		return r.Neg()
	}
	return r
}

// abs is the magnitude of the signed x, which fits 128 bits unsigned.
func (x U128) abs() U128 {
	if int64(x.Hi) < 0 {
		return x.Neg()
	}
	return x
}

// UDivRem is the unsigned quotient and remainder; y is not 0.
func (x U128) UDivRem(y U128) (q, r U128) {
	if y.Hi == 0 {
		if x.Hi == 0 {
			return U128{x.Lo / y.Lo, 0}, U128{x.Lo % y.Lo, 0}
		}
		hi := x.Hi / y.Lo
		lo, rem := bits.Div64(x.Hi%y.Lo, x.Lo, y.Lo)
		return U128{lo, hi}, U128{rem, 0}
	}
	// The quotient fits one word. Divide by the top word of y, normalised:
	// the estimate is right or one too large; take one off and correct.
	s := uint(bits.LeadingZeros64(y.Hi))
	half := x.LShr(1) // keeps the Div64 below from overflowing
	est, _ := bits.Div64(half.Hi, half.Lo, y.Shl(s).Hi)
	est >>= 63 - s
	if est != 0 {
		est--
	}
	r = x.Sub(y.Mul(U128{est, 0}))
	if y.ULE(r) {
		est++
		r = r.Sub(y)
	}
	return U128{est, 0}, r
}

// AddOvf128 is the sum of two int<n>, 1 <= n <= 128, and whether the signed sum
// overflowed (docs/language.md, "Common instructions": @uvm.math.add_ovf).
func AddOvf128(x, y U128, n uint) (sum U128, ovf bool) {
	s := x.Add(y).Mask(n)
	// Overflow: the signs of both operands differ from the sign of the sum.
	o := x.Xor(s).And(y.Xor(s)).LShr(n - 1)
	return s, o.Lo&1 != 0
}
