package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Inlining replaces a CALL of a known function by its body.
//
//  1. Callees come first (bottomUp), so a body that is copied is finished.
//  2. A call is inlined when the callee may be copied at all (inlinable), is
//     cheap enough for the place, and the caller does not grow too large.
//  3. RET becomes a jump to what follows the call; its values become
//     parameters there. TAILCALL becomes a call and such a jump.
//  4. What is thrown in the copy is thrown by the caller; if the call had an
//     exception clause, THROW becomes a jump to its exceptional destination
//     and the calls in the copy get that clause, unless they have their own.
//  5. A function that calls itself gets copies of its own first body in place
//     of these calls, level by level, up to a size, unless it works in a loop
//     deeper than these calls. The size includes what will be inlined into each copy.
//  6. All copies together make the program larger by no more than copyFactor
//     times its size and copySize (room). Without this bound, small callees in many
//     calls could add up to more; programs that people write use only part of it.
//
//  7. A function that may get another body (ir.Function.Open) is copied behind a
//     test, UNCHANGED. If that fails, the function is called as before.
//  8. If frames can be observed, a body that calls anything could be at rest below. Then
//     the frame of the caller stands for both: the origin of each instruction says which
//     frames it is in. When frames are popped, a call in a copy ends as if with an exception,
//     at a block that asks whether the copy itself is popped too (LANDING). So there are no
//     copies of bodies that catch exceptions themselves, and none for calls that have an exception
//     clause or keep variables alive.
//
// Not copied are bodies whose frame can be told from their caller's: those that
// rest on a stack themselves (traps, swaps), ask for their cookie, or make
// stack cells, which live until the frame goes.
//
// Needs: names. Leaves: jumps and parameters for simplify.

// Sizes are sums of weights; an instruction that is one machine instruction
// weighs 1.
const (
	inlineSize     = 30  // a callee of up to this is copied anywhere
	inlineLoopSize = 80  // in a loop
	inlineOnceSize = 300 // if it is the only call and nothing else refers to the function
	loopSize       = 15  // a callee with loops, in a loop
	leafLoopSize   = 30  // the same if it calls and allocates nothing
	tinyLoopSize   = 10  // one that calls and allocates nothing, anywhere
	constantSize   = 10  // more for each argument that is a constant
	callerSize     = 1200
	recursiveSize  = 400 // a function that calls itself grows up to this
	allocatingSize = 160 // the same if it allocates, which costs more than the call
	copyFactor     = 2
	copySize       = 20_000
	// recursiveLevels is how often its calls of itself are replaced.
	recursiveLevels = 4
)

// weight is what an instruction adds to the size of a body.
func (u *unit) weight(in *ir.Inst) int {
	info := in.Op.Info()
	switch {
	case in.Has(ir.FlagReplaced):
		return 0 // hardly ever made
	case in.Op == ir.OpBranch2 && (u.fails(in.Dests[0].Block) || u.fails(in.Dests[1].Block)):
		return 0 // always predicted
	case in.Op == ir.OpSwitch:
		return len(in.Dests)
	}
	switch info.Class {
	case ir.ClassIntBin, ir.ClassFPBin, ir.ClassConv:
		if info.Weight > 0 && (u.t.Kind(in.Ty) == ir.KVector || u.t.At(in.Ty).Bits > 64) {
			return 4
		}
	}
	return int(info.Weight)
}

// fails reports whether a block ends the program with an error.
func (u *unit) fails(b ir.BlockID) bool {
	t := u.v.Term(b)
	return t.Op == ir.OpFail || t.Op == ir.OpFailIndex
}

// shape is what the inliner needs to know about a body.
type shape struct {
	ok        bool
	size      int
	insts     int  // how many
	calls     bool // calls something
	self      bool // calls itself
	trace     bool // can show in a backtrace
	loops     bool // has loops
	alloc     bool // allocates
	loopCalls bool // has a loop that calls something
	throws    bool // has a THROW
	apart     bool // needs a frame of its own if frames are observed
}

// done is inlinable for a body that is finished for the stage, computed once.
func (u *unit) done() shape {
	if u.shape == nil {
		s := u.inlinable()
		u.shape = &s
	}
	return *u.shape
}

// inlinable looks at a body that might be copied.
func (u *unit) inlinable() shape {
	s := shape{ok: true}
	for b := range u.v.Blocks {
		if t := u.v.Term(ir.BlockID(b)); t != nil {
			for i := range t.Dests {
				s.loops = s.loops || t.Dests[i].Block <= ir.BlockID(b)
			}
		}
		s.insts += len(u.v.Blocks[b].Insts)
		for _, id := range u.v.Blocks[b].Insts {
			in := &u.v.Insts[id]
			s.size += u.weight(in)
			if in.Op.Is(ir.OwnFrame) {
				s.ok = false
			}
			s.throws = s.throws || in.Op.Info().Class == ir.ClassThrow
			switch in.Op {
			case ir.OpCall, ir.OpTailCall:
				s.calls = true
				s.self = s.self || u.calleeVersion(in) == u.v || u.copiedVersion(in, true) == u.v
				s.apart = s.apart || in.Op == ir.OpTailCall || in.Has(ir.FlagExc) && !u.v.Lands(in.Dests[1].Block)
			case ir.OpNew, ir.OpNewHybrid:
				s.alloc = true
			}
			if in.Op == ir.OpCCall || in.Op.Is(ir.Waits) {
				s.calls, s.apart = true, true
			}
			s.trace = s.trace || !u.traceless(in)
		}
	}
	if s.loops { // maybe: the blocks may be in another order
		cfg := analysis.NewCFG(u.v)
		s.loops = slices.Contains(cfg.LoopHeaders(), true)
		if !s.loops || !s.calls {
			return s
		}
		loops := analysis.InnerLoops(u.v, cfg)
		for i := range loops.List {
			s.loopCalls = s.loopCalls || slices.ContainsFunc(loops.List[i].Blocks, u.callsIn)
		}
	}
	return s
}

// budget gives the copies of bodies their room, for bodies that the first stage has left.
func (s *state) budget(units []*unit) {
	s.room = copySize
	for _, u := range units {
		for b := range u.v.Blocks {
			for _, id := range u.v.Blocks[b].Insts {
				s.room += copyFactor * u.weight(&u.v.Insts[id])
			}
		}
	}
}

// inline copies callees into a body.
func inline(u *unit) int {
	n := 0
	if u.v.Func.Attrs&ir.NoInline == 0 {
		n = u.inlineSelf()
	}
	u.direct = nil
	return u.inlineCalls(n, nil)
}

// inlineDirect copies callees to the calls that have become direct since then. The order of the bodies does
// not consider these calls, so their callees may not be finished.
func inlineDirect(u *unit) int {
	if len(u.direct) == 0 {
		return 0
	}
	only := map[ir.InstID]bool{}
	for _, id := range u.direct {
		only[id] = true
		if c := u.copied(&u.v.Insts[id]); c != nil && c.shape == nil {
			defer func() { c.shape = nil }()
		}
	}
	u.direct = nil
	return u.inlineCalls(0, only)
}

// inlineCalls copies callees to all calls, or some of them. n is how many copies there are already.
func (u *unit) inlineCalls(n int, only map[ir.InstID]bool) int {
	var sites []ir.InstID
	size := 0
	for b := range u.v.Blocks {
		for _, id := range u.v.Blocks[b].Insts {
			in := &u.v.Insts[id]
			size += u.weight(in)
			if in.Op != ir.OpCall || only != nil && !only[id] {
				continue
			}
			if u.copyable(in) {
				sites = append(sites, id)
			}
		}
	}
	if len(sites) == 0 {
		return n
	}
	cfg := u.cfg()
	if n > 0 {
		cfg = analysis.NewCFG(u.v)
	}
	loops := analysis.InnerLoops(u.v, cfg)
	sites = slices.DeleteFunc(sites, func(id ir.InstID) bool { return !cfg.Reachable(u.v.Insts[id].Block) })
	limit := max(callerSize, size+size/2)
	chosen, insts := sites[:0], 0
	for _, id := range sites {
		in := &u.v.Insts[id]
		s := u.copied(in).done()
		depth := loops.Depth(in.Block)
		if k := len(chosen); k > 0 && u.v.Insts[chosen[k-1]].Block == in.Block {
			depth = 0 // it will be in a block after the copy
		}
		wish := u.copied(in).v.Func.Attrs&ir.Inline != 0
		if !wish && (s.size > u.most(in, depth) || size+s.size > limit || s.size > u.room) {
			continue
		}
		size += s.size
		u.room -= s.size
		insts += s.insts + 2
		chosen = append(chosen, id)
	}
	if len(chosen) == 0 {
		return n
	}
	u.v.Insts = append(make([]ir.Inst, 0, len(u.v.Insts)+insts), u.v.Insts...)
	r := u.rename()
	for _, id := range chosen {
		c := u.copied(&u.v.Insts[id])
		u.inlineCall(r, id, c.v, c.origin)
	}
	r.apply()
	return n + len(chosen)
}

// copyable reports whether a call might be replaced by the body of another function.
func (u *unit) copyable(in *ir.Inst) bool {
	c := u.copied(in)
	if c == nil || c.group == u.group {
		return false
	}
	s, attrs := c.done(), c.v.Func.Attrs
	if s.throws && u.rethrowing() {
		return false // the exception must know where it came from
	}
	if !s.ok || s.self || attrs&ir.NoInline != 0 || !u.mayShare(in, s) {
		return false
	}
	return attrs&ir.Inline != 0 || s.size <= inlineOnceSize+constantSize*len(in.Args)
}

// most is the greatest size that the callee of a copyable call may have, if depth
// loops contain the call.
func (u *unit) most(in *ir.Inst, depth int32) int {
	c := u.copied(in)
	s := c.done()
	if c.v.Func.Attrs&ir.Inline != 0 {
		return s.size
	}
	most := inlineSize
	if depth > 0 {
		most = inlineLoopSize
	}
	if u.references(c.v.Func) == 1 {
		most = inlineOnceSize
	}
	// The call of a body with loops is a small part of its time. Where the loop calls
	// something a copy even costs: values of the caller that were in registers in front
	// of the loop are loaded into them again in each iteration, since the Go compiler wants the
	// registers at the head of a loop as they were when it was entered.
	leaf := !s.calls && !s.alloc
	if s.loops {
		if most = loopSize; s.loopCalls {
			return 0
		} else if depth == 0 && leaf {
			return tinyLoopSize
		} else if depth == 0 {
			return 0
		}
	}
	for _, a := range in.Args[1:] {
		if u.v.Values[a].Kind == ir.ValueConst {
			most += constantSize
		}
	}
	if s.loops && leaf { // its time may be short, if the loops are over a few links
		most = max(most, leafLoopSize)
	}
	return most
}

// mayHide reports whether the frame of a body may be missing.
func (s *state) mayHide(b shape) bool {
	return (!b.calls || !s.framesObserved()) && (!b.trace || s.opt.Origins != nil)
}

// mayShare reports whether a body that takes the place of a call may be without a frame of its own.
func (u *unit) mayShare(call *ir.Inst, b shape) bool {
	if !b.calls || !u.framesObserved() {
		return (!u.sharing || facts.Callee(u.v, call).Open()) && u.mayHide(b)
	}
	landing := !call.Has(ir.FlagExc) || u.v.Lands(call.Dests[1].Block)
	return u.sharing && u.opt.Origins != nil && !b.apart && landing && len(call.Keep) == 0
}

// references counts the uses of a function in the program: 1 is one call.
func (s *state) references(f *ir.Function) int {
	if s.refs == nil {
		s.refs = map[*ir.Function]int{}
		var count func(c *ir.Const)
		count = func(c *ir.Const) {
			switch c.Kind {
			case ir.ConstFunc:
				s.refs[c.Func]++
			case ir.ConstAggregate:
				for _, e := range c.Elems {
					count(e)
				}
			}
		}
		for _, e := range s.p.Exposes {
			s.refs[e.Func] += 2
		}
		s.p.Hooks.Each(func(_ ir.HookKind, f *ir.Function) { s.refs[f] += 2 })
		if img := s.p.Image; img != nil {
			for i := range img.Inits {
				if c := img.Inits[i].Const; c != nil {
					count(c)
				}
			}
		}
		for _, f := range s.p.Funcs {
			v := f.Current()
			if v == nil {
				continue
			}
			for b := range v.Blocks {
				for _, id := range v.Blocks[b].Insts {
					eachUse(&v.Insts[id], func(x ir.ValueID) {
						if c := v.Values[x].Const; c != nil {
							count(c)
						}
					})
				}
			}
		}
	}
	return s.refs[f]
}

// inlineSelf does step 5.
func (u *unit) inlineSelf() int {
	s := u.inlinable()
	if !s.ok || !s.self || u.tailCallsSelf() {
		return 0
	}
	calls, most := u.selfCalls(s), recursiveSize
	if s.alloc {
		most = allocatingSize
	}
	if len(calls) == 0 || s.size+len(calls)*s.size > most {
		return 0
	}
	cfg := analysis.NewCFG(u.v)
	loops := analysis.InnerLoops(u.v, cfg)
	if s.loops && u.worksInLoop(loops, calls) {
		return 0
	}
	size, more := u.sizeWithCallees(loops, calls)
	if more += s.size; s.size+size+len(calls)*more > most {
		return 0
	}
	if len(calls)*more > u.room {
		return 0
	}
	size += s.size
	first, origin := u.v.Clone(), slices.Clone(u.origin)
	n := 0
	for level := 0; level < recursiveLevels && len(calls) > 0 && size+len(calls)*more <= most; level++ {
		size += len(calls) * more
		u.room -= len(calls) * more
		r := u.rename()
		for _, id := range calls {
			u.inlineCall(r, id, first, origin)
			n++
		}
		r.apply()
		calls = u.selfCalls(s)
	}
	return n
}

// worksInLoop reports whether a body has a loop that calls nothing and lies
// deeper than all its calls of itself. It spends its time there; saving calls
// matters less than keeping one copy of the loop, whose branches are predicted
// from what they did in all calls.
func (u *unit) worksInLoop(loops *analysis.Loops, calls []ir.InstID) bool {
	deepest := u.deepest(loops, calls)
	for i := range loops.List {
		if l := &loops.List[i]; l.Depth > deepest && !slices.ContainsFunc(l.Blocks, u.callsIn) {
			return true
		}
	}
	return false
}

// deepest is the number of loops around the deepest of some calls.
func (u *unit) deepest(loops *analysis.Loops, calls []ir.InstID) int32 {
	deepest := int32(0)
	for _, id := range calls {
		deepest = max(deepest, loops.Depth(u.v.Insts[id].Block))
	}
	return deepest
}

// sizeWithCallees returns by how much inlining the calls of other functions makes
// the body larger, and the same for a copy of the body in place of a call of itself,
// which may lie in a loop.
func (u *unit) sizeWithCallees(loops *analysis.Loops, calls []ir.InstID) (here, copied int) {
	around := u.deepest(loops, calls)
	for b := range u.v.Blocks {
		for _, id := range u.v.Blocks[b].Insts {
			in := &u.v.Insts[id]
			if in.Op != ir.OpCall || !u.copyable(in) {
				continue
			}
			size, depth := u.copied(in).done().size, loops.Depth(ir.BlockID(b))
			if size <= u.most(in, depth) {
				here += size
			}
			if size <= u.most(in, depth+around) {
				copied += size
			}
		}
	}
	return here, copied
}

// callsIn reports whether a block calls something.
func (u *unit) callsIn(b ir.BlockID) bool {
	return slices.ContainsFunc(u.v.Blocks[b].Insts, func(id ir.InstID) bool {
		return u.v.Insts[id].Op.Info().Class == ir.ClassCall
	})
}

// selfCalls lists the calls of the function itself that its body, of shape s, may take the place of.
func (u *unit) selfCalls(s shape) []ir.InstID {
	var out []ir.InstID
	for b := range u.v.Blocks {
		for _, id := range u.v.Blocks[b].Insts {
			if in := &u.v.Insts[id]; u.copied(in) == u && u.mayShare(in, s) {
				out = append(out, id)
			}
		}
	}
	return out
}

func (u *unit) tailCallsSelf() bool {
	for b := range u.v.Blocks {
		if t := u.v.Term(ir.BlockID(b)); t != nil && t.Op == ir.OpTailCall && u.callee(t) == u {
			return true
		}
	}
	return false
}

// inlineCall puts a copy of from in place of a call. Results of the call are
// replaced through r, which the caller applies in the end. origin is that of
// the instructions of from.
func (u *unit) inlineCall(r *rename, id ir.InstID, from *ir.Version, origin []*ir.Inlined) {
	v := u.v
	call := v.Insts[id] // a copy: v.Insts grows
	b := call.Block
	c := &copier{u: u, from: from, values: make([]ir.ValueID, len(from.Values)), blocks: make([]ir.BlockID, len(from.Blocks)), origin: origin}
	c.stack.bottom = ir.Inlined{Func: from.Func, Version: from.ID, Call: call.Pos, CallID: call.ID, Sig: call.Sig, Below: u.originOf(id)}
	if u.framesObserved() {
		c.call = &call
	}

	// What follows the call is a block of its own, with the results as parameters.
	at := slices.Index(v.Blocks[b].Insts, id)
	rest := slices.Clone(v.Blocks[b].Insts[at+1:])
	v.Blocks[b].Insts = v.Blocks[b].Insts[:at]
	c.after = u.newBlock(v.Blocks[b].Name, v.Blocks[b].Pos)
	for _, res := range call.Results {
		r.set(res, v.AddParam(c.after, v.Values[res].Type, v.Values[res].Name))
	}
	if call.Has(ir.FlagExc) {
		v.Append(c.after, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{call.Dests[0]}, Pos: call.Pos}, nil, nil)
		if !u.v.Lands(call.Dests[1].Block) {
			c.landing(&call.Dests[1])
		}
		if c.excArg && call.Dests[1].Block == b {
			b = c.exc.Block // the block catches its own exceptions: landing has moved what it had
		}
	} else {
		for _, x := range rest {
			v.Insts[x].Block = c.after
		}
		v.Blocks[c.after].Insts = rest
	}

	// The entry goes to the end of the block of the call, or behind the test.
	if from.Func.Open() {
		b = c.test(b, id, call)
	}
	c.blocks[0] = b
	for i, p := range from.Blocks[0].Params {
		c.values[p] = call.Args[1+i]
	}
	live := analysis.Order(from)
	for _, x := range live[1:] {
		c.newBlock(x)
	}
	for _, x := range live {
		c.copyBlock(x)
	}
}
