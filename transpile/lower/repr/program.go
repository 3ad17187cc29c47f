// Package repr says how a program is represented in Go, for the bodies of functions (lower) and
// the tables (gogen): types, constants, memory, values that pass through the transfer area of a
// thread, and names.
//
// A Program also holds the rows of tables that code refers to by number: descriptors of types,
// value lists, signatures of natives, places where code may stop. They are data here; gogen
// turns them into Go when all bodies are done. This package knows no instructions.
//
// Values look like this:
//
//	int<1>                       bool
//	int<n>, n <= 64              the next larger of uint8 to uint64, zero-extended
//	int<n>, n <= 128             num.U128
//	float, double                float32, float64
//	references and pointers      uintptr; a funcref is the address of its record
//	tagref64                     uint64
//	struct                       a struct type S_NAME with fields F0, F1, ...
//	array, vector                [n]T
package repr

import (
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// Options are the choices that bodies and tables depend on.
type Options struct {
	// Package is the name of the Go package; "main" makes a program.
	Package string
	// Lines adds //line directives with the positions of the bundles.
	Lines bool
	// Debug keeps values and instructions apart, for debuggers.
	Debug bool
	// Sanitize adds checks for behaviour that the language leaves undefined.
	Sanitize bool
	// Sandbox, with Sanitize, also keeps locations in the allocation unit that they are computed from, and native
	// code from memory outside of units.
	Sandbox bool
	// NullTests adds tests of addresses that may be NULL, for ports where such accesses do not fault.
	NullTests bool
	// Introspect makes a program that tells a client about its entities.
	Introspect bool
	// Live links the engine for live code, so that bundles with bodies can be loaded.
	Live bool
	// Tier2 links what compiles such bundles, with Live.
	Tier2 bool
	// Profile links what writes profiles.
	Profile bool
	// Unit makes a plugin with other bodies for functions of a running program, from the representation of
	// a part of that program. Functions, cells and exposed functions are those of the running
	// program, which hands them over by their places in the representation; entities stay as they are.
	Unit bool
	// FirstPlace is the number of the first place in a unit where frames rest.
	FirstPlace uint32
	// Loops are functions of a unit that begin at the heads of loops of others, see package osr. Nothing in the
	// program refers to them.
	Loops []*ir.Function
	// Objects are the types for which a unit takes the numbers of the running program, see ir.Program.ObjectTypes.
	Objects []ir.TypeID
	// NativeC makes the program for cgo if it uses any native symbol, and calls
	// C also for functions that Go serves as well.
	NativeC bool
	// Libs says that there are libraries to resolve symbols in, which takes cgo. Those of a unit are what a running program
	// that is made for cgo has loaded.
	Libs bool
	// CCells are cells that are variables of C, with their symbols.
	CCells map[*ir.Global]string
	// GoNatives are symbols that Go code of a client registers.
	GoNatives []string
	// Bodies are the resumable bodies, for stacks without a goroutine, see package resume.
	Bodies map[*ir.Function]*ir.Version
	// Origins, if not nil, says which instructions of a body are copies, and of
	// what, by InstID; the list may be shorter.
	Origins func(*ir.Version) []*ir.Inlined
}

// A Program is what the bodies and the tables of a generated program share. Whoever needs a
// row of a table first adds it. Numbers are given in the order in which they are asked for,
// so functions must be lowered one after the other.
type Program struct {
	*facts.Program
	Opt    Options
	Layout *layout.Table
	names
	Funcs map[*ir.Function]*Func
	typeTables
	natives
	bundles
	siteTables
	Cgo   bool // made for cgo
	Errno bool // something may read errno
	// MaxTransfer is the longest value list handed to the runtime.
	MaxTransfer int
}

// New is a program without names and rows.
func New(known *facts.Program, opt Options) *Program {
	g := &Program{Program: known, Opt: opt, Layout: layout.New(known.IR.Types), Funcs: map[*ir.Function]*Func{}, MaxTransfer: 32}
	g.names.init()
	g.typeTables.init()
	g.natives.init()
	g.bundles.init()
	g.siteTables.init()
	return g
}

// siteTables are the places of code that the runtime has tables of, in order of emission.
type siteTables struct {
	Sites      []Site      // traps and swaps
	Steps      []Step      // of resumable bodies
	FrameSites []FrameSite // where frames rest, in programs that inspect them
	Watch      []uint32    // IDs of watchpoints
	watchNo    map[uint32]int
}

func (t *siteTables) init() { t.watchNo = map[uint32]int{} }

// A Site describes a trap or a switch of stacks.
type Site struct {
	Name    string // as the default trap handler prints it
	Where   string // as in reports, "" for a site without a name
	Func    *Func
	ID      uint32
	Line    int
	Results int // value list
	Keep    []KeepVar
}

// A KeepVar describes a keep-alive variable.
type KeepVar struct {
	Name  string // "" for a parameter of an undefined function
	VType int
}

// A Step describes what a resumable body returns where it stops.
type Step struct {
	Site      int
	Pass, Ret int         // value lists
	Flags     gotree.Expr // nil for none
}

// A FrameSite is a place where a frame rests. In an undefined function, which has neither, version
// and instruction are 0.
type FrameSite struct {
	Func          *Func
	Version, Inst uint32
	Results       int // value list
	Keep          []KeepVar
	Below         int // number of the place below if they share a frame, or 0
}

// AddFrameSite numbers a place where a frame rests, from 1.
func (g *Program) AddFrameSite(s FrameSite) int {
	g.FrameSites = append(g.FrameSites, s)
	return len(g.FrameSites)
}

// Watchpoint numbers a watchpoint.
func (t *siteTables) Watchpoint(id uint32) int {
	n, ok := t.watchNo[id]
	if !ok {
		n = len(t.Watch)
		t.watchNo[id] = n
		t.Watch = append(t.Watch, id)
	}
	return n
}
