package randprog

import "fmt"

// Less frequent statements of programs in µVM IR of 2014: hybrids, stack cells, weak and
// tagged references, functions as values, stacks, threads, watchpoints, traps.

// common writes the definitions that the special statements of all functions use.
func (g *oldGen) common() {
	p := g.prefix
	fmt.Fprintf(&g.out, `.typedef %[1]shyb = hybrid<int<64> int<32>>
.global %[1]sturn <int<64>>
.global %[1]sdone <int<32>>
.funcdef %[1]sgen <void (stack int<64> double)> (%%home %%n %%d) {
    BRANCH %%loop
%%loop:
    %%i = PHI <int<64>> { %%entry: 0; %%more: %%i1; }
    %%x = PHI <double> { %%entry: %%d; %%more: %%x1; }
    %%i1 = ADD <int<64>> %%i 1
    %%x1 = FADD <double> %%x 0.5
    %%v = FPTOSI <double int<64>> %%x1
    %%w = ADD <int<64>> %%v %%i1
    STORE <int<64>> %[1]sturn %%w
    %%c = ULT <int<64>> %%i1 %%n
    BRANCH2 %%c %%more %%last
%%more:
    ICALL @uvm.swap_stack (%%home)
    BRANCH %%loop
%%last:
    ICALL @uvm.swap_and_kill (%%home)
    THROW NULL
}
.funcdef %[1]swork <int<16> (int<64> int<64>)> (%%x %%y) {
    %%z = XOR <int<64>> %%x %%y
    STORE SEQ_CST <int<64>> %[1]sturn %%z
    STORE RELEASE <int<32>> %[1]sdone 1
    RET <int<16>> 7
}
`, p)
}

func (b *oldBody) special() {
	switch b.r.Intn(9) {
	case 0:
		b.hybrid()
	case 1:
		b.cell()
	case 2:
		b.weak()
	case 3:
		b.taggedRef()
	case 4:
		b.indirect()
	case 5:
		b.coroutine()
	case 6:
		b.thread()
	case 7:
		b.watch()
	case 8:
		b.bits()
	}
}

// hybrid writes to the parts of a hybrid, on the heap or the stack, and reads them.
func (b *oldBody) hybrid() {
	h := b.prefix + "hyb"
	n := 1 + b.r.Intn(5)
	var at string
	if b.r.Intn(2) == 0 {
		at = b.def("GETIREF <%s> %s", h, b.def("NEWHYBRID <%s> %d", h, n))
	} else {
		at = b.def("ALLOCAHYBRID <%s> %d", h, n)
	}
	fixed := b.def("GETFIXEDPARTIREF <%s> %s", h, at)
	b.put("STORE <int<64>> %s %s", fixed, b.pick("int<64>"))
	first := b.def("GETVARPARTIREF <%s> %s", h, at)
	some := b.def("SHIFTIREF <int<32>> %s %d", first, b.r.Intn(n))
	b.put("STORE <int<32>> %s %s", some, b.pick("int<32>"))
	last := b.def("SHIFTIREF <int<32>> %s %d", first, n)
	b.set("int<32>", b.def("LOAD <int<32>> %s", b.def("SHIFTIREF <int<32>> %s -1", last)))
	b.set("int<64>", b.def("LOAD <int<64>> %s", fixed))
}

// cell uses a stack cell with an array.
func (b *oldBody) cell() {
	at := b.def("ALLOCA <array<double 3>>")
	i := b.def("UREM <int<64>> %s 3", b.pick("int<64>"))
	e := b.def("GETELEMIREF <array<double 3>> %s %s", at, i)
	b.put("STORE <double> %s %s", e, b.pick("double"))
	x := b.def("ATOMICRMW ACQ_REL XCHG <double> %s %s", e, b.pick("double"))
	b.put("FENCE %s", []string{"ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}[b.r.Intn(4)])
	b.set("double", x)
	b.set("double", b.def("LOAD <double> %s", b.def("IREFCAST <iref<array<double 3>> iref<double>> %s", at)))
}

// weak stores a live object as a weak reference.
func (b *oldBody) weak() {
	o := b.def("NEW <int<64>>")
	w := b.def("ALLOCA <weakref<int<64>>>")
	b.put("STORE <weakref<int<64>>> %s %s", w, o)
	b.set("int<1>", b.def("EQ <ref<int<64>>> %s %s", b.def("LOAD <weakref<int<64>>> %s", w), o))
	old := b.def("CMPXCHG SEQ_CST MONOTONIC <weakref<int<64>>> %s %s NULL", w, o)
	b.set("int<1>", b.def("NE <ref<int<64>>> %s NULL", old))
}

// taggedRef reads the parts of a tagged reference.
func (b *oldBody) taggedRef() {
	o := b.def("REFCAST <ref<int<64>> ref<void>> %s", b.def("NEW <int<64>>"))
	w := b.def("ICALL @uvm.tr64.from_ref (%s %s)", o, b.pick("int<6>"))
	b.set("int<6>", b.def("ICALL @uvm.tr64.to_tag (%s)", w))
	b.set("int<1>", b.def("EQ <ref<void>> %s %s", b.def("ICALL @uvm.tr64.to_ref (%s)", w), o))
	b.set("int<1>", b.def("ICALL @uvm.tr64.is_ref (%s)", w))
	b.set("double", b.def("ICALL @uvm.tr64.to_fp (%s)", b.def("ICALL @uvm.tr64.from_fp (%s)", b.pick("double"))))
	b.set("int<52>", b.def("ICALL @uvm.tr64.to_int (%s)", b.def("ICALL @uvm.tr64.from_int (%s)", b.pick("int<52>"))))
}

// indirect calls a function through a cast function value.
func (b *oldBody) indirect() {
	if len(b.funcs) == 0 {
		return
	}
	f := b.funcs[b.r.Intn(len(b.funcs))]
	if b.r.Intn(2) == 0 {
		s := b.sig(f)
		f.name = b.def("FUNCCAST <func<void ()> func<%s>> %s", s, b.def("FUNCCAST <func<%s> func<void ()>> %s", s, f.name))
	}
	b.set(f.ret, b.callOf(f))
}

// coroutine resumes a stack a few times; the stack ends itself or is killed.
func (b *oldBody) coroutine() {
	n := 1 + b.r.Intn(3)
	times := 1 + b.r.Intn(n)
	me := b.def("ICALL @uvm.current_stack ()")
	s := b.def("NEWSTACK <void (stack int<64> double)> %sgen (%s %d %s)", b.prefix, me, n, b.pick("double"))
	for range times {
		b.put("ICALL @uvm.swap_stack (%s)", s)
		b.set("int<64>", b.def("LOAD <int<64>> %sturn", b.prefix))
	}
	if times < n {
		b.put("ICALL @uvm.kill_stack (%s)", s)
	}
}

// thread waits for another thread.
func (b *oldBody) thread() {
	if b.depth > 0 { // threads take time
		return
	}
	wait, end := b.name("wait"), b.name("end")
	b.put("STORE MONOTONIC <int<32>> %sdone 0", b.prefix)
	s := b.def("NEWSTACK <int<16> (int<64> int<64>)> %swork (%s %s)", b.prefix, b.pick("int<64>"), b.pick("int<64>"))
	b.def("ICALL @uvm.new_thread (%s)", s)
	b.put("BRANCH %s", wait)
	b.begin(wait)
	d := b.def("LOAD ACQUIRE <int<32>> %sdone", b.prefix)
	b.put("BRANCH2 %s %s %s", b.def("EQ <int<32>> %s 0", d), wait, end)
	b.begin(end)
	b.set("int<64>", b.def("LOAD SEQ_CST <int<64>> %sturn", b.prefix))
}

// watch writes a watchpoint, which is never enabled, or a trap.
func (b *oldBody) watch() {
	next, never := b.name("next"), b.name("never")
	if b.depth > 0 || b.r.Intn(2) == 0 {
		b.def("WATCHPOINT %d <double> %s %s %s KEEPALIVE ()", 1+b.r.Intn(9), next, next, never)
	} else {
		v := b.def("ADD <int<64>> %s 0", b.pick("int<64>"))
		b.put("%s = TRAP <void> %s %s KEEPALIVE (%s)", b.name("t"), next, never, v)
	}
	b.begin(never)
	b.put("%s = LANDINGPAD", b.name("e"))
	b.put("THROW NULL")
	b.begin(next)
}

// bits reinterprets numbers as bit patterns, and takes a square root.
func (b *oldBody) bits() {
	b.set("double", b.def("BITCAST <int<64> double> %s", b.pick("int<64>")))
	b.set("int<32>", b.def("BITCAST <float int<32>> %s", b.literal("float")))
	b.set("double", b.def("ICALL @uvm.sqrt (%s)", b.pick("double")))
}
