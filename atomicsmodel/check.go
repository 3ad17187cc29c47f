package atomicsmodel

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/atomicsmodel/internal/choose"
)

// Options change the model in two places (docs/memory-model.md, "Choices that Mu leaves open").
type Options struct {
	// WW adds the rule of later C++ about stores and SEQ_CST fences.
	WW bool
	// ThinAir drops the axiom NOTA, which forbids values out of thin air.
	ThinAir bool
}

func (o Options) words() string {
	s := ""
	if o.WW {
		s += "ww "
	}
	if o.ThinAir {
		s += "air "
	}
	return s
}

// A Result tells whether the outcome that a test asks for can occur.
type Result uint8

// The results. UB and Mixed are about the program and do not depend on the question.
const (
	Never     Result = iota // no consistent execution has the outcome
	Sometimes               // some have it
	Always                  // all have it
	UB                      // a data race (U1) or an unordered use of a stack (U3)
	Mixed                   // atomic and non-atomic accesses to one location (U2)
)

var resultNames = [...]string{"Never", "Sometimes", "Always", "UB", "MIXED"}

func (r Result) String() string { return resultNames[r] }

func resultByName(name string) (Result, bool) {
	i := slices.IndexFunc(resultNames[:], func(s string) bool { return strings.EqualFold(s, name) })
	return Result(max(i, 0)), i >= 0
}

// A Verdict is the answer to a test.
type Verdict struct {
	Result Result
	// Reason tells for UB and MIXED which events cause it.
	Reason string
	// Example is an execution with the outcome asked for, or with the fault of
	// UB and MIXED; nil if there is none.
	Example *Execution
	// States are the final states of all consistent executions, each once. If
	// the result is UB there may be more.
	States []State
}

// A State is the values of all registers and then of all locations of a test
// in the order of its methods Registers and Locations.
type State []Value

// A Value is the final value of a register or location. The value of a register
// that was not assigned is not defined.
type Value struct {
	N       int64
	Defined bool
}

// maxCandidates bounds the work of Check: the tests of interest have fewer
// than a thousand candidate executions that the search does not rule out early.
const maxCandidates = 20_000_000

// Check judges a test (docs/memory-model.md). It fails on a test that is too large
// or has no consistent execution at all.
func Check(t *Test, o Options) (*Verdict, error) { return CheckContext(context.Background(), t, o) }

// CheckContext is like Check, but returns the error of ctx when ctx is done.
func CheckContext(ctx context.Context, t *Test, o Options) (*Verdict, error) {
	c := &checker{ctx: ctx, test: t, options: o, seen: map[string]bool{}}
	for ch := (&choose.Chooser{}); ; {
		p, err := buildPath(t, ch)
		if err != nil {
			return nil, err
		}
		if p != nil {
			c.path(p)
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		if c.candidates > maxCandidates {
			return nil, fmt.Errorf("%s: more than %d candidate executions", t.Name, maxCandidates)
		}
		if c.undefined == UB || !ch.Next() {
			break
		}
	}
	if len(c.verdict.States) == 0 {
		return nil, fmt.Errorf("%s: no consistent execution", t.Name)
	}
	switch {
	case c.undefined != Never:
		c.verdict.Result = c.undefined
	case !c.met:
		c.verdict.Result = Never
	case c.missed:
		c.verdict.Result = Sometimes
	default:
		c.verdict.Result = Always
	}
	return &c.verdict, nil
}

// A checker enumerates the candidate executions of a test.
type checker struct {
	ctx        context.Context
	test       *Test
	options    Options
	verdict    Verdict
	seen       map[string]bool // final states
	met        bool            // some execution has the outcome asked for
	missed     bool            // some execution does not have it
	undefined  Result          // Never, Mixed or UB
	candidates int
	found      bool // the last search for orders has found a consistent execution
	x          candidate
	key        []byte
	state      State
	saved      [][]mask // by read, then for orders, then by location: x.after before it was chosen
	refused    *refused // if not nil, the search is for Explain
}

// A candidate is a path with its choices: from which store each event reads, which
// waker ended which wait, and the order of the stores.
type candidate struct {
	*path
	rf    []int   // by event that reads: the store
	by    []int   // by sleep: the waker's event
	last  []int   // by location: the last store
	mo    [][]int // by location: stores in order
	pos   []int   // by store: place in mo
	got   mask    // events whose read values are known
	known mask    // events whose values are all known
	read  []int64 // by event: value read
	wrote []int64 // by event: value stored
	maybe bool    // the path may have undefined behaviour
	mixed int     // location with mixed accesses, or -1
	after []mask  // by store: stores to its location that come after it in every order that the axioms allow
	relations
}

// path judges all candidates of a path.
func (c *checker) path(p *path) {
	n := len(p.events)
	x := &c.x
	*x = candidate{path: p, rf: make([]int, n), by: make([]int, len(p.sleeps)), last: make([]int, len(p.locs)), mo: make([][]int, len(p.locs)),
		pos: make([]int, n), read: make([]int64, n), wrote: make([]int64, n), relations: newRelations(n)}
	for l, w := range p.writes {
		x.mo[l] = make([]int, 0, len(w))
	}
	x.mixed = p.mixedLocation()
	for i := range p.events {
		e := &p.events[i]
		x.maybe = x.maybe || e.memory() && !e.atomic() || e.stack >= 0
	}
	x.prepare()
	c.begin()
}

// mixedLocation finds a location with atomic and other accesses (U2).
func (p *path) mixedLocation() int {
	kinds := make([]int, len(p.locs))
	for i := range p.events {
		if e := &p.events[i]; e.memory() && !e.initial() {
			if e.atomic() {
				kinds[e.loc] |= 1
			} else {
				kinds[e.loc] |= 2
			}
		}
	}
	return slices.Index(kinds, 3)
}

// chooseWakers chooses a waker for the i-th wait that was woken and for all later ones.
func (c *checker) chooseWakers(i int) {
	x := &c.x
	if i == len(x.sleeps) {
		c.orders()
		return
	}
	s := &x.sleeps[i]
	for k := range x.wakers {
		w := &x.wakers[k]
		if x.events[w.event].thread == x.events[s.wait].thread || !x.queued(s.loc, w) {
			continue
		}
		used := int64(0)
		for j := range i {
			if x.by[j] == w.event {
				used++
			}
		}
		if used >= w.n {
			continue
		}
		x.by[i] = w.event
		c.chooseWakers(i + 1)
	}
}

// queued reports whether a waiter on loc may be in the queue that w wakes, directly
// or through other requeues.
func (p *path) queued(loc int, w *waker) bool {
	at := map[int]bool{loc: true}
	for range p.wakers {
		for i := range p.wakers {
			if r := &p.wakers[i]; r.requeue >= 0 && at[r.loc] {
				at[r.requeue] = true
			}
		}
	}
	return at[w.loc]
}

// values computes the values that each event reads and stores, and makes the checks
// of the path. It returns false if a value depends only on itself.
func (x *candidate) values() bool {
	x.got, x.known = 0, 0
	all := 0
	for {
		got, known := x.got, x.known
		all = 0
		for i := range x.events {
			e := &x.events[i]
			if !e.memory() { // a fence, or an event of the runtime
				continue
			}
			all++
			if x.known.has(i) {
				continue
			}
			if e.read {
				if !x.known.has(x.rf[i]) {
					continue
				}
				x.read[i] = x.wrote[x.rf[i]]
				x.got.add(i)
			}
			if e.write {
				v, ok := x.operand(e.value)
				if !ok {
					continue
				}
				if e.rmw {
					v = e.stmt.Op.apply(x.read[i], v)
				}
				x.wrote[i] = v
			}
			x.known.add(i)
		}
		if x.got == got && x.known == known {
			break
		}
	}
	if bits.OnesCount64(uint64(x.known)) != all {
		return false
	}
	for i := range x.checks {
		ch := &x.checks[i]
		holds := true
		if ch.conds == nil {
			v, _ := x.operand(ch.value)
			holds = x.read[ch.event] == v
		}
		for _, cond := range ch.conds {
			v := x.register(cond.Name)
			holds = holds && cond.holds(v.N)
		}
		if holds != ch.want {
			return false
		}
	}
	return true
}

// operand returns the value of an operand, if it is already known.
func (x *candidate) operand(o Operand) (int64, bool) {
	if o.Reg == "" {
		return o.N, true
	}
	r := x.regs[o.Reg]
	if r.event < 0 {
		return r.n, true
	}
	return x.read[r.event], x.got.has(r.event)
}

// register returns the value of a register; all values must be known.
func (x *candidate) register(name string) Value {
	r, ok := x.regs[name]
	switch {
	case !ok:
		return Value{}
	case r.event < 0:
		return Value{r.n, true}
	}
	return Value{x.read[r.event], true}
}

// judge decides about a complete candidate, whose state final has computed.
func (c *checker) judge() {
	x := &c.x
	x.releaseSequences()
	if !x.derive() || !x.coherent() {
		return
	}
	news := !c.seen[string(c.key)]
	fault, reason := Never, ""
	if x.maybe && c.undefined != UB {
		fault, reason = x.fault()
	}
	if !news && fault <= c.undefined {
		return
	}
	order, ok := x.seqCst(c.options.WW)
	if !ok {
		return
	}
	c.found = true
	if fault > Never && (c.undefined == Never || fault == UB && c.undefined == Mixed) {
		c.undefined = fault
		c.verdict.Reason = reason
		c.verdict.Example = x.execution(c.test, c.state, order)
	}
	if !news {
		return
	}
	c.seen[string(c.key)] = true
	c.verdict.States = append(c.verdict.States, slices.Clone(c.state))
	if !c.test.asked(c.state) {
		c.missed = true
		return
	}
	if !c.met && c.undefined == Never {
		c.verdict.Example = x.execution(c.test, c.state, order)
	}
	c.met = true
}

// final computes the final state and a key for it.
func (c *checker) final() {
	x := &c.x
	c.state, c.key = c.state[:0], c.key[:0]
	for _, r := range c.test.registers {
		v := x.register(r)
		c.state = append(c.state, v)
		if !v.Defined {
			c.key = append(c.key, 0)
			continue
		}
		c.key = binary.AppendVarint(append(c.key, 1), v.N)
	}
	for l := range c.test.locations { // these locations have the first numbers, in this order
		v := x.wrote[x.last[l]]
		c.state = append(c.state, Value{v, true})
		c.key = binary.AppendVarint(c.key, v)
	}
}

// asked reports whether a state answers the question of the test.
func (t *Test) asked(s State) bool {
	return slices.ContainsFunc(t.Ask, func(list []Cond) bool { return t.hold(list, s) })
}

// Question returns the text of the question, with a bar between its cases.
func (t *Test) Question() string {
	var cases []string
	for i := range t.Ask {
		cases = append(cases, t.Case(i))
	}
	return strings.Join(cases, " | ")
}

// Case returns the text of the i-th case of the question, of which one must hold.
func (t *Test) Case(i int) string {
	var words []string
	for _, c := range t.Ask[i] {
		words = append(words, c.String())
	}
	return strings.Join(words, " ")
}

// Case tells whether the i-th case of the question can occur, as Result does for all of them together. The result must
// not be UB or Mixed.
func (v *Verdict) Case(t *Test, i int) Result {
	n := 0
	for _, s := range v.States {
		if t.hold(t.Ask[i], s) {
			n++
		}
	}
	switch n {
	case 0:
		return Never
	case len(v.States):
		return Always
	}
	return Sometimes
}

// hold reports whether all conditions hold in a state.
func (t *Test) hold(list []Cond, s State) bool {
	for _, c := range list {
		i := slices.Index(t.registers, c.Name)
		if i < 0 {
			i = len(t.registers) + slices.Index(t.locations, c.Name)
		}
		if !s[i].Defined || !c.holds(s[i].N) {
			return false
		}
	}
	return true
}
