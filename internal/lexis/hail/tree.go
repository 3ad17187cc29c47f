// Package hail reads HAIL scripts, which create heap objects and give them and
// global cells their first values (docs/hail.md), into a syntax tree.
//
// It checks only the grammar. The code that runs or translates the script checks that
// names exist, that an object is made only once, that indices are in range and that
// values fit their locations; every part of the tree has its position in the source
// for such messages.
//
// The tree is compact, because scripts of tens of megabytes exist: a Value is 16
// bytes without pointers, and literals, locations and lists are in tables of the
// Script that values index. The values of a list, and the indices of a location,
// are consecutive.
package hail

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// The pieces that scripts share with bundles.
type (
	// An Off is a byte offset into the script.
	Off = lex.Off
	// A Sym is an interned spelling, sigil included.
	Sym = lex.Sym
	// A Name is one occurrence of a name: its Sym and its Off.
	Name = lex.Name
	// Symbols is the table that Syms belong to. A script may share the table of
	// the bundles before it.
	Symbols = lex.Symbols
	// An IntLit is an integer literal with its value.
	IntLit = lex.IntLit
	// An FPLit is a floating-point literal, kept as text.
	FPLit = lex.FPLit
)

// A Script is the tree of one script.
type Script struct {
	Src  []byte
	Syms *Symbols
	Defs []Def // in the order written

	// Reports are the syntax errors. If there are any, the tree has the parts that could be
	// read, and must not be executed.
	Reports []*lex.Report

	values []Value // lists and indices
	ints   []IntLit
	fps    []FPLit
	locs   []Location
}

// A DefKind is a kind of definitions.
type DefKind uint8

// The definitions.
const (
	New       DefKind = iota // .new Name <Type>
	NewHybrid                // .newhybrid Name <Type> Len
	Init                     // .init Left = Right
)

var defNames = [...]string{".new", ".newhybrid", ".init"}

// String returns the keyword of the definition.
func (k DefKind) String() string { return defNames[k] }

// A Def is one definition.
type Def struct {
	Off   Off // the keyword
	Kind  DefKind
	Name  Name     // New, NewHybrid: the object, $name
	Type  Name     // New, NewHybrid
	Len   Value    // NewHybrid: Int or Global
	Left  Location // Init
	Right Value    // Init
}

// A Location is `Base[Index]...`; the base is a global cell or an object.
type Location struct {
	Base Name
	at   uint32 // of the indices in Script.values
	n    uint32
}

// A ValueKind is a kind of values.
type ValueKind uint8

// The kinds of values. Lengths and indices are only Int or Global.
const (
	NoValue ValueKind = iota
	Global            // @name: Script.Name
	Object            // $name: Script.Name
	Int               // integer literal: Script.Int
	FP                // floating-point literal: Script.FP
	Null              // NULL
	Addr              // &location: Script.Loc
	Copy              // *location: Script.Loc
	List              // {values}: Script.List
)

// A Value is the right side of an .init, or a part of it.
type Value struct {
	Off  Off // its first token
	Kind ValueKind
	ref  uint32 // Sym, or index into the table of the kind
	n    uint32 // List: number of values
}

// Text returns a piece of the source.
func (s *Script) Text(off, end Off) string { return string(s.Src[off:end]) }

// Spelling returns a name as written, sigil included.
func (s *Script) Spelling(n Name) string { return s.Syms.String(n.Sym) }

// Name returns the name of a Global or Object, else the zero Name.
func (s *Script) Name(v Value) Name {
	if v.Kind != Global && v.Kind != Object {
		return Name{}
	}
	return Name{Sym: Sym(v.ref), Off: v.Off}
}

// Int returns the literal of an Int, else nil.
func (s *Script) Int(v Value) *IntLit {
	if v.Kind != Int {
		return nil
	}
	return &s.ints[v.ref]
}

// FP returns the literal of an FP, else nil.
func (s *Script) FP(v Value) *FPLit {
	if v.Kind != FP {
		return nil
	}
	return &s.fps[v.ref]
}

// Loc returns the location of an Addr or Copy, else nil.
func (s *Script) Loc(v Value) *Location {
	if v.Kind != Addr && v.Kind != Copy {
		return nil
	}
	return &s.locs[v.ref]
}

// List returns the values of a List, else nil. The caller must not change them.
func (s *Script) List(v Value) []Value {
	if v.Kind != List {
		return nil
	}
	return s.values[v.ref : v.ref+v.n : v.ref+v.n]
}

// Index returns the indices of a location. The caller must not change them.
func (s *Script) Index(l Location) []Value { return s.values[l.at : l.at+l.n : l.at+l.n] }
