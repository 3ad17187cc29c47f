// Package analysis answers questions about one function body: order of blocks,
// predecessors, dominators, loops, uses and liveness. It only reads bodies; a pass
// that has changed a body must compute the answers again.
package analysis

import (
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// CFG is the control flow of a version.
type CFG struct {
	// Order is the reachable blocks in reverse postorder, the entry first.
	Order []ir.BlockID
	// Index is each block's place in Order, -1 if it is not reachable.
	Index []int32
	// Preds lists the predecessor of each edge into a block; a block that
	// branches twice to the same target is listed twice.
	Preds [][]ir.BlockID
	// Idom is the immediate dominator of each reachable block; the entry's is itself.
	Idom []ir.BlockID
	// pre numbers the dominator tree depth first, and size counts the blocks that
	// each block dominates, itself too: the numbers of those follow its own.
	pre, size []int32
}

// Order is the reachable blocks in reverse postorder, the entry first: the order
// of a CFG where nothing else of it is needed.
func Order(v *ir.Version) []ir.BlockID {
	n := len(v.Blocks)
	numbers := make([]int32, 2*n)
	c := &CFG{Index: numbers[:n], pre: numbers[n:], Order: make([]ir.BlockID, n)}
	c.order(destsOf(v), nil)
	return c.Order
}

// NewCFG computes the control flow of v.
func NewCFG(v *ir.Version) *CFG {
	r, n := &Room{}, len(v.Blocks)
	r.numbers.Fit(12 * n)
	r.blocks.Fit(5 * n) // if a block has two destinations
	r.preds.Fit(n)
	c, _ := newCFG(n, destsOf(v), r)
	return c
}

// NewGraph computes the control flow of a body that is no version yet: dests are the
// destinations of each block.
func NewGraph(dests [][]ir.Dest) *CFG { return new(Room).NewGraph(dests) }

// A Room is memory for the graphs of one body after another.
type Room struct {
	numbers lex.Slab[int32]
	blocks  lex.Slab[ir.BlockID]
	preds   lex.Slab[[]ir.BlockID]
}

// Of computes the control flow of v, in the memory of the graph that was made before, which is lost.
func (r *Room) Of(v *ir.Version) *CFG {
	r.Reset()
	return r.Add(v)
}

// Add computes the control flow of v, in memory that Reset takes back.
func (r *Room) Add(v *ir.Version) *CFG {
	c, _ := newCFG(len(v.Blocks), destsOf(v), r)
	return c
}

// Reset makes room of all graphs that were made, which must not be used any more.
func (r *Room) Reset() {
	r.numbers.Reset()
	r.blocks.Reset()
	r.preds.Reset()
}

// NewGraph does what the function does, in the memory of the graph that it made before, which is lost.
func (r *Room) NewGraph(dests [][]ir.Dest) *CFG {
	r.Reset()
	c, _ := newCFG(len(dests), func(b ir.BlockID) []ir.Dest { return dests[b] }, r)
	return c
}

// destsOf gives the destinations of a block of v.
func destsOf(v *ir.Version) func(ir.BlockID) []ir.Dest {
	return func(b ir.BlockID) []ir.Dest {
		if t := v.Term(b); t != nil {
			return t.Dests
		}
		return nil
	}
}

func newCFG(n int, dests func(ir.BlockID) []ir.Dest, room *Room) (*CFG, *depthFirst) {
	numbers := func() []int32 { return room.numbers.Make(n) }
	blocks := func() []ir.BlockID { return room.blocks.Make(n) }
	c := &CFG{Index: numbers(), pre: numbers(), size: numbers(), Order: blocks(), Idom: blocks()}
	tree := &depthFirst{block: blocks()[:0], number: numbers(), parent: numbers()}
	edges := c.order(dests, tree)
	c.preds(dests, room.preds.Make(n), room.blocks.Make(edges))
	c.dominators(tree, room)
	c.intervals(c.Idom, c.pre, c.size, numbers())
	return c, tree
}

// order sets Order and Index, and counts the edges into each block in pre. It
// returns the number of all edges, and tells tree, if not nil, in which order and
// from where it visited the blocks.
func (c *CFG) order(dests func(ir.BlockID) []ir.Dest, tree *depthFirst) (edges int) {
	type frame struct {
		b     ir.BlockID
		dests []ir.Dest // still to go to
	}
	const unseen, open = -1, -2
	for i := range c.Index {
		c.Index[i] = unseen
	}
	var few [16]frame
	work := append(few[:0], frame{0, dests(0)})
	c.Index[0] = open
	tree.visit(0, 0)
	at := len(c.Order) // filled from its end
	for len(work) > 0 {
		f := &work[len(work)-1]
		if len(f.dests) == 0 {
			at--
			c.Order[at] = f.b
			work = work[:len(work)-1]
			continue
		}
		// Last destination first, so that the first follows its branch in the
		// resulting order.
		d := f.dests[len(f.dests)-1].Block
		f.dests = f.dests[:len(f.dests)-1]
		c.pre[d]++
		edges++
		if c.Index[d] == unseen {
			c.Index[d] = open
			tree.visit(d, f.b)
			work = append(work, frame{d, dests(d)})
		}
	}
	c.Order = c.Order[at:]
	for i, b := range c.Order {
		c.Index[b] = int32(i)
	}
	return edges
}

// preds sets Preds to lists, which are cut from the memory of all.
func (c *CFG) preds(dests func(ir.BlockID) []ir.Dest, lists [][]ir.BlockID, all []ir.BlockID) {
	c.Preds = lists
	for _, b := range c.Order {
		n := c.pre[b]
		c.Preds[b], all = all[:0:n], all[n:]
	}
	for _, b := range c.Order {
		for _, d := range dests(b) {
			c.Preds[d.Block] = append(c.Preds[d.Block], b)
		}
	}
}

// Reach marks the blocks of a body that control can get to from one of them, including that one.
func Reach(v *ir.Version, from ir.BlockID) []bool {
	seen := make([]bool, len(v.Blocks))
	seen[from] = true
	for work := []ir.BlockID{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		v.Succs(b, func(d *ir.Dest) {
			if !seen[d.Block] {
				seen[d.Block] = true
				work = append(work, d.Block)
			}
		})
	}
	return seen
}

// Reachable reports whether control can get from the entry to b.
func (c *CFG) Reachable(b ir.BlockID) bool { return c.Index[b] >= 0 }

// Dominates reports whether every path from the entry to b passes a. Both must
// be reachable.
func (c *CFG) Dominates(a, b ir.BlockID) bool {
	return uint32(c.pre[b]-c.pre[a]) < uint32(c.size[a])
}

// Dominated counts the blocks that b dominates, itself too. b must be reachable.
func (c *CFG) Dominated(b ir.BlockID) int { return int(c.size[b]) }

// Number is the place of b in a walk of the dominator tree in which the blocks that a block
// dominates follow it: those with the next Dominated(b)-1 numbers. b must be reachable.
func (c *CFG) Number(b ir.BlockID) int32 { return c.pre[b] }

// Within returns the test whether a block is an ancestor of another, or the same, in a forest
// of the reachable blocks. A parent, -1 for the root of a tree, must come before
// its children in Order.
func (c *CFG) Within(parent []ir.BlockID) func(above, b ir.BlockID) bool {
	n := len(parent)
	numbers := make([]int32, 3*n)
	pre, size := numbers[:n:n], numbers[n:2*n:2*n]
	c.intervals(parent, pre, size, numbers[2*n:])
	return func(above, b ir.BlockID) bool {
		return uint32(pre[b]-pre[above]) < uint32(size[above])
	}
}

// intervals numbers a forest depth first and counts the blocks in the subtree of
// each block, including itself. Parents come before their children in Order, so sizes
// add up from the end, and numbers are handed down from the beginning. next is room for the
// number of the next child of each block.
func (c *CFG) intervals(parent []ir.BlockID, pre, size, next []int32) {
	for i := len(c.Order) - 1; i >= 0; i-- {
		b := c.Order[i]
		size[b]++
		if p := parent[b]; p >= 0 && p != b {
			size[p] += size[b]
		}
	}
	root := int32(0) // number of the next root
	for _, b := range c.Order {
		if p := parent[b]; p >= 0 && p != b {
			pre[b] = next[p]
			next[p] += size[b]
		} else {
			pre[b] = root
			root += size[b]
		}
		next[b] = pre[b] + 1
	}
}

// Children returns the dominator tree: the blocks that each block immediately
// dominates, in reverse postorder.
func (c *CFG) Children() [][]ir.BlockID {
	count := make([]int32, len(c.Index))
	for _, b := range c.Order[1:] {
		count[c.Idom[b]]++
	}
	all := make([]ir.BlockID, len(c.Order)-1)
	kids := make([][]ir.BlockID, len(c.Index))
	for _, b := range c.Order[1:] {
		d := c.Idom[b]
		if kids[d] == nil {
			n := count[d]
			kids[d], all = all[:0:n], all[n:]
		}
		kids[d] = append(kids[d], b)
	}
	return kids
}

// Equal reports whether two bodies have the same blocks and edges.
func (c *CFG) Equal(d *CFG) bool {
	return slices.Equal(c.Order, d.Order) && slices.EqualFunc(c.Preds, d.Preds, slices.Equal)
}

// LoopHeaders marks the blocks that some edge enters from a block that they
// dominate, and, for irreducible loops, every target of a retreating edge.
func (c *CFG) LoopHeaders() []bool {
	h := make([]bool, len(c.Index))
	for _, b := range c.Order {
		for _, p := range c.Preds[b] {
			if c.Index[p] >= c.Index[b] {
				h[b] = true
			}
		}
	}
	return h
}
