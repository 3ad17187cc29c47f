package interp

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Addressing (docs/language.md, "Memory"). An iref moves by its offset, a uptr by its
// address, and both are the low word of the value, so one function moves both.

// pointerKind is the constructor that an addressing or access instruction works on.
func pointerKind(in *ir.Inst) ir.Kind {
	if in.Has(ir.FlagPtr) {
		return ir.KUPtr
	}
	return ir.KIRef
}

// moving makes the step that adds an offset to the location operand. array is
// the element type of the memory array that an iref moves in, or NoType.
func (d *decoder) moving(in *ir.Inst, array ir.TypeID, offset func(f *frame) uint64) (step, error) {
	if err := d.operandKind(in, 0, pointerKind(in)); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	x, to, isIRef := d.operand(in.Args[0]), d.result(in, 0), !in.Has(ir.FlagPtr)
	checked := isIRef && !in.Has(ir.FlagPointer)
	return func(t *thread, f *frame) action {
		v := x.get(f)
		if checked && v.ref == nil && t.m.cfg.CheckNullAddress {
			return t.fail(nullAddress, "")
		}
		if isIRef {
			v.Hi = uint64(nextSpan(v, array))
		}
		v.Lo += offset(f)
		f.regs[to] = v
		return next
	}, nil
}

func (d *decoder) getIRef(in *ir.Inst) (step, error) {
	x, to, err := d.unary(in, refKind)
	if err != nil {
		return nil, err
	}
	return func(t *thread, f *frame) action {
		v := x.get(f)
		if v.ref == nil && t.m.cfg.CheckNullAddress {
			return t.fail(nullAddress, "")
		}
		f.regs[to] = v
		return next
	}, nil
}

func (d *decoder) getFieldIRef(in *ir.Inst) (step, error) {
	if k := d.types.Kind(in.Ty); k != ir.KStruct && k != ir.KHybrid || len(in.Args) != 1 {
		return nil, d.mistyped(in)
	}
	s := d.m.shapes.of(in.Ty)
	if in.Imm >= uint64(len(s.offsets)) {
		return nil, fmt.Errorf("no field %d", in.Imm)
	}
	off := s.offsets[in.Imm]
	return d.moving(in, ir.NoType, func(*frame) uint64 { return off })
}

func (d *decoder) getVarPartIRef(in *ir.Inst) (step, error) {
	if d.types.Kind(in.Ty) != ir.KHybrid || len(in.Args) != 1 {
		return nil, d.mistyped(in)
	}
	off := d.m.shapes.of(in.Ty).size
	return d.moving(in, ir.NoType, func(*frame) uint64 { return off })
}

// indexIRef is GETELEMIREF and SHIFTIREF: it moves by k elements, k signed.
func (d *decoder) indexIRef(in *ir.Inst) (step, error) {
	if !validType(d.types, in.Ty) || d.types.Kind(in.Ty) == ir.KSig || len(in.Args) != 2 {
		return nil, d.mistyped(in)
	}
	if err := d.operandKind(in, 1, ir.KInt); err != nil {
		return nil, err
	}
	s := d.m.shapes.of(in.Ty)
	var stride uint64
	array := in.Ty
	if in.Op == ir.OpShiftIRef {
		if s.t.Kind == ir.KVoid || s.t.Kind == ir.KHybrid {
			return nil, d.mistyped(in)
		}
		stride = s.distance()
	} else {
		if s.t.Kind != ir.KArray && s.t.Kind != ir.KVector {
			return nil, d.mistyped(in)
		}
		stride, array = s.stride, s.t.Elem
	}
	k, n := d.operand(in.Args[1]), d.types.At(d.typeOf(in.Args[1])).Bits
	return d.moving(in, array, func(f *frame) uint64 { return signExtend(k.get(f), n).Lo * stride })
}
