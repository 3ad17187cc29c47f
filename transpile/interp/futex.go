package interp

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Futexes (docs/language.md, "Stacks and threads"). There is one queue for each memory
// location, whatever the type it is used with. All queues are kept as one list in the
// order of arrival, because waiters are few.

// waiter is a thread that waits at a location.
type waiter struct {
	thread   *thread
	at       location
	result   int // register for the result of the wait
	timed    bool
	deadline int64  // virtual nanoseconds
	sleep    func() // of a thread in a native function: called when the wait ends
}

// Results of a wait.
const (
	futexWoken    = 0
	futexNotEqual = -1
	futexTimeout  = -3
)

// nsPerInstruction is the virtual time of an instruction, in nanoseconds.
const nsPerInstruction = 50

// now is the virtual time since the start, in nanoseconds.
func (m *machine) now() int64 { return m.ticks*nsPerInstruction + m.skipped }

// wake ends a wait with a result.
func (m *machine) wake(w *waiter, result int64) {
	m.waiting = slices.DeleteFunc(m.waiting, func(x *waiter) bool { return x == w })
	if w.sleep != nil {
		w.sleep()
	} else {
		f := w.thread.stack.top
		f.regs[w.result] = Int64(result, 32)
		f.pc++
	}
	m.ready = append(m.ready, w.thread)
}

// wakeAt wakes up to n waiters at a location, in the order of arrival. It returns their number.
func (m *machine) wakeAt(l location, n int64) int64 {
	var woken int64
	for i := 0; i < len(m.waiting) && woken < n; {
		if w := m.waiting[i]; w.at == l {
			m.wake(w, futexWoken)
			woken++
			continue
		}
		i++
	}
	return woken
}

// expireTimeouts wakes the waiters whose deadline has passed, the earliest first.
func (m *machine) expireTimeouts() {
	for {
		w := m.earliest()
		if w == nil || w.deadline > m.now() {
			return
		}
		m.wake(w, futexTimeout)
	}
}

// waitForTimeout lets time jump to the next deadline. It reports whether there is one.
func (m *machine) waitForTimeout() bool {
	w := m.earliest()
	if w == nil {
		return false
	}
	m.skipped += max(0, w.deadline-m.now())
	return true
}

func (m *machine) earliest() *waiter {
	var first *waiter
	for _, w := range m.waiting {
		if w.timed && (first == nil || w.deadline < first.deadline) {
			first = w
		}
	}
	return first
}

// futexLocation checks the location operand of a futex instruction.
func (t *thread) futexLocation(v Value) (location, action) {
	u, ok := v.ref.(*unit)
	if !ok {
		return location{}, t.fail(futexError, "the location is NULL")
	}
	return location{u, v.Lo}, next
}

// futexType checks T and returns its shape.
func (d *decoder) futexType(in *ir.Inst) (*shape, error) {
	if t := d.types.At(in.Ty); t.Kind == ir.KInt {
		switch t.Bits {
		case 8, 16, 32, 64:
			return d.m.shapes.of(in.Ty), nil
		}
	}
	return nil, d.mistyped(in)
}

// futexEqual loads from a location and compares.
func (t *thread) futexEqual(l location, s *shape, want Value) (bool, action) {
	v, m := l.unit.load(s, l.off)
	if m.kind != noError {
		return false, t.misused(m)
	}
	return v.Lo == want.Lo, next
}

func (d *decoder) futexWait(in *ir.Inst) (step, error) {
	s, err := d.futexType(in)
	if err != nil {
		return nil, err
	}
	want := [][]ir.Kind{irefKind, intKind}
	timed := in.Op == ir.OpFutexWaitTimeout
	if timed {
		want = append(want, intKind)
	}
	if err := d.operandKinds(in, want...); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	args, to := d.allOperands(in.Args), d.result(in, 0)
	return func(t *thread, f *frame) action {
		l, a := t.futexLocation(args[0].get(f))
		if a != next {
			return a
		}
		equal, a := t.futexEqual(l, s, args[1].get(f))
		if a != next {
			return a
		}
		if !equal {
			f.regs[to] = Int64(futexNotEqual, 32)
			return next
		}
		w := &waiter{thread: t, at: l, result: to}
		if timed {
			ns := int64(args[2].lo(f)) // unsigned; 2^63 and more mean for ever
			if ns == 0 {
				f.regs[to] = Int64(futexTimeout, 32)
				return next
			}
			w.timed, w.deadline = ns > 0, t.m.now()+ns
			w.timed = w.timed && w.deadline > 0
		}
		t.m.waiting = append(t.m.waiting, w)
		t.m.unready(t)
		return yield
	}, nil
}

func (d *decoder) futexWake(in *ir.Inst) (step, error) {
	if _, err := d.futexType(in); err != nil {
		return nil, err
	}
	if err := d.operandKinds(in, irefKind, intKind); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	x, n, to := d.operand(in.Args[0]), d.operand(in.Args[1]), d.result(in, 0)
	return func(t *thread, f *frame) action {
		l, a := t.futexLocation(x.get(f))
		if a != next {
			return a
		}
		count := signed(n.lo(f), 32)
		if count < 0 {
			return t.fail(futexError, "the number of threads is negative")
		}
		f.regs[to] = Int64(t.m.wakeAt(l, count), 32)
		t.m.reschedule()
		return next
	}, nil
}

func (d *decoder) futexRequeue(in *ir.Inst) (step, error) {
	s, err := d.futexType(in)
	if err != nil {
		return nil, err
	}
	if err := d.operandKinds(in, irefKind, irefKind, intKind, intKind); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	args, to := d.allOperands(in.Args), d.result(in, 0)
	return func(t *thread, f *frame) action {
		src, a := t.futexLocation(args[0].get(f))
		if a != next {
			return a
		}
		dst, a := t.futexLocation(args[1].get(f))
		if a != next {
			return a
		}
		count := signed(args[3].lo(f), 32)
		if count < 0 {
			return t.fail(futexError, "the number of threads is negative")
		}
		equal, a := t.futexEqual(src, s, args[2].get(f))
		if a != next {
			return a
		}
		if !equal {
			f.regs[to] = Int64(futexNotEqual, 32)
			return next
		}
		f.regs[to] = Int64(t.m.wakeAt(src, count), 32)
		t.m.requeue(src, dst)
		t.m.reschedule()
		return next
	}, nil
}

// requeue moves the waiters at one location, in order, after those at another.
func (m *machine) requeue(src, dst location) {
	if src == dst {
		return
	}
	var stay, moved []*waiter
	for _, w := range m.waiting {
		if w.at == src {
			w.at = dst
			moved = append(moved, w)
		} else {
			stay = append(stay, w)
		}
	}
	m.waiting = append(stay, moved...)
}
