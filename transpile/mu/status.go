package mu

import (
	"math/bits"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Status flags of integer operations (docs/language.md, "Numbers"): further results of type int<1>. They are computed
// from the operands and the result by other operations, so nothing after the reader knows them.

// status is a set of status flags: 1 << their place in statusNames.
type status uint8

const (
	negative status = 1 << iota
	zero
	carry
	overflow
)

// statusNames are the flags in the order of the results.
var statusNames = [...]string{"#N", "#Z", "#C", "#V"}

func (s status) count() int { return bits.OnesCount8(uint8(s)) }

// statusFlags checks the status flags of a binary operation.
func (b *body) statusFlags(list []syntax.Name) {
	op, t := b.in.Op, b.out.Ty
	for _, n := range list {
		i, name := 0, b.name(n)
		for i < len(statusNames) && statusNames[i] != name {
			i++
		}
		f := status(1) << i
		switch {
		case i == len(statusNames):
			b.errorf(n.Off, "%s has no status flag %s: the flags are %s", op, name, strings.Join(statusNames[:], ", "))
		case b.status&f != 0:
			b.errorf(n.Off, "status flag %s is given twice", name)
		case b.out.Op.Info().Class != ir.ClassIntBin:
			b.errorf(n.Off, "%s has no status flags: integer operations have", op)
		case f&(carry|overflow) != 0 && op != syntax.OpAdd && op != syntax.OpSub && op != syntax.OpMul:
			b.errorf(n.Off, "%s has no status flag %s: ADD, SUB and MUL have", op, name)
		case t != ir.NoType && b.types.Kind(t) != ir.KInt:
			b.errorf(n.Off, "%s: status flags are those of one integer, got %s", op, b.typeText(t))
		default:
			b.status |= f
			continue
		}
		b.vague = true // how many results are meant
	}
	if b.vague || t == ir.NoType {
		b.status, b.vague = 0, true
	}
}

// statusShape shows how an instruction with its status flags is written.
func (b *body) statusShape() string {
	var names, flags []string
	for i, f := range statusNames {
		if b.status&(1<<i) != 0 {
			names, flags = append(names, "%"+strings.ToLower(f[1:])), append(flags, f)
		}
	}
	return "(%r " + strings.Join(names, " ") + ") = " + b.in.Op.String() + " [" + strings.Join(flags, " ") + "]"
}

// statusResults computes the status flags of the instruction that has the result r.
func (b *body) statusResults(r ir.ValueID) (list []ir.ValueID) {
	t, x, y := b.out.Ty, b.out.Args[0], b.out.Args[1]
	for _, f := range [...]struct {
		of   status
		make func() ir.ValueID
	}{
		{negative, func() ir.ValueID { return b.binop(ir.OpSLT, t, r, b.zero(t)) }},
		{zero, func() ir.ValueID { return b.binop(ir.OpEQ, t, r, b.zero(t)) }},
		{carry, func() ir.ValueID { return b.carryOf(t, x, y, r) }},
		{overflow, func() ir.ValueID { return b.overflowOf(t, x, y, r) }},
	} {
		if b.status&f.of != 0 {
			list = append(list, f.make())
		}
	}
	return list
}

// binop emits an operation with two operands of a type.
func (b *body) binop(op ir.Op, t ir.TypeID, x, y ir.ValueID) ir.ValueID {
	return b.emit(ir.Inst{Op: op, Ty: t, Args: b.list(x, y)})
}

// carryOf is the flag C: of SUB the borrow, of MUL whether the high half of the product is not zero.
func (b *body) carryOf(t ir.TypeID, x, y, r ir.ValueID) ir.ValueID {
	switch {
	case b.in.Op == syntax.OpAdd:
		return b.binop(ir.OpULT, t, r, x)
	case b.in.Op == syntax.OpSub:
		return b.binop(ir.OpULT, t, x, y)
	case b.canDouble(t):
		return b.doubled(ir.OpZExt, t, x, y, r)
	}
	return b.divided(ir.OpUDiv, t, x, y, r)
}

// overflowOf is the flag V.
func (b *body) overflowOf(t ir.TypeID, x, y, r ir.ValueID) ir.ValueID {
	xor := func(x, y ir.ValueID) ir.ValueID { return b.binop(ir.OpXor, t, x, y) }
	signs := func(x, y ir.ValueID) ir.ValueID {
		return b.binop(ir.OpSLT, t, b.binop(ir.OpAnd, t, x, y), b.zero(t))
	}
	switch {
	case b.in.Op == syntax.OpAdd: // the operands have the sign that the sum has not
		return signs(xor(x, r), xor(y, r))
	case b.in.Op == syntax.OpSub: // they have different ones, and the difference that of the second
		return signs(xor(x, y), xor(x, r))
	case b.canDouble(t):
		return b.doubled(ir.OpSExt, t, x, y, r)
	}
	// MIN divided by -1 is MIN, so the division does not tell that MIN times -1 overflows.
	bit := b.info.i1
	least := b.f.Const(b.f.WideConst(t, 1<<(b.types.At(t).Bits-65), 0))
	edge := b.binop(ir.OpAnd, bit, b.binop(ir.OpEQ, t, x, b.f.Int(t, -1)), b.binop(ir.OpEQ, t, y, least))
	return b.binop(ir.OpOr, bit, edge, b.divided(ir.OpSDiv, t, x, y, r))
}

// maxBits is the width of the widest int type (docs/language.md, "Limits").
const maxBits = 128

// canDouble reports whether there is an int type of double width.
func (b *body) canDouble(t ir.TypeID) bool { return 2*b.types.At(t).Bits <= maxBits }

// doubled reports whether the product r of x and y differs from the product of the extended operands.
func (b *body) doubled(extend ir.Op, t ir.TypeID, x, y, r ir.ValueID) ir.ValueID {
	wide := b.types.Int(2 * b.types.At(t).Bits)
	w := func(x ir.ValueID) ir.ValueID {
		return b.emit(ir.Inst{Op: extend, Ty: t, Ty2: wide, Args: b.list(x)})
	}
	return b.binop(ir.OpNE, wide, b.binop(ir.OpMul, wide, w(x), w(y)), w(r))
}

// divided reports whether the product r of x and y divided by x is not y, if x is not 0.
func (b *body) divided(div ir.Op, t ir.TypeID, x, y, r ir.ValueID) ir.ValueID {
	bit := b.info.i1
	some := b.binop(ir.OpNE, t, x, b.zero(t))
	one := b.f.Int(t, 1)
	by := b.emit(ir.Inst{Op: ir.OpSelect, Ty: bit, Ty2: t, Args: b.list(some, x, one)})
	return b.binop(ir.OpAnd, bit, some, b.binop(ir.OpNE, t, b.binop(div, t, r, by), y))
}

// statusBlock makes a block on the normal edge of the instruction that was made last, and goes there: the results of
// an instruction with an exception clause exist only on that edge. It returns the edge to it, and the results
// in it.
func (b *body) statusBlock(results []ir.ValueID) (ir.Dest, []ir.ValueID) {
	b.f.Pos = b.out.Pos
	f := b.f.Block("")
	p := b.f.AddParam(f, b.out.Ty)
	b.back = b.f.Current()
	b.f.At(f)
	return ir.Dest{Block: f, Args: b.list(results...)}, []ir.ValueID{p}
}

// leaveStatusBlock goes from there to the normal destination.
func (b *body) leaveStatusBlock() {
	d := b.edge(0, 0)
	b.f.Branch(d.Block, d.Args...)
	b.f.At(b.back)
}
