package plan

import "github.com/uvm2go/uvm2go/transpile/ir"

// FrameBlock finds the latest block in which the frame can be pushed, so that early returns
// need no frame: the lowest block that dominates all blocks that need the frame, is on no
// cycle, and is not followed by a block that could also be reached without it. needs tells
// whether an emitted instruction needs the frame; ok is false if none does.
func (f *Func) FrameBlock(needs func(*ir.Inst) bool) (at ir.BlockID, ok bool) {
	c := f.CFG
	at = -1
	for _, b := range c.Order {
		need := false
		f.EachInst(b, func(_ ir.InstID, in *ir.Inst) { need = need || needs(in) })
		switch {
		case !need:
		case at < 0:
			at = b
		default:
			for !c.Dominates(at, b) {
				at = c.Idom[at]
			}
		}
	}
	if at < 0 {
		return 0, false
	}
	for at != 0 && !f.closed(at) {
		at = c.Idom[at]
	}
	return at, true
}

// closed reports whether everything reachable from b is dominated by b, and b
// cannot be reached from itself.
func (f *Func) closed(b ir.BlockID) bool {
	seen := map[ir.BlockID]bool{}
	work := []ir.BlockID{b}
	ok := true
	for len(work) > 0 && ok {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		f.V.Succs(x, func(d *ir.Dest) {
			if d.Block == b || !f.CFG.Dominates(b, d.Block) {
				ok = false
			}
			if !seen[d.Block] {
				seen[d.Block] = true
				work = append(work, d.Block)
			}
		})
	}
	return ok
}
