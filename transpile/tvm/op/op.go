// Package op has the operations and instructions of TVM: one table with their names, operands and
// classes, which the checker, the printer and the documentation use.
package op

// An Op is an operation or instruction, or a kind of term that has no word of its own.
type Op uint8

// A Class is a class of operations.
type Class uint8

// The classes.
const (
	None  Class = iota // a term without a word of its own
	Type               // a functional operation that makes a type
	Value              // any other functional operation
	Inst               // an instruction
	End                // an instruction that ends its block
)

// A Row describes an operation.
type Row struct {
	Name     string
	Class    Class
	Min, Max int // operands; Max is Many if there is no limit
	Usage    string
	Doc      string
}

// Many means that an operation takes any number of operands.
const Many = 1 << 20

// The operations. Integer types come first, those with a sign in front, in the order of their widths.
const (
	I8 Op = iota
	I16
	I32
	I64
	I128
	IPtr
	UI8
	UI16
	UI32
	UI64
	UI128
	UIPtr
	Bool
	Byte
	Empty
	FP32
	FP64
	FP128
	FPX8680
	FPPPC128
	TypeType
	UprefType
	Pointer
	Struct
	Union
	Array
	Constant
	Member
	MemberPtr
	BasePtr
	Apply

	True
	False
	EmptyV
	Undef
	Zero
	TypeV
	Sizeof
	Alignof
	Add
	Sub
	Mul
	Neg
	Div
	CmpEQ
	CmpNE
	CmpLT
	CmpLE
	CmpGT
	CmpGE
	BitAnd
	BitOr
	BitXor
	BitNot
	Shl
	Shr
	Bitcast
	Select
	StructV
	ArrayV
	UnionV
	ApplyV
	StructEl
	ArrayEl
	UnionEl
	Element
	PointerCast
	PointerOffset
	StructEp
	ArrayEp
	UnionEp
	Gep
	OuterPtr
	MemberApply
	MemberApplyPtr
	MemberCombine
	MemberInner
	MemberOuter
	MemberPtrCombine
	StructM
	UnionM
	ArrayM
	MemberOffset
	StructEo
	Specialize
	IntroduceExists
	Unwrap
	UnwrapParam
	Upref
	UprefNull
	StructUp
	ArrayUp
	UnionUp
	Unapply
	Unbase
	Derived
	BaseOffset
	Unrecurse

	Alloca
	AllocaConst
	Load
	Store
	Call
	Memcpy
	Memzero
	Freea
	Eval
	Solidify
	Return
	Br
	CondBr
	Unreachable

	// Terms without words.
	Lit      // a number
	Poly     // a sum of products of integers
	ToUIPtr  // the length of an array, of another type of integers
	Function // a function type
	Exists
	Bound   // a parameter of a function or exists type around
	Symbol  // a term that is only equal to itself
	BaseOff // the unknown offset of a base
	Given   // the type that a parameter stands for in a copy of its function
	NumOps
)

// Table has the rows of the operations.
var Table = [NumOps]Row{
	I8: {"i8", Type, 0, 0, "", "signed integer"}, I16: {"i16", Type, 0, 0, "", "signed integer"},
	I32: {"i32", Type, 0, 0, "", "signed integer"}, I64: {"i64", Type, 0, 0, "", "signed integer"},
	I128: {"i128", Type, 0, 0, "", "signed integer"}, IPtr: {"iptr", Type, 0, 0, "", "signed integer as wide as a pointer"},
	UI8: {"ui8", Type, 0, 0, "", "unsigned integer"}, UI16: {"ui16", Type, 0, 0, "", "unsigned integer"},
	UI32: {"ui32", Type, 0, 0, "", "unsigned integer"}, UI64: {"ui64", Type, 0, 0, "", "unsigned integer"},
	UI128: {"ui128", Type, 0, 0, "", "unsigned integer"}, UIPtr: {"uiptr", Type, 0, 0, "", "unsigned integer as wide as a pointer"},
	Bool: {"bool", Type, 0, 0, "", "true or false"}, Byte: {"byte", Type, 0, 0, "", "unit of memory"},
	Empty: {"empty", Type, 0, 0, "", "has no data"},
	FP32:  {"fp32", Type, 0, 0, "", "float, 4 bytes"}, FP64: {"fp64", Type, 0, 0, "", "double, 8 bytes"},
	FP128: {"fp128", Type, 0, 0, "", "16 bytes"}, FPX8680: {"fp-x86-80", Type, 0, 0, "", "16 bytes"}, FPPPC128: {"fp-ppc-128", Type, 0, 0, "", "16 bytes"},
	TypeType:  {"type", Type, 0, 0, "", "type of types"},
	UprefType: {"upref_type", Type, 0, 0, "", "type of upward references"},
	Pointer:   {"pointer", Type, 1, 2, "T [U]", "address of a T"},
	Struct:    {"struct", Type, 0, Many, "T...", "sequence of members"},
	Union:     {"union", Type, 0, Many, "T...", "one of its members"},
	Array:     {"array", Type, 2, 2, "T n", "n elements"},
	Constant:  {"constant", Type, 1, 1, "v", "type of one value; also spelled const"},
	Member:    {"member", Type, 2, 2, "T1 T2", "offset from a T1 to a T2 inside it"},
	MemberPtr: {"member_ptr", Type, 1, 1, "m", "address of the inner object of a member"},
	BasePtr:   {"base_ptr", Type, 1, 1, "B", "address of a base of an unknown derived type"},
	Apply:     {"apply", Type, 1, Many, "R a...", "instance of a schema"},

	True: {"true", Value, 0, 0, "", "bool"}, False: {"false", Value, 0, 0, "", "bool"}, EmptyV: {"empty_v", Value, 0, 0, "", "value of empty"},
	Undef: {"undef", Value, 1, 1, "T", "an arbitrary value; here always zero"}, Zero: {"zero", Value, 1, 1, "T", "zero of type T; v where T or a part of T is constant v"},
	TypeV:  {"type_v", Value, 2, 2, "size align", "a type of which only size and alignment are known"},
	Sizeof: {"sizeof", Value, 1, 1, "T", "size in bytes"}, Alignof: {"alignof", Value, 1, 1, "T", "alignment in bytes"},
	Add: {"add", Value, 2, 2, "a b", "sum modulo 2^n"}, Sub: {"sub", Value, 2, 2, "a b", "difference"}, Mul: {"mul", Value, 2, 2, "a b", "product"},
	Neg: {"neg", Value, 1, 1, "a", "negation"}, Div: {"div", Value, 2, 2, "a b", "quotient, rounded toward zero; traps if b is 0"},
	CmpEQ: {"cmp_eq", Value, 2, 2, "a b", "equal"}, CmpNE: {"cmp_ne", Value, 2, 2, "a b", "not equal"},
	CmpLT: {"cmp_lt", Value, 2, 2, "a b", "less"}, CmpLE: {"cmp_le", Value, 2, 2, "a b", "less or equal"},
	CmpGT: {"cmp_gt", Value, 2, 2, "a b", "greater"}, CmpGE: {"cmp_ge", Value, 2, 2, "a b", "greater or equal"},
	BitAnd: {"bit_and", Value, 2, 2, "a b", "bitwise and"}, BitOr: {"bit_or", Value, 2, 2, "a b", "bitwise or"}, BitXor: {"bit_xor", Value, 2, 2, "a b", "bitwise exclusive or"},
	BitNot: {"bit_not", Value, 1, 1, "a", "bitwise complement"},
	Shl:    {"shl", Value, 2, 2, "a s", "shift left"}, Shr: {"shr", Value, 2, 2, "a s", "shift right; copies the sign if the type has one"},
	Bitcast: {"bitcast", Value, 2, 2, "v T", "the same bits"}, Select: {"select", Value, 3, 3, "c a b", "a if c, else b"},
	StructV: {"struct_v", Value, 0, Many, "v...", "struct of values"}, ArrayV: {"array_v", Value, 1, Many, "T v...", "array of values"},
	UnionV: {"union_v", Value, 2, 2, "U v", "union that holds a value"}, ApplyV: {"apply_v", Value, 2, 2, "A v", "instance of a schema, from a value of its body"},
	StructEl: {"struct_el", Value, 2, 2, "s i", "member"}, ArrayEl: {"array_el", Value, 2, 2, "a i", "element"},
	UnionEl: {"union_el", Value, 2, 2, "u T", "member, by type or index"}, Element: {"element", Value, 1, Many, "v i...", "part of a value"},
	PointerCast:   {"pointer_cast", Value, 2, 3, "p T [U]", "pointer to another type; also spelled cast"},
	PointerOffset: {"pointer_offset", Value, 2, 2, "p n", "address n elements further; also spelled offset"},
	StructEp:      {"struct_ep", Value, 2, 2, "p i", "address of a member"}, ArrayEp: {"array_ep", Value, 2, 2, "p i", "address of an element"},
	UnionEp: {"union_ep", Value, 2, 2, "p T", "address of a member, by type or index"}, Gep: {"gep", Value, 1, Many, "p i...", "address of a part"},
	OuterPtr:    {"outer_ptr", Value, 1, 1, "p", "address of the object that contains p"},
	MemberApply: {"member_apply", Value, 2, 2, "p m", "address of the inner object"}, MemberApplyPtr: {"member_apply_ptr", Value, 2, 2, "p m", "member_ptr to the inner object; also spelled member_ptr_apply"},
	MemberCombine: {"member_combine", Value, 2, 2, "m1 m2", "sum of members"}, MemberInner: {"member_inner", Value, 1, 1, "q", "address of the inner object"},
	MemberOuter: {"member_outer", Value, 1, 1, "q", "address of the outer object"}, MemberPtrCombine: {"member_ptr_combine", Value, 2, 2, "q m", "member_ptr further inward"},
	StructM: {"struct_m", Value, 2, 2, "S i", "member of a struct"}, UnionM: {"union_m", Value, 2, 2, "U T", "member of a union, by type or index"}, ArrayM: {"array_m", Value, 2, 2, "A i", "element of an array"},
	MemberOffset: {"member_offset", Value, 1, 1, "m", "offset in bytes"}, StructEo: {"struct_eo", Value, 2, 2, "S i", "offset of a member in bytes"},
	Specialize:      {"specialize", Value, 1, Many, "f a...", "function with its phantom parameters replaced by arguments"},
	IntroduceExists: {"introduce_exists", Value, 2, 2, "E v", "value with hidden parameters"}, Unwrap: {"unwrap", Value, 1, 1, "w", "the hidden value"},
	UnwrapParam: {"unwrap_param", Value, 2, 2, "w i", "hidden parameter"},
	Upref:       {"upref", Value, 0, Many, "T i U", "upward reference"}, UprefNull: {"upref_null", Value, 0, 0, "", "unknown container"},
	StructUp: {"struct_up", Value, 3, 3, "T i U", "upward reference to a struct"}, ArrayUp: {"array_up", Value, 3, 3, "T i U", "upward reference to an array"}, UnionUp: {"union_up", Value, 3, 3, "T i U", "upward reference to a union"},
	Unapply: {"unapply", Value, 1, 1, "p", "base_ptr of a pointer to an instance"}, Unbase: {"unbase", Value, 1, 1, "b", "member_ptr of a base_ptr"},
	Derived: {"derived", Value, 1, 1, "b", "derived type of a base_ptr"}, BaseOffset: {"base_offset", Value, 1, 1, "b", "offset of a base_ptr"},
	Unrecurse: {"unrecurse", Value, 1, 1, "p", "gep p #up0"},

	Alloca: {"alloca", Inst, 1, 3, "T [count [align]]", "storage on the stack"}, AllocaConst: {"alloca_const", Inst, 1, 1, "v", "storage that holds a value"},
	Load: {"load", Inst, 1, 1, "p", "value in memory"}, Store: {"store", Inst, 2, 2, "v p", "writes a value to memory"},
	Call: {"call", Inst, 1, Many, "f a...", "calls a function"}, Memcpy: {"memcpy", Inst, 3, 4, "d s n [align]", "copies elements"},
	Memzero: {"memzero", Inst, 2, 3, "d n [align]", "clears elements"}, Freea: {"freea", Inst, 1, 1, "p", "frees storage on the stack"},
	Eval: {"eval", Inst, 1, 1, "v", "evaluates a value"}, Solidify: {"solidify", Inst, 1, 1, "v", "makes a phantom known at run time"},
	Return: {"return", End, 1, 1, "v", "leaves the function"}, Br: {"br", End, 1, 1, "%b", "jumps"}, CondBr: {"cond_br", End, 3, 3, "c %t %f", "jumps on a condition"},
	Unreachable: {"unreachable", End, 0, 0, "", "is never reached"},
}

// aliases are other words for operations.
var aliases = map[string]Op{"cast": PointerCast, "offset": PointerOffset, "member_ptr_apply": MemberApplyPtr}

var byName = map[string]Op{}

func init() {
	for o := range Table {
		if n := Table[o].Name; n != "" {
			byName[n] = Op(o)
		}
	}
	for n, o := range aliases {
		byName[n] = o
	}
}

// Find finds the operation that a word names.
func Find(word string) (Op, bool) {
	o, ok := byName[word]
	return o, ok
}

// Words calls each with the words that name operations.
func Words(each func(string)) {
	for w := range byName {
		each(w)
	}
}

func (o Op) String() string { return Table[o].Name }

// IsInt reports whether the operation is a type of integers.
func (o Op) IsInt() bool { return o <= UIPtr }

// Signed reports whether a type of integers has a sign.
func (o Op) Signed() bool { return o < UI8 }

// Bits is the width of a type of integers; words have 64 bits where types are compared.
func (o Op) Bits() uint { return [...]uint{8, 16, 32, 64, 128, 64}[o%UI8] }

// Letters are the letters after the number sign of a literal of a type of integers.
func (o Op) Letters() string {
	return [...]string{"b", "s", "i", "l", "q", "p", "ub", "us", "ui", "ul", "uq", "up"}[o]
}

// IsFloat reports whether the operation is a type of numbers that have no arithmetic.
func (o Op) IsFloat() bool { return FP32 <= o && o <= FPPPC128 }

// IsInst reports whether the operation is an instruction.
func (o Op) IsInst() bool { return Table[o].Class == Inst || Table[o].Class == End }

// Ends reports whether the operation ends a block.
func (o Op) Ends() bool { return Table[o].Class == End }

// HasResult reports whether an instruction yields a value.
func (o Op) HasResult() bool {
	switch o {
	case Alloca, AllocaConst, Load, Call:
		return true
	}
	return !o.IsInst()
}
