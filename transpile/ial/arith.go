package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A kindOps is the operation of the representation for signed and unsigned integers and
// floating-point numbers.
type kindOps struct{ signed, unsigned, float ir.Op }

func same(op ir.Op) kindOps { return kindOps{op, op, ir.OpInvalid} }

func (k kindOps) of(t *module.Type) ir.Op {
	switch {
	case t.IsFloat():
		return k.float
	case t.IsSigned():
		return k.signed
	}
	return k.unsigned // also of pointers
}

// binaries are the operations on two values of a type.
var binaries = map[module.Op]kindOps{
	module.AriAdd: {ir.OpAdd, ir.OpAdd, ir.OpFAdd},
	module.AriSub: {ir.OpSub, ir.OpSub, ir.OpFSub},
	module.AriMul: {ir.OpMul, ir.OpMul, ir.OpFMul},
	module.AriDiv: {ir.OpSDiv, ir.OpUDiv, ir.OpFDiv},
	module.AriRem: {ir.OpSRem, ir.OpURem, ir.OpFRem},
	module.BitAnd: same(ir.OpAnd),
	module.BitOr:  same(ir.OpOr),
	module.BitXor: same(ir.OpXor),
}

// shifts are the operations on a value and a number of bits.
var shifts = map[module.Op]kindOps{
	module.Shl: same(ir.OpShlFar),
	module.Shr: {ir.OpAShrFar, ir.OpLShrFar, ir.OpInvalid},
	module.Rol: same(ir.OpRotL),
	module.Ror: same(ir.OpRotR),
}

// comparisons are the operations whose result is an int<1>.
var comparisons = map[module.Op]kindOps{
	module.CmpEq:   {ir.OpEQ, ir.OpEQ, ir.OpFOEQ},
	module.CmpNeq:  {ir.OpNE, ir.OpNE, ir.OpFUNE},
	module.CmpGt:   {ir.OpSGT, ir.OpUGT, ir.OpFOGT},
	module.CmpLt:   {ir.OpSLT, ir.OpULT, ir.OpFOLT},
	module.CmpGteq: {ir.OpSGE, ir.OpUGE, ir.OpFOGE},
	module.CmpLteq: {ir.OpSLE, ir.OpULE, ir.OpFOLE},
}

// arithmeticOps are all these operations on registers. They share scalar with bulk operations.
func arithmeticOps() group {
	g := group{
		module.Conv: func(b *body) { b.result(b.convert(b.src(0), b.in.Src[0].Type, b.in.Target.Type)) },
	}
	add := func(op module.Op) {
		g[op] = func(b *body) {
			y := ir.ValueID(0)
			if len(b.in.Src) > 1 {
				y = b.src(1)
			}
			b.result(b.scalar(op, b.in.Src[0].Type, b.src(0), y))
		}
	}
	for _, ops := range []map[module.Op]kindOps{binaries, shifts, comparisons} {
		for op := range ops {
			add(op)
		}
	}
	for _, op := range []module.Op{module.AriNeg, module.BitNeg, module.Not} {
		add(op)
	}
	return g
}

// scalar is the result of an operation on a value x of type t. An operation with two operands has
// y, which is of the same type or a number of elements or bits.
func (b *body) scalar(op module.Op, t *module.Type, x, y ir.ValueID) ir.ValueID {
	if k, ok := comparisons[op]; ok {
		return b.bit(b.compare(k.of(t), t, x, y), b.types.i64)
	}
	if k, ok := shifts[op]; ok {
		return b.shift(k.of(t), t, x, y)
	}
	if k, ok := binaries[op]; ok {
		switch {
		case t.Kind == module.Pointer:
			if op == module.AriSub {
				y = b.Bin(ir.OpSub, b.i64(0), y)
			}
			in := ir.Inst{Op: ir.OpShiftIRef, Flags: ir.FlagPointer, Ty: b.Types.At(b.TypeOf(x)).Elem, Ty2: b.TypeOf(y), Args: []ir.ValueID{x, y}}
			return b.Inst(in)[0]
		case k.of(t).Is(ir.Divides):
			b.divisor(y)
		}
		return b.extended(b.Bin(k.of(t), x, y), t)
	}
	return b.unary(op, t, x)
}

// divisor fails if a divisor is zero.
func (b *body) divisor(y ir.ValueID) {
	b.require(b.Cmp(ir.OpNE, y, b.Int(b.TypeOf(y), 0)), b.trap(ir.FailDivByZero, "integer division by zero"))
}

// unary is the result of an operation on one value.
func (b *body) unary(op module.Op, t *module.Type, x ir.ValueID) ir.ValueID {
	id := b.TypeOf(x)
	switch {
	case op == module.BitNeg:
		return b.extended(b.Bin(ir.OpXor, x, b.Int(id, -1)), t)
	case op == module.Not && t.IsFloat():
		is := b.Cmp(ir.OpFOEQ, x, b.Float(id, 0))
		return b.Select(is, b.Float(id, 1), b.Float(id, 0))
	case op == module.Not:
		is := b.Cmp(ir.OpEQ, x, b.Int(id, 0))
		return b.bit(is, id)
	case t.IsFloat(): // this changes the sign of a NaN too, which a subtraction would keep
		bits := b.Types.Int(uint32(t.Width()))
		sign := b.Int(bits, -1<<(t.Width()-1))
		return b.Conv(ir.OpBitcast, b.Bin(ir.OpXor, b.Conv(ir.OpBitcast, x, bits), sign), id)
	}
	return b.extended(b.Bin(ir.OpSub, b.Int(id, 0), x), t)
}

// compare is the result of a comparison, an int<1>.
func (b *body) compare(op ir.Op, t *module.Type, x, y ir.ValueID) ir.ValueID {
	if t.Kind == module.Pointer {
		x, y = b.address(x), b.address(y)
	}
	return b.Cmp(op, x, y)
}

// shift is a shift or rotation. The result for a native word depends on its width: the word is
// shifted as 64 bits where the result is the same, else with its own width.
func (b *body) shift(op ir.Op, t *module.Type, x, n ir.ValueID) ir.ValueID {
	if t.Kind != module.Int && t.Kind != module.Uint {
		return b.Inst(ir.Inst{Op: op, Ty: b.TypeOf(x), Ty2: b.TypeOf(n), Args: []ir.ValueID{x, n}})[0]
	}
	far := func(op ir.Op, x, n ir.ValueID) ir.ValueID {
		return b.Inst(ir.Inst{Op: op, Ty: b.types.i64, Ty2: b.types.i64, Args: []ir.ValueID{x, n}})[0]
	}
	if op != ir.OpRotL && op != ir.OpRotR {
		return b.extended(far(op, x, n), t) // shifts by the width or more leave 0, or the sign
	}
	// rotl(x, n) = x << n%w | x >> (w - n%w); rotr by n is rotl by -n.
	w := b.wordBits()
	mask := b.Bin(ir.OpSub, w, b.i64(1))
	if op == ir.OpRotR {
		n = b.Bin(ir.OpSub, b.i64(0), n)
	}
	n = b.Bin(ir.OpAnd, n, mask)
	low := b.ZExtWord(x)
	return b.extended(b.Bin(ir.OpOr, far(ir.OpShlFar, low, n), far(ir.OpLShrFar, low, b.Bin(ir.OpSub, w, n))), t)
}
