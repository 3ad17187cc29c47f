package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/ssabuild"
)

// flowOps are the operations that end blocks, and those on exceptions.
var flowOps = group{
	module.Jump: func(b *body) {
		b.selectors(b.in.Blocks)
		b.jump(b.blocks[b.in.Blocks[0].Index])
	},
	module.JumpCond: func(b *body) {
		b.selectors(b.in.Blocks)
		yes, no := b.blocks[b.in.Blocks[0].Index], b.blocks[b.in.Blocks[1].Index]
		b.Branch2(b.condition(b.src(0)), ir.To(yes), ir.To(no))
		b.end()
	},
	module.Leave: func(b *body) {
		b.Ret()
		b.end()
	},
	module.Return: func(b *body) {
		b.Ret(b.value(b.in.Src[0]))
		b.end()
	},
	module.Dead: func(b *body) {
		b.fail(ir.FailTrap, "dead code reached")
		b.end()
	},
	module.EHThrow: func(b *body) {
		v := b.src(0)
		b.notNull(v)
		b.raise(b.cast(v, b.types.object), (*ir.BodyBuilder).Throw)
	},
	module.EHRethrow: func(b *body) { b.raise(b.exception(), (*ir.BodyBuilder).Rethrow) },
	module.EHCatch: func(b *body) {
		b.result(b.cast(b.exception(), b.types.register(b.in.Target.Type)))
	},
}

// condition is the test of a uint, usually the result of a comparison, for not being 0.
func (b *body) condition(v ir.ValueID) ir.ValueID {
	if x := b.V.Values[v]; x.Kind == ir.ValueResult {
		if in := &b.V.Insts[x.Def]; in.Op == ir.OpZExt && in.Ty == b.types.i1 {
			return in.Args[0]
		}
	}
	return b.Cmp(ir.OpNE, v, b.i64(0))
}

// raise ends the block with an exception, which continues at the unwind block or leaves the
// function.
func (b *body) raise(exc ir.ValueID, throw func(*ir.BodyBuilder, ir.ValueID)) {
	u := b.block.Unwind
	switch {
	case u != nil:
		b.s.Def(b.Current(), b.inflight, exc)
		b.s.Def(b.Current(), b.caught, b.Int(b.types.i1, 1))
		b.jump(b.blocks[u.Index])
		return
	case b.fn.Has(module.NoThrow):
		b.fail(ir.FailTrap, "throw from nothrow function")
	default:
		throw(b.BodyBuilder, exc)
	}
	b.end()
}

// exception is the exception that was caught last.
func (b *body) exception() ir.ValueID {
	b.require(b.s.Use(b.Current(), b.caught), b.trap(ir.FailTrap, "no exception in flight"))
	return b.s.Use(b.Current(), b.inflight)
}

// landing is the block that exceptions with unwind block u lead to.
func (b *body) landing(u *module.Block) ir.BlockID {
	l, ok := b.landings[u]
	if !ok {
		l = b.ExcBlock("%" + u.Name)
		b.landings[u] = l
	}
	return l
}

// A selector is the variable or cell that a PHI instruction reads. Every predecessor
// assigns to it at its end. So all PHI instructions of a block are read before any of
// their targets is written.
type selector struct {
	v    ssabuild.Var
	cell ir.ValueID
}

// phis lists the PHI instructions of a block.
func phis(k *module.Block) []*module.Instr {
	for i, in := range k.Instrs {
		if in.Op != module.Phi {
			return k.Instrs[:i]
		}
	}
	return k.Instrs
}

// selector makes the selector of a PHI instruction.
func (b *body) selector(in *module.Instr) {
	if composite(in.Target.Type) {
		b.selects[in] = selector{cell: b.Alloca(b.types.memory(in.Target.Type))}
		return
	}
	b.selects[in] = selector{v: b.s.Var(b.types.register(in.Target.Type), "%"+in.Target.Name)}
}

// selectors assigns to the selectors of the successors of the current block.
func (b *body) selectors(to []*module.Block) {
	for i, k := range to {
		if i > 0 && k == to[0] {
			break
		}
		for _, phi := range phis(k) {
			x := b.selects[phi]
			for _, r := range phi.Regs {
				switch {
				case !b.defines(b.block, r):
				case x.cell != 0:
					b.move(x.cell, b.regs[r.Index].cell)
				default:
					b.s.Def(b.Current(), x.v, b.get(r))
				}
			}
		}
	}
}

// defines reports whether a block defines a register.
func (b *body) defines(k *module.Block, r *module.Register) bool { return b.definedIn[r.Index] == k }

func (b *body) phi() {
	x := b.selects[b.in]
	if x.cell != 0 {
		b.move(b.regs[b.in.Target.Index].cell, x.cell)
		return
	}
	b.set(b.in.Target, b.s.Use(b.Current(), x.v))
}
