package randprog

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

type kind uint8

const (
	kInt kind = iota
	kFloat
	kDouble
	kVoid
	kRef
	kIRef
	kWeak
	kUPtr
	kUFunc
	kStruct
	kArray
	kVector
	kHybrid
	kFunc
	kStack
	kThread
	kCursor
	kTag
)

// A typ is a type of the program. Equal types are the same pointer. Structs with
// different names count as different, although the language may treat them as equal.
type typ struct {
	kind   kind
	bits   int    // int
	n      int    // array, vector; hybrid: least length of the variable part
	elem   *typ   // referent, element, variable part
	fields []*typ // struct, fixed part
	sig    *sig
	name   string
}

type sig struct {
	params, results []*typ
	name            string
}

// intern finds or defines a type by the text after the '='.
func (g *gen) intern(short, text string, t typ) *typ {
	if old, ok := g.types[text]; ok {
		return old
	}
	t.name = g.prefix + short
	p := &t
	g.types[text] = p
	fmt.Fprintf(&g.defs, ".typedef %s = %s\n", t.name, text)
	return p
}

func short(t *typ, prefix string) string { return strings.TrimPrefix(t.name, prefix) }

func (g *gen) int(n int) *typ {
	return g.intern(fmt.Sprintf("i%d", n), fmt.Sprintf("int<%d>", n), typ{kind: kInt, bits: n})
}

func (g *gen) float() *typ  { return g.intern("f", "float", typ{kind: kFloat}) }
func (g *gen) double() *typ { return g.intern("d", "double", typ{kind: kDouble}) }
func (g *gen) void() *typ   { return g.intern("void", "void", typ{kind: kVoid}) }
func (g *gen) tag() *typ    { return g.intern("tag", "tagref64", typ{kind: kTag}) }
func (g *gen) stack() *typ  { return g.intern("stack", "stackref", typ{kind: kStack}) }
func (g *gen) thread() *typ { return g.intern("thread", "threadref", typ{kind: kThread}) }

var ofNames = map[kind][2]string{
	kRef: {"R", "ref"}, kIRef: {"I", "iref"}, kWeak: {"W", "weakref"}, kUPtr: {"P", "uptr"},
}

func (g *gen) of(k kind, t *typ) *typ {
	n := ofNames[k]
	return g.intern(n[0]+"_"+short(t, g.prefix), fmt.Sprintf("%s<%s>", n[1], t.name), typ{kind: k, elem: t})
}

func (g *gen) ref(t *typ) *typ  { return g.of(kRef, t) }
func (g *gen) iref(t *typ) *typ { return g.of(kIRef, t) }

func (g *gen) array(t *typ, n int) *typ {
	return g.intern(fmt.Sprintf("A%d_%s", n, short(t, g.prefix)), fmt.Sprintf("array<%s %d>", t.name, n), typ{kind: kArray, elem: t, n: n})
}

func (g *gen) vector(t *typ, n int) *typ {
	return g.intern(fmt.Sprintf("V%d_%s", n, short(t, g.prefix)), fmt.Sprintf("vector<%s %d>", t.name, n), typ{kind: kVector, elem: t, n: n})
}

func (g *gen) funcref(s *sig) *typ {
	return g.intern("F_"+strings.TrimPrefix(s.name, g.prefix), fmt.Sprintf("funcref<%s>", s.name), typ{kind: kFunc, sig: s})
}

func (g *gen) ufunc(s *sig) *typ {
	return g.intern("U_"+strings.TrimPrefix(s.name, g.prefix), fmt.Sprintf("ufuncptr<%s>", s.name), typ{kind: kUFunc, sig: s})
}

func names(ts []*typ) string {
	var l []string
	for _, t := range ts {
		l = append(l, t.name)
	}
	return strings.Join(l, " ")
}

// structOf defines a struct that differs from all others.
func (g *gen) structOf(name string, fields ...*typ) *typ {
	t := &typ{kind: kStruct, fields: fields, name: g.prefix + name}
	fmt.Fprintf(&g.defs, ".typedef %s = struct<%s>\n", t.name, names(fields))
	return t
}

func (g *gen) hybridOf(name string, min int, elem *typ, fields ...*typ) *typ {
	t := &typ{kind: kHybrid, n: min, elem: elem, fields: fields, name: g.prefix + name}
	fmt.Fprintf(&g.defs, ".typedef %s = hybrid<%s>\n", t.name, names(append(append([]*typ(nil), fields...), elem)))
	return t
}

// sigOf finds or defines a signature.
func (g *gen) sigOf(params, results []*typ) *sig {
	text := fmt.Sprintf("(%s) -> (%s)", names(params), names(results))
	if s, ok := g.sigs[text]; ok {
		return s
	}
	s := &sig{params: params, results: results, name: fmt.Sprintf("%ss%d", g.prefix, len(g.sigs))}
	g.sigs[text] = s
	fmt.Fprintf(&g.defs, ".funcsig %s = %s\n", s.name, text)
	return s
}

// strong returns the type of a value loaded from a location of type t.
func (g *gen) strong(t *typ) *typ {
	if t.kind == kWeak {
		return g.ref(t.elem)
	}
	return t
}

func isFP(t *typ) bool { return t.kind == kFloat || t.kind == kDouble }

// lanes is the number of elements of a vector, 1 for a scalar; lane its type.
func lane(t *typ) *typ {
	if t.kind == kVector {
		return t.elem
	}
	return t
}

// like returns the type of a vector as long as t with elements e, or e if t is a scalar.
func (g *gen) like(t, e *typ) *typ {
	if t.kind == kVector {
		return g.vector(e, t.n)
	}
	return e
}

func eqComparable(t *typ) bool {
	switch t.kind {
	case kInt, kRef, kIRef, kUPtr, kUFunc, kFunc, kStack, kThread, kCursor:
		return true
	}
	return false
}

// nullable reports whether values of the type may be NULL.
func nullable(t *typ) bool {
	switch t.kind {
	case kRef, kIRef, kFunc, kStack, kThread, kCursor:
		return true
	}
	return false
}

// each calls fn for t and its components.
func each(t *typ, fn func(*typ)) {
	fn(t)
	switch t.kind {
	case kStruct, kHybrid:
		for _, f := range t.fields {
			each(f, fn)
		}
	}
	switch t.kind {
	case kArray, kVector, kHybrid:
		each(t.elem, fn)
	}
}

func contains(t *typ, ks ...kind) bool {
	found := false
	each(t, func(c *typ) {
		for _, k := range ks {
			found = found || c.kind == k
		}
	})
	return found
}

// isValue reports whether variables may have the type.
func isValue(t *typ) bool { return !contains(t, kVoid, kHybrid, kWeak) }

// nativeSafe reports whether pointers to the type may exist. It is false for pointers themselves.
func nativeSafe(t *typ) bool {
	return !contains(t, kRef, kIRef, kWeak, kFunc, kStack, kThread, kCursor, kTag)
}

// hasConst reports whether constants of the type can be written.
func hasConst(t *typ) bool { return isValue(t) && !contains(t, kTag) }

// konst defines a constant and gives its name.
func (g *gen) konst(t *typ) string {
	var text string
	switch t.kind {
	case kInt:
		text = g.intText(t.bits)
	case kFloat, kDouble:
		text = g.fpText(t)
	case kUPtr, kUFunc:
		text = fmt.Sprint(g.r.Intn(1 << uint(1+g.r.Intn(30))))
	case kStruct:
		var l []string
		for _, f := range t.fields {
			l = append(l, g.konst(f))
		}
		text = "{" + strings.Join(l, " ") + "}"
	case kArray, kVector:
		var l []string
		for range t.n {
			l = append(l, g.konst(t.elem))
		}
		text = "{" + strings.Join(l, " ") + "}"
	default:
		text = "NULL"
	}
	return g.named(t, text)
}

// named finds or defines the constant of the type with the text.
func (g *gen) named(t *typ, text string) string {
	key := t.name + "=" + text
	if n, ok := g.consts[key]; ok {
		return n
	}
	n := fmt.Sprintf("%sc%d", g.prefix, len(g.consts))
	g.consts[key] = n
	fmt.Fprintf(&g.defs, ".const %s <%s> = %s\n", n, t.name, text)
	return n
}

func (g *gen) num(t *typ, v int64) string { return g.named(t, fmt.Sprint(v)) }

// ones is the constant 1, or -1 in every bit, of an int type or vector of one.
func (g *gen) splat(t *typ, v int64) string {
	if t.kind != kVector {
		return g.num(t, v)
	}
	e := g.num(t.elem, v)
	return g.named(t, "{"+strings.TrimSpace(strings.Repeat(e+" ", t.n))+"}")
}

// intText returns the text of an int of n bits, often one at the limits.
func (g *gen) intText(n int) string {
	one := big.NewInt(1)
	top := new(big.Int).Lsh(one, uint(n)) // 2^n
	half := new(big.Int).Rsh(top, 1)      // 2^(n-1)
	low := new(big.Int).Neg(half)         // least
	v := new(big.Int)
	switch g.r.Intn(12) {
	case 0, 1:
	case 2:
		v.SetInt64(1)
	case 3:
		v.SetInt64(-1)
	case 4:
		v.Set(low)
	case 5:
		v.Sub(half, one)
	case 6:
		v.Sub(top, one)
	case 7:
		v.Lsh(one, uint(g.r.Intn(n)))
	case 8:
		v.SetInt64(int64(g.r.Intn(200) - 100))
	default:
		v.Rand(g.r, top)
		v.Rsh(v, uint(g.r.Intn(n)))
	}
	if v.Cmp(low) < 0 || v.Cmp(top) >= 0 {
		v.SetInt64(int64(g.r.Intn(2)))
	}
	switch {
	case v.Sign() > 0 && g.r.Intn(3) == 0:
		return fmt.Sprintf("0x%x", v)
	case v.Sign() > 0 && g.r.Intn(10) == 0:
		return fmt.Sprintf("0%o", v)
	case v.Sign() < 0 && g.r.Intn(4) == 0:
		return fmt.Sprintf("-0x%x", new(big.Int).Neg(v))
	}
	return v.String()
}

var fpEdges = []string{"0.0", "-0.0", "1.0", "-1.0", "0.5", "1.5", "-2.5", "3.0e9", "1.0e-5", "127.5", "-128.9", "255.5",
	"32767.5", "2147483648.0", "-2147483649.0", "4294967295.5", "9223372036854775808.0", "18446744073709551616.0", "1.0e38", "-1.0e30",
	"0.1", "7.0", "16777217.0", "123456789.125"}

func (g *gen) fpText(t *typ) string {
	s := "d"
	if t.kind == kFloat {
		s = "f"
	}
	switch g.r.Intn(14) {
	case 0:
		return "nan" + s
	case 1:
		return "+inf" + s
	case 2:
		return "-inf" + s
	case 3, 4:
		if t.kind == kFloat {
			b := g.r.Uint32()
			if b&0x7f800000 == 0x7f800000 {
				b &^= 0x00800000
			}
			return fmt.Sprintf("bitsf(0x%x)", b)
		}
		b := g.r.Uint64()
		if b&0x7ff0000000000000 == 0x7ff0000000000000 {
			b &^= 1 << 52
		}
		return fmt.Sprintf("bitsd(0x%x)", b)
	case 5:
		return strings.TrimSuffix(fmt.Sprintf("%.6f", math.Ldexp(g.r.Float64()-0.5, g.r.Intn(40))), " ") + s
	case 6:
		if t.kind == kFloat {
			return fmt.Sprintf("bitsf(%d)", g.r.Intn(1<<23))
		}
		return fmt.Sprintf("bitsd(%d)", g.r.Int63n(1<<52))
	}
	return fpEdges[g.r.Intn(len(fpEdges))] + s
}
