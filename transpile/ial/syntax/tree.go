package syntax

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// A File is the tree of one file. Declarations are in the order written.
type File struct {
	File     *diag.File
	Text     Text
	Types    []*TypeDecl
	Fields   []*Field
	Data     []*DataDecl
	Funcs    []*FuncDecl
	Entries  []*EntryDecl
	Brackets []Off // opening ones that a space precedes, of operands and the like, in order

	Bad  bool // there were errors
	Lost bool // there may be declarations that are not in the tree
}

// A Name is an identifier, without its quotes. A Name without text is missing in the file.
type Name struct {
	Text string
	Off  Off
}

// A Ref names a declaration of a module: that of the file if Module has no text.
type Ref struct{ Module, Name Name }

// Off is where the reference begins.
func (r Ref) Off() Off {
	if r.Module.Text != "" {
		return r.Module.Off
	}
	return r.Name.Off
}

// A Pair is one piece of metadata.
type Pair struct{ Key, Value Name }

// A TypeDecl declares a structure.
type TypeDecl struct {
	Meta     []Pair
	Off      Off // of the keyword
	Name     Name
	Align    uint32
	AlignOff Off // 0 if it says nothing
	Members  []*Field
	Lost     bool // there may be members that are not in Members
}

// A Field is a member, or a global or thread field of a module.
type Field struct {
	Meta    []Pair
	Off     Off // of the keyword
	Storage module.Storage
	Type    *Type
	Name    Name
	Forward Ref // the field that this one stands for, if any
}

// A DataDecl is a block of bytes.
type DataDecl struct {
	Meta []Pair
	Off  Off // of the keyword
	Name Name
	Lits []Lit
}

// An EntryDecl declares an entry point.
type EntryDecl struct {
	Off  Off // of the first keyword
	Kind module.EntryKind
	Func Ref
}

// A FuncDecl is a function.
type FuncDecl struct {
	Meta      []Pair
	Off       Off // of the keyword
	Attrs     module.Attrs
	Result    *Type
	Name      Name
	Params    []Param
	Conv      module.Convention
	Registers []*Register
	Blocks    []*Block
	Close     Off  // of the closing brace
	Lost      bool // there may be registers and blocks that are not in the tree
}

// A Param is a parameter.
type Param struct {
	Meta     []Pair
	NoEscape bool
	Type     *Type
}

// A Register declares a register.
type Register struct {
	Meta []Pair
	Type *Type
	Name Name
}

// A Block is a basic block.
type Block struct {
	Meta   []Pair
	Name   Name
	Unwind Name
	Instrs []Instr
	Close  Off // of the closing brace
}

// An Instr is an instruction. It has the target, the sources and the operand that the row
// of Op prescribes, unless the file is Bad.
type Instr struct {
	Meta     []Pair
	Volatile bool
	Op       module.Op
	Off      Off // of the mnemonic
	Target   Name
	Src      []Name

	Lits   []Lit  // OperandLiteral (1), OperandLiterals
	Type   *Type  // OperandType
	Ref    Ref    // OperandFunc, OperandData, OperandGlobal, OperandThread; of OperandMember the structure
	Member Name   // OperandMember
	Names  []Name // OperandLabel (1), OperandBranch (2), OperandRegs, OperandSymbol (2)
}

// A Lit is a literal as written; Kind is Int, Float or Special.
type Lit struct {
	Kind Kind
	Text string
	Off  Off
}

// A Type is a type as written.
type Type struct {
	Kind   module.Kind
	Conv   module.Convention // of FuncType
	Count  uint32            // of Vector and Static
	Off    Off               // where the type begins
	Ref    Ref               // of StructType
	Elem   *Type             // of Pointer, Reference, Array, Vector, Static; the result of FuncType
	Params []*Type           // of FuncType

	depth int
}
