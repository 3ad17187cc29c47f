package decl

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// The parts of trees from package lex.
type (
	// An Off is a byte offset into the bundle.
	Off = lex.Off
	// A Name is one occurrence of a name or flag: its Sym and its Off.
	Name = lex.Name
	// Symbols is the table that Syms belong to.
	Symbols = lex.Symbols
	// An IntLit is an integer literal with its value.
	IntLit = lex.IntLit
	// An FPLit is a floating-point literal, kept as text.
	FPLit = lex.FPLit
)

// A Def is a top-level definition: one of *TypeDef, *SigDef, *ConstDef, *GlobalDef, *FuncDecl,
// *ExposeDef; for a function with a body the result of Parser.Body, or *FuncHead if that is nil.
type Def interface {
	// Head returns the parts that all definitions have: the place of the keyword that
	// begins them, and the defined name.
	Head() (keyword Off, name Name)
}

// A TypeDef is `.typedef Name = constructor`.
type TypeDef struct {
	Off     Off
	Name    Name
	Kind    TypeKind
	KindOff Off     // the constructor's keyword
	Len     *IntLit // int: width; array, vector: length; else nil
	// Args are the type parameters: the referent of ref, iref, weakref and
	// uptr, the signature of funcref and ufuncptr, the fields of struct, the
	// element of array and vector, the fixed fields of hybrid and after
	// them its variable part.
	Args []Name
}

// A TypeKind is a type constructor (docs/language.md, "Types").
type TypeKind uint8

// The type constructors.
const (
	NoType TypeKind = iota
	TypeInt
	TypeFloat
	TypeDouble
	TypeVoid
	TypeRef
	TypeIRef
	TypeWeakRef
	TypeUPtr
	TypeStruct
	TypeHybrid
	TypeArray
	TypeVector
	TypeFuncRef
	TypeUFuncPtr
	TypeThreadRef
	TypeStackRef
	TypeFrameCursorRef
	TypeIRNodeRef
	TypeIRBuilderRef
	TypeTagRef64
)

var typeKindNames = [...]string{
	NoType: "none", TypeInt: "int", TypeFloat: "float", TypeDouble: "double", TypeVoid: "void",
	TypeRef: "ref", TypeIRef: "iref", TypeWeakRef: "weakref", TypeUPtr: "uptr",
	TypeStruct: "struct", TypeHybrid: "hybrid", TypeArray: "array", TypeVector: "vector",
	TypeFuncRef: "funcref", TypeUFuncPtr: "ufuncptr", TypeThreadRef: "threadref",
	TypeStackRef: "stackref", TypeFrameCursorRef: "framecursorref", TypeIRNodeRef: "irnoderef",
	TypeIRBuilderRef: "irbuilderref",
	TypeTagRef64:     "tagref64",
}

// String returns the constructor's keyword.
func (k TypeKind) String() string { return typeKindNames[k] }

// A SigDef is `.funcsig Name = (Params) -> (Results)`.
type SigDef struct {
	Off     Off
	Name    Name
	Params  []Name
	Results []Name
}

// A ConstDef is `.const Name <Type> = constructor`.
type ConstDef struct {
	Off    Off
	Name   Name
	Type   Name
	Kind   ConstKind
	ValOff Off     // first token of the constructor
	Int    *IntLit // ConstInt
	FP     *FPLit  // ConstFP
	List   []Name  // ConstList
	Symbol string  // ConstExtern, without the quotes
	StrOff Off     // ConstExtern: the opening quote
}

// A ConstKind is a constant constructor (docs/language.md, "Definitions").
type ConstKind uint8

// The constant constructors.
const (
	NoConst ConstKind = iota
	ConstInt
	ConstFP
	ConstList
	ConstNull
	ConstExtern
)

// A GlobalDef is `.global Name <Type>`.
type GlobalDef struct {
	Off  Off
	Name Name
	Type Name
}

// A FuncDecl is `.funcdecl Name <Sig>`.
type FuncDecl struct {
	Off  Off
	Name Name
	Sig  Name
}

// A FuncHead is the part before the body of `.funcdef Name VERSION Version <Sig> { Blocks }`.
type FuncHead struct {
	Off     Off
	Name    Name
	Version Name
	Sig     Name
	Open    Off // the opening brace

	// Unversioned means that VERSION was left out: the reader chooses the number in the name, from 1.
	Unversioned bool
}

// An ExposeDef is `.expose Name = Func Flag Cookie`.
type ExposeDef struct {
	Off    Off
	Name   Name
	Func   Name
	Flag   Name
	Cookie Name
}

// Head returns the place of the keyword, and the defined name.
func (d *TypeDef) Head() (Off, Name) { return d.Off, d.Name }

// Head returns the place of the keyword, and the defined name.
func (d *SigDef) Head() (Off, Name) { return d.Off, d.Name }

// Head returns the place of the keyword, and the defined name.
func (d *ConstDef) Head() (Off, Name) { return d.Off, d.Name }

// Head returns the place of the keyword, and the defined name.
func (d *GlobalDef) Head() (Off, Name) { return d.Off, d.Name }

// Head returns the place of the keyword, and the defined name.
func (d *FuncDecl) Head() (Off, Name) { return d.Off, d.Name }

// Head returns the place of the keyword, and the defined name.
func (d *ExposeDef) Head() (Off, Name) { return d.Off, d.Name }

// Head returns the place of the keyword, and the defined name.
func (d *FuncHead) Head() (Off, Name) { return d.Off, d.Name }
