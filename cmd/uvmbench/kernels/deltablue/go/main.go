// The Go twin of the kernel deltablue: the incremental solver of one-way constraints, size rounds of a chain of equalities and of
// a projection: objects, growing lists and method calls.
package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
)

const (
	links = 100 // equalities of the chain, points of the projection
	sets  = 100 // how often the chain's first variable is set
	turns = 10  // how often a plan is carried out for a change
)

// A strength is how much a constraint matters; 0 is the strongest.
type strength int

const (
	required strength = iota
	strongPreferred
	preferred
	strongDefault
	normal
	weakDefault
	weakest
)

func (s strength) stronger(t strength) bool { return s < t }

// weaker returns the weaker of two.
func (s strength) weaker(t strength) strength {
	if s > t {
		return s
	}
	return t
}

type variable struct {
	value       int64
	constraints []constraint
	by          constraint // that determines it, or nil
	mark        int
	walk        strength // the weakest that would have to give way for another value
	stay        bool     // does not change while plans are carried out
}

func newVariable(value int64) *variable {
	return &variable{value: value, constraints: make([]constraint, 0, 4), walk: weakest, stay: true}
}

func (v *variable) add(c constraint) { v.constraints = append(v.constraints, c) }

func (v *variable) remove(c constraint) {
	i := slices.Index(v.constraints, c)
	v.constraints = slices.Delete(v.constraints, i, i+1)
	if v.by == c {
		v.by = nil
	}
}

// consumers appends the constraints for which v is an input.
func (v *variable) consumers(list []constraint) []constraint {
	for _, c := range v.constraints {
		if c != v.by && c.satisfied() {
			list = append(list, c)
		}
	}
	return list
}

// known tells whether the value is known once all variables with the mark are computed.
func (v *variable) known(mark int) bool { return v.mark == mark || v.stay || v.by == nil }

type constraint interface {
	priority() strength
	insert()             // enters it at its variables
	remove()             // takes it from its variables
	choose(mark int)     // decides whether and how to satisfy it, without variables that have the mark
	markInputs(mark int) // gives its inputs the mark
	known(mark int) bool // all inputs are known
	satisfied() bool     //
	unsatisfy()          //
	output() *variable   // what it determines
	recalculate()        // derives walk and stay of the output, and the value if it stays
	execute()            // computes the output
	fromOutside() bool   // its output comes from outside
}

// unary is a constraint of one variable.
type unary struct {
	strength strength
	out      *variable
	holds    bool
}

func (u *unary) priority() strength  { return u.strength }
func (u *unary) choose(mark int)     { u.holds = u.out.mark != mark && u.strength.stronger(u.out.walk) }
func (u *unary) markInputs(mark int) {}
func (u *unary) known(mark int) bool { return true }
func (u *unary) satisfied() bool     { return u.holds }
func (u *unary) unsatisfy()          { u.holds = false }
func (u *unary) output() *variable   { return u.out }
func (u *unary) execute()            {}

// A stay keeps a variable as it is.
type stay struct{ unary }

func (s *stay) insert()           { s.out.add(s) }
func (s *stay) remove()           { s.out.remove(s) }
func (s *stay) fromOutside() bool { return false }

func (s *stay) recalculate() {
	s.out.walk = s.strength
	s.out.stay = true
}

// An edit lets a variable be set from outside.
type edit struct{ unary }

func (e *edit) insert()           { e.out.add(e) }
func (e *edit) remove()           { e.out.remove(e) }
func (e *edit) fromOutside() bool { return true }

func (e *edit) recalculate() {
	e.out.walk = e.strength
	e.out.stay = false
}

type direction int

const (
	none direction = iota
	forward
	backward
)

// binary is a constraint of two variables, each of which it can compute from the other.
type binary struct {
	strength strength
	v1, v2   *variable
	way      direction
}

func (b *binary) priority() strength { return b.strength }

func (b *binary) choose(mark int) {
	v, way := b.v2, forward
	if b.v2.mark == mark || b.v1.mark != mark && b.v2.walk.stronger(b.v1.walk) {
		v, way = b.v1, backward
	}
	b.way = none
	if v.mark != mark && b.strength.stronger(v.walk) {
		b.way = way
	}
}

func (b *binary) input() *variable {
	if b.way == forward {
		return b.v1
	}
	return b.v2
}

func (b *binary) output() *variable {
	if b.way == forward {
		return b.v2
	}
	return b.v1
}

func (b *binary) markInputs(mark int) { b.input().mark = mark }
func (b *binary) known(mark int) bool { return b.input().known(mark) }
func (b *binary) satisfied() bool     { return b.way != none }
func (b *binary) unsatisfy()          { b.way = none }
func (b *binary) fromOutside() bool   { return false }

// equality is v1 = v2.
type equality struct{ binary }

func (e *equality) insert() {
	e.v1.add(e)
	e.v2.add(e)
}

func (e *equality) remove() {
	e.v1.remove(e)
	e.v2.remove(e)
}

func (e *equality) recalculate() {
	in, out := e.input(), e.output()
	out.walk = e.strength.weaker(in.walk)
	out.stay = in.stay
	if out.stay {
		e.execute()
	}
}

func (e *equality) execute() { e.output().value = e.input().value }

// scale is v2 = v1 * factor + offset.
type scale struct {
	binary
	factor, offset *variable
}

func (s *scale) insert() {
	s.v1.add(s)
	s.v2.add(s)
	s.factor.add(s)
	s.offset.add(s)
}

func (s *scale) remove() {
	s.v1.remove(s)
	s.v2.remove(s)
	s.factor.remove(s)
	s.offset.remove(s)
}

func (s *scale) markInputs(mark int) {
	s.input().mark = mark
	s.factor.mark = mark
	s.offset.mark = mark
}

func (s *scale) known(mark int) bool {
	return s.input().known(mark) && s.factor.known(mark) && s.offset.known(mark)
}

func (s *scale) recalculate() {
	in, out := s.input(), s.output()
	out.walk = s.strength.weaker(in.walk)
	out.stay = in.stay && s.factor.stay && s.offset.stay
	if out.stay {
		s.execute()
	}
}

func (s *scale) execute() {
	if s.way == forward {
		s.v2.value = s.v1.value*s.factor.value + s.offset.value
	} else {
		s.v1.value = (s.v2.value - s.offset.value) / s.factor.value
	}
}

// solver is the planner.
type solver struct {
	mark     int
	failures int64
}

func (s *solver) nextMark() int {
	s.mark++
	return s.mark
}

// satisfy satisfies c if it can; it returns the constraint that has to give way, or nil.
func (s *solver) satisfy(c constraint, mark int) constraint {
	c.choose(mark)
	if !c.satisfied() {
		if c.priority() == required {
			s.failures++
		}
		return nil
	}
	c.markInputs(mark)
	out := c.output()
	old := out.by
	if old != nil {
		old.unsatisfy()
	}
	out.by = c
	if !s.propagate(c, mark) {
		s.failures++
		return nil
	}
	out.mark = mark
	return old
}

// enforce satisfies c and then, one after the other, the constraints that had to give way.
func (s *solver) enforce(c constraint) {
	mark := s.nextMark()
	for c != nil {
		c = s.satisfy(c, mark)
	}
}

// propagate recalculates the values that depend on c. If c depends on itself it is given up.
func (s *solver) propagate(c constraint, mark int) bool {
	todo := []constraint{c}
	for len(todo) > 0 {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if d.output().mark == mark {
			s.retract(c)
			return false
		}
		d.recalculate()
		todo = d.output().consumers(todo)
	}
	return true
}

// retract gives up a satisfied constraint and satisfies others in its place, the strongest
// first.
func (s *solver) retract(c constraint) {
	out := c.output()
	c.unsatisfy()
	c.remove()
	open := release(out)
	for p := required; p <= weakest; p++ {
		for _, u := range open {
			if u.priority() == p {
				s.enforce(u)
			}
		}
	}
}

// release recalculates the values that depend on a variable that nothing determines any more; it returns
// the unsatisfied constraints on the way.
func release(out *variable) []constraint {
	out.by = nil
	out.walk = weakest
	out.stay = true
	var open []constraint
	todo := []*variable{out}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, c := range v.constraints {
			if !c.satisfied() {
				open = append(open, c)
			} else if c != v.by {
				c.recalculate()
				todo = append(todo, c.output())
			}
		}
	}
	return open
}

func (s *solver) add(c constraint) {
	c.insert()
	s.enforce(c)
}

func (s *solver) delete(c constraint) {
	if c.satisfied() {
		s.retract(c)
	} else {
		c.remove()
	}
}

// plan returns the constraints to execute, in order, when the outputs of the sources change.
func (s *solver) plan(sources ...constraint) []constraint {
	var todo []constraint
	for _, c := range sources {
		if c.fromOutside() && c.satisfied() {
			todo = append(todo, c)
		}
	}
	mark := s.nextMark()
	var plan []constraint
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if out := c.output(); out.mark != mark && c.known(mark) {
			plan = append(plan, c)
			out.mark = mark
			todo = out.consumers(todo)
		}
	}
	return plan
}

func execute(plan []constraint) {
	for _, c := range plan {
		c.execute()
	}
}

func fold(sum int64, v *variable) int64 {
	sum = (sum*31+v.value)*31 + int64(v.walk)
	if v.stay {
		sum++
	}
	return sum
}

func foldAll(sum int64, vs []*variable) int64 {
	for _, v := range vs {
		sum = fold(sum, v)
	}
	return sum
}

// chain builds equalities in a row, with a stay at the far end; an edit of the first variable
// outranks the stay.
func (s *solver) chain(round int64) int64 {
	vs := make([]*variable, links+1)
	for i := range vs {
		vs[i] = newVariable(round)
	}
	for i := range links {
		s.add(&equality{binary{strength: required, v1: vs[i], v2: vs[i+1]}})
	}
	first, last := vs[0], vs[links]
	s.add(&stay{unary{strength: strongDefault, out: last}})
	e := &edit{unary{strength: preferred, out: first}}
	s.add(e)
	plan := s.plan(e)
	for i := range int64(sets) {
		first.value = round + i
		execute(plan)
		if last.value != round+i {
			s.failures++
		}
	}
	s.delete(e)
	return foldAll(int64(len(plan)), vs)
}

// change sets a variable by an edit; it returns the size of the plan.
func (s *solver) change(v *variable, value int64) int64 {
	e := &edit{unary{strength: preferred, out: v}}
	s.add(e)
	plan := s.plan(e)
	for range turns {
		v.value = value
		execute(plan)
	}
	s.delete(e)
	return int64(len(plan))
}

// projection makes points, each the image of another one by the same factor and offset; it
// changes a point, an image, the factor and the offset.
func (s *solver) projection(round int64) int64 {
	factor, offset := newVariable(10), newVariable(1000)
	from := make([]*variable, links)
	to := make([]*variable, links)
	for i := range from {
		from[i] = newVariable(round + int64(i))
		to[i] = newVariable(int64(i))
		s.add(&stay{unary{strength: normal, out: from[i]}})
		s.add(&scale{binary{strength: required, v1: from[i], v2: to[i]}, factor, offset})
	}
	sum := s.change(from[links-1], round+17)
	sum = foldAll(sum*31, to)
	sum = sum*31 + s.change(to[links-1], round*10+1050)
	sum = foldAll(sum, from)
	sum = sum*31 + s.change(factor, 5)
	sum = foldAll(sum, to)
	sum = sum*31 + s.change(offset, 2000)
	sum = foldAll(sum, to)
	return fold(fold(sum, factor), offset)
}

func run(size int64) int64 {
	s := new(solver)
	var sum int64
	for i := range size {
		sum = sum*31 + s.chain(i)
		sum = sum*31 + s.projection(i)
	}
	return sum*31 + s.failures
}

func main() {
	size := int64(6000)
	if len(os.Args) > 1 {
		n, err := strconv.ParseInt(os.Args[1], 10, 64)
		if err != nil {
			fmt.Fprintln(os.Stderr, "deltablue: bad size:", err)
			os.Exit(2)
		}
		size = n
	}
	fmt.Printf("trap deltablue.done checksum=%d\n", run(size))
}
