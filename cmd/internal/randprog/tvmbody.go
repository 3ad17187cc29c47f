package randprog

import (
	"fmt"
	"strings"
)

// A tvmVal is a value with a name.
type tvmVal struct {
	t    *tvmType
	text string
}

// A tvmPtr is the address of a number of values, at least one.
type tvmPtr struct {
	t    *tvmType
	n    tvmLen
	text string
}

// A tvmBody is a function under construction.
type tvmBody struct {
	*tvmGen
	out    strings.Builder
	n      int
	vals   []tvmVal
	ptrs   []tvmPtr
	lens   []tvmLen   // lengths that are parameters
	types  []*tvmType // types for new values
	opaque []*tvmType // those of types that are variables loaded from memory
	label  string     // label of the block being written, "" for the entry
	doms   bool       // blocks say what dominates them
	risky  bool       // divisors may be zero
	calls  bool
	depth  int
	stmts  int
}

func (g *tvmGen) body() *tvmBody {
	return &tvmBody{tvmGen: g, types: g.types, doms: g.s.chance(2), risky: g.risky}
}

func (b *tvmBody) put(format string, args ...any) {
	fmt.Fprintf(&b.out, "  "+format+";\n", args...)
}

// fresh returns a new name.
func (b *tvmBody) fresh(kind string) string {
	b.n++
	return fmt.Sprintf("%%%s%d", kind, b.n)
}

// begin begins a block that another dominates immediately.
func (b *tvmBody) begin(label, dom string) {
	b.label = label
	if b.doms && dom != "" {
		dom = "(" + dom + ")"
	} else {
		dom = ""
	}
	fmt.Fprintf(&b.out, "block %s%s:\n", label, dom)
}

// name defines a name for a value.
func (b *tvmBody) name(t *tvmType, x string) {
	v := b.fresh("v")
	b.put("%s = %s", v, x)
	b.vals = append(b.vals, tvmVal{t, v})
}

// A tvmScope holds the lengths of the lists at the start of a block; later entries go out of scope with it.
type tvmScope struct{ vals, ptrs, types, opaque int }

func (b *tvmBody) scope() tvmScope {
	return tvmScope{len(b.vals), len(b.ptrs), len(b.types), len(b.opaque)}
}

func (b *tvmBody) leave(s tvmScope) {
	b.vals, b.ptrs, b.types, b.opaque = b.vals[:s.vals], b.ptrs[:s.ptrs], b.types[:s.types:s.types], b.opaque[:s.opaque]
}

// pickType chooses a type of values.
func (b *tvmBody) pickType() *tvmType {
	if len(b.vals) > 0 && b.r.Intn(3) == 0 {
		return b.vals[b.r.Intn(len(b.vals))].t
	}
	if len(b.types) > 0 && b.r.Intn(3) > 0 {
		return b.types[b.r.Intn(len(b.types))]
	}
	if b.r.Intn(4) == 0 {
		return b.newType(b.types, b.lens, 1)
	}
	return b.prim()
}

func (b *tvmBody) block(n int) {
	for range n {
		if b.stmts--; b.stmts < 0 {
			return
		}
		b.statement()
	}
}

func (b *tvmBody) statement() {
	switch k := b.r.Intn(26); {
	case k < 4:
		t := b.pickType()
		b.name(t, b.term(t))
	case k < 5:
		t := b.pickType()
		v := b.fresh("v")
		b.put("%s = %s", v, b.term(t))
		b.put("eval %s", v)
		b.vals = append(b.vals, tvmVal{t, v})
	case k < 8:
		b.storage()
	case k < 14:
		b.access()
	case k < 15:
		b.copies()
	case k < 17 && b.depth < 3:
		b.branch()
	case k < 19 && b.depth < 2:
		b.loop()
	case k < 20:
		b.typeInMemory()
	case k < 21:
		b.show()
	case b.calls && len(b.funcs) > 0:
		b.call(b.funcs[b.r.Intn(len(b.funcs))])
	}
}

// storage makes memory in the frame.
func (b *tvmBody) storage() {
	t, p := b.pickType(), b.fresh("p")
	n := tvmLen{lit: 1}
	switch b.r.Intn(5) {
	case 0:
		b.put("%s = alloca_const %s", p, b.term(t)) // writing is allowed nevertheless
		b.put("eval %s", p)
	case 1:
		n.lit += b.r.Intn(4)
		if len(b.lens) > 0 && b.r.Intn(2) == 0 {
			n = b.lens[b.r.Intn(len(b.lens))]
		}
		b.put("%s = alloca %s %s", p, t.text(b.s), n.text(b.s))
	case 2:
		b.put("%s = alloca %s #up1 #up%d", p, t.text(b.s), 1<<b.r.Intn(6))
	default:
		b.put("%s = alloca %s", p, t.text(b.s))
	}
	b.ptrs = append(b.ptrs, tvmPtr{t, n, p})
	if b.r.Intn(2) == 0 {
		b.put("store %s %s", b.term(t), p)
	}
}

// place returns the address of a part of the value that a pointer points to.
func (b *tvmBody) place(p tvmPtr) (*tvmType, string) {
	t, x := p.t, p.text
	if p.n != (tvmLen{lit: 1}) && b.r.Intn(2) == 0 {
		x = fmt.Sprintf("(pointer_offset %s %s)", x, b.index(p.n))
	}
	for b.r.Intn(4) > 0 {
		u, part := t, ""
		switch t.kind {
		case tvmArray:
			i := b.index(t.n)
			u = t.parts[0]
			part = b.s.of(fmt.Sprintf("(array_ep %s %s)", x, i), fmt.Sprintf("(gep %s %s)", x, i),
				fmt.Sprintf("(pointer_offset (array_ep %s #up0) %s)", x, i), fmt.Sprintf("(member_apply %s (array_m %s %s))", x, t.text(b.s), i))
		case tvmStruct, tvmApply:
			ms := b.members(t)
			if len(ms) == 0 {
				return t, x
			}
			i := b.r.Intn(len(ms))
			u = ms[i]
			unfold := ""
			if t.kind == tvmApply {
				unfold = "#up0 "
			}
			part = b.s.of(fmt.Sprintf("(struct_ep %s #i%d)", x, i), fmt.Sprintf("(gep %s %s#up%d)", x, unfold, i),
				fmt.Sprintf("(member_apply %s (struct_m %s #up%d))", x, t.text(b.s), i),
				fmt.Sprintf("(member_inner (member_apply_ptr %s (struct_m %s #up%d)))", x, t.text(b.s), i),
				fmt.Sprintf("(pointer_cast (pointer_offset (pointer_cast %s byte) (struct_eo %s #up%d)) %s)", x, t.text(b.s), i, u.text(b.s)))
		case tvmUnion:
			i := b.r.Intn(len(t.parts))
			u = t.parts[i]
			part = b.s.of(fmt.Sprintf("(union_ep %s %s)", x, u.text(b.s)), fmt.Sprintf("(gep %s #up%d)", x, i), fmt.Sprintf("(pointer_cast %s %s)", x, u.text(b.s)))
		default:
			return t, x
		}
		if b.s.chance(8) && strings.HasPrefix(part, "(gep") && t.kind != tvmApply {
			part = fmt.Sprintf("(gep (outer_ptr %s) %s", part, strings.TrimPrefix(part, "(gep "+x+" "))
		}
		t, x = u, part
	}
	return t, x
}

// access loads or stores a part of a value in memory.
func (b *tvmBody) access() {
	ptrs := append(b.ptrs[:len(b.ptrs):len(b.ptrs)], b.cells...)
	if len(ptrs) == 0 {
		return
	}
	t, at := b.place(ptrs[b.r.Intn(len(ptrs))])
	if b.r.Intn(2) == 0 {
		b.put("store %s %s", b.term(t), at)
		return
	}
	b.name(t, "load "+at)
}

// inputs loads some values that the translator cannot know.
func (b *tvmBody) inputs() {
	for range 1 + b.r.Intn(3) {
		t, at := b.place(b.cells[b.r.Intn(len(b.cells))])
		b.name(t, "load "+at)
	}
}

// copies copies or clears values.
func (b *tvmBody) copies() {
	for _, i := range b.r.Perm(len(b.ptrs)) {
		for _, j := range b.r.Perm(len(b.ptrs)) {
			p, q := b.ptrs[i], b.ptrs[j]
			if i == j || p.t.key() != q.t.key() {
				continue
			}
			n := "#up1"
			if p.n == q.n {
				n = p.n.text(b.s)
			}
			b.put("memcpy %s %s %s", p.text, q.text, n)
			return
		}
		b.put("memzero %s %s", b.ptrs[i].text, b.ptrs[i].n.text(b.s))
		return
	}
}

// merged chooses the types of phis.
func (b *tvmBody) merged(most int) []*tvmType {
	var ts []*tvmType
	for range 1 + b.r.Intn(most) {
		ts = append(ts, b.pickType())
	}
	return ts
}

func (b *tvmBody) branch() {
	head, then, other, join := b.label, b.fresh("then"), b.fresh("else"), b.fresh("join")
	b.put("cond_br %s %s %s", b.veil(tvmBool, b.condition(1)), then, other)
	s, ts := b.scope(), b.merged(3)
	arm := func(label string, n int) (from string, edges []string) {
		b.depth++
		b.begin(label, head)
		b.block(n)
		for _, t := range ts {
			edges = append(edges, b.term(t))
		}
		b.put("br %s", join)
		b.depth--
		b.leave(s)
		return b.label, edges
	}
	x, xs := arm(then, 1+b.r.Intn(3))
	y, ys := arm(other, b.r.Intn(3))
	b.begin(join, head)
	for i, t := range ts {
		v := b.fresh("v")
		b.put("%s = phi %s: %s > %s, %s > %s", v, t.text(b.s), x, xs[i], y, ys[i])
		b.vals = append(b.vals, tvmVal{t, v})
	}
	if len(b.ptrs) > 1 && b.r.Intn(3) == 0 {
		b.phiOfPointers(x, y)
	}
}

// phiOfPointers merges the addresses of two values of a type.
func (b *tvmBody) phiOfPointers(x, y string) {
	p := b.ptrs[b.r.Intn(len(b.ptrs))]
	q := p
	for _, o := range b.ptrs {
		if o.t.key() == p.t.key() && b.r.Intn(2) == 0 {
			q = o
		}
	}
	v := b.fresh("p")
	b.put("%s = phi (pointer %s): %s > %s, %s > %s", v, p.t.text(b.s), x, p.text, y, q.text)
	b.ptrs = append(b.ptrs, tvmPtr{p.t, tvmLen{lit: 1}, v})
}

// loop writes a loop of at most four iterations, with the test at its beginning.
func (b *tvmBody) loop() {
	head, loop, again, latch, done := b.label, b.fresh("loop"), b.fresh("again"), b.fresh("latch"), b.fresh("done")
	times, ts := fmt.Sprintf("#up%d", b.r.Intn(5)), b.merged(3)
	if len(b.lens) > 0 && b.r.Intn(2) == 0 {
		times = b.lens[b.r.Intn(len(b.lens))].text(b.s)
	}
	var first, phis, nexts []string
	for _, t := range ts {
		first = append(first, b.term(t))
		phis = append(phis, b.fresh("v"))
		nexts = append(nexts, b.fresh("next"))
	}
	from := head
	if head != "" {
		from += " "
	}
	b.put("br %s", loop)
	s := b.scope()
	b.begin(loop, head)
	i := b.fresh("v")
	b.put("%s = phi uiptr: %s> #up0, %s > (add %s #up1)", i, from, latch, i)
	b.vals = append(b.vals, tvmVal{tvmWord, i})
	for k, t := range ts {
		b.put("%s = phi %s: %s> %s, %s > %s", phis[k], t.text(b.s), from, first[k], latch, nexts[k])
		b.vals = append(b.vals, tvmVal{t, phis[k]})
	}
	b.put("cond_br (cmp_lt %s %s) %s %s", i, times, again, done)
	inner := b.scope()
	b.depth++
	b.begin(again, loop)
	b.block(1 + b.r.Intn(4))
	b.put("br %s", latch)
	end := b.label
	b.begin(latch, end)
	for k, t := range ts {
		b.put("%s = %s", nexts[k], b.plain(t, 2))
	}
	b.put("br %s", loop)
	b.depth--
	b.leave(inner)
	b.begin(done, loop)
	if b.r.Intn(2) == 0 {
		b.leave(s)
	}
}

// typeInMemory makes a type variable: the type is loaded from memory, or depends on a condition.
func (b *tvmBody) typeInMemory() {
	t, u := b.pickType(), b.pickType()
	v := b.fresh("t")
	switch b.r.Intn(3) {
	case 0:
		p := b.fresh("p")
		b.put("%s = alloca type", p)
		b.put("store %s %s", t.text(b.s), p)
		b.put("%s = load %s", v, p)
	case 1:
		b.put("%s = call %stype %s %s %s", v, b.global, b.condition(0), t.text(b.s), u.text(b.s))
	default:
		p, q := b.fresh("p"), b.fresh("v")
		b.put("%s = alloca (struct i8 type)", p)
		b.put("store (struct_v #b1 %s) %s", u.text(b.s), p)
		b.put("%s = load %s", q, p)
		b.put("%s = struct_el %s #i1", v, q)
		w := b.fresh("t")
		b.put("%s = call %stype true %s %s", w, b.global, v, t.text(b.s))
		v = w
	}
	x := &tvmType{kind: tvmVar, name: v}
	b.types = append(b.types[:len(b.types):len(b.types)], x)
	b.opaque = append(b.opaque, x)
}

// show writes a value.
func (b *tvmBody) show() {
	var l []tvmVal
	for _, v := range b.vals {
		if v.t.closed() {
			l = append(l, v)
		}
	}
	if len(l) > 0 {
		v := l[b.r.Intn(len(l))]
		b.shows(v.t, v.text, 12)
	}
}

// shows writes at most so many scalars of a value, and gives how many it may still write.
func (b *tvmBody) shows(t *tvmType, x string, most int) int {
	if most <= 0 {
		return 0
	}
	switch {
	case t.kind == tvmArray:
		for i := range t.n.lit {
			most = b.shows(t.parts[0], fmt.Sprintf("(array_el %s #up%d)", x, i), most)
		}
		return most
	case t.kind == tvmUnion:
		for _, m := range t.parts {
			most = b.shows(m, fmt.Sprintf("(union_el %s %s)", x, m.text(b.s)), most)
		}
		return most
	case t.kind != tvmPrim:
		for i, m := range b.members(t) {
			most = b.shows(m, fmt.Sprintf("(struct_el %s #i%d)", x, i), most)
		}
		return most
	case strings.HasSuffix(t.name, "128"):
		b.put("call %%show (bitcast (shr (bitcast %s ui128) #ui64) ui64)", x)
		fallthrough
	default:
		b.put("call %%show (bitcast %s ui64)", x)
	}
	return most - 1
}
