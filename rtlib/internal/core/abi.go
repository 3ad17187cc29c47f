package core

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
	"github.com/uvm2go/uvm2go/rtlib/num"
)

// Names of the heap's packages, so that generated code imports only one package.
type (
	// Ctx is the context of a Mu stack, the first argument of each generated function.
	Ctx = gc.Ctx
	// Type is a type descriptor.
	Type = gc.Type
	// Shape has the traced words of a piece of memory.
	Shape = gc.Shape
	// Slot is one traced word.
	Slot = gc.Slot
	// SlotKind says how a word is traced.
	SlotKind = gc.SlotKind
	// Rep is a run of equal elements.
	Rep = gc.Rep
	// Global is a global cell.
	Global = gc.Global
	// Mark is a height of the alloca stack.
	Mark = gc.Mark
)

// Kinds of traced words.
const (
	SlotRef  = gc.SlotRef
	SlotIRef = gc.SlotIRef
	SlotWeak = gc.SlotWeak
	SlotTag  = gc.SlotTag
	SlotAny  = gc.SlotAny
)

// FirstTypeID is the ID of the first type of Program.Types.
const FirstTypeID = gc.FirstTypeID

// HeaderSize is the size in bytes of the header before each object.
const HeaderSize = gc.HeaderSize

// U128 holds an int<n>, 64 < n <= 128, zero-extended.
type U128 = num.U128

// Func is the record of a Mu function. It is the first field of a static variable
//
//	struct { rt.Func; F func(*rt.Ctx, ...) ... }
//
// of the generated program. Its address is the funcref. F, of the Go type for Class, is
// the current version, or for an undefined function a thunk that calls Undefined.
type Func struct {
	// Code is the address of the code of F, a function without captured variables. It is
	// the first field, so that the address of the record is a Go func value of the type of
	// F, and next to Class, which calls test.
	Code  uintptr
	Class uint32 // of the signature: equal classes are equal Go function types
	ID    uint32 // Class and ID, after Code, are the Self of a Thunk

	Name      string // global name, with '@'
	Title     string // name in reports, "" for Name
	Version   string // global name of the current version; "" when undefined
	VersionID uint32
	Params    uint32 // value list of the parameters
	Results   uint32 // value list of the results
	Defined   bool
	Open      bool // may get another version, see Define
	Intact    bool // has the version that it had when the program was translated; set when the package is linked

	// Enter takes the arguments from X(t), calls F and puts the results into X(t).
	Enter func(t *Ctx)

	// Tail, if not nil, is Enter for a function that may itself end in a tail call: it
	// returns with Transfer.Tail set instead of running that call.
	Tail func(t *Ctx)

	// Resume, if not nil, is the current version as a resumable body: it takes its arguments from X(t), runs
	// until the stack swaps to another, and returns that stack and the step; when it is called again, it
	// continues there, see Ctx.Resume. It returns a nil step when the function has returned or thrown.
	Resume func(t *Ctx) (to uintptr, step *Step)

	// Site is the number of the FrameSite of the function while it has no version, 0 in
	// programs whose frames cannot be inspected.
	Site uint32

	// Cookie means that the current version reads its cookie.
	Cookie bool

	snapshot unsafe.Pointer // *Func, see frozen; nil if the current version has none

	// Live is package live's data about the current version, nil if it is compiled.
	Live unsafe.Pointer

	// Sites names instructions for error messages: lines "LINE NAME", with LINE in the
	// bundle, NAME without '@'. It is searched only for error messages.
	Sites string
}

// List describes a machine class of value lists. Two lists of values have the same
// number if they agree in number and machine class; list 0 is the empty one.
type List struct {
	Desc string // machine classes of the types: i and the width, f, d, p, c, t, r, {fields}, [length element]
	W    int    // words of Transfer.W that a list takes
	R    int    // words of Transfer.R
	No   uint32 // the same in all packages of a process; set when the package is linked
}

// Site is a TRAP, WATCHPOINT or SWAPSTACK instruction.
type Site struct {
	Name    string // as printed by the default trap handler: the global name without '@', or FUNC+N
	Where   string // for reports: the global name, "" if the bundle gives none
	Func    *Func
	ID      uint32 // of the instruction
	Line    int32
	Results uint32 // value list of the results
	Keep    []KeepVar
}

// KeepVar is a variable of a KEEPALIVE clause.
type KeepVar struct {
	Name string // as printed: without '%' or '@'
	Type *VType
}

// VKind is the kind of a VType.
type VKind uint8

// The kinds of Mu types.
const (
	VVoid VKind = iota
	VInt
	VFloat
	VDouble
	VUPtr
	VUFuncPtr
	VRef
	VIRef
	VWeakRef
	VTagRef64
	VFuncRef
	VStackRef
	VThreadRef
	VCursorRef
	VNodeRef
	VBuilderRef
	VStruct
	VArray
	VVector
	VHybrid
	VSig // a signature, which has no values
)

// VType describes a Mu type for printing and introspection.
type VType struct {
	Kind   VKind
	Bits   uint32   // of an int; of a struct: its fields lie at multiples of this number of bytes, if it is not 0
	Len    uint64   // of an array or vector; of a struct: it is aligned to at least this number of bytes
	Elem   *VType   // of an array, vector, hybrid (variable part); referent or signature otherwise, may be nil
	Fields []*VType // of a struct, hybrid (fixed part); parameters of a signature
	GC     *Type    // descriptor of objects of this type, nil when there is none
	Name   string   // name in the bundle, "" when it has none
	Word   string   // the word that traps print for a value; "" for Mu's keyword of the kind

	// The layout, in programs whose frames can be inspected.
	Size    uintptr   // with padding, of all but hybrids
	Offsets []uintptr // of Fields
	Stride  uintptr   // of the elements of an array, vector or variable part

	Results []*VType // of a signature
}

// EntityKind is the kind of an Entity.
type EntityKind uint8

// The kinds of entities.
const (
	TypeEntity EntityKind = iota
	ConstEntity
	GlobalEntity
	FuncEntity
	ExposeEntity
	SigEntity
	numEntityKinds
)

// Entity is something that a client can refer to by ID.
type Entity struct {
	ID       uint32
	Kind     EntityKind
	Type     *VType // itself, that of the constant, of the memory of the cell, of the funcref, of the ufuncptr
	Addr     uintptr
	Func     *Func
	Exposure *Exposure
	value    *constValue // of a constant that was declared at run time
	of       *Program    // nil for entities declared at run time
	local    uint32      // the ID before the program was linked

	Params, Results []*VType // of a function
	CSig            *CSig    // of a function that a client can expose
	Pointer         *VType   // the type of the pointer to it, if exposed
}

// Watch is the flag of one watchpoint. Generated code loads On with sync/atomic.
type Watch struct {
	ID uint32
	On uint32
}

// FuncName connects the name of a Go function, without its package, to the Mu function
// that it was made from.
type FuncName struct {
	Go     string
	Func   *Func
	Hidden bool // its frames are not shown

	// Inlined is a table of the copies of other bodies, or of its own body, that the Go
	// function contains; the code of a copy represents a frame of the source that is not on
	// Go's stack. Row N, from 1, is the N-th line of the text:
	//
	//	FILE FIRST LAST CALLFILE CALL COLUMN BELOW NAME
	//
	// Positions in lines FIRST to LAST of a file are in the copy; if FIRST is 0, positions whose file is spelled with
	// the number N (lex.MarkFile) are. NAME is the copied function, with '@', or - if its frames are not shown. It was called at line
	// CALL, in COLUMN if that is not 0, in the copy of row BELOW, or in the Go function's own body if BELOW is 0. A CALL of 0
	// is unknown; a CALL of -1 is a tail call: the copy replaced the frame below. Files are indexes into Program.Files. The
	// table is searched only for error messages.
	Inlined string

	// Columns has the columns of the author's own file, in lines
	//
	//	FILE LINE COLUMN...
	//
	// A position in a line has the first column, or the one of which the name of the file has the number, from 0
	// (lex.MarkFile). A column of 0 is unknown.
	Columns string

	// Lines, if not "", says what the lines of the generated file are made from, for a function
	// without //line directives: a line with the number of the line where the function begins, and
	// lines
	//
	//	DOWN LINE [FILE]
	//
	// in the order of the generated file. So many lines further down than that of the row before,
	// code begins that is from LINE of FILE, or of the same file as the row before. If FILE is empty,
	// the code is from no bundle.
	Lines string
}

// Thunk makes the Go functions of a signature class that stand in for functions declared at
// run time that have no version.
type Thunk struct {
	Params, Results uint32 // value lists
	// New returns a function of the class, as one word, that finds its record by a captured
	// Self.
	New func(s Self) unsafe.Pointer
}

// Self is the captured variable of a Thunk's function: the part of its record after Code.
type Self struct{ Class, ID uint32 }

// Program describes a generated program to the runtime.
type Program struct {
	Agreement   int // see the constant Agreement
	Name        string
	Types       []*Type
	Globals     []Global
	Funcs       []*Func
	FuncNames   []FuncName // sorted by Go name
	Files       []string   // bundles, as FuncNames refer to them
	Lists       []List
	Classes     []Class // of signatures; nil in a program with an entry function
	Sites       []Site
	Steps       []Step
	Watchpoints []Watch
	MaxTransfer int // over all lists, the greatest number of words of either half

	Frames []FrameSite  // where frames rest; nil if they cannot be inspected
	Names  []EntityName // of all entities, nil if nothing looks them up

	// For clients of packages made with -introspect. Constant puts the value of a
	// constant into X(t).
	Entities []Entity
	Constant func(t *Ctx, id uint32)
	Thunks   []Thunk // by signature class; for functions that are declared at run time
	Given    bool    // the IDs are those by which bundles refer to entities

	// Unit means that the program consists of bodies for functions of the running one; Impls are the bodies.
	Unit  bool
	Impls []Impl
	// FirstPlace is the number of the first of Frames in a unit, whose code has the numbers as constants.
	FirstPlace uint32
	Loops      []*Func // bodies that begin at the heads of loops, in the order of the request for the unit
	Objects    []*Type // descriptors for the types of objects, in the order of ir.Program.ObjectTypes; nil where it has none
	CSigs      []CSig  // the C signatures of its calls and of what it exposes

	Later  []LaterBundle  // bundles that are loaded at run time
	Hidden []HiddenEntity // entities of such bundles, for look-up

	Externs []Extern    // native symbols
	Exposes []*Exposure // functions of .expose

	// Entry calls the entry function; the result is the program's status. After a Mu
	// exception Thrown is set as in any generated function.
	Entry func(t *Ctx) int

	// Init, if not nil, runs on the first stack before Entry: it builds the heap image.
	Init func(t *Ctx)

	// Hooks are the functions that run in addition to Entry.
	Hooks Hooks

	// Sanitize means that the program checks its accesses: units are registered.
	Sanitize bool

	// Sandbox means that the limits of heap, stacks and time have smaller defaults.
	Sandbox bool

	// TrapMode is the default trap handler's mode where UVM_TRAP is not set; "" is print.
	TrapMode string

	// Native means that native code or clients may wake threads, so that it is not a
	// deadlock if all of them wait.
	Native bool

	// Coverage is what the program counts, nil if it counts nothing.
	Coverage *Coverage

	at place
}

// Flags of SwapStack and NewThread.
type Flags = thread.Flags

const (
	KillOld  = thread.KillOld  // the current stack dies
	ThrowExc = thread.ThrowExc // X(t).R[0] is raised as an exception on the new stack
)

// Step is the next step for a resumable body: a SWAPSTACK whose values are in X(t), or &Move.
type Step = thread.Step

// Kind is the kind of a run-time error (docs/language.md, "Run-time errors").
type Kind uint8

// The kinds of run-time errors.
const (
	Internal Kind = iota // not an error of the program
	DivByZero
	Overflow
	NullRef
	NullAddress
	NullFunc
	BadSignature
	UndefinedFunction
	UnhandledTrap
	UncaughtException
	BottomReturn
	StackOverflow
	StackState
	StackTypes
	NoResource
	OutOfMemory
	Bounds
	TypeError
	TagKind
	FutexError
	PinError
	Native
	CursorError
	NameError
	Deadlock
	DynCode
	Check
	Conflict
	ParseError
	HAILError
	NodeError   // of the IR builder: not a node of the bundle
	Trapped     // by the program's own check
	Unreachable // code that should not be reached
	Interrupted // a client ended the call
	numKinds
)
