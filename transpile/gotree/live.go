package gotree

import (
	"cmp"
	"slices"
)

// Where the variables of a function are live.
//
// The statements of a body that has not been shaped are divided into runs: parts of the text that are entered only
// at their beginning and left only at their end. Moments are numbered in the order of the text: a statement
// reads variables at an even moment and assigns them at the next, odd one. So a variable can be assigned in the statement in which
// another is read for the last time.
//
// A variable is live from where it is assigned to where that value is read last, whatever way leads there. The search goes
// back from each read that no assignment in its run precedes. Large bodies have many variables, most of which live in few runs; the
// few that live in many would take most of the time, and are left out.

// A live knows where the variables of a function are used.
type live struct {
	own    func(string) bool
	now    int32 // the current moment
	cur    int32 // the current run
	runs   []run
	labels map[*Label]int32 // the runs that begin there
	exits  []exit
	vars   map[string]*local
	order  []*local

	found []span  // room for those of one variable
	work  []int32 // likewise for runs
}

// A run is a part of the text.
type run struct {
	span
	from []int32 // runs that lead to it
}

// A span is from one moment to another.
type span struct{ first, last int32 }

// An exit is where break and continue lead to in a statement.
type exit struct {
	label       *Label
	after, turn int32 // runs
	loop        bool  // it has turns
}

// A local is a variable.
type local struct {
	t           *Type
	declaration *declaration
	home        int32 // the run in which it is declared
	across      bool  // it is used in another run
	events      []event
	spans       []span   // where it is live, in order and disjoint; nil if that takes too long to find, or if it is never used
	copies      []*local // what is assigned to it, and what it is assigned to
	shares      *shared  // the variable that it shares, nil if it has its own name
}

// end is the last moment at which a variable is live.
func (l *local) end() int32 { return l.spans[len(l.spans)-1].last }

// An event is the use of a variable: an assignment if the moment is odd.
type event struct{ run, at int32 }

// A declaration declares variables together.
type declaration struct {
	keep   bool // they have their own names
	across bool // one of them is used in another run
}

// newLive finds the uses of the variables in a body.
func newLive(b *Block, own func(string) bool) *live {
	p := &live{own: own, runs: make([]run, 1), labels: map[*Label]int32{}, vars: map[string]*local{}}
	p.block(b)
	p.runs[p.cur].last = p.now + 1
	return p
}

func (p *live) newRun() int32 {
	p.runs = append(p.runs, run{})
	return int32(len(p.runs) - 1)
}

// begin ends the current run and begins another.
func (p *live) begin(r int32) {
	p.runs[p.cur].last = p.now + 1
	p.now += 2
	p.cur = r
	p.runs[r].first = p.now
}

// enter is begin for a run that the current one may lead to.
func (p *live) enter(r int32) {
	p.leads(p.cur, r)
	p.begin(r)
}

// leave ends the current run, which leads to another than the next.
func (p *live) leave(to int32) {
	p.leads(p.cur, to)
	p.begin(p.newRun())
}

func (p *live) leads(from, to int32) { p.runs[to].from = append(p.runs[to].from, from) }

// at is the run that begins at a label.
func (p *live) at(l *Label) int32 {
	r, ok := p.labels[l]
	if !ok {
		r = p.newRun()
		p.labels[l] = r
	}
	return r
}

func (p *live) block(b *Block) {
	for _, s := range b.List {
		p.stmt(s)
	}
}

// branch is a block between two runs.
func (p *live) branch(from int32, b *Block, to int32) {
	if b == nil {
		p.leads(from, to)
		return
	}
	r := p.newRun()
	p.leads(from, r)
	p.begin(r)
	p.block(b)
	p.leads(p.cur, to)
}

func (p *live) stmt(s Stmt) {
	p.now += 2
	switch s := s.(type) {
	case *Block:
		p.block(s)
	case *Assign:
		p.assign(s)
	case *Var:
		if s.X != nil {
			p.names(s.X)
		}
		for _, n := range s.Names {
			p.declare(n, s.T, &declaration{})
			if s.X != nil {
				p.use(n, p.now+1)
			}
		}
	case *Reads:
		p.use(s.Name, p.now)
	case *If:
		if s.Init != nil {
			p.stmt(s.Init)
			p.now += 2
		}
		p.names(s.Cond)
		from, end := p.cur, p.newRun()
		p.branch(from, s.Then, end)
		p.branch(from, s.Else, end)
		p.begin(end)
	case *Switch:
		expressions(s, p.names)
		from, end := p.cur, p.newRun()
		p.exits = append(p.exits, exit{after: end})
		other := false
		for i := range s.Cases {
			p.branch(from, s.Cases[i].Body, end)
			other = other || s.Cases[i].Keys == nil
		}
		if !other {
			p.leads(from, end)
		}
		p.exits = p.exits[:len(p.exits)-1]
		p.begin(end)
	case *For:
		p.loop(s.Label, s.Cond, "", s.Body)
	case *Range:
		p.names(s.X)
		p.loop(nil, s.X, s.Key, s.Body)
	case *Mark:
		p.enter(p.at(s.L))
	case *Goto:
		p.leave(p.at(s.L))
	case *Break:
		p.leave(p.exit(s.L, false).after)
	case *Continue:
		p.leave(p.exit(s.L, true).turn)
	case *Return:
		expressions(s, p.names)
		p.begin(p.newRun())
	default:
		expressions(s, p.names)
	}
}

// loop is a loop with a condition, or a variable; it may have neither.
func (p *live) loop(label *Label, cond Expr, key string, body *Block) {
	turn, end := p.newRun(), p.newRun()
	if label != nil {
		turn = p.at(label)
	}
	p.enter(turn)
	if cond != nil {
		p.names(cond)
		p.leads(turn, end)
	}
	if key != "" {
		p.declare(key, nil, &declaration{})
	}
	p.exits = append(p.exits, exit{label, end, turn, true})
	p.branch(turn, body, turn)
	p.exits = p.exits[:len(p.exits)-1]
	p.begin(end)
}

// exit is where break or continue leads to.
func (p *live) exit(l *Label, turn bool) exit {
	i := len(p.exits) - 1
	for l != nil && p.exits[i].label != l || turn && !p.exits[i].loop {
		i--
	}
	return p.exits[i]
}

// assign notes the variables of an assignment.
func (p *live) assign(s *Assign) {
	for _, x := range s.R {
		p.names(x)
	}
	d := &declaration{}
	for i, x := range s.L {
		id, ok := x.(*Ident)
		switch {
		case !ok:
			p.names(x)
			continue
		case s.Define && id.Name != "_":
			p.declare(id.Name, s.Types[i], d)
		}
		p.use(id.Name, p.now+1)
		if len(s.L) == len(s.R) {
			if from, ok := s.R[i].(*Ident); ok {
				p.copies(p.vars[id.Name], p.vars[from.Name])
			}
		}
	}
}

func (p *live) copies(to, from *local) {
	if to != nil && from != nil {
		to.copies, from.copies = append(to.copies, from), append(from.copies, to)
	}
}

func (p *live) declare(name string, t *Type, d *declaration) {
	if l := p.vars[name]; l != nil { // not the only one of the name
		l.declaration.keep, d.keep = true, true
		return
	}
	d.keep = d.keep || t == nil || !p.own(name)
	l := &local{t: t, home: p.cur, declaration: d}
	p.vars[name] = l
	p.order = append(p.order, l)
}

func (p *live) use(name string, at int32) {
	if l := p.vars[name]; l != nil {
		l.events = append(l.events, event{p.cur, at})
		l.across = l.across || p.cur != l.home
	}
}

// names notes the variables that an expression reads.
func (p *live) names(x Expr) {
	switch x := x.(type) {
	case *Ident:
		p.use(x.Name, p.now)
	case *Unary:
		if x.Op == '&' {
			p.pointed(x.X)
		}
	case *Whole:
		p.pointed(x.X)
	}
	parts(x, p.names)
}

// pointed keeps the name of a variable to which there is a pointer.
func (p *live) pointed(x Expr) {
	if id, ok := x.(*Ident); ok && p.vars[id.Name] != nil {
		p.vars[id.Name].declaration.keep = true
	}
}

// maxSteps bounds the search, in steps for each moment.
const maxSteps = 16

// find finds where the variables are live.
func (p *live) find() {
	most := maxSteps * int(p.now) / max(1, len(p.order))
	state := make([]liveRun, len(p.runs))
	for i, l := range p.order {
		if !l.declaration.keep {
			l.spans = p.spans(l, int32(i+1), state, most)
		}
	}
}

// A liveRun is what is known of a variable and a run.
type liveRun struct {
	used int32 // the number of the last variable that is used in the run
	last int32 // when
	out  int32 // the number of the last variable that is live at the end of the run
}

// spans returns where a variable is live, nil if the search takes too many steps.
func (p *live) spans(l *local, number int32, state []liveRun, most int) []span {
	for _, e := range l.events {
		state[e.run].used, state[e.run].last = number, e.at
	}
	out, work := p.found[:0], p.work[:0]
	defer func() { p.found, p.work = out, work }()
	before := func(r int32) { // it is live at the beginning of a run
		most -= len(p.runs[r].from)
		for _, f := range p.runs[r].from {
			s := &state[f]
			switch {
			case s.out == number:
				continue
			case s.used == number:
				out = append(out, span{s.last, p.runs[f].last})
			default:
				out = append(out, p.runs[f].span)
				work = append(work, f)
			}
			s.out = number
		}
	}
	for i, e := range l.events {
		switch {
		case e.at%2 == 1:
			out = append(out, span{e.at, e.at})
		case i > 0 && l.events[i-1].run == e.run:
			out = append(out, span{l.events[i-1].at, e.at})
		default:
			out = append(out, span{p.runs[e.run].first, e.at})
			before(e.run)
		}
	}
	for len(work) > 0 && most >= 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		before(r)
	}
	if most < 0 {
		return nil
	}
	return slices.Clone(union(out))
}

// union sorts spans and joins those that touch.
func union(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.first <= out[n-1].last+1 {
			out[n-1].last = max(out[n-1].last, s.last)
		} else {
			out = append(out, s)
		}
	}
	return out
}
