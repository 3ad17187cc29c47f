package live

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Calls, and what else leaves the body: traps, native code, other stacks.

// calls makes CALL, TAILCALL and CCALL.
func calls(c *compiler, id ir.InstID, in *ir.Inst) {
	switch in.Op {
	case ir.OpCall:
		s := &site{no: c.rest(id, in)}
		o, b := c.callee(in, s, opCall, opCallX)
		w := c.operands(in.Args[1:])
		s.rootArgs, s.plainArgs = w.roots, w.plains
		to := c.results(in)
		s.roots, s.plains = to.roots, to.plains
		c.exceptional(c.site(o, c.only(to), b, s), s, in.Block, in.ExcDest())
	case ir.OpTailCall:
		s := &site{}
		_, b := c.callee(in, s, opCall, opCallX)
		w := c.operands(in.Args[1:])
		s.rootArgs, s.plainArgs = w.roots, w.plains
		c.site(opTail, 0, b, s)
	case ir.OpCCall:
		c.ccall(id, in)
	}
}

// only is where a result goes that is one word: instructions that return one look there.
func (c *compiler) only(to words) uint16 {
	switch {
	case len(to.roots) > 0:
		return to.roots[0]
	case len(to.plains) > 0:
		return to.plains[0]
	}
	return 0
}

// callee enters in a site what it calls: a known function, or the one in a word.
func (c *compiler) callee(in *ir.Inst, s *site, known, computed op) (o op, b uint16) {
	if f := facts.Callee(c.v, in); f != nil && !f.Open() && f.Current() != nil {
		s.cell = &c.p.functions[f].cell
		return known, 0
	}
	s.class = c.p.class(in.Sig)
	return computed, c.word(in.Args[0])
}

// ret makes RET.
func ret(c *compiler, id ir.InstID, in *ir.Inst) {
	w := c.operands(in.Args)
	if c.cells {
		mark := c.markAt()
		c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
			t.AllocaRelease(core.Mark(word(fp, mark)))
			return goOn
		}})
	}
	link := uint16(c.total() - 3)
	switch {
	case len(w.roots)+len(w.plains) == 0:
		c.emit(opRet, 0, link, 0, 0)
	case len(w.plains) == 1 && len(w.roots) == 0:
		c.emit(opRet1, w.plains[0], link, 0, 0)
	case len(w.roots) == 1 && len(w.plains) == 0:
		c.emit(opRetR, w.roots[0], link, 0, 0)
	default:
		c.site(opRetN, 0, link, &site{rootArgs: w.roots, plainArgs: w.plains})
	}
}

// throw makes THROW and RETHROW.
func throw(c *compiler, id ir.InstID, in *ir.Inst) {
	x, do := c.root(in.Args[0]), core.Throw
	if in.Op == ir.OpRethrow {
		do = core.Rethrow
	}
	c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
		do(t, root(fp, x))
		return thrown
	}})
}

// rest notes in the frame where it rests, in a program that inspects frames, and puts the keep-alive
// values there. It returns the number of the place.
func (c *compiler) rest(id ir.InstID, in *ir.Inst) uint32 {
	if !c.p.facts.Introspect {
		return 0
	}
	w := c.operands(in.Keep)
	to := words{}
	for i := range w.roots {
		to.roots = append(to.roots, uint16(1+i))
	}
	for i := range w.plains {
		to.plains = append(to.plains, uint16(1+c.numRoots()+i))
	}
	if len(w.roots)+len(w.plains) > 0 {
		c.copy(to, w)
	}
	return c.p.place(c.v, id)
}

func (p *program) keepVars(v *ir.Version, keep []ir.ValueID) []core.KeepVar {
	var l []core.KeepVar
	for _, k := range keep {
		l = append(l, core.KeepVar{Name: p.facts.IR.CalledOr(v, k), Type: p.vtype(v.Values[k].Type)})
	}
	return l
}

// siteOf describes a trap or swap to the runtime.
func (c *compiler) siteOf(id ir.InstID, in *ir.Inst) *core.Site {
	line := 0
	if c.p.facts.IR.Files != nil {
		line = c.p.facts.IR.Files.Position(in.Pos).Line
	}
	return &core.Site{Name: c.v.TrapName(id), Where: c.v.InstName(id), Func: c.f.to, ID: in.ID, Line: int32(line), Results: c.list(c.v.TypesOf(in.Results)), Keep: c.p.keepVars(c.v, in.Keep)}
}

// resumable adds an instruction after which the stack continues with results or an exception.
func (c *compiler) resumable(in *ir.Inst, no uint32, run func(t *core.Ctx, fp ptr)) int {
	to := c.results(in)
	s := &site{no: no, roots: to.roots, plains: to.plains}
	s.run = func(t *core.Ctx, fp ptr) verdict {
		run(t, fp)
		if t.Thrown != 0 {
			return thrown
		}
		take(t, fp, s)
		return goOn
	}
	at := c.site(opRun, 0, 0, s)
	c.exceptional(at, s, in.Block, in.ExcDest())
	return at
}

// trap makes TRAP and WATCHPOINT.
func trap(c *compiler, id ir.InstID, in *ir.Inst) {
	var skip int
	if in.Op == ir.OpWatchpoint {
		t, w := c.tempWord(), c.p.watch(uint32(in.Imm))
		c.site(opDo, 0, 0, &site{do: enabled(t, w)})
		skip = c.emit(opJFalse, 0, t, 0, 0)
		c.way(skip, in.Block, &in.Dests[0], func(n int) { c.out[skip].imm = uint64(n) })
	}
	no := c.rest(id, in)
	keep := c.operands(in.Keep)
	args := &site{rootArgs: keep.roots, plainArgs: keep.plains}
	where, wpid := c.siteOf(id, in), uint32(0)
	if in.Op == ir.OpWatchpoint {
		wpid = uint32(in.Imm)
	}
	c.resumable(in, no, func(t *core.Ctx, fp ptr) {
		pass(t, fp, args)
		core.Trap(t, where, wpid)
	})
	if in.Op == ir.OpWatchpoint {
		c.take(in.Block, &in.Dests[1], -1)
	}
}

// ccall makes CCALL of what is served in Go, of exposed functions or, with cgo, of C functions.
func (c *compiler) ccall(id ir.InstID, in *ir.Inst) {
	no := c.rest(id, in)
	callee, name := c.word(in.Args[0]), c.namer(id)
	w := c.operands(in.Args[1:])
	args := &site{rootArgs: w.roots, plainArgs: w.plains}
	sig := c.p.csigOf(in.Sig)
	unsure := in.Has(ir.FlagUnsure)
	c.resumable(in, no, func(t *core.Ctx, fp ptr) {
		f := uintptr(word(fp, callee))
		if unsure {
			core.CheckNative(t, f, sig, name())
		}
		pass(t, fp, args)
		if !core.CallC(t, f, sig) {
			core.CCall(t, f, sig, name())
		}
	})
}

// stacks makes NEWTHREAD and SWAPSTACK.
func stacks(c *compiler, id ir.InstID, in *ir.Inst) {
	vals, local := in.Passed()
	threadLocal := func(ptr) uintptr { return 0 }
	if local != 0 {
		x := c.root(local)
		threadLocal = func(fp ptr) uintptr { return root(fp, x) }
	}
	var flags core.Flags
	var list uint32
	if in.Has(ir.FlagThrowExc) {
		flags |= core.ThrowExc
	} else {
		list = c.list(c.v.TypesOf(vals))
	}
	if in.Has(ir.FlagKillOld) {
		flags |= core.KillOld
	}
	stack := c.root(in.Args[0])
	where := c.siteOf(id, in)
	if in.Op == ir.OpNewThread {
		w, to := c.operands(vals), c.rootAt(in.Results[0], 0)
		args := &site{rootArgs: w.roots, plainArgs: w.plains}
		fail, name := c.failing(in), c.namer(id)
		c.fallible(in, &site{run: func(t *core.Ctx, fp ptr) verdict {
			pass(t, fp, args)
			th := core.NewThread(t, root(fp, stack), threadLocal(fp), list, flags, where)
			if th == 0 {
				return fail(t, fp, core.NoResource, name, "")
			}
			setRoot(fp, to, th)
			return goOn
		}})
		return
	}
	no := c.rest(id, in)
	w := c.operands(vals)
	args := &site{rootArgs: w.roots, plainArgs: w.plains}
	ret := c.list(c.v.TypesOf(in.Results))
	c.resumable(in, no, func(t *core.Ctx, fp ptr) {
		pass(t, fp, args)
		core.SwapStack(t, root(fp, stack), list, ret, flags, where)
	})
}
