package lex

import (
	"math"
	"math/bits"
	"strconv"
)

// An IntLit is an integer literal. Its text is src[Off:End].
//
// The value is the magnitude Hi·2^64+Lo, negated if Neg. If TooBig, the magnitude
// needs more than 128 bits and Hi, Lo hold it modulo 2^128, which is all that an
// integer type can keep of it (docs/language.md, "Accepted deviations" k).
type IntLit struct {
	Off, End Off
	Neg      bool
	TooBig   bool
	Hi, Lo   uint64
}

// IsUint64 reports whether the value lies in [0, 2^64).
func (l *IntLit) IsUint64() bool {
	return !l.TooBig && l.Hi == 0 && (!l.Neg || l.Lo == 0)
}

// Bits gives the value modulo 2^128 in two's complement.
func (l *IntLit) Bits() (hi, lo uint64) {
	hi, lo = l.Hi, l.Lo
	if l.Neg {
		hi, lo = ^hi, -lo
		if lo == 0 {
			hi++
		}
	}
	return hi, lo
}

// An FPForm tells the ways to write a floating-point literal.
type FPForm uint8

// The forms of floating-point literals.
const (
	FPNumber FPForm = iota // 1.5d, -2.0e-3f
	FPInf                  // +inff, -infd, infd; Neg tells the sign
	FPNaN                  // nanf, nand
	FPBits                 // bitsf(INT), bitsd(INT); Bits holds the pattern
)

// An FPLit is a floating-point literal. Its text is src[Off:End].
type FPLit struct {
	Off, End Off // the suffix, or the closing parenthesis, included
	Form     FPForm
	Double   bool    // d or bitsd, else f or bitsf
	Bare     bool    // neither: the type decides
	Neg      bool    // sign of FPNumber and FPInf
	Bits     *IntLit // FPBits only
}

// ParseInt makes the IntLit of an Int token.
func ParseInt(src []byte, t Token) IntLit {
	l := IntLit{Off: t.Off, End: t.End}
	text := src[t.Off:t.End]
	if text[0] == '+' || text[0] == '-' {
		l.Neg = text[0] == '-'
		text = text[1:]
	}
	base := uint64(10)
	if text[0] == '0' {
		base = 8
		if len(text) > 1 && text[1] == 'x' {
			base, text = 16, text[2:]
		}
	}
	for _, c := range text {
		d := uint64(c - '0')
		if c > '9' {
			d = uint64(c|0x20) - 'a' + 10
		}
		if l.Hi == 0 && l.Lo < 1<<59 {
			l.Lo = l.Lo*base + d
			continue
		}
		// (Hi, Lo) = (Hi, Lo)*base + d modulo 2^128
		over, hi := bits.Mul64(l.Hi, base)
		carryHi, lo := bits.Mul64(l.Lo, base)
		lo, c1 := bits.Add64(lo, d, 0)
		hi, c2 := bits.Add64(hi, carryHi, c1)
		l.TooBig = l.TooBig || over+c2 != 0
		l.Hi, l.Lo = hi, lo
	}
	return l
}

// ParseFP makes the FPLit of an FP token.
func ParseFP(src []byte, t Token) FPLit {
	l := FPLit{Off: t.Off, End: t.End}
	text := src[t.Off:t.End]
	last := text[len(text)-1]
	l.Double, l.Bare = last == 'd', isDigit(last)
	if text[0] == '+' || text[0] == '-' {
		l.Neg = text[0] == '-'
		text = text[1:]
	}
	switch text[0] {
	case 'i':
		l.Form = FPInf
	case 'n':
		l.Form = FPNaN
	}
	return l
}

// An FPStatus says what was special about a floating-point literal.
type FPStatus uint8

// What can be special.
const (
	FPFine     FPStatus = iota
	FPOverflow          // rounded to infinity
	FPTooLong           // bitsf or bitsd of a pattern with too many bits
)

// Patterns of the NaN literals.
const (
	nan32 = 0x7fc00000
	nan64 = 0x7ff8000000000000
)

// Pattern gives the bits of a floating-point literal whose source is text, as a double
// or a float. Decimal numbers are rounded once, to nearest, ties to even.
func (f *FPLit) Pattern(text string, double bool) (uint64, FPStatus) {
	width := uint32(32)
	if double {
		width = 64
	}
	switch f.Form {
	case FPNaN:
		if double {
			return nan64, FPFine
		}
		return nan32, FPFine
	case FPBits:
		if !f.Bits.Fits(width) {
			return 0, FPTooLong
		}
		_, lo := Mask(0, f.Bits.Low(), width)
		return lo, FPFine
	}
	v, status := math.Inf(1), FPFine
	if f.Form == FPInf {
		if f.Neg {
			v = math.Inf(-1)
		}
	} else {
		if !f.Bare {
			text = text[:len(text)-1]
		}
		// The scanner accepts a subset of Go's syntax: only the range can fail.
		v, _ = strconv.ParseFloat(text, int(width))
		if math.IsInf(v, 0) {
			status = FPOverflow
		}
	}
	if double {
		return math.Float64bits(v), status
	}
	return uint64(math.Float32bits(float32(v))), status
}

// Low gives the low 64 bits of the value in two's complement.
func (l *IntLit) Low() uint64 {
	_, lo := l.Bits()
	return lo
}

// Fits reports whether the value lies in [-2^(bits-1), 2^bits-1].
func (l *IntLit) Fits(bits uint32) bool {
	hi, lo := l.Hi, l.Lo
	if l.TooBig {
		return false
	}
	if l.Neg { // magnitude - 1 < 2^(bits-1)
		if hi|lo == 0 {
			return true
		}
		if lo == 0 {
			hi--
		}
		lo--
		bits--
	}
	h, m := Mask(hi, lo, bits)
	return h == hi && m == lo
}

// Mask keeps the low bits of a 128-bit pattern.
func Mask(hi, lo uint64, bits uint32) (uint64, uint64) {
	switch {
	case bits >= 128:
		return hi, lo
	case bits >= 64:
		return hi & (1<<(bits-64) - 1), lo
	}
	return 0, lo & (1<<bits - 1)
}

// Width is the number of bits of the type that the suffix tells.
func (f *FPLit) Width() uint32 {
	if f.Double {
		return 64
	}
	return 32
}
