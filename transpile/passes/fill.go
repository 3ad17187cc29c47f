package passes

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// fill marks the stores of loops that only fill memory with zeros, see
// analysis.Fill. A program may clear what is left to store at once then, as
// far as it is much, in place of turns of the loop.
//
// Needs: licm, simplify, which bring the loops into one of the known forms.
func fill(u *unit) int {
	v := u.v
	var cfg *analysis.CFG
	n := 0
	for b := range v.Blocks {
		if len(v.Blocks[b].Insts) > 5 {
			continue
		}
		for _, id := range v.Blocks[b].Insts {
			if in := &v.Insts[id]; in.Op != ir.OpStore || in.Has(ir.FlagFill) {
				continue
			}
			if cfg == nil {
				cfg = analysis.NewCFG(v)
			}
			if !cfg.Reachable(ir.BlockID(b)) {
				continue
			}
			if _, ok := analysis.FindFill(v, u.t, cfg, id); ok {
				v.Insts[id].Flags |= ir.FlagFill
				n++
			}
		}
	}
	return n
}
