package passes

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// dce removes what nothing needs: unreachable blocks, instructions without effect whose results
// only such instructions read, and parameters that only pass themselves on.
func dce(u *unit) int {
	v := u.v
	n := u.unreachable()
	into := u.edges()
	sure := u.sureLoads()
	needed, used := analysis.Needed(v, u.cfg(), func(id ir.InstID) bool { return !sure[id] && !u.droppable(&v.Insts[id]) },
		func(b ir.BlockID, i int, use func(ir.ValueID)) {
			for _, e := range into[b] {
				use(e.dest().Args[i])
			}
		})
	for b := range v.Blocks {
		blk := &v.Blocks[b]
		keep := blk.Insts[:0]
		for _, id := range blk.Insts {
			if needed[id] {
				keep = append(keep, id)
			} else {
				n++
			}
		}
		blk.Insts = keep
		if b == 0 {
			continue
		}
		var drop []bool
		for i, p := range blk.Params {
			if !used[p] {
				if drop == nil {
					drop = make([]bool, len(blk.Params))
				}
				drop[i] = true
				n++
			}
		}
		if drop != nil {
			u.dropParams(ir.BlockID(b), drop, into[b])
		}
	}
	return n
}

// droppable reports whether an instruction can go when nothing reads its results.
func (u *unit) droppable(in *ir.Inst) bool {
	if in.IsTerminator() {
		return false
	}
	switch in.Op {
	case ir.OpLoad:
		return in.Ord == ir.NotAtomic && u.valid(in.Args[0])
	case ir.OpAlloca:
		return true
	case ir.OpNew:
		return u.small(in.Ty)
	}
	switch {
	case u.checkedOnly(in):
		return !u.opt.Sanitize
	case in.Op.Is(ir.Divides):
		return u.dividesSafely(in)
	}
	return in.Op.Is(ir.Unread) && !in.Op.Is(ir.MayFail) || in.Op.Pure()
}

// checkedOnly reports whether an operation fails only under -sanitize.
func (u *unit) checkedOnly(in *ir.Inst) bool {
	return in.Op.Is(ir.Checked|ir.MayFail) && !in.Op.Is(ir.Unread)
}
