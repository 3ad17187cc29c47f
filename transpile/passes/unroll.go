package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// unroll puts copies of a small loop one after another, so that its iterations
// go through all of them in a circle. The tests stay: each copy leaves the loop
// where the original does. The gain is twofold: fewer jumps are taken, which
// bound the speed of small loops (as does their alignment in the machine's
// lines of instructions), and later passes find work that neighbouring
// iterations share.
//
//  1. A loop is taken if it is an innermost one, has only arithmetic, plain
//     accesses and branches in it and is small.
//  2. A value of the loop that is used after it becomes a parameter of the
//     blocks that the loop leaves to, and of those where ways from there meet:
//     copies of the loop have values of their own.
//  3. The blocks are copied; what leads back to the header leads to the next
//     copy's, from the last copy to the header. If the loop begins with
//     constants, the original is for the first iteration only, in which they can be
//     folded, and the last copy leads to the first.
//
// Needs: licm, or it would move the same from each copy. Leaves: blocks to join
// and chains of sums, for simplify and number.
func unroll(u *unit) int {
	cfg := u.cfg()
	loops := analysis.InnerLoops(u.v, cfg)
	r := newUnroller(u, cfg, loops)
	n := 0
	for i := range loops.List {
		lp := &loops.List[i]
		if lp.Inner || lp.Header == 0 || slices.Contains(u.cold, lp.Header) {
			continue
		}
		if k := r.times(lp); k > 1 {
			if r.close(analysis.LoopID(i)) {
				r.unroll(lp, k)
				n++
			}
		}
	}
	return n
}

// Bounds of what is unrolled.
const (
	unrollSize   = 128 // instructions that cost something, of all copies
	rotateSize   = 256 // the same, where parameters change places
	unrollTimes  = 4
	unrollBlocks = 8
)

type unroller struct {
	u     *unit
	cfg   *analysis.CFG
	loops *analysis.Loops
	uses  *analysis.Uses
	// copied lists the uses of values by copies of instructions, which uses does not contain.
	copied map[ir.ValueID][]ir.InstID
	// place is the original of a block that is a copy, more lists the copies that
	// lead to a block.
	place map[ir.BlockID]ir.BlockID
	more  map[ir.BlockID][]ir.BlockID
}

func newUnroller(u *unit, cfg *analysis.CFG, loops *analysis.Loops) *unroller {
	return &unroller{u: u, cfg: cfg, loops: loops, copied: map[ir.ValueID][]ir.InstID{},
		place: map[ir.BlockID]ir.BlockID{}, more: map[ir.BlockID][]ir.BlockID{}}
}

// times is the number of copies that a loop is to have; 1 if it stays as it is.
func (r *unroller) times(lp *analysis.Loop) int {
	if len(lp.Blocks) > unrollBlocks {
		return 1
	}
	size := 0
	for _, b := range lp.Blocks {
		blk := &r.u.v.Blocks[b]
		if blk.Exc != 0 {
			return 1
		}
		for _, id := range blk.Insts {
			in := &r.u.v.Insts[id]
			if !r.copies(in) {
				return 1
			}
			if in.Op != ir.OpBranch && !in.Op.Is(ir.Free) {
				size++
			}
		}
		if size > rotateSize/2 {
			return 1
		}
	}
	most := unrollSize
	if r.rotated(lp) > 1 {
		most = rotateSize
	}
	k := unrollTimes
	for k > 1 && k*size > most {
		k /= 2
	}
	return k
}

// begins reports whether something is known of the first iteration: a parameter of
// the header begins as a constant.
func (r *unroller) begins(lp *analysis.Loop) bool {
	v := r.u.v
	for _, b := range r.preds(lp.Header) {
		if slices.Contains(lp.Blocks, r.home(b)) {
			continue
		}
		t := v.Term(b)
		for k := range t.Dests {
			if d := &t.Dests[k]; d.Block == lp.Header {
				for _, a := range d.Args {
					if c := r.u.constant(a); c != nil && isNumber(c) {
						return true
					}
				}
			}
		}
	}
	return false
}

// rotated counts the parameters of the header that become another one in the
// next iteration. Each costs a move, but not from copy to copy.
func (r *unroller) rotated(lp *analysis.Loop) int {
	v := r.u.v
	n := 0
	for i, p := range v.Blocks[lp.Header].Params {
		for _, b := range lp.Blocks {
			t := v.Term(b)
			for k := range t.Dests {
				d := &t.Dests[k]
				if d.Block != lp.Header {
					continue
				}
				if a := d.Args[i]; a != p && v.Values[a].Kind == ir.ValueParam && v.Values[a].Def == int32(lp.Header) {
					n++
				}
			}
		}
	}
	return n
}

// copies reports whether a loop with the instruction in it is unrolled.
func (r *unroller) copies(in *ir.Inst) bool {
	switch {
	case !in.Op.Is(ir.Straight), in.Has(ir.FlagExc):
		return false
	case in.Op == ir.OpSwitch: // a loop with several ways is not small
		return false
	case in.Op.Is(ir.HasOrder) && !plain(in): // it takes longer than the branch that a copy saves
		return false
	}
	long := func(x ir.ValueID) bool { return !r.word(r.u.v.Values[x].Type) }
	return !slices.ContainsFunc(in.Args, long) && !slices.ContainsFunc(in.Results, long)
}

// word reports whether a value of a type is a number or an address.
func (r *unroller) word(ty ir.TypeID) bool {
	switch n := r.u.t.At(ty); n.Kind {
	case ir.KInt:
		return n.Bits <= 64
	case ir.KStruct, ir.KArray, ir.KVector, ir.KHybrid:
		return false
	}
	return true
}

// An outlet is a value of a loop as a block after the loop receives it.
type outlet struct {
	at ir.BlockID
	x  ir.ValueID
}

// close does step 2. It reports false, having changed nothing, if the loop must stay.
func (r *unroller) close(x analysis.LoopID) bool {
	v := r.u.v
	if r.uses == nil {
		r.uses = analysis.NewUses(v)
	}
	type use struct {
		id ir.InstID
		outlet
	}
	var outside []use
	var outs []outlet
	need := func(val ir.ValueID, b ir.BlockID) outlet {
		o := outlet{r.top(x, b), val}
		if !slices.Contains(outs, o) {
			outs = append(outs, o)
		}
		return o
	}
	look := func(val ir.ValueID) {
		for _, list := range [][]ir.InstID{r.uses.Of(val), r.copied[val]} {
			for _, id := range list {
				if at := r.home(v.Insts[id].Block); !r.loops.Contains(x, at) && len(outs) <= maxOuts {
					outside = append(outside, use{id, need(val, at)})
				}
			}
		}
	}
	for _, b := range r.loops.List[x].Blocks {
		for _, p := range v.Blocks[b].Params {
			look(p)
		}
		for _, id := range v.Blocks[b].Insts {
			for _, res := range v.Insts[id].Results {
				look(res)
			}
		}
	}
	for i := 0; i < len(outs); i++ {
		if len(outs) > maxOuts || v.Blocks[outs[i].at].Exc != 0 {
			return false
		}
		for _, p := range r.preds(outs[i].at) {
			if h := r.home(p); !r.loops.Contains(x, h) {
				need(outs[i].x, h)
			}
		}
	}
	params := map[outlet]ir.ValueID{}
	for _, o := range outs {
		params[o] = v.AddParam(o.at, v.Values[o.x].Type, v.Values[o.x].Name)
	}
	for _, w := range outside {
		in, p := &v.Insts[w.id], params[w.outlet]
		for _, l := range [][]ir.ValueID{in.Args, in.Keep} {
			replace(l, w.x, p)
		}
		for k := range in.Dests {
			replace(in.Dests[k].Args, w.x, p)
		}
		r.copied[p] = append(r.copied[p], w.id)
	}
	for _, o := range outs {
		for _, b := range r.preds(o.at) {
			arg := o.x
			if h := r.home(b); !r.loops.Contains(x, h) {
				arg = params[outlet{r.top(x, h), o.x}]
			}
			l := v.Blocks[b].Insts
			id := l[len(l)-1]
			for k := range v.Insts[id].Dests {
				if d := &v.Insts[id].Dests[k]; d.Block == o.at {
					d.Args = append(d.Args[:len(d.Args):len(d.Args)], arg)
					r.copied[arg] = append(r.copied[arg], id)
				}
			}
		}
	}
	return true
}

// preds lists the blocks that lead to a block, each once.
func (r *unroller) preds(b ir.BlockID) []ir.BlockID {
	l := slices.Concat(r.cfg.Preds[b], r.more[b])
	slices.Sort(l)
	return slices.Compact(l)
}

// top is the first block after a loop on all ways to a block that something in
// the loop dominates. A value of the loop is the same there and in the block.
func (r *unroller) top(x analysis.LoopID, b ir.BlockID) ir.BlockID {
	for !r.loops.Contains(x, r.cfg.Idom[b]) {
		b = r.cfg.Idom[b]
	}
	return b
}

// maxOuts is how many values of a loop may be used after it.
const maxOuts = 16

func replace(l []ir.ValueID, x, y ir.ValueID) {
	for i := range l {
		if l[i] == x {
			l[i] = y
		}
	}
}

// home is the original of a block, the block itself if it is no copy.
func (r *unroller) home(b ir.BlockID) ir.BlockID {
	if o, ok := r.place[b]; ok {
		return o
	}
	return b
}

// unroll does step 3.
func (r *unroller) unroll(lp *analysis.Loop, times int) {
	v := r.u.v
	first := r.begins(lp)
	if first {
		times++
	}
	headers := []ir.BlockID{lp.Header}
	back := [][]backEdge{r.backEdges(lp.Blocks, lp.Header)}
	for range times - 1 {
		blocks, _ := r.copyLoop(lp)
		var copies []ir.BlockID
		for _, b := range lp.Blocks {
			copies = append(copies, blocks[b])
		}
		headers = append(headers, blocks[lp.Header])
		back = append(back, r.backEdges(copies, blocks[lp.Header]))
	}
	again := 0 // the copy that follows the last
	if first {
		again = 1
	}
	for i, list := range back {
		for _, e := range list {
			if i < times-1 {
				v.Insts[e.id].Dests[e.k].Block = headers[i+1]
				continue
			}
			v.Insts[e.id].Dests[e.k].Block = headers[again]
			if again == 0 {
				r.more[lp.Header] = append(r.more[lp.Header], v.Insts[e.id].Block)
			}
		}
	}
}

// copyLoop copies the blocks of a loop, each once, and says what the copies and their values
// are. What leads back to the header leads to its copy.
func (r *unroller) copyLoop(lp *analysis.Loop) (blocks map[ir.BlockID]ir.BlockID, values map[ir.ValueID]ir.ValueID) {
	u, v := r.u, r.u.v
	blocks, values = map[ir.BlockID]ir.BlockID{}, map[ir.ValueID]ir.ValueID{}
	for _, b := range lp.Blocks {
		nb := u.newBlock(v.Blocks[b].Name, v.Blocks[b].Pos)
		blocks[b] = nb
		r.place[nb] = b
		for _, p := range v.Blocks[b].Params {
			values[p] = v.AddParam(nb, v.Values[p].Type, v.Values[p].Name)
		}
	}
	for _, b := range lp.Blocks {
		r.copyBlock(b, values, blocks)
	}
	return blocks, values
}

// backEdge says where a destination is.
type backEdge struct {
	id ir.InstID
	k  int
}

// backEdges lists the destinations in blocks that lead to a header.
func (r *unroller) backEdges(blocks []ir.BlockID, header ir.BlockID) []backEdge {
	v := r.u.v
	var out []backEdge
	for _, b := range blocks {
		l := v.Blocks[b].Insts
		id := l[len(l)-1]
		for k := range v.Insts[id].Dests {
			if v.Insts[id].Dests[k].Block == header {
				out = append(out, backEdge{id, k})
			}
		}
	}
	return out
}

// copyBlock copies the instructions of a block; the values of the loop that they
// use are copied already, except for those that they pass to the header.
func (r *unroller) copyBlock(b ir.BlockID, values map[ir.ValueID]ir.ValueID, blocks map[ir.BlockID]ir.BlockID) {
	u, v := r.u, r.u.v
	var outer []ir.ValueID
	list := func(l []ir.ValueID) []ir.ValueID {
		if l == nil {
			return nil
		}
		out := make([]ir.ValueID, len(l))
		for i, x := range l {
			if y, ok := values[x]; ok {
				x = y
			} else {
				outer = append(outer, x)
			}
			out[i] = x
		}
		return out
	}
	for _, id := range v.Blocks[b].Insts {
		in := v.Insts[id]
		results := in.Results
		types := make([]ir.TypeID, len(results))
		names := make([]string, len(results))
		for i, x := range results {
			types[i], names[i] = v.Values[x].Type, v.Values[x].Name
		}
		outer = outer[:0]
		in.Results, in.Args = nil, list(in.Args)
		dests := in.Dests
		in.Dests = nil
		for _, d := range dests {
			to, ok := blocks[d.Block]
			if !ok {
				to = d.Block
				r.more[to] = append(r.more[to], blocks[b])
			}
			in.Dests = append(in.Dests, ir.Dest{Block: to, Args: list(d.Args)})
		}
		nid := v.Append(blocks[b], in, types, names)
		u.setOrigin(nid, u.originOf(id))
		for i, x := range results {
			values[x] = v.Insts[nid].Results[i]
		}
		for _, x := range outer {
			r.copied[x] = append(r.copied[x], nid)
		}
	}
}
