package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// balance shortens the dependence chains between iterations of a loop, by laws of
// arithmetic on integers of up to 64 bits. The machine computes several things at
// once, but a sum such as ((a + b) + c) + d only in the order written; the operand
// that the iteration before delivers last is to be added last. Floating point is
// left alone: it has no such laws.
//
//  1. An estimate says when each value is known, counting from the first iteration,
//     three times around all loops: a value for which each iteration waits for the one
//     before is then later than one that runs ahead, such as a counter and what is
//     loaded at its place.
//  2. A mixture of bits, (a AND b) XOR (NOT a AND c), is written with one operation
//     fewer, ((b XOR c) AND a) XOR c.
//  3. The operands of a chain of the same operation are put in the order in
//     which they are known, a constant second, where a machine adds it at no
//     cost. This is done if it makes the result known earlier, and if iterations
//     wait for the result: each further iteration makes it considerably later.
//
// A chain lies in one block, and nothing else reads the results inside of it. Its
// operations move to its end. They cannot fail.
//
// Needs: all other passes; it undoes the form that they give to constants.
func balance(u *unit) int {
	b := &balancer{u: u}
	if !b.any() {
		return 0
	}
	cfg := u.cfg()
	loops := analysis.InnerLoops(u.v, cfg)
	if len(loops.List) == 0 {
		return 0
	}
	b.count()
	n := 0
	for _, blk := range cfg.Order {
		if loops.Of[blk] >= 0 {
			n += b.mixtures(blk)
		}
	}
	if n > 0 {
		b.count()
	}
	b.estimate(cfg)
	for _, blk := range cfg.Order {
		if loops.Of[blk] >= 0 {
			n += b.chains(blk)
		}
	}
	return n
}

// balanceTurns is how often the estimate goes around.
const balanceTurns = 3

// balanceWait is by how many cycles a result is known later in the next iteration,
// if iterations wait for it.
const balanceWait = 4

type balancer struct {
	u     *unit
	uses  []int32 // by ValueID: mentions
	known []int32 // by ValueID: the estimate, in cycles
	turn  []int32 // by ValueID: the same, one iteration before
	inner []bool  // by InstID: part of a chain that has been looked at
}

// chained reports whether an operation is associative and commutative.
func (b *balancer) chained(in *ir.Inst) bool {
	n := b.u.t.At(in.Ty)
	return in.Op.Is(ir.Associative) && n.Kind == ir.KInt && n.Bits <= 64
}

// any reports whether there is a chain at all.
func (b *balancer) any() bool {
	v := b.u.v
	for k := range v.Blocks {
		for _, id := range v.Blocks[k].Insts {
			in := &v.Insts[id]
			if !b.chained(in) {
				continue
			}
			for _, a := range in.Args {
				if d := b.u.def(a); d != nil && d.Op == in.Op || b.masked(a) != nil {
					return true
				}
			}
		}
	}
	return false
}

func (b *balancer) count() {
	v := b.u.v
	b.uses = make([]int32, len(v.Values))
	for k := range v.Blocks {
		for _, id := range v.Blocks[k].Insts {
			eachUse(&v.Insts[id], func(x ir.ValueID) { b.uses[x]++ })
		}
	}
}

// masked is the AND that a value is a result of, or nil.
func (b *balancer) masked(x ir.ValueID) *ir.Inst {
	if d := b.u.def(x); d != nil && d.Op == ir.OpAnd && b.chained(d) {
		return d
	}
	return nil
}

// mixtures does step 2.
func (b *balancer) mixtures(blk ir.BlockID) int {
	v := b.u.v
	n := 0
	for at := 0; at < len(v.Blocks[blk].Insts); at++ {
		in := &v.Insts[v.Blocks[blk].Insts[at]]
		if in.Op != ir.OpXor && in.Op != ir.OpOr && in.Op != ir.OpAdd || !b.chained(in) {
			continue
		}
		p, q := b.masked(in.Args[0]), b.masked(in.Args[1])
		if p == nil || q == nil || p == q || p.Block != blk || q.Block != blk || b.uses[in.Args[0]] != 1 || b.uses[in.Args[1]] != 1 {
			continue
		}
		a, x, y, ok := b.opposite(p, q)
		if !ok {
			continue
		}
		// p and q are rewritten and moved in front of the operation.
		l := v.Blocks[blk].Insts
		pid, qid := v.Values[in.Args[0]].Def, v.Values[in.Args[1]].Def
		l = slices.DeleteFunc(l[:at], func(id ir.InstID) bool { return int32(id) == pid || int32(id) == qid })
		v.Blocks[blk].Insts = append(l, append([]ir.InstID{ir.InstID(pid), ir.InstID(qid)}, v.Blocks[blk].Insts[at:]...)...)
		p.Op, p.Args = ir.OpXor, []ir.ValueID{x, y}
		q.Args = []ir.ValueID{p.Results[0], a}
		in.Op, in.Args = ir.OpXor, []ir.ValueID{q.Results[0], y}
		v.Values[p.Results[0]].Name, v.Values[q.Results[0]].Name = "", ""
		n++
	}
	return n
}

// opposite finds a, x and y if of two ANDs one is of a and x, the other of NOT
// a and y.
func (b *balancer) opposite(p, q *ir.Inst) (a, x, y ir.ValueID, ok bool) {
	for i := range 2 {
		for k := range 2 {
			if b.isNot(q.Args[k], p.Args[i]) {
				return p.Args[i], p.Args[1-i], q.Args[1-k], true
			}
			if b.isNot(p.Args[i], q.Args[k]) {
				return q.Args[k], q.Args[1-k], p.Args[1-i], true
			}
		}
	}
	return 0, 0, 0, false
}

// isNot reports whether x is all bits of a inverted.
func (b *balancer) isNot(x, a ir.ValueID) bool {
	d := b.u.def(x)
	if d == nil || d.Op != ir.OpXor || d.Args[0] != a {
		return false
	}
	k, ok := b.u.intConst(d.Args[1])
	return ok && k == mask(b.u.t.At(d.Ty).Bits)
}

// estimate does step 1.
func (b *balancer) estimate(cfg *analysis.CFG) {
	v := b.u.v
	b.known = make([]int32, len(v.Values))
	again := make([]int32, len(v.Values)) // estimates that come over back edges
	for range balanceTurns {
		b.turn = slices.Clone(b.known)
		for _, blk := range cfg.Order {
			for _, p := range v.Blocks[blk].Params {
				b.known[p], again[p] = again[p], 0
			}
		}
		for _, blk := range cfg.Order {
			for _, id := range v.Blocks[blk].Insts {
				in := &v.Insts[id]
				at := int32(0)
				for _, a := range in.Args {
					at = max(at, b.known[a])
				}
				at += latency(in)
				for _, r := range in.Results {
					b.known[r] = at
				}
				for i := range in.Dests {
					d := &in.Dests[i]
					to := b.known
					if cfg.Index[d.Block] <= cfg.Index[blk] {
						to = again
					}
					for k, p := range v.Blocks[d.Block].Params {
						to[p] = max(to[p], b.known[d.Args[k]])
					}
				}
			}
		}
	}
}

// latency is roughly how many cycles after its operands a result is known.
func latency(in *ir.Inst) int32 {
	switch in.Op {
	case ir.OpMul:
		return 3
	case ir.OpFDiv, ir.OpMathSqrt:
		return 12
	case ir.OpLoad:
		return 4
	case ir.OpTrunc, ir.OpZExt:
		return 0
	}
	switch {
	case in.Op.Is(ir.Divides):
		return 12
	case in.Op.Is(ir.Free):
		return 0
	}
	switch in.Op.Info().Class {
	case ir.ClassIntBin, ir.ClassCmpEQ, ir.ClassCmpInt, ir.ClassCmpULT, ir.ClassSelect, ir.ClassAddr:
		return 1
	case ir.ClassFPBin, ir.ClassCmpFP, ir.ClassConv:
		return 4
	}
	return 10
}

// chains does step 3.
func (b *balancer) chains(blk ir.BlockID) int {
	v := b.u.v
	if b.inner == nil {
		b.inner = make([]bool, len(v.Insts))
	}
	// moved are the operations of a chain, in order, by its last one.
	moved := map[ir.InstID][]ir.InstID{}
	l := v.Blocks[blk].Insts
	for i := len(l) - 1; i >= 0; i-- {
		if root := l[i]; !b.inner[root] && b.chained(&v.Insts[root]) {
			if ops := b.chain(root); ops != nil {
				moved[root] = ops
			}
		}
	}
	if len(moved) == 0 {
		return 0
	}
	gone := map[ir.InstID]bool{}
	for _, ops := range moved {
		for _, id := range ops {
			gone[id] = true
		}
	}
	var list []ir.InstID
	for _, id := range l {
		if ops := moved[id]; ops != nil {
			list = append(list, ops...)
		} else if !gone[id] {
			list = append(list, id)
		}
	}
	v.Blocks[blk].Insts = list
	return len(moved)
}

// chain puts the operands of the chain that ends with an instruction in order.
// It returns the operations, the last one last, or nil if the order is good.
func (b *balancer) chain(root ir.InstID) []ir.InstID {
	v := b.u.v
	op, ty, blk := v.Insts[root].Op, v.Insts[root].Ty, v.Insts[root].Block
	var ops []ir.InstID
	var leaves []ir.ValueID
	work := []ir.ValueID{v.Insts[root].Results[0]}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		val := &v.Values[x]
		if val.Kind == ir.ValueResult {
			id := ir.InstID(val.Def)
			if in := &v.Insts[id]; id == root || in.Op == op && in.Ty == ty && in.Block == blk && b.uses[x] == 1 {
				b.inner[id] = true
				ops = append(ops, id)
				work = append(work, in.Args[1], in.Args[0])
				continue
			}
		}
		leaves = append(leaves, x)
	}
	if len(leaves) < 3 {
		return nil
	}
	slices.SortStableFunc(leaves, func(x, y ir.ValueID) int { return int(b.known[x] - b.known[y]) })
	if k := slices.IndexFunc(leaves, func(x ir.ValueID) bool { return b.u.constant(x) == nil }); k > 0 {
		c := leaves[0]
		leaves[0] = leaves[k]
		copy(leaves[2:k+1], leaves[1:k])
		leaves[1] = c
	}
	cost := latency(&v.Insts[root])
	at := b.known[leaves[0]]
	for _, x := range leaves[1:] {
		at = max(at, b.known[x]) + cost
	}
	last := v.Insts[root].Results[0]
	if at >= b.known[last] || b.known[last]-b.turn[last] < balanceWait {
		return nil
	}
	slices.Reverse(ops) // the last one was found first
	acc := leaves[0]
	for i, id := range ops {
		in := &v.Insts[id]
		in.Args = []ir.ValueID{acc, leaves[i+1]}
		acc = in.Results[0]
		b.known[acc] = at
		if id != root {
			v.Values[acc].Name = ""
		}
	}
	return ops
}
