package atomicsmodel

import (
	"context"
	"fmt"
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
	States *States
	// More tells that there are more states, too many for a list. The result takes them into account.
	More bool
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

// maxCandidates bounds the work of a search, maxStates the number of states in a list. They are variables for tests.
var (
	maxCandidates = 50_000_000
	maxStates     = 2_000_000
)

// Check judges a test (docs/memory-model.md). It fails on a test that is too large
// or has no consistent execution at all.
func Check(t *Test, o Options) (*Verdict, error) { return CheckContext(context.Background(), t, o) }

// CheckContext is like Check, but returns the error of ctx when ctx is done.
func CheckContext(ctx context.Context, t *Test, o Options) (*Verdict, error) {
	c := newChecker(ctx, t, o)
	if err := c.search(); err != nil {
		return nil, err
	}
	if c.full || c.candidates > maxCandidates { // the states are not all
		v, err := Decide(ctx, t, o)
		if err != nil {
			return nil, err
		}
		v.States, v.More = c.states, true
		v.States.sort()
		return v, nil
	}
	v, err := c.answer()
	if err != nil {
		return nil, err
	}
	v.States = c.states
	v.States.sort()
	return v, nil
}

// Decide is like CheckContext, but without the states: it ends as soon as the result is known, and needs no more memory for
// a test with many states than for one with few.
func Decide(ctx context.Context, t *Test, o Options) (*Verdict, error) {
	c := newChecker(ctx, t, o)
	c.flat = true
	goals := []int{0}
	if !t.plain() {
		goals = []int{1, -1}
	}
	for _, goal := range goals {
		c.goal, c.reached, c.candidates = goal, false, 0
		if err := c.search(); err != nil {
			return nil, err
		}
		if c.candidates > maxCandidates {
			return nil, fmt.Errorf("%s: more than %d candidate executions", t.Name, maxCandidates)
		}
	}
	return c.answer()
}

// plain reports whether a test has plain accesses, or binds stacks: then its behaviour may be undefined.
func (t *Test) plain() bool {
	for _, th := range t.Threads {
		for i := range th.Code {
			switch s := &th.Code[i]; s.Op {
			case OpTrap, OpResume, OpNewStack, OpBind, OpUnbind, OpSwapStack:
				return true
			default:
				if opTable[s.Op].order != 0 && s.Order == NotAtomic {
					return true
				}
			}
		}
	}
	return false
}

func newChecker(ctx context.Context, t *Test, o Options) *checker {
	c := &checker{ctx: ctx, test: t, options: o, states: &States{values: len(t.registers) + len(t.locations)}}
	for _, list := range t.Ask {
		var terms []term
		for _, cond := range list {
			i := slices.Index(t.registers, cond.Name)
			if i < 0 {
				i = len(t.registers) + slices.Index(t.locations, cond.Name)
			}
			terms = append(terms, term{cond, i})
		}
		c.ask = append(c.ask, terms)
	}
	return c
}

// search judges the candidates of all paths, until it is done.
func (c *checker) search() error {
	for ch := (&choose.Chooser{}); ; {
		p, err := buildPath(c.test, ch)
		if err != nil {
			return err
		}
		if p != nil {
			c.path(p)
		}
		if err := c.ctx.Err(); err != nil {
			return fmt.Errorf("%s: %w", c.test.Name, err)
		}
		if c.done() || !ch.Next() {
			return nil
		}
	}
}

// answer is the verdict after a search.
func (c *checker) answer() (*Verdict, error) {
	if !c.met && !c.missed {
		return nil, fmt.Errorf("%s: no consistent execution", c.test.Name)
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
	ask        [][]term // the question
	verdict    Verdict
	states     *States // that have been found
	full       bool    // there are too many of them
	flat       bool    // the states are for speed alone, and may be forgotten
	goal       int     // 1: look for a state that the test asks for, -1: for one that it does not ask for, 0: for all
	reached    bool    // the state has been found
	met        bool    // some execution has the outcome asked for
	missed     bool    // some execution does not have it
	undefined  Result  // Never, Mixed or UB
	fault      Result  // of the present choice of stores for reads, on an exact path
	candidates int
	found      bool // the last search for orders has found a consistent execution
	x          candidate
	sources    []source // by register of the test, on the present path
	key        []byte   // the final state, encoded
	prefix     int      // how much of it is about registers
	room       []mask   // for saved, and x.both
	saved      [][]mask // by read, then for orders, then by location: x.both before it was chosen
	refused    *refused // if not nil, the search is for Explain
}

// A term of the question is about the value at an index of a state.
type term struct {
	Cond
	index int
}

// noValue is the event of a register that has no value on a path.
const noValue = -2

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
	// By store: the stores to its location that come after it, and before it, in every order that the axioms allow; both
	// are parts of one slice.
	after, before, both []mask
	traits
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
	x.observe()
	c.sources = c.sources[:0]
	for _, r := range c.test.registers {
		src, ok := p.regs[r]
		if !ok {
			src.event = noValue
		}
		c.sources = append(c.sources, src)
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
	x.got, x.known = 0, x.fixed&^x.updating
	for changed := true; changed; {
		changed = false
		left := false
		for i := range x.events {
			e := &x.events[i]
			if !e.memory() || x.known.has(i) { // a fence, an event of the runtime, or done
				continue
			}
			left = true
			if e.read && !x.got.has(i) {
				if w := x.rf[i]; !x.known.has(w) && !x.fixed.has(w) {
					continue
				}
				x.read[i] = x.wrote[x.rf[i]]
				x.got.add(i)
				changed = true
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
			changed = true
		}
		if !left {
			return x.checked()
		}
	}
	return false
}

// checked reports whether all checks of the path hold.
func (x *candidate) checked() bool {
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

// judge decides about a complete candidate, whose state is known.
func (c *checker) judge() {
	x := &c.x
	x.releaseSequences()
	if !x.derive() || !x.coherent() {
		return
	}
	news := !c.states.has(c.key)
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
		c.verdict.Example = x.execution(c.test, c.state(), order)
	}
	if !news {
		return
	}
	asked := c.asked()
	if asked && !c.met && c.undefined == Never {
		c.verdict.Example = x.execution(c.test, c.state(), order)
	}
	c.note(asked)
}

// flatStates is how many states a search remembers that does not list them.
const flatStates = 1 << 14

// note notes that the state can occur.
func (c *checker) note(asked bool) {
	if c.flat && c.states.Len() >= flatStates {
		c.states.clear()
	}
	if !c.flat && c.states.Len() >= maxStates {
		c.full = true
		return
	}
	c.states.add(c.key)
	c.met = c.met || asked
	c.missed = c.missed || !asked
	c.reached = c.goal != 0
}

// registers begins the key of a state with the values of the registers.
func (c *checker) registers() {
	c.key = c.key[:0]
	for i := range c.sources {
		v, _ := c.value(i)
		c.key = appendValue(c.key, v)
	}
	c.prefix = len(c.key)
}

// locations completes the key of a state with the values of the locations.
func (c *checker) locations() {
	c.key = c.key[:c.prefix]
	for i := range c.test.locations {
		v, _ := c.value(len(c.sources) + i)
		c.key = appendValue(c.key, v)
	}
}

// value is the i-th value of the final state. If it is that of a register, it also tells the event that reads it, noValue if there is none.
func (c *checker) value(i int) (v Value, event int) {
	if i >= len(c.sources) { // the locations of the test have the first numbers, in its order
		return Value{c.x.wrote[c.x.last[i-len(c.sources)]], true}, -1
	}
	switch s := &c.sources[i]; s.event {
	case noValue:
		return Value{}, noValue
	case -1:
		return Value{s.n, true}, -1
	default:
		return Value{c.x.read[s.event], true}, s.event
	}
}

// state is the final state.
func (c *checker) state() State {
	var s State
	for i := range c.states.values {
		v, _ := c.value(i)
		s = append(s, v)
	}
	return s
}

// asked reports whether the final state answers the question.
func (c *checker) asked() bool {
	return slices.ContainsFunc(c.ask, func(list []term) bool {
		for i := range list {
			if v, _ := c.value(list[i].index); !v.Defined || !list[i].holds(v.N) {
				return false
			}
		}
		return true
	})
}

// hopeless reports whether the reads whose values are known rule out the state that is looked for.
func (c *checker) hopeless(early mask) bool {
	possible := false
	for _, list := range c.ask {
		holds, known := true, true
		for i := range list {
			if list[i].index >= len(c.sources) {
				known = false
				continue
			}
			v, event := c.value(list[i].index)
			if event >= 0 && !early.has(event) {
				known = false
			} else if !v.Defined || !list[i].holds(v.N) {
				holds = false
				break
			}
		}
		if holds && known && c.goal < 0 {
			return true
		}
		possible = possible || holds
	}
	return c.goal > 0 && !possible
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
	for _, s := range v.States.All() {
		if t.hold(t.Ask[i], s) {
			n++
		}
	}
	switch n {
	case 0:
		return Never
	case v.States.Len():
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
