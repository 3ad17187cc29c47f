package atomicsmodel

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Refusal tells why no execution has the outcome that a test asks for. Of all candidates with the outcome it is
// about one that violates none of the axioms that are checked before its own.
type Refusal struct {
	Axiom string `json:"axiom"` // NOTA, HB, MO, NA, CoWR, CoRW, CoRR, SC, or "" if no candidate has the outcome at all
	Text  string `json:"text"`  // the axiom in words
	Cycle []Step `json:"cycle"` // the events that violate it
	// Execution is the candidate that violates the axiom; nil if there is none.
	Execution *Execution `json:"-"`
}

// A Step is an event of a cycle.
type Step struct {
	Event  string `json:"event"` // thread and statement
	Line   int    `json:"line"`  // of the statement, or 0
	Number int    `json:"-"`     // of the event in the execution
	Arrow  string `json:"arrow"` // its relation to the next step, or to the first: sb, sw, hb, mo, rf, fr, dep, S
}

// String returns the refusal in readable form.
func (r *Refusal) String() string {
	if r.Axiom == "" {
		return r.Text + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Axiom, r.Text)
	for i, s := range r.Cycle {
		fmt.Fprintf(&b, "  %s\n", s.Event)
		switch {
		case s.Arrow == "":
		case i == len(r.Cycle)-1:
			fmt.Fprintf(&b, "    -%s-> the first\n", s.Arrow)
		default:
			fmt.Fprintf(&b, "    -%s->\n", s.Arrow)
		}
	}
	return b.String()
}

// axiomTexts has the axioms in the order in which they are checked.
var axiomTexts = []struct{ name, text string }{
	{"", "no candidate execution has the outcome: no store has the value, or a condition on the way fails"},
	{"NOTA", "a value may not depend on itself"},
	{"HB", "an event may not happen before itself"},
	{"MO", "the order of the stores to a location agrees with happens-before"},
	{"NA", "a plain load reads the last store that happens before it"},
	{"CoWR", "a load may not read a store that another store has overwritten, if that one happens before the load"},
	{"CoRW", "a load may not read a store that comes after one that the load happens before"},
	{"CoRR", "of two loads of a location, the later may not read an earlier store"},
	{"SC", "there is one order of all SEQ_CST events that agrees with happens-before, the order of stores, and what loads read"},
}

// maxExplained bounds how many candidates Explain looks at.
const maxExplained = 100_000

// Explain tells why the outcome that a test asks for is impossible; nil if it is possible, or if the test is too large to
// tell, or if ctx is done.
func Explain(ctx context.Context, t *Test, o Options) *Refusal {
	c := newChecker(ctx, t, o)
	c.refused, c.goal = &refused{}, 1
	if err := c.search(); err != nil || c.met {
		return nil
	}
	best := c.refused
	if best.rank == 0 && c.candidates > maxExplained {
		return nil
	}
	r := &Refusal{axiomTexts[best.rank].name, axiomTexts[best.rank].text, best.cycle, best.execution}
	if r.Axiom == "SC" && r.Cycle == nil {
		r.Text += "; which store is the last one before a load in it leaves none"
	}
	return r
}

// refused is the best explanation so far.
type refused struct {
	rank      int // in axiomTexts
	cycle     []Step
	execution *Execution
}

// refuse judges a candidate that has the outcome, for Explain.
func (c *checker) refuse() {
	v, ok := c.x.violated(c.options)
	if ok {
		c.met = true
		return
	}
	for rank, a := range axiomTexts {
		if a.name == v.axiom && rank > c.refused.rank {
			*c.refused = refused{rank, c.x.steps(v), c.x.execution(c.test, c.state(), nil)}
		}
	}
}

// violated finds the first axiom that a candidate violates; ok if there is none.
func (x *candidate) violated(o Options) (v violation, ok bool) {
	if !o.ThinAir && x.thinAir() {
		return x.airCycle(), false
	}
	x.releaseSequences()
	if !x.derive() {
		v.axiom = "HB"
		for e := range x.events {
			if x.hb[e].has(e) {
				v.add(e, "hb")
				break
			}
		}
		return v, false
	}
	if v = x.incoherence(); v.axiom != "" {
		return v, false
	}
	if _, ok := x.seqCst(o.WW); !ok {
		return x.scCycle(o.WW), false
	}
	return v, true
}

// airCycle finds a cycle of dependencies, control and reads.
func (x *candidate) airCycle() violation {
	v := violation{axiom: "NOTA"}
	depends := func(e int) mask { return x.dd[e] | x.ctrl[e] }
	for e := range x.events {
		path := shortest(len(x.events), e, e, func(e int) mask {
			next := depends(e)
			for _, r := range x.reads {
				if x.events[e].write && x.rf[r] == e {
					next.add(r)
				}
			}
			return next
		})
		for i, a := range path {
			arrow := "rf"
			if depends(a).has(path[(i+1)%len(path)]) {
				arrow = "dep"
			}
			v.add(a, arrow)
		}
		if path != nil {
			break
		}
	}
	return v
}

// scCycle finds a cycle of the rules for SEQ_CST events. There may be none: then no order satisfies SC-L, though
// no pair of events is to blame.
func (x *candidate) scCycle(ww bool) violation {
	s := x.scRules(ww)
	s.earlierStores()
	v := violation{axiom: "SC"}
	for start := s.all; start != 0; start &= start - 1 {
		e := start.first()
		if path := s.back(e, e); path != nil {
			for i, p := range path {
				if x.hb[p].has(path[(i+1)%len(path)]) {
					v.add(p, "hb")
				} else {
					v.add(p, "S")
				}
			}
			break
		}
	}
	return v
}

// earlierStores adds what SC-L implies for loads of stores that are not SEQ_CST: a load comes before a SEQ_CST store if
// the store that it reads happens before that one and before all SEQ_CST stores after it.
func (s *scSearch) earlierStores() {
	x := s.x
	for _, b := range x.reads {
		if !s.all.has(b) || s.all.has(x.rf[b]) {
			continue
		}
		order := x.mo[x.events[b].loc]
		for i := len(order) - 1; i >= 0; i-- {
			if a := order[i]; s.all.has(a) {
				if !x.hb[x.rf[b]].has(a) {
					break
				}
				s.edge(b, a)
			}
		}
	}
}

// back finds a shortest way from one event to another along edges of the search, in their direction; the last event is
// left out.
func (s *scSearch) back(from, to int) []int {
	return shortest(len(s.before), from, to, func(e int) (next mask) {
		for b := range s.before {
			if s.before[b].has(e) {
				next.add(b)
			}
		}
		return next
	})
}

// shortest finds a shortest way, of at least one edge, without its last event; nil if there is none.
func shortest(n, from, to int, next func(int) mask) []int {
	came := make([]int, n)
	var seen mask
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		e := queue[0]
		for m := next(e); m != 0; m &= m - 1 {
			b := m.first()
			if b == to {
				path := []int{e}
				for e != from {
					e = came[e]
					path = append(path, e)
				}
				slices.Reverse(path)
				return path
			}
			if !seen.has(b) {
				seen.add(b)
				came[b] = e
				queue = append(queue, b)
			}
		}
	}
	return nil
}

// steps describes a violation. A happens-before edge becomes the way of sb and sw edges that it is made of.
func (x *candidate) steps(v violation) []Step {
	var list []Step
	step := func(e int, arrow string) {
		s := Step{Event: x.describe(e), Number: e, Arrow: arrow}
		if st := x.events[e].stmt; st != nil {
			s.Line = st.Line
		}
		list = append(list, s)
	}
	for i, e := range v.events {
		arrow := v.arrows[i]
		if arrow != "hb" {
			step(e, arrow)
			continue
		}
		to := v.events[(i+1)%len(v.events)]
		path := shortest(len(x.events), e, to, func(e int) mask { return x.sb[e] | x.swAll[e] })
		if path == nil {
			step(e, arrow) // through a dependency of a CONSUME load, or from an initial store
		}
		for k, p := range path {
			end := to
			if k+1 < len(path) {
				end = path[k+1]
			}
			if x.swAll[p].has(end) {
				step(p, "sw")
			} else {
				step(p, "sb")
			}
		}
	}
	return list
}
