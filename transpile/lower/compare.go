package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

var cmpOps = map[ir.Op]gotree.Op{
	ir.OpEQ: gotree.Equal, ir.OpNE: gotree.Unequal,
	ir.OpSGE: gotree.GreaterEq, ir.OpSGT: gotree.Greater, ir.OpSLE: gotree.LessEq, ir.OpSLT: gotree.Less,
	ir.OpUGE: gotree.GreaterEq, ir.OpUGT: gotree.Greater, ir.OpULE: gotree.LessEq, ir.OpULT: gotree.Less,
}

// compare compares operands of a scalar type.
func (e *fn) compare(op ir.Op, ty ir.TypeID, a, b ir.ValueID) expr {
	n := e.At(ty)
	x, y := e.expr(a), e.expr(b)
	if op.Is(ir.Signed) && n.Kind != ir.KInt { // pointers (D16)
		if e.isConst(a) {
			x = opaque(e.typed(a))
		}
		if e.isConst(b) {
			y = opaque(e.typed(b))
		}
		return e.cmpExpr(op, ty, x, y)
	}
	if e.isConst(a) && e.isConst(b) && n.Bits != 1 && n.Bits <= 64 {
		if op.Is(ir.Signed) {
			return bin(cmpOps[op], opaque(e.signed(a, n.Bits)), e.signed(b, n.Bits))
		}
		return e.cmpExpr(op, ty, opaque(e.typed(a)), y)
	}
	if op.Is(ir.Signed) && n.Kind == ir.KInt && n.Bits > 1 && n.Bits <= 64 {
		return bin(cmpOps[op], e.signed(a, n.Bits), e.signed(b, n.Bits))
	}
	return e.cmpExpr(op, ty, x, y)
}

// cmpExpr compares expressions of a scalar type.
func (e *fn) cmpExpr(op ir.Op, ty ir.TypeID, x, y expr) expr {
	n := e.At(ty)
	switch {
	case n.Kind == ir.KInt && n.Bits == 1:
		if op == ir.OpEQ || op == ir.OpNE {
			return bin(cmpOps[op], x, y)
		}
		if op.Is(ir.Signed) { // S(1) is -1
			x, y = y, x
		}
		return bin(cmpOps[op], rtInt("B2U", x), rtInt("B2U", y))
	case n.Kind == ir.KInt && n.Bits > 64:
		if op.Is(ir.Signed) {
			x, y = signExtended(x, n.Bits), signExtended(y, n.Bits)
		}
		return method(x, op.Info().Mnemonic, y)
	case op.Is(ir.Signed):
		if n.Kind == ir.KInt {
			return bin(cmpOps[op], signedOf(x, n.Bits), signedOf(y, n.Bits))
		}
		return bin(cmpOps[op], conv(gotree.IntType, x), conv(gotree.IntType, y)) // pointers (D16)
	}
	return bin(cmpOps[op], x, y)
}

// fpOps are the comparisons that Go has; not marks those to negate, which hold for
// NaNs, too.
var fpOps = map[ir.Op]struct {
	op  gotree.Op
	not bool
}{
	ir.OpFOEQ: {op: gotree.Equal}, ir.OpFOGT: {op: gotree.Greater}, ir.OpFOGE: {op: gotree.GreaterEq},
	ir.OpFOLT: {op: gotree.Less}, ir.OpFOLE: {op: gotree.LessEq}, ir.OpFUNE: {op: gotree.Unequal},
	ir.OpFUGT: {gotree.LessEq, true}, ir.OpFUGE: {gotree.Less, true},
	ir.OpFULT: {gotree.GreaterEq, true}, ir.OpFULE: {gotree.Greater, true},
}

func fpCompare(op ir.Op, x, y expr) expr {
	if f, ok := fpOps[op]; ok {
		c := bin(f.op, x, y)
		if f.not {
			return &gotree.Unary{Op: '!', X: c}
		}
		return c
	}
	ordered, different := rtBool("FOrd", x, y), rtBool("FOne", x, y)
	switch op {
	case ir.OpFOrd:
		return ordered
	case ir.OpFUno:
		return gotree.Not(ordered)
	case ir.OpFONE:
		return different
	case ir.OpFUEQ:
		return gotree.Not(different)
	case ir.OpFTrue:
		return bin(gotree.OrOr, ordered, gotree.True)
	}
	return bin(gotree.AndAnd, ordered, gotree.False)
}
