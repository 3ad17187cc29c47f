package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// forkSize is the size of a body up to which fork copies it.
const forkSize = 120

// fork gives a body a copy without tests, if all that it calls are functions that have been replaced (FlagReplaced) and
// there is no other safepoint. The tests then stand at the beginning, as no function can be replaced later on: if all
// of them succeed, the copy runs, else the body as it was. The copy calls nothing, so it needs no frame.
//
// Needs: share. Leaves: branches on constants, for simplify.
func fork(u *unit) int {
	if !u.shares() {
		return 0
	}
	v := u.v
	var tests []ir.Inst // one for each function
	size := 0
	for b := range v.Blocks {
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			size += u.weight(in)
			switch {
			case in.Op == ir.OpUnchanged:
				if !slices.ContainsFunc(tests, func(t ir.Inst) bool { return facts.Callee(v, &t) == facts.Callee(v, in) }) {
					tests = append(tests, *in)
				}
			case in.Has(ir.FlagReplaced):
			case in.Op.Is(ir.MayCollect), in.Op.Is(ir.KeepsFrame):
				return 0
			}
		}
	}
	if len(tests) == 0 || len(tests) > 4 || size > forkSize || slices.Contains(analysis.NewCFG(v).LoopHeaders(), true) {
		return 0
	}
	from, origin := v.Clone(), slices.Clone(u.origin)
	body := u.splitEntry()
	v.Blocks[0].Insts = nil
	params := v.Blocks[0].Params
	c := &copier{u: u, from: from, values: make([]ir.ValueID, len(from.Values)), blocks: make([]ir.BlockID, len(from.Blocks)),
		origin: origin, tail: true, same: true}
	first := c.whole()
	r := u.rename()
	one := u.constBits(ir.ConstInt, u.int1, 1, 0)
	for i := range from.Insts {
		if in := &from.Insts[i]; in.Op == ir.OpUnchanged && c.values[in.Results[0]] != 0 {
			r.set(c.values[in.Results[0]], one)
		}
	}
	r.apply()
	at := ir.BlockID(0)
	for i, t := range tests {
		id := v.Append(at, ir.Inst{Op: ir.OpUnchanged, Sig: t.Sig, Args: slices.Clone(t.Args), Pos: t.Pos}, []ir.TypeID{u.int1}, nil)
		yes := ir.Dest{Block: first, Args: slices.Clone(params)}
		if i+1 < len(tests) {
			yes = ir.Dest{Block: u.newBlock(v.Blocks[0].Name, t.Pos)}
		}
		v.Append(at, ir.Inst{Op: ir.OpBranch2, Args: slices.Clone(v.Insts[id].Results), Pos: t.Pos,
			Dests: []ir.Dest{yes, {Block: body, Args: slices.Clone(params)}}}, nil, nil)
		at = yes.Block
	}
	return 1
}
