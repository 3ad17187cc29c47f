package lowering

import (
	"fmt"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/atomicsmodel"
	"github.com/uvm2go/uvm2go/atomicsmodel/internal/choose"
)

// A path is the execution of one way through a test, before reads and orders are chosen.
type path struct {
	execution
	test    *atomicsmodel.Test
	checks  []check
	result  map[string]int // by register: the read with its value
	guarded [][2]int       // a read, and the first event that its value guards
	synced  [][2]int       // a read, and the last event before an ISYNC behind a branch on it
	pairs   [][2]int       // the reads and writes of read-modify-writes
	err     error
}

// A check is a condition on what a read has returned: that it is, or is not, a number.
type check struct {
	event int
	n     int64
	want  bool
}

// An assignment says which port a statement is compiled for: programs may have parts by several compilers.
type assignment func(thread, stmt int) *Port

// newPath makes the events of a way through a test.
func newPath(t *atomicsmodel.Test, ports assignment, ch *choose.Chooser) (*path, error) {
	p := &path{test: t, result: map[string]int{}}
	for l, name := range t.Locations() {
		n := int64(0)
		for _, b := range t.Init {
			if b.Name == name {
				n = b.Value
			}
		}
		p.put(event{thread: -1, kind: write, loc: l, value: value{from: -1, n: n}})
	}
	p.orders = make([][]int, len(t.Locations()))
	for th := range t.Threads {
		for i := range t.Threads[th].Code {
			p.statement(th, i, &t.Threads[th].Code[i], ports(th, i), ch)
		}
	}
	if p.err == nil && len(p.events) > 64 {
		p.err = fmt.Errorf("%s: %d events are too many", t.Name, len(p.events))
	}
	if p.err == nil {
		p.relate()
	}
	return p, p.err
}

func (p *path) put(e event) int {
	p.events = append(p.events, e)
	return len(p.events) - 1
}

func (p *path) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%s: %s", p.test.Name, fmt.Sprintf(format, args...))
	}
}

// statement adds the events of a statement.
func (p *path) statement(thread, no int, s *atomicsmodel.Stmt, port *Port, ch *choose.Chooser) {
	for _, c := range s.If {
		e, ok := p.result[c.Name]
		if !ok || len(s.If) > 1 {
			p.fail("condition %v: want one, on a register with a value", c)
			return
		}
		taken := ch.Choose(2) == 0
		p.checks = append(p.checks, check{e, c.Value, taken != c.Not})
		p.guarded = append(p.guarded, [2]int{e, len(p.events)})
		if !taken {
			return
		}
	}
	op := s.Op.String()
	switch {
	case s.Op.IsRMW() && s.Op != atomicsmodel.OpXchg:
		op = "add"
		if s.Op != atomicsmodel.OpAdd {
			p.fail("no lowering of %v", s.Op)
		}
	case s.Op > atomicsmodel.OpFence:
		p.fail("%v is no access and no fence", s.Op)
	}
	order := s.Order
	if s.Op == atomicsmodel.OpCas {
		order = stronger(s.Order, s.Fail)
	}
	sequence, ok := port.rows[op+"."+order.String()]
	if !ok {
		p.fail("%s has no row for %s.%v", port.Name, op, order)
		return
	}
	a := access{path: p, thread: thread, stmt: no, loc: -1, read: -1, arg: value{from: -1}}
	if len(s.Names) > 0 {
		a.loc = slices.Index(p.test.Locations(), s.Names[0])
	}
	if len(s.Args) > 0 {
		arg := s.Args[len(s.Args)-1] // of a compare-exchange, what is stored
		a.arg.n = arg.N
		if e, ok := p.result[arg.Reg]; ok {
			a.arg.from = e
		}
	}
	if op == "add" {
		a.apply = func(old, n int64) int64 { return old + n }
	}
	if s.Op == atomicsmodel.OpCas {
		a.fails = ch.Choose(2) == 1
		if a.fails && !port.Returns {
			sequence += " " + port.rows["ld.sc"]
		}
	}
	first := len(p.events)
	for token := range strings.FieldsSeq(sequence) {
		a.token(token)
	}
	if s.Op == atomicsmodel.OpCas {
		for e := first; e < len(p.events); e++ {
			if p.events[e].kind == read && p.events[e].loc == a.loc {
				p.checks = append(p.checks, check{e, s.Args[0].N, !a.fails})
			}
		}
	}
	if s.Reg != "" {
		p.result[s.Reg] = a.read
	}
}

// stronger is the weakest order that is as strong as two of a compare-exchange, which compilers use for both.
func stronger(success, failure atomicsmodel.Order) atomicsmodel.Order {
	switch {
	case success == atomicsmodel.SeqCst || failure == atomicsmodel.Relaxed:
		return success
	case failure == atomicsmodel.SeqCst || success == atomicsmodel.Relaxed:
		return failure
	case success == atomicsmodel.Release:
		return atomicsmodel.AcqRel
	}
	return max(success, atomicsmodel.Acquire)
}

// An access makes the events of a statement.
type access struct {
	*path
	thread, stmt int
	loc          int
	private      int // the location of the local variable, 0 if there is none yet
	read         int // the last read
	arg          value
	apply        func(old, n int64) int64
	fails        bool // a compare-exchange that fails
}

// token adds the events of one instruction.
func (a *access) token(token string) {
	parts := strings.Split(token, ".")
	base, isLocal := strings.CutSuffix(parts[0], "0")
	var m marks
	if base == "RW" || base == "LL" || base == "SC" {
		m = atomic
	}
	for _, part := range parts[1:] {
		switch part {
		case "aq":
			m |= acquire
		case "rl":
			m |= release
		}
	}
	loc := a.loc
	if isLocal {
		if a.private == 0 {
			a.private = len(a.orders)
			a.orders = append(a.orders, nil)
			a.put(event{thread: -1, kind: write, loc: a.private, value: value{from: -1}})
		}
		loc = a.private
	}
	put := func(k kind, v value) int {
		return a.put(event{thread: a.thread, stmt: a.stmt, kind: k, marks: m, loc: loc, value: v})
	}
	stored := a.arg
	if a.apply != nil && !isLocal {
		stored.apply = a.apply
	}
	switch base {
	case "R", "LL":
		a.read = put(read, value{})
	case "W":
		put(write, stored)
	case "RW", "SC":
		if base == "RW" {
			a.read = put(read, value{})
		}
		if a.fails {
			return
		}
		if stored.apply != nil {
			stored.from = a.read
		}
		a.pairs = append(a.pairs, [2]int{a.read, put(write, stored)})
	case "ISYNC":
		a.synced = append(a.synced, [2]int{a.read, len(a.events)})
	default:
		a.put(event{thread: a.thread, stmt: a.stmt, kind: barrier, name: token, loc: -1})
	}
}

// relate makes the relations that are the same for all candidates.
func (p *path) relate() {
	p.n = len(p.events)
	p.po, p.ctrl, p.isync, p.rmw, p.same = make(rel, p.n), make(rel, p.n), make(rel, p.n), make(rel, p.n), make(rel, p.n)
	for a := range p.events {
		ea := &p.events[a]
		switch ea.kind {
		case read:
			p.r |= 1 << a
		case write:
			p.w |= 1 << a
		}
		for b := range p.events {
			eb := &p.events[b]
			if ea.thread >= 0 && ea.thread == eb.thread && a < b {
				p.po.add(a, b)
			}
			if a != b && ea.kind != barrier && eb.kind != barrier && ea.loc == eb.loc {
				p.same.add(a, b)
			}
		}
	}
	p.m = p.r | p.w
	after := func(r rel, pairs [][2]int) {
		for _, g := range pairs {
			r[g[0]] |= p.po[g[0]] &^ (1<<g[1] - 1)
		}
	}
	after(p.ctrl, p.guarded)
	after(p.isync, p.synced)
	for _, pair := range p.pairs {
		p.rmw.add(pair[0], pair[1])
	}
}
