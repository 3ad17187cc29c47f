package ir

import (
	"fmt"
	"strings"
)

// The table of operations (docs/operations.md) gives the operands, type arguments and results of
// each operation. The builder derives result types from it, and package verify checks against it. A
// letter stands for a type:
//
//	1 6 w x l d  int<1>, int<6>, int<32>, int<52>, int<64>, double
//	T U          Ty, Ty2
//	b V          int<1> or a vector of it, as long as Ty; the strong variant of Ty
//	e f v        element of Ty; field Imm of Ty; elements of Ty, as many as Ty2 has
//	r i p        ref<Ty>, iref<Ty>, uptr to the referent of Ty
//	L M N        iref (uptr with FlagPtr) to Ty, to field Imm of Ty, to the element of Ty
//	F P Q        funcref<Sig>, ufuncptr<Sig>, any ufuncptr
//	R O          any ref, ref<void>
//	s h c t      stackref, threadref, framecursorref, tagref64
//	a A k        uptr<void>, any uptr; a constant of bytes
//	B S H        ref<@uvm.meta.bytes>, ref<@uvm.meta.refs>, funcref<@uvm.meta.trap_handler.sig>
//	* Y %        parameters or results of Sig; Types; results of the function
//	+            any number of the letter before it
//	~            what NEWTHREAD and SWAPSTACK pass on, as the flags say
//	?            anything, as the IR builder's instructions do

// TypeArg says what a type argument of an operation may be.
type TypeArg uint8

// The kinds of type arguments. Those ending in V may also be vectors of such
// types.
const (
	ArgNone     TypeArg = iota // no type argument
	ArgType                    // any type
	ArgValue                   // type of values
	ArgStorable                // type of values, or weakref
	ArgInt
	ArgIntV
	ArgFP
	ArgFPV
	ArgEQ // EQ-comparable
	ArgEQV
	ArgIntPtrV // int or pointer
	ArgULTV    // ULT-comparable
	ArgBoolV   // int<1>
	ArgStruct
	ArgSeq    // array or vector
	ArgVector // vector
	ArgIntVec // vector of int
	ArgHybrid
	ArgNotHybrid
	ArgRecord  // struct or hybrid
	ArgElement // not void, not hybrid
	ArgFutex   // int<8>, int<16>, int<32>, int<64>
	ArgObject  // ref or iref
	ArgFuncPtr // ufuncptr
)

var typeArgText = [...]string{
	ArgNone: "no type", ArgType: "a type", ArgValue: "a type of values", ArgStorable: "a storable type",
	ArgInt: "int", ArgIntV: "int", ArgFP: "float or double", ArgFPV: "float or double",
	ArgEQ: "an EQ-comparable type", ArgEQV: "an EQ-comparable type", ArgIntPtrV: "int or a pointer",
	ArgULTV: "a ULT-comparable type", ArgBoolV: "int<1>", ArgStruct: "a struct", ArgSeq: "an array or vector",
	ArgVector: "a vector", ArgIntVec: "a vector of int", ArgHybrid: "a hybrid", ArgNotHybrid: "a type that is not a hybrid",
	ArgRecord: "a struct or hybrid", ArgElement: "the type of an element", ArgFutex: "int<8>, int<16>, int<32> or int<64>",
	ArgObject: "a ref or iref", ArgFuncPtr: "a ufuncptr",
}

func (a TypeArg) String() string { return typeArgText[a] }

// Shape is the typing rule of an operation.
type Shape struct {
	Ty, Ty2 TypeArg
	Sig     bool // has a signature
	Imm     ImmKind
	Types   bool   // has a list of result types
	Args    string // letters
	Results string // letters
	Dests   int    // destinations without clauses; or DestsCases, DestsAny
}

// Passes reports whether an instruction passes values to a stack, see Inst.Passed.
func (s *Shape) Passes() bool { return strings.HasSuffix(s.Args, "~") }

// What Dests may be besides a number.
const (
	DestsCases = -1 - iota // one, and one for each operand but the first
	DestsAny
)

// ImmKind says what the immediate of an operation is.
type ImmKind uint8

// The kinds of immediates.
const (
	ImmNone    ImmKind = iota
	ImmField           // number of a field of Ty
	ImmID              // number of a watchpoint
	ImmCode            // opcode of an instruction of the IR builder
	ImmNumber          // any number
	ImmFailure         // a Failure
)

// DestCount is the number of destinations that an instruction must have, -1 if it
// may have any number.
func (in *Inst) DestCount() int {
	n := in.Op.Shape().Dests
	switch {
	case n == DestsAny:
		return -1
	case n == DestsCases:
		return max(len(in.Args), 1)
	case in.Has(FlagWPExc):
		n++
	case in.Has(FlagExc):
		n += 2
	}
	return n
}

// Shape is the typing rule of the operation.
func (o Op) Shape() *Shape {
	if o < NumOps {
		return &shapes[o]
	}
	return &shapes[OpInvalid]
}

// A Want is the type that an operand or a result must have.
type Want struct {
	ID TypeID // the type itself, if not NoType
	// Else the type that the constructor Kind makes from only these parameters; from any if
	// Loose.
	Elem  TypeID
	Len   uint64
	Bits  uint32
	Kind  Kind
	Loose bool
	Any   bool // any type
}

// Valid reports whether id is the number of a type of the table.
func (t *Types) Valid(id TypeID) bool { return id > 0 && int(id) < len(t.tab.List) }

// Find returns the id of a type if the table has it, else NoType. Unlike Intern
// it changes nothing.
func (t *Types) Find(n Type) TypeID {
	return t.tab.Find(n)
}

// Matches reports whether id is a wanted type.
func (w *Want) Matches(t *Types, id TypeID) bool {
	switch {
	case w.ID != NoType:
		return w.ID == id
	case !t.Valid(id):
		return false
	case w.Any:
		return true
	}
	n := &t.tab.List[id]
	return n.Kind == w.Kind && (w.Loose || n.Bits == w.Bits && n.Len == w.Len && n.Elem == w.Elem)
}

// Make returns the wanted type, NoType if it is not a single one.
func (w *Want) Make(t *Types) TypeID {
	switch {
	case w.ID != NoType:
		return w.ID
	case w.Any || w.Loose || w.Kind == KInvalid:
		return NoType
	}
	switch w.Kind {
	case KInt:
		return t.Int(w.Bits)
	case KRef, KIRef, KUPtr, KFuncRef, KUFuncPtr, KVector:
		switch {
		case !t.Valid(w.Elem):
			return NoType
		case w.Kind != KVector:
			return t.Of(w.Kind, w.Elem)
		}
	}
	return t.Intern(Type{Kind: w.Kind, Bits: w.Bits, Len: w.Len, Elem: w.Elem})
}

// Text spells the wanted type for messages.
func (w *Want) Text(t *Types) string {
	elem := func() string {
		if w.Loose || w.Elem == NoType {
			return ""
		}
		return "<" + t.Text(w.Elem) + ">"
	}
	switch {
	case w.ID != NoType:
		return t.Text(w.ID)
	case w.Any:
		return "any type"
	case w.Kind == KInvalid:
		return "what its type has not"
	}
	if !w.Loose {
		if id := t.Find(Type{Kind: w.Kind, Bits: w.Bits, Len: w.Len, Elem: w.Elem}); id != NoType {
			return t.String(id)
		}
	}
	switch {
	case w.Kind == KInt:
		return fmt.Sprintf("int<%d>", w.Bits)
	case w.Kind == KVector:
		return fmt.Sprintf("vector<%s %d>", t.Text(w.Elem), w.Len)
	}
	return w.Kind.String() + elem()
}

// Text is like String, but also returns a text for an id that is not in the table.
func (t *Types) Text(id TypeID) string {
	if !t.Valid(id) {
		return fmt.Sprintf("?type%d", id)
	}
	return t.String(id)
}

// A Typer applies the table to instructions, and answers questions about types that
// need a search (docs/language.md, "Types"), remembering the answers. It never
// panics, whatever the instruction. Unless Intern is set it only reads.
type Typer struct {
	Types  *Types
	Intern bool   // add missing types to the table of types
	Sig    TypeID // signature of the function that instructions are in

	weak []weakness // by TypeID
	pre  [5]TypeID  // see known
}

// weakness tells whether a component of a type is a weakref.
type weakness uint8

const (
	weakUnknown weakness = iota
	weakNot
	weakSome
)

// NewTyper returns a Typer for a table of types.
func NewTyper(t *Types, intern bool) *Typer {
	return &Typer{Types: t, Intern: intern}
}

const (
	preVoid = iota
	preBool
	preBytes
	preRefs
	preHandler
)

func (y *Typer) of(n Type) TypeID {
	for _, f := range append(n.Fields, n.Elem) {
		if f < 0 {
			return -1
		}
	}
	if y.Intern {
		return y.Types.Intern(n)
	}
	if id := y.Types.Find(n); id != NoType {
		return id
	}
	return -1 // no type has it
}

// known returns a predefined type. It is -1 if the table does not have the type and Intern is not set.
func (y *Typer) known(i int) TypeID {
	if y.pre[i] > 0 {
		return y.pre[i]
	}
	prim := func(k Kind, bits uint32) TypeID { return y.of(Type{Kind: k, Bits: bits}) }
	object := func() TypeID { return y.of(Type{Kind: KRef, Elem: y.known(preVoid)}) }
	var id TypeID
	switch i {
	case preVoid:
		id = prim(KVoid, 0)
	case preBool:
		id = prim(KInt, 1)
	case preBytes:
		id = y.of(Type{Kind: KHybrid, Fields: []TypeID{prim(KInt, 64)}, Elem: prim(KInt, 8)})
	case preRefs:
		id = y.of(Type{Kind: KHybrid, Fields: []TypeID{prim(KInt, 64)}, Elem: object()})
	case preHandler:
		id = y.of(Type{Kind: KSig, Fields: []TypeID{prim(KStackRef, 0), prim(KInt, 32), object()}})
	}
	y.pre[i] = id
	return id
}

// at is the type of an id, of kind KInvalid if there is none.
func (y *Typer) at(id TypeID) *Type {
	if !y.Types.Valid(id) {
		return &y.Types.tab.List[0]
	}
	return &y.Types.tab.List[id]
}

func (y *Typer) field(in *Inst) TypeID {
	if f := y.at(in.Ty).Fields; in.Imm < uint64(len(f)) && y.at(in.Ty).Kind != KSig {
		return f[in.Imm]
	}
	return -1
}

// location is iref<id>, or uptr<id> for a PTR form.
func location(in *Inst, id TypeID) Want {
	if in.Has(FlagRaw) {
		return Want{Kind: KUPtr, Loose: true}
	}
	if in.Has(FlagPtr) {
		return Want{Kind: KUPtr, Elem: id}
	}
	return Want{Kind: KIRef, Elem: id}
}

// exactly is the Want for one type; nothing matches if there is no such type.
func exactly(id TypeID) Want {
	if id == NoType {
		id = -1
	}
	return Want{ID: id}
}

// letter returns the Want that a letter stands for.
func (y *Typer) letter(c byte, in *Inst) Want {
	switch c {
	case '1':
		return Want{Kind: KInt, Bits: 1}
	case '6':
		return Want{Kind: KInt, Bits: 6}
	case 'w':
		return Want{Kind: KInt, Bits: 32}
	case 'x':
		return Want{Kind: KInt, Bits: 52}
	case 'l':
		return Want{Kind: KInt, Bits: 64}
	case 'd':
		return Want{Kind: KDouble}
	case 'T':
		return exactly(in.Ty)
	case 'U':
		return exactly(in.Ty2)
	case 'b':
		if n := y.at(in.Ty); n.Kind == KVector {
			return Want{Kind: KVector, Elem: y.known(preBool), Len: n.Len}
		}
		return Want{Kind: KInt, Bits: 1}
	case 'V':
		if n := y.at(in.Ty); n.Kind == KWeakRef {
			return Want{Kind: KRef, Elem: n.Elem}
		}
		return exactly(in.Ty)
	case 'e':
		return exactly(y.at(in.Ty).Elem)
	case 'f':
		return exactly(y.field(in))
	case 'v':
		return Want{Kind: KVector, Elem: y.at(in.Ty).Elem, Len: y.at(in.Ty2).Len}
	case 'r':
		return Want{Kind: KRef, Elem: in.Ty}
	case 'i':
		return Want{Kind: KIRef, Elem: in.Ty}
	case 'p':
		return Want{Kind: KUPtr, Elem: y.at(in.Ty).Elem}
	case 'L':
		return location(in, in.Ty)
	case 'M':
		return location(in, y.field(in))
	case 'N':
		return location(in, y.at(in.Ty).Elem)
	case 'F':
		return Want{Kind: KFuncRef, Elem: in.Sig}
	case 'P':
		return Want{Kind: KUFuncPtr, Elem: in.Sig}
	case 'Q':
		return Want{Kind: KUFuncPtr, Loose: true}
	case 'R':
		return Want{Kind: KRef, Loose: true}
	case 'O':
		return Want{Kind: KRef, Elem: y.known(preVoid)}
	case 's':
		return Want{Kind: KStackRef}
	case 'h':
		return Want{Kind: KThreadRef}
	case 'c':
		return Want{Kind: KFrameCursorRef}
	case 't':
		return Want{Kind: KTagRef64}
	case 'a':
		return Want{Kind: KUPtr, Elem: y.known(preVoid)}
	case 'A':
		return Want{Kind: KUPtr, Loose: true}
	case 'k':
		return Want{Kind: KArray, Loose: true}
	case 'B':
		return Want{Kind: KRef, Elem: y.known(preBytes)}
	case 'S':
		return Want{Kind: KRef, Elem: y.known(preRefs)}
	case 'H':
		return Want{Kind: KFuncRef, Elem: y.known(preHandler)}
	}
	return Want{Any: true}
}

// Type is the type that a letter of a shape stands for, NoType if there is no single one.
func (y *Typer) Type(letter byte, in *Inst) TypeID {
	w := y.letter(letter, in)
	return max(w.Make(y.Types), NoType)
}

func exactList(buf []Want, ids []TypeID) []Want {
	for _, id := range ids {
		buf = append(buf, exactly(id))
	}
	return buf
}

// Args appends to buf the wanted types of the operands of an instruction. If repeat is
// set, more operands may follow, of the type of the last.
func (y *Typer) Args(in *Inst, buf []Want) (wants []Want, repeat bool) {
	s := in.Op.Shape().Args
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*':
			buf = exactList(buf, y.at(in.Sig).Fields)
		case '%':
			buf = exactList(buf, y.at(y.Sig).Results)
		case '~':
			if in.Has(FlagThreadLocal) {
				buf = append(buf, y.letter('R', in))
			}
			if in.Has(FlagThrowExc) {
				buf = append(buf, y.letter('R', in))
				continue
			}
			return append(buf, Want{Any: true}), true
		case '?':
			return append(buf, Want{Any: true}), true
		case '+':
			return buf, true
		default:
			buf = append(buf, y.letter(s[i], in))
		}
	}
	return buf, false
}

// Results appends to buf the wanted types of the results of an instruction. loose is set
// for instructions of the IR builder, which may have one result or none.
func (y *Typer) Results(in *Inst, buf []Want) (wants []Want, loose bool) {
	s := in.Op.Shape().Results
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '*':
			buf = exactList(buf, y.at(in.Sig).Results)
		case 'Y':
			buf = exactList(buf, in.Types)
		case '?':
			return append(buf, Want{Any: true}), true
		default:
			buf = append(buf, y.letter(s[i], in))
		}
	}
	return buf, false
}

func lane(y *Typer, id TypeID) *Type {
	if n := y.at(id); n.Kind == KVector {
		return y.at(n.Elem)
	}
	return y.at(id)
}

// IsPointer reports whether k is uptr or ufuncptr (docs/language.md, "Types").
func (k Kind) IsPointer() bool { return k == KUPtr || k == KUFuncPtr }

// IsFP reports whether k is float or double.
func (k Kind) IsFP() bool { return k == KFloat || k == KDouble }

// IsNullable reports whether the NULL constant may have a type of kind k.
func (k Kind) IsNullable() bool {
	switch k {
	case KRef, KIRef, KFuncRef, KThreadRef, KStackRef, KFrameCursorRef, KIRNodeRef, KIRBuilderRef:
		return true
	}
	return false
}

// IsEQ reports whether types of kind k are EQ-comparable.
func (k Kind) IsEQ() bool { return k == KInt || k.IsPointer() || k.IsNullable() }

// IsScalar reports whether types of kind k are scalar.
func (k Kind) IsScalar() bool {
	return k.IsEQ() || k.IsFP() || k == KWeakRef || k == KTagRef64
}

// IsType reports whether id is a type, not a signature.
func (y *Typer) IsType(id TypeID) bool {
	k := y.at(id).Kind
	return k != KInvalid && k != KSig
}

// IsValue reports whether variables may have the type (docs/language.md, "Types").
func (y *Typer) IsValue(id TypeID) bool {
	switch k := y.at(id).Kind; k {
	case KInvalid, KVoid, KHybrid, KWeakRef, KSig:
		return false
	case KStruct, KArray, KVector:
		return !y.HasWeak(id)
	}
	return true
}

// HasWeak reports whether a component of the type is a weakref. A type that
// contains itself is invalid; the inner occurrence is ignored.
func (y *Typer) HasWeak(id TypeID) bool {
	n := y.at(id)
	switch n.Kind {
	case KWeakRef:
		return true
	case KArray, KVector, KHybrid, KStruct:
	default:
		return false
	}
	if len(y.weak) <= int(id) {
		y.weak = append(y.weak, make([]weakness, y.Types.Len()-len(y.weak))...)
	}
	if y.weak[id] == weakUnknown {
		y.weak[id] = weakNot
		weak := n.Elem != NoType && y.HasWeak(n.Elem)
		for _, f := range n.Fields {
			weak = y.HasWeak(f) || weak
		}
		if weak {
			y.weak[id] = weakSome
		}
	}
	return y.weak[id] == weakSome
}

// Allows reports whether id can be the type argument a.
func (y *Typer) Allows(a TypeArg, id TypeID) bool {
	n := y.at(id)
	l := lane(y, id)
	switch a {
	case ArgNone:
		return id == NoType
	case ArgType:
		return y.IsType(id)
	case ArgValue:
		return y.IsValue(id)
	case ArgStorable:
		return n.Kind == KWeakRef || y.IsValue(id)
	case ArgInt:
		return n.Kind == KInt
	case ArgIntV:
		return l.Kind == KInt
	case ArgFP:
		return n.Kind.IsFP()
	case ArgFPV:
		return l.Kind.IsFP()
	case ArgEQ:
		return n.Kind.IsEQ() || n.Kind == KTagRef64 // dialects other than Mu compare these
	case ArgEQV:
		return l.Kind.IsEQ() || l.Kind == KTagRef64
	case ArgIntPtrV:
		return l.Kind == KInt || l.Kind.IsPointer()
	case ArgULTV:
		return l.Kind == KInt || l.Kind.IsPointer() || l.Kind == KIRef
	case ArgBoolV:
		return l.Kind == KInt && l.Bits == 1
	case ArgStruct:
		return n.Kind == KStruct
	case ArgSeq:
		return n.Kind == KArray || n.Kind == KVector
	case ArgVector:
		return n.Kind == KVector
	case ArgIntVec:
		return n.Kind == KVector && l.Kind == KInt
	case ArgHybrid:
		return n.Kind == KHybrid
	case ArgNotHybrid:
		return y.IsType(id) && n.Kind != KHybrid
	case ArgRecord:
		return n.Kind == KStruct || n.Kind == KHybrid
	case ArgElement:
		return y.IsType(id) && n.Kind != KVoid && n.Kind != KHybrid
	case ArgFutex:
		return n.Kind == KInt && (n.Bits == 8 || n.Bits == 16 || n.Bits == 32 || n.Bits == 64)
	case ArgObject:
		return n.Kind == KRef || n.Kind == KIRef
	case ArgFuncPtr:
		return n.Kind == KUFuncPtr
	}
	return false
}

// Convertible reports whether an operation of ClassConv converts from one type to the
// other; want says in words which types it converts (docs/language.md, "Numbers" and
// "Accepted deviations").
func (y *Typer) Convertible(op Op, from, to TypeID) (ok bool, want string) {
	f, t := y.at(from), y.at(to)
	if (f.Kind == KVector) != (t.Kind == KVector) || f.Kind == KVector && f.Len != t.Len {
		return false, "two scalar types or two vectors of one length"
	}
	f, t = lane(y, from), lane(y, to)
	ints := f.Kind == KInt && t.Kind == KInt
	word := func(k Kind) bool { return k == KInt || k.IsPointer() }
	bits := func(n *Type) uint32 {
		switch n.Kind {
		case KInt:
			return n.Bits
		case KFloat:
			return 32
		case KDouble:
			return 64
		}
		return 0
	}
	switch op {
	case OpTrunc:
		return ints && t.Bits < f.Bits, "an int and a narrower int"
	case OpZExt, OpSExt:
		return ints && t.Bits > f.Bits, "an int and a wider int"
	case OpFPTrunc:
		return f.Kind == KDouble && t.Kind == KFloat, "double and float"
	case OpFPExt:
		return f.Kind == KFloat && t.Kind == KDouble, "float and double"
	case OpFPToUI, OpFPToSI:
		return f.Kind.IsFP() && t.Kind == KInt, "a floating-point type and an int"
	case OpUIToFP, OpSIToFP:
		return f.Kind == KInt && t.Kind.IsFP(), "an int and a floating-point type"
	case OpBitcast:
		return bits(f) != 0 && bits(f) == bits(t) && (f.Kind == KInt) != (t.Kind == KInt), "an int and a floating-point type of one width"
	case OpRefCast:
		return f.Kind == t.Kind && (f.Kind == KRef || f.Kind == KIRef || f.Kind == KFuncRef), "two types that are both ref, both iref or both funcref"
	case OpPtrCast:
		return word(f.Kind) && word(t.Kind) && !ints, "two types of pointers, or one of pointers and an int"
	case OpRefAddr:
		return (f.Kind == KRef || f.Kind == KIRef) && t.Kind == KUPtr, "a ref or iref and a uptr"
	case OpRefAt:
		return (t.Kind == KRef || t.Kind == KIRef) && f.Kind == KUPtr, "a uptr and a ref or iref"
	}
	return false, "a conversion"
}
