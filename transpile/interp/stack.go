package interp

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// frameKind says what a frame belongs to.
type frameKind uint8

const (
	muFrame        frameKind = iota
	undefinedFrame           // a function without version (docs/language.md, "Definitions")
	nativeFrame              // a native function that has called back
)

// created is the pc of a frame that has not started.
const created = -1

// A frame is one activation. Only frames of the zero kind, that of Mu functions,
// execute; the others only wait.
type frame struct {
	kind   frameKind
	pc     int // the instruction that runs or waits; created
	code   *code
	regs   []Value
	parent *frame // towards the bottom
	rare   *rareFrame
}

// rareFrame has the data that few frames need.
type rareFrame struct {
	cells  []*unit // alloca cells, which die with the frame
	cookie uint64
	fn     *function   // undefinedFrame
	args   []Value     // undefinedFrame, or bound: the arguments
	asks   bool        // undefinedFrame: the instruction of the frame below must be executed again, see defined
	bound  bool        // the frame has its arguments, see newStackWith
	waits  []ir.TypeID // nativeFrame: the results of the function that it called
	native *nativeCall // nativeFrame: the call that takes them; nil if they are the results of the CCALL
}

func (f *frame) extra() *rareFrame {
	if f.rare == nil {
		f.rare = new(rareFrame)
	}
	return f.rare
}

// keptFrames is the number of frames of a version that are kept for reuse.
const keptFrames = 256

func (c *code) newFrame() *frame {
	if n := len(c.free); n > 0 {
		f := c.free[n-1]
		c.free = c.free[:n-1]
		return f
	}
	return &frame{code: c, regs: make([]Value, c.regs), pc: created}
}

// release frees a frame that is not on a stack any more.
func (f *frame) release() {
	if f.rare != nil {
		for _, u := range f.rare.cells {
			u.dead = true
		}
		f.rare = nil
	}
	f.parent = nil
	if f.kind == muFrame && len(f.code.free) < keptFrames {
		clear(f.regs) // a free frame must not hold references
		f.pc = created
		f.code.free = append(f.code.free, f)
	}
}

// weight is the weight of the frame for the limit of its stack: 1, or more if it holds large values.
func (f *frame) weight() int {
	if f.kind == muFrame {
		return f.code.weight
	}
	return 1
}

// name is the name of the frame's function, for reports.
func (f *frame) name() string {
	switch f.kind {
	case muFrame:
		return f.code.v.Func.Called()
	case undefinedFrame:
		return f.rare.fn.fn.Called()
	}
	return "native code"
}

// pos is the current position in the frame's function, for reports.
func (f *frame) pos() (pos diag.Pos) {
	if f.kind == muFrame && f.pc >= 0 && f.pc < len(f.code.ins) {
		return f.code.ins[f.pc].src.Pos
	}
	return
}

// waits are the types Ts of a frame in state READY<Ts> (docs/language.md, "Stacks and threads").
func (f *frame) waits() []ir.TypeID {
	switch {
	case f.pc == created && f.rare != nil && f.rare.bound:
		return nil
	case f.kind == nativeFrame:
		return f.rare.waits
	case f.kind == undefinedFrame && f.pc == created:
		return f.rare.fn.sig().Fields
	case f.kind == undefinedFrame:
		return nil
	case f.pc == created:
		return f.code.fn.sig().Fields
	}
	return f.code.ins[f.pc].waits
}

type stackStatus uint8

const (
	readyStack stackStatus = iota
	activeStack
	deadStack
)

var stackStatusNames = [...]string{"READY", "ACTIVE", "DEAD"}

// A stack is a Mu stack (docs/language.md, "Stacks and threads").
type stack struct {
	state   stackStatus
	top     *frame
	depth   int       // the sum of the weights of its frames
	cursors []*cursor // open ones
	entry   bool      // the results of its bottom frame are the results of the program
	errno   *unit     // of the native code on it; nil until first used
	mark    uint32
	live    *uint64 // counts it until it is DEAD, see heap
}

func (s *stack) push(f *frame) {
	f.parent = s.top
	s.top = f
	s.depth += f.weight()
}

// pop removes the top frame and returns the new top.
func (s *stack) pop() *frame {
	f := s.top
	s.top = f.parent
	s.depth -= f.weight()
	f.release()
	return s.top
}

// kill makes the stack DEAD; no code runs.
func (s *stack) kill() {
	if s.state != deadStack {
		*s.live--
	}
	s.state = deadStack
	for s.top != nil {
		s.pop()
	}
}

// newFrameFor makes a frame for the current version of a function, or for the
// lack of one.
func (m *machine) newFrameFor(fn *function) (*frame, error) {
	c, err := fn.current()
	if err != nil {
		return nil, err
	}
	if c == nil {
		return &frame{kind: undefinedFrame, pc: created, rare: &rareFrame{fn: fn}}, nil
	}
	return c.newFrame(), nil
}

func (m *machine) newStackFor(fn *function) (*stack, error) {
	f, err := m.newFrameFor(fn)
	if err != nil {
		return nil, err
	}
	m.heap.stacks++
	s := &stack{live: &m.heap.stacks}
	s.push(f)
	return s, nil
}

// newStack makes a stack if the limit allows one more; else the current instruction continues
// exceptionally.
func (t *thread) newStack(fn *function) (*stack, action) {
	if most := max(t.m.cfg.HeapLimit/stackShare, leastStacks); t.m.heap.stacks >= most {
		if t.m.collect(); t.m.heap.stacks >= most {
			return nil, t.exceptional(t.stack.top, noResource, fmt.Sprintf("there are %d stacks, the most for this UVM_HEAP", most))
		}
	}
	s, err := t.m.newStackFor(fn)
	if err != nil {
		return nil, t.m.abandon(err)
	}
	return s, next
}

// passing is what a binding passes to the stack: values, or an exception.
type passing struct {
	vals  []Value
	types []ir.TypeID
	throw bool
	exc   Value
}

// binding checks whether a stack can be bound (docs/language.md, "Stacks and threads").
func (m *machine) binding(v Value, p *passing) (*stack, misuse) {
	s, ok := v.ref.(*stack)
	if !ok {
		return nil, misuse{stackState, "the stack is NULL"}
	}
	if s.state != readyStack {
		return nil, misuse{stackState, "the stack is " + stackStatusNames[s.state]}
	}
	if len(s.cursors) > 0 {
		return nil, misuse{cursorError, "the stack has open frame cursors"}
	}
	if !p.throw {
		if w := s.top.waits(); !m.sameClasses(w, p.types) {
			return nil, misuse{stackTypes, fmt.Sprintf("the stack waits for (%s), the values are (%s)", m.typeList(w), m.typeList(p.types))}
		}
	}
	return s, misuse{}
}

func (m *machine) typeList(ts []ir.TypeID) string {
	s := ""
	for i, t := range ts {
		if i > 0 {
			s += " "
		}
		s += m.className(t)
	}
	return s
}

// className is the machine class of a type in messages.
func (m *machine) className(id ir.TypeID) string {
	t := m.types.At(id)
	switch t.Kind {
	case ir.KInt:
		return fmt.Sprintf("int<%d>", t.Bits)
	case ir.KFloat:
		return "float"
	case ir.KDouble:
		return "double"
	case ir.KUPtr, ir.KUFuncPtr:
		return "uptr"
	case ir.KFuncRef:
		return "funcref"
	case ir.KTagRef64:
		return "tagref64"
	case ir.KStruct:
		return "{" + m.typeList(t.Fields) + "}"
	case ir.KArray, ir.KVector:
		return fmt.Sprintf("[%d %s]", t.Len, m.className(t.Elem))
	}
	return "ref"
}

// bind binds a READY stack to the thread and resumes its top frame.
func (t *thread) bind(s *stack, p *passing) action {
	s.state = activeStack
	t.stack = s
	if p.throw {
		return t.raise(s.top, p.exc, false)
	}
	return t.deliver(p.vals)
}

// deliver resumes the top frame of the thread's stack with values of the types that it
// waits for.
func (t *thread) deliver(vals []Value) action {
	for {
		f := t.stack.top
		if f.pc == created && f.rare != nil && f.rare.bound {
			vals, f.rare.args, f.rare.bound = f.rare.args, nil, false
		}
		switch {
		case f.kind == nativeFrame:
			// The callback has ended; the native function continues, or returns the results.
			if c := f.rare.native; c != nil {
				return c.step(c.then(vals[0]))
			}
			t.stack.pop()
			continue
		case f.kind == undefinedFrame && f.pc == created:
			f.rare.args = vals
			f.pc = 0
			return t.trapped(0)
		case f.kind == undefinedFrame:
			// The hidden trap has returned: repeat the call.
			fn, args, asks := f.rare.fn, f.rare.args, f.rare.asks
			t.stack.pop()
			if asks {
				return enter
			}
			again, err := t.m.newFrameFor(fn)
			if err != nil {
				return t.m.abandon(err)
			}
			t.stack.push(again)
			vals = args
			continue
		case f.pc == created:
			for i, r := range f.code.params {
				f.regs[r] = vals[i]
			}
			f.pc = 0
			return enter
		}
		in := &f.code.ins[f.pc]
		for i, r := range in.results {
			f.regs[r] = vals[i]
		}
		if in.normal != nil {
			in.normal.take(f, null)
		} else {
			f.pc++
		}
		return enter
	}
}

// bottom ends a thread whose bottom frame has returned (docs/language.md, "Decisions"). The
// first stack continues with its next call.
func (t *thread) bottom(vals []Value) action {
	m := t.m
	if !t.stack.entry {
		return t.end()
	}
	if m.calls[0].entry {
		m.results, m.returned = vals, true
		if m.cfg.Returned != nil {
			m.cfg.Returned(vals)
		}
	}
	m.calls = m.calls[1:]
	if len(m.calls) == 0 {
		return t.end()
	}
	f, err := m.newFrameFor(m.calls[0].fn)
	if err != nil {
		return m.abandon(err)
	}
	t.stack.pop()
	t.stack.push(f)
	return t.deliver(m.calls[0].args)
}

// end ends the thread and kills its stack.
func (t *thread) end() action {
	t.stack.kill()
	t.dropAllPins()
	t.ended = true
	t.m.unready(t)
	return yield
}

// newStackPassing decodes the newStack clause: operands from at on.
func (d *decoder) newStackPassing(in *ir.Inst, at int) (func(f *frame) *passing, error) {
	args := d.allOperands(in.Args[at:])
	if in.Has(ir.FlagThrowExc) {
		if len(args) != 1 {
			return nil, fmt.Errorf("THROW_EXC with %d exceptions", len(args))
		}
		return func(f *frame) *passing { return &passing{throw: true, exc: args[0].get(f)} }, nil
	}
	types := d.typesOf(in.Args[at:])
	return func(f *frame) *passing { return &passing{vals: getAll(args, f), types: types} }, nil
}

func (d *decoder) swapStack(in *ir.Inst) (step, error) {
	if err := d.operandKind(in, 0, stackKind...); err != nil {
		return nil, err
	}
	clause, err := d.newStackPassing(in, 1)
	if err != nil {
		return nil, err
	}
	s := d.operand(in.Args[0])
	if in.Has(ir.FlagKillOld) {
		return func(t *thread, f *frame) action {
			p := clause(f)
			target, m := t.m.binding(s.get(f), p)
			if m.kind != noError {
				return t.misused(m)
			}
			t.stack.kill()
			return t.bind(target, p)
		}, nil
	}
	if err := d.results(in, in.Types...); err != nil {
		return nil, err
	}
	return func(t *thread, f *frame) action {
		p, v := clause(f), s.get(f)
		old := t.stack
		old.state = readyStack // so that a stack can swap to itself
		target, m := t.m.binding(v, p)
		if m.kind != noError {
			old.state = activeStack
			return t.misused(m)
		}
		return t.bind(target, p)
	}, nil
}

func (d *decoder) newStack(in *ir.Inst) (step, error) {
	return d.apply(in, funcKind, func(t *thread, f Value) (Value, action) {
		fn, ok := f.ref.(*function)
		if !ok {
			return null, t.fail(nullFunc, "new_stack of NULL")
		}
		s, a := t.newStack(fn)
		return Value{ref: s}, a
	})
}

func (d *decoder) killStack(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, stackKind); err != nil {
		return nil, err
	}
	x := d.operand(in.Args[0])
	return func(t *thread, fr *frame) action {
		s, m := t.m.binding(x.get(fr), &passing{throw: true}) // like a binding, but whatever types it waits for
		if m.kind != noError {
			return t.misused(m)
		}
		s.kill()
		return next
	}, nil
}

func (d *decoder) currentStack(in *ir.Inst) (step, error) {
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	to := d.result(in, 0)
	return func(t *thread, fr *frame) action {
		fr.regs[to] = Value{ref: t.stack}
		return next
	}, nil
}
