package analysis

import "github.com/uvm2go/uvm2go/transpile/ir"

// LoopID is the number of a loop in Loops; -1 is none.
type LoopID int32

// Loop is a natural loop: the blocks from which a back edge to the header can
// be reached without passing the header, which dominates them all.
type Loop struct {
	Header ir.BlockID
	Parent LoopID       // the loop just around it, or -1
	Depth  int32        // 1 for outermost loops
	Blocks []ir.BlockID // the header first; those of inner loops included. LoopTree leaves them out
	Inner  bool         // has loops inside
}

// Loops is the nesting of the natural loops of a version. Irreducible loops,
// which have several entries, are not in it.
type Loops struct {
	List []Loop // inner loops before those around them
	// Of is the innermost loop of each block, or -1.
	Of []LoopID
	// Partial means that natural loops are missing, see InnerLoops.
	Partial bool
	// pre numbers the loops depth first, and size counts those in each loop, itself too: the numbers of these follow
	// its own.
	pre, size []int32
}

// maxInside is how many loops may lie one in the other inside a loop that InnerLoops finds.
const maxInside = 64

// LoopTree finds all natural loops, without their blocks. It is linear in the size of the graph.
func LoopTree(c *CFG) *Loops {
	l := find(c)
	l.number()
	return l
}

// InnerLoops finds the natural loops apart from those around very many levels of others, as if these were irreducible. It
// is linear in the size of the graph.
func InnerLoops(v *ir.Version, c *CFG) *Loops {
	l := find(c)
	inside := make([]int32, len(l.List)) // levels
	id := make([]LoopID, len(l.List))    // of the loops that are kept
	n := 0
	for i, x := range l.List {
		if x.Parent >= 0 {
			inside[x.Parent] = max(inside[x.Parent], inside[i]+1)
		}
		if id[i] = -1; inside[i] <= maxInside {
			id[i] = LoopID(n)
			n++
		}
	}
	if n < len(l.List) {
		for i, x := range l.List {
			if k := id[i]; k >= 0 {
				if x.Parent >= 0 {
					x.Parent = id[x.Parent]
				}
				l.List[k] = x
			}
		}
		l.List, l.Partial = l.List[:n], true
		for b, x := range l.Of {
			if x >= 0 {
				l.Of[b] = id[x]
			}
		}
	}
	l.number()
	l.list(c)
	return l
}

// find makes the list of loops, without their blocks and depths.
func find(c *CFG) *Loops {
	l := &Loops{Of: make([]LoopID, len(c.Index))}
	for i := range l.Of {
		l.Of[i] = -1
	}
	var above []LoopID // of each loop, some loop around it or itself: the outermost so far when paths have been followed
	outermost := func(x LoopID) LoopID {
		top := x
		for above[top] != top {
			top = above[top]
		}
		for above[x] != top {
			x, above[x] = above[x], top
		}
		return top
	}
	// Headers of inner loops come later in reverse postorder.
	for i := len(c.Order) - 1; i >= 0; i-- {
		h := c.Order[i]
		var work []ir.BlockID
		for _, p := range c.Preds[h] {
			if c.Dominates(h, p) {
				work = append(work, p)
			}
		}
		if work == nil {
			continue
		}
		id := LoopID(len(l.List))
		l.List = append(l.List, Loop{Header: h, Parent: -1})
		above = append(above, id)
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if in := l.Of[b]; in >= 0 {
				if in = outermost(in); in == id {
					continue
				}
				l.List[in].Parent, above[in] = id, id
				l.List[id].Inner = true
				work = append(work, c.Preds[l.List[in].Header]...)
				continue
			}
			l.Of[b] = id
			if b != h {
				work = append(work, c.Preds[b]...)
			}
		}
		l.Of[h] = id
	}
	return l
}

// number sets what depends on the whole list, apart from the blocks.
func (l *Loops) number() {
	n := len(l.List)
	numbers := make([]int32, 3*n)
	l.pre, l.size = numbers[:n:n], numbers[n:2*n:2*n]
	next := numbers[2*n:] // number of the next loop inside
	for i := range l.List {
		l.size[i]++
		if p := l.List[i].Parent; p >= 0 {
			l.size[p] += l.size[i]
		}
	}
	root := int32(0)
	for i := n - 1; i >= 0; i-- { // outer loops first
		x := &l.List[i]
		at := &root
		x.Depth = 1
		if x.Parent >= 0 {
			at = &next[x.Parent]
			x.Depth = l.List[x.Parent].Depth + 1
		}
		l.pre[i] = *at
		*at += l.size[i]
		next[i] = l.pre[i] + 1
	}
}

// list lists the blocks of each loop, which takes as many steps as these lists are long.
func (l *Loops) list(c *CFG) {
	for _, b := range c.Order {
		for x := l.Of[b]; x >= 0; x = l.List[x].Parent {
			l.List[x].Blocks = append(l.List[x].Blocks, b)
		}
	}
}

// Depth is how many loops a block is in.
func (l *Loops) Depth(b ir.BlockID) int32 {
	if x := l.Of[b]; x >= 0 {
		return l.List[x].Depth
	}
	return 0
}

// Contains reports whether a block is in a loop.
func (l *Loops) Contains(x LoopID, b ir.BlockID) bool {
	y := l.Of[b]
	return y >= 0 && uint32(l.pre[y]-l.pre[x]) < uint32(l.size[x])
}

// Invariant reports whether a value comes from outside a loop: it is the same in all iterations.
func (l *Loops) Invariant(v *ir.Version, x LoopID, val ir.ValueID) bool {
	switch d := &v.Values[val]; d.Kind {
	case ir.ValueConst:
		return true
	case ir.ValueResult:
		return !l.Contains(x, v.Insts[d.Def].Block)
	default:
		return !l.Contains(x, ir.BlockID(d.Def))
	}
}
