package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// licm moves loop-invariant computations in front of the loop.
//
//  1. Loops are taken from the inside out. Before the header of each there is a
//     block that only leads there; it is made if there is none.
//  2. An instruction moves there if its operands come from outside the loop,
//     its result depends on nothing else, and either it cannot fail or it is
//     in the header before anything with an effect, so that it is executed
//     whenever the loop is entered.
//  3. A plain load depends on memory too: nothing in the loop may write its
//     location. It cannot fail if the location is a fixed place in a cell or
//     object that exists, or if an access before the loop has shown the
//     object to exist.
//
// Instructions as cheap as keeping a value in a register stay: comparisons, casts,
// fields.
//
// Needs: number, simplify (which removes the blocks that are left empty).
func licm(u *unit) int {
	cfg := u.cfg()
	loops := analysis.InnerLoops(u.v, cfg)
	if len(loops.List) == 0 {
		return 0
	}
	h := &hoister{memory: u.memory(), cfg: cfg, loops: loops}
	h.sum = h.clobbers(cfg, loops)
	h.home = make([]ir.BlockID, len(u.v.Values))
	for i := range h.home {
		h.home[i] = h.defBlock(ir.ValueID(i))
	}
	n := 0
	for i := range loops.List {
		n += h.loop(analysis.LoopID(i))
	}
	return n
}

type hoister struct {
	*memory
	cfg   *analysis.CFG
	loops *analysis.Loops
	sum   []clobber
	home  []ir.BlockID // where each value is defined, -1 for constants
}

func (h *hoister) defBlock(x ir.ValueID) ir.BlockID {
	switch d := &h.u.v.Values[x]; d.Kind {
	case ir.ValueParam, ir.ValueExcParam:
		return ir.BlockID(d.Def)
	case ir.ValueResult:
		return h.u.v.Insts[d.Def].Block
	}
	return -1
}

// within reports whether a block is in a loop.
func (h *hoister) within(x analysis.LoopID, b ir.BlockID) bool {
	return b >= 0 && h.loops.Contains(x, b)
}

func (h *hoister) loop(x analysis.LoopID) int {
	u, v := h.u, h.u.v
	lp := &h.loops.List[x]
	var move []ir.InstID
	moved := map[ir.ValueID]bool{}
	invariant := func(a ir.ValueID) bool {
		return moved[a] || !h.within(x, h.home[a])
	}
	for _, b := range lp.Blocks {
		sure := b == lp.Header
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			if h.movable(in, x, sure) {
				ok := true
				for _, a := range in.Args {
					ok = ok && invariant(a)
				}
				if ok {
					move = append(move, id)
					moved[in.Results[0]] = true
					continue
				}
			}
			if sure && !u.droppable(in) {
				sure = false
			}
		}
	}
	move = h.worthwhile(move)
	if len(move) == 0 {
		return 0
	}
	pre := h.preheader(x)
	if pre < 0 {
		return 0
	}
	gone := map[ir.InstID]bool{}
	for _, id := range move {
		gone[id] = true
	}
	for _, b := range lp.Blocks {
		v.Blocks[b].Insts = slices.DeleteFunc(v.Blocks[b].Insts, func(id ir.InstID) bool { return gone[id] })
	}
	l := v.Blocks[pre].Insts
	term := l[len(l)-1]
	l = append(l[:len(l)-1], move...)
	v.Blocks[pre].Insts = append(l, term)
	for _, id := range move {
		v.Insts[id].Block = pre
		for _, r := range v.Insts[id].Results {
			h.home[r] = pre
		}
	}
	return len(move)
}

// movable reports whether an instruction may be executed before a loop instead,
// its operands apart. sure says that it is executed whenever the loop is.
func (h *hoister) movable(in *ir.Inst, x analysis.LoopID, sure bool) bool {
	if len(in.Results) != 1 || in.IsTerminator() {
		return false
	}
	if in.Op == ir.OpLoad {
		if !plain(in) || in.Has(ir.FlagPtr) || h.u.t.Kind(in.Ty) == ir.KWeakRef {
			return false
		}
		if !h.survives(h.location(in), &h.sum[x]) {
			return false
		}
		return sure || h.u.valid(in.Args[0]) || h.shown(in.Args[0], h.loops.List[x].Header)
	}
	switch {
	case in.Op == ir.OpKillDependency || in.Op == ir.OpCurrentStack:
		return false
	case h.u.releases(in):
		return false
	case !numbered(in):
		return false
	}
	return sure || h.u.droppable(in)
}

// worthwhile keeps the instructions that cost something, and those that they need.
func (h *hoister) worthwhile(move []ir.InstID) []ir.InstID {
	v := h.u.v
	need := map[ir.ValueID]bool{}
	keep := make([]bool, len(move))
	for i := len(move) - 1; i >= 0; i-- {
		in := &v.Insts[move[i]]
		if need[in.Results[0]] || !h.cheap(in) {
			keep[i] = true
			for _, a := range in.Args {
				need[a] = true
			}
		}
	}
	var out []ir.InstID
	for i, id := range move {
		if keep[i] {
			out = append(out, id)
		}
	}
	return out
}

// cheap reports whether recomputing a value costs no more than keeping it.
func (h *hoister) cheap(in *ir.Inst) bool {
	if comparison(in.Op) {
		return h.u.t.Kind(in.Ty) != ir.KVector
	}
	switch {
	case in.Op.Is(ir.Free):
		return true
	case in.Op.Is(ir.Indexed), in.Op.Is(ir.Quick) && len(in.Args) == 2:
		return h.u.constant(in.Args[1]) != nil
	}
	return in.Op.Is(ir.Quick) && !in.Op.Is(ir.Signed)
}

// shown reports whether an access that dominates the header has shown that a
// field exists: an access of it or of a later field of the same struct. The
// type alone does not show that, because references can be cast to anything.
func (h *hoister) shown(addr ir.ValueID, header ir.BlockID) bool {
	if h.accessed(addr, header) {
		return true
	}
	f := h.u.def(addr)
	if f == nil || f.Op != ir.OpGetFieldIRef || f.Has(ir.FlagPtr) {
		return false
	}
	for _, id := range h.few(f.Args[0]) {
		g := &h.u.v.Insts[id]
		if g.Op == f.Op && g.Ty == f.Ty && g.Imm > f.Imm && h.accessed(g.Results[0], header) {
			return true
		}
	}
	return false
}

// few lists the first uses of a value.
func (h *hoister) few(x ir.ValueID) []ir.InstID {
	uses := h.uses.Of(x)
	return uses[:min(len(uses), 32)]
}

// accessed reports whether an address is accessed wherever a block is reached.
func (h *hoister) accessed(addr ir.ValueID, before ir.BlockID) bool {
	for _, id := range h.few(addr) {
		in := &h.u.v.Insts[id]
		if (in.Op == ir.OpLoad || in.Op == ir.OpStore) && in.Args[0] == addr && !in.Has(ir.FlagExc) &&
			in.Block != before && int(in.Block) < len(h.cfg.Index) && h.cfg.Reachable(in.Block) && h.cfg.Dominates(in.Block, before) {
			return true
		}
	}
	return false
}

// preheader is the block that only leads to the header of a loop; -1 if the
// loop cannot have one.
func (h *hoister) preheader(x analysis.LoopID) ir.BlockID {
	u, v := h.u, h.u.v
	header := h.loops.List[x].Header
	var outside []edge
	seen := ir.BlockID(-1)
	for _, b := range h.cfg.Preds[header] { // edges are only redirected here
		if b == seen || h.within(x, b) {
			continue
		}
		seen = b
		t := v.Term(b)
		for k := range t.Dests {
			if t.Dests[k].Block == header {
				outside = append(outside, edge{t, k})
			}
		}
	}
	if len(outside) == 1 && outside[0].from.Op == ir.OpBranch {
		return outside[0].from.Block
	}
	if v.Blocks[header].Exc != 0 || len(outside) == 0 {
		return -1
	}
	pre := u.newBlock(v.Blocks[header].Name, v.Blocks[header].Pos)
	var args []ir.ValueID
	for _, p := range v.Blocks[header].Params {
		args = append(args, v.AddParam(pre, v.Values[p].Type, v.Values[p].Name))
	}
	for len(h.home) < len(v.Values) {
		h.home = append(h.home, pre)
	}
	for _, e := range outside {
		e.dest().Block = pre
	}
	// The block is in the loops around this one.
	around := h.loops.List[x].Parent
	h.loops.Of = append(h.loops.Of, around)
	for y := around; y >= 0; y = h.loops.List[y].Parent {
		lp := &h.loops.List[y]
		at := len(lp.Blocks)
		if at < 1000 {
			at = slices.Index(lp.Blocks, header)
		}
		lp.Blocks = slices.Insert(lp.Blocks, at, pre)
	}
	v.Append(pre, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{{Block: header, Args: args}}, Pos: v.Blocks[header].Pos}, nil, nil)
	return pre
}
