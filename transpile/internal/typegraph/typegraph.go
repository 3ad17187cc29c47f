// Package typegraph has the code that readers share for making the types of a bundle: a
// graph of the definitions, which may have cycles. It finds composites that contain
// themselves, and marks types that refer to a faulty type as unknown. ir.Types.Add then
// makes the remaining types canonical.
//
// It does not resolve names and does not report errors itself.
package typegraph

import (
	"github.com/uvm2go/uvm2go/internal/lexis/canon"
	"github.com/uvm2go/uvm2go/internal/lexis/graph"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A Graph is a list of types and signatures, which refer to canonical types or, as
// ir.Raw, to each other.
type Graph struct {
	Nodes []ir.Node
	Bad   []bool // by node: it is faulty, or refers to a faulty node
}

// Add adds a node, which the caller must fill, and returns its number.
func (g *Graph) Add() int {
	g.Nodes = append(g.Nodes, ir.Node{})
	g.Bad = append(g.Bad, false)
	return len(g.Nodes) - 1
}

// edge is the node that an id refers to, -1 for a canonical id.
func edge(id ir.TypeID) int {
	if k, ok := canon.RawIndex(id); ok {
		return k
	}
	return -1
}

// members are the nodes that a node contains by value.
func (g *Graph) members(i int) (nodes []int) {
	n := &g.Nodes[i]
	switch n.Kind {
	case ir.KStruct, ir.KHybrid:
		for _, x := range n.Fields {
			nodes = append(nodes, edge(x))
		}
	}
	switch n.Kind {
	case ir.KArray, ir.KVector, ir.KHybrid:
		nodes = append(nodes, edge(n.Elem))
	}
	return nodes
}

// parts are all nodes that a node refers to.
func (g *Graph) parts(i int) []int {
	n := &g.Nodes[i]
	nodes := []int{edge(n.Elem)}
	for _, x := range n.Fields {
		nodes = append(nodes, edge(x))
	}
	for _, x := range n.Results {
		nodes = append(nodes, edge(x))
	}
	return nodes
}

// Cycles finds the composites that contain themselves. It calls report for each cycle along
// members; report must mark the nodes of the cycle as bad.
func (g *Graph) Cycles(report func(cycle []int)) {
	graph.Cycles(len(g.Nodes), g.members, func(cycle []int, _ int) { report(cycle) })
}

// Types makes the nodes canonical and returns their ids, ir.NoType for bad nodes and those that
// refer to bad ones.
func (g *Graph) Types(types *ir.Types) []ir.TypeID {
	graph.Spread(g.Bad, g.parts)
	for i, bad := range g.Bad {
		if bad {
			g.Nodes[i] = ir.Node{Kind: ir.KVoid}
		}
	}
	ids := types.Add(g.Nodes)
	for i, bad := range g.Bad {
		if bad {
			ids[i] = ir.NoType
		}
	}
	return ids
}
