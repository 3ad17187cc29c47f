package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Copies of bodies inside other bodies, for inlining and for tail calls that
// become jumps. Blocks and values of a copy are new; names, positions and
// entity ids stay, because messages and traps identify the copy by them.

// A copier puts a copy of a body in place of a call.
type copier struct {
	u      *unit
	from   *ir.Version
	values []ir.ValueID  // by value of from
	blocks []ir.BlockID  // by block of from
	after  ir.BlockID    // where RET goes
	exc    *ir.Dest      // where an exception goes, or nil
	excArg bool          // exc gets the exception as the last argument
	land   *ir.Dest      // exc as an exceptional destination
	call   *ir.Inst      // what the copy replaces, if frames are observed
	pad    ir.BlockID    // where calls in the copy go if they do not return normally and frames are observed; 0 if not made yet
	same   bool          // the copy is of the body itself
	tail   bool          // the copy is jumped to and stays as it is, RET included
	origin []*ir.Inlined // by instruction of from
	stack  stacker
	cur    ir.InstID // of from, being copied
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
	var o *ir.Inlined
	if int(c.cur) < len(c.origin) {
		o = c.origin[c.cur]
	}
	if !c.same {
		o = c.stack.on(o)
	}
	c.u.setOrigin(id, o)
}

// whole copies all blocks of a body that is jumped to, and returns the first.
func (c *copier) whole() ir.BlockID {
	live := analysis.Order(c.from)
	for _, x := range live {
		c.newBlock(x)
	}
	for _, x := range live {
		c.copyBlock(x)
	}
	return c.blocks[0]
}

// copyBlock copies the instructions of a block. Blocks come in an order in
// which definitions precede uses, except for arguments of back edges, whose
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
		case in.Op.Info().Class == ir.ClassThrow:
			if c.exc != nil {
				c.throw(b, &in)
				continue
			}
		case in.Op == ir.OpUnwind:
			if c.call != nil {
				c.jump(b, in.Pos, c.landings())
				continue
			}
		case in.Op == ir.OpCall:
			if (c.land != nil || c.call != nil) && !in.Has(ir.FlagExc) {
				kb := u.newBlock(u.v.Blocks[b].Name, u.v.Blocks[b].Pos)
				in.Flags |= ir.FlagExc
				to := c.land
				if c.call != nil {
					to = new(c.landings())
				}
				in.Dests = []ir.Dest{{Block: kb}, {Block: to.Block, Args: slices.Clone(to.Args)}}
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

// more makes a block with the name of the one that the copy ends before.
func (c *copier) more(pos diag.Pos) ir.BlockID { return c.u.newBlock(c.u.v.Blocks[c.after].Name, pos) }

// landings is where the calls in the copy go if they do not return normally: to a block that asks whether the popping of
// frames ends at the call that the copy replaces. If so, that call has its results there.
func (c *copier) landings() ir.Dest {
	if c.pad != 0 {
		return ir.Dest{Block: c.pad}
	}
	u, v, pos := c.u, c.u.v, c.call.Pos
	c.pad = c.more(pos)
	landed, on := c.more(pos), c.more(pos)
	put := func(b ir.BlockID, in ir.Inst, types []ir.TypeID) []ir.ValueID {
		in.Pos = pos
		id := v.Append(b, in, types, nil)
		u.setOrigin(id, c.stack.bottom.Below)
		return slices.Clone(v.Insts[id].Results)
	}
	is := put(c.pad, ir.Inst{Op: ir.OpLanding}, []ir.TypeID{u.int1})
	put(c.pad, ir.Inst{Op: ir.OpBranch2, Args: is, Dests: []ir.Dest{{Block: landed}, {Block: on}}}, nil)
	types := u.t.At(c.call.Sig).Results
	c.jump(landed, pos, ir.Dest{Block: c.after, Args: put(landed, ir.Inst{Op: ir.OpLanded, Types: types}, types)})
	if c.call.Has(ir.FlagExc) {
		c.jump(on, pos, ir.Dest{Block: c.call.Dests[1].Block, Args: slices.Clone(c.call.Dests[1].Args)})
	} else {
		put(on, ir.Inst{Op: ir.OpUnwind}, nil)
	}
	return ir.Dest{Block: c.pad}
}

// test ends block b with a test whether the function of a call still has the body that is copied: if not, it is
// called. It returns the block for the copy.
func (c *copier) test(b ir.BlockID, id ir.InstID, call ir.Inst) ir.BlockID {
	u, v := c.u, c.u.v
	copied, other, origin := c.more(call.Pos), c.more(call.Pos), u.originOf(id)
	put := func(b ir.BlockID, in ir.Inst, types []ir.TypeID) []ir.ValueID {
		id := v.Append(b, in, types, nil)
		u.setOrigin(id, origin)
		return slices.Clone(v.Insts[id].Results)
	}
	is := put(b, ir.Inst{Op: ir.OpUnchanged, Sig: call.Sig, Args: []ir.ValueID{call.Args[0]}, Pos: call.Pos}, []ir.TypeID{u.int1})
	put(b, ir.Inst{Op: ir.OpBranch2, Args: is, Dests: []ir.Dest{{Block: copied}, {Block: other}}, Pos: call.Pos}, nil)
	back := other
	if call.Has(ir.FlagExc) {
		back = c.more(call.Pos)
		call.Dests = []ir.Dest{{Block: back}, {Block: call.Dests[1].Block, Args: slices.Clone(call.Dests[1].Args)}}
	}
	call.Flags |= ir.FlagReplaced
	call.Args, call.Keep, call.Results = slices.Clone(call.Args), slices.Clone(call.Keep), nil
	results := put(other, call, u.t.At(call.Sig).Results)
	c.jump(back, call.Pos, ir.Dest{Block: c.after, Args: results})
	return copied
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
