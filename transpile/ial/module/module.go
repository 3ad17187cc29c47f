package module

import "github.com/uvm2go/uvm2go/transpile/diag"

// A Program is the modules that were assembled together, in the order given. The module
// of intrinsics, mci, is not among Modules.
type Program struct {
	Files   *diag.Set
	Types   Types
	Modules []*Module
	MCI     *Module // intrinsic functions and types
}

// A Module is what one or more files define. Declarations are in order of the text.
type Module struct {
	Name      string
	Structs   []*Struct
	Fields    []*Field // globals and thread fields
	Data      []*Data
	Functions []*Function
	Entries   [NumEntries]Entry
}

// An EntryKind is an occasion at which a function is called.
type EntryKind uint8

// The kinds of entry points.
const (
	Main EntryKind = iota // "entry"
	ThreadEntry
	ThreadExit
	ModuleEntry
	ModuleExit
	NumEntries
)

// String is how the language declares it.
func (k EntryKind) String() string {
	return [...]string{"entry", "thread entry", "thread exit", "module entry", "module exit"}[k]
}

// An Entry is an entry point; Func is nil if the module has none of the kind.
type Entry struct {
	Func *Function
	Pos  diag.Pos
}

// Meta is metadata, which is kept and has no effect.
type Meta []Pair

// A Pair is one piece of metadata.
type Pair struct{ Key, Value string }

// Storage is where a field is.
type Storage uint8

// The storage classes.
const (
	Instance Storage = iota // in each value of the structure
	Global                  // one for the program: "static" in a type, "global" outside
	Thread                  // one for each thread
)

// A Struct is a structure type.
type Struct struct {
	Module  *Module
	Name    string
	Align   uint32 // as written, 0 if not
	Members []*Field
	Meta    Meta
	Pos     diag.Pos // of the name

	typ *Type
}

// A Field is a member of a structure or, with Struct nil, a global or thread field of a
// module.
type Field struct {
	Module  *Module
	Struct  *Struct
	Storage Storage
	Type    *Type
	Name    string
	// Forward is the field at the end of the chain of fields that this one stands for, or nil.
	// ForwardModule and ForwardName are as written. A field with ForwardModule but without
	// Forward stands for one of a module outside the program: it can be assembled, but not
	// translated.
	Forward                    *Field
	ForwardModule, ForwardName string
	Meta                       Meta
	Pos                        diag.Pos // of the name
}

// Root is the field at the end of a chain of aliases, or the field itself.
func (f *Field) Root() *Field {
	if f.Forward != nil {
		return f.Forward
	}
	return f
}

// Data is a block of immutable bytes.
type Data struct {
	Module *Module
	Name   string
	Bytes  []byte
	Meta   Meta
	Pos    diag.Pos // of the name
}

// Attrs are attributes of a function.
type Attrs uint8

// The attributes.
const (
	SSA Attrs = 1 << iota
	Pure
	NoOptimize
	NoInline
	NoReturn
	NoThrow
)

// A Param is a parameter, which has no name.
type Param struct {
	Type     *Type
	NoEscape bool
	Meta     Meta
	Pos      diag.Pos // of its type
}

// A Function is a function; an intrinsic one has no blocks.
type Function struct {
	Module    *Module
	Name      string
	Attrs     Attrs
	Result    *Type // of kind Void if there is none
	Params    []Param
	Conv      Convention
	Registers []*Register
	Blocks    []*Block
	// Forward is the function that a body with FORWARD names, nil if its module is not
	// part of the program.
	Forward *Function
	Meta    Meta
	Pos     diag.Pos // of the name
	End     diag.Pos // of the closing brace
}

// Has reports whether the function has an attribute.
func (f *Function) Has(a Attrs) bool { return f.Attrs&a != 0 }

// Entry is the block named entry, nil if there is none.
func (f *Function) Entry() *Block {
	for _, b := range f.Blocks {
		if b.Name == "entry" {
			return b
		}
	}
	return nil
}

// Spell spells the name of the function as a module does: functions of that module have
// no prefix.
func (f *Function) Spell(in *Module) string {
	if f.Module == in {
		return Quote(f.Name)
	}
	return Quote(f.Module.Name) + "/" + Quote(f.Name)
}

// Type is the type of pointers to the function.
func (f *Function) Type(ts *Types) *Type {
	params := make([]*Type, len(f.Params))
	for i := range f.Params {
		params[i] = f.Params[i].Type
	}
	return ts.Func(f.Result, params, f.Conv)
}

// Body is the operation that is the body of a function without IAL code (ffi, forward, raw),
// or Nop for other functions.
func (f *Function) Body() Op {
	if len(f.Blocks) == 1 && len(f.Blocks[0].Instrs) == 1 {
		switch op := f.Blocks[0].Instrs[0].Op; op {
		case FFI, Forward, Raw:
			return op
		}
	}
	return Nop
}

// A Register is a variable of a function. Index is its place in Function.Registers.
type Register struct {
	Name  string
	Type  *Type
	Index int
	Meta  Meta
	Pos   diag.Pos // of the name
}

// A Block is a basic block; it need not end with a terminator before verification. Index
// is its place in Function.Blocks.
type Block struct {
	Name   string
	Unwind *Block // where exceptions go, nil for the caller
	Instrs []*Instr
	Index  int
	Meta   Meta
	Pos    diag.Pos // of the name
	End    diag.Pos // of the closing brace
}

// Label spells the name of the block as its declaration and jumps do.
func (b *Block) Label() string { return QuoteBlock(b.Name) }

// An Instr is an instruction. The row of Op determines which fields have a meaning.
type Instr struct {
	Op       Op
	Volatile bool
	Target   *Register
	Src      []*Register

	Lits   []uint64    // bits of the literals, zero-extended from the width of Row.Literal
	Type   *Type       // OperandType
	Field  *Field      // OperandMember, OperandGlobal, OperandThread
	Func   *Function   // OperandFunc
	Data   *Data       // OperandData
	Blocks []*Block    // OperandLabel (1), OperandBranch (2)
	Regs   []*Register // OperandRegs
	Module string      // OperandSymbol: library or module
	Symbol string      // OperandSymbol

	Meta Meta
	Pos  diag.Pos // of the mnemonic
	// TargetPos and SrcPos are those of the names of registers; OperandPos is that of
	// each thing in the operand.
	TargetPos  diag.Pos
	SrcPos     []diag.Pos
	OperandPos []diag.Pos
}

// Row is the row of the instruction's operation.
func (in *Instr) Row() *Row { return &Ops[in.Op] }
