package expand

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// promises makes functions fail where they break the promises of their attributes. Such
// functions have no TAILCALL, see package verify.
func (e *expander) promises() {
	v, attrs := e.v, e.v.Func.Attrs
	if attrs&(ir.NoReturn|ir.NoThrow) == 0 {
		return
	}
	for b := 0; b < len(v.Blocks); b++ { // including blocks that guard adds
		for at := 0; at < len(v.Blocks[b].Insts); at++ {
			id := v.Blocks[b].Insts[at]
			in := &v.Insts[id]
			switch {
			case in.Op == ir.OpRet && attrs&ir.NoReturn != 0:
				*in = failure(e.p, v, in, ir.FailTrap, "return from noreturn function")
			case in.Op == ir.OpThrow && attrs&ir.NoThrow != 0:
				*in = failure(e.p, v, in, ir.FailTrap, "throw from nothrow function")
			case in.Op.Is(ir.MayThrow) && in.Op.Is(ir.MayEXC) && in.Flags&(ir.FlagExc|ir.FlagKillOld) == 0 && attrs&ir.NoThrow != 0:
				e.guard(ir.BlockID(b), at)
			}
		}
	}
}

// guard gives an instruction an exception clause that fails. The instructions after it in
// its block move to a new block.
func (e *expander) guard(b ir.BlockID, at int) {
	v := e.v
	id := v.Blocks[b].Insts[at]
	rest := v.NewBlock(v.Blocks[b].Name, v.Blocks[b].Pos)
	bad := v.NewBlock(v.Blocks[b].Name, v.Blocks[b].Pos)
	in := &v.Insts[id]
	fail := failure(e.p, v, in, ir.FailTrap, "throw from nothrow function")
	fail.ID = 0
	v.Append(bad, fail, nil, nil)
	v.Blocks[rest].Insts = slices.Clone(v.Blocks[b].Insts[at+1:])
	for _, x := range v.Blocks[rest].Insts {
		v.Insts[x].Block = rest
	}
	v.Blocks[b].Insts = v.Blocks[b].Insts[:at+1]
	in = &v.Insts[id]
	in.Flags |= ir.FlagExc
	in.Dests = []ir.Dest{{Block: rest}, {Block: bad}}
}
