package interp

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// finals are the objects that SETFINAL has entered: the reachable ones, in the order in
// which they were entered, and the queue of the unreachable ones.
type finals struct{ entered, queue []final }

type final struct {
	object *unit
	what   uint64
}

// find is the index of an entered object, -1 for other objects.
func (f *finals) find(u *unit) int {
	return slices.IndexFunc(f.entered, func(x final) bool { return x.object == u })
}

// unreached moves the objects that a collection has not reached to the queue and lists them.
func (f *finals) unreached(epoch uint32) (list []*unit) {
	f.entered = slices.DeleteFunc(f.entered, func(x final) bool {
		if x.object.mark == epoch {
			return false
		}
		f.queue = append(f.queue, x)
		list = append(list, x.object)
		return true
	})
	return list
}

// setFinal is SETFINAL and FINALNOW.
func (d *decoder) setFinal(in *ir.Inst) (step, error) {
	if err := d.operandKind(in, 0, ir.KRef); err != nil {
		return nil, err
	}
	x, what := d.operand(in.Args[0]), operand{reg: -1}
	if len(in.Args) == 2 {
		what = d.operand(in.Args[1])
	}
	return func(t *thread, fr *frame) action {
		u, ok := x.get(fr).ref.(*unit)
		if !ok {
			return next
		}
		f := &t.m.finals
		i := f.find(u)
		switch {
		case in.Op == ir.OpFinalNow && i >= 0:
			f.queue = append(f.queue, f.entered[i])
			f.entered = slices.Delete(f.entered, i, i+1)
		case in.Op == ir.OpFinalNow:
		case what.lo(fr) == 0 && i >= 0:
			f.entered = slices.Delete(f.entered, i, i+1)
		case what.lo(fr) == 0:
		case i >= 0:
			f.entered[i].what = what.lo(fr)
		default:
			f.entered = append(f.entered, final{u, what.lo(fr)})
		}
		return next
	}, nil
}

func (d *decoder) nextFinal(in *ir.Inst) (step, error) {
	if err := d.resultCount(in, 2); err != nil {
		return nil, err
	}
	object, what := d.result(in, 0), d.result(in, 1)
	return func(t *thread, fr *frame) action {
		f := &t.m.finals
		fr.regs[object], fr.regs[what] = null, Value{}
		if len(f.queue) > 0 {
			fr.regs[object], fr.regs[what] = Value{ref: f.queue[0].object}, Value{Lo: f.queue[0].what}
			f.queue = f.queue[1:]
		}
		return next
	}, nil
}

func (d *decoder) finalsDue(in *ir.Inst) (step, error) {
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	to := d.result(in, 0)
	return func(t *thread, fr *frame) action {
		fr.regs[to] = Value{Lo: uint64(len(t.m.finals.queue))}
		return next
	}, nil
}
