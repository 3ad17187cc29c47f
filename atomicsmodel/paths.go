package atomicsmodel

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/uvm2go/uvm2go/atomicsmodel/internal/choose"
)

// A mask is a set of events of a path, by index.
type mask uint64

const maxEvents = 64

func (m mask) has(e int) bool { return m>>e&1 != 0 }
func (m *mask) add(e int)     { *m |= 1 << e }

// each calls f with the events of the set, in order.
func (m mask) each(f func(e int)) {
	for m != 0 {
		f(bits.TrailingZeros64(uint64(m)))
		m &= m - 1
	}
}

// An event is the effect of a statement (docs/memory-model.md), or a part of it.
type event struct {
	thread int   // -1: initial store
	stmt   *Stmt // nil: initial store, start of a thread
	note   string
	loc    int // location of a memory event, or -1
	read   bool
	write  bool
	fence  bool
	ord    Order
	stack  int // stack that is bound or unbound, or -1
	// The stored value: value, or op(read, value) for read-modify-write.
	value Operand
	rmw   bool // the value read is combined with value
}

func (e *event) memory() bool  { return e.loc >= 0 }
func (e *event) atomic() bool  { return e.ord != NotAtomic }
func (e *event) initial() bool { return e.thread < 0 }

// A source describes the value of a register on a path.
type source struct {
	event int   // event whose read value it is, or -1
	n     int64 // otherwise the value is this number
	dd    mask  // events it depends on directly
	ctrl  mask  // events that decide a condition on it
}

// A check is a condition on the values under which a path is taken.
type check struct {
	want  bool
	conds []Cond  // all hold ...
	event int     // ... or, if conds is nil, what this event read is value
	value Operand // number or register
}

// A sleep is a futex wait that is woken.
type sleep struct {
	wait  int // the read
	woken int // first event after it
	loc   int
}

// A waker is a futex wake or a successful cmp_requeue.
type waker struct {
	event   int
	loc     int
	n       int64
	requeue int // location that the other waiters move to, or -1
}

// A path is a test with its conditions decided: the events of all threads, and
// the facts about them that do not depend on which store each read reads from.
type path struct {
	test   *Test
	events []event
	locs   []string // names by number
	stacks []string
	init   []int64 // initial value by location
	regs   map[string]source
	checks []check

	sb     []mask // sequenced after, by event
	dd     []mask // events that depend directly on it
	ctrl   []mask // events executed on a condition that it decides
	stored []mask // by write: events whose value it stores
	sw     []mask // synchronises with, as far as the path determines it

	writes [][]int // by location, initial store first
	reads  []int
	sleeps []sleep
	wakers []waker
}

// A builder makes a path.
type builder struct {
	*path
	c       *choose.Chooser
	locOf   map[string]int
	stackOf map[string]int
	decided map[string]bool // conditions by text
	post    map[string]mask
	await   map[string]mask

	thread  int
	first   int  // first event of the thread
	stack   int  // stack that the thread is bound to
	pending mask // events that decided the conditions of the statement
	dep     mask // events that the statement depends on
	queue   []int
	err     error
}

// buildPath runs the test once with the choices of c. It returns nil if the
// choices contradict one another.
func buildPath(t *Test, c *choose.Chooser) (*path, error) {
	b := &builder{
		path: &path{test: t, regs: map[string]source{}},
		c:    c, locOf: map[string]int{}, stackOf: map[string]int{},
		decided: map[string]bool{}, post: map[string]mask{}, await: map[string]mask{},
	}
	values := map[string]int64{}
	for _, i := range t.Init {
		values[i.Name] = i.Value
	}
	// Initial stores come first, so they need all locations beforehand.
	for _, l := range t.locations {
		b.location(l, values[l])
	}
	created := map[string]bool{}
	for i := range t.Threads {
		for j := range t.Threads[i].Code {
			s := &t.Threads[i].Code[j]
			switch s.Op {
			case OpCreate:
				created[s.Names[0]] = true
			case OpEnable, OpDisable, OpWatchpoint, OpWPBranch:
				b.location(watchpointName(s), 0)
			case OpDefine, OpCall:
				b.location(functionName(s), 0)
			}
		}
	}
	for i := range t.Threads {
		if !created[t.Threads[i].Name] {
			b.queue = append(b.queue, i)
		}
	}
	ok := true
	for i := 0; i < len(b.queue) && ok; i++ {
		b.thread, b.first = b.queue[i], len(b.events)
		name := t.Threads[b.thread].Name
		b.stack = b.stackNumber("of thread " + name)
		if created[name] {
			start := b.add(event{note: "start"})
			for e := range start {
				if s := b.events[e].stmt; s != nil && s.Op == OpCreate && s.Names[0] == name {
					b.sw[e].add(start)
				}
			}
		}
		for j := range t.Threads[b.thread].Code {
			if ok = b.statement(&t.Threads[b.thread].Code[j]); !ok {
				break
			}
		}
		if len(b.events) > maxEvents {
			return nil, fmt.Errorf("%s: more than %d events", t.Name, maxEvents)
		}
	}
	if !ok {
		return nil, b.err
	}
	for name, m := range b.await {
		if b.post[name] == 0 {
			return nil, nil
		}
		b.post[name].each(func(e int) { b.sw[e] |= m &^ b.sb[e] }) // a post by the thread itself adds nothing to sb
	}
	return b.path, nil
}

func watchpointName(s *Stmt) string { return "watchpoint " + s.Names[0] }
func functionName(s *Stmt) string   { return "function " + s.Names[0] }

func (b *builder) location(name string, init int64) {
	if _, known := b.locOf[name]; known {
		return
	}
	l := len(b.locs)
	b.locOf[name] = l
	b.locs, b.init = append(b.locs, name), append(b.init, init)
	e := event{thread: -1, loc: l, stack: -1, write: true, ord: Relaxed, value: Operand{N: init}, note: "initial"}
	b.events = append(b.events, e)
	b.grow()
	b.writes = append(b.writes, []int{len(b.events) - 1})
}

func (b *builder) grow() {
	b.sb, b.dd, b.ctrl = append(b.sb, 0), append(b.dd, 0), append(b.ctrl, 0)
	b.stored, b.sw = append(b.stored, 0), append(b.sw, 0)
}

func (b *builder) stackNumber(name string) int {
	n, known := b.stackOf[name]
	if !known {
		n = len(b.stacks)
		b.stackOf[name] = n
		b.stacks = append(b.stacks, name)
	}
	return n
}

// add adds an event of the thread that is not an access.
func (b *builder) add(e event) int {
	e.loc, e.stack = -1, -1
	return b.put(e)
}

// bind adds an event that binds or unbinds a stack.
func (b *builder) bind(s *Stmt, stack int, note string) {
	b.put(event{stmt: s, loc: -1, stack: stack, note: note})
}

// put adds an event to the thread.
func (b *builder) put(e event) int {
	n := len(b.events)
	if n >= maxEvents { // reported by the caller
		b.events = append(b.events, e)
		b.grow()
		return n
	}
	e.thread = b.thread
	b.events = append(b.events, e)
	b.grow()
	for i := b.first; i < n; i++ {
		b.sb[i].add(n)
	}
	b.dep.each(func(a int) { b.dd[a].add(n) })
	b.pending.each(func(a int) { b.ctrl[a].add(n) })
	if e.memory() && e.read {
		b.reads = append(b.reads, n)
	}
	if e.memory() && e.write {
		b.writes[e.loc] = append(b.writes[e.loc], n)
		if e.value.Reg != "" {
			b.stored[n] = b.regs[e.value.Reg].dd
		}
	}
	return n
}

// decide chooses whether the conditions of a statement hold.
func (b *builder) decide(s *Stmt) bool {
	if len(s.If) == 0 {
		return true
	}
	var key strings.Builder
	known, holds := true, true
	for _, c := range s.If {
		r, executed := b.regs[c.Name]
		if !executed {
			return false
		}
		b.pending |= r.ctrl
		if r.event >= 0 {
			known = false
		} else if !c.holds(r.n) {
			holds = false
		}
		key.WriteString(c.String() + " ")
	}
	if known || !holds {
		return holds
	}
	want, old := b.decided[key.String()]
	if !old {
		want = b.c.Choose(2) == 1
		b.decided[key.String()] = want
		b.checks = append(b.checks, check{want: want, conds: s.If, event: -1})
	}
	return want
}

// readIs requires that an event reads v, or that it does not.
func (b *builder) readIs(e int, v Operand, want bool) {
	b.checks = append(b.checks, check{want: want, event: e, value: v})
}

// result assigns the value that event e read to the register of a statement.
func (b *builder) result(s *Stmt, e int) {
	if s.Reg != "" {
		b.regs[s.Reg] = source{event: e, dd: 1 << e, ctrl: 1 << e}
	}
}

// number assigns a number that event e decided to the register.
func (b *builder) number(s *Stmt, e int, n int64) {
	if s.Reg != "" {
		b.regs[s.Reg] = source{event: -1, n: n, dd: 1 << e, ctrl: 1 << e}
	}
}

// statement adds the events of a statement; it returns false if the path is impossible.
func (b *builder) statement(s *Stmt) bool {
	b.pending, b.dep = 0, 0
	if !b.decide(s) {
		return true
	}
	for _, a := range s.Args {
		if a.Reg != "" {
			r, executed := b.regs[a.Reg]
			if !executed {
				b.err = fmt.Errorf("%s: line %d: %s is used where it may have no value", b.test.Name, s.Line, a.Reg)
				return false
			}
			b.dep |= r.dd
		}
	}
	for _, d := range s.Dep {
		b.dep |= b.regs[d].dd
	}
	loc := -1
	if len(s.Names) > 0 {
		if l, ok := b.locOf[s.Names[0]]; ok {
			loc = l
		}
	}
	switch s.Op {
	case OpLoad:
		b.result(s, b.put(event{stmt: s, loc: loc, stack: -1, read: true, ord: s.Order}))
	case OpStore:
		b.put(event{stmt: s, loc: loc, stack: -1, write: true, ord: s.Order, value: s.Args[0]})
	case OpCas, OpCasWeak:
		e := event{stmt: s, loc: loc, stack: -1, read: true, ord: s.Fail, note: "fails"}
		stores := b.c.Choose(2) == 1
		if stores {
			e.write, e.ord, e.value, e.note = true, s.Order, s.Args[1], "stores"
		}
		n := b.put(e)
		if stores || s.Op == OpCas { // a weak one may fail whatever it reads
			b.readIs(n, s.Args[0], stores)
		}
		b.result(s, n)
		if s.Flag != "" {
			src := source{event: -1, dd: 1 << n, ctrl: 1 << n}
			if stores {
				src.n = 1
			}
			b.regs[s.Flag] = src
		}
	case OpFence:
		b.add(event{stmt: s, fence: true, ord: s.Order})
	case OpKill:
		r := b.regs[s.Args[0].Reg]
		r.dd = 0
		b.regs[s.Reg] = r
	case OpCreate:
		b.add(event{stmt: s})
		for i := range b.test.Threads {
			if b.test.Threads[i].Name == s.Names[0] {
				b.queue = append(b.queue, i)
			}
		}
	case OpWait:
		b.wait(s, loc)
	case OpWake:
		e := b.add(event{stmt: s})
		b.wakers = append(b.wakers, waker{e, loc, s.Args[0].N, -1})
	case OpRequeue:
		equal := b.c.Choose(2) == 0
		e := b.put(event{stmt: s, loc: loc, stack: -1, read: true, ord: Relaxed})
		b.readIs(e, s.Args[0], equal)
		if equal {
			b.wakers = append(b.wakers, waker{e, loc, s.Args[1].N, b.locOf[s.Names[1]]})
		}
	case OpTrap:
		b.bind(s, b.stack, "unbind")
	case OpResume:
		b.bind(s, b.stack, "bind")
	case OpNewStack, OpBind, OpUnbind:
		b.bind(s, b.stackNumber(s.Names[0]), "")
	case OpSwapStack:
		b.bind(s, b.stack, "unbind")
		b.stack = b.stackNumber(s.Names[0])
		b.bind(s, b.stack, "bind")
	case OpEnable, OpDisable:
		v := Operand{N: 1}
		if s.Op == OpDisable {
			v.N = 0
		}
		b.put(event{stmt: s, loc: b.locOf[watchpointName(s)], stack: -1, write: true, ord: Release, value: v})
	case OpWatchpoint, OpWPBranch:
		e := b.put(event{stmt: s, loc: b.locOf[watchpointName(s)], stack: -1, read: true, ord: Relaxed})
		b.result(s, e)
		if s.Op == OpWatchpoint {
			traps := b.c.Choose(2) == 1
			b.readIs(e, Operand{N: 1}, traps)
			if traps {
				b.pending.add(e)
				b.add(event{stmt: s, fence: true, ord: Acquire, note: "fence"})
			}
		}
	case OpDefine:
		b.put(event{stmt: s, loc: b.locOf[functionName(s)], stack: -1, write: true, ord: Relaxed, value: s.Args[0]})
	case OpCall:
		b.result(s, b.put(event{stmt: s, loc: b.locOf[functionName(s)], stack: -1, read: true, ord: Relaxed}))
	case OpPost, OpAwait:
		e := b.add(event{stmt: s})
		set := b.post
		if s.Op == OpAwait {
			set = b.await
		}
		set[s.Names[0]] |= 1 << e
	default: // read-modify-write
		b.result(s, b.put(event{stmt: s, loc: loc, stack: -1, read: true, write: true, rmw: true,
			ord: s.Order, value: s.Args[0]}))
	}
	return true
}

// wait adds the events of a futex wait, whose load counts as RELAXED.
func (b *builder) wait(s *Stmt, loc int) {
	result := -int64(b.c.Choose(4))
	e := b.put(event{stmt: s, loc: loc, stack: -1, read: true, ord: Relaxed})
	b.readIs(e, s.Args[0], result != -1)
	b.number(s, e, result)
	if result == 0 {
		woken := b.add(event{stmt: s, note: "woken"})
		b.sleeps = append(b.sleeps, sleep{e, woken, loc})
	}
}
