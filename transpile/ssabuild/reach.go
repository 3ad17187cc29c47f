package ssabuild

import (
	"cmp"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// This file finds the values that reach the reads that Use has left open, for one variable after
// the other:
//
//  1. Number the blocks of the body in an order in which those that a block dominates follow
//     it (graph).
//  2. Find out from which definitions values can flow to a read through a join. A read that is
//     dominated by a definition sees nothing from outside of what that definition dominates
//     (bounds).
//  3. Find the joins of these values: the iterated dominance frontier of the definitions, as far
//     as step 2 lets them (joins, frontier).
//  4. A read, or the argument of a join, is then the value of the nearest definition or join
//     that dominates it (valueAt). Only joins that something reads become parameters.
//
// So a variable takes time for its definitions and reads and for the edges into its joins, times
// the logarithm of their number, and not for the blocks between them. Step 3 may find more joins
// than step 4 needs, but only where the variable is read somewhere outside of a loop and is
// defined again before each read in the loop.

// A graph is the control flow of a finished body. Its nodes are numbered: 0 leads to the entry
// and to the parts of the body that control never reaches; then come the blocks, then the edges
// with definitions.
type graph struct {
	*analysis.CFG
	level []int32      // by node: its depth in the dominator tree
	root  []ir.BlockID // by node: the first block of its part
}

func nodeOf(b ir.BlockID) ir.BlockID     { return b + 1 }
func blockOf(node ir.BlockID) ir.BlockID { return node - 1 }

// graph makes the graph of the body, and notes the definitions on edges.
func (s *Builder) graph() *graph {
	n := nodeOf(ir.BlockID(len(s.blocks)))
	dests := make([][]ir.Dest, n)
	for b := range s.blocks {
		to := nodeOf(ir.BlockID(b))
		for i := range s.blocks[b].in {
			e := &s.blocks[b].in[i]
			e.node = nodeOf(e.from)
			if len(e.defs) > 0 {
				dests[e.node] = append(dests[e.node], ir.To(n))
				e.node = n
				dests = append(dests, nil)
				for _, d := range e.defs {
					s.vars[d.x].defs = append(s.vars[d.x].defs, definition{n, d.value})
				}
				n++
			}
			dests[e.node] = append(dests[e.node], ir.To(to))
		}
	}
	g := &graph{root: s.parts(dests)}
	for node := range dests[1:] {
		node := ir.BlockID(node + 1)
		if g.root[node] == node {
			dests[0] = append(dests[0], ir.To(node))
		}
		// What control never reaches does not change what is known of the rest.
		dests[node] = slices.DeleteFunc(dests[node], func(d ir.Dest) bool { return g.root[d.Block] != g.root[node] })
	}
	g.CFG = analysis.NewGraph(dests)
	g.level = make([]int32, n)
	for _, node := range g.Order[1:] {
		g.level[node] = g.level[g.Idom[node]] + 1
	}
	return g
}

// parts gives, by node, the first block of its part: the entry, or a block that no part before
// leads to. Blocks that Use never looks past come first, so what it has found by looking at the
// end of the block before is the same as what dominates a block. Where there is none, control goes
// round in a circle.
func (s *Builder) parts(dests [][]ir.Dest) []ir.BlockID {
	root := make([]ir.BlockID, len(dests))
	var work []ir.BlockID
	from := func(b ir.BlockID) {
		first := nodeOf(b)
		if root[first] != 0 {
			return
		}
		root[first] = first
		for work = append(work, first); len(work) > 0; {
			node := work[len(work)-1]
			work = work[:len(work)-1]
			for _, d := range dests[node] {
				if root[d.Block] == 0 {
					root[d.Block] = first
					work = append(work, d.Block)
				}
			}
		}
	}
	from(0)
	for _, first := range []func(edges int) bool{
		func(edges int) bool { return edges == 0 },
		func(edges int) bool { return edges > 1 },
		func(edges int) bool { return edges == 1 },
	} {
		for b := range s.blocks {
			if first(len(s.blocks[b].in)) {
				from(ir.BlockID(b))
			}
		}
	}
	return root
}

// circular reports whether a node is in a part whose first block has one edge into it.
func (r *reacher) circular(node ir.BlockID) bool {
	return len(r.blocks[blockOf(r.g.root[node])].in) == 1
}

// A reacher does the steps for one variable after the other.
type reacher struct {
	*Builder
	g *graph
	f *frontier

	// Of the variable, by node; those that are not zero are listed in marked.
	def    []int32  // one more than the place in defs
	join   []bool   // whether several values meet at the start of the block
	param  []*param // for the value at the start of the block
	marked []ir.BlockID

	x      Var
	defs   []definition // in the order of nodes
	bound  []int32      // by definition, see bounds
	starts []start
	live   []*param // joins that are read
}

// A start says which node is the nearest definition or join that dominates the nodes with numbers
// from this one up to that of the next start; 0 if there is none.
type start struct {
	number int32
	node   ir.BlockID
}

// reach resolves the parameters that stand for variables: they get arguments, or the value that
// replaces them.
func (s *Builder) reach() {
	reads := make([][]*param, len(s.vars))
	var vars []Var // in the order of their first reads
	for _, p := range s.order {
		if p.phi {
			continue
		}
		if reads[p.x] == nil {
			vars = append(vars, p.x)
		}
		reads[p.x] = append(reads[p.x], p)
	}
	if len(vars) == 0 {
		return
	}
	g := s.graph()
	n := len(g.level)
	r := &reacher{Builder: s, g: g, f: newFrontier(g), def: make([]int32, n), join: make([]bool, n), param: make([]*param, n)}
	for _, x := range vars {
		r.variable(x, reads[x])
	}
}

func (r *reacher) variable(x Var, reads []*param) {
	r.x, r.defs = x, r.vars[x].defs
	// The last definition on an edge counts.
	slices.SortStableFunc(r.defs, func(a, b definition) int { return cmp.Compare(r.g.Number(a.node), r.g.Number(b.node)) })
	for i, d := range r.defs {
		r.def[d.node] = int32(i + 1)
		r.marked = append(r.marked, d.node)
	}
	for _, p := range reads {
		r.param[nodeOf(p.block)] = p
		r.marked = append(r.marked, nodeOf(p.block))
	}
	r.bounds(reads)
	r.joins()
	r.nearest()
	for _, p := range reads {
		switch node := nodeOf(p.block); {
		case r.circular(node):
			p.same = r.undefined(p.block, x)
		case r.join[node]:
			r.live = append(r.live, p)
		default:
			p.same = r.valueAt(r.g.Idom[node], node)
		}
	}
	for len(r.live) > 0 {
		p := r.live[len(r.live)-1]
		r.live = r.live[:len(r.live)-1]
		p.args = make([]ir.ValueID, len(r.blocks[p.block].in))
		for i := range p.args {
			node := r.blocks[p.block].in[i].node
			p.args[i] = r.valueAt(node, node)
		}
	}
	for _, node := range r.marked {
		r.def[node], r.join[node], r.param[node] = 0, false, nil
	}
	r.marked = r.marked[:0]
}

// bounds sets, for each definition, above which level of the dominator tree a join of its value
// with others can be read: that of the highest definition which dominates it, or the top, that is
// the nearest one of some read. It is -1 if there is none.
func (r *reacher) bounds(reads []*param) {
	slices.SortFunc(reads, func(a, b *param) int {
		return cmp.Compare(r.g.Number(nodeOf(a.block)), r.g.Number(nodeOf(b.block)))
	})
	n := len(r.defs)
	above := make([]int32, n)    // the next definition that dominates it, or n
	read := make([]bool, n+1)    // whether it is the nearest one of a read
	nearest := []int32{int32(n)} // those that dominate the current node, from the top
	to := func(node ir.BlockID) int32 {
		for {
			i := nearest[len(nearest)-1]
			if int(i) == n || r.g.Dominates(r.defs[i].node, node) {
				return i
			}
			nearest = nearest[:len(nearest)-1]
		}
	}
	for i, d := range r.defs {
		for len(reads) > 0 && r.g.Number(nodeOf(reads[0].block)) <= r.g.Number(d.node) {
			read[to(nodeOf(reads[0].block))] = true
			reads = reads[1:]
		}
		above[i] = to(d.node)
		nearest = append(nearest, int32(i))
	}
	for _, p := range reads {
		read[to(nodeOf(p.block))] = true
	}
	r.bound = r.bound[:0]
	for i := range r.defs {
		a, level := above[i], int32(-1)
		switch {
		case int(a) < n && r.bound[a] >= 0:
			level = r.bound[a]
		case int(a) < n && read[a]:
			level = r.g.level[r.defs[a].node]
		case int(a) == n && read[n]:
			level = 0
		}
		r.bound = append(r.bound, level)
	}
}

// joins marks the joins of the definitions.
func (r *reacher) joins() {
	for i, d := range r.defs {
		if r.bound[i] < 0 {
			continue
		}
		for work := append(r.f.work[:0], d.node); len(work) > 0; {
			node := work[len(work)-1]
			work = work[:len(work)-1]
			for _, to := range r.f.take(r.g, node, r.bound[i]) {
				if r.join[to] {
					continue
				}
				r.join[to] = true
				r.marked = append(r.marked, to)
				if r.def[to] == 0 {
					work = append(work, to)
				}
			}
		}
	}
	r.f.restore()
}

// nearest sets starts.
func (r *reacher) nearest() {
	slices.SortFunc(r.marked, func(a, b ir.BlockID) int { return cmp.Compare(r.g.Number(a), r.g.Number(b)) })
	r.marked = slices.Compact(r.marked)
	r.starts = append(r.starts[:0], start{})
	var open []ir.BlockID
	leave := func(number int32) {
		for len(open) > 0 {
			end := r.g.Number(open[len(open)-1]) + int32(r.g.Dominated(open[len(open)-1]))
			if end > number {
				return
			}
			open = open[:len(open)-1]
			next := ir.BlockID(0)
			if len(open) > 0 {
				next = open[len(open)-1]
			}
			r.starts = append(r.starts, start{end, next})
		}
	}
	for _, node := range r.marked {
		if r.def[node] == 0 && !r.join[node] {
			continue
		}
		leave(r.g.Number(node))
		open = append(open, node)
		r.starts = append(r.starts, start{r.g.Number(node), node})
	}
	leave(int32(len(r.g.level)))
}

// valueAt is the value of the variable at the end of a node, which is that of another one or
// dominates it.
func (r *reacher) valueAt(node, of ir.BlockID) ir.ValueID {
	number := r.g.Number(node)
	i, _ := slices.BinarySearchFunc(r.starts, number+1, func(a start, n int32) int { return cmp.Compare(a.number, n) })
	from := r.starts[i-1].node
	switch {
	case from == 0:
		return r.undefined(blockOf(r.g.root[of]), r.x)
	case r.def[from] != 0:
		return r.defs[r.def[from]-1].value
	}
	p := r.param[from]
	if p == nil {
		p = r.newParam(blockOf(from), r.x, r.vars[r.x].typ, r.vars[r.x].name)
		r.param[from] = p
		r.live = append(r.live, p)
	}
	return p.id
}
