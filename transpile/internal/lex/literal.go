package lex

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
	Neg      bool    // sign of FPNumber and FPInf
	Bits     *IntLit // FPBits only
}
