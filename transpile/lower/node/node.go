// Package node makes the gotree nodes that are most common in generated code: names, calls,
// conversions, memory at an address, literals of tables (node.go), names of the runtime and of
// the frame (runtime.go), and integers of any width in Go integers (number.go).
//
// It knows no instructions, types or tables of a program: lower, repr and gogen decide
// what to make.
package node

import "github.com/uvm2go/uvm2go/transpile/gotree"

// Integer are the types of Go that numbers in generated code come from.
type Integer interface{ int | int32 | uint32 | uint64 }

// Zero is the constant 0.
var Zero = &gotree.Num{}

// Name is the name of a variable, function or type.
func Name(s string) gotree.Expr { return &gotree.Ident{Name: s} }

// NamesOf are names as a list.
func NamesOf(l ...string) []gotree.Expr {
	out := make([]gotree.Expr, len(l))
	for i, n := range l {
		out[i] = Name(n)
	}
	return out
}

// Qual is a name of another package.
func Qual(pkg, name string) gotree.Expr { return &gotree.Qual{Pkg: pkg, Name: name} }

// Lit is an integer in decimal digits.
func Lit[T Integer](n T) gotree.Expr {
	if n < 0 {
		return &gotree.Unary{Op: '-', X: &gotree.Num{V: uint64(-n)}}
	}
	return &gotree.Num{V: uint64(n)}
}

// BitsLit is a number whose digits matter, in hexadecimal unless it is small.
func BitsLit(v uint64) gotree.Expr { return &gotree.Num{V: v, Hex: v > 0xffff} }

// Hex is a number in hexadecimal.
func Hex(v uint64) gotree.Expr { return &gotree.Num{V: v, Hex: true} }

// Str is a string.
func Str(s string) gotree.Expr { return &gotree.Str{V: s} }

// Dot is a field or method.
func Dot(x gotree.Expr, name string) gotree.Expr { return &gotree.Dot{X: x, Name: name} }

// Shared is a field that others may change.
func Shared(x gotree.Expr, name string) gotree.Expr {
	return &gotree.Dot{X: x, Name: name, Shared: true}
}

// Word is a field that holds an integer.
func Word(x gotree.Expr, name string) gotree.Expr {
	return &gotree.Dot{X: x, Name: name, K: gotree.Int}
}

// Index is an element of an array or slice.
func Index[T Integer](x gotree.Expr, i T) gotree.Expr {
	return &gotree.Index{X: x, I: Lit(uint64(i))}
}

// Lane is the lane of a vector in a loop over its lanes.
func Lane(x gotree.Expr) gotree.Expr { return &gotree.Index{X: x, I: Name("i")} }

// Call is a call.
func Call(f gotree.Expr, args ...gotree.Expr) gotree.Expr { return &gotree.Call{F: f, Args: args} }

// Method is a call of a method.
func Method(x gotree.Expr, name string, args ...gotree.Expr) gotree.Expr {
	return Call(Dot(x, name), args...)
}

// Conv is a conversion.
func Conv(t *gotree.Type, x gotree.Expr) gotree.Expr { return &gotree.Conv{T: t, X: x} }

// Bin is an operation on two operands.
func Bin(op gotree.Op, x, y gotree.Expr) gotree.Expr { return &gotree.Binary{Op: op, X: x, Y: y} }

// Add is x + y.
func Add(x, y gotree.Expr) gotree.Expr { return Bin(gotree.Add, x, y) }

// Sub is x - y.
func Sub(x, y gotree.Expr) gotree.Expr { return Bin(gotree.Sub, x, y) }

// Eq is x == y.
func Eq(x, y gotree.Expr) gotree.Expr { return Bin(gotree.Equal, x, y) }

// Ne is x != y.
func Ne(x, y gotree.Expr) gotree.Expr { return Bin(gotree.Unequal, x, y) }

// Neg is -x.
func Neg(x gotree.Expr) gotree.Expr { return &gotree.Unary{Op: '-', X: x} }

// Addr is &x.
func Addr(x gotree.Expr) gotree.Expr { return &gotree.Unary{Op: '&', X: x} }

// Deref is the variable of a type at an unsafe.Pointer.
func Deref(t *gotree.Type, p gotree.Expr) gotree.Expr {
	return &gotree.Star{X: Conv(gotree.PtrTo(t), p)}
}

// PointerTo is an address as an unsafe.Pointer. A conversion would do, too, but vet
// complains about those, and Go's compiler keeps a copy of the address for them.
func PointerTo(addr gotree.Expr) gotree.Expr { return Offset(gotree.Nil, addr) }

// Offset is a pointer moved by a distance.
func Offset(p, d gotree.Expr) gotree.Expr { return Call(Qual("unsafe", "Add"), p, d) }

// AddressOf is the address of a variable as a pointer.
func AddressOf(x gotree.Expr) gotree.Expr { return Conv(gotree.UnsafePtr, Addr(x)) }

// Composite is a composite literal of a type, nil for one that the context gives.
func Composite(t *gotree.Type, elems ...gotree.Elem) gotree.Expr {
	l := &gotree.Lit{Elems: elems}
	if t != nil {
		l.T = t
	}
	return l
}

// Field is an element of a struct literal.
func Field(name string, x gotree.Expr) gotree.Elem { return gotree.Elem{Key: name, X: x} }

// IntField is a Field with a number.
func IntField[T Integer](name string, n T) gotree.Elem { return Field(name, Lit(n)) }

// StrField is a Field with a string.
func StrField(name, s string) gotree.Elem { return Field(name, Str(s)) }

// Elems are elements without names.
func Elems(l []gotree.Expr) []gotree.Elem {
	out := make([]gotree.Elem, len(l))
	for i, x := range l {
		out[i].X = x
	}
	return out
}

// Table declares an array variable, an element a line.
func Table(name string, elem *gotree.Type, rows []gotree.Expr) gotree.Decl {
	return &gotree.VarDecl{Name: name, Apart: true,
		X: &gotree.Lit{T: gotree.ArrayOf(nil, elem), Elems: Elems(rows), Lines: len(rows) > 0}}
}
