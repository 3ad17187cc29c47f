package interp

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Control flow (docs/language.md, "Control flow").

func (d *decoder) branch(in *ir.Inst) (step, error) {
	e := d.edge(&in.Dests[0])
	return func(_ *thread, f *frame) action { return e.take(f, null) }, nil
}

func (d *decoder) branch2(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, intKind); err != nil {
		return nil, err
	}
	c, yes, no := d.operand(in.Args[0]), d.edge(&in.Dests[0]), d.edge(&in.Dests[1])
	return func(_ *thread, f *frame) action {
		if c.lo(f) != 0 {
			return yes.take(f, null)
		}
		return no.take(f, null)
	}, nil
}

func (d *decoder) switchOp(in *ir.Inst) (step, error) {
	if len(in.Args) == 0 {
		return nil, fmt.Errorf("no operand")
	}
	equal := scalarCompare(ir.OpEQ, d.types.At(in.Ty))
	if equal == nil {
		return nil, d.mistyped(in)
	}
	type key struct{ lo, hi uint64 }
	edges := make([]*edge, len(in.Dests))
	byInt := map[key]*edge{} // the cases of integers and pointers
	isInt := d.types.Kind(in.Ty) == ir.KInt || isPointer(d.types.At(in.Ty))
	for i := range in.Args {
		if err := d.operandType(in, i, in.Ty); err != nil {
			return nil, err
		}
		edges[i] = d.edge(&in.Dests[i])
		if i == 0 {
			continue
		}
		k := d.operand(in.Args[i])
		if k.reg >= 0 {
			return nil, fmt.Errorf("case %d is not a constant", i)
		}
		if _, dup := byInt[key{k.value.Lo, k.value.Hi}]; !dup && isInt {
			byInt[key{k.value.Lo, k.value.Hi}] = edges[i]
		}
	}
	x := d.operand(in.Args[0])
	if isInt {
		return func(_ *thread, f *frame) action {
			v := x.get(f)
			if e, ok := byInt[key{v.Lo, v.Hi}]; ok {
				return e.take(f, null)
			}
			return edges[0].take(f, null)
		}, nil
	}
	keys := d.allOperands(in.Args[1:])
	return func(_ *thread, f *frame) action {
		v := x.get(f)
		for i := range keys {
			if equal(v, keys[i].value) {
				return edges[i+1].take(f, null)
			}
		}
		return edges[0].take(f, null)
	}, nil
}

// calleeArgs checks the operands of a call against its signature and returns the
// callee and the arguments.
func (d *decoder) calleeArgs(in *ir.Inst, calleeKind ir.Kind) (callee operand, args []operand, sig *ir.Type, err error) {
	if d.types.Kind(in.Sig) != ir.KSig {
		return callee, nil, nil, fmt.Errorf("no signature")
	}
	sig = d.types.At(in.Sig)
	if len(in.Args) != len(sig.Fields)+1 {
		return callee, nil, nil, fmt.Errorf("%d arguments, want %d", len(in.Args)-1, len(sig.Fields))
	}
	if err := d.operandKind(in, 0, calleeKind); err != nil {
		return callee, nil, nil, err
	}
	for i, t := range sig.Fields {
		if err := d.operandType(in, i+1, t); err != nil {
			return callee, nil, nil, err
		}
	}
	return d.operand(in.Args[0]), d.allOperands(in.Args[1:]), sig, nil
}

// target finds the function that a call enters and its current code, nil if it is
// undefined. If v cannot be called, the action is not next.
func (t *thread) target(v Value, sig ir.TypeID) (*function, *code, action) {
	fn, ok := v.ref.(*function)
	if !ok {
		return nil, nil, t.fail(nullFunc, "")
	}
	if fn.fn.Sig != sig && !t.m.sameSignature(fn.fn.Sig, sig) {
		return nil, nil, t.failf(badSignature, "%s has the signature %s, not %s", fn.fn.Called(),
			t.m.types.Structure(fn.fn.Sig, 2), t.m.types.Structure(sig, 2))
	}
	if fn.code != nil {
		return fn, fn.code, next
	}
	c, err := fn.current()
	if err != nil {
		return nil, nil, t.m.abandon(err)
	}
	if c == nil && t.m.handler.fn == nil {
		return nil, nil, t.failf(undefinedFunction, "%s has no definition", fn.fn.Called())
	}
	return fn, c, next
}

func (m *machine) sameSignature(a, b ir.TypeID) bool {
	x, y := m.types.At(a), m.types.At(b)
	return m.sameClasses(x.Fields, y.Fields) && m.sameClasses(x.Results, y.Results)
}

func (d *decoder) call(in *ir.Inst) (step, error) {
	callee, args, sig, err := d.calleeArgs(in, ir.KFuncRef)
	if err != nil {
		return nil, err
	}
	if err := d.results(in, sig.Results...); err != nil {
		return nil, err
	}
	d.cur.waits = sig.Results
	id := in.Sig
	return func(t *thread, f *frame) action {
		fn, c, a := t.target(callee.get(f), id)
		if a != next {
			return a
		}
		if t.stack.depth >= t.m.cfg.StackLimit {
			return t.raise(f, null, true)
		}
		if c == nil {
			return t.enterUndefined(fn, getAll(args, f))
		}
		callee := c.newFrame()
		for i, r := range c.params {
			callee.regs[r] = args[i].get(f)
		}
		callee.pc = 0
		t.stack.push(callee)
		return enter
	}, nil
}

// enterUndefined pushes the frame of a function without version, which traps
// (docs/language.md, "Definitions").
func (t *thread) enterUndefined(fn *function, args []Value) action {
	t.stack.push(&frame{kind: undefinedFrame, pc: created, rare: &rareFrame{fn: fn}})
	return t.deliver(args)
}

func (d *decoder) tailCall(in *ir.Inst) (step, error) {
	callee, args, sig, err := d.calleeArgs(in, ir.KFuncRef)
	if err != nil {
		return nil, err
	}
	if !d.m.sameClasses(sig.Results, d.types.At(d.v.Func.Sig).Results) {
		return nil, fmt.Errorf("the results are not those of the function")
	}
	id := in.Sig
	return func(t *thread, f *frame) action {
		fn, c, a := t.target(callee.get(f), id)
		if a != next {
			return a
		}
		vals := getAll(args, f)
		t.stack.pop()
		if c == nil {
			return t.enterUndefined(fn, vals)
		}
		t.stack.push(c.newFrame())
		return t.deliver(vals)
	}, nil
}

func (d *decoder) ret(in *ir.Inst) (step, error) {
	sig := d.types.At(d.v.Func.Sig)
	if err := d.operands(in, sig.Results...); err != nil {
		return nil, err
	}
	if d.v.Func.Attrs&ir.NoReturn != 0 {
		return func(t *thread, _ *frame) action { return t.fail(trapped, "return from noreturn function") }, nil
	}
	vals := d.allOperands(in.Args)
	return func(t *thread, f *frame) action {
		parent := f.parent
		if parent == nil {
			return t.bottom(getAll(vals, f))
		}
		if parent.kind != muFrame || parent.pc == created {
			out := getAll(vals, f)
			t.stack.pop()
			return t.deliver(out)
		}
		call := &parent.code.ins[parent.pc]
		for i, r := range call.results {
			parent.regs[r] = vals[i].get(f)
		}
		t.stack.pop()
		if call.normal != nil {
			call.normal.take(parent, null)
		} else {
			parent.pc++
		}
		return enter
	}, nil
}

// getCookie is @uvm.native.get_cookie.
func (d *decoder) getCookie(in *ir.Inst) (step, error) {
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	to := d.result(in, 0)
	return func(_ *thread, f *frame) action {
		var cookie uint64
		if f.rare != nil {
			cookie = f.rare.cookie
		}
		f.regs[to] = Value{Lo: cookie}
		return next
	}, nil
}

// killDependency is the identity.
func (d *decoder) killDependency(in *ir.Inst) (step, error) {
	if err := d.operands(in, in.Ty); err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty); err != nil {
		return nil, err
	}
	x, to := d.operand(in.Args[0]), d.result(in, 0)
	return func(_ *thread, f *frame) action {
		f.regs[to] = x.get(f)
		return next
	}, nil
}
