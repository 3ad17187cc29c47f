package randprog

import (
	"fmt"
	"math/rand"
	"strings"
)

// Programs in µVM IR of 2014. They are made of structured statements over variables, which
// are written with PHI nodes, landing pads and switches, and never fail. Their results are
// added up, and a trap shows the sum.

// GenerateOld makes the program of a seed in µVM IR of 2014.
func GenerateOld(seed int64, prefix string) Program {
	g := &oldGen{r: rand.New(rand.NewSource(seed)), prefix: prefix}
	fmt.Fprintf(&g.out, "// seed %d\n", seed)
	g.program()
	return Program{Seed: seed, Prefix: prefix, Text: g.out.String(), Run: prefix + "run", Kind: Old}
}

// bundleOld is Bundle for programs in µVM IR of 2014. All of them are run, because none fails.
func bundleOld(ps []Program) string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.Text)
	}
	b.WriteString(".funcdef @main <int<32> ()> () {\n%entry:\n    BRANCH %b0\n")
	for i, p := range ps {
		fmt.Fprintf(&b, "%%b%d:\n    %%%sstart = TRAP <void> %%r%d %%r%d KEEPALIVE ()\n%%r%d:\n    CALL <void ()> %s ()\n    BRANCH %%b%d\n", i, p.Prefix[1:], i, i, i, p.Run, i+1)
	}
	fmt.Fprintf(&b, "%%b%d:\n    RET <int<32>> 0\n}\n", len(ps))
	return b.String()
}

// oldGen makes one program.
type oldGen struct {
	r      *rand.Rand
	prefix string
	out    strings.Builder
	funcs  []oldFunc
	cells  []oldCell
	named  map[string]string // types that have names
}

type oldFunc struct {
	name   string
	ret    string
	params []string
	throws bool
}

type oldCell struct{ name, typ string }

var oldInts = []int{8, 16, 32, 64, 64, 32, 6, 52, 1}

func (g *oldGen) intType() string { return fmt.Sprintf("int<%d>", oldInts[g.r.Intn(len(oldInts))]) }

func (g *oldGen) valueType() string {
	switch g.r.Intn(6) {
	case 0:
		return "double"
	case 1:
		return "float"
	}
	return g.intType()
}

func bits(t string) int {
	n := 0
	fmt.Sscanf(t, "int<%d>", &n)
	return n
}

// shown returns the text of a type: sometimes its name, if it has one.
func (g *oldGen) shown(t string) string {
	if n := g.named[t]; n != "" && g.r.Intn(2) == 0 {
		return n
	}
	return t
}

func (g *oldGen) program() {
	g.named = map[string]string{}
	for i, t := range []string{"int<64>", "double", "int<8>", "struct<int<16> double>"} {
		if g.r.Intn(2) == 0 {
			g.named[t] = fmt.Sprintf("%st%d", g.prefix, i)
			fmt.Fprintf(&g.out, ".typedef %s = %s\n", g.named[t], t)
		}
	}
	for i := range 2 + g.r.Intn(4) {
		t := g.valueType()
		if bits(t) == 52 || bits(t) == 6 || bits(t) == 1 {
			t = "int<32>"
		}
		g.cells = append(g.cells, oldCell{fmt.Sprintf("%sg%d", g.prefix, i), t})
		fmt.Fprintf(&g.out, ".global %sg%d <%s>\n", g.prefix, i, g.shown(t))
	}
	fmt.Fprintf(&g.out, ".global %srow <array<int<64> 8>>\n.typedef %snode = struct<ref<%snode> int<64>>\n", g.prefix, g.prefix, g.prefix)
	g.common()
	for i := range 1 + g.r.Intn(5) {
		g.function(fmt.Sprintf("%sf%d", g.prefix, i))
	}
	g.run()
}

// A body is a function under construction. Variables have the name of the value that they
// have at the place being written.
type oldBody struct {
	*oldGen
	out    strings.Builder
	label  string // of the block being written
	n      int
	vars   []oldVar
	throws bool
	depth  int
	stmts  int
}

type oldVar struct{ typ, val string }

func (b *oldBody) put(format string, args ...any) { fmt.Fprintf(&b.out, "    "+format+"\n", args...) }

func (b *oldBody) name(kind string) string {
	b.n++
	return fmt.Sprintf("%%%s%d", kind, b.n)
}

func (b *oldBody) begin(label string) {
	fmt.Fprintf(&b.out, "%s:\n", label)
	b.label = label
}

// def writes an instruction with a result.
func (b *oldBody) def(format string, args ...any) string {
	n := b.name("v")
	b.put("%s = %s", n, fmt.Sprintf(format, args...))
	return n
}

func (g *oldGen) function(name string) {
	f := oldFunc{name: name, ret: g.intType(), throws: g.r.Intn(3) == 0}
	b := &oldBody{oldGen: g, throws: f.throws, label: "%entry"}
	var names []string
	for range 1 + g.r.Intn(4) {
		t := g.valueType()
		f.params = append(f.params, g.shown(t))
		n := b.name("p")
		names = append(names, n)
		b.vars = append(b.vars, oldVar{t, n})
	}
	b.vars = append(b.vars, oldVar{f.ret, b.literal(f.ret)}, oldVar{"int<64>", b.literal("int<64>")})
	b.stmts = 6 + g.r.Intn(25)
	b.block(3 + g.r.Intn(5))
	if to := g.tail(f); to != nil && g.r.Intn(3) == 0 {
		f.throws = f.throws || to.throws
		b.put("TAILCALL <%s> %s (%s)", g.sig(*to), to.name, b.arguments(*to))
	} else {
		b.put("RET <%s> %s", g.shown(f.ret), b.pick(f.ret))
	}
	fmt.Fprintf(&g.out, ".funcdef %s <%s> (%s) {\n", name, g.sig(f), strings.Join(names, " "))
	if g.r.Intn(2) == 0 { // the label of the entry block is optional
		g.out.WriteString("%entry:\n")
	}
	g.out.WriteString(b.out.String() + "}\n")
	g.funcs = append(g.funcs, f)
}

// tail returns a function that f may call in a tail call, or nil if there is none.
func (g *oldGen) tail(f oldFunc) *oldFunc {
	for i := range g.funcs {
		if g.funcs[i].ret == f.ret {
			return &g.funcs[i]
		}
	}
	return nil
}

func (g *oldGen) sig(f oldFunc) string {
	return f.ret + " (" + strings.Join(f.params, " ") + ")"
}

// run writes the function that calls the others and shows the result.
func (g *oldGen) run() {
	b := &oldBody{oldGen: g, label: "%entry"}
	b.vars = []oldVar{{"int<64>", "0"}, {"int<32>", "1"}, {"double", "2.5"}}
	b.stmts = 40
	b.block(4)
	sum := "0"
	for _, f := range g.funcs {
		for range 2 {
			r := b.callOf(f)
			wide := r
			if bits(f.ret) < 64 {
				wide = b.def("SEXT <%s int<64>> %s", f.ret, r)
			}
			sum = b.def("MUL <int<64>> %s 31", sum)
			sum = b.def("ADD <int<64>> %s %s", sum, wide)
		}
	}
	var keep []string
	for _, c := range g.cells {
		keep = append(keep, b.def("LOAD <%s> %s", c.typ, c.name))
	}
	keep = append(keep, sum)
	b.put("%s = TRAP <void> %%end %%end KEEPALIVE (%s)", b.name("t"), strings.Join(keep, " "))
	b.begin("%end")
	b.put("RETVOID")
	fmt.Fprintf(&g.out, ".funcdef %srun <void ()> () {\n%%entry:\n%s}\n", g.prefix, b.out.String())
}

// literal returns a constant of a type.
func (b *oldBody) literal(t string) string {
	switch t {
	case "float", "double":
		return []string{"0.0", "1.5", "-2.25", "1.0e10", "nan" + t[:1], "+inf" + t[:1], "-inf" + t[:1], "3.0"}[b.r.Intn(8)]
	}
	n := bits(t)
	switch b.r.Intn(4) {
	case 0:
		return fmt.Sprint(b.r.Intn(min(3, 1<<min(n, 2))))
	case 1:
		return fmt.Sprint(-1 - b.r.Int63()>>(64-n))
	}
	return fmt.Sprint(b.r.Int63() >> (64 - n))
}

// pick returns a value of a type: a variable, converted if necessary, or a constant.
func (b *oldBody) pick(t string) string {
	var l []string
	for _, v := range b.vars {
		if v.typ == t {
			l = append(l, v.val)
		}
	}
	if len(l) > 0 && b.r.Intn(5) > 0 {
		return l[b.r.Intn(len(l))]
	}
	if b.r.Intn(2) == 0 {
		return b.literal(t)
	}
	v := b.vars[b.r.Intn(len(b.vars))]
	return b.converted(v, t)
}

// converted returns the value of a variable converted to another type.
func (b *oldBody) converted(v oldVar, t string) string {
	from, to := bits(v.typ), bits(t)
	pick := func(ops ...string) string { return ops[b.r.Intn(len(ops))] }
	switch {
	case v.typ == t:
		return v.val
	case from > 0 && to > from:
		return b.def("%s <%s %s> %s", pick("ZEXT", "SEXT"), v.typ, b.shown(t), v.val)
	case from > 0 && to > 0:
		return b.def("TRUNC <%s %s> %s", v.typ, t, v.val)
	case from > 0:
		return b.def("%s <%s %s> %s", pick("UITOFP", "SITOFP"), v.typ, b.shown(t), v.val)
	case to > 0:
		return b.def("%s <%s %s> %s", pick("FPTOUI", "FPTOSI"), v.typ, b.shown(t), v.val)
	case t == "float":
		return b.def("FPTRUNC <double float> %s", v.val)
	}
	return b.def("FPEXT <float double> %s", v.val)
}

// set assigns a value to a variable of the type, perhaps to a new one.
func (b *oldBody) set(t, val string) {
	var l []int
	for i, v := range b.vars {
		if v.typ == t {
			l = append(l, i)
		}
	}
	if len(l) == 0 || len(b.vars) < 6 && b.depth == 0 && b.r.Intn(3) == 0 {
		if b.depth == 0 {
			b.vars = append(b.vars, oldVar{t, val})
		}
		return
	}
	b.vars[l[b.r.Intn(len(l))]].val = val
}

// block writes statements.
func (b *oldBody) block(n int) {
	for range n {
		if b.stmts--; b.stmts < 0 {
			return
		}
		b.statement()
	}
}

func (b *oldBody) statement() {
	switch k := b.r.Intn(28); {
	case k < 7:
		b.arith()
	case k < 9:
		b.compare()
	case k < 12 && b.depth < 3:
		b.branch()
	case k < 14 && b.depth < 3:
		b.loop()
	case k < 15 && b.depth < 3:
		b.switchOver()
	case k < 18:
		b.memory()
	case k < 20 && len(b.funcs) > 0:
		f := b.funcs[b.r.Intn(len(b.funcs))]
		b.set(f.ret, b.callOf(f))
	case k < 21 && b.throws && b.depth > 0 && b.depth < 3:
		b.throw()
	case k < 22:
		b.structs()
	case k < 23:
		b.tags()
	case k < 27:
		b.special()
	default:
		b.list()
	}
}

func (b *oldBody) arith() {
	t := b.valueType()
	if bits(t) == 0 {
		op := []string{"FADD", "FSUB", "FMUL", "FDIV", "FREM"}[b.r.Intn(5)]
		b.set(t, b.def("%s <%s> %s %s", op, b.shown(t), b.pick(t), b.pick(t)))
		return
	}
	op := []string{"ADD", "SUB", "MUL", "AND", "OR", "XOR", "SHL", "LSHR", "ASHR", "UDIV", "SDIV", "UREM", "SREM"}[b.r.Intn(13)]
	x, y := b.pick(t), b.pick(t)
	if strings.HasSuffix(op, "DIV") || strings.HasSuffix(op, "REM") {
		y = b.def("OR <%s> %s 1", t, y)
	}
	b.set(t, b.def("%s <%s> %s %s", op, b.shown(t), x, y))
}

func (b *oldBody) condition() string {
	t := b.valueType()
	ops := []string{"EQ", "NE", "SLT", "SLE", "SGT", "SGE", "ULT", "ULE", "UGT", "UGE"}
	if bits(t) == 0 {
		ops = []string{"FOEQ", "FUEQ", "FONE", "FUNE", "FOLT", "FULT", "FOGT", "FUGT", "FOLE", "FULE", "FOGE", "FUGE", "FORD", "FUNO", "FTRUE", "FFALSE"}
	}
	return b.def("%s <%s> %s %s", ops[b.r.Intn(len(ops))], b.shown(t), b.pick(t), b.pick(t))
}

func (b *oldBody) compare() {
	c := b.condition()
	if b.r.Intn(2) == 0 {
		b.set("int<1>", c)
		return
	}
	t := b.valueType()
	b.set(t, b.def("SELECT <%s> %s %s %s", b.shown(t), c, b.pick(t), b.pick(t)))
}

// A way is one of several paths that join: the block at its end, and the variables there.
type way struct {
	label string
	vars  []oldVar
}

func (b *oldBody) here() way { return way{b.label, append([]oldVar(nil), b.vars...)} }

// join begins a block where paths join, with a PHI node for each variable that differs, and
// for some that do not.
func (b *oldBody) join(label string, ways []way) {
	b.begin(label)
	vars := append([]oldVar(nil), ways[0].vars...)
	for i := range vars {
		same := true
		for _, w := range ways {
			same = same && w.vars[i].val == vars[i].val
		}
		if same && b.r.Intn(6) > 0 {
			continue
		}
		var in strings.Builder
		for _, k := range b.r.Perm(len(ways)) {
			fmt.Fprintf(&in, " %s: %s;", ways[k].label, ways[k].vars[i].val)
		}
		vars[i].val = b.def("PHI <%s> {%s }", b.shown(vars[i].typ), in.String())
	}
	b.vars = vars
}

func (b *oldBody) branch() {
	then, other, end := b.name("then"), b.name("else"), b.name("end")
	c := b.condition()
	before := b.here()
	b.depth++
	var ways []way
	if b.r.Intn(3) == 0 { // no else
		b.put("BRANCH2 %s %s %s", c, then, end)
		ways = append(ways, before)
	} else {
		b.put("BRANCH2 %s %s %s", c, then, other)
		b.begin(other)
		b.block(1 + b.r.Intn(3))
		ways = append(ways, b.here())
		b.put("BRANCH %s", end)
		b.vars = append([]oldVar(nil), before.vars...)
	}
	b.begin(then)
	b.block(1 + b.r.Intn(3))
	ways = append(ways, b.here())
	b.put("BRANCH %s", end)
	b.depth--
	b.join(end, ways)
}

func (b *oldBody) switchOver() {
	t := []string{"int<8>", "int<32>", "int<64>", "int<6>"}[b.r.Intn(4)]
	x := b.pick(t)
	end, other := b.name("end"), b.name("other")
	var cases []string
	var labels []string
	for k := range 1 + b.r.Intn(4) {
		l := b.name("case")
		labels = append(labels, l)
		cases = append(cases, fmt.Sprintf("%d: %s;", k*3-2, l))
	}
	if b.r.Intn(3) == 0 { // two keys, one block
		cases = append(cases, "20: "+labels[0]+";")
	}
	b.put("SWITCH <%s> %s %s { %s }", t, x, other, strings.Join(cases, " "))
	before := b.here()
	b.depth++
	var ways []way
	for _, l := range append(labels, other) {
		b.vars = append([]oldVar(nil), before.vars...)
		b.begin(l)
		b.block(1 + b.r.Intn(2))
		ways = append(ways, b.here())
		b.put("BRANCH %s", end)
	}
	b.depth--
	b.join(end, ways)
}

// loop writes a loop that runs a few times. All variables have PHI nodes at its head.
func (b *oldBody) loop() {
	head, body, end := b.name("head"), b.name("body"), b.name("end")
	before := b.here()
	b.put("BRANCH %s", head)
	// The PHI nodes refer to values that are defined later.
	var names []string
	for range b.vars {
		names = append(names, b.name("v"))
	}
	i := b.name("i")
	for k := range b.vars {
		b.vars[k].val = names[k]
	}
	rest := b.out.String()
	b.out.Reset()
	b.label = head
	c := b.def("ULT <int<8>> %s %d", i, 1+b.r.Intn(6))
	b.put("BRANCH2 %s %s %s", c, body, end)
	after := b.here()
	b.begin(body)
	b.depth++
	b.block(1 + b.r.Intn(4))
	b.depth--
	i1 := b.def("ADD <int<8>> %s 1", i)
	b.put("BRANCH %s", head)
	last := b.here()
	inner := b.out.String()
	b.out.Reset()
	b.out.WriteString(rest)
	b.begin(head)
	b.put("%s = PHI <int<8>> { %s: 0; %s: %s; }", i, before.label, last.label, i1)
	for k := range before.vars {
		b.put("%s = PHI <%s> { %s: %s; %s: %s; }", names[k], b.shown(before.vars[k].typ), before.label, before.vars[k].val, last.label, last.vars[k].val)
	}
	b.out.WriteString(inner)
	b.vars = after.vars
	b.begin(end)
}

// arguments returns values for the parameters of a function.
func (b *oldBody) arguments(f oldFunc) string {
	var args []string
	for _, t := range f.params {
		for full, short := range b.named {
			if short == t {
				t = full
			}
		}
		args = append(args, b.pick(t))
	}
	return strings.Join(args, " ")
}

// callOf writes a call, with a landing pad if the function may throw.
func (b *oldBody) callOf(f oldFunc) string {
	list := b.arguments(f)
	if !f.throws && b.r.Intn(2) == 0 {
		return b.def("CALL <%s> %s (%s)", b.sig(f), f.name, list)
	}
	nor, exc, end := b.name("nor"), b.name("exc"), b.name("end")
	from := b.label
	r := b.def("INVOKE <%s> %s (%s) %s %s", b.sig(f), f.name, list, nor, exc)
	b.begin(nor)
	b.put("BRANCH %s", end)
	b.begin(exc)
	p := b.def("PHI <%s> { %s: %s; }", f.ret, from, b.literal(f.ret))
	e := b.def("LANDINGPAD")
	cast := b.def("REFCAST <ref<void> ref<int<64>>> %s", e)
	at := b.def("GETIREF <int<64>> %s", cast)
	code := b.def("LOAD <int<64>> %s", at)
	b.put("STORE <int<64>> %s %s", b.def("GETELEMIREF <array<int<64> 8>> %srow 7", b.prefix), code)
	b.put("BRANCH %s", end)
	b.begin(end)
	return b.def("PHI <%s> { %s: %s; %s: %s; }", f.ret, nor, r, exc, p)
}

// throw writes a THROW on a condition.
func (b *oldBody) throw() {
	bad, good := b.name("bad"), b.name("good")
	b.put("BRANCH2 %s %s %s", b.condition(), bad, good)
	b.begin(bad)
	o := b.def("NEW <int<64>>")
	at := b.def("GETIREF <int<64>> %s", o)
	b.put("STORE <int<64>> %s %s", at, b.pick("int<64>"))
	b.put("THROW %s", o)
	b.begin(good)
}

func (b *oldBody) memory() {
	if b.r.Intn(3) == 0 {
		i := b.def("AND <int<64>> %s 7", b.pick("int<64>"))
		at := b.def("GETELEMIREF <array<int<64> 8>> %srow %s", b.prefix, i)
		if b.r.Intn(2) == 0 {
			b.put("STORE <int<64>> %s %s", at, b.pick("int<64>"))
		}
		b.set("int<64>", b.def("LOAD <%s> %s", b.shown("int<64>"), at))
		return
	}
	c := b.cells[b.r.Intn(len(b.cells))]
	switch n := bits(c.typ); {
	case n > 0 && b.r.Intn(3) == 0:
		op := []string{"XCHG", "ADD", "SUB", "AND", "NAND", "OR", "XOR", "MAX", "MIN", "UMAX", "UMIN"}[b.r.Intn(11)]
		b.set(c.typ, b.def("ATOMICRMW SEQ_CST %s <%s> %s %s", op, c.typ, c.name, b.pick(c.typ)))
	case n > 0 && b.r.Intn(3) == 0:
		b.set(c.typ, b.def("CMPXCHG ACQ_REL ACQUIRE <%s> %s %s %s", c.typ, c.name, b.pick(c.typ), b.pick(c.typ)))
	case b.r.Intn(2) == 0:
		b.put("STORE <%s> %s %s", b.shown(c.typ), c.name, b.pick(c.typ))
	default:
		b.set(c.typ, b.def("LOAD <%s> %s", b.shown(c.typ), c.name))
	}
}

func (b *oldBody) structs() {
	t := b.shown("struct<int<16> double>")
	s := b.def("INSERTVALUE <%s 0> { 3 -0.5 } %s", t, b.pick("int<16>"))
	if b.r.Intn(2) == 0 {
		s = b.def("INSERTVALUE <%s 1> %s %s", t, s, b.pick("double"))
	}
	b.set("int<16>", b.def("EXTRACTVALUE <%s 0> %s", t, s))
	b.set("double", b.def("EXTRACTVALUE <%s 1> %s", t, s))
}

func (b *oldBody) tags() {
	w := b.def("ICALL @uvm.tr64.from_int (%s)", b.pick("int<52>"))
	if b.r.Intn(2) == 0 {
		w = b.def("ICALL @uvm.tr64.from_fp (%s)", b.pick("double"))
	}
	b.set("int<1>", b.def("ICALL @uvm.tr64.is_int (%s)", w))
}

// list makes a list of a few nodes and adds up the numbers in it.
func (b *oldBody) list() {
	node := b.prefix + "node"
	at := "NULL"
	for range 1 + b.r.Intn(3) {
		o := b.def("NEW <%s>", node)
		i := b.def("GETIREF <%s> %s", node, o)
		b.put("STORE <ref<%s>> %s %s", node, b.def("GETFIELDIREF <%s 0> %s", node, i), at)
		b.put("STORE <int<64>> %s %s", b.def("GETFIELDIREF <%s 1> %s", node, i), b.pick("int<64>"))
		at = o
	}
	head, body, end, from := b.name("head"), b.name("body"), b.name("end"), b.label
	p, s, rest, sum := b.name("v"), b.name("v"), b.name("v"), b.name("v")
	b.put("BRANCH %s", head)
	b.begin(head)
	b.put("%s = PHI <ref<%s>> { %s: %s; %s: %s; }", p, node, from, at, body, rest)
	b.put("%s = PHI <int<64>> { %s: %s; %s: %s; }", s, from, b.literal("int<64>"), body, sum)
	b.put("BRANCH2 %s %s %s", b.def("EQ <ref<%s>> %s NULL", node, p), end, body)
	b.begin(body)
	i := b.def("GETIREF <%s> %s", node, p)
	b.put("%s = LOAD <ref<%s>> %s", rest, node, b.def("GETFIELDIREF <%s 0> %s", node, i))
	v := b.def("LOAD <int<64>> %s", b.def("GETFIELDIREF <%s 1> %s", node, i))
	b.put("%s = ADD <int<64>> %s %s", sum, s, v)
	b.put("BRANCH %s", head)
	b.begin(end)
	b.set("int<64>", s)
}
