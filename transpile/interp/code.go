package interp

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// action is what the thread's loop does after a step.
type action uint8

const (
	next  action = iota // continue with the next instruction of the frame
	jump                // the pc of the frame has been set
	enter               // another frame is on top of the thread's stack, or another stack bound
	yield               // like enter, and the scheduler chooses again
	stop                // the program has ended
)

// step executes one instruction in the top frame of a thread's stack.
type step func(t *thread, f *frame) action

// code is a version in decoded form.
type code struct {
	fn     *function
	v      *ir.Version
	ins    []instr // block after block
	regs   int     // registers of a frame
	params []int   // registers of the entry block's parameters
	shared int     // the registers below it are shared by blocks
	reg    []int   // by ValueID
	after  []regs  // by block: the shared registers that are read after it; nil if not known yet
	free   []*frame
	weight int // of a frame, see frame.weight
}

// instr is an instruction in decoded form.
type instr struct {
	run step
	src *ir.Inst
	id  ir.InstID
	// results are the registers of the results.
	results []int
	// normal is the edge taken when values arrive while the frame waits here; nil
	// for the next instruction. exc is the edge taken by an exception; nil if the
	// exception leaves the frame.
	normal, exc *edge
	// waits are the types that the frame waits for here, if it ever waits.
	waits []ir.TypeID
	keep  []operand
	alive []int // see code.live
}

// operand is a register, or a constant if reg is negative.
type operand struct {
	reg   int
	value Value
}

func (o *operand) get(f *frame) Value {
	if o.reg >= 0 {
		return f.regs[o.reg]
	}
	return o.value
}

// lo is get(f).Lo, for values of one word.
func (o *operand) lo(f *frame) uint64 {
	if o.reg >= 0 {
		return f.regs[o.reg].Lo
	}
	return o.value.Lo
}

func getAll(ops []operand, f *frame) []Value {
	if len(ops) == 0 {
		return nil
	}
	vals := make([]Value, len(ops))
	for i := range ops {
		vals[i] = ops[i].get(f)
	}
	return vals
}

// edge leads to another block, with the arguments for its parameters.
type edge struct {
	pc   int
	from []operand
	to   []int
	// exc is the register of the exception parameter, or -1.
	exc int
	// parallel means that a register is written before it is read, so that the
	// values must be fetched first.
	parallel bool
}

// take jumps to the block; exc becomes its exception parameter, if it has one.
func (e *edge) take(f *frame, exc Value) action {
	if e.parallel {
		var few [8]Value
		vals := few[:0]
		for i := range e.from {
			vals = append(vals, e.from[i].get(f))
		}
		for i, r := range e.to {
			f.regs[r] = vals[i]
		}
	} else {
		for i, r := range e.to {
			f.regs[r] = e.from[i].get(f)
		}
	}
	if e.exc >= 0 {
		f.regs[e.exc] = exc
	}
	f.pc = e.pc
	return jump
}

// findHazard sets parallel.
func (e *edge) findHazard() {
	written := map[int]bool{}
	for i := range e.from {
		if written[e.from[i].reg] {
			e.parallel = true
			return
		}
		written[e.to[i]] = true
	}
}

// exceptional continues at the exceptional destination of the current instruction
// with NULL (docs/language.md, "Functions"), or fails if it has none.
func (t *thread) exceptional(f *frame, k kind, detail string) action {
	if e := f.code.ins[f.pc].exc; e != nil {
		return e.take(f, null)
	}
	return t.fail(k, detail)
}

// function is the run-time side of an ir.Function: what a funcref refers to.
type function struct {
	m    *machine
	fn   *ir.Function
	impl *ir.Function // the implementation in a loaded later bundle, nil if there is none
	code *code
	err  error // the reason why its current version cannot run
}

// current returns the code of the current version, decoded at the first use;
// nil if the function is undefined.
func (fn *function) current() (*code, error) {
	if fn.code != nil || fn.err != nil {
		return fn.code, fn.err
	}
	def := fn.fn
	if fn.impl != nil {
		def = fn.impl
	}
	v := def.Current()
	if v == nil {
		return nil, nil
	}
	fn.code, fn.err = decode(fn.m, fn, v)
	if fn.err != nil {
		fn.err = fmt.Errorf("invalid program: %s: %w", v.Name, fn.err)
	}
	return fn.code, fn.err
}

func (fn *function) sig() *ir.Type { return fn.m.types.At(fn.fn.Sig) }

// eachUse calls f for every value that an instruction reads.
func eachUse(in *ir.Inst, f func(ir.ValueID)) {
	each := func(ids []ir.ValueID) {
		for _, id := range ids {
			f(id)
		}
	}
	each(in.Args)
	each(in.Keep)
	for i := range in.Dests {
		each(in.Dests[i].Args)
	}
}
