package lower

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Polls of loops with many jumps back.
//
// A jump back is a poll, with a call that is hardly ever made. Where a value is stored only because of such a
// call, in a branch, and passed to the head of the loop, Go's compiler looks for the uses of the stored value in all
// blocks of the loop (ssa/stackalloc.go, computeLive: a phi function counts as a use of
// the spill of its argument, which need not dominate it). So the time would be in proportion to the square of the number of
// jumps in the loop of an interpreter. If a loop has many, they go to a block, which jumps back for
// all of them: there is only one poll.

// manyJumps is the number of jumps back to a block from which on they share a poll.
const manyJumps = 200

// latched returns a body in which many jumps back to one block go through a block of their own. It is v itself if there
// are none.
func latched(v *ir.Version) *ir.Version {
	if len(v.Blocks) < manyJumps {
		return v
	}
	cfg := analysis.NewCFG(v)
	jumps := make([]int, len(v.Blocks))
	back := func(v *ir.Version, fn func(d *ir.Dest)) {
		for _, b := range cfg.Order {
			t := v.Term(b)
			switch t.Op {
			case ir.OpBranch, ir.OpBranch2, ir.OpSwitch:
				for i := range t.Dests {
					if cfg.Index[t.Dests[i].Block] <= cfg.Index[b] {
						fn(&t.Dests[i])
					}
				}
			}
		}
	}
	back(v, func(d *ir.Dest) { jumps[d.Block]++ })
	if slices.Max(jumps) < manyJumps {
		return v
	}
	v = v.Clone()
	latch := map[ir.BlockID]ir.BlockID{}
	for h, n := range jumps {
		if n < manyJumps {
			continue
		}
		b := v.NewBlock(v.Blocks[h].Name+".again", v.Blocks[h].Pos)
		for _, p := range v.Blocks[h].Params {
			v.AddParam(b, v.Values[p].Type, v.Values[p].Name)
		}
		latch[ir.BlockID(h)] = b
	}
	back(v, func(d *ir.Dest) {
		if b, ok := latch[d.Block]; ok {
			d.Block = b
		}
	})
	for h := range jumps {
		if b, ok := latch[ir.BlockID(h)]; ok {
			v.Append(b, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{{Block: ir.BlockID(h), Args: slices.Clone(v.Blocks[b].Params)}}}, nil, nil)
		}
	}
	return v
}
