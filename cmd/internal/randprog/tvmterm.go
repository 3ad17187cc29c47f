package randprog

import (
	"fmt"
	"math/big"
	"strings"
)

// Terms of programs in TVM. What a term computes depends on the random numbers of the program
// alone, how it is spelled on those of the spelling.

// A tvmSpelling chooses between texts with the same meaning.
type tvmSpelling struct{ next func(n int) int }

func (s *tvmSpelling) of(texts ...string) string { return texts[s.next(len(texts))] }

// chance is true once in n times.
func (s *tvmSpelling) chance(n int) bool { return s.next(n) == 0 }

// literal returns a number of an integer type, often an extreme one.
func (g *tvmGen) literal(i int) string {
	k := tvmInts[i]
	n := big.NewInt(int64(g.r.Intn(5)))
	switch g.r.Intn(4) {
	case 0:
	case 1:
		n = new(big.Int).Lsh(big.NewInt(1), k.bits-1)
		n.Sub(n, big.NewInt(int64(g.r.Intn(3))))
	case 2:
		n.Rand(g.r, new(big.Int).Lsh(big.NewInt(1), k.bits-1))
	default:
		n.Neg(n.Rand(g.r, new(big.Int).Lsh(big.NewInt(1), k.bits-1)))
	}
	if g.s.chance(3) {
		sign := ""
		if n.Sign() < 0 {
			sign = "-"
		}
		return fmt.Sprintf("#%sx%s%x", k.letters, sign, new(big.Int).Abs(n))
	}
	return fmt.Sprintf("#%s%s", k.letters, n)
}

// constant returns a constant of a closed type, as in initial values of globals.
func (g *tvmGen) constant(t *tvmType) string {
	switch i := t.isInt(); {
	case i >= 0:
		return g.literal(i)
	case t.kind == tvmPrim && t.name == "uiptr":
		return fmt.Sprintf("#up%d", g.r.Intn(5))
	case t.kind == tvmPrim && t.name == "bool":
		return g.oneOf("true", "false")
	case t.kind == tvmPrim || g.r.Intn(6) == 0:
		return g.zero(t)
	}
	return g.build(t, g.constant)
}

func (g *tvmGen) zero(t *tvmType) string {
	return fmt.Sprintf("(%s %s)", g.s.of("zero", "zero", "undef"), t.text(g.s))
}

// build makes an aggregate of a type of known length from parts.
func (g *tvmGen) build(t *tvmType, part func(*tvmType) string) string {
	list := func(ts []*tvmType) string {
		var b strings.Builder
		for _, p := range ts {
			b.WriteString(" " + part(p))
		}
		return b.String()
	}
	switch t.kind {
	case tvmStruct:
		return "(struct_v" + list(t.parts) + ")"
	case tvmApply:
		return fmt.Sprintf("(apply_v %s (struct_v%s))", t.text(g.s), list(g.members(t)))
	case tvmUnion:
		return fmt.Sprintf("(union_v %s%s)", t.text(g.s), list([]*tvmType{t.parts[g.r.Intn(len(t.parts))]}))
	}
	ts := make([]*tvmType, t.n.lit)
	for i := range ts {
		ts[i] = t.parts[0]
	}
	return fmt.Sprintf("(array_v %s%s)", t.parts[0].text(g.s), list(ts))
}

// term returns a value of a type as an operand.
func (b *tvmBody) term(t *tvmType) string { return b.veil(t, b.plain(t, 2)) }

// known chooses a value of a type among the named values and their parts; "" if there is none.
func (b *tvmBody) known(t *tvmType) string {
	var l []string
	k := t.key()
	for _, v := range b.vals {
		if v.t.key() == k {
			l = append(l, v.text)
			continue
		}
		if v.t.kind == tvmUnion || v.t.kind == tvmPrim || v.t.kind == tvmVar {
			continue
		}
		if v.t.kind == tvmArray {
			if v.t.parts[0].key() == k {
				l = append(l, "@"+v.text)
			}
			continue
		}
		for i, m := range b.members(v.t) {
			if m.key() == k {
				l = append(l, b.member(v, i))
			}
		}
	}
	if len(l) == 0 {
		return ""
	}
	x := l[b.r.Intn(len(l))]
	if name, ok := strings.CutPrefix(x, "@"); ok {
		for _, v := range b.vals {
			if v.text == name {
				return fmt.Sprintf("(%s %s %s)", b.s.of("array_el", "element"), name, b.index(v.t.n))
			}
		}
	}
	return x
}

// member returns a member of a value.
func (b *tvmBody) member(v tvmVal, i int) string {
	if b.s.chance(2) {
		return fmt.Sprintf("(struct_el %s #%s%d)", v.text, b.s.of("i", "up", "b"), i)
	}
	if v.t.kind == tvmApply {
		return fmt.Sprintf("(element %s #up0 #up%d)", v.text, i)
	}
	return fmt.Sprintf("(element %s #up%d)", v.text, i)
}

// index returns an index into an array of a length.
func (b *tvmBody) index(n tvmLen) string {
	if b.r.Intn(3) == 0 && n.lit > 0 {
		return fmt.Sprintf("#up%d", b.r.Intn(n.lit))
	}
	if b.r.Intn(5) == 0 {
		return "#up0"
	}
	i, end := b.plain(tvmWord, 0), n.text(b.s)
	return fmt.Sprintf("(select %s %s #up0)", b.s.of(fmt.Sprintf("(cmp_lt %s %s)", i, end), fmt.Sprintf("(cmp_gt %s %s)", end, i)), i)
}

// word returns a small value of type uiptr.
func (b *tvmBody) word(depth int) string {
	switch k := b.r.Intn(6); {
	case k < 2 || depth == 0:
		return fmt.Sprintf("#up%d", b.r.Intn(5))
	case k < 3 && len(b.lens) > 0:
		return b.lens[b.r.Intn(len(b.lens))].text(b.s)
	case k < 4:
		return fmt.Sprintf("(%s #up%d %s)", b.oneOf("add", "mul"), b.r.Intn(3), b.plain(tvmWord, depth-1))
	}
	return fmt.Sprintf("(bitcast (bit_and %s #ub7) uiptr)", b.plain(tvmNamed("ui8"), depth-1))
}

// plain returns a value of a type that is computed where it is used.
func (b *tvmBody) plain(t *tvmType, depth int) string {
	if b.r.Intn(5) > 0 || depth == 0 {
		if x := b.known(t); x != "" {
			return x
		}
	}
	i := t.isInt()
	switch {
	case depth > 0 && b.r.Intn(8) == 0:
		return fmt.Sprintf("(select %s %s %s)", b.condition(depth-1), b.plain(t, depth-1), b.plain(t, depth-1))
	case i >= 0 && depth == 0:
		return b.literal(i)
	case i >= 0:
		return b.integer(t, i, depth-1)
	case t.kind == tvmVar, t.kind == tvmArray && t.n.name != "":
		return b.zero(t)
	case t.kind != tvmPrim:
		if b.r.Intn(8) == 0 {
			return b.zero(t)
		}
		return b.build(t, func(p *tvmType) string { return b.plain(p, max(depth-1, 0)) })
	case t.name == "uiptr":
		return b.word(depth)
	case t.name == "bool":
		if depth == 0 {
			return b.oneOf("true", "false")
		}
		return b.condition(depth - 1)
	case depth == 0:
		return b.zero(t)
	case t.name == "fp32": // no NaN
		return fmt.Sprintf("(bitcast (bit_and %s #ix-40000001) fp32)", b.plain(tvmNamed("i32"), depth-1))
	}
	return fmt.Sprintf("(bitcast (bit_and %s #lx-4000000000000001) fp64)", b.plain(tvmI64, depth-1))
}

// integer returns an operation with a result of an integer type.
func (b *tvmBody) integer(t *tvmType, i, depth int) string {
	x := func() string { return b.plain(t, depth) }
	switch k := b.r.Intn(16); {
	case k < 2:
		return b.literal(i)
	case k < 6:
		return b.sum(x(), x())
	case k < 7:
		return fmt.Sprintf("(%s %s)", b.oneOf("neg", "bit_not"), x())
	case k < 9:
		return fmt.Sprintf("(%s %s %s)", b.oneOf("bit_and", "bit_or", "bit_xor"), x(), x())
	case k < 11:
		return fmt.Sprintf("(%s %s %s)", b.oneOf("shl", "shr"), x(), b.plain(tvmNamed("ui32"), depth))
	case k < 13:
		y := x()
		if !b.risky {
			y = fmt.Sprintf("(bit_or %s #%s1)", y, tvmInts[i].letters)
		}
		return fmt.Sprintf("(div %s %s)", x(), y)
	case k < 14: // the bytes of a number read as another type
		u := b.intType()
		union := &tvmType{kind: tvmUnion, parts: []*tvmType{u, t}}
		return fmt.Sprintf("(%s (union_v %s %s) %s)", b.s.of("union_el"), union.text(b.s), b.plain(u, depth), b.s.of(t.name, "#up1"))
	}
	from := b.prim()
	return fmt.Sprintf("(bitcast %s %s)", b.plain(from, depth), t.name)
}

// sum returns a sum, difference or product, in one of its spellings.
func (b *tvmBody) sum(x, y string) string {
	switch b.r.Intn(3) {
	case 0:
		return b.s.of(fmt.Sprintf("(add %s %s)", x, y), fmt.Sprintf("(add %s %s)", y, x), fmt.Sprintf("(sub %s (neg %s))", x, y))
	case 1:
		return b.s.of(fmt.Sprintf("(sub %s %s)", x, y), fmt.Sprintf("(neg (sub %s %s))", y, x), fmt.Sprintf("(add (neg %s) %s)", y, x))
	}
	return b.s.of(fmt.Sprintf("(mul %s %s)", x, y), fmt.Sprintf("(mul %s %s)", y, x), fmt.Sprintf("(neg (mul (neg %s) %s))", x, y))
}

// condition returns a value of type bool.
func (b *tvmBody) condition(depth int) string {
	t := b.prim()
	x, y := b.plain(t, depth), b.plain(t, depth)
	op := b.r.Intn(6)
	if t.isInt() < 0 && t.name != "uiptr" {
		op = b.r.Intn(2)
	}
	names := []string{"eq", "ne", "lt", "le", "gt", "ge"}
	turned := []string{"eq", "ne", "gt", "ge", "lt", "le"}
	return b.s.of(fmt.Sprintf("(cmp_%s %s %s)", names[op], x, y), fmt.Sprintf("(cmp_%s %s %s)", turned[op], y, x),
		fmt.Sprintf("(bit_not (cmp_%s %s %s))", []string{"ne", "eq", "ge", "gt", "le", "lt"}[op], x, y))
}

// veil passes a value through a detour, which does not change it.
func (b *tvmBody) veil(t *tvmType, x string) string {
	if b.risky || !b.s.chance(3) {
		return x
	}
	switch b.s.next(7) {
	case 0:
		p := b.fresh("p")
		b.put("%s = alloca %s", p, t.text(b.s))
		b.put("store %s %s", x, p)
		x = b.fresh("v")
		b.put("%s = load %s", x, p)
	case 1:
		y := b.fresh("v")
		b.put("%s = call %sid %s %s", y, b.global, t.text(b.s), x)
		x = y
	case 2:
		x = fmt.Sprintf("(%s (struct_v #b5 %s) #up1)", b.s.of("element", "struct_el"), x)
	case 3:
		p := b.fresh("p")
		b.put("%s = alloca_const %s", p, x)
		q := b.fresh("p")
		b.put("%s = alloca %s", q, t.text(b.s))
		b.put("memcpy %s %s #up1", q, p)
		x = b.fresh("v")
		b.put("%s = load %s", x, q)
	case 4:
		x = fmt.Sprintf("(element (array_v %s %s %s) %s)", t.text(b.s), b.zero(t), x, "#up1")
	case 5: // hidden and found again; also a type that nothing depends on
		x = fmt.Sprintf("(unwrap (introduce_exists (exists (%%t : type) > %s) %s))", t.text(b.s), x)
	default:
		y := b.fresh("v")
		b.put("%s = call %spick %s true %s %s", y, b.global, t.text(b.s), x, b.zero(t))
		x = y
	}
	return x
}
