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
	Blocks []ir.BlockID // the header first; those of inner loops included
	Inner  bool         // has loops inside
}

// Loops is the nesting of the natural loops of a version. Irreducible loops,
// which have several entries, are not in it.
type Loops struct {
	List []Loop // inner loops before those around them
	// Of is the innermost loop of each block, or -1.
	Of []LoopID
}

// NewLoops finds the natural loops. It is linear in the size of the graph times
// the depth of the nesting.
func NewLoops(v *ir.Version, c *CFG) *Loops {
	l := &Loops{Of: make([]LoopID, len(c.Index))}
	for i := range l.Of {
		l.Of[i] = -1
	}
	outermost := func(x LoopID) LoopID {
		for l.List[x].Parent >= 0 {
			x = l.List[x].Parent
		}
		return x
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
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if in := l.Of[b]; in >= 0 {
				if in = outermost(in); in == id {
					continue
				}
				l.List[in].Parent = id
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
	for i := len(l.List) - 1; i >= 0; i-- { // outer loops first
		x := &l.List[i]
		x.Depth = 1
		if x.Parent >= 0 {
			x.Depth = l.List[x.Parent].Depth + 1
		}
	}
	for _, b := range c.Order {
		for x := l.Of[b]; x >= 0; x = l.List[x].Parent {
			l.List[x].Blocks = append(l.List[x].Blocks, b)
		}
	}
	return l
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
	for y := l.Of[b]; y >= 0; y = l.List[y].Parent {
		if y == x {
			return true
		}
	}
	return false
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
