package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// choose turns a branch that only chooses between two values into a SELECT,
// which Go compiles to a conditional move: a branch on data is often
// mispredicted, and that costs more than computing both values. Both ways must lead to
// the same block over at most a few cheap instructions and differ in one
// argument, an integer or an address.
//
// Needs: simplify. Leaves: blocks to join, for simplify.
func choose(u *unit) int {
	v := u.v
	into, _ := u.edgeCounts()
	n := 0
	// Inner branches come first where blocks are in the order of the source.
	for b := len(v.Blocks) - 1; b >= 0; b-- {
		t := v.Term(ir.BlockID(b))
		if t == nil || t.Op != ir.OpBranch2 {
			continue
		}
		yes, ok := u.arm(into, &t.Dests[0])
		no, ok2 := u.arm(into, &t.Dests[1])
		if !ok || !ok2 || yes.to.Block != no.to.Block || len(yes.insts)+len(no.insts) > chooseMost {
			continue
		}
		at := -1
		for i := range yes.to.Args {
			if yes.to.Args[i] != no.to.Args[i] {
				if at >= 0 {
					at = -2
					break
				}
				at = i
			}
		}
		if at < 0 || !u.moves(v.Values[yes.to.Args[at]].Type) {
			continue
		}
		if d := u.def(t.Args[0]); d == nil || !comparison(d.Op) {
			continue
		}
		u.chosen(ir.BlockID(b), yes, no, at)
		n++
	}
	if n > 0 {
		u.unreachable()
	}
	return n
}

// chooseMost is the most instructions that both ways may have together.
const chooseMost = 3

// arm is a way from a branch to where the ways meet.
type arm struct {
	block ir.BlockID // -1 if the branch leads there directly
	insts []ir.InstID
	to    *ir.Dest
}

// arm follows a destination over a block that only computes something cheap.
func (u *unit) arm(into []int32, d *ir.Dest) (a arm, ok bool) {
	blk := &u.v.Blocks[d.Block]
	if into[d.Block] != 1 {
		return arm{-1, nil, d}, blk.Exc == 0
	}
	t := u.v.Term(d.Block)
	if blk.Exc != 0 || len(blk.Params) > 0 || t.Op != ir.OpBranch || len(blk.Insts) > chooseMost+1 {
		return a, false
	}
	a = arm{d.Block, blk.Insts[:len(blk.Insts)-1], &t.Dests[0]}
	for _, id := range a.insts {
		if !u.speculative(&u.v.Insts[id]) {
			return a, false
		}
	}
	return a, true
}

// speculative reports whether an instruction is cheap and cannot fail.
func (u *unit) speculative(in *ir.Inst) bool {
	word := func(ty ir.TypeID) bool { n := u.t.At(ty); return n.Kind == ir.KInt && n.Bits <= 64 }
	switch {
	case in.Op.Is(ir.Renames) && !in.Op.Is(ir.MayFail):
		return true
	case !word(in.Ty):
		return false
	case in.Op == ir.OpMul: // machines do small ones as address arithmetic
		k, ok := u.intConst(in.Args[1])
		return ok && k <= 9
	case in.Op.Is(ir.Shifts):
		_, ok := u.intConst(in.Args[1])
		return ok
	case len(in.Args) == 1 && !word(in.Ty2):
		return false
	}
	return in.Op.Is(ir.Quick)
}

// moves reports whether a value of a type can be moved conditionally.
func (u *unit) moves(ty ir.TypeID) bool {
	switch n := u.t.At(ty); n.Kind {
	case ir.KInt:
		return n.Bits == 32 || n.Bits == 64
	case ir.KRef, ir.KIRef, ir.KUPtr:
		return true
	}
	return false
}

// chosen makes the SELECT in place of the branch at the end of block b.
func (u *unit) chosen(b ir.BlockID, yes, no arm, at int) {
	v := u.v
	l := v.Blocks[b].Insts
	term := l[len(l)-1]
	l = l[:len(l)-1]
	for _, a := range []arm{yes, no} {
		if a.block >= 0 {
			for _, id := range a.insts {
				v.Insts[id].Block = b
				l = append(l, id)
			}
			v.Blocks[a.block].Insts = slices.Clone(v.Blocks[a.block].Insts[len(a.insts):])
		}
	}
	v.Blocks[b].Insts = append(l, term)
	cond := v.Insts[term].Args[0]
	to := ir.Dest{Block: yes.to.Block, Args: slices.Clone(yes.to.Args)}
	ty := v.Values[to.Args[at]].Type
	sel := v.InsertBefore(b, len(v.Blocks[b].Insts)-1, ir.Inst{Op: ir.OpSelect, Ty: u.int1, Ty2: ty,
		Args: []ir.ValueID{cond, yes.to.Args[at], no.to.Args[at]}, Pos: v.Insts[term].Pos}, []ir.TypeID{ty}, nil)
	to.Args[at] = v.Insts[sel].Results[0]
	u.jump(&v.Insts[term], to)
}
