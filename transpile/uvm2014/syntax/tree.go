// Package syntax is the grammar of µVM IR of 2014: the tree of a bundle, and the parser that
// makes it from the text form (docs/uvm2014.md). Package binary reads the binary form into the
// same tree, with names made from its IDs.
//
// It does not resolve names or check types and literals. The tree has the accepted forms of older
// bundles in their modern form; Bundle.Deviations lists where they were.
package syntax

import (
	"sort"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// The pieces that text forms share.
type (
	// An Off is a byte offset into the bundle; Bundle.Pos makes a diag.Pos of it.
	Off = lex.Off
	// A Sym is an interned spelling, sigil included.
	Sym = lex.Sym
	// A Name is one occurrence of a name. The zero Name stands for a missing name.
	Name = lex.Name
	// Symbols is the table that Syms belong to. One may serve many bundles.
	Symbols = lex.Symbols
	// An IntLit is an integer literal with its value.
	IntLit = lex.IntLit
	// An FPLit is a floating-point literal, kept as text.
	FPLit = lex.FPLit
	// A Comment is a stretch of the source, from its slashes to before its line end.
	Comment = lex.Comment
)

// A Bundle is the tree of one bundle.
type Bundle struct {
	File   *diag.File
	Syms   *Symbols
	Binary bool  // read from the binary form: offsets are those of bytes, IDs are given
	Defs   []Def // in the order written

	// IDs are those that a bundle in the binary form defines.
	IDs IDs
	// Body, if not nil, reads the blocks of a function definition, which are not in the tree.
	// They are valid until the next call. It reports whether there was no error.
	Body func(d *FuncDef) bool

	// Comments are in the order written; only collected in mode WithComments.
	Comments []Comment
	// Deviations are the forms of older bundles, in the order written.
	Deviations []Deviation

	// Insts and Blocks are the numbers of instructions and blocks in function definitions, for
	// sizing tables.
	Insts, Blocks int
	Nodes         int // the greatest Node.Num

	// Skipped are global names in instructions that could not be read: those of types and signatures, and operands.
	Skipped []Skipped

	Bad    bool         // there were syntax errors
	Faulty map[Def]bool // the elements of Defs with syntax errors
	Gaps   bool         // there may be definitions of names that are not in Defs
	Unread bool         // so many errors that the end was not read
}

// A Skipped is a global name in an instruction that could not be read. TypeArg says that it is in angle brackets.
type Skipped struct {
	Name
	TypeArg bool
}

// IDs is a set of IDs as ranges, in order.
type IDs []IDRange

// An IDRange is the IDs from First to Last.
type IDRange struct{ First, Last uint32 }

// Add adds an ID that is greater than all others.
func (s IDs) Add(id uint32) IDs {
	if n := len(s); n > 0 && s[n-1].Last+1 == id {
		s[n-1].Last = id
		return s
	}
	return append(s, IDRange{id, id})
}

// Has reports whether an ID is in the set.
func (s IDs) Has(id uint32) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i].Last >= id })
	return i < len(s) && s[i].First <= id
}

// Last returns the greatest ID in the set, 0 if there is none.
func (s IDs) Last() uint32 {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].Last
}

// Union returns the set of the IDs in either set. It may use the memory of s.
func (s IDs) Union(t IDs) IDs {
	if n := len(s); n == 0 || len(t) == 0 || s[n-1].Last < t[0].First {
		return joinRanges(s, t)
	}
	var all IDs
	for len(s) > 0 && len(t) > 0 {
		if t[0].First < s[0].First {
			s, t = t, s
		}
		all, s = joinRanges(all, s[:1]), s[1:]
	}
	return joinRanges(joinRanges(all, s), t)
}

// joinRanges adds ranges in order, none of which begins before the last of s.
func joinRanges(s, t IDs) IDs {
	for _, r := range t {
		if n := len(s); n > 0 && uint64(r.First) <= uint64(s[n-1].Last)+1 {
			s[n-1].Last = max(s[n-1].Last, r.Last)
			continue
		}
		s = append(s, r)
	}
	return s
}

// A Deviation is a form that the dialect does not have, but older bundles use.
type Deviation struct {
	Off  Off
	Kind string // the same for all deviations of a kind
	Text string // the form, and how it was read
}

// Pos returns the position of an offset in the bundle.
func (b *Bundle) Pos(off Off) diag.Pos { return diag.Pos{File: b.File.ID(), Off: uint32(off)} }

// Text returns a piece of the source.
func (b *Bundle) Text(off, end Off) string { return string(b.File.Content()[off:end]) }

// Spelling returns a name as written, sigil included; "" for the zero Name.
func (b *Bundle) Spelling(n Name) string { return b.Syms.String(n.Sym) }

// A Def is a definition: one of *TypeDef, *SigDef, *ConstDef, *GlobalDef, *FuncDecl,
// *FuncDef.
type Def interface {
	// DefHead returns the part that all definitions have.
	DefHead() *Head
}

// A Head is the beginning of a definition.
type Head struct {
	Off  Off // of the keyword
	Name Name
	ID   uint32 // in the binary form, else 0
}

// DefHead returns the head itself.
func (h *Head) DefHead() *Head { return h }

// A TypeDef is `.typedef Name = constructor`. Type has a Name only in the old form that
// defines another name of a type.
type TypeDef struct {
	Head
	Type Type
}

// A SigDef is `.funcsig Name = constructor`.
type SigDef struct {
	Head
	Sig Sig
}

// A ConstDef is `.const Name <Type> = Value`.
type ConstDef struct {
	Head
	Type  Type
	Value Value // a constructor
}

// A GlobalDef is `.global Name <Type>`.
type GlobalDef struct {
	Head
	Type Type
}

// A FuncDecl is `.funcdecl Name <Sig>`.
type FuncDecl struct {
	Head
	Sig Sig
}

// A FuncDef is `.funcdef Name <Sig> (Params) { Blocks }`.
type FuncDef struct {
	Head
	Sig Sig
	// Params are the parameters; NoParams says that there was no list, as in old bundles,
	// which use PARAM instead.
	Params   []Param
	NoParams bool
	// OldParams means that there are PARAM instructions.
	OldParams bool
	// Consts are the constants with local names that are defined in the body.
	Consts      []*ConstDef
	Blocks      []Block
	Open, Close Off // the braces
}

// A Param is a parameter of a function.
type Param struct {
	Name Name
	ID   uint32
}

// A Block is a basic block. The entry may have no name.
type Block struct {
	Name  Name
	Off   Off // of the label, or of the first instruction
	ID    uint32
	Insts []Inst
}

// A Type is a use of a type: a name, or a constructor written in place. The zero Type stands
// for a missing type.
type Type struct {
	Name // without Sym for a constructor
	*TypeCtor
}

// A TypeCtor is a type constructor with its parts. Equal constructors in several places may
// share the TypeCtor of the first place, see Node.
type TypeCtor struct {
	Node
	Kind TypeKind // NoType for the one that all names share
	Len  *IntLit  // int: width; array: length
	// Args are the referent of ref, iref and weakref, the fields of struct, the
	// element of array, and fixed and variable part of hybrid.
	Args []Type
	Sig  Sig // func
}

// A Node is a part of the tree that may be shared by several places. The offsets inside it are
// those of the first place.
type Node struct {
	Num int // from 1, different for all nodes of the bundle that may be shared; 0 for others
	At  Off // the first place
}

// A TypeKind is a type constructor, with its number in the binary form.
type TypeKind uint8

// The type constructors.
const (
	NoType TypeKind = iota
	TypeInt
	TypeFloat
	TypeDouble
	TypeRef
	TypeIRef
	TypeWeakRef
	TypeStruct
	TypeArray
	TypeHybrid
	TypeVoid
	TypeFunc
	TypeThread
	TypeStack
	TypeTagRef64
)

var typeKindNames = [...]string{
	NoType: "none", TypeInt: "int", TypeFloat: "float", TypeDouble: "double", TypeRef: "ref", TypeIRef: "iref",
	TypeWeakRef: "weakref", TypeStruct: "struct", TypeArray: "array", TypeHybrid: "hybrid", TypeVoid: "void",
	TypeFunc: "func", TypeThread: "thread", TypeStack: "stack", TypeTagRef64: "tagref64",
}

// String returns the constructor's keyword.
func (k TypeKind) String() string { return typeKindNames[k] }

// hasParts reports whether anything follows the keyword of a constructor.
func (k TypeKind) hasParts() bool {
	switch k {
	case TypeFloat, TypeDouble, TypeVoid, TypeThread, TypeStack, TypeTagRef64:
		return false
	}
	return true
}

// A Sig is a use of a signature: a name, or a constructor written in place. The zero Sig
// stands for a missing signature.
type Sig struct {
	Name // without Sym for a constructor
	*SigCtor
}

// A SigCtor is a signature constructor with its parts.
type SigCtor struct {
	Node
	Ret    Type // zero for the SigCtor that all names share
	Params []Type
}

// The constructors that all names share.
var (
	namedType TypeCtor
	namedSig  SigCtor
)

// TypeNamed is a use of a type by its name, SigNamed one of a signature.
func TypeNamed(n Name) Type { return Type{n, &namedType} }
func SigNamed(n Name) Sig   { return Sig{n, &namedSig} }

// A Value is an operand: a name, or a constant written in place.
type Value struct {
	Name         // without Sym for a constant
	Const *Const // nil for a name
}

// A Const is a constant constructor. Equal literals may share one.
type Const struct {
	Node
	Kind ConstKind
	Int  *IntLit // ConstInt
	FP   *FPLit  // ConstFP; in the binary form always of form FPBits
	List []Value // ConstList: names of constants, cells and functions, or constructors
}

// A ConstKind is a constant constructor, with its number in the binary form, where
// ConstFloat is 2 or 3.
type ConstKind uint8

// The constant constructors.
const (
	NoConst ConstKind = iota
	ConstInt
	ConstFP
	_
	ConstList
	ConstNull
)

// An Inst is an instruction. The form of Op determines which fields have a meaning.
type Inst struct {
	Off   Off  // of its first token
	OpOff Off  // of its mnemonic
	Name  Name // of the instruction, and of its result if it has one
	ID    uint32
	Op    Op

	Order, OrderFail Order // memory orders, of LOAD and STORE NoOrder if left out

	Type Type
	// Imm is the index of a field, the ID of a watchpoint, the number of a PARAM,
	// or the width of the index of an old GETELEMIREF or SHIFTIREF.
	Imm   *IntLit
	Args  []Value // for calls the callee first
	Dests []Name  // labels in the order written: for SWITCH the default
	*InstExt
}

// AfterTrap cuts off the instructions after the first TRAP of a block, which old bundles have because custom puts
// an unreachable RETVOID or THROW there. It notes the first of them.
func (b *Bundle) AfterTrap(insts []Inst) []Inst {
	for i := range insts[:max(0, len(insts)-1)] {
		if insts[i].Op == Trap {
			b.Deviations = append(b.Deviations, Deviation{insts[i+1].Off, "after TRAP", "an instruction after TRAP, which ends its block: it is left out"})
			return insts[:i+1]
		}
	}
	return insts
}

// An InstExt has the parts that few instructions have.
type InstExt struct {
	Type2 Type // of a conversion; of the index of an old GETELEMIREF or SHIFTIREF
	Sig   Sig
	Cases []Case // of SWITCH and PHI
	// Offsets of the memory orders and of KEEPALIVE; 0 if missing, and in binary bundles.
	OrderOff, OrderFailOff, KeepOff Off
	RMW                             RMW
	HasKeep                         bool
	Intrinsic                       Name
	Keep                            []Name
	Text                            string // PRINTSTR
}

// noExt is the InstExt of instructions that have none of these parts.
var noExt InstExt

// Init turns a zero Inst into an instruction without parts.
func (in *Inst) Init() {
	in.Order, in.OrderFail, in.InstExt = NoOrder, NoOrder, &noExt
}

// Ext returns the InstExt of the instruction, and makes one if it has none yet.
func (in *Inst) Ext(room *lex.Slab[InstExt]) *InstExt {
	if in.InstExt == &noExt {
		in.InstExt = room.One()
	}
	return in.InstExt
}

// A Case is `value: label;` of a SWITCH or `label: value;` of a PHI.
type Case struct {
	Value Value
	Label Name
}

// An Order is a memory order, with its number in the binary form.
type Order int8

// The memory orders.
const (
	NoOrder   Order = -1
	NotAtomic Order = iota - 1
	Unordered
	Monotonic
	Acquire
	Release
	AcqRel
	SeqCst
)

var orderNames = [...]string{"NOT_ATOMIC", "UNORDERED", "MONOTONIC", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}

// String returns the keyword, "" for NoOrder.
func (o Order) String() string {
	if o < 0 {
		return ""
	}
	return orderNames[o]
}

// An RMW is an operation of ATOMICRMW, with its number in the binary form.
type RMW int8

// The operations of ATOMICRMW.
const (
	Xchg RMW = iota
	RMWAdd
	RMWSub
	RMWAnd
	RMWNand
	RMWOr
	RMWXor
	RMWMax
	RMWMin
	RMWUMax
	RMWUMin
	NumRMWs
)

var rmwNames = [NumRMWs]string{"XCHG", "ADD", "SUB", "AND", "NAND", "OR", "XOR", "MAX", "MIN", "UMAX", "UMIN"}

// String returns the keyword.
func (r RMW) String() string { return rmwNames[r] }
