package interp

import (
	"cmp"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A thread is a Mu thread (docs/language.md, "Stacks and threads"). It is always bound to a stack,
// even while it waits on a futex or runs a trap handler.
type thread struct {
	m      *machine
	id     int
	stack  *stack
	local  Value                // the thread-local reference
	cells  map[*ir.Global]*unit // thread-local cells that were used
	caught caughtExc            // in programs with RETHROW
	again  bool                 // the exception being raised was caught before
	full   string               // where a stack was last exhausted, "" if none was
	pins   map[location]int
	ended  bool
	mark   uint32
}

func (m *machine) newThread() *thread {
	m.lastThread++
	t := &thread{m: m, id: m.lastThread, pins: map[location]int{}}
	return t
}

// unready removes a thread from the list of threads that can run.
func (m *machine) unready(t *thread) {
	if i := slices.Index(m.ready, t); i >= 0 {
		m.ready = slices.Delete(m.ready, i, i+1)
	}
}

// Budgets: the number of instructions that a thread runs before the scheduler
// chooses again. Turns are short, so that few instructions give many interleavings.
const (
	aloneBudget  = 1 << 16
	sharedBudget = 48
)

// run runs the program until all threads have ended or the program ends for another
// reason.
func (m *machine) run() {
	for !m.over {
		if m.cfg.MaxSteps > 0 && m.ticks > m.cfg.MaxSteps {
			m.abandon(ErrSteps)
			return
		}
		m.expireTimeouts()
		if len(m.ready) == 0 {
			if !m.waitForTimeout() {
				break
			}
			continue
		}
		t := m.ready[0]
		budget := aloneBudget
		if len(m.ready) > 1 {
			t = m.ready[m.random.IntN(len(m.ready))]
			budget = 1 + m.random.IntN(sharedBudget)
		}
		m.budget = budget
		m.running = t
		t.run()
		m.ticks += int64(budget - m.budget)
	}
	if !m.over && len(m.waiting) > 0 {
		first := slices.MinFunc(m.waiting, func(a, b *waiter) int { return cmp.Compare(a.thread.id, b.thread.id) })
		first.thread.fail(deadlock, "all threads wait on futexes without a timeout")
	}
}

// run executes instructions of a thread until the budget is used up, the
// thread cannot continue, or the program has ended.
func (t *thread) run() {
	m, f := t.m, t.stack.top
	ins := f.code.ins
	for m.budget > 0 {
		m.budget--
		switch ins[f.pc].run(t, f) {
		case next:
			f.pc++
		case jump:
		case enter:
			f = t.stack.top
			ins = f.code.ins
		case yield, stop:
			return
		}
	}
}

// reschedule makes the scheduler choose again after the current instruction.
func (m *machine) reschedule() {
	m.ticks -= int64(m.budget) // run counts the whole budget as used
	m.budget = 0
}

func (d *decoder) newThread(in *ir.Inst) (step, error) {
	if err := d.operandKind(in, 0, stackKind...); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	at := 1
	var local operand
	if in.Has(ir.FlagThreadLocal) {
		if err := d.operandKind(in, 1, ir.KRef); err != nil {
			return nil, err
		}
		local = d.operand(in.Args[1])
		at = 2
	} else {
		local.reg = -1
	}
	clause, err := d.newStackPassing(in, at)
	if err != nil {
		return nil, err
	}
	s, to := d.operand(in.Args[0]), d.result(in, 0)
	return func(t *thread, f *frame) action {
		p := clause(f)
		target, m := t.m.binding(s.get(f), p)
		if m.kind != noError {
			return t.misused(m)
		}
		nt := t.m.newThread()
		nt.local = local.get(f)
		f.regs[to] = Value{ref: nt}
		t.m.ready = append(t.m.ready, nt)
		if nt.bind(target, p) == stop {
			return stop
		}
		t.m.reschedule()
		return next
	}, nil
}

func (d *decoder) threadExit(in *ir.Inst) (step, error) {
	return func(t *thread, _ *frame) action { return t.end() }, nil
}

func (d *decoder) threadLocal(in *ir.Inst) (step, error) {
	if in.Op == ir.OpSetThreadLocal {
		if err := d.operandKinds(in, refKind); err != nil {
			return nil, err
		}
		x := d.operand(in.Args[0])
		return func(t *thread, f *frame) action {
			t.local = x.get(f)
			return next
		}, nil
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	to := d.result(in, 0)
	return func(t *thread, f *frame) action {
		f.regs[to] = t.local
		return next
	}, nil
}
