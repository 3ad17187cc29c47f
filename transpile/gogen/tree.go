package gogen

import (
	"math"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// Short names for the nodes that are made here most.

type (
	expr = gotree.Expr
	goT  = *gotree.Type
	code = gotree.Block
)

var (
	tVar       = name("t")                                // the context of the Mu stack
	fpVar expr = &gotree.Ident{Name: "fp", K: gotree.Int} // the frame
	zero       = &gotree.Num{}
)

func name(s string) expr { return &gotree.Ident{Name: s} }

// namesOf are names as a list.
func namesOf(l ...string) []expr {
	out := make([]expr, len(l))
	for i, n := range l {
		out[i] = name(n)
	}
	return out
}

func lit[T int | int32 | uint32 | uint64](n T) expr {
	if n < 0 {
		return &gotree.Unary{Op: '-', X: &gotree.Num{V: uint64(-n)}}
	}
	return &gotree.Num{V: uint64(n)}
}

// bits is a number whose digits matter, in hexadecimal unless it is small.
func bitsLit(v uint64) expr { return &gotree.Num{V: v, Hex: v > 0xffff} }

func hex(v uint64) expr { return &gotree.Num{V: v, Hex: true} }

func str(s string) expr { return &gotree.Str{V: s} }

func dot(x expr, name string) expr { return &gotree.Dot{X: x, Name: name} }

// word is a field that holds an integer.
func word(x expr, name string) expr { return &gotree.Dot{X: x, Name: name, K: gotree.Int} }

func index[T int | uint64](x expr, i T) expr { return &gotree.Index{X: x, I: lit(uint64(i))} }

func call(f expr, args ...expr) expr { return &gotree.Call{F: f, Args: args} }

// method is a call of a method.
func method(x expr, name string, args ...expr) expr { return call(dot(x, name), args...) }

func qual(pkg, name string) expr { return &gotree.Qual{Pkg: pkg, Name: name} }

// rt is a call of the runtime, num and so on those of its packages.
func rt(name string, args ...expr) expr { return call(qual("rt", name), args...) }

// rtInt and rtBool are calls whose result is of these kinds.
func rtInt(name string, args ...expr) expr {
	return &gotree.Call{F: qual("rt", name), Args: args, K: gotree.Int}
}

func rtBool(name string, args ...expr) expr {
	return &gotree.Call{F: qual("rt", name), Args: args, K: gotree.Bool}
}

func numCall(name string, args ...expr) expr { return call(qual("num", name), args...) }

func mathCall(name string, args ...expr) expr { return call(qual("math", name), args...) }

func conv(t goT, x expr) expr { return &gotree.Conv{T: t, X: x} }

func bin(op gotree.Op, x, y expr) expr { return &gotree.Binary{Op: op, X: x, Y: y} }

func add(x, y expr) expr { return bin(gotree.Add, x, y) }

func sub(x, y expr) expr { return bin(gotree.Sub, x, y) }

func eq(x, y expr) expr { return bin(gotree.Equal, x, y) }

func ne(x, y expr) expr { return bin(gotree.Unequal, x, y) }

func neg(x expr) expr { return &gotree.Unary{Op: '-', X: x} }

func addr(x expr) expr { return &gotree.Unary{Op: '&', X: x} }

// deref is the variable of a type at an unsafe.Pointer.
func deref(t goT, p expr) expr { return &gotree.Star{X: conv(gotree.PtrTo(t), p)} }

// pointerTo is an address as an unsafe.Pointer. A conversion would do, too, but vet
// complains about those, and Go's compiler keeps a copy of the address for them.
func pointerTo(addr expr) expr { return call(qual("unsafe", "Add"), gotree.Nil, addr) }

// offset is a pointer moved by a distance.
func offset(p, d expr) expr { return call(qual("unsafe", "Add"), p, d) }

// addressOf is the address of a variable as a pointer.
func addressOf(x expr) expr { return conv(gotree.UnsafePtr, addr(x)) }

// frameWord is the variable of a type at a place of the frame.
func frameWord(t goT, at expr) expr { return deref(t, pointerTo(add(fpVar, at))) }

// composite is a composite literal of a type, nil for one that the context gives.
func composite(t goT, elems ...gotree.Elem) expr {
	l := &gotree.Lit{Elems: elems}
	if t != nil {
		l.T = t
	}
	return l
}

// field is an element of a struct literal.
func field(name string, x expr) gotree.Elem { return gotree.Elem{Key: name, X: x} }

func intField[T int | int32 | uint32 | uint64](name string, n T) gotree.Elem {
	return field(name, lit(n))
}

func strField(name, s string) gotree.Elem { return field(name, str(s)) }

var yes = gotree.True

// elems are elements without names.
func elems(l []expr) []gotree.Elem {
	out := make([]gotree.Elem, len(l))
	for i, x := range l {
		out[i].X = x
	}
	return out
}

// table declares an array variable, an element a line.
func table(name string, elem goT, rows []expr) gotree.Decl {
	return &gotree.VarDecl{Name: name, Apart: true,
		X: &gotree.Lit{T: gotree.ArrayOf(nil, elem), Elems: elems(rows), Lines: len(rows) > 0}}
}

// rtType is a type of the runtime.
func rtType(name string) goT { return gotree.Imported("rt", name) }

var (
	ctxType    = gotree.PtrTo(rtType("Ctx"))
	stringType = gotree.Named("string")
	u128       = gotree.Imported("num", "U128")
)

// ctxParam is the first parameter of every function.
var ctxParam = gotree.Param{Name: "t", T: ctxType}

// sizeExpr is a number of bytes as a Go constant expression, the same for both word
// sizes.
func sizeExpr(n layout.Num) expr {
	is64 := qual("rt", "Is64")
	switch {
	case n.Fixed():
		return lit(n.W8)
	case n.W8 > n.W4:
		return add(lit(n.W4), bin(gotree.Mul, lit(n.W8-n.W4), is64))
	}
	return sub(lit(n.W4), bin(gotree.Mul, lit(n.W4-n.W8), is64))
}

// floatLit is a constant of a floating-point type by its bits.
func floatLit(b uint64, single bool) expr {
	ty, name := gotree.Float64, "Float64frombits"
	f, size := math.Float64frombits(b), 64
	if single {
		ty, name = gotree.Float32, "Float32frombits"
		f, size = float64(math.Float32frombits(uint32(b))), 32
	}
	if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
		return mathCall(name, hex(b))
	}
	var x expr = &gotree.Real{V: math.Abs(f), Bits: size}
	if f < 0 {
		x = neg(x)
	}
	return conv(ty, x)
}
