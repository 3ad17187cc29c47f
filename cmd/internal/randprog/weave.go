package randprog

import (
	"fmt"
	"math/rand"
	"strings"
)

// A weaver is a function that yields at any place in its loops, branches and
// handlers. All weavers of a program follow the same protocol, so that any may
// replace any other:
//
//   - its parameters are the stack to yield to, and whether it is the bottom of a stack;
//   - a yield passes 1 and the protocol's values, and receives the stack to yield to
//     from then on, which is in the program's cell for it as well, and the
//     protocol's other values; or an exception;
//   - at its end a weaver at the bottom of a stack passes 0 and the values, or throws, to
//     the stack that it yields to, and its stack ends; a weaver that was called returns the
//     stack to yield to, or throws, with that stack in the cell.
//
// A function that resumes a weaver stores its own stack in the cell first. A weaver
// that can be resumed may be in the program's pool, from where any function and any
// weaver may take it.
type weaver struct {
	name  string
	sig   *sig // stack, int<1>, then arguments; its result is a stack
	plain bool // its body calls nothing and stops only at its swaps
}

// weaving holds the data that the weavers of a program share.
type weaving struct {
	list      []weaver
	out, in   []*typ // values of yields and of resumptions, with the first ones
	who, pool string // cells
}

// declareWeavers decides at random whether a program has weavers. It uses separate
// random numbers, so programs without weavers do not depend on this file.
func (g *gen) declareWeavers() {
	r := rand.New(rand.NewSource(g.seed ^ 0x7765617665))
	if g.has[grStack] == 0 || r.Intn(5) > 1 {
		return
	}
	g.has[grWeave] = 1 + r.Intn(4)
	// Programs that inspect stacks, or have several threads, are translated differently.
	g.has[grMeta], g.kind = 0, WeavesAlone
	if r.Intn(2) == 0 {
		g.has[grThread], g.kind = 1, Weaves
	} else {
		g.has[grThread], g.has[grNative] = 0, 0
	}
	some := func(first *typ, most int) []*typ {
		l := []*typ{first}
		for range r.Intn(most + 1) {
			l = append(l, g.vals[r.Intn(len(g.vals))])
		}
		return l
	}
	st, i1 := g.stack(), g.int(1)
	w := &g.weave
	w.out, w.in = some(i1, 4), some(st, 3)
	w.who, w.pool = g.prefix+"who", g.prefix+"pool"
	fmt.Fprintf(&g.defs, ".global %s <%s>\n.global %s <%s>\n", w.who, st.name, w.pool, st.name)
	for i := range 1 + r.Intn(3) {
		params := append([]*typ{st}, some(i1, 4)...)
		w.list = append(w.list, weaver{fmt.Sprintf("%sw%d", g.prefix, i), g.sigOf(params, []*typ{st}), r.Intn(3) > 0})
	}
}

// weaveRuns lets the function that runs the program resume weavers.
func (g *gen) weaveRuns(f *fn) {
	if len(g.weave.list) == 0 {
		return
	}
	i64 := g.int(64)
	made := f.handler
	f.handler = 100 // after a failure, continue with the next weaver
	for i := range 3 + g.r.Intn(4) {
		next := f.newBlock(f.carry(4), false)
		next.level = i + 1
		f.planned = []*block{next}
		f.emit("STORE <%s> %s %s", i64.name, g.fuel, g.num(i64, int64(20+g.r.Intn(60))))
		f.drive()
		f.show(fmt.Sprintf("%%w%d", i))
		f.emit("BRANCH %s", f.dest(next))
		f.start(next)
	}
	f.planned, f.handler = nil, made
}

// weaverBody writes a weaver.
func (g *gen) weaverBody(w weaver) {
	count := g.int(32)
	f := &fn{g: g, name: w.name, sig: w.sig, kind: bottom, palette: g.somePalette(), weaves: true, plain: w.plain, wide: 16,
		loops: g.r.Intn(4) > 0}
	if f.loops {
		f.always = []val{{t: count}}
	}
	f.always = append(f.always, val{t: g.int(1)}, val{t: g.stack()})
	f.finish = func() { f.unweave() }
	entry := &block{label: "%entry"}
	for _, t := range w.sig.params {
		entry.params = append(entry.params, val{t: t, name: f.fresh()})
	}
	f.blocks, f.cur = []*block{entry}, entry
	f.scope = append(f.scope, entry.params[2:]...)
	if f.loops {
		f.now = []string{g.num(count, int64(2+g.r.Intn(g.rounds)))}
	}
	f.now = append(f.now, entry.params[1].name, entry.params[0].name)
	f.plan(2+g.r.Intn(g.maxBlocks), entry.params[2:])
	out := f.newBlock(nil, false)
	f.takeFuel(f.destWith(out), f.dest(f.planned[0]))
	f.start(out)
	f.finish()
	f.fill(g.size)
	f.print()
}

// driver returns the name of the stack that a weaver yields to.
func (f *fn) driver() *string { return &f.now[len(f.now)-1] }

// destWith is like dest, with given last arguments.
func (f *fn) destWith(b *block, last ...string) string {
	args := append([]string(nil), f.now...)
	ps := b.params[len(f.always):]
	for _, p := range ps[:len(ps)-len(last)] {
		if p.t.kind == kStack && f.weaves {
			args = append(args, *f.driver())
			continue
		}
		args = append(args, f.fit(p).name)
	}
	return fmt.Sprintf("%s(%s)", b.label, strings.Join(append(args, last...), " "))
}

// unweave ends a weaver.
func (f *fn) unweave() {
	g := f.g
	w := &g.weave
	throws := g.r.Intn(8) == 0
	die, ret := f.newBlock(f.carry(4), false), f.newBlock(nil, false)
	a := f.destWith(die)
	f.emit("BRANCH2 %s %s %s", f.now[len(f.now)-2], a, f.destWith(ret))
	f.start(die)
	if throws {
		e := f.excVal()
		f.emit("SWAPSTACK %s KILL_OLD THROW_EXC %s", *f.driver(), e.name)
	} else {
		f.emit("SWAPSTACK %s KILL_OLD PASS_VALUES <%s> (%s)", *f.driver(), names(w.out), f.passing(g.num(g.int(1), 0), w.out))
	}
	f.start(ret)
	if throws {
		e := f.excVal()
		f.emit("STORE <%s> %s %s", g.stack().name, w.who, *f.driver())
		f.emit("THROW %s", e.name)
	} else {
		f.emit("RET %s", *f.driver())
	}
}

// yield is a statement of weavers: it yields, or calls another weaver that does
// so.
func (f *fn) yield() bool {
	g := f.g
	w := &g.weave
	if !f.weaves {
		return false
	}
	if !f.plain && g.r.Intn(6) == 0 {
		c := w.list[g.r.Intn(len(w.list))]
		args := append([]string{*f.driver(), g.num(g.int(1), 0)}, strings.Fields(f.passing("", c.sig.params[2:]))...)
		res, lhs := f.resultsOf(c.sig.results)
		f.resumed(res, fmt.Sprintf("%sCALL <%s> %s (%s)", lhs, c.sig.name, c.name, strings.Join(args, " ")), false)
		return true
	}
	vals := f.passing(g.num(g.int(1), 1), w.out)
	how := fmt.Sprintf("PASS_VALUES <%s> (%s)", names(w.out), vals)
	if g.has[grExc] > 0 && g.r.Intn(16) == 0 {
		how = "THROW_EXC " + f.excVal().name
	}
	res, lhs := f.resultsOf(w.in)
	f.resumed(res, fmt.Sprintf("%sSWAPSTACK %s RET_WITH <%s> %s", lhs, *f.driver(), names(w.in), how), g.r.Intn(2) == 0)
	return true
}

// resumed emits an instruction after which a weaver has another stack to yield
// to: its first result or, for example after an exception, the stack in the cell.
func (f *fn) resumed(res []val, inst string, cell bool) {
	g := f.g
	bad := f.newBlock(f.carry(6), g.r.Intn(4) > 0)
	bad.level = f.cur.level
	to := f.destWith(bad)
	b, good := f.next(res)
	f.emit("%s EXC(%s %s)%s", inst, good, to, f.keep(3))
	reload := func() { *f.driver() = f.hidden("LOAD <%s> %s", g.stack().name, g.weave.who) }

	f.start(bad)
	reload()
	if bad.exc != "" {
		f.caught(bad.exc)
	}
	for range g.r.Intn(3) {
		f.simple()
	}
	switch later := f.later(); {
	case g.r.Intn(5) == 0:
		f.finish()
	case len(later) > 0 && g.r.Intn(3) == 0:
		f.emit("BRANCH %s", f.destWith(later[g.r.Intn(len(later))]))
	default:
		f.emit("BRANCH %s", f.destWith(b))
	}

	f.start(b)
	first := b.params[len(b.params)-len(res)].name
	if cell {
		reload()
	} else {
		*f.driver() = first
	}
}

// drive resumes a weaver a number of times: a new one, or the one in the pool.
func (f *fn) drive() bool {
	g := f.g
	w := &g.weave
	if len(w.list) == 0 || f.kind == leaf {
		return false
	}
	i1, i32, st := g.int(1), g.int(32), g.stack()
	me := func() string {
		s := f.hidden("COMMINST @uvm.current_stack")
		f.emit("STORE <%s> %s %s", st.name, w.who, s)
		return s
	}
	var co, more string
	if g.r.Intn(4) > 0 {
		c := w.list[g.r.Intn(len(w.list))]
		args := strings.Fields(f.passing("", c.sig.params[2:]))
		s := f.hidden("COMMINST @uvm.new_stack <[%s]> (%s)", c.sig.name, c.name)
		args = append([]string{me(), g.num(i1, 1)}, args...)
		res, lhs := f.resultsOf(w.out)
		f.clause(append(res, val{t: st, name: s}), fmt.Sprintf("%sSWAPSTACK %s RET_WITH <%s> PASS_VALUES <%s> (%s)", lhs, s, names(w.out), names(c.sig.params), strings.Join(args, " ")), f.keep(3))
		last := len(f.cur.params) - 1
		co, more = f.cur.params[last].name, f.cur.params[last-len(w.out)].name
	} else {
		co = f.hidden("LOAD <%s> %s", st.name, w.pool)
		f.emit("STORE <%s> %s %s", st.name, w.pool, g.named(st, "NULL"))
		more = f.hidden("NE <%s> %s %s", st.name, co, g.named(st, "NULL"))
	}
	// head(..., more, stack, resumptions left)
	own := []val{{t: i1}, {t: st}, {t: i32}}
	block := func() (b *block, last []string) {
		b = f.newBlock(append(f.carry(f.most()), own...), false)
		b.level = f.cur.level
		for _, p := range b.params[len(b.params)-3:] {
			last = append(last, p.name)
		}
		return b, last
	}
	head, h := block()
	f.emit("BRANCH %s", f.destWith(head, more, co, g.num(i32, int64(g.r.Intn(12)))))
	f.start(head)
	left := f.hidden("SGT <%s> %s %s", i32.name, h[2], g.num(i32, 0))
	c := f.hidden("AND <%s> %s %s", i1.name, left, h[0])
	swap, s := block()
	out, o := block()
	toSwap := f.destWith(swap, h...)
	f.emit("BRANCH2 %s %s %s", c, toSwap, f.destWith(out, h...))

	f.start(swap)
	k := f.hidden("SUB <%s> %s %s", i32.name, s[2], g.num(i32, 1))
	how := ""
	if g.r.Intn(10) == 0 {
		how = "THROW_EXC " + f.excVal().name
		me()
	} else {
		vals := f.passing("", w.in[1:])
		how = fmt.Sprintf("PASS_VALUES <%s> (%s)", names(w.in), strings.TrimSpace(me()+" "+vals))
	}
	res, lhs := f.resultsOf(w.out)
	f.clause(append(res, val{t: st, name: s[1]}, val{t: i32, name: k}), fmt.Sprintf("%sSWAPSTACK %s RET_WITH <%s> %s", lhs, s[1], names(w.out), how), f.keep(3))
	ps := f.cur.params[len(f.cur.params)-len(w.out)-2:]
	for range g.r.Intn(3) {
		f.simple()
	}
	if g.r.Intn(2) == 0 {
		f.mix()
	}
	f.emit("BRANCH %s", f.destWith(head, ps[0].name, ps[len(ps)-2].name, ps[len(ps)-1].name))

	f.start(out)
	rest, on := f.newBlock([]val{{t: st}}, false), f.newBlock(f.carry(f.most()), false)
	rest.level, on.level = f.cur.level, f.cur.level
	keep := f.destWith(rest, o[1])
	f.emit("BRANCH2 %s %s %s", o[0], keep, f.destWith(on))
	f.start(rest)
	switch s := rest.params[len(rest.params)-1].name; g.r.Intn(4) {
	case 0:
		if !f.plain {
			f.emit("COMMINST @uvm.kill_stack (%s)", s)
		}
	case 1:
	default:
		f.emit("STORE <%s> %s %s", st.name, w.pool, s)
	}
	f.emit("BRANCH %s", f.destWith(on))
	f.start(on)
	return true
}
