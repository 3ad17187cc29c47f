package passes

import (
	"math"
	"math/bits"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// fold simplifies an instruction with one result. It returns the value that the result equals, the
// result itself if the instruction was rewritten in place and need not be looked at again,
// or 0 if nothing is known.
//
// It evaluates integers of up to 64 bits and floating point (docs/language.md, "Numbers"). It
// does not reassociate floating point and produces no NaN: the machine decides which NaN a
// program sees.
func (u *unit) fold(in *ir.Inst) ir.ValueID {
	switch in.Op.Info().Class {
	case ir.ClassIntBin:
		if n := u.t.At(in.Ty); n.Kind == ir.KInt {
			return u.foldInt(in, n.Bits)
		}
	case ir.ClassFPBin:
		return u.foldFP(in)
	case ir.ClassCmpEQ, ir.ClassCmpInt, ir.ClassCmpULT:
		return u.foldCompare(in)
	case ir.ClassCmpFP:
		return u.foldCompareFP(in)
	case ir.ClassConv:
		return u.foldConv(in)
	case ir.ClassWord:
		return u.foldWord(in)
	case ir.ClassSelect:
		return u.foldSelect(in)
	case ir.ClassAggr:
		return u.foldAggr(in)
	case ir.ClassAddr:
		return u.foldAddr(in)
	}
	if in.Op == ir.OpKillDependency {
		return in.Args[0]
	}
	return 0
}

func mask(n uint32) uint64 { return ^uint64(0) >> (64 - n) }

// signed reads the n low bits as a signed number.
func signed(x uint64, n uint32) int64 { return int64(x<<(64-n)) >> (64 - n) }

// intConst is the constant that an operand is, if it is an integer of up to 64 bits.
func (u *unit) intConst(x ir.ValueID) (lo uint64, ok bool) {
	c := u.constant(x)
	if c == nil || c.Kind != ir.ConstInt || u.t.Kind(c.Type) != ir.KInt || u.t.At(c.Type).Bits > 64 {
		return 0, false
	}
	return c.Lo, true
}

func (u *unit) integer(ty ir.TypeID, x uint64) ir.ValueID {
	return u.constBits(ir.ConstInt, ty, x&mask(u.t.At(ty).Bits), 0)
}

func (u *unit) boolean(b bool) ir.ValueID {
	if b {
		return u.constBits(ir.ConstInt, u.int1, 1, 0)
	}
	return u.constBits(ir.ConstInt, u.int1, 0, 0)
}

// foldInt folds integer operations.
func (u *unit) foldInt(in *ir.Inst, n uint32) ir.ValueID {
	if n > 64 {
		return 0
	}
	a, aok := u.intConst(in.Args[0])
	b, bok := u.intConst(in.Args[1])
	if aok && bok {
		if x, ok := EvalInt(in.Op, n, a, b); ok {
			return u.integer(in.Ty, x)
		}
		return 0
	}
	if aok && in.Op.Is(ir.Commutative) {
		in.Args[0], in.Args[1] = in.Args[1], in.Args[0]
		a, aok, b, bok = b, bok, a, aok
	}
	x, y := in.Args[0], in.Args[1]
	if x == y {
		switch in.Op.Info().Self {
		case ir.SelfOperand:
			return x
		case ir.SelfZero:
			return u.integer(in.Ty, 0)
		}
	}
	if aok && a == 0 && in.Op.Is(ir.Shifts) {
		return x
	}
	if !bok {
		return 0
	}
	if in.Op.Is(ir.Shifts) {
		b = shiftCount(b, n)
	}
	if e, ok := in.Op.Info().Neutral.Int(n); ok && b == e {
		return x
	}
	if e, ok := in.Op.Info().Absorbs.Int(n); ok && b == e {
		return y
	}
	if in.Op == ir.OpURem && b == 1 {
		return u.integer(in.Ty, 0)
	}
	return u.reassociate(in, n, b)
}

// reassociate joins two operations with constants: (x + c) + d is x + (c+d).
func (u *unit) reassociate(in *ir.Inst, n uint32, b uint64) ir.ValueID {
	inner := u.def(in.Args[0])
	if inner == nil || inner.Ty != in.Ty || inner.IsTerminator() || inner.Op.Info().Class != ir.ClassIntBin {
		return 0
	}
	c, ok := u.intConst(inner.Args[1])
	if !ok {
		return 0
	}
	sum := func(op ir.Op, k uint64) uint64 {
		if op == ir.OpSub {
			return -k
		}
		return k
	}
	k := uint64(0)
	op := in.Op
	switch {
	case (op == ir.OpAdd || op == ir.OpSub) && (inner.Op == ir.OpAdd || inner.Op == ir.OpSub):
		op = ir.OpAdd
		k = (sum(in.Op, b) + sum(inner.Op, c)) & mask(n)
		if s := signed(k, n); s < 0 && n > 1 {
			op, k = ir.OpSub, -k&mask(n)
		}
	case op == inner.Op && op.Is(ir.Associative):
		k, _ = EvalInt(op, n, b, c)
	default:
		return 0
	}
	if e, ok := op.Info().Neutral.Int(n); ok && k == e {
		return inner.Args[0]
	}
	in.Op, in.Args[0], in.Args[1] = op, inner.Args[0], u.integer(in.Ty, k)
	return 0
}

func shiftCount(b uint64, n uint32) uint64 { return b & (1<<bits.Len32(n-1) - 1) }

// EvalInt evaluates an integer operation on n-bit constants, n up to 64. ok is false for another operation and for a division
// by zero.
func EvalInt(op ir.Op, n uint32, a, b uint64) (x uint64, ok bool) {
	sa, sb := signed(a, n), signed(b, n)
	switch op {
	case ir.OpAdd:
		x = a + b
	case ir.OpSub:
		x = a - b
	case ir.OpMul:
		x = a * b
	case ir.OpAnd:
		x = a & b
	case ir.OpOr:
		x = a | b
	case ir.OpXor:
		x = a ^ b
	case ir.OpShl, ir.OpLShr, ir.OpAShr:
		k := shiftCount(b, n)
		switch op {
		case ir.OpShl:
			x = a << k
		case ir.OpLShr:
			x = a >> k
		default:
			x = uint64(sa >> k)
		}
	case ir.OpUDiv, ir.OpURem, ir.OpSDiv, ir.OpSRem:
		if b == 0 {
			return 0, false
		}
		switch op {
		case ir.OpUDiv:
			x = a / b
		case ir.OpURem:
			x = a % b
		case ir.OpSDiv:
			x = uint64(sa / sb) // MIN / -1 is MIN in Go too
		default:
			x = uint64(sa % sb)
		}
	default:
		return 0, false
	}
	return x & mask(n), true
}

// fpConst is the constant that an operand is, if it is floating point.
func (u *unit) fpConst(x ir.ValueID) (f float64, ok bool) {
	c := u.constant(x)
	if c == nil || c.Kind != ir.ConstFP {
		return 0, false
	}
	if u.t.Kind(c.Type) == ir.KFloat {
		return float64(math.Float32frombits(uint32(c.Lo))), true
	}
	return math.Float64frombits(c.Lo), true
}

// fp is the constant of a result, 0 for NaN.
func (u *unit) fp(ty ir.TypeID, f float64) ir.ValueID {
	switch {
	case math.IsNaN(f):
		return 0
	case u.t.Kind(ty) == ir.KFloat:
		return u.constBits(ir.ConstFP, ty, uint64(math.Float32bits(float32(f))), 0)
	}
	return u.constBits(ir.ConstFP, ty, math.Float64bits(f), 0)
}

// foldFP folds the floating-point operations except FREM.
func (u *unit) foldFP(in *ir.Inst) ir.ValueID {
	k := u.t.Kind(in.Ty)
	if !k.IsFP() {
		return 0
	}
	a, aok := u.fpConst(in.Args[0])
	b, bok := u.fpConst(in.Args[1])
	switch {
	case aok && bok:
		single := k == ir.KFloat
		a32, b32 := float32(a), float32(b)
		var x float64
		switch in.Op {
		case ir.OpFAdd:
			x = a + b
			if single {
				x = float64(a32 + b32)
			}
		case ir.OpFSub:
			x = a - b
			if single {
				x = float64(a32 - b32)
			}
		case ir.OpFMul:
			x = a * b
			if single {
				x = float64(a32 * b32)
			}
		case ir.OpFDiv:
			x = a / b
			if single {
				x = float64(a32 / b32)
			}
		default:
			return 0
		}
		return u.fp(in.Ty, x)
	case bok && neutralFP(in.Op, b):
		return in.Args[0]
	case aok && neutralFP(in.Op, a) && in.Op.Is(ir.Commutative):
		return in.Args[1]
	}
	return 0
}

// neutralFP reports whether an operation with x as the second operand returns the first one.
func neutralFP(op ir.Op, x float64) bool {
	e, ok := op.Info().Neutral.Int(1)
	return ok && x == float64(e)
}

// foldCompare folds EQ, NE and the order comparisons of integers.
func (u *unit) foldCompare(in *ir.Inst) ir.ValueID {
	k := u.t.Kind(in.Ty)
	if k == ir.KVector {
		return 0
	}
	x, y := in.Args[0], in.Args[1]
	if x == y {
		return u.boolean(in.Op.Info().Self == ir.SelfOne)
	}
	cx, cy := u.constant(x), u.constant(y)
	if cx != nil && cy != nil {
		if k == ir.KInt && u.t.At(in.Ty).Bits <= 64 && cx.Kind == ir.ConstInt && cy.Kind == ir.ConstInt {
			return u.boolean(evalCompare(in.Op, u.t.At(in.Ty).Bits, cx.Lo, cy.Lo))
		}
		if cx.Kind == ir.ConstNull && cy.Kind == ir.ConstNull && (in.Op == ir.OpEQ || in.Op == ir.OpNE) {
			return u.boolean(in.Op == ir.OpEQ)
		}
	}
	if cx != nil && in.Op.Is(ir.Commutative) {
		in.Args[0], in.Args[1] = y, x
		x, y, cx, cy = y, x, cy, cx
	}
	if z, ok := u.foldChoice(in); ok {
		return z
	}
	if in.Op != ir.OpEQ && in.Op != ir.OpNE || cy == nil {
		return 0
	}
	if cy.Kind == ir.ConstNull && u.notNull(x) && (k == ir.KRef || k == ir.KIRef) {
		return u.boolean(in.Op == ir.OpNE)
	}
	if in.Ty == u.int1 {
		if (in.Op == ir.OpEQ) == (cy.Lo&1 == 1) {
			return x
		}
		return u.not(in, x)
	}
	// The address of an object that was compared with 0.
	if w := u.def(x); w != nil && w.Op == ir.OpPtrCast && cy.Kind == ir.ConstInt && cy.Lo == 0 && cy.Hi == 0 {
		if a := u.def(w.Args[0]); a != nil && a.Op == ir.OpRefAddr && u.t.Kind(a.Ty) == ir.KRef && u.t.At(in.Ty).Bits == 64 {
			u.become(in, ir.Inst{Op: in.Op, Ty: a.Ty, Args: []ir.ValueID{a.Args[0], u.constBits(ir.ConstNull, a.Ty, 0, 0)}})
			return 0
		}
	}
	// A bit that was widened and compared with 0 or 1.
	if w := u.def(x); w != nil && w.Op == ir.OpZExt && w.Ty == u.int1 && cy.Kind == ir.ConstInt && cy.Hi == 0 && cy.Lo <= 1 {
		if (in.Op == ir.OpEQ) == (cy.Lo == 1) {
			return w.Args[0]
		}
		return u.not(in, w.Args[0])
	}
	return 0
}

// foldChoice folds the comparison of a choice between two numbers with a third number to the condition of the choice,
// its negation, or a constant. It reports whether the instruction is such a comparison.
func (u *unit) foldChoice(in *ir.Inst) (x ir.ValueID, ok bool) {
	ty := u.t.At(in.Ty)
	if ty.Kind != ir.KInt || ty.Bits > 64 {
		return 0, false
	}
	for i, x := range in.Args {
		s := u.def(x)
		if s == nil || s.Op != ir.OpSelect || s.Ty != u.int1 {
			continue
		}
		var with [2]bool // the comparison where the condition holds, and where it does not
		for j := range with {
			c, cok := u.intConst(in.Args[1-i])
			y, yok := u.intConst(s.Args[1+j])
			if !cok || !yok {
				return 0, false
			}
			if i == 0 {
				with[j] = evalCompare(in.Op, ty.Bits, y, c)
			} else {
				with[j] = evalCompare(in.Op, ty.Bits, c, y)
			}
		}
		switch {
		case with[0] == with[1]:
			return u.boolean(with[0]), true
		case with[0]:
			return s.Args[0], true
		}
		return u.not(in, s.Args[0]), true
	}
	return 0, false
}

// not makes an instruction with an int<1> result the negation of an int<1>.
func (u *unit) not(in *ir.Inst, x ir.ValueID) ir.ValueID {
	if c := u.def(x); c != nil && c.Ty != ir.NoType && u.t.Kind(c.Ty) != ir.KVector {
		if op := c.Op.Info().Not; op != ir.OpInvalid {
			u.become(in, ir.Inst{Op: op, Ty: c.Ty, Args: []ir.ValueID{c.Args[0], c.Args[1]}})
			return 0
		}
	}
	u.become(in, ir.Inst{Op: ir.OpXor, Ty: u.int1, Args: []ir.ValueID{x, u.boolean(true)}})
	return 0
}

// become rewrites an instruction, which keeps its place, name and results.
func (u *unit) become(in *ir.Inst, n ir.Inst) {
	n.Results = in.Results
	*in = n.InPlaceOf(in)
}

func evalCompare(op ir.Op, n uint32, a, b uint64) bool {
	sa, sb := signed(a, n), signed(b, n)
	switch op {
	case ir.OpEQ:
		return a == b
	case ir.OpNE:
		return a != b
	case ir.OpSGE:
		return sa >= sb
	case ir.OpSGT:
		return sa > sb
	case ir.OpSLE:
		return sa <= sb
	case ir.OpSLT:
		return sa < sb
	case ir.OpUGE:
		return a >= b
	case ir.OpUGT:
		return a > b
	case ir.OpULE:
		return a <= b
	}
	return a < b // ULT
}

// foldCompareFP folds comparisons of floating-point constants.
func (u *unit) foldCompareFP(in *ir.Inst) ir.ValueID {
	if !u.t.Kind(in.Ty).IsFP() {
		return 0
	}
	switch in.Op {
	case ir.OpFTrue:
		return u.boolean(true)
	case ir.OpFFalse:
		return u.boolean(false)
	}
	a, aok := u.fpConst(in.Args[0])
	b, bok := u.fpConst(in.Args[1])
	if !aok || !bok {
		return 0
	}
	nan := math.IsNaN(a) || math.IsNaN(b)
	var rel bool
	switch in.Op {
	case ir.OpFOrd:
		return u.boolean(!nan)
	case ir.OpFUno:
		return u.boolean(nan)
	case ir.OpFOEQ, ir.OpFUEQ:
		rel = a == b
	case ir.OpFONE, ir.OpFUNE:
		rel = a != b && !nan
	case ir.OpFOGT, ir.OpFUGT:
		rel = a > b
	case ir.OpFOGE, ir.OpFUGE:
		rel = a >= b
	case ir.OpFOLT, ir.OpFULT:
		rel = a < b
	case ir.OpFOLE, ir.OpFULE:
		rel = a <= b
	}
	switch in.Op {
	case ir.OpFUEQ, ir.OpFUNE, ir.OpFUGT, ir.OpFUGE, ir.OpFULT, ir.OpFULE:
		rel = rel || nan
	}
	return u.boolean(rel)
}

// foldConv folds conversions.
func (u *unit) foldConv(in *ir.Inst) ir.ValueID {
	if n := u.t.At(in.Ty2); in.Op == ir.OpTrunc && n.Kind == ir.KInt && n.Bits <= 32 || in.Op == ir.OpPtrCast && n.Kind.IsPointer() {
		// No more than a word of the operand counts.
		y := u.beneath(in.Args[0])
		if w := u.def(y); w != nil && w.Op.Info().Class == ir.ClassConv {
			in.Args[0] = y
		}
	}
	x := in.Args[0]
	if in.Ty == in.Ty2 && (in.Op == ir.OpRefCast || in.Op == ir.OpPtrCast) {
		return x
	}
	from, to := u.t.At(in.Ty), u.t.At(in.Ty2)
	if from.Kind == ir.KVector {
		return 0
	}
	if w := u.def(x); w != nil && w.Op == in.Op {
		switch in.Op {
		case ir.OpRefCast:
			if w.Ty == in.Ty2 {
				return w.Args[0]
			}
			in.Args[0], in.Ty = w.Args[0], w.Ty
		case ir.OpPtrCast:
			if from.Kind.IsPointer() && to.Kind.IsPointer() && u.t.Kind(w.Ty).IsPointer() {
				if w.Ty == in.Ty2 {
					return w.Args[0]
				}
				in.Args[0], in.Ty = w.Args[0], w.Ty
			}
		case ir.OpTrunc, ir.OpZExt, ir.OpSExt:
			in.Args[0], in.Ty = w.Args[0], w.Ty
		}
		return 0
	}
	// REFADDR of REFAT stays: the reference keeps the object alive up to there, a number does not.
	if w := u.def(x); w != nil && in.Op == ir.OpRefAt && w.Op == ir.OpRefAddr && u.t.Kind(w.Ty) == to.Kind {
		if w.Ty == in.Ty2 {
			return w.Args[0]
		}
		in.Op, in.Args[0], in.Ty = ir.OpRefCast, w.Args[0], w.Ty
		return 0
	}
	if w := u.def(x); w != nil && in.Op == ir.OpTrunc && (w.Op == ir.OpZExt || w.Op == ir.OpSExt) && w.Ty == in.Ty2 {
		return w.Args[0]
	}
	if c := u.constant(x); c != nil && c.Kind == ir.ConstNull && in.Op == ir.OpRefCast {
		return u.constBits(ir.ConstNull, in.Ty2, 0, 0)
	}
	if f, ok := u.fpConst(x); ok {
		switch in.Op {
		case ir.OpFPTrunc:
			return u.fp(in.Ty2, float64(float32(f)))
		case ir.OpFPExt:
			return u.fp(in.Ty2, f)
		case ir.OpBitcast:
			return u.constBits(ir.ConstInt, in.Ty2, u.constant(x).Lo, 0)
		}
		return 0
	}
	k, ok := u.intConst(x)
	if !ok || to.Kind == ir.KInt && to.Bits > 64 {
		return 0
	}
	switch in.Op {
	case ir.OpTrunc, ir.OpZExt:
		return u.integer(in.Ty2, k)
	case ir.OpSExt:
		return u.integer(in.Ty2, uint64(signed(k, from.Bits)))
	case ir.OpUIToFP:
		if to.Kind == ir.KFloat {
			return u.fp(in.Ty2, float64(float32(k)))
		}
		return u.fp(in.Ty2, float64(k))
	case ir.OpSIToFP:
		s := signed(k, from.Bits)
		if to.Kind == ir.KFloat {
			return u.fp(in.Ty2, float64(float32(s)))
		}
		return u.fp(in.Ty2, float64(s))
	case ir.OpBitcast:
		return u.constBits(ir.ConstFP, in.Ty2, k, 0)
	}
	return 0
}

// foldSelect folds SELECT.
func (u *unit) foldSelect(in *ir.Inst) ir.ValueID {
	if in.Args[1] == in.Args[2] {
		return in.Args[1]
	}
	if in.Ty != u.int1 {
		return 0
	}
	if c := u.constant(in.Args[0]); c != nil && c.Kind == ir.ConstInt {
		return in.Args[2-c.Lo&1]
	}
	if in.Ty2 == u.int1 {
		a, aok := u.intConst(in.Args[1])
		b, bok := u.intConst(in.Args[2])
		if aok && bok && a != b {
			if a == 1 {
				return in.Args[0]
			}
			return u.not(in, in.Args[0])
		}
	}
	return 0
}

// foldAggr folds EXTRACTVALUE of an INSERTVALUE or a constant.
func (u *unit) foldAggr(in *ir.Inst) ir.ValueID {
	if in.Op != ir.OpExtractValue {
		return 0
	}
	s := in.Args[0]
	for range 64 {
		if c := u.constant(s); c != nil {
			if c.Kind == ir.ConstAggregate && in.Imm < uint64(len(c.Elems)) {
				return u.v.ConstValue(c.Elems[in.Imm])
			}
			return 0
		}
		d := u.def(s)
		if d == nil || d.Op != ir.OpInsertValue {
			return 0
		}
		if d.Imm == in.Imm {
			return d.Args[1]
		}
		s = d.Args[0]
		in.Args[0] = s
	}
	return 0
}

// foldAddr drops steps of length zero.
func (u *unit) foldAddr(in *ir.Inst) ir.ValueID {
	if in.Op != ir.OpShiftIRef || u.opt.Sanitize {
		return 0
	}
	if k, ok := u.intConst(in.Args[1]); ok && k == 0 {
		return in.Args[0]
	}
	return 0
}
