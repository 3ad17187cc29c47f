// Package nodes is the IR builder of Mu (docs/language.md, "The IR builder"): it makes a bundle call by call.
//
// A bundle is a graph of nodes, each made by one instruction of the builder. A call is refused if its operands are
// nodes of the wrong kinds, or if it adds something to a node that has no place for it. All else is checked when the
// bundle is complete: it becomes a tree, like that of a text (package syntax), which the reader checks like any other
// (mu.ExtendTree). The names in the tree are nodes, whether they have names or not, and its offsets are their numbers,
// so that messages can say which node is meant. The package does not load bundles, and knows only the kinds and IDs of
// entities of a running program.
//
//	rows.go     the instructions
//	numbers.go  what operands that are numbers stand for
//	call.go     what each instruction does
//	add.go      the parts of the tree that calls make
//	tree.go     the tree
//	say.go      nodes in messages
//
// The client API of 2017 has another builder (docs/client.md, "The IR builder"), which makes the same graph. Its nodes
// are IDs, which may be used before they are defined, and clauses of instructions are nodes. So its calls are only
// noted, and become nodes, with all checks, when the bundle is complete.
//
//	idrows.go     its functions
//	idbuilder.go  calls are noted
//	idgraph.go    they become nodes
package nodes

import (
	"fmt"
	"sync"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of nodes.
const (
	None Kind = iota
	Bundle
	Type
	Sig
	Const
	Global
	Func
	Version
	Exposed
	Block
	Param
	ExcParam
	Inst
	Result
	DestClause // these and the following only in the later builder
	ExcClause
	KeepClause
	CurClause
	NewClause
	numKinds
)

// Code is the code of an error (docs/language.md, "Run-time errors").
type Code string

// The codes of errors that calls have.
const (
	BadHandle Code = "E_HANDLE"
	Conflict  Code = "E_CONFLICT"
	BadCheck  Code = "E_CHECK"
)

// Error is an error in a call, or in the bundle when it is complete.
type Error struct {
	Code Code
	Msg  string
}

func (e *Error) Error() string { return e.Msg }

func errorf(code Code, format string, args ...any) *Error {
	return &Error{code, fmt.Sprintf(format, args...)}
}

// Operand is an operand of a call. The letter of its parameter determines which field is used.
type Operand struct {
	Node  int // 0 is NULL
	Nodes []int
	Word  uint64
	Words []uint64
	Text  string
}

// Program is what a builder asks of the running program. It asks while it is locked.
type Program struct {
	NextID func() uint32              // reserves the next ID
	Known  func(id uint32) Kind       // the kind of the existing entity with an ID, None if there is none
	NameOf func(id uint32) (n string) // its name, "" if it has none
}

// Builder makes one bundle. Threads may use it at the same time: each call happens before or after each other.
type Builder struct {
	prog Program

	mu     sync.Mutex
	nodes  []*node // from 1; guarded by mu, like all that follows
	ended  bool
	at     int32            // position of the nodes that are made next, an element of places; 0 for none
	places []diag.Position  // from 1
	faults map[*node]string // of operands, reported when the bundle is complete
	later  *IDRow           // in the later builder the row of the node that is being made
	counts [numKinds]int32  // of the nodes that were added to the bundle itself
	syms   *syntax.Symbols  // of the tree

	types, args []syntax.Name // the lists of the instruction that is being made
	operands    []Operand     // of the node that is being made, in the later builder
	wrong       []Wrong       // what the later builder has found, with whole messages
	room        lex.Slab[node]
	insts       lex.Slab[inst]
	names       lex.Slab[syntax.Name]
	literals    lex.Slab[syntax.IntLit]
}

// Whole is the number of the node that is the bundle itself.
const Whole = 1

// New begins a bundle.
func New(prog Program) *Builder {
	b := &Builder{prog: prog, syms: syntax.NewSymbols(), places: make([]diag.Position, 1)}
	b.newNode().kind = Bundle
	return b
}

// At gives the nodes that are made next a position, which messages about them show in place of the nodes. Without a
// line they have none.
func (b *Builder) At(p diag.Position) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = b.placed(p)
}

// placed is the number of a position in places.
func (b *Builder) placed(p diag.Position) int32 {
	switch {
	case !p.IsValid():
		return 0
	case b.places[b.at] != p:
		b.places = append(b.places, p)
		return int32(len(b.places) - 1)
	}
	return b.at
}

// node is a node.
type node struct {
	kind   Kind
	known  bool   // an entity that existed before
	no     int32  // its number, from 1
	place  int32  // among the nodes of its kind that were added to the same node, from 1
	at     int32  // its position, an element of Builder.places
	id     uint32 // 0 if nobody has asked for it
	name   string // set by the client
	parent *node  // nil for what is added to the bundle; the function of a version
	// part is what the node is in the tree: a syntax.Def, *function, *version, *block or *inst; nil for others.
	part any
}

// newNode makes a node, without a kind.
func (b *Builder) newNode() *node {
	n := b.room.One()
	b.nodes = append(b.nodes, n)
	n.no, n.at = int32(len(b.nodes)), b.at
	return n
}

// node is the node with a number, nil if there is none.
func (b *Builder) node(no int) *node {
	if no < 1 || no > len(b.nodes) {
		return nil
	}
	return b.nodes[no-1]
}
