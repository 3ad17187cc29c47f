package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// number walks the dominator tree and replaces what is known already:
//
//   - copies, by what they copy;
//   - operations on constants, and those that algebra simplifies (fold.go);
//   - an operation that a dominating instruction has done on the same operands
//     (global value numbering). Divisions and addresses that may fail count
//     too: had they failed, control would not have come here;
//   - a value that a branch has compared with a constant, in blocks that only
//     that way of the branch leads to;
//   - a comparison with NULL of a reference through which an access has gone.
//
// Exception clauses of accesses and divisions that cannot fail go as well.
// Comparisons are shared within a block only: Go makes better code of a
// comparison that is written where it is branched on.
//
// Needs: no unreachable blocks. Leaves: dead instructions, for dce.
func number(u *unit) int {
	w := &numberer{u: u, r: u.rename(), holds: &u.state.holds}
	w.into, _ = u.edgeCounts()
	w.cases = make([]int32, len(w.into))
	for b := range w.into {
		if t := u.v.Term(ir.BlockID(b)); t != nil && t.Op == ir.OpSwitch {
			for k := range t.Dests {
				w.cases[t.Dests[k].Block] = int32(k)
			}
		}
	}
	w.reserve(len(u.v.Insts), len(u.v.Values))
	cfg := u.cfg()
	kids := cfg.Children()
	type frame struct {
		b     ir.BlockID
		leave bool
		mark  int
	}
	work := []frame{{b: 0}}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if f.leave {
			w.undo(f.mark)
			continue
		}
		work = append(work, frame{leave: true, mark: len(w.log)})
		if f.b != 0 {
			w.learn(cfg, f.b)
		}
		w.block(f.b)
		for _, k := range kids[f.b] {
			work = append(work, frame{b: k})
		}
	}
	return w.n
}

type numberer struct {
	u    *unit
	r    *rename
	into []int32 // edges into each block
	// cases is the destination of a SWITCH by which a block is reached, if only one edge leads there.
	cases []int32
	*holds
	n int
}

// value is what to use for an operand.
func (w *numberer) value(x ir.ValueID) ir.ValueID {
	x = w.r.find(x)
	if f := w.fact(x); f != 0 {
		return f
	}
	return w.u.canonical(x)
}

// know notes that a value is a constant in the part of the tree being walked.
func (w *numberer) know(x, c ir.ValueID) {
	x = w.r.find(x)
	if w.u.v.Values[x].Kind == ir.ValueConst {
		return
	}
	if w.fact(x) == 0 {
		w.setFact(x, c)
	}
}

func (w *numberer) trust(x ir.ValueID) {
	if x = w.r.find(x); !w.safe(x) {
		w.setSafe(x)
	}
}

// accessed notes that an access has not failed: neither its address is NULL nor the reference
// that this was computed from.
func (w *numberer) accessed(addr ir.ValueID) {
	w.trust(addr)
	if ref, ok := w.u.object(w.r.find(addr)); ok {
		w.trust(ref)
	}
}

// learn notes what the only edge into a block tells.
func (w *numberer) learn(cfg *analysis.CFG, b ir.BlockID) {
	if w.into[b] != 1 {
		return
	}
	t := w.u.v.Term(cfg.Preds[b][0])
	switch t.Op {
	case ir.OpBranch2:
		w.branch(t.Args[0], t.Dests[0].Block == b, 8)
	case ir.OpSwitch:
		if k := w.cases[b]; k > 0 {
			if c := w.u.constant(t.Args[k]); c != nil && isNumber(c) {
				w.know(t.Args[0], w.value(t.Args[k]))
			}
		}
	}
	if t.Op.Is(ir.Access) && t.Has(ir.FlagExc) && t.Dests[0].Block == b {
		w.accessed(t.Args[0])
	}
}

func (w *numberer) bool(b bool) ir.ValueID {
	lo := uint64(0)
	if b {
		lo = 1
	}
	return w.u.constBits(ir.ConstInt, w.u.int1, lo, 0)
}

// branch notes that a condition holds, or that it does not.
func (w *numberer) branch(c ir.ValueID, yes bool, depth int) {
	w.know(c, w.bool(yes))
	in := w.u.def(c)
	if in == nil || depth == 0 {
		return
	}
	isBool := in.Ty == w.u.int1
	switch in.Op {
	case ir.OpEQ, ir.OpNE:
		if yes == (in.Op == ir.OpEQ) {
			x, y := w.value(in.Args[0]), w.value(in.Args[1])
			if k := w.u.constant(x); k != nil && isNumber(k) {
				x, y = y, x
			}
			if k := w.u.constant(y); k != nil && isNumber(k) {
				w.know(x, y)
			}
		}
	case ir.OpAnd, ir.OpOr:
		if isBool && yes == (in.Op == ir.OpAnd) {
			w.branch(w.r.find(in.Args[0]), yes, depth-1)
			w.branch(w.r.find(in.Args[1]), yes, depth-1)
		}
	case ir.OpXor:
		if k := w.u.constant(in.Args[1]); isBool && k != nil {
			w.branch(w.r.find(in.Args[0]), yes != (k.Lo&1 == 1), depth-1)
		}
	}
}

func (w *numberer) operands(in *ir.Inst) {
	for i, a := range in.Args {
		if x := w.value(a); x != a {
			in.Args[i] = x
			w.n++
		}
	}
	for d := range in.Dests {
		args := in.Dests[d].Args
		for i, a := range args {
			if x := w.value(a); x != a {
				args[i] = x
				w.n++
			}
		}
	}
}

func (w *numberer) block(b ir.BlockID) {
	u, v := w.u, w.u.v
	for i := 0; i < len(v.Blocks[b].Insts); i++ {
		id := v.Blocks[b].Insts[i]
		in := &v.Insts[id]
		w.operands(in)
		if len(in.Keep) > 0 {
			k := w.r.keep(b, i)
			i += k
			w.n += k
			in = &v.Insts[id]
		}
		if in.Op.Is(ir.Access) {
			if in.Has(ir.FlagExc) {
				if w.safe(in.Args[0]) || u.notNull(in.Args[0]) {
					u.dropExc(b, in)
					w.n++
					in = &v.Insts[id]
				}
			}
			if !in.Has(ir.FlagExc) {
				w.accessed(in.Args[0])
			}
			continue
		}
		if in.Has(ir.FlagExc) && u.dividesSafely(in) {
			u.dropExc(b, in)
			w.n++
			in = &v.Insts[id]
		}
		if len(in.Results) != 1 || in.IsTerminator() || !numbered(in) {
			continue
		}
		if isWord(in.Op) && u.narrow(b, i) {
			w.n++
			i-- // the inserted instruction comes next
			continue
		}
		res := in.Results[0]
		if (in.Op == ir.OpEQ || in.Op == ir.OpNE) && w.safe(in.Args[0]) && u.isNull(in.Args[1]) {
			w.r.set(res, u.boolean(in.Op == ir.OpNE))
			w.n++
			continue
		}
		if x := u.fold(in); x != 0 {
			if x != res {
				w.r.set(res, w.value(x))
				w.n++
			}
			continue
		}
		if w.lookup(in, b) && !u.droppable(in) {
			// It cannot fail, as the equal instruction before has not.
			v.Blocks[b].Insts = slices.Delete(v.Blocks[b].Insts, i, i+1)
			i--
		}
	}
}

// numbered reports whether equal instructions have equal results.
func numbered(in *ir.Inst) bool { return in.Op.Is(ir.Same) || in.Op.Pure() }

// lookup replaces an instruction by an earlier equal one, if there is one.
func (w *numberer) lookup(in *ir.Inst, b ir.BlockID) bool {
	if w.u.releases(in) {
		return false
	}
	key := expr{op: in.Op, ptr: in.Has(ir.FlagPtr), ty: in.Ty, ty2: in.Ty2, imm: in.Imm}
	if len(in.Args) > len(key.args) {
		return false
	}
	copy(key.args[:], in.Args)
	if in.Op.Is(ir.Commutative) && key.args[0] > key.args[1] {
		key.args[0], key.args[1] = key.args[1], key.args[0]
	}
	x := w.seen(key, in.Results[0])
	if x == 0 {
		return false
	}
	x = w.value(x)
	if comparison(in.Op) && w.u.v.Values[x].Kind != ir.ValueConst && w.u.def(x).Block != b {
		return false
	}
	w.r.set(in.Results[0], x)
	w.n++
	return true
}

func comparison(op ir.Op) bool {
	switch op.Info().Class {
	case ir.ClassCmpEQ, ir.ClassCmpFP, ir.ClassCmpInt, ir.ClassCmpULT:
		return true
	}
	return false
}

// dividesSafely reports whether a division or checked sum cannot fail.
func (u *unit) dividesSafely(in *ir.Inst) bool {
	if !in.Op.Is(ir.Divides) {
		return false
	}
	c := u.constant(in.Args[1])
	return c != nil && c.Kind == ir.ConstInt && c.Lo|c.Hi != 0
}

// notNull reports whether an address cannot be in the NULL zone: it comes from
// an allocation or a cell, without pointer arithmetic.
func (u *unit) notNull(x ir.ValueID) bool {
	x = u.base(x)
	if c := u.constant(x); c != nil {
		return c.Kind == ir.ConstGlobal
	}
	in := u.def(x)
	return in != nil && in.Op.Is(ir.Allocates)
}

// dropExc takes the exception clause from the last instruction of a block; a
// jump to its normal destination follows.
func (u *unit) dropExc(b ir.BlockID, in *ir.Inst) {
	d := in.Dests[0]
	in.Flags &^= ir.FlagExc
	in.Dests = nil
	u.v.Append(b, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{d}, Pos: in.Pos}, nil, nil)
}
