package num

// Mask clears the bits from n on; 1 <= n <= 64.
func Mask(x uint64, n uint) uint64 { return x & (^uint64(0) >> ((64 - n) & 63)) }

// SignExt is the signed reading of the int<n> x; 1 <= n <= 64.
func SignExt(x uint64, n uint) int64 {
	s := (64 - n) & 63
	return int64(x<<s) >> s
}

// ShiftCount is the effective count of a shift of int<n> by the pattern k: k modulo the
// least power of two that is n or more (docs/language.md, "Numbers"); 1 <= n <= 128. With a
// constant n it folds to a mask.
func ShiftCount(k uint64, n uint) uint {
	m := uint(1)
	for m < n {
		m <<= 1
	}
	return uint(k) & (m - 1)
}

// Shl shifts the int<n> x left by k, reduced already; 1 <= n <= 64.
func Shl(x uint64, k, n uint) uint64 { return Mask(x<<k, n) }

// LShr shifts the int<n> x right by k, reduced already, filling with zeros.
func LShr(x uint64, k uint) uint64 { return x >> k }

// AShr shifts the int<n> x right by k, reduced already, filling with the
// sign, bit n-1; 1 <= n <= 64.
func AShr(x uint64, k, n uint) uint64 { return Mask(uint64(SignExt(x, n)>>k), n) }

// SDiv is the signed quotient of two int<n>, rounded toward zero; y is not 0.
// The least value divided by -1 is itself. 1 <= n <= 64.
func SDiv(x, y uint64, n uint) uint64 { return Mask(uint64(SignExt(x, n)/SignExt(y, n)), n) }

// SRem is the signed remainder of two int<n>, with the sign of x; y is not 0.
func SRem(x, y uint64, n uint) uint64 { return Mask(uint64(SignExt(x, n)%SignExt(y, n)), n) }

// AddOvf is the sum of two int<n>, 1 <= n <= 64, and whether the signed sum
// overflowed (docs/language.md, "Common instructions": @uvm.math.add_ovf).
func AddOvf(x, y uint64, n uint) (sum uint64, ovf bool) {
	s := Mask(x+y, n)
	// Overflow: the signs of both operands differ from the sign of the sum.
	return s, ((x^s)&(y^s))>>(n-1)&1 != 0
}
