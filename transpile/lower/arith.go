package lower

import (
	"math/bits"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// expr is the Go expression of an operand: a variable, a constant or a nested
// expression.
func (e *fn) expr(x ir.ValueID) expr {
	x = e.plan.Alias[x]
	v := &e.v.Values[x]
	if v.Kind == ir.ValueConst {
		return e.Constant(v.Const)
	}
	if e.plan.Inline[x] {
		return e.placed(ir.InstID(v.Def), e.pure(&e.v.Insts[v.Def]))
	}
	if e.name[x] == "" {
		e.fail("value %s is used before it is assigned", e.v.ValueName(x))
		return gotree.Blank
	}
	e.read[x] = true
	return e.variable(x)
}

// variable is the Go variable of a value.
func (e *fn) variable(x ir.ValueID) expr {
	return &gotree.Ident{Name: e.name[x], K: e.GoType(e.v.Values[x].Type).K}
}

// typed is expr, wrapped in a conversion if it is a bare literal.
func (e *fn) typed(x ir.ValueID) expr {
	s := e.expr(x)
	if gotree.Untyped(s) {
		return conv(e.GoType(e.v.Values[x].Type), s)
	}
	return s
}

// isConst reports whether an operand is a numeric constant.
func (e *fn) isConst(x ir.ValueID) bool {
	x = e.plan.Alias[x]
	v := &e.v.Values[x]
	return v.Kind == ir.ValueConst && (v.Const.Kind == ir.ConstInt || v.Const.Kind == ir.ConstFP)
}

// signed reads an int<n> operand as signed, in a Go type of at least n bits.
func (e *fn) signed(x ir.ValueID, n uint32) expr {
	if e.isConst(x) {
		lo := e.v.Values[e.plan.Alias[x]].Const.Lo
		return conv(gotree.Signed(container(n)), signedLit(int64(lo<<(64-n))>>(64-n)))
	}
	return signedOf(e.expr(x), n)
}

// pure is the expression of a scalar instruction without effects.
func (e *fn) pure(in *ir.Inst) expr {
	switch in.Op.Info().Class {
	case ir.ClassIntBin:
		return e.intBin(in.Op, e.At(in.Ty).Bits, in.Args[0], in.Args[1])
	case ir.ClassFPBin:
		x, y := e.expr(in.Args[0]), e.expr(in.Args[1])
		if e.isConst(in.Args[0]) && e.isConst(in.Args[1]) {
			x = opaque(x) // Go evaluates constants exactly
		}
		return fpExpr(in.Op, e.Kind(in.Ty) == ir.KFloat, x, y)
	case ir.ClassCmpEQ, ir.ClassCmpInt, ir.ClassCmpULT:
		return e.compare(in.Op, in.Ty, in.Args[0], in.Args[1])
	case ir.ClassCmpFP:
		return fpCompare(in.Op, e.expr(in.Args[0]), e.expr(in.Args[1]))
	case ir.ClassConv:
		return e.convert(in.Op, in.Ty, in.Ty2, e.expr(in.Args[0]), e.isConst(in.Args[0]))
	case ir.ClassWord:
		return wordOf(in.Op, e.typedConst(in.Args[0]))
	case ir.ClassAddr:
		return e.placeOf(in).Address()
	}
	if in.Op == ir.OpExtractValue {
		return e.fieldOf(e.expr(in.Args[0]), in)
	}
	if x, ok := e.tagExpr(in); ok {
		return x
	}
	e.fail("%s is not an expression", in.Op)
	return zero
}

var intOps = map[ir.Op]gotree.Op{
	ir.OpAdd: gotree.Add, ir.OpSub: gotree.Sub, ir.OpMul: gotree.Mul, ir.OpAnd: gotree.And, ir.OpOr: gotree.Or, ir.OpXor: gotree.Xor,
	ir.OpUDiv: gotree.Div, ir.OpURem: gotree.Rem, ir.OpSDiv: gotree.Div, ir.OpSRem: gotree.Rem,
}

var wideOps = map[ir.Op]string{
	ir.OpAdd: "Add", ir.OpSub: "Sub", ir.OpMul: "Mul", ir.OpAnd: "And", ir.OpOr: "Or", ir.OpXor: "Xor",
	ir.OpUDiv: "UDiv", ir.OpURem: "URem", ir.OpSDiv: "SDiv", ir.OpSRem: "SRem",
	ir.OpShl: "Shl", ir.OpLShr: "LShr", ir.OpAShr: "AShr",
}

// intBin is the expression of an integer operation on operands.
func (e *fn) intBin(op ir.Op, n uint32, a, b ir.ValueID) expr {
	x, y := e.expr(a), e.expr(b)
	if n > 1 && n <= 64 {
		if e.isConst(a) {
			// A variable keeps Go from evaluating constants exactly.
			x = e.typed(a)
			if e.isConst(b) {
				x = opaque(x)
			}
		}
		switch op {
		case ir.OpSDiv, ir.OpSRem:
			sx := e.signed(a, n)
			if e.isConst(a) && e.isConst(b) {
				sx = opaque(sx)
			}
			return masked(unsigned(bin(intOps[op], sx, e.signed(b, n)), n), n)
		case ir.OpAShr:
			sx := e.signed(a, n)
			if e.isConst(a) {
				sx = opaque(sx)
			}
			if !e.isConst(b) {
				sx = shiftable(sx, n)
			}
			return masked(unsigned(bin(gotree.Shr, sx, e.count(b, n)), n), n)
		case ir.OpShl, ir.OpLShr:
			y = e.count(b, n)
		}
	}
	return intExpr(op, n, x, y)
}

// count is a shift count, masked as the language wants.
func (e *fn) count(b ir.ValueID, n uint32) expr {
	m := shiftMask(n)
	if e.isConst(b) {
		return lit(e.v.Values[e.plan.Alias[b]].Const.Lo & m)
	}
	return bin(gotree.And, e.expr(b), lit(m))
}

// shiftMask has the bits of a shift count that matter.
func shiftMask(n uint32) uint64 { return uint64(1)<<bits.Len32(n-1) - 1 }

// intExpr is the expression of an integer operation on expressions; the counts of shifts
// of up to 64 bits are masked already.
func intExpr(op ir.Op, n uint32, x, y expr) expr {
	switch {
	case n == 1:
		return boolExpr(op, x, y)
	case n > 64:
		return wideExpr(op, n, x, y)
	}
	switch op {
	case ir.OpShl:
		return masked(bin(gotree.Shl, x, y), n)
	case ir.OpLShr:
		return bin(gotree.Shr, x, y)
	case ir.OpAShr:
		return masked(unsigned(bin(gotree.Shr, shiftable(signedOf(x, n), n), y), n), n)
	case ir.OpSDiv, ir.OpSRem:
		return masked(unsigned(bin(intOps[op], signedOf(x, n), signedOf(y, n)), n), n)
	}
	if op.Info().Bits.Carries() {
		return masked(bin(intOps[op], x, y), n)
	}
	return bin(intOps[op], x, y)
}

// shiftable is a signed number as the operand of a shift by a variable count. For mips, Go's compiler extends
// an int8 there as if it were an int16, which is wrong if it was a uint8 before.
func shiftable(x expr, n uint32) expr {
	if n == 8 {
		return conv(gotree.Signed(32), x)
	}
	return x
}

// boolExpr is an operation on int<1>; a zero divisor has been excluded. It reads every
// operand, whether it matters or not: Go requires that of its variables.
func boolExpr(op ir.Op, x, y expr) expr {
	switch op {
	case ir.OpAdd, ir.OpSub, ir.OpXor:
		return ne(x, y)
	case ir.OpMul, ir.OpAnd, ir.OpSDiv, ir.OpUDiv: // a quotient by 1
		return bin(gotree.AndAnd, x, y)
	case ir.OpOr:
		return bin(gotree.OrOr, x, y)
	case ir.OpSRem, ir.OpURem: // by 1
		return bin(gotree.AndAnd, x, gotree.Not(y))
	}
	return bin(gotree.OrOr, x, bin(gotree.AndAnd, x, y)) // a shift by 0
}

func wideExpr(op ir.Op, n uint32, x, y expr) expr {
	switch op {
	case ir.OpShl, ir.OpLShr, ir.OpAShr:
		if op == ir.OpAShr {
			x = signExtended(x, n)
		}
		y = conv(gotree.Named("uint"), bin(gotree.And, dot(y, "Lo"), lit(shiftMask(n))))
	case ir.OpSDiv, ir.OpSRem:
		x, y = signExtended(x, n), signExtended(y, n)
	}
	return masked128(method(x, wideOps[op], y), n)
}

// fpExpr is a floating-point operation. A product is converted so that Go may
// not fuse it into a sum.
func fpExpr(op ir.Op, single bool, x, y expr) expr {
	ty, rem := gotree.Float64, "FRem64"
	if single {
		ty, rem = gotree.Float32, "FRem32"
	}
	switch op {
	case ir.OpFAdd:
		return bin(gotree.Add, x, y)
	case ir.OpFSub:
		return bin(gotree.Sub, x, y)
	case ir.OpFMul:
		return conv(ty, bin(gotree.Mul, x, y))
	case ir.OpFDiv:
		return bin(gotree.Div, x, y)
	}
	return numCall(rem, x, y)
}
