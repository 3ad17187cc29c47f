package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Atomic functions on references and native words. Memory holds a reference or a
// uptr<void>; arithmetic on the latter is a loop with CMPXCHG.

func init() {
	for suffix, kind := range map[string]module.Kind{"": module.Reference, "_u": module.Uint, "_s": module.Int} {
		intrinsicBodies["atomic_load"+suffix] = atomicLoad
		intrinsicBodies["atomic_store"+suffix] = atomicStore
		intrinsicBodies["atomic_exchange"+suffix] = atomicExchange
		if kind == module.Reference {
			continue
		}
		for name, op := range map[string]module.Op{
			"add": module.AriAdd, "sub": module.AriSub, "mul": module.AriMul, "div": module.AriDiv, "rem": module.AriRem,
			"and": module.BitAnd, "or": module.BitOr, "xor": module.BitXor,
		} {
			intrinsicBodies["atomic_"+name+suffix] = atomicUpdate(op)
		}
	}
}

// atomicPlace is the location in parameter 0, after checks that it is not NULL and is aligned.
func (b *body) atomicPlace() ir.ValueID {
	loc := b.Param(0, 0)
	b.notNull(loc)
	mask := b.Bin(ir.OpSub, b.Bin(ir.OpLShr, b.wordBits(), b.i64(3)), b.i64(1))
	odd := b.Bin(ir.OpAnd, b.ptrcast(b.address(loc), b.types.i64), mask)
	b.require(b.Cmp(ir.OpEQ, odd, b.i64(0)), b.trap(ir.FailNative, "misaligned atomic"))
	return loc
}

func atomicLoad(b *body) ir.ValueID {
	return b.fromMemory(b.Load(b.atomicPlace(), ir.SeqCst), b.fn.Result)
}

func atomicStore(b *body) ir.ValueID {
	b.Store(b.atomicPlace(), b.toMemory(b.Param(0, 1), b.fn.Params[1].Type), ir.SeqCst)
	return 0
}

func atomicExchange(b *body) ir.ValueID {
	t := b.fn.Params[1].Type
	_, ok := b.CmpXchg(b.atomicPlace(), b.toMemory(b.Param(0, 1), t), b.toMemory(b.Param(0, 2), t), ir.SeqCst, ir.SeqCst)
	return b.bit(ok, b.types.i64)
}

// atomicUpdate returns the body of an atomic arithmetic function, whose result is the new value.
func atomicUpdate(op module.Op) intrinsic {
	return func(b *body) ir.ValueID {
		t := b.fn.Result
		loc, x := b.atomicPlace(), b.Param(0, 1)
		loop, done := b.Block("%loop"), b.Block("%done")
		b.jump(loop)
		b.At(loop)
		old := b.Load(loc, ir.SeqCst)
		v := b.scalar(op, t, b.fromMemory(old, t), x)
		_, ok := b.CmpXchg(loc, old, b.toMemory(v, t), ir.SeqCst, ir.SeqCst)
		b.Branch2(ok, ir.To(done), ir.To(loop))
		b.end()
		b.At(done)
		return v
	}
}
