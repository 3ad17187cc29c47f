package passes

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// simplify removes the blocks that nothing reaches.
func simplify(u *unit) int {
	cfg := analysis.NewCFG(u.v)
	n := 0
	for b := range u.v.Blocks {
		if !u.v.Blocks[b].Dead && !cfg.Reachable(ir.BlockID(b)) {
			u.kill(ir.BlockID(b))
			n++
		}
	}
	return n
}
