// Package analysis answers questions about one function body: order of blocks,
// predecessors, dominators, loops, uses and liveness. It only reads; passes
// must ask again after they have changed a body.
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
	c.order(v)
	return c.Order
}

// NewCFG computes the control flow of v.
func NewCFG(v *ir.Version) *CFG {
	n := len(v.Blocks)
	numbers := make([]int32, 3*n)
	blocks := make([]ir.BlockID, 2*n)
	c := &CFG{
		Index: numbers[:n:n], pre: numbers[n : 2*n : 2*n], size: numbers[2*n:],
		Order: blocks[:n:n], Idom: blocks[n:],
	}
	edges := c.order(v)
	c.preds(v, edges)
	c.dominators()
	c.intervals()
	return c
}

// order sets Order and Index, and counts the edges into each block in pre. It
// returns the number of all edges.
func (c *CFG) order(v *ir.Version) (edges int) {
	type frame struct {
		b     ir.BlockID
		dests []ir.Dest // still to go to
	}
	const unseen, open = -1, -2
	for i := range c.Index {
		c.Index[i] = unseen
	}
	dests := func(b ir.BlockID) []ir.Dest {
		if t := v.Term(b); t != nil {
			return t.Dests
		}
		return nil
	}
	var few [16]frame
	work := append(few[:0], frame{0, dests(0)})
	c.Index[0] = open
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
func (c *CFG) preds(v *ir.Version, edges int) {
	all := make([]ir.BlockID, edges)
	c.Preds = make([][]ir.BlockID, len(c.Index))
	for _, b := range c.Order {
		n := c.pre[b]
		c.Preds[b], all = all[:0:n], all[n:]
	}
	for _, b := range c.Order {
		if t := v.Term(b); t != nil {
			for i := range t.Dests {
				d := t.Dests[i].Block
				c.Preds[d] = append(c.Preds[d], b)
			}
		}
	}
}

// dominators is the iterative algorithm of Cooper, Harvey and Kennedy.
func (c *CFG) dominators() {
	for i := range c.Idom {
		c.Idom[i] = -1
	}
	c.Idom[0] = 0
	for changed := true; changed; {
		changed = false
		for _, b := range c.Order[1:] {
			idom := ir.BlockID(-1)
			for _, p := range c.Preds[b] {
				if c.Idom[p] < 0 {
					continue
				}
				if idom < 0 {
					idom = p
				} else {
					idom = c.meet(idom, p)
				}
			}
			if c.Idom[b] != idom {
				c.Idom[b] = idom
				changed = true
			}
		}
	}
}

func (c *CFG) meet(a, b ir.BlockID) ir.BlockID {
	for a != b {
		for c.Index[a] > c.Index[b] {
			a = c.Idom[a]
		}
		for c.Index[b] > c.Index[a] {
			b = c.Idom[b]
		}
	}
	return a
}

// Reachable reports whether control can get from the entry to b.
func (c *CFG) Reachable(b ir.BlockID) bool { return c.Index[b] >= 0 }

// Dominates reports whether every path from the entry to b passes a. Both must
// be reachable.
func (c *CFG) Dominates(a, b ir.BlockID) bool {
	return uint32(c.pre[b]-c.pre[a]) < uint32(c.size[a])
}

// intervals sets pre and size. A block stands in Order behind its dominators, so
// sizes add up from the end, and numbers are handed down from the beginning.
func (c *CFG) intervals() {
	for i := len(c.Order) - 1; i > 0; i-- {
		b := c.Order[i]
		c.size[b]++
		c.size[c.Idom[b]] += c.size[b]
	}
	c.size[0]++
	c.pre[0] = 0                        // edges were counted here
	next := make([]int32, len(c.Index)) // number of the next kid
	for _, b := range c.Order {
		if b != 0 {
			d := c.Idom[b]
			c.pre[b] = next[d]
			next[d] += c.size[b]
		}
		next[b] = c.pre[b] + 1
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
