package live

import (
	"math"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/num"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Arithmetic: the usual widths have instructions of their own, others and vectors are computed
// scalar by scalar as 128-bit numbers.

// forms are the instructions for an operation: on two operands, or on one and a constant; on ints of 64
// bits, or of 32. None has no forms.
type forms struct{ wide, wideImm, narrow, narrowImm op }

func (f forms) none() bool { return f.wide == opNone }

// of gives those for ints of a number of bits.
func (f forms) of(bits uint32) (plain, imm op) {
	if bits == 32 {
		return f.narrow, f.narrowImm
	}
	return f.wide, f.wideImm
}

var intOps = [ir.NumOps]forms{
	ir.OpAdd: {opAdd, opAddI, opAdd32, opAddI32}, ir.OpSub: {opSub, opSubI, opSub32, opSubI32},
	ir.OpMul: {opMul, opMulI, opMul32, opMulI32}, ir.OpAnd: {opAnd, opAndI, opAnd, opAndI},
	ir.OpOr: {opOr, opOrI, opOr, opOrI}, ir.OpXor: {opXor, opXorI, opXor, opXorI},
	ir.OpShl: {opShl, opShlI, opShl32, opShlI32}, ir.OpLShr: {opLShr, opLShrI, opLShr32, opLShrI32},
	ir.OpAShr: {opAShr, opAShrI, opAShr32, opAShrI32},
}

var divisions = [ir.NumOps]forms{
	ir.OpSDiv: {opSDiv, opSDivI, opSDiv32, opSDivI32}, ir.OpSRem: {opSRem, opSRemI, opSRem32, opSRemI32},
	ir.OpUDiv: {opUDiv, opUDivI, opUDiv, opUDivI}, ir.OpURem: {opURem, opURemI, opURem, opURemI},
}

var fpOps = map[ir.Op][2]op{ir.OpFAdd: {opFAdd, opGAdd}, ir.OpFSub: {opFSub, opGSub}, ir.OpFMul: {opFMul, opGMul}, ir.OpFDiv: {opFDiv, opGDiv}}

// usual reports whether a type is an int of 32 or 64 bits.
func (c *compiler) usual(id ir.TypeID) bool {
	n := c.at(id)
	return n.Kind == ir.KInt && (n.Bits == 32 || n.Bits == 64)
}

// smallConst is the constant that an operand is, if it has one plain word.
func (c *compiler) smallConst(x ir.ValueID) (uint64, bool) {
	k := c.constant(x)
	if k == nil || k.Kind != ir.ConstInt && k.Kind != ir.ConstNull && k.Kind != ir.ConstFP {
		return 0, false
	}
	w := c.constWords(k)
	if len(w[0]) != 0 || len(w[1]) != 1 {
		return 0, false
	}
	return w[1][0], true
}

// intBinary makes an operation on ints.
func intBinary(c *compiler, id ir.InstID, in *ir.Inst) {
	if !divisions[in.Op].none() {
		c.divide(id, in)
		return
	}
	f := intOps[in.Op]
	ok := !f.none()
	if ok && !c.usual(in.Ty) && c.narrow(in, f) {
		return
	}
	if !ok || !c.usual(in.Ty) {
		c.lanes(in.Op, in.Ty, c.operand(in.Args[0]), c.operand(in.Args[1]), c.results(in))
		return
	}
	to := c.result(in)
	plain, imm := f.of(c.at(in.Ty).Bits)
	x, y := in.Args[0], in.Args[1]
	if _, ok := c.smallConst(x); ok && in.Op.Is(ir.Commutative) {
		x, y = y, x
	}
	if k, ok := c.smallConst(y); ok {
		c.emit(imm, to, c.word(x), 0, k)
		return
	}
	c.emit(plain, to, c.word(x), c.word(y), 0)
}

// narrow makes an operation on an int of less than 64 bits as one on 64 bits, if that is possible, and clears the
// bits above in the result. It reports whether it has.
func (c *compiler) narrow(in *ir.Inst, f forms) bool {
	n := c.at(in.Ty)
	if n.Kind != ir.KInt || n.Bits > 64 {
		return false
	}
	to := c.result(in)
	if in.Op.Is(ir.Shifts) {
		k, ok := c.smallConst(in.Args[1])
		if !ok || k >= uint64(n.Bits) || in.Op.Is(ir.Signed) {
			return false
		}
	}
	if k, ok := c.smallConst(in.Args[1]); ok {
		c.emit(f.wideImm, to, c.word(in.Args[0]), 0, k)
	} else {
		c.emit(f.wide, to, c.word(in.Args[0]), c.word(in.Args[1]), 0)
	}
	if in.Op.Info().Bits.Carries() {
		c.emit(opAndI, to, to, 0, math.MaxUint64>>(64-n.Bits))
	}
	return true
}

// divide makes a division. The divisor is tested by an instruction of its own.
func (c *compiler) divide(id ir.InstID, in *ir.Inst) {
	if !c.usual(in.Ty) {
		x, y, to := c.operand(in.Args[0]), c.operand(in.Args[1]), c.results(in)
		zero := c.anyZero(in.Ty, y)
		f := c.lanesFunc(in.Op, in.Ty, x, y, to)
		m, fail := c.namer(id), c.failing(in)
		c.fallible(in, &site{run: func(t *core.Ctx, fp ptr) verdict {
			if zero(fp) {
				return fail(t, fp, core.DivByZero, m, "")
			}
			f(fp)
			return goOn
		}})
		return
	}
	plain, imm := divisions[in.Op].of(c.at(in.Ty).Bits)
	to, x := c.result(in), c.word(in.Args[0])
	if k, ok := c.smallConst(in.Args[1]); ok && k != 0 {
		c.emit(imm, to, x, 0, k)
		return
	}
	y := c.word(in.Args[1])
	at := c.emit(opJTrue, 0, y, 0, 0) // over the failure
	m := c.namer(id)
	fail := c.failing(in)
	c.fallible(in, &site{run: func(t *core.Ctx, fp ptr) verdict { return fail(t, fp, core.DivByZero, m, "") }})
	c.out[at].imm = uint64((len(c.out) - at - 1) * insSize)
	c.emit(plain, to, x, y, 0)
}

// anyZero tells whether a scalar of a value is zero.
func (c *compiler) anyZero(ty ir.TypeID, w words) func(fp ptr) bool {
	l := c.leavesOf(ty)
	return func(fp ptr) bool {
		for _, e := range l {
			if e.read(fp, w) == (num.U128{}) {
				return true
			}
		}
		return false
	}
}

func fpBinary(c *compiler, id ir.InstID, in *ir.Inst) {
	o, ok := fpOps[in.Op]
	k := c.at(in.Ty).Kind
	if !ok || k == ir.KVector {
		c.lanes(in.Op, in.Ty, c.operand(in.Args[0]), c.operand(in.Args[1]), c.results(in))
		return
	}
	n := 0
	if k == ir.KFloat {
		n = 1
	}
	c.emit(o[n], c.result(in), c.word(in.Args[0]), c.word(in.Args[1]), 0)
}

// comparison says how to make a comparison: by an instruction on two operands, perhaps exchanged,
// or on one and a constant.
type comparison struct {
	set, jump op
	swap      bool
	imm       bool
	unary     bool // a root word alone
}

var intCompares = [ir.NumOps]forms{
	ir.OpEQ: {opEQ, opEQI, opEQ, opEQI}, ir.OpNE: {opNE, opNEI, opNE, opNEI},
	ir.OpSLT: {opSLT, opSLTI, opSLT32, opSLT32I}, ir.OpSLE: {opSLE, opSLEI, opSLE32, opSLE32I},
	ir.OpSGT: {opSGT, opSGTI, opSGT32, opSGT32I}, ir.OpSGE: {opSGE, opSGEI, opSGE32, opSGE32I},
	ir.OpULT: {opULT, opULTI, opULT, opULTI}, ir.OpULE: {opULE, opULEI, opULE, opULEI},
	ir.OpUGT: {opUGT, opUGTI, opUGT, opUGTI}, ir.OpUGE: {opUGE, opUGEI, opUGE, opUGEI},
}

var fpCompares = [ir.NumOps]struct {
	wide, narrow op
	swap         bool
}{
	ir.OpFOEQ: {opFEQ, opGEQ, false}, ir.OpFUNE: {opFNE, opGNE, false},
	ir.OpFOLT: {opFLT, opGLT, false}, ir.OpFOLE: {opFLE, opGLE, false},
	ir.OpFOGT: {opFLT, opGLT, true}, ir.OpFOGE: {opFLE, opGLE, true},
	ir.OpFUGE: {opNFLT, opNGLT, false}, ir.OpFUGT: {opNFLE, opNGLE, false},
	ir.OpFULE: {opNFLT, opNGLT, true}, ir.OpFULT: {opNFLE, opNGLE, true},
}

// comparisonOf says how to make a comparison; false if there is no instruction for it.
func (c *compiler) comparisonOf(in *ir.Inst) (k comparison, ok bool) {
	n := c.at(in.Ty)
	if f := fpCompares[in.Op]; f.wide != opNone && n.Kind.IsFP() {
		k.set, k.swap = f.wide, f.swap
		if n.Kind == ir.KFloat {
			k.set = f.narrow
		}
		k.jump = k.set + 1
		return k, true
	}
	f := intCompares[in.Op]
	switch {
	case f.none():
		return k, false
	case isRoot(n.Kind) && (in.Op == ir.OpEQ || in.Op == ir.OpNE):
		k.set = opEQR
		null := func(x ir.ValueID) bool { v := c.constant(x); return v != nil && v.Kind == ir.ConstNull }
		k.unary = null(in.Args[0]) || null(in.Args[1])
		k.swap = k.unary && null(in.Args[0])
		switch {
		case k.unary && in.Op == ir.OpEQ:
			k.set = opNull
		case k.unary:
			k.set = opNotNull
		case in.Op == ir.OpNE:
			k.set = opNER
		}
		k.jump = k.set + 1
		return k, true
	case n.Kind == ir.KVector || n.Kind == ir.KTagRef64 || isRoot(n.Kind) || n.Kind == ir.KInt && n.Bits > 64:
		return k, false
	case n.Kind == ir.KInt && in.Op.Is(ir.Signed) && n.Bits != 32 && n.Bits != 64:
		return k, false
	}
	plain, imm := f.of(n.Bits)
	k.set = plain
	x, y := in.Args[0], in.Args[1]
	if _, ok := c.smallConst(y); ok {
		k.set, k.imm = imm, true
	} else if _, ok := c.smallConst(x); ok {
		if g := intCompares[in.Op.Info().Swapped]; !g.none() {
			_, k.set = g.of(n.Bits)
			k.swap, k.imm = true, true
		}
	}
	k.jump = k.set + 1
	return k, true
}

// fuses reports whether a comparison can be made by a branch.
func (c *compiler) fuses(in *ir.Inst) bool {
	if cl := in.Op.Info().Class; cl != ir.ClassCmpEQ && cl != ir.ClassCmpInt && cl != ir.ClassCmpULT && cl != ir.ClassCmpFP {
		return false
	}
	_, ok := c.comparisonOf(in)
	return ok
}

func compare(c *compiler, id ir.InstID, in *ir.Inst) {
	k, ok := c.comparisonOf(in)
	if !ok {
		c.lanes(in.Op, in.Ty, c.operand(in.Args[0]), c.operand(in.Args[1]), c.results(in))
		return
	}
	b, d, imm := c.compared(k, in)
	c.emit(k.set, c.result(in), b, d, imm)
}

// compared are the operands of a comparison.
func (c *compiler) compared(k comparison, in *ir.Inst) (b, d uint16, imm uint64) {
	x, y := in.Args[0], in.Args[1]
	if k.swap {
		x, y = y, x
	}
	switch {
	case k.unary:
		return c.root(x), 0, 0
	case k.imm:
		imm, _ = c.smallConst(y)
		return c.word(x), 0, imm
	case isRoot(c.at(in.Ty).Kind):
		return c.root(x), c.root(y), 0
	}
	return c.word(x), c.word(y), 0
}

// compareAndBranch makes a comparison and the branch on it.
func (c *compiler) compareAndBranch(cmp, in *ir.Inst, yes, no *ir.Dest) {
	k, _ := c.comparisonOf(cmp)
	b, d, imm := c.compared(k, cmp)
	if yes.Block == c.next && no.Block != c.next {
		k.jump, yes, no = inverses[k.jump], no, yes
	}
	at := c.emit(k.jump, 0, b, d, imm)
	c.way(at, in.Block, yes, func(n int) {
		i := &c.out[at]
		if k.imm {
			n /= insSize
			i.a, i.c = uint16(uint32(n)>>16), uint16(n)
			return
		}
		i.imm = uint64(n)
	})
	c.take(in.Block, no, c.next)
}

func selectInst(c *compiler, id ir.InstID, in *ir.Inst) {
	if c.at(in.Ty).Kind == ir.KVector {
		c.selectLanes(in)
		return
	}
	cond := c.word(in.Args[0])
	x, y, to := c.operand(in.Args[1]), c.operand(in.Args[2]), c.results(in)
	switch {
	case len(to.roots) == 1 && len(to.plains) == 0:
		c.emit(opSelectR, to.roots[0], x.roots[0], y.roots[0], uint64(cond))
	case len(to.plains) == 1 && len(to.roots) == 0:
		c.emit(opSelect, to.plains[0], x.plains[0], y.plains[0], uint64(cond))
	default:
		yes, no := copier(to, x), copier(to, y)
		c.site(opDo, 0, 0, &site{do: func(fp ptr) {
			if word(fp, cond) != 0 {
				yes(fp)
			} else {
				no(fp)
			}
		}})
	}
}

func convert(c *compiler, id ir.InstID, in *ir.Inst) {
	from, to := c.at(in.Ty), c.at(in.Ty2)
	small := func(n *ir.Type) bool { return n.Kind == ir.KInt && n.Bits <= 64 || n.Kind.IsPointer() }
	width := func(n *ir.Type) uint32 {
		if n.Kind == ir.KInt {
			return n.Bits
		}
		return uint32(wordBits)
	}
	mask := func(n uint32) uint64 { return math.MaxUint64 >> (64 - n) }
	switch {
	case in.Op == ir.OpRefAddr:
		c.emit(opRootToPlain, c.result(in), c.root(in.Args[0]), 0, 0)
		return
	case in.Op == ir.OpRefAt:
		c.emit(opPlainToRoot, c.result(in), c.word(in.Args[0]), 0, 0)
		return
	case (in.Op == ir.OpTrunc || in.Op == ir.OpZExt || in.Op == ir.OpPtrCast) && small(from) && small(to):
		if width(to) < width(from) {
			c.emit(opAndI, c.result(in), c.word(in.Args[0]), 0, mask(width(to)))
		} else {
			c.emit(opMov, c.result(in), c.word(in.Args[0]), 0, 0)
		}
		return
	case in.Op == ir.OpSExt && small(from) && small(to):
		o, imm := opSExt, uint64(64-from.Bits)
		switch from.Bits {
		case 8:
			o = opSExt8
		case 16:
			o = opSExt16
		case 32:
			o = opSExt32
		}
		c.emit(o, c.result(in), c.word(in.Args[0]), 0, imm)
		if to.Bits < 64 {
			c.emit(opAndI, c.result(in), c.result(in), 0, mask(to.Bits))
		}
		return
	case in.Op == ir.OpSIToFP && from.Kind == ir.KInt && from.Bits == 64 && to.Kind == ir.KDouble:
		c.emit(opFromS64, c.result(in), c.word(in.Args[0]), 0, 0)
		return
	case in.Op == ir.OpFPToSI && from.Kind == ir.KDouble && to.Kind == ir.KInt && to.Bits == 64:
		c.emit(opToS64, c.result(in), c.word(in.Args[0]), 0, 0)
		return
	case in.Op == ir.OpBitcast && from.Kind != ir.KVector:
		c.emit(opMov, c.result(in), c.word(in.Args[0]), 0, 0)
		return
	}
	c.convertLanes(in)
}
