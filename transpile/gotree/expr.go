// Package gotree is Go as a tree: typed expressions, statements with the positions of what they
// were made from, and declarations. Functions of this package rewrite the tree to make it
// readable (flow.go, flat.go), and one printer lays it out as gofmt does (print.go), with only
// the parentheses that precedence requires.
//
// A tree is made once, rewritten in place and printed. It is not a model of all of
// Go: it has what generated code needs. Nothing here knows the intermediate
// representation, the runtime or their names, and no decision depends on text.
package gotree

// A Kind is what is known of the Go type of an expression.
type Kind uint8

const (
	Any Kind = iota // not known, or of no interest
	Bool
	Int // integers of every width, and uintptr
	Float
	Pointer // unsafe.Pointer
	Const   // an untyped number: := would give it type int
)

// An Expr is an expression or a type. The concrete types are in this file.
type Expr interface {
	// Kind is that of the value.
	Kind() Kind
}

// A Type is the Go type of a variable, and how it is written.
type Type struct {
	K    Kind
	Text Expr
}

// Kind is that of values of the type.
func (t *Type) Kind() Kind { return t.K }

// Basic types.
var (
	BoolType    = &Type{Bool, &Ident{Name: "bool"}}
	IntType     = &Type{Int, &Ident{Name: "int"}}
	UintType    = &Type{Int, &Ident{Name: "uint"}}
	Uintptr     = &Type{Int, &Ident{Name: "uintptr"}}
	Uint8       = &Type{Int, &Ident{Name: "uint8"}}
	Uint16      = &Type{Int, &Ident{Name: "uint16"}}
	Uint32      = &Type{Int, &Ident{Name: "uint32"}}
	Uint64      = &Type{Int, &Ident{Name: "uint64"}}
	Int8        = &Type{Int, &Ident{Name: "int8"}}
	Int16       = &Type{Int, &Ident{Name: "int16"}}
	Int32       = &Type{Int, &Ident{Name: "int32"}}
	Int64       = &Type{Int, &Ident{Name: "int64"}}
	Float32     = &Type{Float, &Ident{Name: "float32"}}
	Float64     = &Type{Float, &Ident{Name: "float64"}}
	UnsafePtr   = &Type{Pointer, &Qual{Pkg: "unsafe", Name: "Pointer"}}
	ErrorType   = &Type{Any, &Ident{Name: "error"}}
	unsigned    = map[uint32]*Type{8: Uint8, 16: Uint16, 32: Uint32, 64: Uint64}
	signedTypes = map[uint32]*Type{8: Int8, 16: Int16, 32: Int32, 64: Int64}
)

// Unsigned is the unsigned integer type of 8, 16, 32 or 64 bits.
func Unsigned(bits uint32) *Type { return unsigned[bits] }

// Signed is the signed integer type of 8, 16, 32 or 64 bits.
func Signed(bits uint32) *Type { return signedTypes[bits] }

// Named is a type of the package itself.
func Named(name string) *Type { return &Type{Any, &Ident{Name: name}} }

// Imported is a type of another package.
func Imported(pkg, name string) *Type { return &Type{Any, &Qual{Pkg: pkg, Name: name}} }

// PtrTo is the type of pointers to a type.
func PtrTo(t *Type) *Type { return &Type{Any, &Star{X: t}} }

// ArrayOf is an array type. A nil length is that of the literal.
func ArrayOf(n Expr, elem *Type) *Type { return &Type{Any, &Array{Len: n, Elem: elem}} }

// SliceOf is a slice type.
func SliceOf(elem *Type) *Type { return &Type{Any, &Array{Slice: true, Elem: elem}} }

// FuncType is a type of functions.
func FuncType(s *Sig) *Type { return &Type{Any, s} }

// An Ident is the name of a variable, constant, function or type.
type Ident struct {
	Name string
	K    Kind
}

// A Qual is a name of another package.
type Qual struct {
	Pkg, Name string
	K         Kind
}

// A Num is an integer constant, untyped. Hex says how it is written.
type Num struct {
	V   uint64
	Hex bool
}

// A Real is a floating-point constant, untyped: finite and not negative zero.
type Real struct {
	V    float64
	Bits int // of the type that it must be exact for: 32 or 64
}

// A Str is a string constant. A raw one must not have a backquote.
type Str struct {
	V   string
	Raw bool
}

// A Dot selects a field or method.
type Dot struct {
	X      Expr
	Name   string
	K      Kind
	Shared bool // the field is not the function's own: others may change it meanwhile
}

// An Index is an element of an array, slice or vector.
type Index struct {
	X, I Expr
	K    Kind
	from *Pos
}

// A Whole is the slice of a whole array, x[:].
type Whole struct{ X Expr }

// A Call is a call of a function, or of a method if F is a Dot.
type Call struct {
	F    Expr
	Args []Expr
	K    Kind
	from *Pos
}

// A Conv is a conversion.
type Conv struct {
	T    *Type
	X    Expr
	from *Pos
}

// A Binary is an operation on two operands.
type Binary struct {
	Op   Op
	X, Y Expr
	from *Pos
}

// A Unary is a negation, complement or address: '-', '!' or '&'.
type Unary struct {
	Op   byte
	X    Expr
	from *Pos
}

// A Star is the variable that a pointer points to, or the type of pointers to a type.
type Star struct {
	X    Expr
	from *Pos
}

// A Lit is a composite literal. T is nil where the context gives the type. With
// Lines each element is on a line of its own.
type Lit struct {
	T     Expr
	Elems []Elem
	Lines bool
}

// An Elem is an element of a composite literal, with the name of a field or "".
type Elem struct {
	Key string
	X   Expr
}

// An Array is an array type, or a slice type.
type Array struct {
	Len   Expr // nil for [...]
	Elem  *Type
	Slice bool
}

// A FuncLit is a function without a name.
type FuncLit struct {
	Sig  *Sig
	Body *Block
}

// A Sig is parameters and results of a function, and a type as such.
type Sig struct {
	Params, Results []Param
}

// A Param is a parameter or result; it may have no name.
type Param struct {
	Name string
	T    *Type
}

func (x *Ident) Kind() Kind { return x.K }
func (x *Qual) Kind() Kind  { return x.K }
func (x *Num) Kind() Kind   { return Const }
func (x *Real) Kind() Kind  { return Const }
func (x *Str) Kind() Kind   { return Any }
func (x *Dot) Kind() Kind   { return x.K }
func (x *Index) Kind() Kind { return x.K }
func (x *Whole) Kind() Kind { return Any }
func (x *Call) Kind() Kind  { return x.K }
func (x *Conv) Kind() Kind  { return x.T.K }
func (x *Star) Kind() Kind {
	if c, ok := x.X.(*Conv); ok {
		if p, ok := c.T.Text.(*Star); ok {
			return p.X.Kind()
		}
	}
	return Any
}
func (x *Lit) Kind() Kind     { return Any }
func (x *Array) Kind() Kind   { return Any }
func (x *FuncLit) Kind() Kind { return Any }
func (x *Sig) Kind() Kind     { return Any }
func (x *Unary) Kind() Kind {
	switch x.Op {
	case '!':
		return Bool
	case '-', '^':
		return x.X.Kind()
	}
	return Any
}
func (x *Binary) Kind() Kind {
	switch {
	case x.Op.Compares() || x.Op == AndAnd || x.Op == OrOr:
		return Bool
	case x.Op == Shl || x.Op == Shr:
		return x.X.Kind()
	}
	if k := x.X.Kind(); k != Const {
		return k
	}
	return x.Y.Kind()
}

// An Op is an operator with two operands.
type Op uint8

const (
	NoOp Op = iota
	OrOr
	AndAnd
	Equal
	Unequal
	Less
	LessEq
	Greater
	GreaterEq
	Add
	Sub
	Or
	Xor
	Mul
	Div
	Rem
	Shl
	Shr
	And
	AndNot
)

// ops has the spelling and precedence of the operators.
var ops = [...]struct {
	text word
	prec int
}{
	OrOr: {"||", 1}, AndAnd: {"&&", 2},
	Equal: {"==", 3}, Unequal: {"!=", 3}, Less: {"<", 3}, LessEq: {"<=", 3}, Greater: {">", 3}, GreaterEq: {">=", 3},
	Add: {"+", 4}, Sub: {"-", 4}, Or: {"|", 4}, Xor: {"^", 4},
	Mul: {"*", 5}, Div: {"/", 5}, Rem: {"%", 5}, Shl: {"<<", 5}, Shr: {">>", 5}, And: {"&", 5}, AndNot: {"&^", 5},
}

// Compares reports whether the result of an operator is a bool, of other operands.
func (o Op) Compares() bool { return o >= Equal && o <= GreaterEq }

// opposites are the comparisons that hold when others do not. For an order comparison
// that is true of integers only: a NaN is in no order.
var opposites = map[Op]Op{Equal: Unequal, Unequal: Equal, Less: GreaterEq, GreaterEq: Less, Greater: LessEq, LessEq: Greater}

// Not is the opposite of a condition.
func Not(x Expr) Expr {
	switch x := x.(type) {
	case *Ident:
		switch x {
		case True:
			return False
		case False:
			return True
		}
	case *Unary:
		if x.Op == '!' {
			return x.X
		}
	case *Binary:
		switch {
		case x.Op == Equal || x.Op == Unequal, x.Op.Compares() && ordered(x):
			return &Binary{opposites[x.Op], x.X, x.Y, x.from}
		case x.Op == AndAnd:
			return &Binary{OrOr, Not(x.X), Not(x.Y), x.from}
		case x.Op == OrOr:
			return &Binary{AndAnd, Not(x.X), Not(x.Y), x.from}
		}
	}
	return &Unary{Op: '!', X: x}
}

// ordered reports whether a comparison is one of integers.
func ordered(x *Binary) bool { return x.X.Kind() == Int || x.Y.Kind() == Int }

// The constants of type bool, and nil.
var (
	True  = &Ident{"true", Bool}
	False = &Ident{"false", Bool}
	Nil   = &Ident{Name: "nil"}
	Blank = &Ident{Name: "_"}
)

// Untyped reports whether := would give a variable another type than that of the expression.
func Untyped(x Expr) bool { return x.Kind() == Const }
