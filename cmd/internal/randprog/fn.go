package randprog

import (
	"fmt"
	"strings"
)

// A val is an operand: a constant, or a variable of the current block.
type val struct {
	t     *typ
	name  string
	nn    bool // reference that is not NULL
	local bool // iref that may point into a frame and must not outlive it
	konst bool
}

type fnKind uint8

const (
	// leaf functions do not decrement the program's counter, because their work
	// is bounded anyway. They have loops or a few calls of earlier leaves.
	leaf fnKind = iota
	// rec functions decrement the program's counter first and may call anything.
	rec
	// bottom functions are the first of a stack: nothing may be thrown or
	// returned out of them.
	bottom
)

// A block under construction. Params that are passed to every block of the
// function come first.
type block struct {
	label  string
	params []val
	exc    string // name of the exception parameter, or ""
	lines  []string
	level  int // planned blocks: index; edges to a higher level go forward
}

// A fn is a function under construction.
type fn struct {
	g       *gen
	name    string
	sig     *sig
	kind    fnKind
	order   int // leaves may call leaves with a lower one
	planned []*block
	pending []*block // handlers to be filled
	blocks  []*block // in the order of printing
	cur     *block
	scope   []val
	n       int
	nblocks int
	palette []*typ
	handler int // number of handlers made
	calls   int // number of calls made

	// always are the variables passed to every block: the counter of back edges,
	// if loops, and those that the special functions need. now are their names in
	// the current block.
	always []val
	now    []string
	loops  bool
	// finish, if not nil, ends a block that returns in another way than by RET.
	finish func()
	// quiet functions make no objects and call nothing.
	quiet bool
	// weaves marks weavers; the last two variables of always tell whether they are
	// at the bottom of a stack, and which stack they yield to.
	weaves bool
	// plain functions call nothing and have no cells.
	plain bool
	// wide, if not 0, is the largest number of values that a block passes on, instead of the usual number.
	wide int
}

func (f *fn) fresh() string {
	f.n++
	return fmt.Sprintf("%%v%d", f.n)
}

func (f *fn) emit(format string, args ...any) {
	f.cur.lines = append(f.cur.lines, fmt.Sprintf(format, args...))
}

// def emits an instruction with one result, which comes into scope.
func (f *fn) def(t *typ, format string, args ...any) val {
	v := val{t: t, name: f.hidden(format, args...)}
	f.scope = append(f.scope, v)
	return v
}

// hidden emits an instruction with one result and leaves it out of scope.
func (f *fn) hidden(format string, args ...any) string {
	n := f.fresh()
	f.emit("%s = %s", n, fmt.Sprintf(format, args...))
	return n
}

// add brings a value into scope.
func (f *fn) add(v val) val {
	f.scope = append(f.scope, v)
	return v
}

// newBlock makes a block with parameters like the given values and for those in
// always.
func (f *fn) newBlock(like []val, exc bool) *block {
	f.nblocks++
	b := &block{label: fmt.Sprintf("%%b%d", f.nblocks)}
	for _, v := range append(append([]val(nil), f.always...), like...) {
		v.name, v.konst = f.fresh(), false
		b.params = append(b.params, v)
	}
	if exc {
		b.exc = f.fresh()
	}
	return b
}

// start begins to fill a block.
func (f *fn) start(b *block) {
	f.cur = b
	f.blocks = append(f.blocks, b)
	f.scope = nil
	f.now = nil
	for i, p := range b.params {
		if i < len(f.always) {
			f.now = append(f.now, p.name)
		} else {
			f.scope = append(f.scope, p)
		}
	}
	if b.exc != "" {
		f.scope = append(f.scope, val{t: f.g.ref(f.g.void()), name: b.exc})
	}
}

// dest writes a destination with arguments chosen for its parameters. Making
// them may emit instructions.
func (f *fn) dest(b *block) string {
	args := append([]string(nil), f.now...)
	for _, p := range b.params[len(f.always):] {
		args = append(args, f.fit(p).name)
	}
	return fmt.Sprintf("%s(%s)", b.label, strings.Join(args, " "))
}

// fit finds a value that may be passed for p.
func (f *fn) fit(p val) val {
	var l []val
	for _, v := range f.scope {
		if v.t == p.t && (v.nn || !p.nn) && (!v.local || p.local) {
			l = append(l, v)
		}
	}
	if len(l) > 0 && (f.g.r.Intn(8) != 0 || p.nn) {
		return l[f.g.r.Intn(len(l))]
	}
	v := f.make(p.t)
	if p.nn {
		v = f.notNull(v)
	}
	return v
}

// outside finds a value that may leave the frame.
func (f *fn) outside(t *typ) val { return f.fit(val{t: t}) }

// get finds or makes a value of a type.
func (f *fn) get(t *typ) val { return f.fit(val{t: t, local: true}) }

// find picks a value in scope with a property.
func (f *fn) find(ok func(val) bool) (val, bool) {
	var l []val
	for _, v := range f.scope {
		if ok(v) {
			l = append(l, v)
		}
	}
	if len(l) == 0 {
		return val{}, false
	}
	if f.g.r.Intn(2) == 0 {
		return l[len(l)-1], true // the newest: chains of dependent instructions
	}
	return l[f.g.r.Intn(len(l))], true
}

// make makes a value without using others: a constant, or a few instructions.
func (f *fn) make(t *typ) val {
	g := f.g
	switch {
	case t.kind == kFunc && g.r.Intn(4) > 0:
		if c := g.callees(t.sig, f); len(c) > 0 {
			return val{t: t, name: c[g.r.Intn(len(c))].name, nn: true, konst: true}
		}
	case t.kind == kIRef && g.r.Intn(4) > 0:
		return val{t: t, name: g.cell(t.elem), nn: true, konst: true}
	case t.kind == kRef && t.elem.kind != kVoid && g.r.Intn(3) > 0 && !f.quiet:
		return f.alloc(t)
	case t.kind == kRef && t.elem.kind != kVoid && g.r.Intn(2) > 0:
		return f.held(t)
	case t.kind == kTag:
		return f.def(t, "COMMINST @uvm.tr64.from_int (%s)", g.konst(g.int(52)))
	case !hasConst(t) || t.kind != kUPtr && g.r.Intn(2) == 0:
		return f.def(t, "LOAD <%s> %s", t.name, g.cell(t))
	}
	return val{t: t, name: g.konst(t), konst: true}
}

// held returns the object of the type that the program keeps alive all the time.
func (f *fn) held(t *typ) val {
	v := f.def(t, "LOAD <%s> %s", t.name, f.g.holder(t.elem))
	v.nn = true
	f.scope[len(f.scope)-1] = v
	return v
}

// notNull makes a reference that is not NULL from one that may be.
func (f *fn) notNull(v val) val {
	if v.nn {
		return v
	}
	g := f.g
	var other val
	switch v.t.kind {
	case kRef:
		other = f.held(v.t)
	case kIRef:
		other = val{t: v.t, name: g.cell(v.t.elem), nn: true, konst: true}
	case kFunc:
		c := g.callees(v.t.sig, f)
		if len(c) == 0 {
			return v
		}
		other = val{t: v.t, name: c[g.r.Intn(len(c))].name, nn: true, konst: true}
	default:
		return v
	}
	null := g.named(v.t, "NULL")
	var r string
	if g.r.Intn(2) == 0 {
		c := f.hidden("EQ <%s> %s %s", v.t.name, v.name, null)
		r = f.hidden("SELECT <%s %s> %s %s %s", g.int(1).name, v.t.name, c, other.name, v.name)
	} else {
		c := f.hidden("NE <%s> %s %s", v.t.name, v.name, null)
		r = f.hidden("SELECT <%s %s> %s %s %s", g.int(1).name, v.t.name, c, v.name, other.name)
	}
	return f.add(val{t: v.t, name: r, nn: true, local: v.local})
}

// carry picks values for a block that continues where the current one stops.
func (f *fn) carry(most int) []val {
	var vars []val
	for _, v := range f.scope {
		if !v.konst {
			vars = append(vars, v)
		}
	}
	r := f.g.r
	r.Shuffle(len(vars), func(i, j int) { vars[i], vars[j] = vars[j], vars[i] })
	return vars[:min(len(vars), r.Intn(most+1))]
}

// most returns the largest number of values that are passed from block to block.
func (f *fn) most() int {
	if f.wide > 0 {
		return f.wide
	}
	return 7
}

// later returns the planned blocks after the current one.
func (f *fn) later() []*block {
	var l []*block
	for _, b := range f.planned {
		if b.level > f.cur.level {
			l = append(l, b)
		}
	}
	return l
}

// next makes a block that continues where the current one stops, with results of
// its last instruction, and returns the destination that leads there.
func (f *fn) next(results []val) (*block, string) {
	c := f.carry(f.most())
	b := f.newBlock(append(c, results...), false)
	b.level = f.cur.level
	args := append([]string(nil), f.now...)
	for _, v := range append(c, results...) {
		args = append(args, v.name)
	}
	return b, fmt.Sprintf("%s(%s)", b.label, strings.Join(args, " "))
}

// onFail returns a destination for exceptions: a later block, or a new handler.
func (f *fn) onFail() string {
	g := f.g
	later := f.later()
	if len(later) > 0 && (f.handler > 5 || g.r.Intn(3) == 0) {
		return f.dest(later[g.r.Intn(len(later))])
	}
	f.handler++
	c := f.carry(4)
	b := f.newBlock(c, g.r.Intn(4) > 0)
	b.level = f.cur.level
	f.pending = append(f.pending, b)
	args := append([]string(nil), f.now...)
	for _, v := range c {
		args = append(args, v.name)
	}
	return fmt.Sprintf("%s(%s)", b.label, strings.Join(args, " "))
}

// clause writes an exception clause and starts the block after it. inst is the
// instruction up to the clause; results are its results, whose names are already
// in it. tail is the text after the clause.
func (f *fn) clause(results []val, inst, tail string) {
	bad := f.onFail()
	b, good := f.next(results)
	f.emit("%s EXC(%s %s)%s", inst, good, bad, tail)
	f.start(b)
}

// fill writes the body: the planned blocks, then the handlers.
func (f *fn) fill(size int) {
	for _, b := range f.planned {
		f.start(b)
		if f.weaves && f.g.r.Intn(2) == 0 {
			f.yield()
		}
		for range 1 + f.g.r.Intn(size) {
			f.statement()
			if f.g.r.Intn(2) == 0 {
				f.mix()
			}
		}
		f.end()
	}
	for len(f.pending) > 0 {
		b := f.pending[0]
		f.pending = f.pending[1:]
		f.start(b)
		if b.exc != "" {
			f.caught(b.exc)
		}
		for range f.g.r.Intn(3) {
			f.statement()
		}
		f.end()
	}
}

// plan makes n blocks with random parameters; the first has those of the function.
func (f *fn) plan(n int, params []val) {
	g := f.g
	for i := range n {
		var like []val
		if i == 0 {
			like = params
		} else {
			for range g.r.Intn(7) {
				t := f.palette[g.r.Intn(len(f.palette))]
				like = append(like, val{t: t, nn: t.kind == kIRef || nullable(t) && t.kind == kRef && t.elem.kind != kVoid && g.r.Intn(2) == 0, local: t.kind == kIRef})
			}
		}
		b := f.newBlock(like, false)
		b.level = i
		f.planned = append(f.planned, b)
	}
}

// params makes the formal parameters of a function of the signature.
func (f *fn) params(s *sig) []val {
	var l []val
	for _, t := range s.params {
		l = append(l, val{t: t, nn: t.kind == kIRef, local: t.kind == kIRef})
	}
	return l
}

// function writes an ordinary function.
func (g *gen) function(f *fn) {
	f.palette = g.somePalette()
	f.loops = g.r.Intn(3) > 0
	count := g.int(32)
	if f.loops {
		f.always = []val{{t: count}}
	}
	params := f.params(f.sig)
	n := 1 + g.r.Intn(g.maxBlocks)
	f.plan(n, params)
	entry := &block{label: "%entry"}
	for _, p := range params {
		p.name = f.fresh()
		entry.params = append(entry.params, p)
	}
	f.cur, f.scope, f.now = entry, nil, nil
	f.blocks = []*block{entry}
	f.scope = append(f.scope, entry.params...)
	rounds := 2 + g.r.Intn(g.rounds)
	if f.loops {
		f.now = []string{g.num(count, int64(rounds))}
	}
	var args []string
	for _, p := range entry.params {
		args = append(args, p.name)
	}
	first := fmt.Sprintf("%s(%s)", f.planned[0].label, strings.Join(append(append([]string(nil), f.now...), args...), " "))
	if f.kind == rec {
		out := &block{label: "%out"}
		f.takeFuel("%out()", first)
		save := f.now
		f.start(out)
		f.now = save
		f.ret()
	} else {
		f.emit("BRANCH %s", first)
	}
	f.fill(g.size)
	f.print()
}

// takeFuel decrements the program's counter of calls and ends the block.
func (f *fn) takeFuel(out, on string) {
	g := f.g
	i64 := g.int(64)
	left := f.hidden("LOAD <%s> %s", i64.name, g.fuel)
	less := f.hidden("SUB <%s> %s %s", i64.name, left, g.num(i64, 1))
	f.emit("STORE <%s> %s %s", i64.name, g.fuel, less)
	c := f.hidden("SLE <%s> %s %s", i64.name, left, g.num(i64, 0))
	f.emit("BRANCH2 %s %s %s", c, out, on)
}

// print writes the text of the function.
func (f *fn) print() {
	w := &f.g.funcs
	fmt.Fprintf(w, ".funcdef %s VERSION %%v1 <%s> {\n", f.name, f.sig.name)
	for _, b := range f.blocks {
		var l []string
		for _, p := range b.params {
			l = append(l, fmt.Sprintf("<%s> %s", p.t.name, p.name))
		}
		fmt.Fprintf(w, "  %s(%s)", b.label, strings.Join(l, " "))
		if b.exc != "" {
			fmt.Fprintf(w, " [%s]", b.exc)
		}
		w.WriteString(":\n")
		for _, s := range b.lines {
			fmt.Fprintf(w, "    %s\n", s)
		}
	}
	w.WriteString("}\n")
}
