package randprog

import (
	"fmt"
	"math/rand"
	"strings"
)

// A Program is one random program: definitions whose global names all begin
// with a prefix, so that several fit into one bundle.
type Program struct {
	Seed   int64
	Prefix string // with the '@'
	Text   string
	Run    string // function without parameters and results that runs it
	Kind   Kind
}

// A Kind groups programs. Programs of different kinds should not be in one bundle,
// because features of one affect the translation of all.
type Kind uint8

// The kinds.
const (
	Ordinary    Kind = iota
	Weaves           // has coroutines that swap anywhere, and threads, but nothing that looks into stacks
	WeavesAlone      // the same without threads
	Old              // in µVM IR of 2014
	IAL
	TVM
	Frames // looks into stacks; not in one bundle with others
	NumKinds
)

// gen is a program under construction.
type gen struct {
	r      *rand.Rand
	prefix string
	defs   strings.Builder // types, signatures, constants, cells
	funcs  strings.Builder
	types  map[string]*typ
	sigs   map[string]*sig
	consts map[string]string
	has    [numGroups]int

	widths  []int
	vals    []*typ // value types that functions choose from
	objs    []*typ // types of objects other than void
	hybrids []*typ
	cells   []cell // the cells that statements use
	ncells  int
	holders []cell // cells with an object of a type; t is the object's
	funcs_  []callee
	coros   []coro
	weave   weaving
	graphs  []string // functions from gc.go to run
	loops   []string // functions from loop.go to run

	fuel, sum  string // cells: calls left, checksum
	exc        *typ   // the type of the objects that are thrown
	raise      string
	raiseSig   *sig
	nat        string // function that is exposed, or ""
	natSig     *sig
	natExposed string
	worker     string
	kind       Kind
	flag       string
	watch      int
	seed       int64

	maxBlocks, size, rounds, depth int
}

type cell struct {
	name string
	t    *typ
}

// Generate makes the program of a seed. prefix begins with '@'.
func Generate(seed int64, prefix string) Program {
	g := &gen{r: rand.New(rand.NewSource(seed)), seed: seed, prefix: prefix,
		types: map[string]*typ{}, sigs: map[string]*sig{}, consts: map[string]string{}}
	g.program()
	return Program{Seed: seed, Prefix: prefix, Text: fmt.Sprintf("// seed %d\n", seed) + g.defs.String() + g.funcs.String(), Run: prefix + "run", Kind: g.kind}
}

// Bundle puts programs into one bundle. Its entry function @main has a trap before
// each program. It skips as many programs as there are arguments and runs the others.
// State that outlives a program must not affect the next one: the thread-local
// reference is reset, and each program has its own numbers of watchpoints.
func Bundle(ps []Program) string {
	switch {
	case len(ps) == 0:
	case ps[0].Kind == Old:
		return bundleOld(ps)
	case ps[0].Kind == IAL:
		return bundleIAL(ps)
	case ps[0].Kind == TVM:
		return bundleTVM(ps)
	}
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.Text)
	}
	b.WriteString(`.typedef @argc = int<32>
.typedef @argi8 = int<8>
.typedef @argv = uptr<@argi8>
.funcsig @main.sig = (@argc @argv) -> ()
.typedef @argvoid = void
.typedef @argref = ref<@argvoid>
.const @argnull <@argref> = NULL
`)
	for i := range ps {
		fmt.Fprintf(&b, ".const @argc%d <@argc> = %d\n", i, i+1)
	}
	b.WriteString(".funcdef @main VERSION %v1 <@main.sig> {\n  %entry(<@argc> %n <@argv> %v):\n    SWITCH <@argc> %n %b0() {")
	for i := range ps {
		fmt.Fprintf(&b, " @argc%d %%b%d()", i, i)
	}
	b.WriteString(" }\n")
	for i, p := range ps {
		fmt.Fprintf(&b, "  %%b%d():\n    [%sstart] TRAP <>\n    COMMINST @uvm.set_threadlocal (@argnull)\n    CALL <%s> %s ()\n    BRANCH %%b%d()\n", i, p.Prefix, p.Prefix+"run.sig", p.Run, i+1)
	}
	fmt.Fprintf(&b, "  %%b%d():\n    RET ()\n}\n", len(ps))
	return b.String()
}

// cell finds or defines a global cell of a type.
func (g *gen) cell(t *typ) string {
	var l []string
	for _, c := range g.cells {
		if c.t == t {
			l = append(l, c.name)
		}
	}
	if len(l) > 0 && (len(l) > 1 || g.r.Intn(4) > 0) {
		return l[g.r.Intn(len(l))]
	}
	return g.newCell(t)
}

func (g *gen) newCell(t *typ) string {
	n := fmt.Sprintf("%sg%d", g.prefix, g.ncells)
	g.ncells++
	g.cells = append(g.cells, cell{n, t})
	fmt.Fprintf(&g.defs, ".global %s <%s>\n", n, t.name)
	return n
}

// holder returns a cell with an object of type t, which run stores there.
func (g *gen) holder(t *typ) string {
	for _, c := range g.holders {
		if c.t == t {
			return c.name
		}
	}
	n := fmt.Sprintf("%sh%d", g.prefix, len(g.holders))
	g.holders = append(g.holders, cell{n, t})
	fmt.Fprintf(&g.defs, ".global %s <%s>\n", n, g.ref(t).name)
	return n
}

// palette draws the types of the program.
func (g *gen) palette() {
	r := g.r
	all := []int{1, 8, 16, 32, 64}
	g.widths = []int{1, 32, 64}
	for range 3 + r.Intn(3) {
		g.widths = append(g.widths, all[r.Intn(len(all))])
	}
	for range r.Intn(5) {
		g.widths = append(g.widths, 1+r.Intn(128))
	}
	if r.Intn(2) == 0 {
		g.widths = append(g.widths, 65+r.Intn(64))
	}
	if r.Intn(3) == 0 {
		g.widths = append(g.widths, []int{128, 127, 65, 63, 33, 31, 17, 9, 7, 6, 52}[r.Intn(11)])
	}
	add := func(t *typ) {
		if isValue(t) {
			g.vals = append(g.vals, t)
		}
	}
	for _, w := range g.widths {
		add(g.int(w))
	}
	if g.has[grFP] > 0 {
		add(g.float())
		add(g.double())
	}
	if g.has[grTag] > 0 {
		add(g.tag())
	}
	if g.has[grPtr] > 0 {
		add(g.of(kUPtr, []*typ{g.int(8), g.int(16), g.int(32), g.float()}[r.Intn(4)]))
	}
	some := func() *typ { return g.vals[r.Intn(len(g.vals))] }
	if g.has[grVector] > 0 {
		for range 1 + r.Intn(3) {
			e := some()
			for e.kind != kInt && !isFP(e) {
				e = some()
			}
			add(g.vector(e, 1+r.Intn(6)))
		}
	}
	for i := range 2 + r.Intn(3) {
		var fs []*typ
		for range 1 + r.Intn(4) {
			fs = append(fs, some())
		}
		s := g.structOf(fmt.Sprintf("S%d", i), fs...)
		if g.has[grAggr] > 0 {
			add(s)
		}
		g.objs = append(g.objs, s)
	}
	a := g.array(some(), 1+r.Intn(6))
	if g.has[grAggr] > 0 {
		add(a)
	}
	g.objs = append(g.objs, a, some())
	// Objects that refer to objects, also by weak references.
	for i := range 1 + r.Intn(3) {
		var fs []*typ
		for range 1 + r.Intn(4) {
			o := g.objs[r.Intn(len(g.objs))]
			switch r.Intn(4) {
			case 0:
				fs = append(fs, some())
			case 1:
				fs = append(fs, g.of(kWeak, o))
			default:
				fs = append(fs, g.ref(o))
			}
		}
		g.objs = append(g.objs, g.structOf(fmt.Sprintf("O%d", i), fs...))
	}
	for i := range r.Intn(3) {
		var fs []*typ
		for range r.Intn(3) {
			fs = append(fs, some())
		}
		elem := some()
		if r.Intn(2) == 0 {
			if o := g.objs[r.Intn(len(g.objs))]; o.kind != kHybrid {
				elem = o
			}
		}
		h := g.hybridOf(fmt.Sprintf("H%d", i), 1+r.Intn(6), elem, fs...)
		g.hybrids = append(g.hybrids, h)
		g.objs = append(g.objs, h)
	}
	for range 1 + r.Intn(3) {
		add(g.ref(g.objs[r.Intn(len(g.objs))]))
	}
	if r.Intn(2) == 0 {
		add(g.iref(some()))
	}
	for range 2 + r.Intn(4) {
		g.newCell(some())
	}
	for _, o := range g.objs {
		if o.kind != kHybrid && r.Intn(3) == 0 {
			g.newCell(o)
		}
	}
	if g.has[grWeak] > 0 {
		g.newCell(g.of(kWeak, g.objs[r.Intn(len(g.objs))]))
	}
}

// somePalette draws the types that a function prefers.
func (g *gen) somePalette() []*typ {
	var l []*typ
	for range 3 + g.r.Intn(4) {
		l = append(l, g.vals[g.r.Intn(len(g.vals))])
	}
	return append(l, g.int(64), g.int(g.widths[g.r.Intn(len(g.widths))]))
}

// program writes the whole program.
func (g *gen) program() {
	r := g.r
	g.draw()
	i32, i64 := g.int(32), g.int(64)
	g.maxBlocks, g.size, g.rounds, g.depth = 1+r.Intn(7), 2+r.Intn(7), 2+r.Intn(8), 300
	if r.Intn(10) == 0 {
		g.depth = 3000
	}
	g.watch = 1 + int(uint64(g.seed)%(1<<27))*8
	g.fuel, g.sum = g.newCell(i64), g.newCell(i64)
	g.cells = nil // nothing else touches those
	g.exc = g.structOf("Exc", i64)
	g.raise, g.raiseSig = g.prefix+"raise", g.sigOf([]*typ{i32, i64}, []*typ{i64})
	g.flag = g.prefix + "flag"
	fmt.Fprintf(&g.defs, ".global %s <%s>\n", g.flag, i32.name)
	g.palette()
	runSig := &sig{name: g.prefix + "run.sig"}
	fmt.Fprintf(&g.defs, ".funcsig %s = () -> ()\n", runSig.name)
	g.sigs["() -> ()"] = runSig

	g.declareWeavers()

	// Signatures, and functions with these signatures.
	var sigs []*sig
	for range 2 + r.Intn(3) {
		var ps, rs []*typ
		for range r.Intn(5) {
			ps = append(ps, g.vals[r.Intn(len(g.vals))])
		}
		for range r.Intn(4) {
			rs = append(rs, g.vals[r.Intn(len(g.vals))])
		}
		if r.Intn(12) == 0 {
			for range 20 {
				ps = append(ps, g.vals[r.Intn(len(g.vals))])
			}
		}
		if r.Intn(12) == 0 {
			for range 10 {
				rs = append(rs, g.vals[r.Intn(len(g.vals))])
			}
		}
		sigs = append(sigs, g.sigOf(ps, rs))
	}
	if g.has[grIndirect] > 0 || g.has[grTail] > 0 {
		g.vals = append(g.vals, g.funcref(sigs[0]))
		if r.Intn(2) == 0 {
			ps := append([]*typ{g.funcref(sigs[0])}, sigs[0].params...)
			sigs = append(sigs, g.sigOf(ps, sigs[0].results))
		}
	}
	if g.has[grNative] > 0 {
		g.nat, g.natExposed = g.prefix+"nat", g.prefix+"nat.e"
		g.natSig = g.sigOf([]*typ{i64, g.double()}, []*typ{i64})
		fmt.Fprintf(&g.defs, ".expose %s = %s #DEFAULT %s\n", g.natExposed, g.nat, g.konst(i64))
	}
	var fs []*fn
	for i := range 2 + r.Intn(6) {
		f := &fn{g: g, name: fmt.Sprintf("%sf%d", g.prefix, i), sig: sigs[r.Intn(len(sigs))], kind: rec}
		if r.Intn(3) == 0 || i == 0 && r.Intn(2) == 0 {
			f.kind, f.order = leaf, i+1
		}
		fs = append(fs, f)
		g.funcs_ = append(g.funcs_, callee{f.name, f.sig, f.kind, f.order})
	}
	if g.has[grStack] > 0 || g.has[grMeta] > 0 {
		for i := range 1 + r.Intn(2) {
			g.declareCoro(i)
		}
	}
	g.raiser()
	for _, f := range fs {
		g.function(f)
	}
	for _, c := range g.coros {
		g.coroBody(c)
	}
	for _, w := range g.weave.list {
		g.weaverBody(w)
	}
	if g.nat != "" {
		g.native()
	}
	if g.has[grThread] > 0 {
		g.worker = g.prefix + "worker"
		g.workerBody()
	}
	if g.has[grGraph] > 0 {
		g.graph()
	}
	if g.has[grDeep] > 0 {
		g.deep()
	}
	own := rand.New(rand.NewSource(g.seed ^ 0x1009))
	for k := range own.Intn(4) {
		g.loop(k, own, runSig)
	}
	g.run(fs, runSig)
}

// native writes the function that is called through native pointers.
func (g *gen) native() {
	f := &fn{g: g, name: g.nat, sig: g.natSig, kind: leaf, palette: g.somePalette(), quiet: true}
	e := &block{label: "%entry", params: f.params(f.sig)}
	for i := range e.params {
		e.params[i].name = f.fresh()
	}
	f.start(e)
	f.def(g.int(64), "COMMINST @uvm.native.get_cookie")
	for range 2 {
		f.intBin()
	}
	f.convertFrom(e.params[1])
	f.mix()
	f.ret()
	f.print()
}

// run writes the function that runs the program.
func (g *gen) run(fs []*fn, s *sig) {
	r := g.r
	i64 := g.int(64)
	f := &fn{g: g, name: g.prefix + "run", sig: s, kind: bottom, palette: g.somePalette()}
	f.finish = func() {
		f.show("%done")
		f.emit("RET ()")
	}
	start := &block{label: "%start"}
	f.start(start)
	f.emit("STORE <%s> %s %s", i64.name, g.sum, g.num(i64, 7))
	g.weaveRuns(f)
	for _, n := range g.loops {
		f.emit("CALL <%s> %s ()", s.name, n)
	}
	for i := range 2 + r.Intn(4) {
		f.emit("STORE <%s> %s %s", i64.name, g.fuel, g.num(i64, int64(20+r.Intn(100))))
		c := fs[r.Intn(len(fs))]
		f.callWith("CALL", "<"+c.sig.name+"> "+c.name, c.sig, f.args(c.sig, false))
		f.show(fmt.Sprintf("%%s%d", i))
	}
	for _, n := range g.graphs {
		f.callWith("CALL", "<"+g.oneSig().name+"> "+n, g.oneSig(), f.args(g.oneSig(), false))
	}
	if g.worker != "" {
		f.emit("STORE <%s> %s %s", i64.name, g.fuel, g.num(i64, int64(20+r.Intn(50))))
		for range 1 + r.Intn(2) {
			f.runThread()
		}
	}
	if r.Intn(40) == 0 {
		f.fatal()
	}
	f.end()
	f.fill(3)
	// The objects that are held come first; all are known now.
	f.cur, f.scope, f.now = &block{label: "%entry"}, nil, nil
	f.blocks = append([]*block{f.cur}, f.blocks...)
	for i := 0; i < len(g.holders); i++ {
		h := g.holders[i]
		v := f.hidden("%s", f.newText(h.t))
		f.emit("STORE <%s> %s %s", g.ref(h.t).name, h.name, v)
	}
	for _, c := range g.cells {
		if hasConst(c.t) {
			f.emit("STORE <%s> %s %s", c.t.name, c.name, g.konst(c.t))
		}
	}
	f.emit("BRANCH %%start()")
	f.print()
}

// show prints the checksum and some variables.
func (f *fn) show(name string) {
	g := f.g
	s := f.hidden("LOAD <%s> %s", g.int(64).name, g.sum)
	l := []string{s}
	for _, v := range f.carry(5) {
		if v.name != s {
			l = append(l, v.name)
		}
	}
	f.emit("[%s%d] TRAP <> KEEPALIVE(%s)", name, f.n, strings.Join(l, " "))
}

// fatal ends the program, mostly with a run-time error or an uncaught exception.
func (f *fn) fatal() {
	g := f.g
	i32, i64 := g.int(32), g.int(64)
	switch g.r.Intn(5) {
	case 0:
		z := f.hidden("LOAD <%s> %s", i32.name, g.newCell(i32))
		f.def(i32, "%s <%s> %s %s", g.one(divOps), i32.name, f.get(i32).name, z)
	case 1:
		f.def(i64, "CALL <%s> %s (%s %s)", g.raiseSig.name, g.raise, g.num(i32, 3), g.num(i64, int64(g.r.Intn(2))))
	case 2:
		n := g.newCell(g.ref(i64))
		r := f.hidden("LOAD <%s> %s", g.ref(i64).name, n)
		p := f.hidden("GETIREF <%s> %s", i64.name, r)
		f.def(i64, "LOAD <%s> %s", i64.name, p)
	case 3:
		f.def(i64, "[%%wanted] TRAP <%s>", i64.name)
	default:
		s := f.hidden("COMMINST @uvm.current_stack")
		f.emit("COMMINST @uvm.kill_stack (%s)", s)
	}
}
