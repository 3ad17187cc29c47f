package interp

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Frame cursors and on-stack replacement (docs/internals.md, "Introspection").

// A cursor points to a frame of a READY stack.
type cursor struct {
	stack  *stack
	frame  *frame
	closed bool
	mark   uint32
}

// readyFor checks the stack operand of an introspecting instruction.
func (t *thread) readyFor(v Value) (*stack, action) {
	s, ok := v.ref.(*stack)
	if !ok {
		return nil, t.fail(stackState, "the stack is NULL")
	}
	if s.state != readyStack {
		return nil, t.failf(stackState, "the stack is %s", stackStatusNames[s.state])
	}
	return s, next
}

// open checks a cursor operand.
func (t *thread) open(v Value) (*cursor, action) {
	c, ok := v.ref.(*cursor)
	switch {
	case !ok:
		return nil, t.fail(cursorError, "the cursor is NULL")
	case c.closed:
		return nil, t.fail(cursorError, "the cursor is closed")
	}
	return c, next
}

func (d *decoder) newCursor(in *ir.Inst) (step, error) {
	return d.apply(in, stackKind, func(t *thread, x Value) (Value, action) {
		s, a := t.readyFor(x)
		if a != next {
			return null, a
		}
		return Value{ref: s.openCursor(s.top)}, next
	})
}

func (s *stack) openCursor(f *frame) *cursor {
	c := &cursor{stack: s, frame: f}
	s.cursors = append(s.cursors, c)
	return c
}

func (s *stack) closeCursor(c *cursor) {
	c.closed = true
	for i, x := range s.cursors {
		if x == c {
			s.cursors = append(s.cursors[:i:i], s.cursors[i+1:]...)
			return
		}
	}
}

// cursorOp is next_frame, close_cursor and pop_frames_to.
func (d *decoder) cursorOp(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, cursorKind); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 0); err != nil {
		return nil, err
	}
	x, op := d.operand(in.Args[0]), in.Op
	return func(t *thread, f *frame) action {
		c, a := t.open(x.get(f))
		if a != next {
			return a
		}
		switch op {
		case ir.OpMetaCloseCursor:
			c.stack.closeCursor(c)
		case ir.OpMetaNextFrame:
			if c.frame.parent == nil {
				return t.fail(cursorError, "the cursor is at the bottom frame")
			}
			c.frame = c.frame.parent
		default:
			return t.popFramesTo(c)
		}
		return next
	}, nil
}

// popFramesTo removes the frames above a cursor's.
func (t *thread) popFramesTo(c *cursor) action {
	for f := c.stack.top; f != c.frame; f = f.parent {
		if f.kind == nativeFrame {
			return t.fail(native, "a native frame cannot be popped")
		}
		for _, o := range c.stack.cursors {
			if o != c && o.frame == f {
				return t.fail(cursorError, "another cursor is open on a frame to pop")
			}
		}
	}
	for c.stack.top != c.frame {
		c.stack.pop()
	}
	return next
}

func (d *decoder) copyCursor(in *ir.Inst) (step, error) {
	return d.apply(in, cursorKind, func(t *thread, x Value) (Value, action) {
		c, a := t.open(x)
		if a != next {
			return null, a
		}
		return Value{ref: c.stack.openCursor(c.frame)}, next
	})
}

// cursorID is cur_func, cur_func_ver and cur_inst.
func (d *decoder) cursorID(in *ir.Inst) (step, error) {
	op := in.Op
	return d.apply(in, cursorKind, func(t *thread, x Value) (Value, action) {
		c, a := t.open(x)
		if a != next {
			return null, a
		}
		fn, version, inst := c.frame.ids()
		id := fn
		switch op {
		case ir.OpMetaCurFuncVer:
			id = version
		case ir.OpMetaCurInst:
			id = inst
		}
		return Value{Lo: uint64(id)}, next
	})
}

// ids are the entity ids of a frame's function, version and instruction; 0
// where there is none.
func (f *frame) ids() (fn, version, inst uint32) {
	switch f.kind {
	case undefinedFrame:
		return f.rare.fn.fn.ID, 0, 0
	case nativeFrame:
		return 0, 0, 0
	}
	if f.pc != created {
		inst = f.code.ins[f.pc].src.ID
	}
	return f.code.v.Func.ID, f.code.v.ID, inst
}

// dumpKeepalives makes an object of each keep-alive variable and an object of
// references to them.
func (d *decoder) dumpKeepalives(in *ir.Inst) (step, error) {
	x, to, err := d.unary(in, cursorKind)
	if err != nil {
		return nil, err
	}
	return func(t *thread, f *frame) action {
		c, a := t.open(x.get(f))
		if a != next {
			return a
		}
		if c.frame.kind == nativeFrame {
			return t.fail(native, "a native frame has no keep-alive variables")
		}
		vals, types := c.frame.keepalives()
		objects := make([]Value, len(vals))
		for i := range vals {
			u, why := t.m.allocate(heapUnit, t.m.shapes.of(types[i]), 0)
			if u == nil {
				return t.fail(outOfMemory, why)
			}
			u.write(u.shape, 0, vals[i])
			objects[i] = Value{ref: u}
			t.m.handles = append(t.m.handles, objects[i]) // keeps it alive while the others are made
		}
		list, why := t.m.newRefs(objects)
		t.m.handles = t.m.handles[:0]
		if list == nil {
			return t.fail(outOfMemory, why)
		}
		f.regs[to] = Value{ref: list}
		return next
	}, nil
}

// keepalives are the values that introspection sees in a frame.
func (f *frame) keepalives() ([]Value, []ir.TypeID) {
	switch {
	case f.kind == undefinedFrame && f.pc != created:
		return f.rare.args, f.rare.fn.sig().Fields
	case f.kind != muFrame || f.pc == created:
		return nil, nil
	}
	in := &f.code.ins[f.pc]
	types := make([]ir.TypeID, len(in.keep))
	for i, k := range in.src.Keep {
		types[i] = f.code.v.Values[k].Type
	}
	return getAll(in.keep, f), types
}

func (d *decoder) pushFrame(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, stackKind, funcKind); err != nil {
		return nil, err
	}
	s, fn, sig := d.operand(in.Args[0]), d.operand(in.Args[1]), in.Sig
	return func(t *thread, f *frame) action {
		st, a := t.readyFor(s.get(f))
		if a != next {
			return a
		}
		callee, ok := fn.get(f).ref.(*function)
		if !ok {
			return t.fail(nullFunc, "push_frame of NULL")
		}
		if sig != ir.NoType && !t.m.sameSignature(callee.fn.Sig, sig) {
			return t.failf(badSignature, "%s has another signature", callee.fn.Called())
		}
		if want := st.top.waits(); !t.m.sameClasses(callee.sig().Results, want) {
			return t.failf(stackTypes, "%s returns (%s), the stack waits for (%s)", callee.fn.Called(),
				t.m.typeList(callee.sig().Results), t.m.typeList(want))
		}
		nf, err := t.m.newFrameFor(callee)
		if err != nil {
			return t.m.abandon(err)
		}
		st.push(nf)
		return next
	}, nil
}
