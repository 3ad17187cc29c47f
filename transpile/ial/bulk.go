package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// bulkScalars are the operations that bulk operations apply to each element.
var bulkScalars = map[module.Op]module.Op{
	module.ArrayAriAdd: module.AriAdd, module.ArrayAriSub: module.AriSub, module.ArrayAriMul: module.AriMul,
	module.ArrayAriDiv: module.AriDiv, module.ArrayAriRem: module.AriRem, module.ArrayAriNeg: module.AriNeg,
	module.ArrayBitAnd: module.BitAnd, module.ArrayBitOr: module.BitOr, module.ArrayBitXor: module.BitXor,
	module.ArrayBitNeg: module.BitNeg, module.ArrayNot: module.Not,
	module.ArrayShl: module.Shl, module.ArrayShr: module.Shr, module.ArrayRol: module.Rol, module.ArrayRor: module.Ror,
	module.ArrayCmpEq: module.CmpEq, module.ArrayCmpNeq: module.CmpNeq, module.ArrayCmpGt: module.CmpGt,
	module.ArrayCmpLt: module.CmpLt, module.ArrayCmpGteq: module.CmpGteq, module.ArrayCmpLteq: module.CmpLteq,
}

// bulkOps are the operations on all elements of arrays: loops with the operation on one element.
func bulkOps() group {
	g := group{
		module.ArrayConv: func(b *body) {
			from, to := b.in.Src[0], b.in.Src[1]
			b.bulk(to, []*module.Register{from}, func(x []ir.ValueID) ir.ValueID {
				return b.convert(x[0], from.Type.Elem, to.Type.Elem)
			})
		},
	}
	for bulk, op := range bulkScalars {
		g[bulk] = func(b *body) {
			s := b.in.Src[1].Type.Elem
			b.bulk(b.in.Src[0], b.in.Src[1:], func(x []ir.ValueID) ir.ValueID {
				return b.scalar(op, s, x[0], append(x, 0)[1])
			})
		}
	}
	return g
}

// An operand of a bulk operation is a scalar, or the location of the first element of an array.
type operand struct {
	scalar, first ir.ValueID
	cell          bool // first is that of a static array
	elem          *module.Type
}

// operand checks that an array has n elements, if n is not 0.
func (b *body) operand(r *module.Register, n ir.ValueID) (operand, ir.ValueID) {
	if !r.Type.IsArray() {
		return operand{scalar: b.get(r)}, 0
	}
	length := b.length(r)
	if r.Type.Kind == module.Vector && b.facts.checked(r.Type) {
		length = b.actual(b.get(r))
	}
	if n != 0 {
		b.require(b.Cmp(ir.OpEQ, length, n), b.trap(ir.FailBounds, "array length mismatch"))
	}
	x := operand{elem: r.Type.Elem, cell: r.Type.Kind == module.Static}
	if x.cell {
		x.first = b.regs[r.Index].cell
	} else {
		x.first = b.VarPart(b.GetIRef(b.get(r)))
	}
	return x, length
}

// at is the location of element i.
func (b *body) at(x *operand, i ir.ValueID) ir.ValueID {
	if x.cell {
		return b.Elem(x.first, i)
	}
	return b.Shift(x.first, i)
}

// bulk assigns to each element of an array the value that compute makes of the elements of the
// operands with the same index, in order.
func (b *body) bulk(dest *module.Register, src []*module.Register, compute func([]ir.ValueID) ir.ValueID) {
	d, n := b.operand(dest, 0)
	xs := make([]operand, len(src))
	for k, r := range src {
		xs[k], _ = b.operand(r, n)
	}
	name := b.V.Blocks[b.Current()].Name
	head, loop, done := b.Block(name, b.types.i64), b.Block(name), b.Block(name)
	b.Branch(head, b.i64(0))
	b.end()
	b.At(head)
	i := b.Param(head, 0)
	b.Branch2(b.Cmp(ir.OpULT, i, n), ir.To(loop), ir.To(done))
	b.end()
	b.s.Seal(loop)
	b.s.Seal(done)
	b.At(loop)
	vals := make([]ir.ValueID, len(xs))
	for k := range xs {
		if x := &xs[k]; x.elem == nil {
			vals[k] = x.scalar
		} else {
			vals[k] = b.load(b.at(x, i), x.elem)
		}
	}
	b.store(b.at(&d, i), d.elem, compute(vals))
	b.Branch(head, b.Bin(ir.OpAdd, i, b.i64(1)))
	b.end()
	b.s.Seal(head)
	b.At(done)
}
