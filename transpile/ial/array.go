package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// arrayOps are the operations on single elements.
var arrayOps = group{
	module.ArrayGet: func(b *body) { b.assign(b.in.Target, b.element(b.in.Src[0], b.src(1))) },
	module.ArraySet: func(b *body) { b.put(b.element(b.in.Src[0], b.src(1)), b.in.Src[2]) },
	module.ArrayLen: func(b *body) { b.result(b.length(b.in.Src[0])) },
	module.ArrayAddr: func(b *body) {
		a, i := b.in.Src[0], b.src(1)
		n := b.length(a)
		b.result(b.elementAt(a, i))
		if x := &b.regs[b.in.Target.Index]; x.cell == 0 {
			b.s.Def(b.Current(), x.index, i)
			b.s.Def(b.Current(), x.length, n)
		}
	},
}

// array is the reference to an array or vector, after a check that the object has such elements.
func (b *body) array(r *module.Register) ir.ValueID {
	v := b.get(r)
	b.fits(v, r.Type)
	return v
}

// actual is the length of an object. Reading it faults for NULL.
func (b *body) actual(ref ir.ValueID) ir.ValueID {
	at := b.Field(b.GetIRef(ref), b.types.lengthSlot)
	return b.Inst(ir.Inst{Op: ir.OpLoad, Flags: b.through | ir.FlagFixed, Ty: b.types.i64, Args: []ir.ValueID{at}})[0]
}

// length is the result of array.len for an array, vector or static array; it fails for NULL.
func (b *body) length(r *module.Register) ir.ValueID {
	if r.Type.Kind == module.Static {
		return b.i64(int64(r.Type.Count))
	}
	n := b.actual(b.array(r))
	if r.Type.Kind == module.Vector {
		return b.i64(int64(r.Type.Count))
	}
	return n
}

// element is the location of an element, whose index has been checked.
func (b *body) element(r *module.Register, i ir.ValueID) ir.ValueID {
	switch {
	case r.Type.Kind == module.Static:
		b.bounds(i, b.i64(int64(r.Type.Count)))
	case r.Type.Kind == module.Vector:
		b.bounds(i, b.i64(int64(r.Type.Count)))
		switch v := b.array(r); {
		case b.facts.checked(r.Type):
			b.bounds(i, b.actual(v))
		case b.layouts.Of(r.Type.Elem).Size.Mul(uint64(r.Type.Count)).W8+32 >= nullZone:
			b.notNull(v)
		}
	default:
		b.bounds(i, b.actual(b.array(r)))
	}
	return b.elementAt(r, i)
}

// elementAt is the location of an element, whatever the index.
func (b *body) elementAt(r *module.Register, i ir.ValueID) ir.ValueID {
	if r.Type.Kind == module.Static {
		return b.Elem(b.regs[r.Index].cell, i)
	}
	return b.Shift(b.VarPart(b.GetIRef(b.get(r))), i)
}

// bounds fails if an index is not below a length.
func (b *body) bounds(i, n ir.ValueID) {
	b.require(b.Cmp(ir.OpULT, i, n), func() {
		b.FailIndex(i, n, b.Const(b.Bytes(" in "+qualified(b.fn.Module, b.fn.Name))))
	})
}

// checkIndex fails if the address in a register is that of an element that does not
// exist.
func (b *body) checkIndex(r *module.Register) {
	x := &b.regs[r.Index]
	if x.cell != 0 || !x.indexed {
		return
	}
	b.bounds(b.s.Use(b.Current(), x.index), b.s.Use(b.Current(), x.length))
}
