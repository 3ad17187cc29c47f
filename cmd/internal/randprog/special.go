package randprog

import "fmt"

func (f *fn) tagOp() bool {
	g := f.g
	t := g.tag()
	i1 := g.int(1)
	switch g.r.Intn(7) {
	case 0:
		d := g.double()
		f.def(t, "COMMINST @uvm.tr64.from_fp (%s)", f.get(d).name)
	case 1:
		f.def(t, "COMMINST @uvm.tr64.from_int (%s)", f.get(g.int(52)).name)
	case 2:
		rv := g.ref(g.void())
		var r string
		if v, ok := f.find(func(v val) bool { return v.t.kind == kRef && v.t.elem.kind != kVoid }); ok && g.r.Intn(4) > 0 {
			r = f.hidden("REFCAST <%s %s> %s", v.t.name, rv.name, v.name)
		} else {
			r = f.get(rv).name
		}
		f.def(t, "COMMINST @uvm.tr64.from_ref (%s %s)", r, f.get(g.int(6)).name)
	case 3:
		v := f.get(t)
		f.def(i1, "COMMINST @uvm.tr64.is_%s (%s)", g.one([]string{"fp", "int", "ref"}), v.name)
	case 4:
		v := f.ofKind("int", fmt.Sprintf("from_int (%s)", g.konst(g.int(52))))
		f.def(g.int(52), "COMMINST @uvm.tr64.to_int (%s)", v)
	case 5:
		v := f.ofKind("fp", fmt.Sprintf("from_fp (%s)", g.konst(g.double())))
		f.def(g.double(), "COMMINST @uvm.tr64.to_fp (%s)", v)
	default:
		rv := g.ref(g.void())
		v := f.ofKind("ref", fmt.Sprintf("from_ref (%s %s)", f.get(rv).name, g.konst(g.int(6))))
		f.def(rv, "COMMINST @uvm.tr64.to_ref (%s)", v)
		f.def(g.int(6), "COMMINST @uvm.tr64.to_tag (%s)", v)
	}
	return true
}

// ofKind makes a tagref64 of a kind: one in scope if it has that kind, otherwise other.
func (f *fn) ofKind(kind, other string) string {
	g := f.g
	t := g.tag()
	o := f.def(t, "COMMINST @uvm.tr64.%s", other)
	v := f.get(t)
	c := f.hidden("COMMINST @uvm.tr64.is_%s (%s)", kind, v.name)
	return f.hidden("SELECT <%s %s> %s %s %s", g.int(1).name, t.name, c, v.name, o.name)
}

func (f *fn) threadLocal() bool {
	g := f.g
	rv := g.ref(g.void())
	if g.r.Intn(2) == 0 {
		if v, ok := f.find(func(v val) bool { return v.t.kind == kRef }); ok {
			n := v.name
			if v.t != rv {
				n = f.hidden("REFCAST <%s %s> %s", v.t.name, rv.name, n)
			}
			f.emit("COMMINST @uvm.set_threadlocal (%s)", n)
			return true
		}
	}
	f.def(rv, "COMMINST @uvm.get_threadlocal")
	return true
}

// weak stores an object that is kept alive in a weak location and checks that it
// is still there after other statements.
func (f *fn) weak() bool {
	g := f.g
	t := g.objs[g.r.Intn(len(g.objs))]
	rt, wt := g.ref(t), g.of(kWeak, t)
	o := f.notNull(f.get(rt))
	where := g.cell(wt)
	if g.r.Intn(3) == 0 {
		f.emit("STORE <%s> %s %s", wt.name, where, o.name)
	}
	for range g.r.Intn(3) {
		f.alloc(g.ref(g.objs[g.r.Intn(len(g.objs))]))
	}
	if g.r.Intn(3) == 0 {
		f.atomicAt(loc{t: wt, name: where})
	}
	w := f.hidden("LOAD <%s> %s", wt.name, where)
	f.def(g.int(1), "%s <%s> %s %s", g.one(cmpOps[:2]), rt.name, w, o.name)
	return true
}

// exposed calls functions through their native pointers.
func (f *fn) exposed() bool {
	g := f.g
	if g.nat == "" || f.name == g.nat {
		return false
	}
	u := g.ufunc(g.natSig)
	i64, d := g.int(64), g.double()
	x, y := f.get(i64), f.get(d)
	if g.r.Intn(3) > 0 {
		f.def(i64, "CCALL #DEFAULT <%s %s> %s (%s %s)", u.name, g.natSig.name, g.natExposed, x.name, y.name)
		return true
	}
	p := f.hidden("COMMINST @uvm.native.expose [#DEFAULT] <[%s]> (%s %s)", g.natSig.name, g.nat, f.get(i64).name)
	f.def(i64, "CCALL #DEFAULT <%s %s> %s (%s %s)", u.name, g.natSig.name, p, x.name, y.name)
	f.emit("COMMINST @uvm.native.unexpose [#DEFAULT] (%s)", p)
	return true
}

// watch uses the watchpoints of the program, or enables or disables them.
func (f *fn) watch() bool {
	g := f.g
	i32 := g.int(32)
	id := g.watch + g.r.Intn(3)
	switch g.r.Intn(4) {
	case 0:
		f.emit("COMMINST @uvm.meta.%s_watchpoint (%s)", g.one([]string{"enable", "disable"}), g.num(i32, int64(id)))
	case 1:
		i1 := g.int(1)
		c := f.carry(4)
		b := f.newBlock(append(c, val{t: i1}), false)
		b.level = f.cur.level
		to := func(bit int64) string {
			a := ""
			for _, n := range f.now {
				a += n + " "
			}
			for _, v := range c {
				a += v.name + " "
			}
			return fmt.Sprintf("%s(%s%s)", b.label, a, g.num(i1, bit))
		}
		if g.r.Intn(2) == 0 {
			f.emit("WPBRANCH %d %s %s", id, to(0), to(1))
		} else {
			f.emit("[%%w%d] WATCHPOINT %d <> %s %s%s", f.n, id, to(0), to(1), f.keep(3))
			f.n++
		}
		f.start(b)
	case 2:
		bad := f.onFail()
		b, good := f.next(nil)
		f.emit("[%%w%d] WATCHPOINT %d <> %s %s WPEXC(%s)%s", f.n, id, good, good, bad, f.keep(3))
		f.n++
		f.start(b)
	default:
		f.trap()
	}
	return true
}

// futex uses futexes that no thread waits on.
func (f *fn) futex() bool {
	g := f.g
	t := g.int([]int{8, 16, 32, 64}[g.r.Intn(4)])
	i32, i64 := g.int(32), g.int(64)
	c := g.cell(t)
	switch g.r.Intn(4) {
	case 0:
		x := f.hidden("LOAD SEQ_CST <%s> %s", t.name, c)
		y := f.hidden("XOR <%s> %s %s", t.name, x, g.num(t, int64(1+g.r.Intn(100))))
		f.def(i32, "COMMINST @uvm.futex.wait <%s> (%s %s)", t.name, c, y)
	case 1:
		f.def(i32, "COMMINST @uvm.futex.wait_timeout <%s> (%s %s %s)", t.name, c, f.get(t).name, g.num(i64, 0))
	case 2:
		f.def(i32, "COMMINST @uvm.futex.wake <%s> (%s %s)", t.name, c, g.num(i32, int64(g.r.Intn(5))))
	default:
		f.def(i32, "COMMINST @uvm.futex.cmp_requeue <%s> (%s %s %s %s)", t.name, c, g.cell(t), f.get(t).name, g.num(i32, int64(g.r.Intn(3))))
	}
	return true
}

// introspect looks at a stack that has not started.
func (f *fn) introspect() bool {
	g := f.g
	if len(g.coros) == 0 {
		return false
	}
	c := g.coros[g.r.Intn(len(g.coros))]
	i32 := g.int(32)
	s := f.hidden("COMMINST @uvm.new_stack <[%s]> (%s)", c.sig.name, c.name)
	k := f.hidden("COMMINST @uvm.meta.new_cursor (%s)", s)
	a := f.def(i32, "COMMINST @uvm.meta.cur_func (%s)", k)
	k2 := f.hidden("COMMINST @uvm.meta.copy_cursor (%s)", k)
	b := f.def(i32, "COMMINST @uvm.meta.cur_func_ver (%s)", k2)
	f.def(i32, "COMMINST @uvm.meta.cur_inst (%s)", k2)
	f.emit("COMMINST @uvm.meta.close_cursor (%s)", k2)
	f.emit("COMMINST @uvm.meta.close_cursor (%s)", k)
	f.emit("COMMINST @uvm.kill_stack (%s)", s)
	f.def(g.int(1), "UGT <%s> %s %s", i32.name, a.name, b.name)
	return true
}
