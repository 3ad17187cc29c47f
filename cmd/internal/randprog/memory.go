package randprog

import "fmt"

// A loc is a reference to memory of type t, or a pointer to it if ptr is set.
type loc struct {
	t     *typ
	name  string
	local bool
	ptr   bool
	// null means that the reference may be NULL.
	null bool
}

func (l loc) mode() string {
	if l.ptr {
		return "PTR "
	}
	return ""
}

// alloc makes an object.
func (f *fn) alloc(t *typ) val {
	v := f.def(t, "%s", f.newText(t.elem))
	v.nn = true
	f.scope[len(f.scope)-1] = v
	return v
}

// newText returns the text of an allocation of an object of type t.
func (f *fn) newText(t *typ) string {
	if t.kind == kHybrid {
		k, n := f.length(t)
		return fmt.Sprintf("NEWHYBRID <%s %s> %s", t.name, k.name, n)
	}
	return fmt.Sprintf("NEW <%s>", t.name)
}

// length makes a length for a hybrid: its least length, or a little more.
func (f *fn) length(t *typ) (*typ, string) {
	g := f.g
	if g.r.Intn(2) == 0 {
		k := g.int([]int{8, 16, 32, 64}[g.r.Intn(4)])
		return k, g.num(k, int64(t.n+g.r.Intn(5)))
	}
	k := f.below(4)
	return k.t, f.hidden("ADD <%s> %s %s", k.t.name, k.name, g.num(k.t, int64(t.n)))
}

func (f *fn) allocate() bool {
	g := f.g
	t := g.objs[g.r.Intn(len(g.objs))]
	if g.has[grExc] > 0 && g.r.Intn(4) == 0 {
		text := f.newText(t)
		r := val{t: g.ref(t), name: f.fresh(), nn: true}
		f.clause([]val{r}, r.name+" = "+text, "")
		return true
	}
	f.alloc(g.ref(t))
	return true
}

func (f *fn) alloca() bool {
	g := f.g
	if g.r.Intn(4) == 0 && len(g.hybrids) > 0 {
		t := g.hybrids[g.r.Intn(len(g.hybrids))]
		k, n := f.length(t)
		c := f.hidden("ALLOCAHYBRID <%s %s> %s", t.name, k.name, n)
		f.descend(loc{t: t, name: c, local: true}, func(t *typ) bool { return false })
		return true
	}
	t := g.cells[g.r.Intn(len(g.cells))].t
	if g.r.Intn(2) == 0 {
		t = f.palette[g.r.Intn(len(f.palette))]
	}
	v := val{t: g.iref(t), nn: true, local: true}
	if g.has[grExc] > 0 && g.r.Intn(5) == 0 {
		v.name = f.fresh()
		f.clause([]val{v}, v.name+" = ALLOCA <"+t.name+">", "")
		return true
	}
	v.name = f.hidden("ALLOCA <%s>", t.name)
	f.add(v)
	return true
}

// root picks memory to work on. If null is set, the reference may be NULL.
func (f *fn) root(null bool) loc {
	g := f.g
	if g.r.Intn(4) > 0 {
		if v, ok := f.find(func(v val) bool {
			return v.t.kind == kIRef || v.t.kind == kRef && v.t.elem.kind != kVoid
		}); ok {
			if !null {
				v = f.notNull(v)
			}
			l := loc{t: v.t.elem, name: v.name, local: v.local, null: !v.nn}
			if v.t.kind == kRef {
				l.name = f.hidden("GETIREF <%s> %s", l.t.name, v.name)
				if l.t.kind != kHybrid {
					f.add(val{t: g.iref(l.t), name: l.name, nn: v.nn})
				}
			}
			return l
		}
	}
	if g.r.Intn(2) == 0 && !f.quiet {
		v := f.held(g.ref(g.objs[g.r.Intn(len(g.objs))]))
		return loc{t: v.t.elem, name: f.hidden("GETIREF <%s> %s", v.t.elem.name, v.name)}
	}
	c := g.cells[g.r.Intn(len(g.cells))]
	return loc{t: c.t, name: c.name}
}

// descend goes into a location until stop says so, at most to a scalar.
func (f *fn) descend(l loc, stop func(*typ) bool) loc {
	g := f.g
	for {
		var in *typ
		switch l.t.kind {
		case kStruct, kHybrid:
			n := len(l.t.fields)
			if l.t.kind == kHybrid {
				n++
			}
			if l.t.kind == kStruct && stop(l.t) {
				return l
			}
			i := g.r.Intn(n)
			if i < len(l.t.fields) {
				in = l.t.fields[i]
				l.name = f.hidden("GETFIELDIREF %s<%s %d> %s", l.mode(), l.t.name, i, l.name)
				break
			}
			in = l.t.elem
			v := f.hidden("GETVARPARTIREF %s<%s> %s", l.mode(), l.t.name, l.name)
			k := f.below(l.t.n)
			l.name = f.hidden("SHIFTIREF %s<%s %s> %s %s", l.mode(), in.name, k.t.name, v, k.name)
		case kArray, kVector:
			if stop(l.t) {
				return l
			}
			in = l.t.elem
			k := f.below(l.t.n)
			l.name = f.hidden("GETELEMIREF %s<%s %s> %s %s", l.mode(), l.t.name, k.t.name, l.name, k.name)
		default:
			return l
		}
		l.t = in
		if !l.ptr && isValue(in) && g.r.Intn(3) == 0 {
			f.add(val{t: g.iref(in), name: l.name, nn: !l.null, local: l.local})
		}
	}
}

// maybe stops at values with some probability.
func (f *fn) maybe(t *typ) bool { return isValue(t) && f.g.r.Intn(3) == 0 }

func (f *fn) access() bool {
	null := f.g.has[grExc] > 0 && f.g.r.Intn(4) == 0
	f.accessAt(f.descend(f.root(null), f.maybe))
	return true
}

// accessAt loads or stores. If the reference may be NULL, the access has an
// exception clause.
func (f *fn) accessAt(l loc) {
	g := f.g
	clause := l.null || g.has[grExc] > 0 && g.r.Intn(8) == 0
	store := g.r.Intn(2) == 0 || l.t.kind == kWeak
	ord := ""
	if atomicType(l.t) && g.has[grAtomic] > 0 && g.r.Intn(4) == 0 {
		ord = g.one([]string{"RELAXED ", "CONSUME ", "ACQUIRE ", "SEQ_CST ", "NOT_ATOMIC "})
		if store {
			ord = g.one([]string{"RELAXED ", "RELEASE ", "SEQ_CST ", "NOT_ATOMIC "})
		}
	}
	if store {
		v := f.outside(g.strong(l.t))
		inst := fmt.Sprintf("STORE %s%s<%s> %s %s", l.mode(), ord, l.t.name, l.name, v.name)
		if clause {
			f.clause(nil, inst, "")
		} else {
			f.emit("%s", inst)
		}
		return
	}
	inst := fmt.Sprintf("LOAD %s%s<%s> %s", l.mode(), ord, l.t.name, l.name)
	if clause {
		r := val{t: l.t, name: f.fresh()}
		f.clause([]val{r}, r.name+" = "+inst, "")
		return
	}
	f.def(l.t, "%s", inst)
}

// atomicType reports whether atomic loads and stores of the type are legal.
func atomicType(t *typ) bool {
	switch t.kind {
	case kInt:
		return t.bits == 8 || t.bits == 16 || t.bits == 32 || t.bits == 64
	case kVector, kStruct, kArray, kHybrid, kVoid:
		return false
	}
	return true
}

var (
	anyOrder  = []string{"RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}
	failOrder = []string{"RELAXED", "ACQUIRE", "SEQ_CST"}
	fences    = []string{"ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"}
	rmwOps    = []string{"XCHG", "ADD", "SUB", "AND", "NAND", "OR", "XOR", "MAX", "MIN", "UMAX", "UMIN"}
)

func (f *fn) atomic() bool {
	g := f.g
	if g.r.Intn(10) == 0 {
		f.emit("FENCE %s", g.one(fences))
		return true
	}
	l := f.descend(f.root(false), func(*typ) bool { return false })
	if !atomicType(l.t) || g.r.Intn(2) == 0 {
		t := g.int([]int{8, 16, 32, 64}[g.r.Intn(4)])
		l = loc{t: t, name: g.cell(t)}
	}
	f.atomicAt(l)
	return true
}

// atomicAt emits a read-modify-write at a location of an atomic type that is not
// NULL. The old value of a weak reference is not shown.
func (f *fn) atomicAt(l loc) {
	g := f.g
	s := g.strong(l.t)
	clause := g.has[grExc] > 0 && g.r.Intn(6) == 0
	if eqComparable(s) && g.r.Intn(2) == 0 {
		exp, des := f.get(s), f.outside(s)
		if l.t.kind == kWeak {
			exp = f.notNull(exp)
		} else if g.r.Intn(2) == 0 {
			exp = f.def(s, "LOAD %s<%s> %s", l.mode(), l.t.name, l.name)
		}
		weak := ""
		if g.r.Intn(3) == 0 {
			weak = "WEAK "
		}
		old, ok := val{t: s, name: f.fresh()}, val{t: g.int(1), name: f.fresh()}
		inst := fmt.Sprintf("(%s %s) = CMPXCHG %s%s%s %s <%s> %s %s %s", old.name, ok.name, l.mode(), weak,
			g.one(anyOrder), g.one(failOrder), l.t.name, l.name, exp.name, des.name)
		res := []val{old, ok}
		if l.t.kind == kWeak {
			res = res[1:]
			// The expected object must live until the comparison.
			defer f.keepAlive(exp)
			clause = false
		}
		if clause {
			f.clause(res, inst, "")
			return
		}
		f.emit("%s", inst)
		f.scope = append(f.scope, res...)
		return
	}
	op := "XCHG"
	if l.t.kind == kInt {
		op = g.one(rmwOps)
	} else if l.t.kind == kUPtr || l.t.kind == kUFunc {
		op = "XCHG"
	}
	v := f.outside(s)
	r := val{t: s, name: f.fresh()}
	inst := fmt.Sprintf("%s = ATOMICRMW %s%s %s <%s> %s %s", r.name, l.mode(), g.one(anyOrder), op, l.t.name, l.name, v.name)
	if l.t.kind == kWeak {
		f.emit("%s", inst)
		return
	}
	if clause {
		f.clause([]val{r}, inst, "")
		return
	}
	f.emit("%s", inst)
	f.add(r)
	if g.r.Intn(2) == 0 {
		f.add(val{t: s, name: f.hidden("LOAD %s<%s> %s", l.mode(), l.t.name, l.name)})
		f.mix()
	}
}

// keepAlive uses a reference once more.
func (f *fn) keepAlive(v val) {
	c := f.get(v.t)
	f.def(f.g.int(1), "EQ <%s> %s %s", v.t.name, v.name, c.name)
}

// prefix accesses memory through casts between a location and its beginning.
func (f *fn) prefix() bool {
	g := f.g
	if g.r.Intn(2) == 0 {
		v, ok := f.find(func(v val) bool { return v.t.kind == kRef && v.t.elem.kind != kVoid })
		if !ok {
			return false
		}
		rv := g.ref(g.void())
		up := f.def(rv, "REFCAST <%s %s> %s", v.t.name, rv.name, v.name)
		down := f.def(v.t, "REFCAST <%s %s> %s", rv.name, v.t.name, up.name)
		down.nn = v.nn
		f.scope[len(f.scope)-1] = down
		f.def(g.int(1), "%s <%s> %s %s", g.one(cmpOps[:2]), v.t.name, v.name, down.name)
		return true
	}
	l := f.descend(f.root(false), func(t *typ) bool { return t.kind == kStruct || t.kind == kArray })
	var first *typ
	switch l.t.kind {
	case kStruct:
		first = l.t.fields[0]
	case kArray:
		first = l.t.elem
	default:
		return false
	}
	it, ft := g.iref(l.t), g.iref(first)
	c := f.hidden("REFCAST <%s %s> %s", it.name, ft.name, l.name)
	if l.t.kind == kStruct {
		d := f.hidden("GETFIELDIREF <%s 0> %s", l.t.name, l.name)
		f.def(g.int(1), "EQ <%s> %s %s", ft.name, c, d)
	}
	b := f.hidden("REFCAST <%s %s> %s", ft.name, it.name, c)
	f.def(g.int(1), "EQ <%s> %s %s", it.name, l.name, b)
	if first.kind != kHybrid && g.r.Intn(2) == 0 {
		f.accessAt(f.descend(loc{t: first, name: c, local: l.local}, f.maybe))
	}
	return true
}

// shift walks along an array and compares positions.
func (f *fn) shift() bool {
	g := f.g
	l := f.descend(f.root(false), func(t *typ) bool { return t.kind == kArray || t.kind == kVector })
	if l.t.kind != kArray && l.t.kind != kVector {
		t := g.array(g.int(g.width(func(int) bool { return true })), 5)
		l = loc{t: t, name: g.cell(t)}
	}
	e := l.t.elem
	it := g.iref(e)
	k1, k2 := g.r.Intn(l.t.n), g.r.Intn(l.t.n)
	kt := g.int([]int{8, 16, 32, 64}[g.r.Intn(4)])
	p := f.hidden("GETELEMIREF <%s %s> %s %s", l.t.name, kt.name, l.name, g.num(kt, int64(k1)))
	q := f.hidden("SHIFTIREF <%s %s> %s %s", e.name, kt.name, p, g.num(kt, int64(k2-k1)))
	f.def(g.int(1), "%s <%s> %s %s", g.one([]string{"EQ", "NE", "ULT", "ULE", "UGT", "UGE"}), it.name, p, q)
	f.accessAt(f.descend(loc{t: e, name: q, local: l.local}, f.maybe))
	return true
}

// pinned works on memory through a pointer.
func (f *fn) pinned() bool {
	g := f.g
	l := f.descend(f.root(false), func(t *typ) bool { return nativeSafe(t) && isValue(t) })
	if !nativeSafe(l.t) || !isValue(l.t) {
		return false
	}
	it := g.iref(l.t)
	g.of(kUPtr, l.t)
	p := f.hidden("COMMINST @uvm.native.pin <%s> (%s)", it.name, l.name)
	for i := range 1 + g.r.Intn(3) {
		if i == 1 {
			p = f.hidden("COMMINST @uvm.native.get_addr <%s> (%s)", it.name, l.name)
		}
		q := f.descend(loc{t: l.t, name: p, ptr: true}, f.maybe)
		if atomicType(q.t) && g.r.Intn(3) == 0 {
			f.atomicPtr(q)
		} else {
			f.accessPtr(q)
		}
	}
	f.emit("COMMINST @uvm.native.unpin <%s> (%s)", it.name, l.name)
	return true
}

// accessPtr and atomicPtr have no exception clause, because the object must be unpinned afterwards.
func (f *fn) accessPtr(l loc) {
	if f.g.r.Intn(2) == 0 {
		f.emit("STORE PTR <%s> %s %s", l.t.name, l.name, f.get(l.t).name)
		return
	}
	f.def(l.t, "LOAD PTR <%s> %s", l.t.name, l.name)
}

func (f *fn) atomicPtr(l loc) {
	g := f.g
	save := g.has[grExc]
	g.has[grExc] = 0
	f.atomicAt(l)
	g.has[grExc] = save
}

// pointer does arithmetic on constant addresses.
func (f *fn) pointer() bool {
	g := f.g
	e := []*typ{g.int(8), g.int(16), g.int(32), g.float()}[g.r.Intn(4)]
	pt := g.of(kUPtr, e)
	p := f.get(pt)
	if p.konst && g.r.Intn(2) == 0 {
		x := f.get(g.int(16))
		p = f.def(pt, "PTRCAST <%s %s> %s", x.t.name, pt.name, x.name)
	}
	switch g.r.Intn(4) {
	case 0:
		k := g.int(8)
		f.hidden("SHIFTIREF PTR <%s %s> %s %s", e.name, k.name, p.name, f.get(k).name)
	case 1:
		a := g.array(e, 4)
		ap := g.of(kUPtr, a)
		c := f.hidden("PTRCAST <%s %s> %s", pt.name, ap.name, p.name)
		k := f.below(4)
		q := f.hidden("GETELEMIREF PTR <%s %s> %s %s", a.name, k.t.name, c, k.name)
		t := g.int(32)
		f.def(t, "PTRCAST <%s %s> %s", pt.name, t.name, q)
	}
	t := g.int(g.width(func(int) bool { return true }))
	f.def(t, "PTRCAST <%s %s> %s", pt.name, t.name, p.name)
	q := f.get(pt)
	f.def(g.int(1), "%s <%s> %s %s", g.one(cmpOps), pt.name, p.name, q.name)
	return true
}
