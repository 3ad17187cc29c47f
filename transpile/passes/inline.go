package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/diag"
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
//     of these calls, level by level, up to a size.
//
// Not copied are bodies whose frame can be told from their caller's: those that
// rest on a stack themselves (traps, swaps), ask for their cookie, or make
// stack cells, which live until the frame goes. If frames can be observed, no
// body that calls anything is copied either, because it could be at rest below.
//
// Needs: names. Leaves: jumps and parameters for simplify.

// Sizes are sums of weights; an instruction that is one machine instruction
// weighs 1.
const (
	inlineSize     = 30  // a callee of up to this is copied anywhere
	inlineLoopSize = 80  // in a loop
	inlineOnceSize = 300 // if it is the only call and nothing else refers to the function
	callerSize     = 1200
	recursiveSize  = 160 // a function that calls itself grows up to this
	// recursiveLevels is how often its calls of itself are replaced.
	recursiveLevels = 3
)

// weight is what an instruction adds to the size of a body.
func (u *unit) weight(in *ir.Inst) int {
	switch in.Op {
	case ir.OpBranch, ir.OpRefCast, ir.OpGetIRef, ir.OpGetFieldIRef, ir.OpGetVarPartIRef, ir.OpKillDependency, ir.OpPtrCast, ir.OpRet:
		return 0
	case ir.OpCall, ir.OpTailCall, ir.OpNew, ir.OpNewHybrid:
		return 4
	case ir.OpCCall:
		return 10
	case ir.OpSwitch:
		return len(in.Dests)
	}
	switch in.Op.Info().Class {
	case ir.ClassIntBin, ir.ClassFPBin, ir.ClassConv:
		if u.t.Kind(in.Ty) == ir.KVector || u.t.At(in.Ty).Bits > 64 {
			return 4
		}
	case ir.ClassAggr:
		return 2
	}
	return 1
}

// body is what matters of a callee.
type shape struct {
	ok    bool
	size  int
	calls bool // calls something
	self  bool // calls itself
	trace bool // can show in a backtrace
	loops bool // has loops
}

// inlinable looks at a body that might be copied. That a jump to an earlier
// block makes a loop is a guess that decides about speed only.
func (u *unit) inlinable() shape {
	s := shape{ok: true}
	for b := range u.v.Blocks {
		u.v.Succs(ir.BlockID(b), func(d *ir.Dest) { s.loops = s.loops || d.Block <= ir.BlockID(b) })
		for _, id := range u.v.Blocks[b].Insts {
			in := &u.v.Insts[id]
			s.size += u.weight(in)
			switch in.Op {
			case ir.OpTrap, ir.OpWatchpoint, ir.OpSwapStack, ir.OpNewThread, ir.OpGetCookie, ir.OpAlloca, ir.OpAllocaHybrid,
				ir.OpThreadExit, ir.OpIRBuilder, ir.OpCurrentStack:
				s.ok = false
			case ir.OpCall, ir.OpTailCall:
				s.calls = true
				if u.callee(in) == u {
					s.self = true
				}
			case ir.OpCCall, ir.OpFutexWait, ir.OpFutexWaitTimeout:
				s.calls = true
			}
			s.trace = s.trace || !u.traceless(in)
			if in.Op >= ir.OpMetaIDOf && in.Op <= ir.OpMetaSetTrapHandler {
				s.ok = false
			}
		}
	}
	return s
}

// inline copies callees into a body.
func inline(u *unit) int {
	n := u.inlineSelf()
	cfg := analysis.NewCFG(u.v)
	loops := analysis.NewLoops(u.v, cfg)
	var sites []ir.InstID
	size := 0
	for b := range u.v.Blocks {
		for _, id := range u.v.Blocks[b].Insts {
			size += u.weight(&u.v.Insts[id])
			if u.v.Insts[id].Op == ir.OpCall && cfg.Reachable(ir.BlockID(b)) {
				sites = append(sites, id)
			}
		}
	}
	limit := max(callerSize, size+size/2)
	r := u.rename()
	shapes := map[*unit]shape{}
	for _, id := range sites {
		in := &u.v.Insts[id]
		c := u.callee(in)
		if c == nil || c == u || c.group == u.group {
			continue
		}
		s, ok := shapes[c]
		if !ok {
			s = c.inlinable()
			shapes[c] = s
		}
		if !s.ok || s.self || !u.mayHide(s) {
			continue
		}
		most := inlineSize
		depth := int32(0)
		if int(in.Block) < len(loops.Of) {
			depth = loops.Depth(in.Block)
		}
		if depth > 0 {
			most = inlineLoopSize
		}
		if u.references(c.v.Func) == 1 {
			most = inlineOnceSize
		}
		if s.loops { // the call is a small part of its time
			most = min(most, inlineSize)
			if depth == 0 {
				continue
			}
		}
		for _, a := range in.Args[1:] {
			if u.v.Values[a].Kind == ir.ValueConst {
				most += 10
			}
		}
		if s.size > most || size+s.size > limit {
			continue
		}
		size += s.size
		u.inlineCall(r, id, c.v, c.origin)
		n++
	}
	r.apply()
	return n
}

// mayHide reports whether the frame of a body may be missing.
func (s *state) mayHide(b shape) bool {
	return (!b.calls || !s.framesObserved()) && (!b.trace || s.opt.Origins != nil)
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

// inlineSelf is step 5.
func (u *unit) inlineSelf() int {
	s := u.inlinable()
	if !s.ok || !s.self || !u.mayHide(s) || u.tailCallsSelf() {
		return 0
	}
	calls := u.selfCalls()
	if len(calls) == 0 || s.size+len(calls)*s.size > recursiveSize {
		return 0
	}
	first, origin := u.copyBody(), slices.Clone(u.origin)
	n := 0
	size := s.size
	for level := 0; level < recursiveLevels && len(calls) > 0 && size+len(calls)*s.size <= recursiveSize; level++ {
		size += len(calls) * s.size
		r := u.rename()
		for _, id := range calls {
			u.inlineCall(r, id, first, origin)
			n++
		}
		r.apply()
		calls = u.selfCalls()
	}
	return n
}

func (u *unit) selfCalls() []ir.InstID {
	var out []ir.InstID
	for b := range u.v.Blocks {
		for _, id := range u.v.Blocks[b].Insts {
			if in := &u.v.Insts[id]; in.Op == ir.OpCall && u.callee(in) == u {
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

// copyBody copies the body, to be inlined while the original changes.
func (u *unit) copyBody() *ir.Version {
	v := u.v
	w := &ir.Version{Func: v.Func, Name: v.Name, ID: v.ID, Pos: v.Pos}
	w.Values = slices.Clone(v.Values)
	w.Insts = slices.Clone(v.Insts)
	w.Blocks = slices.Clone(v.Blocks)
	for i := range w.Insts {
		in := &w.Insts[i]
		in.Args, in.Keep, in.Results = slices.Clone(in.Args), slices.Clone(in.Keep), slices.Clone(in.Results)
		in.Dests = slices.Clone(in.Dests)
		for k := range in.Dests {
			in.Dests[k].Args = slices.Clone(in.Dests[k].Args)
		}
	}
	for b := range w.Blocks {
		blk := &w.Blocks[b]
		blk.Params, blk.Insts = slices.Clone(blk.Params), slices.Clone(blk.Insts)
	}
	return w
}

// A copier puts a copy of a body in place of a call.
type copier struct {
	u      *unit
	from   *ir.Version
	values []ir.ValueID // by value of from
	blocks []ir.BlockID // by block of from
	after  ir.BlockID   // where RET goes
	exc    *ir.Dest     // where an exception goes, or nil
	excArg bool         // as the last argument
	land   *ir.Dest     // exc as an exceptional destination
	tail   bool         // the copy is jumped to and stays as it is, RET included
	origin []*Inlined   // by instruction of from
	stack  stacker
	cur    ir.InstID // of from, being copied
}

// inlineCall puts a copy of from in place of a call. Results of the call are
// replaced through r, which the caller applies in the end. origin is that of
// the instructions of from.
func (u *unit) inlineCall(r *rename, id ir.InstID, from *ir.Version, origin []*Inlined) {
	v := u.v
	call := v.Insts[id] // a copy: v.Insts grows
	b := call.Block
	c := &copier{u: u, from: from, values: make([]ir.ValueID, len(from.Values)), blocks: make([]ir.BlockID, len(from.Blocks)), origin: origin}
	c.stack.bottom = Inlined{Func: from.Func, Call: call.Pos, Below: u.originOf(id)}

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
		c.landing(&call.Dests[1])
	} else {
		for _, x := range rest {
			v.Insts[x].Block = c.after
		}
		v.Blocks[c.after].Insts = rest
	}

	// The entry goes to the end of the block of the call.
	c.blocks[0] = b
	for i, p := range from.Blocks[0].Params {
		c.values[p] = call.Args[1+i]
	}
	live := reachableBlocks(from)
	for _, x := range live[1:] {
		c.newBlock(x)
	}
	for _, x := range live {
		c.copyBlock(x)
	}
}

// newBlock makes the copy of a block, still without instructions.
func (c *copier) newBlock(x ir.BlockID) {
	v := c.u.v
	blk := &c.from.Blocks[x]
	nb := c.u.newBlock(blk.Name, blk.Pos)
	c.blocks[x] = nb
	for _, p := range blk.Params {
		c.values[p] = v.AddParam(nb, c.from.Values[p].Type, c.from.Values[p].Name)
	}
	if blk.Exc != 0 {
		c.values[blk.Exc] = v.SetExcParam(nb, c.from.Values[blk.Exc].Type, c.from.Values[blk.Exc].Name)
	}
}

// newBlock appends a block without the identity of the one it continues.
func (u *unit) newBlock(name string, pos diag.Pos) ir.BlockID { return u.v.NewBlock(name, pos) }

func reachableBlocks(v *ir.Version) []ir.BlockID { return analysis.NewCFG(v).Order }

// landing prepares the exceptional destination of the call. If its block has an
// exception parameter, the body of the block moves to one with an ordinary
// parameter instead, to which both THROW and the block itself jump.
func (c *copier) landing(d *ir.Dest) {
	u, v := c.u, c.u.v
	c.land = &ir.Dest{Block: d.Block, Args: slices.Clone(d.Args)}
	x := d.Block
	if v.Blocks[x].Exc == 0 {
		c.exc = c.land
		return
	}
	c.excArg = true
	// It may have been prepared already.
	if l := v.Blocks[x].Insts; len(l) == 1 && v.Insts[l[0]].Op == ir.OpBranch {
		j := &v.Insts[l[0]].Dests[0]
		if n := len(v.Blocks[x].Params); len(j.Args) == n+1 && slices.Equal(j.Args[:n], v.Blocks[x].Params) && j.Args[n] == v.Blocks[x].Exc {
			c.exc = &ir.Dest{Block: j.Block, Args: c.land.Args}
			return
		}
	}
	nb := u.newBlock(v.Blocks[x].Name, v.Blocks[x].Pos)
	old, body := &v.Blocks[x], &v.Blocks[nb]
	body.Params = append(old.Params, old.Exc)
	body.Insts = old.Insts
	old.Params, old.Exc, old.Insts = nil, 0, nil
	for i, p := range body.Params {
		v.Values[p].Kind, v.Values[p].Def, v.Values[p].Index = ir.ValueParam, int32(nb), int32(i)
	}
	for _, id := range body.Insts {
		v.Insts[id].Block = nb
	}
	args := make([]ir.ValueID, len(body.Params))
	for i, p := range body.Params {
		ty, name := v.Values[p].Type, v.Values[p].Name
		if i < len(body.Params)-1 {
			args[i] = v.AddParam(x, ty, name)
		} else {
			args[i] = v.SetExcParam(x, ty, name)
		}
	}
	v.Append(x, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{{Block: nb, Args: args}}, Pos: v.Blocks[x].Pos}, nil, nil)
	c.exc = &ir.Dest{Block: nb, Args: c.land.Args}
}

// value is the copy of a value.
func (c *copier) value(x ir.ValueID) ir.ValueID {
	if c.values[x] == 0 {
		if k := c.from.Values[x].Const; k != nil {
			c.values[x] = c.u.v.ConstValue(k)
		}
	}
	return c.values[x]
}

func (c *copier) list(l []ir.ValueID) []ir.ValueID {
	if l == nil {
		return nil
	}
	out := make([]ir.ValueID, len(l))
	for i, x := range l {
		out[i] = c.value(x)
	}
	return out
}

// append copies an instruction to the end of a block.
func (c *copier) append(b ir.BlockID, in ir.Inst, results []ir.ValueID) ir.InstID {
	v := c.u.v
	types := make([]ir.TypeID, len(results))
	names := make([]string, len(results))
	for i, r := range results {
		types[i], names[i] = c.from.Values[r].Type, c.from.Values[r].Name
	}
	in.Results = nil
	id := v.Append(b, in, types, names)
	c.mark(id)
	for i, r := range results {
		c.values[r] = v.Insts[id].Results[i]
	}
	return id
}

// mark gives the copy of the current instruction its origin.
func (c *copier) mark(id ir.InstID) {
	var o *Inlined
	if int(c.cur) < len(c.origin) {
		o = c.origin[c.cur]
	}
	c.u.setOrigin(id, c.stack.on(o))
}

// copyBlock copies the instructions of a block. Blocks come in an order in
// which definitions precede uses, but for arguments of back edges, whose
// values are copied when all blocks have been seen: those are parameters or
// results of blocks that dominate the edge, which come first too.
func (c *copier) copyBlock(x ir.BlockID) {
	u := c.u
	b := c.blocks[x]
	for _, id := range c.from.Blocks[x].Insts {
		in := c.from.Insts[id] // a copy
		c.cur = id
		results := in.Results
		in.Args, in.Keep = c.list(in.Args), c.list(in.Keep)
		switch {
		case c.tail:
		case in.Op == ir.OpRet:
			c.jump(b, in.Pos, ir.Dest{Block: c.after, Args: in.Args})
			continue
		case in.Op == ir.OpTailCall:
			in.Op = ir.OpCall
			types := u.t.At(in.Sig).Results
			var kid ir.InstID
			if c.land != nil {
				kb := u.newBlock(u.v.Blocks[b].Name, u.v.Blocks[b].Pos)
				in.Flags |= ir.FlagExc
				in.Dests = []ir.Dest{{Block: kb}, {Block: c.land.Block, Args: slices.Clone(c.land.Args)}}
				kid = u.v.Append(b, in, types, nil)
				b = kb
			} else {
				kid = u.v.Append(b, in, types, nil)
			}
			c.mark(kid)
			c.jump(b, in.Pos, ir.Dest{Block: c.after, Args: slices.Clone(u.v.Insts[kid].Results)})
			continue
		case in.Op == ir.OpThrow:
			if c.exc != nil {
				c.throw(b, &in)
				continue
			}
		case in.Op == ir.OpCall:
			if c.land != nil && !in.Has(ir.FlagExc) {
				kb := u.newBlock(u.v.Blocks[b].Name, u.v.Blocks[b].Pos)
				in.Flags |= ir.FlagExc
				in.Dests = []ir.Dest{{Block: kb}, {Block: c.land.Block, Args: slices.Clone(c.land.Args)}}
				c.append(b, in, results)
				b = kb
				continue
			}
		}
		dests := in.Dests
		in.Dests = nil
		nid := c.append(b, in, results)
		if dests != nil {
			nd := make([]ir.Dest, len(dests))
			for i, d := range dests {
				nd[i] = ir.Dest{Block: c.blocks[d.Block], Args: c.list(d.Args)}
			}
			u.v.Insts[nid].Dests = nd
		}
	}
}

func (c *copier) jump(b ir.BlockID, pos diag.Pos, d ir.Dest) {
	c.u.v.Append(b, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{d}, Pos: pos}, nil, nil)
}

// throw jumps to the exceptional destination.
func (c *copier) throw(b ir.BlockID, in *ir.Inst) {
	u := c.u
	d := ir.Dest{Block: c.exc.Block, Args: slices.Clone(c.exc.Args)}
	if c.excArg {
		x := in.Args[0]
		if ty := u.v.Values[x].Type; ty != u.refVoid {
			id := u.v.Append(b, ir.Inst{Op: ir.OpRefCast, Ty: ty, Ty2: u.refVoid, Args: []ir.ValueID{x}, Pos: in.Pos}, []ir.TypeID{u.refVoid}, nil)
			x = u.v.Insts[id].Results[0]
		}
		d.Args = append(d.Args, x)
	}
	c.jump(b, in.Pos, d)
}
