// Package check makes a checked program from the modules of TVM: it resolves names, makes
// terms, compares types, checks that phantom values are not used where they would have to be
// computed, and orders the blocks of functions.
//
// # Order of work
//
//  1. All globals are entered as syntax trees (link.go).
//  2. Terms are made when they are first used (elab.go, and the rules of the operations in the
//     files rule*.go). Types of schemas and functions refer to each other in any order; checks
//     that need all of them are postponed.
//  3. Then the postponed checks are made, and the bodies of functions are read (body.go).
//  4. Each body gets its dominators; one walk over them checks that values are available and
//     known at run time where they are used (flow.go, solid.go).
//
// A term with an error is 0, and nothing is reported about terms that are 0.
package check

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// A Program is the result of checking modules together.
type Program struct {
	Graph   *term.Graph
	Globals []*Global // variables and functions, in order
	Call    *Global   // the function that makes a call, nil if there is none
	Structs []Struct  // that have names, in order
}

// A Struct is a definition of a struct type.
type Struct struct {
	Name string // with its percent sign
	Type term.ID
}

// A Global is a global variable or function.
type Global struct {
	Name   string // with its percent sign
	Pos    diag.Pos
	Module int
	Syntax *syntax.Global
	Symbol *term.Symbol
	// Type is the type of the variable, or the function type.
	Type     term.ID
	Init     term.ID // of a variable, 0 if it has none
	Func     *Func   // nil if it has no body
	External bool    // it has no definition
	Shown    bool    // other modules may see it
	// Entity is its name in the running program, if a module that was loaded before has it; then it is defined here if
	// Func or Init are set.
	Entity string
}

// A Func is the body of a function.
type Func struct {
	Global *Global
	Form   term.Form
	Params []*term.Symbol // phantom ones first
	Result term.ID
	Blocks []*Block // those that can be reached come first, in preorder of the dominator tree
}

// A Block is a basic block.
type Block struct {
	Name  string // "" of the entry
	Pos   diag.Pos
	Phis  []*Phi
	Insts []*Inst // the last one ends the block
	Preds []*Block
	// Dom is the block that dominates this one immediately, nil of the entry.
	Dom       *Block
	Index     int // in the text
	Reachable bool
	Loop      bool // in a loop whose head dominates it

	declared *Block // the dominator in the text
	landing  bool
	pre, end int // numbers in the dominator tree
	children []*Block
}

// Dominates reports whether a block dominates c or is c, which must be reachable.
func (b *Block) Dominates(c *Block) bool { return b.pre <= c.pre && c.end <= b.end }

// Succs are the successors of a block.
func (b *Block) Succs() []*Block {
	if n := len(b.Insts); n > 0 {
		return b.Insts[n-1].Blocks
	}
	return nil
}

// An Inst is an instruction.
type Inst struct {
	Op     op.Op
	Pos    diag.Pos
	Args   []term.ID
	At     []diag.Pos // of the arguments
	Blocks []*Block
	To     []diag.Pos   // of the names of Blocks
	Sym    *term.Symbol // the result, nil if there is none
}

// A Phi is an instruction phi.
type Phi struct {
	Pos   diag.Pos
	Sym   *term.Symbol
	Edges []Edge

	from map[*Block]int // in Edges
}

// Edge is the value for a predecessor, nil if there is none.
func (p *Phi) Edge(from *Block) *Edge {
	if i, ok := p.from[from]; ok {
		return &p.Edges[i]
	}
	return nil
}

// An Edge is the value of a phi for a predecessor.
type Edge struct {
	From  *Block
	Value term.ID
	Pos   diag.Pos
	At    diag.Pos // of the value
}
