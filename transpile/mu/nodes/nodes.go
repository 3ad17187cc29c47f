// Package nodes is the IR builder of Mu (docs/language.md, "The IR builder"): it makes a bundle call by call.
//
// A bundle is a tree of nodes, each made by one instruction of the builder. A call is refused if its operands are
// nodes of the wrong kinds, or if it adds something to a node that has no place for it. All else is checked when the
// bundle is complete: it is written as Mu text, which the reader checks like any other. The package does not load
// bundles, and knows only the kinds and IDs of entities of a running program.
//
//	rows.go   the instructions
//	call.go   what each does
//	text.go, spell.go  the bundle as text
//	names.go  the names that nodes have in the text
//	prose.go  messages about the text, as messages about nodes
package nodes

import (
	"fmt"
	"sync"
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
	numKinds
)

var kindNames = [numKinds]string{None: "nothing", Bundle: "a bundle", Type: "a type", Sig: "a signature", Const: "a constant", Global: "a global cell",
	Func: "a function", Version: "a function version", Exposed: "an exposed function", Block: "a block", Param: "a parameter", ExcParam: "an exception parameter",
	Inst: "an instruction", Result: "a result"}

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

	mu    sync.Mutex
	nodes []*node // from 1, which is the bundle itself; guarded by mu
	ended bool    // guarded by mu
}

// Whole is the number of the node that is the bundle itself.
const Whole = 1

// New begins a bundle.
func New(prog Program) *Builder {
	return &Builder{prog: prog, nodes: []*node{{no: Whole, kind: Bundle}}}
}

// node is a node. Its children are the nodes that were added to it, in the order of the calls.
type node struct {
	no    int
	row   *Row
	kind  Kind
	place int // among the nodes of its kind that were added to the same node, from 1
	id    uint32
	known bool   // an entity that existed before
	name  string // set by the client
	args  []Operand

	parent   *node // nil for what is added to the bundle; the function of a version
	children []*node
	to       int // of types that are set later

	dests   map[uint64]*dest
	cases   []*dest
	keep    []int
	hasKeep bool
	pass    *[2][]int
	throw   int
}

// dest is a destination with its arguments; key is for cases.
type dest struct {
	key, block int
	args       []int
}

func (b *Builder) node(n int) *node {
	if n < 1 || n > len(b.nodes) {
		return nil
	}
	return b.nodes[n-1]
}
