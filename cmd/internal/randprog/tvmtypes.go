package randprog

import (
	"fmt"
	"strings"
)

// A tvmType is a type of a program in TVM.
type tvmType struct {
	kind  tvmKind
	name  string     // name of a number type, a variable or a schema
	parts []*tvmType // members, the element, arguments of the schema
	n     tvmLen     // of an array
	alias string     // another name, if it is defined
}

type tvmKind uint8

const (
	tvmPrim tvmKind = iota
	tvmStruct
	tvmUnion
	tvmArray
	tvmVar
	tvmApply // of a schema: a struct whose members may have the type %a
)

// A tvmLen is the length of an array, at least 1: a number, or a variable plus a number.
type tvmLen struct {
	name string
	lit  int
}

// text returns the length as an operand; s chooses the spelling.
func (n tvmLen) text(s *tvmSpelling) string {
	switch {
	case n.name == "":
		return fmt.Sprintf("#up%d", n.lit)
	case n.lit == 0:
		return s.of(n.name, n.name, fmt.Sprintf("(add %s #up0)", n.name), fmt.Sprintf("(sub (add #up3 %s) #up3)", n.name))
	}
	return s.of(fmt.Sprintf("(add %s #up%d)", n.name, n.lit), fmt.Sprintf("(sub %s #up-%d)", n.name, n.lit), fmt.Sprintf("(neg (sub #up-%d %s))", n.lit, n.name))
}

// tvmInts are the integer types with the letters of their numbers. Words are treated separately: see term.
var tvmInts = []struct {
	name, letters string
	bits          uint
	signed        bool
}{
	{"i8", "b", 8, true}, {"ui8", "ub", 8, false}, {"i16", "s", 16, true}, {"ui16", "us", 16, false}, {"i32", "i", 32, true}, {"ui32", "ui", 32, false},
	{"i64", "l", 64, true}, {"ui64", "ul", 64, false}, {"i128", "q", 128, true}, {"ui128", "uq", 128, false},
}

func tvmNamed(name string) *tvmType { return &tvmType{kind: tvmPrim, name: name} }

var tvmWord, tvmBool, tvmI64 = tvmNamed("uiptr"), tvmNamed("bool"), tvmNamed("i64")

// isInt returns the row of tvmInts for a type, or -1.
func (t *tvmType) isInt() int {
	for i := range tvmInts {
		if t.kind == tvmPrim && tvmInts[i].name == t.name {
			return i
		}
	}
	return -1
}

// key returns a text that is equal only for equal types.
func (t *tvmType) key() string {
	var b strings.Builder
	fmt.Fprint(&b, t.kind, t.name, t.n)
	for _, p := range t.parts {
		b.WriteString("(" + p.key() + ")")
	}
	return b.String()
}

// text returns the type as an operand.
func (t *tvmType) text(s *tvmSpelling) string {
	if t.alias != "" && s.chance(2) {
		return t.alias
	}
	switch t.kind {
	case tvmPrim, tvmVar:
		return t.name
	case tvmArray:
		return fmt.Sprintf("(array %s %s)", t.parts[0].text(s), t.n.text(s))
	}
	b := "(" + map[tvmKind]string{tvmStruct: "struct", tvmUnion: "union", tvmApply: "apply " + t.name}[t.kind]
	for _, p := range t.parts {
		b += " " + p.text(s)
	}
	return b + ")"
}

// size returns approximately the number of scalars in a value.
func (t *tvmType) size() int {
	switch t.kind {
	case tvmArray:
		n := t.n.lit
		if t.n.name != "" {
			n += 3
		}
		return t.parts[0].size() * n
	case tvmPrim:
		return 1
	case tvmVar:
		return 4
	}
	n := 1
	for _, p := range t.parts {
		n += p.size()
	}
	return n
}

// closed reports whether a type has no variables.
func (t *tvmType) closed() bool {
	for _, p := range t.parts {
		if !p.closed() {
			return false
		}
	}
	return t.kind != tvmVar && t.n.name == ""
}

// A tvmBinding holds the types and lengths for the variables of a generic function.
type tvmBinding struct {
	types map[string]*tvmType
	lens  map[string]tvmLen
}

// bind replaces variables by types and lengths.
func (t *tvmType) bind(b tvmBinding) *tvmType {
	if x := b.types[t.name]; t.kind == tvmVar && x != nil {
		return x
	}
	u := *t
	u.parts = nil
	if !t.closed() {
		u.alias = ""
	}
	for _, p := range t.parts {
		u.parts = append(u.parts, p.bind(b))
	}
	if n, ok := b.lens[t.n.name]; ok && t.n.name != "" {
		u.n = tvmLen{n.name, n.lit + t.n.lit}
	}
	return &u
}

// members returns the types of the members of a struct, union or instance.
func (g *tvmGen) members(t *tvmType) []*tvmType {
	if t.kind != tvmApply {
		return t.parts
	}
	return g.schemas[t.name].bind(tvmBinding{types: map[string]*tvmType{"%a": t.parts[0]}}).parts
}

// prim chooses a scalar type.
func (g *tvmGen) prim() *tvmType {
	switch g.r.Intn(12) {
	case 0:
		return tvmBool
	case 1:
		return tvmNamed(g.oneOf("fp32", "fp64"))
	case 2:
		return tvmWord
	}
	return g.intType()
}

func (g *tvmGen) intType() *tvmType { return tvmNamed(tvmInts[g.r.Intn(len(tvmInts))].name) }

// newType chooses a type, which may contain others.
func (g *tvmGen) newType(from []*tvmType, lens []tvmLen, depth int) *tvmType {
	part := func() *tvmType {
		if len(from) > 0 && g.r.Intn(3) > 0 {
			return from[g.r.Intn(len(from))]
		}
		if depth > 0 && g.r.Intn(3) == 0 {
			return g.newType(from, lens, depth-1)
		}
		return g.prim()
	}
	t := &tvmType{}
	switch g.r.Intn(7) {
	case 0, 1, 2:
		t.kind = tvmStruct
		for range 1 + g.r.Intn(4) {
			t.parts = append(t.parts, part())
		}
	case 3, 4:
		t.kind, t.parts, t.n = tvmArray, []*tvmType{part()}, tvmLen{lit: 1 + g.r.Intn(4)}
		if len(lens) > 0 && g.r.Intn(2) == 0 {
			t.n = lens[g.r.Intn(len(lens))]
			t.n.lit += g.r.Intn(2)
		}
	case 5: // the bytes of a member can be read as another one: no padding, no words
		t.kind = tvmUnion
		for range 1 + g.r.Intn(3) {
			m := g.intType()
			if g.r.Intn(3) == 0 {
				m = &tvmType{kind: tvmArray, parts: []*tvmType{m}, n: tvmLen{lit: 1 + g.r.Intn(4)}}
			}
			t.parts = append(t.parts, m)
		}
	default:
		if len(g.schemas) == 0 {
			return part()
		}
		t.kind, t.name, t.parts = tvmApply, g.schemaNames[g.r.Intn(len(g.schemaNames))], []*tvmType{part()}
	}
	if t.size() > 24 {
		return g.prim()
	}
	return t
}
