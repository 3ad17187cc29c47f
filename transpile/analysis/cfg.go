// Package analysis answers questions about one function body: order of blocks,
// predecessors, dominators, loops, uses and liveness. It only reads bodies; a pass
// that has changed a body must compute the answers again.
package analysis

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// CFG is the control flow of a version.
type CFG struct {
	// Order is the reachable blocks in reverse postorder, the entry first.
	Order []ir.BlockID
	// Index is each block's place in Order, -1 if it is not reachable.
	Index []int32
	// Preds lists the predecessor of each edge into a block; a block that
	// branches twice to the same target stands there twice.
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
	c, _ := newCFG(len(v.Blocks), destsOf(v))
	return c
}

// NewGraph computes the control flow of a body that is no version yet: dests are the
// destinations of each block.
func NewGraph(dests [][]ir.Dest) *CFG {
	c, _ := newCFG(len(dests), func(b ir.BlockID) []ir.Dest { return dests[b] })
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

func newCFG(n int, dests func(ir.BlockID) []ir.Dest) (*CFG, *depthFirst) {
	numbers := make([]int32, 3*n)
	blocks := make([]ir.BlockID, 2*n)
	c := &CFG{
		Index: numbers[:n:n], pre: numbers[n : 2*n : 2*n], size: numbers[2*n:],
		Order: blocks[:n:n], Idom: blocks[n:],
	}
	tree := newDepthFirst(n)
	edges := c.order(dests, tree)
	c.preds(dests, edges)
	c.dominators(tree)
	c.intervals(c.Idom, c.pre, c.size)
	return c, tree
}

// order sets Order and Index, and counts the edges into each block in pre. It
// returns the number of all edges, and tells tree, if not nil, in which order and
// from where it came to the blocks.
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

// preds sets Preds, all lists in one piece of memory.
func (c *CFG) preds(dests func(ir.BlockID) []ir.Dest, edges int) {
	all := make([]ir.BlockID, edges)
	c.Preds = make([][]ir.BlockID, len(c.Index))
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

// Reachable reports whether control can get from the entry to b.
func (c *CFG) Reachable(b ir.BlockID) bool { return c.Index[b] >= 0 }

// Dominates reports whether every path from the entry to b passes a. Both must
// be reachable.
func (c *CFG) Dominates(a, b ir.BlockID) bool {
	return uint32(c.pre[b]-c.pre[a]) < uint32(c.size[a])
}

// Dominated counts the blocks that b dominates, itself too. b must be reachable.
func (c *CFG) Dominated(b ir.BlockID) int { return int(c.size[b]) }

// Within gives the test whether one block is another or above it in a forest of
// the reachable blocks. A parent, -1 for the root of a tree, must come before
// its children in Order.
func (c *CFG) Within(parent []ir.BlockID) func(above, b ir.BlockID) bool {
	numbers := make([]int32, 2*len(parent))
	pre, size := numbers[:len(parent)], numbers[len(parent):]
	c.intervals(parent, pre, size)
	return func(above, b ir.BlockID) bool {
		return uint32(pre[b]-pre[above]) < uint32(size[above])
	}
}

// intervals numbers a forest depth first and counts what is in the tree below
// each block, itself too. Parents stand in Order before their children, so sizes
// add up from the end, and numbers are handed down from the beginning.
func (c *CFG) intervals(parent []ir.BlockID, pre, size []int32) {
	for i := len(c.Order) - 1; i >= 0; i-- {
		b := c.Order[i]
		size[b]++
		if p := parent[b]; p >= 0 && p != b {
			size[p] += size[b]
		}
	}
	root := int32(0)                    // number of the next root
	next := make([]int32, len(c.Index)) // number of the next kid
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
