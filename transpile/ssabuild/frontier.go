package ssabuild

import (
	"math"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A frontier finds the dominance frontiers of nodes: the destinations of edges that lead from
// what a node dominates to what it does not dominate, or to itself. These are the edges to nodes
// that are not deeper in the dominator tree than it is. An edge is found once until restore is
// called: its destination needs to be found only once.
//
// The edges stand in the order of the nodes that they come from, below a binary tree of the least
// and greatest depths that they lead to. Edges from a node to one that it dominates immediately
// are in no frontier, and left out.
type frontier struct {
	to    []ir.BlockID // by edge
	depth []int32      // by edge
	first []int32      // by number of a node: its first edge; one more at the end
	leaf  int          // where the edges begin in low and high
	low   []int32      // kids of i are 2*i and 2*i+1
	high  []int32
	taken []int // edges that are found
	found []ir.BlockID
	work  []ir.BlockID
}

func newFrontier(g *graph) *frontier {
	n := len(g.level)
	dests := make([][]ir.BlockID, n) // by number
	edges := 0
	for _, node := range g.Order {
		for _, from := range g.Preds[node] {
			if g.Idom[node] != from {
				dests[g.Number(from)] = append(dests[g.Number(from)], node)
				edges++
			}
		}
	}
	f := &frontier{first: make([]int32, n+1), leaf: 1}
	for i, l := range dests {
		f.first[i] = int32(len(f.to))
		f.to = append(f.to, l...)
	}
	f.first[n] = int32(len(f.to))
	for f.leaf < edges {
		f.leaf *= 2
	}
	f.low, f.high = make([]int32, 2*f.leaf), make([]int32, 2*f.leaf)
	for i := range f.low {
		f.low[i], f.high[i] = math.MaxInt32, -1
	}
	for i, to := range f.to {
		f.depth = append(f.depth, g.level[to])
		f.low[f.leaf+i], f.high[f.leaf+i] = g.level[to], g.level[to]
	}
	for i := f.leaf - 1; i > 0; i-- {
		f.sum(i)
	}
	return f
}

func (f *frontier) sum(i int) {
	f.low[i], f.high[i] = min(f.low[2*i], f.low[2*i+1]), max(f.high[2*i], f.high[2*i+1])
}

// take gives the nodes of the frontier of a node that are deeper than a level.
func (f *frontier) take(g *graph, node ir.BlockID, above int32) []ir.BlockID {
	f.found = f.found[:0]
	from := g.Number(node)
	f.search(1, 0, f.leaf, int(f.first[from]), int(f.first[int(from)+g.Dominated(node)]), above, g.level[node])
	return f.found
}

// search looks in the edges from begin to end, which are below i, for those from the first to the
// last one.
func (f *frontier) search(i, begin, end, first, last int, above, upto int32) {
	if end <= first || last <= begin || f.low[i] > upto || f.high[i] <= above {
		return
	}
	if i >= f.leaf {
		f.found = append(f.found, f.to[begin])
		f.taken = append(f.taken, begin)
		f.low[i], f.high[i] = math.MaxInt32, -1
		return
	}
	mid := (begin + end) / 2
	f.search(2*i, begin, mid, first, last, above, upto)
	f.search(2*i+1, mid, end, first, last, above, upto)
	f.sum(i)
}

// restore lets all edges be found again.
func (f *frontier) restore() {
	for _, e := range f.taken {
		i := f.leaf + e
		f.low[i], f.high[i] = f.depth[e], f.depth[e]
		for i /= 2; i > 0; i /= 2 {
			f.sum(i)
		}
	}
	f.taken = f.taken[:0]
}
