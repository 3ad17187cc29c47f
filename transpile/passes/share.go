package passes

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// share copies further callees into a body, steps 7 and 8 of inlining. It is a pass of its own so that it can be left out
// for engines that need a frame for each body.
func share(u *unit) int {
	if !u.shares() {
		return 0
	}
	u.sharing = true
	defer func() { u.sharing = false }()
	n := 0
	if u.v.Func.Attrs&ir.NoInline == 0 {
		n = u.inlineSelf()
	}
	n = u.inlineCalls(n, nil)
	if n > 0 {
		u.dropTests()
	}
	return n
}

// shares reports whether there is anything to do for share in the program.
func (s *state) shares() bool { return s.opt.Compiled && (s.framesObserved() || s.anyOpen()) }

// dropTests replaces the results of tests that cannot fail. A function gets another body only while its thread is at a
// safepoint; so a test cannot fail where the same one has succeeded and no safepoint lies between them.
func (u *unit) dropTests() {
	v := u.v
	cfg := analysis.NewCFG(v)
	bits := map[*ir.Function]uint64{} // of the first 64 functions
	bit := func(in *ir.Inst) uint64 {
		f := facts.Callee(v, in)
		if bits[f] == 0 && len(bits) < 64 {
			bits[f] = 1 << len(bits)
		}
		return bits[f]
	}
	out := make([]uint64, len(v.Blocks))    // what holds at the end of a block
	tested := make([]uint64, len(v.Blocks)) // what has been tested in a block, without a safepoint since then
	r := u.rename()
	for _, b := range cfg.Order {
		holds := uint64(0)
		for i, p := range cfg.Preds[b] {
			h := out[p]
			if t := v.Term(p); t.Op == ir.OpBranch2 && t.Dests[0].Block == b && t.Dests[1].Block != b {
				if test := u.def(t.Args[0]); test != nil && test.Op == ir.OpUnchanged && test.Block == p {
					h |= bit(test) & tested[p]
				}
			}
			if cfg.Index[p] >= cfg.Index[b] { // a jump back, which may be a safepoint
				h = 0
			}
			if i == 0 {
				holds = h
			}
			holds &= h
		}
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			switch {
			case in.Op == ir.OpUnchanged && holds&bit(in) != 0:
				r.set(in.Results[0], u.constBits(ir.ConstInt, u.int1, 1, 0))
			case in.Op == ir.OpUnchanged:
				tested[b] |= bit(in)
			case in.Op.Is(ir.MayCollect):
				holds, tested[b] = 0, 0
			}
		}
		out[b] = holds
	}
	r.apply()
}
