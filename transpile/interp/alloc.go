package interp

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Allocation (docs/language.md, "Memory").

// allocate makes a unit, or says why it cannot. Stack cells count for the limit
// of the heap like objects.
func (m *machine) allocate(kind unitKind, s *shape, n uint64) (*unit, string) {
	size := unitSize(s, n)
	if size > maxUnit {
		return nil, "the heap is exhausted"
	}
	if !m.reserve(size) {
		return nil, "the heap is exhausted"
	}
	return m.newUnit(kind, s, size), ""
}

func (d *decoder) alloc(in *ir.Inst) (step, error) {
	hybrid := in.Op == ir.OpNewHybrid || in.Op == ir.OpAllocaHybrid
	if !validType(d.types, in.Ty) || (d.types.Kind(in.Ty) == ir.KHybrid) != hybrid || d.types.Kind(in.Ty) == ir.KSig {
		return nil, d.mistyped(in)
	}
	length := operand{reg: -1}
	if hybrid {
		if err := d.operandKinds(in, intKind); err != nil {
			return nil, err
		}
		length = d.operand(in.Args[0])
	} else if err := d.operands(in); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	kind := heapUnit
	if in.Op == ir.OpAlloca || in.Op == ir.OpAllocaHybrid {
		kind = stackUnit
	}
	s, to, roots := d.m.shapes.of(in.Ty), d.result(in, 0), in.Has(ir.FlagRoots)
	return func(t *thread, f *frame) action {
		n := length.get(f)
		if n.Hi != 0 {
			n.Lo = ^uint64(0)
		}
		u, why := t.m.allocate(kind, s, n.Lo)
		if u == nil {
			return t.exceptional(f, outOfMemory, why)
		}
		if kind == stackUnit {
			r := f.extra()
			r.cells = append(r.cells, u)
			u.roots = roots
		}
		f.regs[to] = Value{ref: u}
		return next
	}, nil
}
