package verify

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// A graph is the control flow of a function, by the indices of its blocks. All
// terminators count, even those that are not the last instruction of their block.
type graph struct {
	branches [][]int32 // where the instructions of a block branch to
	unwinds  []int32   // where its exceptions go, -1 for the caller
	preds    [][]pred  // the blocks that branch to a block, each once
	order    *order    // nil before it is needed
}

// A pred is a block that branches to another, and the first instruction that does so.
type pred struct {
	block int32
	pos   diag.Pos
}

func newGraph(f *module.Function) *graph {
	n := len(f.Blocks)
	g := &graph{branches: make([][]int32, n), unwinds: make([]int32, n), preds: make([][]pred, n)}
	for i, b := range f.Blocks {
		from := int32(i)
		g.unwinds[i] = -1
		if b.Unwind != nil {
			g.unwinds[i] = int32(b.Unwind.Index)
		}
		for _, in := range b.Instrs {
			for k, to := range in.Blocks {
				g.branches[i] = append(g.branches[i], int32(to.Index))
				// The same block again would be the last one of the list.
				if p := g.preds[to.Index]; len(p) == 0 || p[len(p)-1].block != from {
					g.preds[to.Index] = append(p, pred{from, in.OperandPos[k]})
				}
			}
		}
	}
	return g
}

// degree is the number of edges from a block, and edge the end of one of them.
func (g *graph) degree(b int32) int {
	if g.unwinds[b] >= 0 {
		return len(g.branches[b]) + 1
	}
	return len(g.branches[b])
}

func (g *graph) edge(b int32, i int) int32 {
	if i < len(g.branches[b]) {
		return g.branches[b][i]
	}
	return g.unwinds[b]
}

// handlers marks the blocks that exceptions lead to, and those that branches from there lead
// to.
func (g *graph) handlers() []bool {
	marked := make([]bool, len(g.branches))
	var work []int32
	mark := func(b int32) {
		if !marked[b] {
			marked[b] = true
			work = append(work, b)
		}
	}
	for _, u := range g.unwinds {
		if u >= 0 {
			mark(u)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, to := range g.branches[b] {
			mark(to)
		}
	}
	return marked
}

// An order is the result of one depth-first search along all edges. It answers most
// questions about paths directly.
type order struct {
	// comp numbers the strongly connected components, each after those that it leads
	// to. cyclic says which have a cycle.
	comp   []int32
	cyclic []bool
	// byComp has the blocks in order of comp.
	byComp []int32
	// pre and last are the numbers of a block, and of the last block below it, in the
	// tree of the search.
	pre, last []int32
}

// A frame is a block on the current path of the search, and the next of its edges.
type frame struct {
	block int32
	next  int
}

// newOrder is Tarjan's algorithm, with an explicit stack because functions can have very long
// chains of blocks.
func newOrder(g *graph) *order {
	n := len(g.branches)
	o := &order{comp: make([]int32, n), pre: make([]int32, n), last: make([]int32, n)}
	low := make([]int32, n)
	for i := range o.comp {
		o.comp[i], o.pre[i] = -1, -1
	}
	var path []frame
	var open []int32 // blocks whose component is not complete
	number := int32(0)
	enter := func(b int32) {
		o.pre[b], low[b] = number, number
		number++
		path, open = append(path, frame{block: b}), append(open, b)
	}
	for root := range int32(n) {
		if o.pre[root] >= 0 {
			continue
		}
		for enter(root); len(path) > 0; {
			f := &path[len(path)-1]
			b := f.block
			if f.next < g.degree(b) {
				to := g.edge(b, f.next)
				f.next++
				switch {
				case o.pre[to] < 0:
					enter(to)
				case o.comp[to] < 0:
					low[b] = min(low[b], o.pre[to])
				}
				continue
			}
			o.last[b] = number - 1
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1].block
				low[up] = min(low[up], low[b])
			}
			if low[b] == o.pre[b] {
				open = o.close(g, open, b)
			}
		}
	}
	return o
}

// close makes a component of the open blocks from b on.
func (o *order) close(g *graph, open []int32, b int32) []int32 {
	from := len(open) - 1
	for open[from] != b {
		from--
	}
	members := open[from:]
	c := int32(len(o.cyclic))
	cyclic := len(members) > 1
	for i := 0; i < g.degree(b) && !cyclic; i++ {
		cyclic = g.edge(b, i) == b
	}
	o.cyclic = append(o.cyclic, cyclic)
	for _, m := range members {
		o.comp[m] = c
	}
	o.byComp = append(o.byComp, members...)
	return open[:from]
}

// A path is the question whether a path of at least one edge leads from one block to
// another.
type path struct{ from, to int32 }

// reachable answers questions about paths.
//
//  1. Blocks of one component reach each other, if it has a cycle.
//  2. A block reaches the blocks below it in the tree of the search.
//  3. A component reaches no component with a larger number.
//  4. For the remaining questions, marks of up to 512 components at a time are carried along
//     the edges, between the first and the last component in question. Programs have few
//     such questions, and their ends are close to each other; in the worst case this step
//     takes time in proportion to blocks times questions, divided by 512.
func (g *graph) reachable(paths []path) []bool {
	if g.order == nil {
		g.order = newOrder(g)
	}
	o := g.order
	answers := make([]bool, len(paths))
	var rest []int
	for i, p := range paths {
		from, to := o.comp[p.from], o.comp[p.to]
		switch {
		case from == to:
			answers[i] = o.cyclic[from]
		case o.pre[p.from] <= o.pre[p.to] && o.pre[p.to] <= o.last[p.from]:
			answers[i] = true
		case from > to:
			rest = append(rest, i)
		}
	}
	if len(rest) > 0 {
		g.carry(paths, rest, answers)
	}
	return answers
}

// marks are the components, of a batch, that lead to a component.
type marks [8]uint64

const batch = 64 * len(marks{})

// carry does step 4 of reachable.
func (g *graph) carry(paths []path, rest []int, answers []bool) {
	o := g.order
	start := make([]int32, len(o.cyclic)+1) // of each component in byComp
	for _, c := range o.comp {
		start[c+1]++
	}
	for c := range o.cyclic {
		start[c+1] += start[c]
	}
	slices.SortFunc(rest, func(i, j int) int { return int(o.comp[paths[j].from]) - int(o.comp[paths[i].from]) })
	reached := make([]marks, len(o.cyclic))
	for len(rest) > 0 {
		// The batch consists of the questions about the next components.
		first := o.comp[paths[rest[0]].from]
		last := first
		n, bit := 0, -1
		bits := make([]int, 0, batch)
		for ; n < len(rest); n++ {
			p := paths[rest[n]]
			c := o.comp[p.from]
			if n == 0 || c != o.comp[paths[rest[n-1]].from] {
				if bit++; bit == batch {
					break
				}
				reached[c][bit/64] |= 1 << (bit % 64)
			}
			bits = append(bits, bit)
			last = min(last, o.comp[p.to])
		}
		for c := first; c > last; c-- {
			m := &reached[c]
			if *m == (marks{}) {
				continue
			}
			for _, b := range o.byComp[start[c]:start[c+1]] {
				for i := range g.degree(b) {
					if d := o.comp[g.edge(b, i)]; d != c && d >= last {
						for w := range m {
							reached[d][w] |= m[w]
						}
					}
				}
			}
		}
		for k, i := range rest[:n] {
			answers[i] = reached[o.comp[paths[i].to]][bits[k]/64]>>(bits[k]%64)&1 != 0
		}
		clear(reached[last : first+1])
		rest = rest[n:]
	}
}
