// Package term has the terms of TVM, both types and values, as nodes of a graph in which equal
// terms are the same node.
//
// Constructors bring terms into normal form: integer arithmetic is a polynomial, operations on
// constants are folded, parts of aggregates are found. Two types are equal if and only if they have
// the same ID.
//
// # Parameters
//
// A parameter of a function that is being defined, of a schema, or of an exists that is being
// matched is a Symbol, equal only to itself. Inside function and exists types the parameters are
// Bound: the number of such types between use and binder, and the index in the list. close turns
// Symbols into Bounds, Open the reverse. A term with a Bound whose binder is missing is loose;
// it has no type, and no code asks for one.
//
// # Limits
//
// All walks remember the nodes that they have seen, so they take time linear in the number of nodes.
// A graph has a limited number of nodes; beyond the limit constructors return 0, which stands for
// a term with an error, and Full is true.
package term

import (
	"encoding/binary"
	"iter"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// An ID is a term; 0 is a term with an error that was reported.
type ID int32

// A Node is a term.
type Node struct {
	Op   op.Op
	Args []ID
	// Imm is the type of the operands of arithmetic, as op.Op; the place of a Bound; the number of
	// an unwrapped parameter; or the form of a function type, see Form.
	Imm  uint64
	Int  syntax.Int // of a Lit
	Sums []Product  // of a Poly
	Sym  *Symbol
	Attr []uint8 // of the parameters and the result of a function type, nil if none has any

	// Phantom means that the term, or the type of a symbol in it, may contain a term that is not
	// known at run time.
	Phantom bool
	// Unsized means that the term contains a type without values in memory.
	Unsized bool
	// How and From are the operation and the operands with which a Poly, or a bitwise operation of
	// several operands, was written.
	How  op.Op
	From [2]ID

	loose  int32 // the least number of binders that must be around it
	open   bool  // has symbols that Replace may replace
	typ    ID
	typed  uint8 // whether typ is known, or being computed
	layout *Layout
	zero   uint8 // see ZeroBytes
	unfold ID
}

// A Product is a number times atoms, which are sorted.
type Product struct {
	Coef  u128
	Atoms []ID
}

// A SymbolKind is a kind of symbols.
type SymbolKind uint8

// The kinds of symbols.
const (
	Param    SymbolKind = iota // of a function with a body, a schema, or an opened exists or function type
	Result                     // of an instruction
	Phi                        // of a phi
	Variable                   // a global variable: its address
	Func                       // a global function: its address
	SchemaOf                   // a recursive or base global
	Failed                     // a name that was not defined because of an error
)

// A Symbol is a term that is equal only to itself.
type Symbol struct {
	Kind    SymbolKind
	Name    string
	Pos     diag.Pos
	Type    ID
	Phantom bool
	Index   int
	Schema  *Schema
	ID      ID
	Data    any // of the checker
}

// A Schema is a recursive or base global.
type Schema struct {
	Symbol   *Symbol
	Params   []*Symbol
	Phantoms int
	IsBase   bool
	Value    bool // it makes values, of type ValueType
	// Body and ValueType are called when they are needed; they return 0 if there is an error.
	Body      func() ID
	ValueType func() ID
}

// A Graph is a set of terms.
type Graph struct {
	// Limit is the largest number of nodes; 0 for no limit.
	Limit int
	Full  bool
	// Cyclic is a schema that contains itself, if a layout has met one, or nil.
	Cyclic *Schema

	nodes  []Node
	known  map[string]ID
	key    []byte
	names  map[ID][]string // of the parameters of function and exists types
	opened map[ID][]*Symbol
	bares  map[ID]ID   // see bare
	padded map[ID]bool // see Padded

	null, typeType, uprefType ID
	unfolding                 map[ID]bool
	next                      int  // number of the next symbol
	partial                   bool // a layout was asked for that needs a body that is not known yet
}

// New makes an empty graph.
func New() *Graph {
	g := &Graph{nodes: make([]Node, 1), known: map[string]ID{}, names: map[ID][]string{}, opened: map[ID][]*Symbol{}, bares: map[ID]ID{}, padded: map[ID]bool{}, unfolding: map[ID]bool{}}
	g.nodes[0].Op = op.NumOps
	g.typeType = g.Mk(op.TypeType)
	g.uprefType = g.Mk(op.UprefType)
	g.null = g.Mk(op.UprefNull)
	return g
}

// Len is the number of nodes.
func (g *Graph) Len() int { return len(g.nodes) }

// At is the node of a term. It must not be changed, and is valid until the next term is made.
func (g *Graph) At(id ID) *Node { return &g.nodes[id] }

// Op is the operation of a term.
func (g *Graph) Op(id ID) op.Op { return g.nodes[id].Op }

// Args are the operands of a term.
func (g *Graph) Args(id ID) []ID { return g.nodes[id].Args }

// Arg is an operand of a term, 0 of the term 0.
func (g *Graph) Arg(id ID, i int) ID {
	if a := g.nodes[id].Args; i < len(a) {
		return a[i]
	}
	return 0
}

// Parts are the operands of a term; those of a polynomial are its atoms.
func (g *Graph) Parts(id ID) iter.Seq[ID] { return parts(&g.nodes[id]) }

func parts(n *Node) iter.Seq[ID] {
	args, sums := n.Args, n.Sums
	return func(yield func(ID) bool) {
		for _, a := range args {
			if !yield(a) {
				return
			}
		}
		for _, s := range sums {
			for _, a := range s.Atoms {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// Sym is the symbol that a term is, or nil.
func (g *Graph) Sym(id ID) *Symbol { return g.nodes[id].Sym }

// Loose reports whether a term has parameters whose binder is missing.
func (g *Graph) Loose(id ID) bool { return g.nodes[id].loose > 0 }

// Symbol makes a new symbol.
func (g *Graph) Symbol(s Symbol) *Symbol {
	p := &s
	g.next++
	p.ID = g.intern(Node{Op: op.Symbol, Sym: p, Imm: uint64(g.next)})
	return p
}

// Mk makes a term without operands or that no rule changes.
func (g *Graph) Mk(o op.Op, args ...ID) ID { return g.intern(Node{Op: o, Args: args}) }

// Prim is the type of integers, or another without operands.
func (g *Graph) Prim(o op.Op) ID { return g.Mk(o) }

// intern returns the node equal to n, or adds n. If an operand is 0, the result is 0.
func (g *Graph) intern(n Node) ID {
	k := g.key[:0]
	k = append(k, byte(n.Op), byte(n.Int.Type))
	k = binary.AppendUvarint(k, n.Imm)
	for _, a := range n.Args {
		if a == 0 {
			return 0
		}
		k = binary.AppendUvarint(k, uint64(a))
	}
	switch n.Op {
	case op.Lit:
		k = binary.AppendUvarint(binary.AppendUvarint(k, n.Int.Hi), n.Int.Lo)
	case op.Poly:
		for _, s := range n.Sums {
			k = binary.AppendUvarint(k, uint64(len(s.Atoms)))
			k = binary.AppendUvarint(binary.AppendUvarint(k, s.Coef.hi), s.Coef.lo)
			for _, a := range s.Atoms {
				k = binary.AppendUvarint(k, uint64(a))
			}
		}
	case op.Function:
		k = append(k, 0)
		k = append(k, n.Attr...)
	}
	g.key = k
	if id, ok := g.known[string(k)]; ok {
		return id
	}
	if g.Limit > 0 && len(g.nodes) >= g.Limit {
		g.Full = true
		return 0
	}
	g.facts(&n)
	id := ID(len(g.nodes))
	g.nodes = append(g.nodes, n)
	g.known[string(k)] = id
	return id
}

// facts sets the properties of a node that follow from its parts.
func (g *Graph) facts(n *Node) {
	for a := range parts(n) {
		m := &g.nodes[a]
		n.loose = max(n.loose, m.loose)
		n.open = n.open || m.open
		n.Phantom = n.Phantom || m.Phantom
		n.Unsized = n.Unsized || m.Unsized
	}
	n.Unsized = n.Unsized || n.Op == op.Function || n.Op == op.UprefType
	switch n.Op {
	case op.Function, op.Exists:
		n.loose = max(n.loose-1, 0)
	case op.Constant:
		if o := g.nodes[n.Args[0]].Op; o == op.UprefNull || o == op.Upref {
			n.Unsized = true
		}
	case op.Bound:
		n.loose = int32(n.Imm>>32) + 1
		n.Phantom = true
	case op.Symbol:
		n.open = n.Sym.Kind == Param || n.Sym.Kind == Result || n.Sym.Kind == Phi
		n.Phantom = n.Sym.Phantom || g.nodes[n.Sym.Type].Phantom
	case op.UnwrapParam, op.Derived, op.BaseOffset, op.BaseOff, op.Upref:
		n.Phantom = true
	case op.Apply: // its body may have something, whatever the arguments are
		n.Phantom = true
	case op.Unwrap, op.Unbase: // their types have those
		n.Phantom = true
	}
}
