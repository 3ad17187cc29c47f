package randprog

import (
	"fmt"
	"strings"
)

// A coro is a function for a stack of its own. It yields a number of times to
// the stack that it is given and ends in one of two ways: with the last of its
// yields or, after a failure, by throwing to that stack.
type coro struct {
	name    string
	sig     *sig // the stack to yield to, then arguments
	yields  int
	out, in []*typ // the types of the values that it yields, and of those that it is resumed with
}

// declareCoro makes the signature of a coroutine.
func (g *gen) declareCoro(i int) {
	some := func(most int) []*typ {
		var l []*typ
		for range g.r.Intn(most + 1) {
			l = append(l, g.vals[g.r.Intn(len(g.vals))])
		}
		return l
	}
	c := coro{name: fmt.Sprintf("%sco%d", g.prefix, i), yields: 1 + g.r.Intn(4), out: some(3), in: some(2)}
	c.sig = g.sigOf(append([]*typ{g.stack()}, some(2)...), nil)
	g.coros = append(g.coros, c)
}

// passing writes PASS_VALUES with values made for the types.
func (f *fn) passing(first string, ts []*typ) string {
	var l []string
	if first != "" {
		l = append(l, first)
		ts = ts[1:]
	}
	for _, t := range ts {
		l = append(l, f.outside(t).name)
	}
	return strings.Join(l, " ")
}

// resultsOf names new values of the types: the values, and the text before an
// instruction that makes them.
func (f *fn) resultsOf(ts []*typ) ([]val, string) {
	var res []val
	var l []string
	for _, t := range ts {
		v := val{t: t, name: f.fresh()}
		res = append(res, v)
		l = append(l, v.name)
	}
	if len(l) == 0 {
		return nil, ""
	}
	return res, "(" + strings.Join(l, " ") + ") = "
}

// coroBody writes a coroutine.
func (g *gen) coroBody(c coro) {
	f := &fn{g: g, name: c.name, sig: c.sig, kind: bottom, palette: g.somePalette()}
	entry := &block{label: "%entry"}
	for _, t := range c.sig.params {
		entry.params = append(entry.params, val{t: t, name: f.fresh()})
	}
	f.always = []val{{t: g.stack()}}
	f.cur = entry
	f.blocks = []*block{entry}
	f.scope = append(f.scope, entry.params[1:]...)
	f.now = []string{entry.params[0].name}
	f.finish = func() {
		e := f.excVal()
		f.emit("SWAPSTACK %s KILL_OLD THROW_EXC %s", f.now[0], e.name)
	}
	// It decrements the program's counter; otherwise coroutines could make more
	// coroutines without end.
	b := f.newBlock(entry.params[1:], false)
	out := f.newBlock(nil, false)
	var l []string
	for _, p := range entry.params {
		l = append(l, p.name)
	}
	f.takeFuel(fmt.Sprintf("%s(%s)", out.label, l[0]), fmt.Sprintf("%s(%s)", b.label, strings.Join(l, " ")))
	f.start(out)
	f.finish()
	f.start(b)
	for i := range c.yields {
		for range g.r.Intn(g.size) {
			f.statement()
		}
		vals := f.passing("", c.out)
		if i == c.yields-1 {
			f.emit("SWAPSTACK %s KILL_OLD PASS_VALUES <%s> (%s)", f.now[0], names(c.out), vals)
			break
		}
		res, lhs := f.resultsOf(c.in)
		f.clause(res, fmt.Sprintf("%sSWAPSTACK %s RET_WITH <%s> PASS_VALUES <%s> (%s)", lhs, f.now[0], names(c.in), names(c.out), vals), f.keep(3))
	}
	f.fill(3)
	f.print()
}

// coroutine makes a stack for a coroutine and resumes it, perhaps not to its end.
func (f *fn) coroutine() bool {
	g := f.g
	if len(g.coros) == 0 || f.kind == leaf {
		return false
	}
	c := g.coros[g.r.Intn(len(g.coros))]
	st := g.stack()
	me := f.hidden("COMMINST @uvm.current_stack")
	co := f.hidden("COMMINST @uvm.new_stack <[%s]> (%s)", c.sig.name, c.name)
	in := c.sig.params
	first := me
	n := g.r.Intn(c.yields + 1)
	for i := range n {
		res, lhs := f.resultsOf(c.out)
		how := fmt.Sprintf("PASS_VALUES <%s> (%s)", names(in), f.passing(first, in))
		if i > 0 && g.r.Intn(12) == 0 {
			how = "THROW_EXC " + f.excVal().name
		}
		inst := fmt.Sprintf("%sSWAPSTACK %s RET_WITH <%s> %s", lhs, co, names(c.out), how)
		// The coroutine itself is kept for the next time.
		f.clause(append(res, val{t: st, name: co}), inst, f.keep(3))
		co = f.cur.params[len(f.cur.params)-1].name
		for range g.r.Intn(3) {
			f.simple()
		}
		in, first = c.in, ""
	}
	if n < c.yields && g.r.Intn(3) == 0 {
		f.emit("COMMINST @uvm.kill_stack (%s)", co)
	}
	return true
}

// simple is a statement that does not end its block.
func (f *fn) simple() {
	[]func(*fn) bool{(*fn).intBin, (*fn).cmpInt, (*fn).fpBin, (*fn).convert, (*fn).choose}[f.g.r.Intn(5)](f)
}

// workerBody writes the function of a thread, which runs while the thread that
// made it waits, so that the order is fixed.
func (g *gen) workerBody() {
	i32 := g.int(32)
	f := &fn{g: g, name: g.worker, sig: g.sigOf([]*typ{g.int(64)}, nil), kind: bottom, palette: g.somePalette()}
	f.finish = func() {
		f.emit("STORE SEQ_CST <%s> %s %s", i32.name, g.flag, g.num(i32, 1))
		f.emit("%s = COMMINST @uvm.futex.wake <%s> (%s %s)", f.fresh(), i32.name, g.flag, g.num(i32, 1))
		f.emit("COMMINST @uvm.thread_exit")
	}
	f.plan(2, f.params(f.sig))
	entry := &block{label: "%entry"}
	p := val{t: g.int(64), name: f.fresh()}
	entry.params = []val{p}
	f.blocks = []*block{entry}
	f.cur = entry
	if len(g.weave.list) > 0 {
		f.scope = []val{p}
		for range 1 + g.r.Intn(2) {
			f.drive()
		}
		p = f.get(p.t)
	}
	f.emit("BRANCH %s(%s)", f.planned[0].label, p.name)
	f.fill(g.size)
	f.print()
}

// runThread makes a thread and waits for its end.
func (f *fn) runThread() {
	g := f.g
	i1, i32, i64 := g.int(1), g.int(32), g.int(64)
	f.emit("STORE SEQ_CST <%s> %s %s", i32.name, g.flag, g.num(i32, 0))
	s := f.hidden("COMMINST @uvm.new_stack <[%s]> (%s)", g.sigOf([]*typ{i64}, nil).name, g.worker)
	local := ""
	if g.r.Intn(2) == 0 {
		local = fmt.Sprintf(" THREADLOCAL(%s)", f.held(g.ref(g.exc)).name)
	}
	f.def(g.thread(), "NEWTHREAD %s%s PASS_VALUES <%s> (%s)", s, local, i64.name, g.konst(i64))
	wait, sleep, on := f.newBlock(nil, false), f.newBlock(nil, false), f.newBlock(nil, false)
	to := func(b *block) string { return b.label + "(" + strings.Join(f.now, " ") + ")" }
	f.emit("BRANCH %s", to(wait))
	f.start(wait)
	c := f.hidden("LOAD SEQ_CST <%s> %s", i32.name, g.flag)
	d := f.hidden("EQ <%s> %s %s", i32.name, c, g.num(i32, 0))
	_ = i1
	f.emit("BRANCH2 %s %s %s", d, to(sleep), to(on))
	f.start(sleep)
	f.hidden("COMMINST @uvm.futex.wait <%s> (%s %s)", i32.name, g.flag, g.num(i32, 0))
	f.emit("BRANCH %s", to(wait))
	f.start(on)
}
