package interp

import (
	"cmp"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Comparisons (docs/language.md, "Numbers").

// scalarCompare is a comparison of two scalars of a type, or nil.
func scalarCompare(op ir.Op, t *ir.Type) func(x, y Value) bool {
	switch t.Kind {
	case ir.KInt:
		return intCompare(op, t.Bits)
	case ir.KUPtr, ir.KUFuncPtr: // like int<64>, also in signed order
		return intCompare(op, 64)
	case ir.KFloat:
		if f := fpCompare(op); f != nil {
			return func(x, y Value) bool { return f(float64(x.AsFloat32()), float64(y.AsFloat32())) }
		}
	case ir.KDouble:
		if f := fpCompare(op); f != nil {
			return func(x, y Value) bool { return f(x.AsFloat64(), y.AsFloat64()) }
		}
	case ir.KTagRef64:
		switch op {
		case ir.OpEQ:
			return sameTagged
		case ir.OpNE:
			return func(x, y Value) bool { return !sameTagged(x, y) }
		}
	case ir.KRef, ir.KIRef, ir.KFuncRef, ir.KThreadRef, ir.KStackRef, ir.KFrameCursorRef, ir.KIRNodeRef, ir.KIRBuilderRef:
		switch op {
		case ir.OpEQ:
			return sameReferent
		case ir.OpNE:
			return func(x, y Value) bool { return !sameReferent(x, y) }
		}
		if t.Kind != ir.KIRef {
			return nil
		}
		switch op {
		case ir.OpULT:
			return func(x, y Value) bool { return compareLocations(x, y) < 0 }
		case ir.OpULE:
			return func(x, y Value) bool { return compareLocations(x, y) <= 0 }
		case ir.OpUGT:
			return func(x, y Value) bool { return compareLocations(x, y) > 0 }
		case ir.OpUGE:
			return func(x, y Value) bool { return compareLocations(x, y) >= 0 }
		}
	}
	return nil
}

// intCompare is a comparison of two int<n>.
func intCompare(op ir.Op, n uint32) func(x, y Value) bool {
	if n <= 64 {
		f := narrowCompare(op, n)
		if f == nil {
			return nil
		}
		return func(x, y Value) bool { return f(x.Lo, y.Lo) }
	}
	unsigned := func(x, y Value) int { return cmp.Or(cmp.Compare(x.Hi, y.Hi), cmp.Compare(x.Lo, y.Lo)) }
	order := func(x, y Value) int {
		a, b := signExtend(x, n), signExtend(y, n)
		return cmp.Or(cmp.Compare(int64(a.Hi), int64(b.Hi)), cmp.Compare(a.Lo, b.Lo))
	}
	switch op {
	case ir.OpEQ:
		return func(x, y Value) bool { return unsigned(x, y) == 0 }
	case ir.OpNE:
		return func(x, y Value) bool { return unsigned(x, y) != 0 }
	case ir.OpUGE:
		return func(x, y Value) bool { return unsigned(x, y) >= 0 }
	case ir.OpUGT:
		return func(x, y Value) bool { return unsigned(x, y) > 0 }
	case ir.OpULE:
		return func(x, y Value) bool { return unsigned(x, y) <= 0 }
	case ir.OpULT:
		return func(x, y Value) bool { return unsigned(x, y) < 0 }
	case ir.OpSGE:
		return func(x, y Value) bool { return order(x, y) >= 0 }
	case ir.OpSGT:
		return func(x, y Value) bool { return order(x, y) > 0 }
	case ir.OpSLE:
		return func(x, y Value) bool { return order(x, y) <= 0 }
	case ir.OpSLT:
		return func(x, y Value) bool { return order(x, y) < 0 }
	}
	return nil
}

// narrowCompare is a comparison of two int<n>, n <= 64.
func narrowCompare(op ir.Op, n uint32) func(x, y uint64) bool {
	switch op {
	case ir.OpEQ:
		return func(x, y uint64) bool { return x == y }
	case ir.OpNE:
		return func(x, y uint64) bool { return x != y }
	case ir.OpUGE:
		return func(x, y uint64) bool { return x >= y }
	case ir.OpUGT:
		return func(x, y uint64) bool { return x > y }
	case ir.OpULE:
		return func(x, y uint64) bool { return x <= y }
	case ir.OpULT:
		return func(x, y uint64) bool { return x < y }
	case ir.OpSGE:
		return func(x, y uint64) bool { return signed(x, n) >= signed(y, n) }
	case ir.OpSGT:
		return func(x, y uint64) bool { return signed(x, n) > signed(y, n) }
	case ir.OpSLE:
		return func(x, y uint64) bool { return signed(x, n) <= signed(y, n) }
	case ir.OpSLT:
		return func(x, y uint64) bool { return signed(x, n) < signed(y, n) }
	}
	return nil
}

// fpCompare is a floating point comparison; floats widen to double exactly.
func fpCompare(op ir.Op) func(x, y float64) bool {
	unordered := func(x, y float64) bool { return x != x || y != y }
	switch op {
	case ir.OpFTrue:
		return func(x, y float64) bool { return true }
	case ir.OpFFalse:
		return func(x, y float64) bool { return false }
	case ir.OpFOrd:
		return func(x, y float64) bool { return !unordered(x, y) }
	case ir.OpFUno:
		return unordered
	case ir.OpFOEQ:
		return func(x, y float64) bool { return x == y }
	case ir.OpFONE:
		return func(x, y float64) bool { return x < y || x > y }
	case ir.OpFOGT:
		return func(x, y float64) bool { return x > y }
	case ir.OpFOGE:
		return func(x, y float64) bool { return x >= y }
	case ir.OpFOLT:
		return func(x, y float64) bool { return x < y }
	case ir.OpFOLE:
		return func(x, y float64) bool { return x <= y }
	case ir.OpFUEQ:
		return func(x, y float64) bool { return unordered(x, y) || x == y }
	case ir.OpFUNE:
		return func(x, y float64) bool { return unordered(x, y) || x != y }
	case ir.OpFUGT:
		return func(x, y float64) bool { return unordered(x, y) || x > y }
	case ir.OpFUGE:
		return func(x, y float64) bool { return unordered(x, y) || x >= y }
	case ir.OpFULT:
		return func(x, y float64) bool { return unordered(x, y) || x < y }
	case ir.OpFULE:
		return func(x, y float64) bool { return unordered(x, y) || x <= y }
	}
	return nil
}

// compareLocations orders irefs: by offset inside a unit; across units, where the
// order is not specified but must exist, by the age of the units.
func compareLocations(x, y Value) int {
	return cmp.Or(cmp.Compare(x.serial(), y.serial()), cmp.Compare(int64(x.Lo), int64(y.Lo)))
}

// serial numbers the units that have been allocated; NULL has 0.
func (v Value) serial() uint64 {
	if u, ok := v.ref.(*unit); ok {
		return u.serial
	}
	return 0
}

func (d *decoder) compare(in *ir.Inst) (step, error) {
	if err := d.operands(in, in.Ty, in.Ty); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	x, y, to := d.operand(in.Args[0]), d.operand(in.Args[1]), d.result(in, 0)
	elem, vector := d.laneType(in.Ty)
	if elem.Kind == ir.KInt && elem.Bits <= 64 && !vector {
		f := narrowCompare(in.Op, elem.Bits)
		if f == nil {
			return nil, d.mistyped(in)
		}
		return func(_ *thread, fr *frame) action {
			fr.regs[to] = boolValue(f(x.lo(fr), y.lo(fr)))
			return next
		}, nil
	}
	f := scalarCompare(in.Op, elem)
	if f == nil {
		return nil, d.mistyped(in)
	}
	g := func(x, y Value) Value { return boolValue(f(x, y)) }
	if vector {
		g = lanes(g)
	}
	return func(_ *thread, fr *frame) action {
		fr.regs[to] = g(x.get(fr), y.get(fr))
		return next
	}, nil
}
