package ial

import (
	"math"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A group has the translations of some operations.
type group map[module.Op]func(*body)

// translations has the translation of each operation. FFI, FORWARD and RAW are bodies of
// their own, see translator.define.
var translations [module.NumOps]func(*body)

func init() {
	for _, g := range []group{utilityOps, constantOps(), arithmeticOps(), memoryOps, arrayOps, bulkOps(), fieldOps(), callOps, flowOps} {
		for op, f := range g {
			translations[op] = f
		}
	}
}

var utilityOps = group{
	module.Nop: nothing, module.Comment: nothing,
	module.Copy:    func(b *body) { b.copy(b.in.Target, b.in.Src[0]) },
	module.Fence:   func(b *body) { b.Fence(ir.SeqCst) },
	module.ArgPush: (*body).push, module.ArgPop: (*body).pop,
	module.Phi: (*body).phi,
}

func nothing(*body) {}

// copy assigns the value of a register to another.
func (b *body) copy(to, from *module.Register) {
	if composite(to.Type) {
		if to != from {
			b.move(b.regs[to.Index].cell, b.regs[from.Index].cell)
		}
		return
	}
	b.set(to, b.get(from))
}

// constantOps load constants from the text or the layout.
func constantOps() group {
	g := group{
		module.LoadFunc:   (*body).loadFunc,
		module.LoadNull:   func(b *body) { b.result(b.Const(b.zero(b.types.register(b.in.Target.Type)))) },
		module.LoadSize:   func(b *body) { b.result(b.sizeOf(b.in.Type)) },
		module.LoadAlign:  func(b *body) { b.result(b.alignOf(b.in.Type)) },
		module.LoadOffset: func(b *body) { b.result(b.offsetOf(b.in.Field)) },
		module.LoadData:   (*body).loadData,
	}
	for op := module.LoadI8; op <= module.LoadF64; op++ {
		g[op] = func(b *body) { b.result(b.literal(b.in.Target.Type, b.in.Lits[0])) }
	}
	for op := module.LoadI8a; op <= module.LoadF64a; op++ {
		g[op] = (*body).loadArray
	}
	return g
}

// literal is a constant of a primitive type with given bits.
func (b *body) literal(t *module.Type, bits uint64) ir.ValueID { return b.Const(b.constant(t, bits)) }

func (t *translator) constant(typ *module.Type, bits uint64) *ir.Const {
	id := t.types.register(typ)
	switch typ.Kind {
	case module.Float32:
		return &ir.Const{Kind: ir.ConstFP, Type: id, Lo: bits & math.MaxUint32}
	case module.Float64:
		return &ir.Const{Kind: ir.ConstFP, Type: id, Lo: bits}
	}
	return t.b.IntConst(id, int64(bits))
}

// loadData loads the address of a block of data.
func (b *body) loadData() {
	loc := b.GlobalRef(b.bytes(b.in.Data))
	b.result(b.Elem(loc, b.i64(0)))
}
