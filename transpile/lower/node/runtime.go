package node

import (
	"math"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// Names that all generated functions have, and types of the runtime.
var (
	Ctx               = Name("t")                                // the context of the Mu stack
	Frame gotree.Expr = &gotree.Ident{Name: "fp", K: gotree.Int} // the frame

	CtxType  = gotree.PtrTo(RuntimeType("Ctx"))
	CtxParam = gotree.Param{Name: "t", T: CtxType} // the first parameter of every function
	U128     = gotree.Imported("num", "U128")
)

// Runtime is a call of the runtime.
func Runtime(name string, args ...gotree.Expr) gotree.Expr { return Call(Qual("rt", name), args...) }

// RuntimeInt is a call of the runtime that gives an integer.
func RuntimeInt(name string, args ...gotree.Expr) gotree.Expr {
	return &gotree.Call{F: Qual("rt", name), Args: args, K: gotree.Int}
}

// RuntimeBool is a call of the runtime that gives a bool.
func RuntimeBool(name string, args ...gotree.Expr) gotree.Expr {
	return &gotree.Call{F: Qual("rt", name), Args: args, K: gotree.Bool}
}

// RuntimeType is a type of the runtime.
func RuntimeType(name string) *gotree.Type { return gotree.Imported("rt", name) }

// Opaque hides a constant from Go, which would evaluate expressions with it exactly.
func Opaque(x gotree.Expr) gotree.Expr {
	return &gotree.Call{F: Qual("rt", "Var"), Args: []gotree.Expr{x}, K: x.Kind()}
}

// NumCall is a call of the runtime's arithmetic.
func NumCall(name string, args ...gotree.Expr) gotree.Expr { return Call(Qual("num", name), args...) }

// FrameWord is the variable of a type at a place of the frame.
func FrameWord(t *gotree.Type, at gotree.Expr) gotree.Expr {
	return Deref(t, PointerTo(Add(Frame, at)))
}

// Thrown is the condition that a call has ended with an exception.
func Thrown() gotree.Expr { return Ne(Word(Ctx, "Thrown"), Zero) }

// Popping is the condition that frames are being popped, which travels like an exception.
func Popping() gotree.Expr { return Eq(Word(Ctx, "Thrown"), Qual("rt", "Popping")) }

// Size is a number of bytes as a Go constant expression, the same for both word
// sizes. A number that does not fit in a word of 32 bits becomes the largest one that does there.
func Size(n layout.Num) gotree.Expr {
	is64 := Qual("rt", "Is64")
	switch {
	case n.W4 > math.MaxUint32:
		return Call(Name("min"), Lit(n.W8), Qual("rt", "WordMask"))
	case n.Fixed():
		return Lit(n.W8)
	case n.W8 > n.W4:
		return Add(Lit(n.W4), Bin(gotree.Mul, Lit(n.W8-n.W4), is64))
	}
	return Sub(Lit(n.W4), Bin(gotree.Mul, Lit(n.W4-n.W8), is64))
}
