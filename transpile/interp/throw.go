package interp

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Exceptions (docs/language.md, "Exceptions"). The search for a handler comes first: if there is
// none, all frames still exist for the report.

// raise raises an exception in a frame of the thread's stack. overflow says that it
// is the NULL of a stack overflow, which has a different report.
func (t *thread) raise(from *frame, exc Value, overflow bool) action {
	if overflow {
		t.full = t.m.place(t.stack.top)
	}
	var above *frame
	if t.stack.top != from {
		above = t.stack.top // the frame that throws
	}
	for f := from; f != nil; above, f = f, f.parent {
		if f.kind == nativeFrame {
			what := "a stack overflow"
			if !overflow {
				what = "an exception"
				if u, ok := exc.ref.(*unit); ok && u.shape != nil {
					what += " of type " + t.m.types.String(u.shape.id)
				}
			}
			if above == nil {
				return t.fail(native, what+" would enter native code")
			}
			return t.fail(native, what+" would leave "+above.name()+", which native code called")
		}
		if f.kind != muFrame || f.pc == created {
			continue
		}
		if e := f.code.ins[f.pc].exc; e != nil {
			if t.m.rethrows && !t.again {
				var b strings.Builder
				t.m.trace(&b, t.stack.top)
				t.caught = caughtExc{exc, b.String()}
			}
			for t.stack.top != f {
				t.stack.pop()
			}
			e.take(f, exc)
			return enter
		}
		if f.code.v.Func.Attrs&ir.NoThrow != 0 {
			for t.stack.top != f {
				t.stack.pop()
			}
			return t.fail(trapped, nothrow)
		}
	}
	if overflow {
		return t.fail(stackOverflow, "the exception NULL that it raised was not caught")
	}
	return t.uncaught(exc)
}

const nothrow = "throw from nothrow function"

func (d *decoder) throw(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, refKind); err != nil {
		return nil, err
	}
	if d.v.Func.Attrs&ir.NoThrow != 0 {
		return func(t *thread, _ *frame) action { return t.fail(trapped, nothrow) }, nil
	}
	x := d.operand(in.Args[0])
	return func(t *thread, f *frame) action { return t.raise(f.parent, x.get(f), false) }, nil
}
