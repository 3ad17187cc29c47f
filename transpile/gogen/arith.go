package gogen

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// expr is the Go expression of an operand: a variable, a constant or a nested
// expression in parentheses.
func (e *fn) expr(x ir.ValueID) string {
	x = e.plan.Alias[x]
	v := &e.v.Values[x]
	if v.Kind == ir.ValueConst {
		s := e.constant(v.Const)
		if strings.HasSuffix(s, "}") {
			// A composite literal ends the head of an if or switch otherwise.
			return "(" + s + ")"
		}
		return s
	}
	if e.plan.Inline[x] {
		in := &e.v.Insts[v.Def]
		return e.pure(in)
	}
	if e.name[x] == "" {
		e.fail("value %s is used before it is assigned", e.v.ValueName(x))
		return "_"
	}
	e.read[x] = true
	return e.name[x]
}

// typed is expr, wrapped in a conversion if it is a bare literal.
func (e *fn) typed(x ir.ValueID) string {
	s := e.expr(x)
	if needsType(s) {
		return e.goType(e.v.Values[x].Type) + "(" + s + ")"
	}
	return s
}

// isConst reports whether an operand is a numeric constant.
func (e *fn) isConst(x ir.ValueID) bool {
	x = e.plan.Alias[x]
	v := &e.v.Values[x]
	return v.Kind == ir.ValueConst && (v.Const.Kind == ir.ConstInt || v.Const.Kind == ir.ConstFP)
}

// constant is the Go expression of a constant. Integers are bare literals.
func (g *gen) constant(c *ir.Const) string {
	switch c.Kind {
	case ir.ConstInt:
		n := g.at(c.Type)
		switch {
		case n.Kind == ir.KInt && n.Bits == 1:
			return strconv.FormatBool(c.Lo&1 != 0)
		case n.Kind == ir.KInt && n.Bits > 64:
			return fmt.Sprintf("num.U128{Lo: %#x, Hi: %#x}", c.Lo, c.Hi)
		case n.Kind != ir.KInt && c.Lo>>32 != 0:
			// An address, of which a platform may have fewer bits.
			return fmt.Sprintf("uintptr(%#x & rt.WordMask)", c.Lo)
		}
		return intLit(c.Lo)
	case ir.ConstFP:
		if g.kind(c.Type) == ir.KFloat {
			return floatLit(c.Lo, true)
		}
		return floatLit(c.Lo, false)
	case ir.ConstNull:
		if g.kind(c.Type) == ir.KTagRef64 {
			return "0"
		}
		return "0"
	case ir.ConstAggregate:
		s := g.goType(c.Type) + "{"
		for i, el := range c.Elems {
			if i > 0 {
				s += ", "
			}
			s += g.constant(el)
		}
		return s + "}"
	case ir.ConstGlobal:
		return "uintptr(unsafe.Pointer(&" + g.globals[c.Global] + "))"
	case ir.ConstFunc:
		return "uintptr(unsafe.Pointer(&" + g.info[c.Func].rec + "))"
	case ir.ConstExpose:
		return "rt.ExposedAddr(&" + g.exposes[c.Expose] + ")"
	case ir.ConstExtern:
		return g.symbol(c)
	}
	panic(fmt.Sprintf("internal error: constant of kind %d", c.Kind))
}

func intLit(v uint64) string {
	if v > 0xffff {
		return fmt.Sprintf("%#x", v)
	}
	return strconv.FormatUint(v, 10)
}

func floatLit(b uint64, single bool) string {
	ty, size := "float64", 64
	f := math.Float64frombits(b)
	if single {
		ty, size = "float32", 32
		f = float64(math.Float32frombits(uint32(b)))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
		return fmt.Sprintf("math.Float%dfrombits(%#x)", size, b)
	}
	return fmt.Sprintf("%s(%s)", ty, strconv.FormatFloat(f, 'g', -1, size))
}

// signed reads an int<n> expression as signed, in a Go type of at least n bits.
func (e *fn) signed(x ir.ValueID, n uint32) string {
	c := container(n)
	if e.isConst(x) {
		lo := e.v.Values[e.plan.Alias[x]].Const.Lo
		return fmt.Sprintf("int%d(%d)", c, int64(lo<<(64-n))>>(64-n))
	}
	return signedOf(e.expr(x), n)
}

func signedOf(s string, n uint32) string {
	c := container(n)
	if n == c {
		return fmt.Sprintf("int%d(%s)", c, s)
	}
	return fmt.Sprintf("(int%d(%s<<%d) >> %d)", c, s, c-n, c-n)
}

// masked clears what an operation may have left above n bits.
func masked(s string, n uint32) string {
	if n == container(n) {
		return s
	}
	return fmt.Sprintf("(%s & %#x)", s, uint64(1)<<n-1)
}

// pure is the expression of a scalar instruction without effects.
func (e *fn) pure(in *ir.Inst) string {
	switch in.Op.Info().Class {
	case ir.ClassIntBin:
		return e.intBin(in.Op, e.at(in.Ty).Bits, in.Args[0], in.Args[1])
	case ir.ClassFPBin:
		x, y := e.expr(in.Args[0]), e.expr(in.Args[1])
		if e.isConst(in.Args[0]) && e.isConst(in.Args[1]) {
			x = "rt.Var(" + x + ")" // Go evaluates constants exactly
		}
		return fpExpr(in.Op, e.kind(in.Ty) == ir.KFloat, x, y)
	case ir.ClassCmpEQ, ir.ClassCmpInt, ir.ClassCmpULT:
		return e.compare(in.Op, in.Ty, in.Args[0], in.Args[1])
	case ir.ClassCmpFP:
		return fpCompare(in.Op, e.expr(in.Args[0]), e.expr(in.Args[1]))
	case ir.ClassConv:
		return e.convert(in.Op, in.Ty, in.Ty2, e.expr(in.Args[0]), e.isConst(in.Args[0]))
	case ir.ClassAddr:
		return e.address(in)
	}
	switch in.Op {
	case ir.OpExtractValue:
		return fmt.Sprintf("%s.F%d", e.expr(in.Args[0]), in.Imm)
	case ir.OpTagIsFP, ir.OpTagIsInt, ir.OpTagIsRef, ir.OpTagFromFP, ir.OpTagFromInt, ir.OpTagFromRef,
		ir.OpTagToFP, ir.OpTagToInt, ir.OpTagToRef, ir.OpTagToTag:
		return e.tagExpr(in)
	}
	e.fail("%s is not an expression", in.Op)
	return "0"
}

var intOps = map[ir.Op]string{
	ir.OpAdd: "+", ir.OpSub: "-", ir.OpMul: "*", ir.OpAnd: "&", ir.OpOr: "|", ir.OpXor: "^",
	ir.OpUDiv: "/", ir.OpURem: "%", ir.OpSDiv: "/", ir.OpSRem: "%",
}

var wideOps = map[ir.Op]string{
	ir.OpAdd: "Add", ir.OpSub: "Sub", ir.OpMul: "Mul", ir.OpAnd: "And", ir.OpOr: "Or", ir.OpXor: "Xor",
	ir.OpUDiv: "UDiv", ir.OpURem: "URem", ir.OpSDiv: "SDiv", ir.OpSRem: "SRem",
	ir.OpShl: "Shl", ir.OpLShr: "LShr", ir.OpAShr: "AShr",
}

// intBin is an integer operation on operands.
func (e *fn) intBin(op ir.Op, n uint32, a, b ir.ValueID) string {
	x, y := e.expr(a), e.expr(b)
	if n > 1 && n <= 64 {
		if e.isConst(a) {
			// A variable keeps Go from evaluating constants exactly.
			x = e.typed(a)
			if e.isConst(b) {
				x = "rt.Var(" + x + ")"
			}
		}
		switch op {
		case ir.OpSDiv, ir.OpSRem:
			sx := e.signed(a, n)
			if e.isConst(a) && e.isConst(b) {
				sx = "rt.Var(" + sx + ")"
			}
			return masked(fmt.Sprintf("uint%d(%s %s %s)", container(n), sx, intOps[op], e.signed(b, n)), n)
		case ir.OpAShr:
			sx := e.signed(a, n)
			if e.isConst(a) {
				sx = "rt.Var(" + sx + ")"
			}
			return masked(fmt.Sprintf("uint%d(%s >> %s)", container(n), sx, e.count(b, n)), n)
		case ir.OpShl, ir.OpLShr:
			y = e.count(b, n)
		}
	}
	return intExpr(op, n, x, y)
}

// count is a shift count, masked as the language wants (mu-language D15).
func (e *fn) count(b ir.ValueID, n uint32) string {
	m := uint64(1)<<bits.Len32(n-1) - 1
	if e.isConst(b) {
		return fmt.Sprint(e.v.Values[e.plan.Alias[b]].Const.Lo & m)
	}
	return fmt.Sprintf("(%s & %d)", e.expr(b), m)
}

// intExpr is an integer operation on expressions, which are variables or
// parenthesised; counts of shifts up to 64 bits are masked already.
func intExpr(op ir.Op, n uint32, x, y string) string {
	switch {
	case n == 1:
		return boolExpr(op, x, y)
	case n > 64:
		return wideExpr(op, n, x, y)
	}
	c := container(n)
	switch op {
	case ir.OpShl:
		return masked(fmt.Sprintf("(%s << %s)", x, y), n)
	case ir.OpLShr:
		return fmt.Sprintf("(%s >> %s)", x, y)
	case ir.OpAShr:
		return masked(fmt.Sprintf("uint%d(%s >> %s)", c, signedOf(x, n), y), n)
	case ir.OpSDiv, ir.OpSRem:
		return masked(fmt.Sprintf("uint%d(%s %s %s)", c, signedOf(x, n), intOps[op], signedOf(y, n)), n)
	case ir.OpAdd, ir.OpSub, ir.OpMul:
		return masked(fmt.Sprintf("(%s %s %s)", x, intOps[op], y), n)
	}
	return fmt.Sprintf("(%s %s %s)", x, intOps[op], y)
}

// boolExpr is an operation on int<1>; a zero divisor has been excluded. Every
// operand is read, whether it matters or not: Go wants that of its variables.
func boolExpr(op ir.Op, x, y string) string {
	switch op {
	case ir.OpAdd, ir.OpSub, ir.OpXor:
		return fmt.Sprintf("(%s != %s)", x, y)
	case ir.OpMul, ir.OpAnd, ir.OpSDiv, ir.OpUDiv: // a quotient by 1
		return fmt.Sprintf("(%s && %s)", x, y)
	case ir.OpOr:
		return fmt.Sprintf("(%s || %s)", x, y)
	case ir.OpSRem, ir.OpURem: // by 1
		return fmt.Sprintf("(%s && !%s)", x, y)
	}
	return fmt.Sprintf("(%s || (%s && %s))", x, x, y) // a shift by 0
}

func wideExpr(op ir.Op, n uint32, x, y string) string {
	switch op {
	case ir.OpShl, ir.OpLShr, ir.OpAShr:
		m := uint64(1)<<bits.Len32(n-1) - 1
		if op == ir.OpAShr && n < 128 {
			x += fmt.Sprintf(".SignExtend(%d)", n)
		}
		x = fmt.Sprintf("%s.%s(uint(%s.Lo & %d))", x, wideOps[op], y, m)
	case ir.OpSDiv, ir.OpSRem:
		if n < 128 {
			x += fmt.Sprintf(".SignExtend(%d)", n)
			y += fmt.Sprintf(".SignExtend(%d)", n)
		}
		x = fmt.Sprintf("%s.%s(%s)", x, wideOps[op], y)
	default:
		x = fmt.Sprintf("%s.%s(%s)", x, wideOps[op], y)
	}
	if n < 128 {
		x += fmt.Sprintf(".Mask(%d)", n)
	}
	return x
}

// fpExpr is a floating-point operation. A product is converted so that Go may
// not fuse it into a sum.
func fpExpr(op ir.Op, single bool, x, y string) string {
	ty, sz := "float64", "64"
	if single {
		ty, sz = "float32", "32"
	}
	switch op {
	case ir.OpFAdd:
		return fmt.Sprintf("(%s + %s)", x, y)
	case ir.OpFSub:
		return fmt.Sprintf("(%s - %s)", x, y)
	case ir.OpFMul:
		return fmt.Sprintf("%s(%s * %s)", ty, x, y)
	case ir.OpFDiv:
		return fmt.Sprintf("(%s / %s)", x, y)
	}
	return fmt.Sprintf("num.FRem%s(%s, %s)", sz, x, y)
}

var cmpOps = map[ir.Op]string{
	ir.OpEQ: "==", ir.OpNE: "!=", ir.OpSGE: ">=", ir.OpSGT: ">", ir.OpSLE: "<=", ir.OpSLT: "<",
	ir.OpUGE: ">=", ir.OpUGT: ">", ir.OpULE: "<=", ir.OpULT: "<",
}

func signedCmp(op ir.Op) bool {
	return op == ir.OpSGE || op == ir.OpSGT || op == ir.OpSLE || op == ir.OpSLT
}

func (e *fn) compare(op ir.Op, ty ir.TypeID, a, b ir.ValueID) string {
	n := e.at(ty)
	x, y := e.expr(a), e.expr(b)
	if signedCmp(op) && n.Kind != ir.KInt { // pointers (D16)
		if e.isConst(a) {
			x = "rt.Var(" + e.typed(a) + ")"
		}
		if e.isConst(b) {
			y = "rt.Var(" + e.typed(b) + ")"
		}
		return e.cmpExpr(op, ty, x, y)
	}
	if e.isConst(a) && e.isConst(b) && n.Bits != 1 && n.Bits <= 64 {
		if signedCmp(op) {
			return fmt.Sprintf("(rt.Var(%s) %s %s)", e.signed(a, n.Bits), cmpOps[op], e.signed(b, n.Bits))
		}
		return e.cmpExpr(op, ty, "rt.Var("+e.typed(a)+")", y)
	}
	if signedCmp(op) && n.Kind == ir.KInt && n.Bits > 1 && n.Bits <= 64 {
		return fmt.Sprintf("(%s %s %s)", e.signed(a, n.Bits), cmpOps[op], e.signed(b, n.Bits))
	}
	return e.cmpExpr(op, ty, x, y)
}

// cmpExpr compares expressions of a scalar type.
func (e *fn) cmpExpr(op ir.Op, ty ir.TypeID, x, y string) string {
	n := e.at(ty)
	switch {
	case n.Kind == ir.KInt && n.Bits == 1:
		if op == ir.OpEQ || op == ir.OpNE {
			return fmt.Sprintf("(%s %s %s)", x, cmpOps[op], y)
		}
		if signedCmp(op) { // S(1) is -1
			x, y = y, x
		}
		return fmt.Sprintf("(rt.B2U(%s) %s rt.B2U(%s))", x, cmpOps[op], y)
	case n.Kind == ir.KInt && n.Bits > 64:
		if signedCmp(op) && n.Bits < 128 {
			x += fmt.Sprintf(".SignExtend(%d)", n.Bits)
			y += fmt.Sprintf(".SignExtend(%d)", n.Bits)
		}
		return fmt.Sprintf("%s.%s(%s)", x, op.Info().Mnemonic, y)
	case signedCmp(op):
		if n.Kind == ir.KInt {
			return fmt.Sprintf("(%s %s %s)", signedOf(x, n.Bits), cmpOps[op], signedOf(y, n.Bits))
		}
		return fmt.Sprintf("(int(%s) %s int(%s))", x, cmpOps[op], y) // pointers (D16)
	}
	return fmt.Sprintf("(%s %s %s)", x, cmpOps[op], y)
}

func fpCompare(op ir.Op, x, y string) string {
	simple := map[ir.Op]string{
		ir.OpFOEQ: "(%s == %s)", ir.OpFOGT: "(%s > %s)", ir.OpFOGE: "(%s >= %s)", ir.OpFOLT: "(%s < %s)", ir.OpFOLE: "(%s <= %s)",
		ir.OpFUNE: "(%s != %s)", ir.OpFUGT: "!(%s <= %s)", ir.OpFUGE: "!(%s < %s)", ir.OpFULT: "!(%s >= %s)", ir.OpFULE: "!(%s > %s)",
		ir.OpFOrd: "rt.FOrd(%s, %s)", ir.OpFUno: "!rt.FOrd(%s, %s)",
		ir.OpFONE: "rt.FOne(%s, %s)", ir.OpFUEQ: "!rt.FOne(%s, %s)",
	}
	if f, ok := simple[op]; ok {
		return fmt.Sprintf(f, x, y)
	}
	if op == ir.OpFTrue {
		return fmt.Sprintf("(rt.FOrd(%s, %s) || true)", x, y)
	}
	return fmt.Sprintf("(rt.FOrd(%s, %s) && false)", x, y)
}

// convert is a conversion between scalar types (mu-language 8.3).
func (e *fn) convert(op ir.Op, from, to ir.TypeID, x string, isConst bool) string {
	f, t := e.at(from), e.at(to)
	if isConst && (op != ir.OpTrunc || f.Bits <= 64) && f.Bits != 1 && f.Bits <= 64 {
		x = "rt.Var(" + e.goType(from) + "(" + x + "))"
	}
	switch op {
	case ir.OpTrunc:
		return intCast(x, f.Bits, t.Bits, false)
	case ir.OpZExt:
		return intCast(x, f.Bits, t.Bits, false)
	case ir.OpSExt:
		return intCast(x, f.Bits, t.Bits, true)
	case ir.OpFPTrunc:
		return "float32(" + x + ")"
	case ir.OpFPExt:
		return "float64(" + x + ")"
	case ir.OpFPToUI, ir.OpFPToSI:
		return fpToInt(x, f.Kind == ir.KFloat, t.Bits, op == ir.OpFPToSI)
	case ir.OpUIToFP, ir.OpSIToFP:
		return intToFP(x, f.Bits, t.Kind == ir.KFloat, op == ir.OpSIToFP)
	case ir.OpBitcast:
		switch t.Kind {
		case ir.KFloat:
			return "math.Float32frombits(" + x + ")"
		case ir.KDouble:
			return "math.Float64frombits(" + x + ")"
		}
		if f.Kind == ir.KFloat {
			return "math.Float32bits(" + x + ")"
		}
		return "math.Float64bits(" + x + ")"
	case ir.OpRefCast, ir.OpRefAddr:
		return x
	case ir.OpPtrCast:
		switch {
		case f.Kind == ir.KInt:
			if f.Bits == 1 {
				return "uintptr(rt.B2U(" + x + "))"
			}
			if f.Bits > 64 {
				return "uintptr(" + x + ".Lo)"
			}
			return "uintptr(" + x + ")"
		case t.Kind == ir.KInt:
			return intCast("uint64("+x+")", 64, t.Bits, false)
		}
		return x
	}
	e.fail("conversion %s", op)
	return x
}

// intCast converts between integer widths, keeping the value or its low bits.
func intCast(x string, f, t uint32, signed bool) string {
	switch {
	case f == 1 && t > 64:
		if signed {
			return masked128(fmt.Sprintf("num.FromS64(-int64(rt.B2U(%s)))", x), t)
		}
		return fmt.Sprintf("num.From64(rt.B2U(%s))", x)
	case f == 1:
		if signed {
			return masked(fmt.Sprintf("uint%d(-rt.B2U(%s))", container(t), x), t)
		}
		return fmt.Sprintf("uint%d(rt.B2U(%s))", container(t), x)
	case f > 64 && t > 64:
		if t > f && signed {
			return masked128(fmt.Sprintf("%s.SignExtend(%d)", x, f), t)
		}
		return masked128(x, t)
	case f > 64:
		if t == 1 {
			return fmt.Sprintf("(%s.Lo&1 != 0)", x)
		}
		return masked(fmt.Sprintf("uint%d(%s.Lo)", container(t), x), t)
	case t > 64:
		if signed {
			return masked128(fmt.Sprintf("num.FromS64(int64(%s))", signedOf(x, f)), t)
		}
		return fmt.Sprintf("num.From64(uint64(%s))", x)
	case t == 1:
		return fmt.Sprintf("(%s&1 != 0)", x)
	case signed:
		return masked(fmt.Sprintf("uint%d(%s)", container(t), signedOf(x, f)), t)
	case t < f:
		return masked(fmt.Sprintf("uint%d(%s)", container(t), x), t)
	}
	return fmt.Sprintf("uint%d(%s)", container(t), x)
}

func masked128(x string, n uint32) string {
	if n >= 128 {
		return x
	}
	return fmt.Sprintf("%s.Mask(%d)", x, n)
}

func fpToInt(x string, single bool, n uint32, signed bool) string {
	s := "U"
	if signed {
		s = "S"
	}
	wide := x
	if single {
		wide = "float64(" + x + ")"
	}
	switch {
	case n == 32 || n == 64:
		src, dst := "F64", "U"
		if single {
			src = "F32"
		}
		if signed {
			dst = "I"
		}
		return fmt.Sprintf("num.%sTo%s%d(%s)", src, dst, n, x)
	case n > 64:
		return fmt.Sprintf("num.FTo%s128(%s, %d)", s, wide, n)
	case n == 1:
		return fmt.Sprintf("(num.FTo%s(%s, 1) != 0)", s, wide)
	}
	return fmt.Sprintf("uint%d(num.FTo%s(%s, %d))", container(n), s, wide, n)
}

func intToFP(x string, n uint32, single bool, signed bool) string {
	ty := "float64"
	if single {
		ty = "float32"
	}
	switch {
	case n == 1 && signed:
		return fmt.Sprintf("%s(-int64(rt.B2U(%s)))", ty, x)
	case n == 1:
		return fmt.Sprintf("%s(rt.B2U(%s))", ty, x)
	case n > 64:
		s := "U"
		if signed {
			s = "S"
			if n < 128 {
				x += fmt.Sprintf(".SignExtend(%d)", n)
			}
		}
		return fmt.Sprintf("num.%s128ToF%s(%s)", s, ty[5:], x)
	case single && n > 32 && signed: // see num: Go's own rounds wrongly on 32-bit machines
		return fmt.Sprintf("num.S64ToF32(uint64(%s))", signedOf(x, n))
	case single && n > 32:
		return fmt.Sprintf("num.U64ToF32(%s)", x)
	case signed:
		return fmt.Sprintf("%s(%s)", ty, signedOf(x, n))
	}
	return fmt.Sprintf("%s(%s)", ty, x)
}
