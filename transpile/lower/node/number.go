package node

import (
	"math"

	"github.com/uvm2go/uvm2go/transpile/gotree"
)

// Integers of up to 64 bits are held in the next larger unsigned Go integer, with zeros in
// the bits above; those of more bits are a num.U128.

// SignedLit is a signed number.
func SignedLit(v int64) gotree.Expr {
	if v < 0 {
		return Neg(&gotree.Num{V: -uint64(v)})
	}
	return &gotree.Num{V: uint64(v)}
}

// SignedOf reads an int<n> as signed, in a Go type of at least n bits.
func SignedOf(x gotree.Expr, n uint32) gotree.Expr {
	c := Container(n)
	if n == c {
		return Conv(gotree.Signed(c), x)
	}
	return Bin(gotree.Shr, Conv(gotree.Signed(c), Bin(gotree.Shl, x, Lit(c-n))), Lit(c-n))
}

// Unsigned converts to the container of int<n>.
func Unsigned(x gotree.Expr, n uint32) gotree.Expr { return Conv(gotree.Unsigned(Container(n)), x) }

// Masked clears what an operation may have left above n bits.
func Masked(x gotree.Expr, n uint32) gotree.Expr {
	if n == Container(n) {
		return x
	}
	return Bin(gotree.And, x, Hex(uint64(1)<<n-1))
}

// SignExtended is an int<n> of more than 64 bits as one of 128 bits.
func SignExtended(x gotree.Expr, n uint32) gotree.Expr {
	if n < 128 {
		return Method(x, "SignExtend", Lit(n))
	}
	return x
}

// Masked128 is Masked for more than 64 bits.
func Masked128(x gotree.Expr, n uint32) gotree.Expr {
	if n >= 128 {
		return x
	}
	return Method(x, "Mask", Lit(n))
}

// Bits32 are the bits of a float32.
func Bits32(x gotree.Expr) gotree.Expr { return mathInt("Float32bits", x) }

// Bits64 are the bits of a float64.
func Bits64(x gotree.Expr) gotree.Expr { return mathInt("Float64bits", x) }

func mathInt(name string, x gotree.Expr) gotree.Expr {
	return &gotree.Call{F: Qual("math", name), Args: []gotree.Expr{x}, K: gotree.Int}
}

// FromBits32 is the float32 of some bits.
func FromBits32(x gotree.Expr) gotree.Expr { return MathFloat("Float32frombits", x) }

// FromBits64 is the float64 of some bits.
func FromBits64(x gotree.Expr) gotree.Expr { return MathFloat("Float64frombits", x) }

// MathFloat is a call of package math.
func MathFloat(name string, x gotree.Expr) gotree.Expr {
	return &gotree.Call{F: Qual("math", name), Args: []gotree.Expr{x}, K: gotree.Float}
}

// Odd is the lowest bit of an integer as a bool.
func Odd(x gotree.Expr) gotree.Expr { return Ne(Bin(gotree.And, x, Lit(1)), Zero) }

// Container is the width of the Go integer that holds int<n>.
func Container(n uint32) uint32 {
	switch {
	case n <= 8:
		return 8
	case n <= 16:
		return 16
	case n <= 32:
		return 32
	}
	return 64
}

// Float is a constant of a floating-point type by its bits.
func Float(b uint64, single bool) gotree.Expr {
	ty, name := gotree.Float64, "Float64frombits"
	f, size := math.Float64frombits(b), 64
	if single {
		ty, name = gotree.Float32, "Float32frombits"
		f, size = float64(math.Float32frombits(uint32(b))), 32
	}
	if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
		return Call(Qual("math", name), Hex(b))
	}
	var x gotree.Expr = &gotree.Real{V: math.Abs(f), Bits: size}
	if f < 0 {
		x = Neg(x)
	}
	return Conv(ty, x)
}
