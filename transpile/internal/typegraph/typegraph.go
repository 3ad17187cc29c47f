// Package typegraph has the code that readers share for making the types of a bundle: a
// graph of the definitions, which may have cycles. It finds composites that contain
// themselves, and marks types that refer to a wrong type as unknown. ir.Types.Add then
// makes the remaining types canonical.
//
// It resolves no names and reports nothing itself.
package typegraph

import "github.com/uvm2go/uvm2go/transpile/ir"

// A Graph is a list of types and signatures, which refer to canonical types or, as
// ir.Raw, to each other.
type Graph struct {
	Nodes []ir.Node
	Bad   []bool // by node: it is wrong, or refers to what is
}

// Add makes a node, to be filled, and gives its number.
func (g *Graph) Add() int {
	g.Nodes = append(g.Nodes, ir.Node{})
	g.Bad = append(g.Bad, false)
	return len(g.Nodes) - 1
}

// raw calls f with the number of a node that an id refers to, if it does.
func raw(id ir.TypeID, f func(int)) {
	if id < 0 {
		f(int(-1 - id))
	}
}

// members calls f for the nodes that lie within a node by value.
func (g *Graph) members(i int, f func(int)) {
	n := &g.Nodes[i]
	switch n.Kind {
	case ir.KStruct, ir.KHybrid:
		for _, x := range n.Fields {
			raw(x, f)
		}
	}
	switch n.Kind {
	case ir.KArray, ir.KVector, ir.KHybrid:
		raw(n.Elem, f)
	}
}

// Cycles finds the composites that contain themselves: a depth-first search along
// members with a stack of its own, since chains may be as long as the bundle. Each cycle
// that it comes upon goes to report, which marks its nodes as bad.
func (g *Graph) Cycles(report func(cycle []int)) {
	const (
		unseen = iota
		open
		done
	)
	type frame struct {
		node int
		kids []int
	}
	state := make([]uint8, len(g.Nodes))
	var path []frame
	push := func(i int) {
		state[i] = open
		var kids []int
		g.members(i, func(k int) { kids = append(kids, k) })
		path = append(path, frame{i, kids})
	}
	for root := range g.Nodes {
		if state[root] != unseen {
			continue
		}
		push(root)
		for len(path) > 0 {
			f := &path[len(path)-1]
			if len(f.kids) == 0 {
				state[f.node] = done
				path = path[:len(path)-1]
				continue
			}
			k := f.kids[0]
			f.kids = f.kids[1:]
			switch state[k] {
			case unseen:
				push(k)
			case open:
				from := len(path) - 1
				for path[from].node != k {
					from--
				}
				cycle := make([]int, 0, len(path)-from)
				for _, f := range path[from:] {
					cycle = append(cycle, f.node)
				}
				report(cycle)
			}
		}
	}
}

// Types makes the nodes canonical and gives their ids, ir.NoType for those that are bad or
// refer to bad ones.
func (g *Graph) Types(types *ir.Types) []ir.TypeID {
	g.spread()
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

// spread makes all nodes bad that refer to a bad one.
func (g *Graph) spread() {
	var work []int
	for i, bad := range g.Bad {
		if bad {
			work = append(work, i)
		}
	}
	if len(work) == 0 {
		return
	}
	users := make([][]int, len(g.Nodes))
	for i := range g.Nodes {
		use := func(k int) { users[k] = append(users[k], i) }
		n := &g.Nodes[i]
		raw(n.Elem, use)
		for _, x := range n.Fields {
			raw(x, use)
		}
		for _, x := range n.Results {
			raw(x, use)
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range users[i] {
			if !g.Bad[u] {
				g.Bad[u] = true
				work = append(work, u)
			}
		}
	}
}
