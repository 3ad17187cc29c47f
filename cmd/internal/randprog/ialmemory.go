package randprog

import (
	"fmt"
	"strings"
)

// Statements on memory: blocks of the frame and native ones, structures by value, other types of references,
// pointers in memory, loops over indices.

// ialMemoryTypes holds the types that these statements use, and a function that changes a structure argument and returns it.
const ialMemoryTypes = `type @base { field int64 n; }
type @pair { field int64* p; field @node& o; field int32 k; field int16{3} t; }
function @pair @turn(@pair)
{
    register @pair s; register int32 x; register int16{3} t; register int16 y;
    block entry
    {
        s = arg.pop; x = field.get s (@pair:k); x = ari.neg x; field.set s, x (@pair:k);
        t = field.get s (@pair:t); y = load.i16 (3); array.ari.add t, t, y; field.set s, t (@pair:t); return s;
    }
}
`

func (g *ialGen) memoryTypes() {
	g.out.WriteString(strings.ReplaceAll(ialMemoryTypes, "@", g.prefix))
}

func (b *ialBody) memory() {
	switch b.r.Intn(6) {
	case 0:
		b.cells()
	case 1:
		b.native()
	case 2:
		b.pair()
	case 3:
		b.reinterpret()
	case 4:
		b.look()
	default:
		b.sweep()
	}
}

// cells stores numbers in a block of the frame, or the address of an element in one.
func (b *ialBody) cells() {
	t := b.number()
	p, q, r, i := b.reg(t+"*"), b.reg(t+"*"), b.reg(t), b.index()
	switch b.r.Intn(3) {
	case 0:
		b.put("%s = mem.salloc %s", p, b.constant("uint", "8"))
		b.put("%s = ari.add %s, %s", q, p, i)
		b.put("mem.set %s, %s", q, b.pick(t))
		b.put("%s = mem.get %s", r, b.oneOf(p, q))
	case 1:
		b.put("%s = mem.snew", p)
		b.put("%s = copy %s", q, p)
		b.put("mem.set %s, %s", q, b.pick(t))
		b.put("%s = mem.get %s", r, p)
	default:
		a := b.held("int64[]")
		if a == "" {
			return
		}
		pp, e, x := b.reg("int64**"), b.reg("int64*"), b.reg("int64")
		b.put("%s = mem.snew", pp)
		b.put("%s = array.addr %s, %s", e, a, i)
		b.put("mem.set %s, %s", pp, e)
		b.put("%s = load.null", e)
		b.replace(a)
		b.put("%s = mem.get %s", e, pp)
		b.put("%s = mem.get %s", x, e)
		b.set("int64", x)
		return
	}
	b.set(t, r)
}

// replace may assign another array to a variable, so that nothing refers to the old one, and collect.
func (b *ialBody) replace(a string) {
	if b.r.Intn(2) == 0 {
		b.put("%s = mem.alloc %s", a, b.constant("uint", "8"))
	}
	if b.r.Intn(3) == 0 {
		b.put("invoke (mci/gc_collect)")
	}
}

// native stores in a native block, perhaps as numbers of another width.
func (b *ialBody) native() {
	t := b.integer()
	p, q, r, i := b.reg(t+"*"), b.reg(t+"*"), b.reg(t), b.index()
	b.put("%s = mem.alloc %s", p, b.constant("uint", "8"))
	b.put("%s = ari.add %s, %s", q, p, i)
	b.put("mem.set %s, %s", q, b.pick(t))
	b.put("%s = ari.sub %s, %s", q, q, i)
	if b.r.Intn(2) == 0 {
		bytes, x := b.reg("uint8*"), b.reg("uint8")
		b.put("%s = conv %s", bytes, q)
		b.put("%s = ari.add %s, %s", bytes, bytes, i)
		b.put("%s = mem.get %s", x, bytes)
		b.set("uint8", x)
	}
	b.put("%s = ari.add %s, %s", q, q, i)
	b.put("%s = mem.get %s", r, q)
	b.put("mem.free %s", p)
	b.set(t, r)
}

// pair makes a structure by value from an address, a reference and numbers, moves it to another place, and reads it there.
func (b *ialBody) pair() {
	a := b.held("int64[]")
	if a == "" {
		return
	}
	pair, i := b.prefix+"pair", b.index()
	h, k := b.newPair(a, i), b.reg(pair)
	switch at := b.reg(pair + "*"); b.r.Intn(6) {
	case 0:
		b.replace(a)
		b.put("%s = copy %s", k, h)
	case 1:
		b.put("arg.push %s", h)
		b.put("%s = call (%sturn)", k, b.prefix)
	case 2:
		b.put("%s = mem.new", at)
		b.put("mem.set %s, %s", at, h)
		b.put("%s = mem.get %s", k, at)
		b.put("mem.free %s", at)
	case 3:
		b.put("%s = mem.addr %s", at, h)
		b.replace(a)
		b.put("%s = mem.get %s", k, at)
	case 4:
		list := b.reg(pair + "[]")
		b.put("%s = mem.alloc %s", list, b.constant("uint", "8"))
		b.put("array.set %s, %s, %s", list, i, h)
		b.put("%s = array.get %s, %s", k, list, i)
	default:
		list := b.reg(pair + "{8}")
		b.put("array.set %s, %s, %s", list, i, h)
		b.replace(a)
		b.put("%s = array.get %s, %s", k, list, i)
	}
	b.readPair(k)
}

// newPair returns a register with a structure that has the address of an element, of a new array if no array is given.
func (b *ialBody) newPair(a, i string) string {
	pair, node := b.prefix+"pair", b.prefix+"node"
	h, p, o, t := b.reg(pair), b.reg("int64*"), b.reg(node+"&"), b.reg("int16{3}")
	if a == "" {
		a, i = b.reg("int64[]"), b.index()
		b.put("%s = mem.alloc %s", a, b.constant("uint", "8"))
		b.put("array.set %s, %s, %s", a, i, b.pick("int64"))
	}
	b.put("%s = array.addr %s, %s", p, a, i)
	b.put("field.set %s, %s (%s:p)", h, p, pair)
	b.put("%s = mem.new", o)
	b.put("field.set %s, %s (%s:n)", o, b.pick("int64"), node)
	b.put("field.set %s, %s (%s:o)", h, o, pair)
	b.put("field.set %s, %s (%s:k)", h, b.pick("int32"), pair)
	b.put("%s = load.i16a (1, -2, 3)", t)
	b.put("field.set %s, %s (%s:t)", h, t, pair)
	b.put("%s = load.null", p)
	b.put("%s = load.null", o)
	return h
}

// readPair reads the members of such a structure.
func (b *ialBody) readPair(k string) {
	pair, node := b.prefix+"pair", b.prefix+"node"
	p, o := b.reg("int64*"), b.reg(node+"&")
	t, small, n, x := b.reg("int16{3}"), b.reg("int16"), b.reg("int32"), b.reg("int64")
	b.put("%s = field.get %s (%s:p)", p, k, pair)
	b.put("%s = mem.get %s", x, p)
	b.set("int64", x)
	b.put("%s = field.get %s (%s:o)", o, k, pair)
	b.put("%s = field.get %s (%s:n)", x, o, node)
	b.set("int64", x)
	b.put("%s = field.get %s (%s:k)", n, k, pair)
	b.set("int32", n)
	b.put("%s = field.get %s (%s:t)", t, k, pair)
	b.put("%s = array.get %s, %s", small, t, b.constant("uint", fmt.Sprint(b.r.Intn(3))))
	b.set("int16", small)
}

// reinterpret casts a reference to another type and back, or to a type with the same first member.
func (b *ialBody) reinterpret() {
	node := b.prefix + "node"
	o := b.held(node + "&")
	if o == "" {
		return
	}
	x := b.reg("int64")
	switch b.r.Intn(3) {
	case 0:
		any, again := b.reg("mci/Object&"), b.reg(node+"&")
		b.put("%s = conv %s", any, o)
		b.put("%s = conv %s", again, any)
		b.put("%s = field.get %s (%s:n)", x, again, node)
	case 1:
		base := b.reg(b.prefix + "base&")
		b.put("%s = conv %s", base, o)
		b.put("field.set %s, %s (%sbase:n)", base, b.pick("int64"), b.prefix)
		b.put("%s = field.get %s (%s:n)", x, o, node)
	default:
		a := b.held("int64[]")
		if a == "" {
			return
		}
		v, unsigned, i, u := b.reg("int64[8]"), b.reg("uint64[]"), b.index(), b.reg("uint64")
		b.put("%s = conv %s", v, a)
		b.put("%s = array.get %s, %s", x, v, i)
		b.put("%s = conv %s", unsigned, v)
		b.put("%s = array.get %s, %s", u, unsigned, i)
		b.set("uint64", u)
	}
	b.set("int64", x)
}

// look compares a reference with null.
func (b *ialBody) look() {
	node := b.prefix + "node"
	o := b.reg(node + "&")
	if from := b.held(node + "&"); from != "" && b.r.Intn(2) == 0 {
		b.put("%s = field.get %s (%s:next)", o, from, node)
	}
	at, word, u := b.reg(node+"&*"), b.reg("uint*"), b.reg("uint")
	b.put("%s = mem.addr %s", at, o)
	b.put("%s = conv %s", word, at)
	b.put("%s = mem.get %s", u, word)
	b.put("%s = not %s", u, u)
	b.set("uint", u)
}

// sweep loops over an array by an index plus a number, as long as the sum is below the length.
func (b *ialBody) sweep() {
	a := b.held("int64[]")
	if a == "" {
		return
	}
	head, body, access, end := b.label("head"), b.label("body"), b.label("access"), b.label("done")
	signed := b.oneOf("int", "uint")
	i, n, c, k, length, more := b.reg(signed), b.reg(signed), b.reg(signed), b.reg("uint"), b.reg("uint"), b.reg("uint")
	e, sum := b.reg("int64"), b.reg("int64")
	step := b.constant(signed, fmt.Sprint(1+b.r.Intn(3)))
	b.put("%s = copy %s", i, b.constant(signed, b.oneOf("0", "1", "6", "9")))
	b.put("%s = copy %s", c, b.constant(signed, b.oneOf("0", "1", "5", "8")))
	b.put("%s = copy %s", n, b.constant(signed, b.oneOf("0", "3", "8", "9", "40")))
	switch b.r.Intn(4) {
	case 0:
		b.put("%s = array.len %s", length, a)
		b.put("%s = conv %s", n, length)
	case 1: // perhaps negative
		x := b.pick(signed)
		b.put("%s = ari.rem %s, %s", n, x, b.constant(signed, "41"))
	case 2:
		x, y := b.pick(signed), b.pick(signed)
		b.put("%s = bit.and %s, %s", c, x, b.constant(signed, "15"))
		b.put("%s = ari.rem %s, %s", n, y, b.constant(signed, "17"))
	}
	b.put("%s = copy %s", sum, b.pick("int64"))
	b.put("jump (%s)", head)
	b.begin(head)
	b.put("%s = cmp.lt %s, %s", more, i, n)
	b.put("jump.cond %s (%s, %s)", more, body, end)
	b.begin(body)
	if signed == "int" && b.r.Intn(3) == 0 { // the limit changes
		b.put("%s = ari.add %s, %s", n, n, b.constant(signed, "-1"))
	}
	b.put("%s = array.len %s", length, a)
	sumAt := b.reg(signed)
	b.put("%s = ari.add %s, %s", sumAt, i, c)
	b.put("%s = conv %s", k, sumAt)
	b.put("%s = cmp.lt %s, %s", more, k, length)
	b.put("jump.cond %s (%s, %s)", more, access, end)
	b.begin(access)
	b.put("%s = array.get %s, %s", e, a, k)
	b.put("%s = ari.add %s, %s", sum, sum, e)
	if b.r.Intn(2) == 0 {
		b.put("array.set %s, %s, %s", a, k, sum)
	}
	b.put("%s = ari.add %s, %s", i, i, step)
	b.put("jump (%s)", head)
	b.begin(end)
	b.set("int64", sum)
	b.set(signed, i)
}
