package randprog

import (
	"fmt"
	"math/rand"
	"strings"
)

// Programs in IAL. They are made of structured statements over registers of every type of numbers, arrays and
// references, and never fail. They print the result of each function. A counter, the fuel of the program, which
// every call decrements, bounds the number of calls.

// HeadIAL begins the text of programs in IAL.
const HeadIAL = "// IAL"

// GenerateIAL makes the program of a seed in IAL. Its names begin with the prefix without the @.
func GenerateIAL(seed int64, prefix string) Program {
	g := &ialGen{r: rand.New(rand.NewSource(seed)), prefix: prefix[1:]}
	fmt.Fprintf(&g.out, "// seed %d\n", seed)
	g.program()
	return Program{Seed: seed, Prefix: prefix, Text: g.out.String(), Run: g.prefix + "run", Kind: IAL}
}

// ialPrinter holds the functions with which all programs print. The numbers are codes of letters.
const ialPrinter = `function int32 putchar(int32) cdecl { block entry { ffi (libc, putchar); } }
function int32 puts(uint8*) cdecl { block entry { ffi (libc, puts); } }
function void digits(uint64)
{
    register uint64 n; register uint64 ten; register uint64 rest; register int32 c; register int32 zero; register uint more;
    block entry { n = arg.pop; ten = load.ui64 (10); more = cmp.gteq n, ten; jump.cond more (before, print); }
    block before { rest = ari.div n, ten; arg.push rest; invoke (digits); jump (print); }
    block print { n = ari.rem n, ten; c = conv n; zero = load.i32 (48); c = ari.add c, zero; arg.push c; c = call (putchar); leave; }
}
function void show(uint64)
{
    register uint64 n; register int32 c;
    block entry { n = arg.pop; arg.push n; invoke (digits); c = load.i32 (10); arg.push c; c = call (putchar); leave; }
}
`

// bundleIAL is Bundle for programs in IAL. All of them are run, because none fails.
func bundleIAL(ps []Program) string {
	var b strings.Builder
	b.WriteString(HeadIAL + "\n" + ialPrinter)
	for _, p := range ps {
		b.WriteString(p.Text)
	}
	b.WriteString("function int32 main()\n{\n    register uint8* s; register int32 r;\n    block entry\n    {\n")
	for i, p := range ps {
		fmt.Fprintf(&b, "        s = load.data (start%d); arg.push s; r = call (puts); invoke (%s);\n", i, p.Run)
	}
	b.WriteString("        r = load.i32 (0); return r;\n    }\n}\nentry main;\n")
	for i, p := range ps {
		var text []string
		for _, c := range []byte("trap " + p.Prefix[1:] + "start\x00") {
			text = append(text, fmt.Sprint(c))
		}
		fmt.Fprintf(&b, "data start%d (%s);\n", i, strings.Join(text, ", "))
	}
	return b.String()
}

// An ialGen makes one program.
type ialGen struct {
	r       *rand.Rand
	prefix  string
	out     strings.Builder
	funcs   []ialFunc
	globals []ialVar
	// pointers means that pointers to functions are changed, so that any of them may not point to a function.
	pointers bool
}

type ialVar struct{ typ, name string }

type ialFunc struct {
	name, ret string
	params    []string
	throws    bool
}

// ialNumbers are the types of numbers and the endings of the instructions that load them.
var ialNumbers = []struct {
	name, load string
	width      int
	signed     bool
}{
	{"int8", "i8", 8, true}, {"uint8", "ui8", 8, false}, {"int16", "i16", 16, true}, {"uint16", "ui16", 16, false},
	{"int32", "i32", 32, true}, {"uint32", "ui32", 32, false}, {"int64", "i64", 64, true}, {"uint64", "ui64", 64, false},
	{"int", "i64", 64, true}, {"uint", "ui64", 64, false}, {"float32", "f32", 0, true}, {"float64", "f64", 0, true},
}

const ialIntegers = 10 // of them are integers

func (g *ialGen) number() string  { return ialNumbers[g.r.Intn(len(ialNumbers))].name }
func (g *ialGen) integer() string { return ialNumbers[g.r.Intn(ialIntegers)].name }

func (g *ialGen) oneOf(words ...string) string { return words[g.r.Intn(len(words))] }

func (g *ialGen) program() {
	fmt.Fprintf(&g.out, "type %snode { field int64 n; field %[1]snode& next; field float64 x; field static int64 made; }\nfield global uint %[1]sfuel;\n", g.prefix)
	g.memoryTypes()
	g.pointers = g.r.Intn(3) == 0
	for i := range 2 + g.r.Intn(3) {
		v := ialVar{g.number(), fmt.Sprintf("%sg%d", g.prefix, i)}
		g.globals = append(g.globals, v)
		fmt.Fprintf(&g.out, "field %s %s %s;\n", g.oneOf("global", "thread"), v.typ, v.name)
	}
	for i := range 1 + g.r.Intn(5) {
		if g.r.Intn(3) == 0 {
			g.ssaFunction(fmt.Sprintf("%ss%d", g.prefix, i))
		}
		g.function(fmt.Sprintf("%sf%d", g.prefix, i))
	}
	b := g.body(false)
	b.variable("int64")
	fuel := b.constant("uint", "300")
	b.put("field.global.set %s (%sfuel)", fuel, g.prefix)
	for _, f := range g.funcs {
		for range 2 {
			b.try(func() {
				wide := b.converted(ialVar{f.ret, b.call(f)}, "uint64")
				b.put("arg.push %s", wide)
				b.put("invoke (show)")
			})
		}
	}
	b.put("leave")
	b.finish("void " + g.prefix + "run()")
}

// An ialBody is a function under construction.
type ialBody struct {
	*ialGen
	out    strings.Builder
	vars   []ialVar
	regs   strings.Builder
	n      int
	unwind string // the unwind block of blocks that begin now
	throws bool   // exceptions may leave the function
	depth  int
	stmts  int
}

func (g *ialGen) body(throws bool) *ialBody {
	b := &ialBody{ialGen: g, throws: throws}
	b.begin("entry")
	return b
}

func (b *ialBody) put(format string, args ...any) {
	fmt.Fprintf(&b.out, "        "+format+";\n", args...)
}

func (b *ialBody) label(kind string) string {
	b.n++
	return fmt.Sprintf("%s%d", kind, b.n)
}

// begin ends a block that has its terminator and begins another.
func (b *ialBody) begin(label string) {
	if b.out.Len() > 0 {
		b.out.WriteString("    }\n")
	}
	if b.unwind != "" {
		label += " unwind " + b.unwind
	}
	fmt.Fprintf(&b.out, "    block %s\n    {\n", label)
}

// reg declares a register.
func (b *ialBody) reg(t string) string {
	b.n++
	n := fmt.Sprintf("r%d", b.n)
	fmt.Fprintf(&b.regs, "    register %s %s;\n", t, n)
	return n
}

func (b *ialBody) variable(t string) string {
	n := b.reg(t)
	b.vars = append(b.vars, ialVar{t, n})
	return n
}

func (b *ialBody) finish(head string) {
	fmt.Fprintf(&b.ialGen.out, "function %s\n{\n%s%s    }\n}\n", head, b.regs.String(), b.out.String())
}

func (g *ialGen) function(name string) {
	f := ialFunc{name: name, ret: g.number(), throws: g.r.Intn(3) == 0}
	b := g.body(f.throws)
	var pairs []string
	for range g.r.Intn(4) {
		t, r := g.number(), ""
		if g.r.Intn(6) == 0 {
			t = g.prefix + "pair"
			r = b.reg(t)
			pairs = append(pairs, r)
		} else {
			r = b.variable(t)
		}
		f.params = append(f.params, t)
		b.put("%s = arg.pop", r)
	}
	for _, t := range []string{f.ret, "int64", "uint", "int64[]", g.number(), g.prefix + "node&"} {
		b.variable(t)
	}
	fuel, one := b.reg("uint"), b.constant("uint", "1")
	b.put("%s = field.global.get (%sfuel)", fuel, g.prefix)
	b.put("jump.cond %s (start, empty)", fuel)
	b.begin("empty")
	b.put("return %s", b.constant(f.ret, "7"))
	b.begin("start")
	b.put("%s = ari.sub %[1]s, %s", fuel, one)
	b.put("field.global.set %s (%sfuel)", fuel, g.prefix)
	b.fresh()
	for _, r := range pairs {
		b.readPair(r)
	}
	b.stmts = 6 + g.r.Intn(25)
	b.block(3 + g.r.Intn(6))
	b.tail(f)
	b.put("return %s", b.pick(f.ret))
	b.finish(fmt.Sprintf("%s%s %s(%s)", g.oneOf("", "", "noinline "), f.ret, name, strings.Join(f.params, ", ")))
	g.funcs = append(g.funcs, f)
}

// tail may end the function in a tail call, of itself or of an earlier one with its result.
func (b *ialBody) tail(f ialFunc) {
	l := []ialFunc{f}
	for _, g := range b.funcs {
		if g.ret == f.ret && (f.throws || !g.throws) {
			l = append(l, g)
		}
	}
	if b.r.Intn(2) == 0 {
		return
	}
	g := l[b.r.Intn(len(l))]
	last, end := b.label("tail"), b.label("end")
	b.put("jump.cond %s (%s, %s)", b.condition(), last, end)
	b.begin(last)
	b.push(g)
	r := b.reg(g.ret)
	b.put("%s = call.tail (%s)", r, g.name)
	b.put("return %s", r)
	b.begin(end)
}

// ssaFunction makes a function in SSA form: diamonds and loops, whose values are merged by PHI instructions.
func (g *ialGen) ssaFunction(name string) {
	f := ialFunc{name: name, ret: g.number()}
	b := g.body(false)
	for range 1 + g.r.Intn(3) {
		t := g.number()
		f.params = append(f.params, t)
		b.put("%s = arg.pop", b.variable(t))
	}
	for range 1 + g.r.Intn(4) {
		t, u := g.number(), g.number()
		x, y := b.reg(t), b.reg(u)
		if g.r.Intn(2) == 0 {
			then, other, join := b.label("then"), b.label("else"), b.label("join")
			b.put("jump.cond %s (%s, %s)", b.condition(), then, other)
			b.begin(then)
			x1, y1 := b.result(t), b.result(u)
			b.put("jump (%s)", join)
			b.begin(other)
			x2, y2 := b.result(t), b.result(u)
			b.put("jump (%s)", join)
			b.begin(join)
			b.put("%s = phi (%s, %s)", x, x1, x2)
			b.put("%s = phi (%s, %s)", y, y2, y1)
		} else {
			left, next, loop, done := b.reg("uint"), b.reg("uint"), b.label("loop"), b.label("done")
			first, x1, y1, y2 := b.constant("uint", fmt.Sprint(1+g.r.Intn(6))), b.result(t), b.result(u), b.result(u)
			z, one := b.reg(u), b.constant("uint", "1")
			b.put("jump (%s)", loop)
			b.begin(loop)
			x2 := b.reg(t)
			b.put("%s = phi (%s, %s)", left, first, next)
			b.put("%s = phi (%s, %s)", x, x2, x1)
			b.put("%s = phi (%s, %s)", y, y1, z) // y and z swap
			b.put("%s = phi (%s, %s)", z, y2, y)
			b.vars = append(b.vars, ialVar{t, x}, ialVar{u, y})
			b.put("%s = ari.add %s, %s", x2, x, b.result(t))
			b.vars = b.vars[:len(b.vars)-2]
			b.put("%s = ari.sub %s, %s", next, left, one)
			b.put("jump.cond %s (%s, %s)", next, loop, done)
			b.begin(done)
		}
		b.vars = append(b.vars, ialVar{t, x}, ialVar{u, y})
	}
	b.put("return %s", b.pick(f.ret))
	b.finish(fmt.Sprintf("ssa %s %s(%s)", f.ret, name, strings.Join(f.params, ", ")))
	g.funcs = append(g.funcs, f)
}

// fresh assigns values other than null to the arrays and references.
func (b *ialBody) fresh() {
	for _, v := range b.vars {
		switch {
		case v.typ == "int64[]":
			b.put("%s = load.i64a (1, -2, 3, 400000000000, -5, 6, 7, 8)", v.name)
		case strings.HasSuffix(v.typ, "&"):
			b.put("%s = mem.new", v.name)
		}
	}
}

// block writes statements.
func (b *ialBody) block(n int) {
	for range n {
		if b.stmts--; b.stmts < 0 {
			return
		}
		b.statement()
	}
}

func (b *ialBody) statement() {
	switch k := b.r.Intn(30); {
	case k >= 24:
		b.memory()
	case k < 7:
		b.arith()
	case k < 9:
		b.compare()
	case k < 10:
		t := b.number()
		b.set(t, b.converted(b.vars[b.r.Intn(len(b.vars))], t))
	case k < 12 && b.depth < 3:
		b.branch()
	case k < 14 && b.depth < 3:
		b.loop()
	case k < 16:
		b.array()
	case k < 17:
		b.bulk()
	case k < 18 && b.r.Intn(3) == 0:
		b.pin()
	case k < 18:
		b.object()
	case k < 19:
		b.global()
	case k < 21 && b.depth < 3:
		b.try(func() { b.block(1 + b.r.Intn(3)) })
	case k < 22 && b.depth > 0 && (b.throws || b.unwind != ""):
		b.throw()
	case len(b.funcs) > 0:
		if f := b.funcs[b.r.Intn(len(b.funcs))]; !f.throws || b.throws || b.unwind != "" {
			b.set(f.ret, b.call(f))
		}
	}
}

// constant returns a register with a number.
func (b *ialBody) constant(t, value string) string {
	r := b.reg(t)
	for _, n := range ialNumbers {
		if n.name != t {
			continue
		}
		if t == "int" || t == "uint" {
			wide := b.reg(t + "64")
			b.put("%s = load.%s (%s)", wide, n.load, value)
			b.put("%s = conv %s", r, wide)
		} else {
			b.put("%s = load.%s (%s)", r, n.load, value)
		}
	}
	return r
}

// literal returns a constant of a type, often an extreme one.
func (b *ialBody) literal(t string) string {
	for _, n := range ialNumbers {
		switch {
		case n.name != t:
		case n.width == 0:
			return b.oneOf("0.0", "1.5", "-2.25", "1.0e10", "nan", "inf", "-inf", "3", "-0.0", "0.1")
		case b.r.Intn(3) == 0:
			return fmt.Sprint(b.r.Intn(4))
		case n.signed && b.r.Intn(2) == 0:
			return fmt.Sprint(-1 - b.r.Int63()>>(64-n.width))
		case n.signed:
			return fmt.Sprint(b.r.Int63() >> (64 - n.width))
		default:
			return fmt.Sprint(b.r.Uint64() >> (64 - n.width))
		}
	}
	panic(t)
}

// pick returns a register of a type of numbers: a variable, a converted variable, or a constant.
func (b *ialBody) pick(t string) string {
	var l []string
	for _, v := range b.vars {
		if v.typ == t {
			l = append(l, v.name)
		}
	}
	if len(l) > 0 && b.r.Intn(5) > 0 {
		return l[b.r.Intn(len(l))]
	}
	if b.r.Intn(2) == 0 {
		return b.constant(t, b.literal(t))
	}
	return b.converted(b.vars[b.r.Intn(len(b.vars))], t)
}

func isNumber(t string) bool { return !strings.ContainsAny(t, "[&") }

// converted returns the value of a variable converted to a type of numbers.
func (b *ialBody) converted(v ialVar, t string) string {
	if !isNumber(v.typ) {
		return b.constant(t, b.literal(t))
	}
	r := b.reg(t)
	b.put("%s = conv %s", r, v.name)
	return r
}

// set assigns a value to a variable of the type, perhaps to a new one.
func (b *ialBody) set(t, from string) {
	var l []string
	for _, v := range b.vars {
		if v.typ == t {
			l = append(l, v.name)
		}
	}
	if len(l) == 0 || len(b.vars) < 12 && b.r.Intn(4) == 0 {
		l = []string{b.variable(t)}
	}
	b.put("%s = copy %s", l[b.r.Intn(len(l))], from)
}

func (b *ialBody) arith() {
	t := b.number()
	b.set(t, b.result(t))
}

// result returns a new register with the result of an operation.
func (b *ialBody) result(t string) string {
	float := strings.HasPrefix(t, "float")
	r := b.reg(t)
	switch k := b.r.Intn(8); {
	case k == 0:
		b.put("%s = %s %s", r, b.oneOf("ari.neg", "not"), b.pick(t))
	case k == 1 && !float:
		b.put("%s = bit.neg %s", r, b.pick(t))
	case k < 4 && !float:
		x, y := b.pick(t), b.pick("uint")
		b.put("%s = %s %s, %s", r, b.oneOf("shl", "shr", "rol", "ror"), x, y)
	case k < 5 && !float:
		x, y := b.pick(t), b.pick(t)
		b.put("%s = %s %s, %s", r, b.oneOf("bit.and", "bit.or", "bit.xor"), x, y)
	default:
		op, x, y := b.oneOf("add", "sub", "mul", "div", "rem"), b.pick(t), b.pick(t)
		if !float && (op == "div" || op == "rem") {
			odd := b.reg(t)
			b.put("%s = bit.or %s, %s", odd, y, b.constant(t, "1"))
			y = odd
		}
		b.put("%s = ari.%s %s, %s", r, op, x, y)
	}
	return r
}

func (b *ialBody) condition() string {
	t, r := b.number(), b.reg("uint")
	x, y := b.pick(t), b.pick(t)
	b.put("%s = cmp.%s %s, %s", r, b.oneOf("eq", "neq", "gt", "lt", "gteq", "lteq"), x, y)
	return r
}

func (b *ialBody) compare() { b.set("uint", b.condition()) }

func (b *ialBody) branch() {
	c := b.condition()
	then, other, end := b.label("then"), b.label("else"), b.label("join")
	b.put("jump.cond %s (%s, %s)", c, then, other)
	b.depth++
	b.begin(then)
	b.block(1 + b.r.Intn(3))
	b.put("jump (%s)", end)
	b.begin(other)
	b.block(b.r.Intn(3))
	b.put("jump (%s)", end)
	b.depth--
	b.begin(end)
}

func (b *ialBody) loop() {
	left, one := b.reg("uint"), b.constant("uint", "1")
	again, end := b.label("loop"), b.label("done")
	b.put("%s = copy %s", left, b.constant("uint", fmt.Sprint(1+b.r.Intn(6))))
	b.put("jump (%s)", again)
	b.depth++
	b.begin(again)
	b.block(1 + b.r.Intn(4))
	b.put("%s = ari.sub %[1]s, %s", left, one)
	b.put("jump.cond %s (%s, %s)", left, again, end)
	b.depth--
	b.begin(end)
}

// index returns a register with a number below 8.
func (b *ialBody) index() string {
	r := b.reg("uint")
	x := b.pick("uint")
	b.put("%s = bit.and %s, %s", r, x, b.constant("uint", "7"))
	return r
}

// held returns a variable of a type that is not a number; functions have one from the start.
func (b *ialBody) held(t string) string {
	for _, v := range b.vars {
		if v.typ == t {
			return v.name
		}
	}
	return ""
}

func (b *ialBody) array() {
	a := b.held("int64[]")
	if a == "" {
		return
	}
	i, r := b.index(), b.reg("int64")
	switch b.r.Intn(4) {
	case 0:
		b.put("array.set %s, %s, %s", a, i, b.pick("int64"))
	case 1: // another array, into which the old one is copied
		old, n := b.reg("int64[]"), b.constant("uint", "8")
		b.put("%s = copy %s", old, a)
		b.put("%s = mem.alloc %s", a, n)
		b.put("array.conv %s, %s", old, a)
	case 2:
		p := b.reg("int64*")
		b.put("%s = array.addr %s, %s", p, a, i)
		b.put("mem.set %s, %s", p, b.pick("int64"))
	default:
		b.put("%s = array.get %s, %s", r, a, i)
		b.set("int64", r)
	}
}

func (b *ialBody) bulk() {
	a := b.held("int64[]")
	if a == "" {
		return
	}
	local, ones := b.reg("int64{8}"), b.reg("uint{8}")
	b.put("%s = load.i64a (3, 1, -4, 1, 5, -9, 2, 6)", local)
	switch b.r.Intn(5) {
	case 0:
		b.put("array.ari.%s %s, %[2]s, %s", b.oneOf("add", "sub", "mul", "div", "rem"), a, local)
	case 1:
		b.put("array.cmp.%s %s, %s, %s", b.oneOf("eq", "lt", "gteq"), ones, a, b.pick("int64"))
		b.put("array.conv %s, %s", ones, local)
		b.put("array.bit.xor %s, %[1]s, %s", a, local)
	case 2:
		b.put("array.%s %s, %[2]s, %s", b.oneOf("shl", "shr", "rol", "ror"), a, b.pick("uint"))
	case 3:
		floats := b.reg("float32{8}")
		b.put("array.conv %s, %s", a, floats)
		b.put("array.ari.%s %s, %[2]s, %s", b.oneOf("add", "mul", "div"), floats, b.pick("float32"))
		b.put("array.conv %s, %s", floats, a)
	default:
		b.put("array.%s %s, %s", b.oneOf("ari.neg", "bit.neg", "not"), a, local)
	}
}

// pin keeps an array in place with a handle while its variable refers to another array.
func (b *ialBody) pin() {
	a := b.held("int64[]")
	if a == "" {
		return
	}
	h, p, i, n, r := b.reg("uint"), b.reg("int64*"), b.index(), b.constant("uint", "8"), b.reg("int64")
	b.put("%s = mem.pin %s", h, a)
	b.put("%s = array.addr %s, %s", p, a, i)
	b.put("%s = mem.alloc %s", a, n)
	if b.r.Intn(2) == 0 {
		b.put("invoke (mci/gc_collect)")
	}
	b.put("%s = mem.get %s", r, p)
	b.put("mem.unpin %s", h)
	b.set("int64", r)
}

// object makes a list longer, follows it, or uses fields. The end of a list is the node itself.
func (b *ialBody) object() {
	node := b.prefix + "node"
	o := b.held(node + "&")
	if o == "" {
		return
	}
	r := b.reg("int64")
	switch b.r.Intn(4) {
	case 0:
		old := b.reg(node + "&")
		b.put("%s = copy %s", old, o)
		b.put("%s = mem.new", o)
		b.put("field.set %s, %s (%s:next)", o, old, node)
		b.put("field.user.set %s, %s", o, old)
	case 1:
		b.put("field.set %s, %s (%s:n)", o, b.pick("int64"), node)
		b.put("field.set %s, %s (%s:x)", o, b.pick("float64"), node)
	case 2:
		b.put("field.static.set %s (%s:made)", b.pick("int64"), node)
	default:
		b.put("%s = field.get %s (%s:n)", r, o, node)
		b.set("int64", r)
		x := b.reg("float64")
		b.put("%s = field.get %s (%s:x)", x, o, node)
		b.set("float64", x)
	}
}

func (b *ialBody) global() {
	v := b.globals[b.r.Intn(len(b.globals))]
	kind := "global"
	if strings.Contains(b.ialGen.out.String(), "field thread "+v.typ+" "+v.name+";") {
		kind = "thread"
	}
	if b.r.Intn(2) == 0 {
		b.put("field.%s.set %s (%s)", kind, b.pick(v.typ), v.name)
		return
	}
	r := b.reg(v.typ)
	b.put("%s = field.%s.get (%s)", r, kind, v.name)
	b.set(v.typ, r)
}

// push pushes arguments of a function.
func (b *ialBody) push(f ialFunc) {
	var args []string
	for _, t := range f.params {
		if t == b.prefix+"pair" {
			args = append(args, b.newPair("", ""))
		} else {
			args = append(args, b.pick(t))
		}
	}
	for _, a := range args {
		b.put("arg.push %s", a)
	}
}

func (b *ialBody) call(f ialFunc) string {
	target, pointer := f.name, ""
	if b.r.Intn(3) == 0 {
		pointer = b.reg(fmt.Sprintf("%s(%s)", f.ret, strings.Join(f.params, ", ")))
		b.put("%s = load.func (%s)", pointer, target)
		if b.pointers {
			data := b.reg("uint8*")
			b.put("%s = conv %s", data, pointer)
			b.put("%s = load.null", pointer)
			b.put("%s = conv %s", pointer, data)
		}
	}
	b.push(f)
	r := b.reg(f.ret)
	if pointer != "" {
		b.put("%s = call.indirect %s", r, pointer)
	} else {
		b.put("%s = call (%s)", r, target)
	}
	return r
}

func (b *ialBody) throw() {
	node := b.prefix + "node"
	e, c := b.reg(node+"&"), b.condition()
	bad, fine := b.label("bad"), b.label("fine")
	b.put("jump.cond %s (%s, %s)", c, bad, fine)
	b.begin(bad)
	b.put("%s = mem.new", e)
	b.put("field.set %s, %s (%s:n)", e, b.pick("int64"), node)
	b.put("eh.throw %s", e)
	b.begin(fine)
}

// try writes statements in blocks that have an unwind block.
func (b *ialBody) try(do func()) {
	outer := b.unwind
	within, caught, end := b.label("try"), b.label("catch"), b.label("end")
	node := b.prefix + "node"
	b.put("jump (%s)", within)
	b.unwind = caught
	b.depth++
	b.begin(within)
	do()
	b.put("jump (%s)", end)
	b.depth--
	b.unwind = outer
	b.begin(caught)
	e, r := b.reg(node+"&"), b.reg("int64")
	b.put("%s = eh.catch", e)
	b.put("%s = field.get %s (%s:n)", r, e, node)
	b.set("int64", r)
	if b.throws || outer != "" {
		again := b.label("again")
		b.put("jump.cond %s (%s, %s)", b.condition(), again, end)
		b.begin(again)
		b.put("eh.rethrow")
	} else {
		b.put("jump (%s)", end)
	}
	b.begin(end)
}
