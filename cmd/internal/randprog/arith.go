package randprog

var (
	intOps = []string{"ADD", "SUB", "MUL", "SHL", "LSHR", "ASHR", "AND", "OR", "XOR"}
	divOps = []string{"UDIV", "SDIV", "UREM", "SREM"}
	fpOps  = []string{"FADD", "FSUB", "FMUL", "FDIV", "FREM"}
	cmpOps = []string{"EQ", "NE", "SGT", "SLT", "SGE", "SLE", "UGT", "ULT", "UGE", "ULE"}
	fcmps  = []string{"FTRUE", "FFALSE", "FUNO", "FUEQ", "FUNE", "FUGT", "FULT", "FUGE", "FULE", "FORD", "FOEQ", "FONE", "FOGT", "FOLT", "FOGE", "FOLE"}
)

func (g *gen) one(l []string) string { return l[g.r.Intn(len(l))] }

// operand picks a variable of a type that ok accepts: any variable in scope, or one
// of a type that the function prefers, or an int of any width of the program. The
// second way ensures that rare types occur, and the third that rare widths occur,
// which the conditions, counters and sizes of a program do not have.
func (f *fn) operand(ok func(*typ) bool) (val, bool) {
	if f.g.r.Intn(4) == 0 {
		if t := f.g.int(f.g.widths[f.g.r.Intn(len(f.g.widths))]); ok(t) && t.bits > 1 {
			return f.get(t), true
		}
	}
	if f.g.r.Intn(2) == 0 {
		if t := f.palette[f.g.r.Intn(len(f.palette))]; ok(t) {
			return f.get(t), true
		}
	}
	if v, found := f.find(func(v val) bool { return ok(v.t) }); found {
		return v, true
	}
	var l []*typ
	for _, t := range f.palette {
		if ok(t) {
			l = append(l, t)
		}
	}
	if len(l) == 0 {
		return val{}, false
	}
	return f.get(l[f.g.r.Intn(len(l))]), true
}

func intLanes(t *typ) bool { return lane(t).kind == kInt }
func fpLanes(t *typ) bool  { return isFP(lane(t)) }

// pair returns a value and another of the same type in random order.
func (f *fn) pair(v val) (a, b val) {
	a, b = v, f.get(v.t)
	for range 3 {
		if a.name != b.name {
			break
		}
		b = f.get(v.t)
	}
	if f.g.r.Intn(2) == 0 {
		a, b = b, a
	}
	return a, b
}

func (f *fn) intBin() bool {
	v, ok := f.operand(intLanes)
	if !ok {
		return false
	}
	for range 1 + f.g.r.Intn(3) {
		a, b := f.pair(v)
		v = f.def(v.t, "%s <%s> %s %s", f.g.one(intOps), v.t.name, a.name, b.name)
	}
	return true
}

func (f *fn) division() bool {
	v, ok := f.operand(intLanes)
	if !ok {
		return false
	}
	g := f.g
	a, b := f.pair(v)
	op := g.one(divOps)
	if g.has[grExc] > 0 && g.r.Intn(3) == 0 {
		r := val{t: v.t, name: f.fresh()}
		f.clause([]val{r}, r.name+" = "+op+" <"+v.t.name+"> "+a.name+" "+b.name, "")
		return true
	}
	n := f.hidden("OR <%s> %s %s", v.t.name, b.name, g.splat(v.t, 1))
	f.def(v.t, "%s <%s> %s %s", op, v.t.name, a.name, n)
	return true
}

func (f *fn) cmpInt() bool {
	v, ok := f.operand(func(t *typ) bool { return intLanes(t) || t.kind == kUPtr })
	if !ok {
		return false
	}
	a, b := f.pair(v)
	f.def(f.g.like(v.t, f.g.int(1)), "%s <%s> %s %s", f.g.one(cmpOps), v.t.name, a.name, b.name)
	return true
}

func (f *fn) cmpRef() bool {
	v, ok := f.find(func(v val) bool { return eqComparable(v.t) && v.t.kind != kInt })
	if !ok {
		return false
	}
	a, b := f.pair(v)
	f.def(f.g.int(1), "%s <%s> %s %s", f.g.one(cmpOps[:2]), v.t.name, a.name, b.name)
	return true
}

func (f *fn) fpBin() bool {
	v, ok := f.operand(fpLanes)
	if !ok {
		return false
	}
	a, b := f.pair(v)
	f.def(v.t, "%s <%s> %s %s", f.g.one(fpOps), v.t.name, a.name, b.name)
	return true
}

func (f *fn) cmpFP() bool {
	v, ok := f.operand(fpLanes)
	if !ok {
		return false
	}
	a, b := f.pair(v)
	f.def(f.g.like(v.t, f.g.int(1)), "%s <%s> %s %s", f.g.one(fcmps), v.t.name, a.name, b.name)
	return true
}

// width returns a width of int of this program that ok accepts, or 0.
func (g *gen) width(ok func(int) bool) int {
	var l []int
	for _, w := range g.widths {
		if ok(w) {
			l = append(l, w)
		}
	}
	if len(l) == 0 {
		return 0
	}
	return l[g.r.Intn(len(l))]
}

func (f *fn) convert() bool {
	v, ok := f.operand(func(t *typ) bool { return intLanes(t) || fpLanes(t) })
	if !ok {
		return false
	}
	return f.convertFrom(v)
}

// convertFrom makes some conversion of a number or vector of numbers.
func (f *fn) convertFrom(v val) bool {
	g := f.g
	e := lane(v.t)
	do := func(op string, to *typ) bool {
		t := g.like(v.t, to)
		f.def(t, "%s <%s %s> %s", op, v.t.name, t.name, v.name)
		return true
	}
	fp := func() *typ {
		if g.r.Intn(2) == 0 {
			return g.float()
		}
		return g.double()
	}
	if e.kind == kInt {
		switch g.r.Intn(6) {
		case 0:
			if w := g.width(func(w int) bool { return w < e.bits }); w > 0 {
				return do("TRUNC", g.int(w))
			}
		case 1, 2:
			if w := g.width(func(w int) bool { return w > e.bits }); w > 0 {
				return do(g.one([]string{"ZEXT", "SEXT"}), g.int(w))
			}
		case 3:
			if e.bits == 32 {
				return do("BITCAST", g.float())
			}
			if e.bits == 64 {
				return do("BITCAST", g.double())
			}
		}
		return do(g.one([]string{"UITOFP", "SITOFP"}), fp())
	}
	switch g.r.Intn(6) {
	case 0, 1:
		if e.kind == kFloat {
			return do("FPEXT", g.double())
		}
		return do("FPTRUNC", g.float())
	case 2:
		// The bits of a NaN are not specified, so no NaN may be converted.
		ord := f.hidden("FORD <%s> %s %s", v.t.name, v.name, v.name)
		c := g.like(v.t, g.int(1))
		zero := g.splatText(v.t, map[kind]string{kFloat: "1.0f", kDouble: "1.0d"}[e.kind])
		n := f.hidden("SELECT <%s %s> %s %s %s", c.name, v.t.name, ord, v.name, zero)
		bits := 32
		if e.kind == kDouble {
			bits = 64
		}
		t := g.like(v.t, g.int(bits))
		f.def(t, "BITCAST <%s %s> %s", v.t.name, t.name, n)
		return true
	}
	return do(g.one([]string{"FPTOUI", "FPTOSI"}), g.int(g.width(func(int) bool { return true })))
}

// splatText returns the constant with the text in every lane.
func (g *gen) splatText(t *typ, text string) string {
	if t.kind != kVector {
		return g.named(t, text)
	}
	e := g.named(t.elem, text)
	l := "{"
	for i := range t.n {
		if i > 0 {
			l += " "
		}
		l += e
	}
	return g.named(t, l+"}")
}

func (f *fn) choose() bool {
	v, ok := f.find(func(v val) bool { return !v.konst })
	if !ok {
		return false
	}
	g := f.g
	a, b := f.pair(v)
	c := f.get(g.int(1))
	ct := g.int(1)
	if v.t.kind == kVector && g.r.Intn(2) == 0 {
		ct = g.vector(ct, v.t.n)
		c = f.get(ct)
	}
	r := f.def(v.t, "SELECT <%s %s> %s %s %s", ct.name, v.t.name, c.name, a.name, b.name)
	r.nn, r.local = a.nn && b.nn, a.local || b.local
	f.scope[len(f.scope)-1] = r
	return true
}

// below makes an int in [0, n), of a random width.
func (f *fn) below(n int) val {
	g := f.g
	w := g.width(func(w int) bool { return w >= 6 && w <= 64 && n < 1<<uint(min(w-1, 20)) })
	if w == 0 {
		w = 32
	}
	t := g.int(w)
	if g.r.Intn(2) == 0 {
		return val{t: t, name: g.num(t, int64(g.r.Intn(n))), konst: true}
	}
	x := f.get(t)
	if n&(n-1) == 0 && g.r.Intn(2) == 0 {
		return f.def(t, "AND <%s> %s %s", t.name, x.name, g.num(t, int64(n-1)))
	}
	return f.def(t, "UREM <%s> %s %s", t.name, x.name, g.num(t, int64(n)))
}

func (f *fn) vectorOp() bool {
	v, ok := f.operand(func(t *typ) bool { return t.kind == kVector })
	if !ok {
		return false
	}
	g := f.g
	switch g.r.Intn(3) {
	case 0:
		k := f.below(v.t.n)
		f.def(v.t.elem, "EXTRACTELEMENT <%s %s> %s %s", v.t.name, k.t.name, v.name, k.name)
	case 1:
		k := f.below(v.t.n)
		x := f.outside(v.t.elem)
		f.def(v.t, "INSERTELEMENT <%s %s> %s %s %s", v.t.name, k.t.name, v.name, k.name, x.name)
	default:
		a, b := f.pair(v)
		n := 1 + g.r.Intn(6)
		e := g.int(32)
		if g.r.Intn(3) == 0 {
			e = g.int(8)
		}
		mt := g.vector(e, n)
		var mask string
		if g.r.Intn(2) == 0 {
			l := "{"
			for i := range n {
				if i > 0 {
					l += " "
				}
				l += g.num(e, int64(g.r.Intn(2*v.t.n)))
			}
			mask = g.named(mt, l+"}")
		} else {
			mask = f.hidden("UREM <%s> %s %s", mt.name, f.get(mt).name, g.splat(mt, int64(2*v.t.n)))
		}
		rt := g.vector(v.t.elem, n)
		f.def(rt, "SHUFFLEVECTOR <%s %s> %s %s %s", v.t.name, mt.name, a.name, b.name, mask)
	}
	return true
}

func (f *fn) aggregate() bool {
	v, ok := f.operand(func(t *typ) bool { return t.kind == kStruct || t.kind == kArray })
	if !ok {
		return false
	}
	g := f.g
	if v.t.kind == kArray {
		k := f.below(v.t.n)
		if g.r.Intn(2) == 0 {
			f.def(v.t.elem, "EXTRACTELEMENT <%s %s> %s %s", v.t.name, k.t.name, v.name, k.name)
		} else {
			f.def(v.t, "INSERTELEMENT <%s %s> %s %s %s", v.t.name, k.t.name, v.name, k.name, f.outside(v.t.elem).name)
		}
		return true
	}
	i := g.r.Intn(len(v.t.fields))
	ft := v.t.fields[i]
	if g.r.Intn(2) == 0 {
		f.def(ft, "EXTRACTVALUE <%s %d> %s", v.t.name, i, v.name)
	} else {
		f.def(v.t, "INSERTVALUE <%s %d> %s %s", v.t.name, i, v.name, f.outside(ft).name)
	}
	return true
}

func (f *fn) math() bool {
	g := f.g
	if g.r.Intn(2) == 0 {
		if v, ok := f.operand(isFP); ok {
			op := g.one([]string{"sin", "cos", "tan", "sqrt"})
			f.def(v.t, "COMMINST @uvm.math.%s <%s> (%s)", op, v.t.name, v.name)
			return true
		}
	}
	v, ok := f.operand(func(t *typ) bool { return t.kind == kInt })
	if !ok {
		return false
	}
	a, b := f.pair(v)
	if g.has[grExc] > 0 && g.r.Intn(2) == 0 {
		r := val{t: v.t, name: f.fresh()}
		f.clause([]val{r}, r.name+" = COMMINST @uvm.math.add_ovf <"+v.t.name+"> ("+a.name+" "+b.name+")", "")
		return true
	}
	f.def(v.t, "COMMINST @uvm.kill_dependency <%s> (%s)", v.t.name, v.name)
	return true
}
