package mu

import (
	"math"
	"strconv"

	"github.com/uvm2go/uvm2go/transpile/internal/lex"
)

// The literals that bundles and HAIL scripts share (mu-language 1 and 5.2).

// An fpStatus says what was special about a floating-point literal.
type fpStatus uint8

const (
	fpFine     fpStatus = iota
	fpOverflow          // rounded to infinity
	fpTooLong           // bitsf or bitsd of a pattern with too many bits
)

// Patterns of the NaN literals.
const (
	nan32 = 0x7fc00000
	nan64 = 0x7ff8000000000000
)

// fpWidth is the number of bits of a literal's type.
func fpWidth(f *lex.FPLit) uint32 {
	if f.Double {
		return 64
	}
	return 32
}

// fpPattern gives the bits of a floating-point literal whose source is text.
// Decimal numbers are rounded once, to nearest, ties to even.
func fpPattern(f *lex.FPLit, text string) (uint64, fpStatus) {
	width := fpWidth(f)
	switch f.Form {
	case lex.FPNaN:
		if f.Double {
			return nan64, fpFine
		}
		return nan32, fpFine
	case lex.FPBits:
		if !fits(f.Bits, width) {
			return 0, fpTooLong
		}
		_, lo := mask(0, bitsOf(f.Bits), width)
		return lo, fpFine
	}
	v, status := math.Inf(1), fpFine
	if f.Form == lex.FPInf {
		if f.Neg {
			v = math.Inf(-1)
		}
	} else {
		// The scanner accepts a subset of Go's syntax: only the range can fail.
		v, _ = strconv.ParseFloat(text[:len(text)-1], int(width))
		if math.IsInf(v, 0) {
			status = fpOverflow
		}
	}
	if f.Double {
		return math.Float64bits(v), status
	}
	return uint64(math.Float32bits(float32(v))), status
}

// bitsOf gives the low 64 bits of an integer literal.
func bitsOf(n *lex.IntLit) uint64 {
	_, lo := n.Bits()
	return lo
}

// fits reports whether an integer lies in [-2^(bits-1), 2^bits-1].
func fits(n *lex.IntLit, bits uint32) bool {
	hi, lo := n.Hi, n.Lo
	if n.TooBig {
		return false
	}
	if n.Neg { // magnitude - 1 < 2^(bits-1)
		if hi|lo == 0 {
			return true
		}
		if lo == 0 {
			hi--
		}
		lo--
		bits--
	}
	h, m := mask(hi, lo, bits)
	return h == hi && m == lo
}

// mask keeps the low bits of a 128-bit pattern.
func mask(hi, lo uint64, bits uint32) (uint64, uint64) {
	switch {
	case bits >= 128:
		return hi, lo
	case bits >= 64:
		return hi & (1<<(bits-64) - 1), lo
	}
	return 0, lo & (1<<bits - 1)
}
