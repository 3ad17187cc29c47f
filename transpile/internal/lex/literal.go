package lex

import "math/bits"

// An IntLit is an integer literal. Its text is src[Off:End].
//
// The value is the magnitude Hi·2^64+Lo, negated if Neg. If TooBig, the
// magnitude needs more than 128 bits and Hi, Lo hold it modulo 2^128, which is
// all that an integer type can keep of it (mu-language.md, 13.2 k).
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
