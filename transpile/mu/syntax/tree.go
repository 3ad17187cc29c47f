package syntax

import (
	"fmt"
	"strconv"

	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// The pieces that bundles share with HAIL scripts.
type (
	// An Off is a byte offset into the bundle; Bundle.Pos makes a diag.Pos of it.
	Off = lex.Off
	// A Sym is an interned spelling, sigil included.
	Sym = lex.Sym
	// A Name is one occurrence of a name or flag: its Sym and its Off. The
	// zero Name (IsZero) stands for a missing optional name.
	Name = lex.Name
	// Symbols is the table that Syms belong to. One may serve many bundles.
	Symbols = lex.Symbols
	// An IntLit is an integer literal with its value.
	IntLit = lex.IntLit
	// An FPLit is a floating-point literal, kept as text.
	FPLit = lex.FPLit
	// A Comment is a stretch of the source, from its slashes to before its
	// line end.
	Comment = lex.Comment
)

// NewSymbols makes an empty table of symbols.
func NewSymbols() *Symbols { return lex.NewSymbols() }

// A Bundle is the tree of one text bundle (docs/language.md, "Grammar").
type Bundle struct {
	File *diag.File
	Syms *Symbols
	Defs []Def // in the order written

	// In the form of muc (package decl), Inline are the types, signatures and constants that are written in the place
	// of a name, in Defs and in bodies; the symbols of their names are those of no names. Bare are the names that are
	// written without a sigil, nil in the other form.
	Inline []Def
	Bare   map[Sym]bool

	// Comments are in the order written, without the line end; only
	// collected in mode WithComments.
	Comments []Comment

	// Insts and Blocks are the numbers of instructions and blocks in the bundle's
	// function definitions, for sizing tables.
	Insts, Blocks int

	// Bad is set if the bundle has syntax errors. The tree then has the parts that
	// could be read: tools that tolerate gaps can use it, but it cannot be
	// translated.
	Bad bool
	// Faulty are those elements of Defs that have syntax errors.
	Faulty map[Def]bool
	// Skipped are the global names in instructions that could not be read.
	Skipped []Skipped
	// Misspelt are the unknown instructions for which the parser suggests another.
	Misspelt []Misspelt
	// Gaps means that there may be definitions of names that are not in Defs.
	Gaps bool
	// Unread means that there were so many errors that the end was not read.
	Unread bool
}

// A Misspelt is an unknown instruction for which Diag suggests an instruction that is spelled alike. Type is its type
// argument, by which a better one may be known.
type Misspelt struct {
	Diag *diag.Diagnostic
	Op   Op
	Type Name
}

// A Skipped is a global name in an instruction that could not be read.
type Skipped struct {
	Name
	Role Role
}

// A Role is how an instruction uses a name.
type Role uint8

// The roles of skipped names.
const (
	Operand Role = iota // anything but the others
	TypeArg             // between angle brackets: a type or signature
	Defined             // a result, or the name of the instruction
)

// Muc reports whether the bundle is in the form of muc.
func (b *Bundle) Muc() bool { return b.Bare != nil }

// Whole returns the bundle with Inline in Defs.
func (b *Bundle) Whole() *Bundle {
	if len(b.Inline) == 0 {
		return b
	}
	w := *b
	w.Defs, w.Inline = append(b.Inline[:len(b.Inline):len(b.Inline)], b.Defs...), nil
	return &w
}

// Sound returns a bundle without the faulty definitions.
func (b *Bundle) Sound() *Bundle {
	if len(b.Faulty) == 0 {
		return b
	}
	s := *b
	s.Faulty, s.Defs = nil, nil
	for _, d := range b.Defs {
		if !b.Faulty[d] {
			s.Defs = append(s.Defs, d)
		}
	}
	return &s
}

// Pos returns the position of an offset in the bundle.
func (b *Bundle) Pos(off Off) diag.Pos { return diag.Pos{File: b.File.ID(), Off: uint32(off)} }

// Text returns a piece of the source, "" for an empty one.
func (b *Bundle) Text(off, end Off) string {
	if off >= end {
		return ""
	}
	return string(b.File.Content()[off:end])
}

// Literal returns an integer literal as written, or its value if the bundle was made without text.
func (b *Bundle) Literal(i *IntLit) string {
	switch {
	case i.Off < i.End:
		return b.Text(i.Off, i.End)
	case i.TooBig:
		return fmt.Sprintf("0x...%016x%016x", i.Hi, i.Lo)
	case i.Hi != 0:
		return fmt.Sprintf("0x%x%016x", i.Hi, i.Lo)
	}
	return strconv.FormatUint(i.Lo, 10)
}

// Spelling returns a name as written, sigil included; "" for the zero Name.
func (b *Bundle) Spelling(n Name) string { return b.Syms.String(n.Sym) }

// The definitions without a body, which the runtime reads as well.
type (
	// A Def is a top-level definition: one of *TypeDef, *SigDef, *ConstDef,
	// *GlobalDef, *FuncDecl, *FuncDef, *ExposeDef.
	Def = decl.Def
	// A TypeDef is `.typedef Name = constructor`.
	TypeDef = decl.TypeDef
	// A TypeKind is a type constructor (docs/language.md, "Types").
	TypeKind = decl.TypeKind
	// A SigDef is `.funcsig Name = (Params) -> (Results)`.
	SigDef = decl.SigDef
	// A ConstDef is `.const Name <Type> = constructor`.
	ConstDef = decl.ConstDef
	// A ConstKind is a constant constructor (docs/language.md, "Definitions").
	ConstKind = decl.ConstKind
	// A GlobalDef is `.global Name <Type>`.
	GlobalDef = decl.GlobalDef
	// A FuncDecl is `.funcdecl Name <Sig>`.
	FuncDecl = decl.FuncDecl
	// An ExposeDef is `.expose Name = Func Flag Cookie`.
	ExposeDef = decl.ExposeDef
)

// The type constructors.
const (
	NoType             = decl.NoType
	TypeInt            = decl.TypeInt
	TypeFloat          = decl.TypeFloat
	TypeDouble         = decl.TypeDouble
	TypeVoid           = decl.TypeVoid
	TypeRef            = decl.TypeRef
	TypeIRef           = decl.TypeIRef
	TypeWeakRef        = decl.TypeWeakRef
	TypeUPtr           = decl.TypeUPtr
	TypeStruct         = decl.TypeStruct
	TypeHybrid         = decl.TypeHybrid
	TypeArray          = decl.TypeArray
	TypeVector         = decl.TypeVector
	TypeFuncRef        = decl.TypeFuncRef
	TypeUFuncPtr       = decl.TypeUFuncPtr
	TypeThreadRef      = decl.TypeThreadRef
	TypeStackRef       = decl.TypeStackRef
	TypeFrameCursorRef = decl.TypeFrameCursorRef
	TypeIRNodeRef      = decl.TypeIRNodeRef
	TypeIRBuilderRef   = decl.TypeIRBuilderRef
	TypeTagRef64       = decl.TypeTagRef64
)

// The constant constructors.
const (
	NoConst     = decl.NoConst
	ConstInt    = decl.ConstInt
	ConstFP     = decl.ConstFP
	ConstList   = decl.ConstList
	ConstNull   = decl.ConstNull
	ConstExtern = decl.ConstExtern
)

// A FuncDef is `.funcdef Name VERSION Version <Sig> { Blocks }`.
type FuncDef struct {
	decl.FuncHead
	Blocks []Block
	Close  Off // the closing brace
}

// A Block is `Name(Params) [Exc]: Insts`.
type Block struct {
	Name   Name
	Params []Param
	Exc    Name // exception parameter; zero if there is none
	Insts  []Inst
}

// A Param is `<Type> Name`.
type Param struct{ Type, Name Name }

// An Inst is an instruction of any kind. Op determines which fields are used, see
// Form.
type Inst struct {
	Off     Off     // first token of the instruction
	OpOff   Off     // the mnemonic
	Op      Op      // which instruction
	Flags   Flags   // which of its optional parts are present
	Order   Order   // LOAD STORE ATOMICRMW FENCE; CMPXCHG: on success; NoOrder if left out
	OrdFail Order   // CMPXCHG: on failure
	RMW     RMW     // ATOMICRMW: the operation
	Name    Name    // the name in brackets; zero if there is none
	Results []Name  // result names; none for `I` and `() = I`
	Types   []Name  // type arguments, in order; type list of COMMINST, TRAP, WATCHPOINT
	Sig     Name    // CALL TAILCALL CCALL: the signature
	Int     *IntLit // field number of EXTRACTVALUE INSERTVALUE GETFIELDIREF; ID of WATCHPOINT WPBRANCH
	Args    []Name  // value operands in order; a callee comes before its arguments
	Dests   []Dest  // destinations in order
	Keep    []Name  // KEEPALIVE variables
	Ext     *Ext    // only COMMINST CCALL NEWTHREAD SWAPSTACK, and binary operations with status flags; nil for others
}

// Exc returns the normal and the exceptional destination of an EXC clause, nil,
// nil if there is none.
func (i *Inst) Exc() (normal, exceptional *Dest) {
	if i.Flags&HasExc == 0 || len(i.Dests) != 2 {
		return nil, nil
	}
	return &i.Dests[0], &i.Dests[1]
}

// A Dest is `Block(Args)`.
type Dest struct {
	Block Name
	Args  []Name
}

// An Ext holds the rarer parts of an instruction.
type Ext struct {
	Common Name   // COMMINST: the common instruction's name
	Flags  []Name // COMMINST: flag list; CCALL: the one flag; binary operation: status flags
	Sigs   []Name // COMMINST: signature list

	ThreadLocal Name // NEWTHREAD: operand of THREADLOCAL; zero if left out

	Cur      CurStack // SWAPSTACK
	CurOff   Off      // its keyword
	RetTypes []Name   // RetWith

	New       NewStack // NEWTHREAD, SWAPSTACK
	NewOff    Off      // its keyword
	PassTypes []Name   // PassValues
	PassArgs  []Name   // PassValues
	Throw     Name     // ThrowExc
}

// A CurStack says what happens to the current stack at a SWAPSTACK.
type CurStack uint8

// The current-stack clauses.
const (
	NoCurStack CurStack = iota
	RetWith             // RET_WITH <RetTypes>
	KillOld             // KILL_OLD
)

// A NewStack says how a NEWTHREAD or SWAPSTACK resumes a stack.
type NewStack uint8

// The new-stack clauses.
const (
	NoNewStack NewStack = iota
	PassValues          // PASS_VALUES <PassTypes> (PassArgs)
	ThrowExc            // THROW_EXC Throw
)

// Flags says which optional parts an instruction has.
type Flags uint8

// The optional parts.
const (
	Ptr     Flags = 1 << iota // PTR
	Weak                      // WEAK
	HasExc                    // EXC: Dests are the normal and the exceptional destination
	HasWPEx                   // WPEXC: the third of Dests
	HasKeep                   // KEEPALIVE, even with an empty list
	HasArgs                   // COMMINST: the argument list, even if empty
)

// An Order is a memory order.
type Order uint8

// The memory orders. The numbers are one more than those of the IR builder.
const (
	NoOrder Order = iota // none written
	NotAtomic
	Relaxed
	Consume
	Acquire
	Release
	AcqRel
	SeqCst
)

var orderNames = [...]string{"", "NOT_ATOMIC", "RELAXED", "CONSUME", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}

// String returns the order's keyword, "" for NoOrder.
func (o Order) String() string { return orderNames[o] }

// An RMW is an operation of ATOMICRMW.
type RMW uint8

// The operations of ATOMICRMW. The numbers are one more than those of the IR
// builder.
const (
	NoRMW RMW = iota
	RMWXchg
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
)

var rmwNames = [...]string{"", "XCHG", "ADD", "SUB", "AND", "NAND", "OR", "XOR", "MAX", "MIN", "UMAX", "UMIN"}

// String returns the operation's keyword, "" for NoRMW.
func (r RMW) String() string { return rmwNames[r] }
