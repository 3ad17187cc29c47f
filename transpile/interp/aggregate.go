package interp

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Aggregates in variables (docs/language.md, "Aggregates"). They are values: every change
// makes a new one.

// with is the aggregate with member i replaced.
func (v Value) with(i int, e Value) Value {
	out := append([]Value(nil), v.elems()...)
	out[i] = e
	return makeAggregate(out)
}

// field checks the type and index of EXTRACTVALUE and INSERTVALUE and gives
// the type of the field.
func (d *decoder) field(in *ir.Inst) (ir.TypeID, error) {
	t := d.types.At(in.Ty)
	if t.Kind != ir.KStruct {
		return 0, d.mistyped(in)
	}
	if in.Imm >= uint64(len(t.Fields)) {
		return 0, fmt.Errorf("no field %d", in.Imm)
	}
	return t.Fields[in.Imm], nil
}

func (d *decoder) extractValue(in *ir.Inst) (step, error) {
	ft, err := d.field(in)
	if err != nil {
		return nil, err
	}
	if err := d.operands(in, in.Ty); err != nil {
		return nil, err
	}
	if err := d.results(in, ft); err != nil {
		return nil, err
	}
	x, i, to := d.operand(in.Args[0]), in.Imm, d.result(in, 0)
	return func(_ *thread, f *frame) action {
		f.regs[to] = x.get(f).elems()[i]
		return next
	}, nil
}

func (d *decoder) insertValue(in *ir.Inst) (step, error) {
	ft, err := d.field(in)
	if err != nil {
		return nil, err
	}
	if err := d.operands(in, in.Ty, ft); err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty); err != nil {
		return nil, err
	}
	x, e, i, to := d.operand(in.Args[0]), d.operand(in.Args[1]), int(in.Imm), d.result(in, 0)
	return func(_ *thread, f *frame) action {
		f.regs[to] = x.get(f).with(i, e.get(f))
		return next
	}, nil
}

// sequence checks that Ty is an array or vector and Ty2 an int.
func (d *decoder) sequence(in *ir.Inst) (*ir.Type, error) {
	t := d.types.At(in.Ty)
	if t.Kind != ir.KArray && t.Kind != ir.KVector || d.types.Kind(in.Ty2) != ir.KInt {
		return nil, d.mistyped(in)
	}
	return t, nil
}

// index reads an unsigned index and checks it against a length.
func (t *thread) index(v Value, n int) (int, action) {
	if v.Hi != 0 || v.Lo >= uint64(n) {
		return 0, t.failf(bounds, "index %s of %d elements", v.BigInt(128, false), n)
	}
	return int(v.Lo), next
}

func (d *decoder) extractElement(in *ir.Inst) (step, error) {
	s, err := d.sequence(in)
	if err != nil {
		return nil, err
	}
	if err := d.operands(in, in.Ty, in.Ty2); err != nil {
		return nil, err
	}
	if err := d.results(in, s.Elem); err != nil {
		return nil, err
	}
	x, k, to := d.operand(in.Args[0]), d.operand(in.Args[1]), d.result(in, 0)
	return func(t *thread, f *frame) action {
		elems := x.get(f).elems()
		i, a := t.index(k.get(f), len(elems))
		if a != next {
			return a
		}
		f.regs[to] = elems[i]
		return next
	}, nil
}

func (d *decoder) insertElement(in *ir.Inst) (step, error) {
	s, err := d.sequence(in)
	if err != nil {
		return nil, err
	}
	if err := d.operands(in, in.Ty, in.Ty2, s.Elem); err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty); err != nil {
		return nil, err
	}
	x, k, e, to := d.operand(in.Args[0]), d.operand(in.Args[1]), d.operand(in.Args[2]), d.result(in, 0)
	return func(t *thread, f *frame) action {
		v := x.get(f)
		i, a := t.index(k.get(f), len(v.elems()))
		if a != next {
			return a
		}
		f.regs[to] = v.with(i, e.get(f))
		return next
	}, nil
}

func (d *decoder) shuffleVector(in *ir.Inst) (step, error) {
	if elem, vector := d.laneType(in.Ty2); !vector || elem.Kind != ir.KInt || d.types.Kind(in.Ty) != ir.KVector {
		return nil, d.mistyped(in)
	}
	if err := d.operands(in, in.Ty, in.Ty, in.Ty2); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	x, y, mask, to := d.operand(in.Args[0]), d.operand(in.Args[1]), d.operand(in.Args[2]), d.result(in, 0)
	return func(t *thread, f *frame) action {
		a, b, m := x.get(f).elems(), y.get(f).elems(), mask.get(f).elems()
		both := append(append(make([]Value, 0, 2*len(a)), a...), b...)
		out := make([]Value, len(m))
		for j, k := range m {
			i, act := t.index(k, len(both))
			if act != next {
				return act
			}
			out[j] = both[i]
		}
		f.regs[to] = makeAggregate(out)
		return next
	}, nil
}
