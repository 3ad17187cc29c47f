package randprog

import (
	"fmt"
	"strings"
)

// A callee is a function that statements may call.
type callee struct {
	name  string
	sig   *sig
	kind  fnKind
	order int
}

// callees returns the functions of a signature that f may name, or of any signature if s is nil.
func (g *gen) callees(s *sig, f *fn) []callee {
	var l []callee
	for _, c := range g.funcs_ {
		if (s == nil || c.sig == s) && (f.kind != leaf || c.kind == leaf && c.order < f.order && !f.loops && f.calls < 2) {
			l = append(l, c)
		}
	}
	return l
}

// args makes arguments for a signature. If leaving is set, they must outlive the frame.
func (f *fn) args(s *sig, leaving bool) string {
	var l []string
	for _, p := range f.params(s) {
		if leaving {
			p.local = false
		}
		l = append(l, f.fit(p).name)
	}
	return strings.Join(l, " ")
}

// keep returns a random keep-alive clause.
func (f *fn) keep(most int) string {
	if most == 0 || f.g.r.Intn(3) == 0 {
		return ""
	}
	var l []string
	for _, v := range f.carry(most) {
		l = append(l, v.name)
	}
	return " KEEPALIVE(" + strings.Join(l, " ") + ")"
}

func (f *fn) call() bool {
	l := f.g.callees(nil, f)
	if len(l) == 0 {
		return false
	}
	c := l[f.g.r.Intn(len(l))]
	f.invoke(c.sig, c.name)
	return true
}

func (f *fn) callIndirect() bool {
	if f.kind == leaf {
		return false
	}
	v, ok := f.operand(func(t *typ) bool { return t.kind == kFunc && len(f.g.callees(t.sig, f)) > 0 })
	if !ok {
		return false
	}
	v = f.notNull(v)
	f.invoke(v.t.sig, v.name)
	return true
}

// invoke emits a CALL.
func (f *fn) invoke(s *sig, name string) {
	f.callWith("CALL", "<"+s.name+"> "+name, s, f.args(s, false))
}

// callWith emits a call and brings its results into scope.
func (f *fn) callWith(op, what string, s *sig, args string) {
	g := f.g
	var res []val
	var names []string
	for _, t := range s.results {
		v := val{t: t, name: f.fresh()}
		res = append(res, v)
		names = append(names, v.name)
	}
	f.calls++
	inst := fmt.Sprintf("%s %s (%s)", op, what, args)
	switch len(names) {
	case 0:
	case 1:
		inst = names[0] + " = " + inst
	default:
		inst = "(" + strings.Join(names, " ") + ") = " + inst
	}
	if f.kind == bottom || g.has[grExc] > 0 && g.r.Intn(3) == 0 {
		f.clause(res, inst, f.keep(3))
		return
	}
	f.emit("%s%s", inst, f.keep(3))
	f.scope = append(f.scope, res...)
}

// failing calls the function that throws from some frames deeper.
func (f *fn) failing() bool {
	g := f.g
	if f.kind == leaf {
		return false
	}
	i32, i64 := g.int(32), g.int(64)
	r := val{t: i64, name: f.fresh()}
	f.clause([]val{r}, fmt.Sprintf("%s = CALL <%s> %s (%s %s)", r.name, g.raiseSig.name, g.raise,
		g.num(i32, int64(g.r.Intn(6))), f.get(i64).name), "")
	return true
}

// excVal makes an object to throw.
func (f *fn) excVal() val {
	g := f.g
	t := g.ref(g.exc)
	if v, ok := f.find(func(v val) bool { return v.t == t }); ok && g.r.Intn(2) == 0 {
		return v
	}
	if g.r.Intn(10) == 0 || f.quiet {
		return val{t: t, name: g.named(t, "NULL"), konst: true}
	}
	v := f.alloc(t)
	i64 := g.int(64)
	l := f.hidden("GETIREF <%s> %s", g.exc.name, v.name)
	p := f.hidden("GETFIELDIREF <%s 0> %s", g.exc.name, l)
	f.emit("STORE <%s> %s %s", i64.name, p, f.get(i64).name)
	return v
}

// caught inspects a caught exception, which is NULL or made by excVal.
func (f *fn) caught(exc string) {
	g := f.g
	rv, re := g.ref(g.void()), g.ref(g.exc)
	c := f.hidden("EQ <%s> %s %s", rv.name, exc, g.named(rv, "NULL"))
	f.add(val{t: g.int(1), name: c})
	h := f.hidden("LOAD <%s> %s", re.name, g.holder(g.exc))
	hv := f.hidden("REFCAST <%s %s> %s", re.name, rv.name, h)
	s := f.hidden("SELECT <%s %s> %s %s %s", g.int(1).name, rv.name, c, hv, exc)
	e := f.hidden("REFCAST <%s %s> %s", rv.name, re.name, s)
	f.add(val{t: re, name: e, nn: true})
	i64 := g.int(64)
	l := f.hidden("GETIREF <%s> %s", g.exc.name, e)
	p := f.hidden("GETFIELDIREF <%s 0> %s", g.exc.name, l)
	f.def(i64, "LOAD <%s> %s", i64.name, p)
}

func (f *fn) trap() bool {
	name := ""
	if f.g.r.Intn(4) > 0 {
		name = fmt.Sprintf("[%%t%d] ", f.n)
		f.n++
	}
	f.emit("%sTRAP <>%s", name, f.keep(4))
	return true
}

// asInt64 makes an int<64> that depends on a value.
func (f *fn) asInt64(v val) string {
	g := f.g
	t := g.int(64)
	switch v.t.kind {
	case kInt:
		switch {
		case v.t.bits < 64:
			return f.hidden("SEXT <%s %s> %s", v.t.name, t.name, v.name)
		case v.t.bits > 64:
			n := g.num(v.t, int64(v.t.bits-64))
			s := f.hidden("LSHR <%s> %s %s", v.t.name, v.name, n)
			x := f.hidden("XOR <%s> %s %s", v.t.name, s, v.name)
			return f.hidden("TRUNC <%s %s> %s", v.t.name, t.name, x)
		}
		return v.name
	case kFloat, kDouble:
		return f.hidden("FPTOSI <%s %s> %s", v.t.name, t.name, v.name)
	case kStruct:
		i := g.r.Intn(len(v.t.fields))
		return f.asInt64(val{t: v.t.fields[i], name: f.hidden("EXTRACTVALUE <%s %d> %s", v.t.name, i, v.name)})
	case kArray, kVector:
		k := g.int(32)
		i := g.num(k, int64(g.r.Intn(v.t.n)))
		return f.asInt64(val{t: v.t.elem, name: f.hidden("EXTRACTELEMENT <%s %s> %s %s", v.t.name, k.name, v.name, i)})
	case kTag:
		b := f.hidden("COMMINST @uvm.tr64.is_%s (%s)", g.one([]string{"fp", "int", "ref"}), v.name)
		return f.hidden("ZEXT <%s %s> %s", g.int(1).name, t.name, b)
	case kUPtr, kUFunc:
		return f.hidden("PTRCAST <%s %s> %s", v.t.name, t.name, v.name)
	}
	b := f.hidden("EQ <%s> %s %s", v.t.name, v.name, g.named(v.t, "NULL"))
	return f.hidden("ZEXT <%s %s> %s", g.int(1).name, t.name, b)
}

// mix adds a value to the program's checksum: often one of a type that is rarely
// used elsewhere, whose wrong values would otherwise not be noticed.
func (f *fn) mix() {
	rare := func(v val) bool {
		e := lane(v.t)
		return !v.konst && e.kind == kInt && (e != v.t || e.bits != 1 && e.bits != 32 && e.bits != 64)
	}
	v, ok := val{}, false
	if f.g.r.Intn(2) == 0 {
		v, ok = f.find(rare)
	}
	if !ok {
		v, ok = f.find(func(v val) bool { return !v.konst })
	}
	if !ok {
		return
	}
	g := f.g
	t := g.int(64)
	size := len(f.scope)
	defer func() { f.scope = f.scope[:size] }()
	x := f.asInt64(v)
	o := f.hidden("LOAD <%s> %s", t.name, g.sum)
	m := f.hidden("MUL <%s> %s %s", t.name, o, g.num(t, 31))
	n := f.hidden("XOR <%s> %s %s", t.name, m, x)
	f.emit("STORE <%s> %s %s", t.name, g.sum, n)
}

// ret returns from the function.
func (f *fn) ret() {
	if f.finish != nil {
		f.finish()
		return
	}
	var l []string
	for _, t := range f.sig.results {
		l = append(l, f.outside(t).name)
	}
	if len(l) == 1 && f.g.r.Intn(2) == 0 {
		f.emit("RET %s", l[0])
		return
	}
	f.emit("RET (%s)", strings.Join(l, " "))
}

// end ends the current block.
func (f *fn) end() {
	g := f.g
	if g.r.Intn(3) == 0 {
		f.mix()
	}
	later := f.later()
	if len(later) == 0 {
		f.leave()
		return
	}
	if g.r.Intn(12) == 0 {
		f.leave()
		return
	}
	// Prefer nearby blocks, otherwise most blocks would be skipped.
	pick := func() *block {
		if g.r.Intn(2) == 0 {
			return later[0]
		}
		return later[g.r.Intn(len(later))]
	}
	if f.loops && len(f.planned) > 1 && g.r.Intn(5) < 3 {
		f.back(pick)
		return
	}
	switch g.r.Intn(6) {
	case 0:
		f.emit("BRANCH %s", f.dest(pick()))
	case 1, 2:
		f.switchTo(pick)
	default:
		c := f.get(g.int(1))
		a, b := f.dest(pick()), f.dest(pick())
		f.emit("BRANCH2 %s %s %s", c.name, a, b)
	}
}

// back decrements a counter and ends the block with an edge that may go backwards.
func (f *fn) back(pick func() *block) {
	g := f.g
	t := g.int(32)
	any := func() *block { return f.planned[g.r.Intn(len(f.planned))] }
	left := f.hidden("SUB <%s> %s %s", t.name, f.now[0], g.num(t, 1))
	f.now[0] = left
	c := f.hidden("SGT <%s> %s %s", t.name, left, g.num(t, 0))
	if g.r.Intn(4) == 0 {
		// A switch with back edges, after the test.
		b, good := f.next(nil)
		out := f.dest(pick())
		f.emit("BRANCH2 %s %s %s", c, good, out)
		f.start(b)
		f.switchTo(any)
		return
	}
	if g.r.Intn(2) == 0 {
		d := f.get(g.int(1))
		c = f.hidden("AND <%s> %s %s", g.int(1).name, c, d.name)
	}
	a, b := f.dest(any()), f.dest(pick())
	f.emit("BRANCH2 %s %s %s", c, a, b)
}

// switchTo ends the block with a SWITCH.
func (f *fn) switchTo(pick func() *block) {
	g := f.g
	v, ok := f.operand(func(t *typ) bool { return t.kind == kInt || t.kind == kFunc || t.kind == kRef && g.r.Intn(4) == 0 })
	if !ok || g.has[grSwitch] == 0 {
		f.emit("BRANCH %s", f.dest(pick()))
		return
	}
	var keys []string
	switch v.t.kind {
	case kInt:
		most := int64(5)
		if v.t.bits < 3 {
			most = 1<<uint(v.t.bits) - 1
		}
		for k := range most {
			if g.r.Intn(3) > 0 {
				keys = append(keys, g.num(v.t, k))
			}
		}
		if v.t.bits > 3 && g.r.Intn(3) > 0 {
			v = f.def(v.t, "AND <%s> %s %s", v.t.name, v.name, g.num(v.t, 7))
		}
	case kFunc:
		for _, c := range g.callees(v.t.sig, f) {
			keys = append(keys, c.name)
		}
		keys = append(keys, g.named(v.t, "NULL"))
	default:
		keys = append(keys, g.named(v.t, "NULL"))
	}
	var cases []string
	def := f.dest(pick())
	for _, k := range keys {
		cases = append(cases, k+" "+f.dest(pick()))
	}
	f.emit("SWITCH <%s> %s %s { %s }", v.t.name, v.name, def, strings.Join(cases, " "))
}

// leave ends the block and the frame.
func (f *fn) leave() {
	g := f.g
	if f.kind == bottom || f.quiet {
		f.ret()
		return
	}
	if g.has[grExc] > 0 && g.r.Intn(10) == 0 {
		f.emit("THROW %s", f.excVal().name)
		return
	}
	if g.has[grTail] > 0 && g.r.Intn(3) == 0 && f.tail() {
		return
	}
	f.ret()
}

// tail ends the block with a TAILCALL, if there is a suitable function.
func (f *fn) tail() bool {
	g := f.g
	same := func(s *sig) bool { return names(s.results) == names(f.sig.results) }
	if f.kind != leaf && g.r.Intn(2) == 0 {
		if v, ok := f.find(func(v val) bool {
			return v.t.kind == kFunc && same(v.t.sig) && len(g.callees(v.t.sig, f)) > 0
		}); ok {
			v = f.notNull(v)
			a := f.args(v.t.sig, true)
			f.emit("TAILCALL <%s> %s (%s)", v.t.sig.name, v.name, a)
			return true
		}
	}
	var l []callee
	for _, c := range g.callees(nil, f) {
		if same(c.sig) {
			l = append(l, c)
			if c.name == f.name {
				l = append(l, c, c, c)
			}
		}
	}
	if len(l) == 0 {
		return false
	}
	c := l[g.r.Intn(len(l))]
	a := f.args(c.sig, true)
	f.emit("TAILCALL <%s> %s (%s)", c.sig.name, c.name, a)
	return true
}
