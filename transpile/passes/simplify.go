package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// simplify tidies the graph of blocks.
//
//  1. Branches with a known destination become jumps.
//  2. Unreachable blocks go.
//  3. Parameters that get the same value over all edges are replaced by it
//     (params.go).
//  4. Edges to a block that only jumps on are redirected to where it jumps.
//  5. A block that only one jump leads to is merged into the block of the jump.
//
// Each step may open the way for the others; a few rounds do for real code.
//
// Needs: names. Leaves: no unreachable blocks.
func simplify(u *unit) int {
	total := 0
	for range 8 {
		n := u.knownBranches()
		n += u.unreachable()
		n += u.redundantParams()
		n += u.thread()
		n += u.mergeChains()
		total += n
		if n == 0 {
			u.finished = true
			break
		}
	}
	return total
}

// jump turns a terminator into a jump to one of its destinations.
func (u *unit) jump(in *ir.Inst, d ir.Dest) {
	*in = ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{d}}.InPlaceOf(in)
}

// knownBranches does step 1.
func (u *unit) knownBranches() int {
	v, n := u.v, 0
	for b := range v.Blocks {
		in := v.Term(ir.BlockID(b))
		if in == nil || in.Op != ir.OpBranch2 && in.Op != ir.OpSwitch {
			continue
		}
		if d, ok := u.onlyWay(in); ok {
			u.jump(in, in.Dests[d])
			n++
		}
	}
	return n
}

// onlyWay is the destination that a BRANCH2 or SWITCH always takes.
func (u *unit) onlyWay(in *ir.Inst) (d int, ok bool) {
	same := true
	for i := range in.Dests[1:] {
		same = same && in.Dests[1+i].Block == in.Dests[0].Block && slices.Equal(in.Dests[1+i].Args, in.Dests[0].Args)
	}
	if same {
		return 0, true
	}
	c := u.constant(in.Args[0])
	if c == nil || !isNumber(c) {
		return 0, false
	}
	if in.Op == ir.OpBranch2 {
		return int(1 - c.Lo&1), true
	}
	for i, k := range in.Args[1:] {
		kc := u.constant(k)
		if kc == nil || !isNumber(kc) {
			return 0, false
		}
		if kc.Kind == c.Kind && kc.Lo == c.Lo && kc.Hi == c.Hi {
			return 1 + i, true
		}
	}
	return 0, true
}

// unreachable does step 2.
func (u *unit) unreachable() int {
	v := u.v
	seen := analysis.Reach(v, 0)
	n := 0
	for b := range v.Blocks {
		if !seen[b] && !v.Blocks[b].Dead {
			u.kill(ir.BlockID(b))
			n++
		}
	}
	return n
}

// edge is a destination and the instruction that has it.
type edge struct {
	from *ir.Inst
	k    int
}

func (e edge) dest() *ir.Dest { return &e.from.Dests[e.k] }

// edges lists the edges into each block. The list is valid while no
// instruction is added.
func (u *unit) edges() [][]edge {
	v := u.v
	into, n := u.edgeCounts()
	all := make([]edge, n)
	out := make([][]edge, len(v.Blocks))
	for b, n := range into {
		out[b], all = all[:0:n], all[n:]
	}
	for b := range v.Blocks {
		if t := v.Term(ir.BlockID(b)); t != nil {
			for k := range t.Dests {
				to := t.Dests[k].Block
				out[to] = append(out[to], edge{t, k})
			}
		}
	}
	return out
}

// edgeCounts counts the edges into each block, and all.
func (u *unit) edgeCounts() (into []int32, n int) {
	into = make([]int32, len(u.v.Blocks))
	for b := range into {
		if t := u.v.Term(ir.BlockID(b)); t != nil {
			for k := range t.Dests {
				into[t.Dests[k].Block]++
			}
			n += len(t.Dests)
		}
	}
	return into, n
}

// passable lists the blocks that only jump on, each after the one that it jumps to, if
// that is one of them: so thread redirects each edge once, to the end of a chain. Of a
// circle, the block with the lowest number is the last.
func (u *unit) passable() []ir.BlockID {
	v := u.v
	next := make([]ir.BlockID, len(v.Blocks)) // of blocks that only jump on and are not listed; 0: no such block
	for b := 1; b < len(v.Blocks); b++ {
		blk := &v.Blocks[b]
		if len(blk.Insts) != 1 {
			continue
		}
		if t := &v.Insts[blk.Insts[0]]; t.Op == ir.OpBranch && t.Dests[0].Block != ir.BlockID(b) {
			next[b] = t.Dests[0].Block
		}
	}
	var list []ir.BlockID
	for b := range next {
		first := len(list)
		for x := ir.BlockID(b); next[x] != 0; {
			list = append(list, x)
			x, next[x] = next[x], 0
		}
		slices.Reverse(list[first:])
	}
	return list
}

// thread does step 4. A block can be passed by if nothing but its jump reads its
// parameters.
func (u *unit) thread() int {
	v := u.v
	list := u.passable()
	if len(list) == 0 {
		return 0
	}
	uses := make([]int32, len(v.Values))
	for b := range v.Blocks {
		for _, id := range v.Blocks[b].Insts {
			eachUse(&v.Insts[id], func(x ir.ValueID) { uses[x]++ })
		}
	}
	into := u.edges()
	place := map[ir.ValueID]int{}
	n := 0
	for _, b := range list {
		blk := &v.Blocks[b]
		jump := &v.Insts[blk.Insts[0]].Dests[0]
		if jump.Block == b {
			continue // since other blocks were passed by
		}
		clear(place)
		for i, p := range blk.Params {
			place[p] = i
			uses[p] *= -1
		}
		ok := true
		for _, a := range jump.Args {
			if _, own := place[a]; own {
				uses[a]++
			}
			ok = ok && a != blk.Exc
		}
		for _, p := range blk.Params {
			ok = ok && uses[p] == 0
		}
		if blk.Exc != 0 && uses[blk.Exc] != 0 {
			ok = false
		}
		if !ok {
			for _, p := range blk.Params {
				uses[p] = 1 << 20 // used elsewhere; not looked at again
			}
			continue
		}
		for _, e := range into[b] {
			d := e.dest()
			args := make([]ir.ValueID, len(jump.Args))
			for i, a := range jump.Args {
				if k, own := place[a]; own {
					a = d.Args[k]
				}
				args[i] = a
				uses[a]++
			}
			for _, a := range d.Args {
				uses[a]--
			}
			*d = ir.Dest{Block: jump.Block, Args: args}
			into[jump.Block] = append(into[jump.Block], e)
			n++
		}
		into[b] = nil
	}
	if n > 0 {
		u.unreachable()
	}
	return n
}

// mergeChains does step 5.
func (u *unit) mergeChains() int {
	v := u.v
	into, _ := u.edgeCounts()
	r := u.rename()
	n := 0
	for _, b := range analysis.Order(v) {
		for !v.Blocks[b].Dead {
			t := v.Term(b)
			if t.Op != ir.OpBranch {
				break
			}
			d := t.Dests[0]
			x := &v.Blocks[d.Block]
			if into[d.Block] != 1 || d.Block == b || d.Block == 0 || x.Exc != 0 {
				break
			}
			for i, p := range x.Params {
				r.set(p, d.Args[i])
			}
			blk := &v.Blocks[b]
			blk.Insts = blk.Insts[:len(blk.Insts)-1]
			for _, id := range x.Insts {
				v.Insts[id].Block = b
			}
			blk.Insts = append(blk.Insts, x.Insts...)
			u.kill(d.Block)
			n++
		}
	}
	r.apply()
	return n
}
