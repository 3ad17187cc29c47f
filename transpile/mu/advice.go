package mu

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Advice in errors about types. Each function returns "", or text that follows the
// message.

// operandAdvice says how to convert an operand to the type that an instruction wants.
func (b *body) operandAdvice(n syntax.Name, have, want ir.TypeID) string {
	h, w := b.types.At(have), b.types.At(want)
	op, ptr := b.in.Op, b.in.Flags&syntax.Ptr != 0
	switch {
	case op == syntax.OpGetIRef && h.Kind == ir.KIRef:
		return "; it is an iref already"
	case w.Kind == ir.KIRef && h.Kind == ir.KRef:
		return fmt.Sprintf("; make an iref of it: GETIREF <%s> %s", b.types.String(h.Elem), b.name(n))
	case w.Kind == ir.KIRef && h.Kind == ir.KUPtr && op.HasPtr():
		return fmt.Sprintf("; for a uptr write %s PTR", op)
	case w.Kind == ir.KUPtr && h.Kind == ir.KIRef && ptr:
		return fmt.Sprintf("; for an iref write %s without PTR", op)
	case w.Kind == ir.KIRef && h.Kind == ir.KStruct:
		return "; a field of a value is read with EXTRACTVALUE"
	case op == syntax.OpExtractValue && (h.Kind == ir.KIRef || h.Kind == ir.KRef || h.Kind == ir.KUPtr):
		return "; a field in memory is read with GETFIELDIREF and LOAD"
	}
	conv := b.between(have, want)
	switch {
	case conv == "":
		return ""
	case have != want && w.Kind == ir.KInt && w.Bits == 1 && isFP(h.Kind):
		return "; compare it, as with FUNE"
	case !n.Sym.Local():
		return "; define a constant of that type"
	}
	return "; convert it with " + conv
}

// between names the instructions that turn one type of number into another.
func (b *body) between(have, want ir.TypeID) string {
	h, w := b.info.lane(have), b.info.lane(want)
	if (h == have) != (w == want) || h == ir.NoType || w == ir.NoType {
		return "" // a vector and a scalar
	}
	hk, wk := b.types.Kind(h), b.types.Kind(w)
	switch {
	case hk == ir.KInt && wk == ir.KInt:
		if b.types.At(h).Bits > b.types.At(w).Bits {
			return "TRUNC"
		}
		return "SEXT or ZEXT"
	case hk == ir.KInt && isFP(wk):
		return "SITOFP or UITOFP"
	case isFP(hk) && wk == ir.KInt:
		return "FPTOSI or FPTOUI"
	case hk == ir.KFloat && wk == ir.KDouble:
		return "FPEXT"
	case hk == ir.KDouble && wk == ir.KFloat:
		return "FPTRUNC"
	case isPointer(hk) && wk == ir.KInt, hk == ir.KInt && isPointer(wk):
		return "PTRCAST"
	}
	return ""
}

// typeAdvice says what to write instead of type argument i, which is t, or instead of
// the instruction.
func (b *body) typeAdvice(i int, t ir.TypeID) string {
	op := b.in.Op
	n := b.types.At(t)
	lane := b.info.laneKind(t)
	switch {
	case i > 0:
	case op == syntax.OpNew && n.Kind == ir.KHybrid, op == syntax.OpAlloca && n.Kind == ir.KHybrid:
		return fmt.Sprintf("; write %sHYBRID <%s @length> %%length", op, b.name(b.in.Types[0]))
	case op == syntax.OpNewHybrid:
		return "; write NEW"
	case op == syntax.OpAllocaHybrid:
		return "; write ALLOCA"
	case b.referentFits(n):
		return "; write the referent, " + b.types.String(n.Elem)
	case op == syntax.OpGetFieldIRef && (n.Kind == ir.KArray || n.Kind == ir.KVector):
		return "; elements are reached with GETELEMIREF"
	case op == syntax.OpGetElemIRef && (n.Kind == ir.KStruct || n.Kind == ir.KHybrid):
		return "; fields are reached with GETFIELDIREF"
	case op == syntax.OpGetElemIRef || op == syntax.OpGetFieldIRef:
	case isFP(lane) || lane == ir.KInt:
		if f, ok := twin(op); ok {
			return "; write " + f.String()
		}
	}
	return ""
}

// referentFits reports whether the type argument of an addressing instruction is a
// reference where the referent is expected.
func (b *body) referentFits(n *ir.Type) bool {
	switch b.in.Op {
	case syntax.OpGetFieldIRef, syntax.OpGetElemIRef, syntax.OpGetVarPartIRef:
	default:
		return false
	}
	return (n.Kind == ir.KRef || n.Kind == ir.KIRef || n.Kind == ir.KUPtr) && n.Elem != ir.NoType && b.reaches(n.Elem)
}

// literalAdvice says how constants of a type are written.
func literalAdvice(k ir.Kind) string {
	switch {
	case k == ir.KInt:
		return "; write an integer, such as 1"
	case k == ir.KFloat:
		return "; write a literal that ends with f, such as 1.0f"
	case k == ir.KDouble:
		return "; write a literal that ends with d, such as 1.0d"
	case isPointer(k):
		return "; write an address, such as 0, or EXTERN \"symbol\""
	case isNullable(k):
		return "; write NULL, the only one it has"
	case k == ir.KStruct || k == ir.KArray || k == ir.KVector:
		return "; write a list of constants, such as {@a @b}"
	}
	return ""
}

// isFPOp reports whether op has a twin on integers.
func isFPOp(op syntax.Op) bool {
	for _, t := range twins {
		if t[1] == op {
			return true
		}
	}
	return false
}

// numbered says which numbers n parts have.
func numbered(n int, what string) string {
	switch n {
	case 0:
		return "it has no " + what + "s"
	case 1:
		return "its only " + what + " is 0"
	}
	return fmt.Sprintf("its %d %ss are numbered 0 to %d", n, what, n-1)
}

// twins are operations on integers and the corresponding ones on floating-point numbers.
var twins = [...][2]syntax.Op{
	{syntax.OpAdd, syntax.OpFAdd}, {syntax.OpSub, syntax.OpFSub}, {syntax.OpMul, syntax.OpFMul},
	{syntax.OpSDiv, syntax.OpFDiv}, {syntax.OpUDiv, syntax.OpFDiv}, {syntax.OpSRem, syntax.OpFRem}, {syntax.OpURem, syntax.OpFRem},
	{syntax.OpEQ, syntax.OpFOEQ}, {syntax.OpNE, syntax.OpFUNE},
	{syntax.OpSLT, syntax.OpFOLT}, {syntax.OpSLE, syntax.OpFOLE}, {syntax.OpSGT, syntax.OpFOGT}, {syntax.OpSGE, syntax.OpFOGE},
	{syntax.OpULT, syntax.OpFOLT}, {syntax.OpULE, syntax.OpFOLE}, {syntax.OpUGT, syntax.OpFOGT}, {syntax.OpUGE, syntax.OpFOGE},
}

// unsigned are the comparisons without a sign, by those with one.
var unsigned = map[syntax.Op]syntax.Op{
	syntax.OpSLT: syntax.OpULT, syntax.OpSLE: syntax.OpULE, syntax.OpSGT: syntax.OpUGT, syntax.OpSGE: syntax.OpUGE,
}

// twin returns the operation on one kind of number that corresponds to op, which is
// an operation on the other kind.
func twin(op syntax.Op) (syntax.Op, bool) {
	for _, t := range twins {
		switch op {
		case t[0]:
			return t[1], true
		case t[1]:
			return t[0], true
		}
	}
	return op, false
}
