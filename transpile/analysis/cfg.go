// Package analysis answers questions about one function body: order of blocks,
// predecessors, dominators, loops, uses and liveness. It only reads; passes
// must ask again after they have changed a body.
package analysis

import "github.com/uvm2go/uvm2go/transpile/ir"

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
	// pre and post number the dominator tree depth first: a dominates b when
	// a's interval encloses b's.
	pre, post []int32
}

// NewCFG computes the control flow of v.
func NewCFG(v *ir.Version) *CFG {
	c := &CFG{}
	c.order(v)
	c.Preds = make([][]ir.BlockID, len(v.Blocks))
	for _, b := range c.Order {
		v.Succs(b, func(d *ir.Dest) { c.Preds[d.Block] = append(c.Preds[d.Block], b) })
	}
	c.dominators()
	c.intervals()
	return c
}

func (c *CFG) order(v *ir.Version) {
	c.Index = make([]int32, len(v.Blocks))
	for i := range c.Index {
		c.Index[i] = -1
	}
	type frame struct {
		b    ir.BlockID
		next int
	}
	seen := make([]bool, len(v.Blocks))
	var post []ir.BlockID
	work := []frame{{0, 0}}
	seen[0] = true
	for len(work) > 0 {
		f := &work[len(work)-1]
		t := v.Term(f.b)
		if t == nil || f.next >= len(t.Dests) {
			post = append(post, f.b)
			work = work[:len(work)-1]
			continue
		}
		// Last destination first, so that the first follows its branch in the
		// resulting order.
		d := t.Dests[len(t.Dests)-1-f.next].Block
		f.next++
		if !seen[d] {
			seen[d] = true
			work = append(work, frame{d, 0})
		}
	}
	c.Order = make([]ir.BlockID, len(post))
	for i, b := range post {
		c.Order[len(post)-1-i] = b
	}
	for i, b := range c.Order {
		c.Index[b] = int32(i)
	}
}

// dominators is the iterative algorithm of Cooper, Harvey and Kennedy.
func (c *CFG) dominators() {
	c.Idom = make([]ir.BlockID, len(c.Index))
	for i := range c.Idom {
		c.Idom[i] = -1
	}
	if len(c.Order) == 0 {
		return
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
	return c.pre[a] <= c.pre[b] && c.post[b] <= c.post[a]
}

func (c *CFG) intervals() {
	c.pre, c.post = make([]int32, len(c.Index)), make([]int32, len(c.Index))
	if len(c.Order) == 0 {
		return
	}
	kids := c.Children()
	type frame struct {
		b    ir.BlockID
		next int
	}
	n := int32(0)
	work := []frame{{0, 0}}
	for len(work) > 0 {
		f := &work[len(work)-1]
		if f.next == 0 {
			n++
			c.pre[f.b] = n
		}
		if f.next < len(kids[f.b]) {
			k := kids[f.b][f.next]
			f.next++
			work = append(work, frame{k, 0})
			continue
		}
		n++
		c.post[f.b] = n
		work = work[:len(work)-1]
	}
}

// Children returns the dominator tree: the blocks that each block immediately
// dominates, in reverse postorder.
func (c *CFG) Children() [][]ir.BlockID {
	kids := make([][]ir.BlockID, len(c.Index))
	for _, b := range c.Order[1:] {
		kids[c.Idom[b]] = append(kids[c.Idom[b]], b)
	}
	return kids
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
