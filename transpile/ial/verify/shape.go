package verify

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// The notation of typing.go. The shape of an operation is "target = source source", or
// several such separated by " | " of which one must fit. A letter stands for a type:
//
//	N I P F T U  the same number, integer, pointer, pointer to a function, or type of any
//	             kind wherever the letter stands
//	u            uint
//	p r m g      any pointer, reference, managed type, pointer to a function
//	z            any type with null
//	a n y        what memory can be allocated for, can be new, can be freed
//	k l          the type of the literals; what can hold them all
//	c d          pointer to the function of the operand; pointer to data
//	f b          the type of the field of the operand; its structure, by value, pointer or
//	             reference
//	*X [X] X~    pointer to X; array, vector or static array of X; X or such an array of it

// A pattern says what the type of one register must be.
type pattern struct {
	wrap byte // '*', '[', '~', or 0 for the letter alone
	base byte
}

// An alternative has the patterns of all registers, the sources first and then the target,
// so that the sources determine the type of the target.
type alternative []pattern

// parse reads the shape of an operation.
func parse(shape string) []alternative {
	var alts []alternative
	for _, s := range strings.Split(shape, "|") {
		target, sources, ok := strings.Cut(s, "=")
		if !ok {
			panic("shape without =: " + shape)
		}
		var alt alternative
		for _, w := range strings.Fields(sources + " " + target) {
			alt = append(alt, parsePattern(w))
		}
		alts = append(alts, alt)
	}
	return alts
}

func parsePattern(w string) pattern {
	switch {
	case len(w) == 1:
		return pattern{0, w[0]}
	case len(w) == 2 && w[0] == '*':
		return pattern{'*', w[1]}
	case len(w) == 2 && w[1] == '~':
		return pattern{'~', w[0]}
	case len(w) == 3 && w[0] == '[' && w[2] == ']':
		return pattern{'[', w[1]}
	}
	panic("bad pattern " + w)
}

// A class has the types that a letter allows if it stands for more than one: a test, and the
// names of the class in messages. Plural is for elements.
type class struct {
	has              func(t *module.Type) bool
	singular, plural []string
}

func kinds(ks ...module.Kind) func(t *module.Type) bool {
	return func(t *module.Type) bool {
		for _, k := range ks {
			if t.Kind == k {
				return true
			}
		}
		return false
	}
}

var (
	isPointer = kinds(module.Pointer)
	isFunc    = kinds(module.FuncType)
)

var classes = map[byte]class{
	'N': {(*module.Type).IsPrimitive, []string{"an integer", "a float"}, []string{"integers", "floats"}},
	'I': {(*module.Type).IsInt, []string{"an integer"}, []string{"integers"}},
	'P': {isPointer, []string{"a pointer"}, []string{"pointers"}},
	'F': {isFunc, []string{"a function pointer"}, []string{"function pointers"}},
	'T': {anyType, []string{"a value"}, nil},
	'U': {anyType, []string{"a value"}, nil},
	'p': {isPointer, []string{"a pointer"}, nil},
	'r': {kinds(module.Reference), []string{"a reference to a structure"}, nil},
	'm': {(*module.Type).IsManaged, []string{"a reference", "an array", "a vector"}, []string{"references", "arrays", "vectors"}},
	'g': {isFunc, []string{"a function pointer"}, nil},
	'z': {kinds(module.Pointer, module.FuncType, module.Reference, module.Array, module.Vector),
		[]string{"a pointer", "a function pointer", "a reference", "an array", "a vector"}, nil},
	'a': {kinds(module.Pointer, module.Array), []string{"a pointer", "an array"}, nil},
	'n': {kinds(module.Pointer, module.Reference, module.Vector), []string{"a pointer", "a reference", "a vector"}, nil},
	'y': {kinds(module.Pointer, module.Reference, module.Array, module.Vector),
		[]string{"a pointer", "a reference", "an array", "a vector"}, nil},
}

func anyType(*module.Type) bool { return true }

// A binding is the type that a capital letter has got, from a register.
type binding struct {
	typ  *module.Type // nil if the register was wrong, so that nothing is known
	from string       // for messages
}

// A want says what a register should have been. Alternatives that differ only in singular or
// plural can be joined.
type want struct {
	index            int  // of the register, the target last
	wrap             byte // of the pattern
	singular, plural []string
	from             string       // which other register says so
	typ              *module.Type // the exact type, if there is one
}

// text is the want in the words of messages.
func (w *want) text() string {
	const arrays = "an array, vector or static array"
	switch {
	case w.wrap == '*' && w.typ != nil:
		return or(w.singular)
	case w.wrap == '*' && len(w.plural) > 0:
		return "a pointer to " + or(w.plural)
	case w.wrap == '*':
		return "a pointer"
	case w.wrap == '[' && len(w.plural) > 0:
		return arrays + " of " + or(w.plural) + w.from
	case w.wrap == '[':
		return arrays
	case w.wrap == '~':
		text := or(w.singular) + w.from
		if w.from != "" {
			text += ","
		}
		return text + " or " + arrays + " of it"
	}
	return or(w.singular) + w.from
}

// or joins words.
func or(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

// A matcher fits one instruction to one alternative.
type matcher struct {
	c     *checker
	in    *module.Instr
	bound map[byte]binding
	wants []want // for registers of wrong types
}

// match returns the wants of an alternative that an instruction does not meet.
func (c *checker) match(in *module.Instr, alt alternative) []want {
	m := matcher{c: c, in: in}
	for i, p := range alt {
		m.register(i, p)
	}
	return m.wants
}

// operand returns register i of an instruction, the target after the sources, and its place.
func operand(in *module.Instr, i int) (*module.Register, diag.Pos) {
	if i < len(in.Src) {
		return in.Src[i], in.SrcPos[i]
	}
	return in.Target, in.TargetPos
}

func (m *matcher) register(i int, p pattern) {
	r, _ := operand(m.in, i)
	t := r.Type
	name := reg(r)
	ok := true
	switch p.wrap {
	case '*':
		ok = t.Kind == module.Pointer && m.base(p.base, t.Elem, ", what "+name+" points to")
	case '[':
		ok = t.IsArray() && m.base(p.base, t.Elem, ", the element type of "+name)
	case '~':
		ok = t.IsArray() && m.fits(p.base, t.Elem) || m.base(p.base, t, " like "+name)
	default:
		ok = m.base(p.base, t, " like "+name)
	}
	if !ok {
		w := m.want(p)
		w.index = i
		m.wants = append(m.wants, w)
	}
}

// base reports whether a letter allows a type, and binds the letter if it occurs for the
// first time. A letter that does not allow the type allows anything from then on, because
// one fault should not lead to others.
func (m *matcher) base(letter byte, t *module.Type, from string) bool {
	ok := m.fits(letter, t)
	if _, known := m.bound[letter]; !known && 'A' <= letter && letter <= 'Z' {
		if m.bound == nil {
			m.bound = map[byte]binding{}
		}
		b := binding{from: from}
		if ok {
			b.typ = t
		}
		m.bound[letter] = b
	}
	return ok
}

// fits is base without the binding.
func (m *matcher) fits(letter byte, t *module.Type) bool {
	if b, known := m.bound[letter]; known {
		return b.typ == nil || b.typ == t
	}
	if k, ok := classes[letter]; ok {
		return k.has(t)
	}
	for _, exact := range m.exact(letter) {
		if t == exact {
			return true
		}
	}
	return false
}

// exact returns the types of a letter that does not stand for a class.
func (m *matcher) exact(letter byte) []*module.Type {
	ts, in := m.c.types, m.in
	one := func(t *module.Type) []*module.Type { return []*module.Type{t} }
	switch letter {
	case 'u':
		return one(ts.Basic(module.Uint))
	case 'k':
		return one(ts.Basic(in.Row().Literal))
	case 'l':
		e, n := ts.Basic(in.Row().Literal), uint32(len(in.Lits))
		return []*module.Type{ts.To(module.Array, e), ts.To(module.Pointer, e), ts.Counted(module.Vector, e, n), ts.Counted(module.Static, e, n)}
	case 'c':
		return one(m.c.pointer(in.Func))
	case 'd':
		return one(ts.To(module.Pointer, ts.Basic(module.Uint8)))
	case 'f':
		return one(in.Field.Type)
	case 'b':
		s := ts.Of(in.Field.Struct)
		return []*module.Type{s, ts.To(module.Pointer, s), ts.To(module.Reference, s)}
	}
	panic("unknown letter " + string(letter))
}

// want is the want of a pattern, as far as it is known.
func (m *matcher) want(p pattern) want {
	w := want{wrap: p.wrap}
	var types []*module.Type
	if b := m.bound[p.base]; b.typ != nil {
		types, w.from = []*module.Type{b.typ}, b.from
	} else if k, ok := classes[p.base]; ok {
		w.singular, w.plural = k.singular, k.plural
		return w
	} else {
		types = m.exact(p.base)
	}
	for _, t := range types {
		if p.wrap == '*' {
			t = m.c.types.To(module.Pointer, t)
		}
		w.singular = append(w.singular, m.c.spell(t))
		if p.wrap == 0 || p.wrap == '*' {
			w.typ = t
		}
	}
	if len(types) > 1 {
		w.typ = nil
	}
	w.plural = w.singular
	return w
}

// fit checks an instruction against alternatives. If none fits, it reports the registers that
// do not fit the alternative with the longest match.
func (c *checker) fit(r Rule, in *module.Instr, alts []alternative) bool {
	var best [][]want
	for _, alt := range alts {
		wants := c.match(in, alt)
		switch {
		case len(wants) == 0:
			return true
		case len(best) == 0 || wants[0].index > best[0][0].index:
			best = [][]want{wants}
		case wants[0].index == best[0][0].index:
			best = append(best, wants)
		}
	}
	shown := best[0]
	for _, wants := range best[1:] {
		if len(wants) < len(shown) {
			shown = wants
		}
	}
	first := shown[0]
	for _, wants := range best {
		first.join(&wants[0])
	}
	c.mismatch(r, in, &first)
	for i := range shown[1:] {
		c.mismatch(r, in, &shown[i+1])
	}
	return false
}

// join adds the types that another alternative would have allowed in the same place.
func (w *want) join(other *want) {
	if other.wrap != w.wrap {
		return
	}
	w.singular, w.plural = union(w.singular, other.singular), union(w.plural, other.plural)
}

func union(a, b []string) []string {
	all := append([]string(nil), a...)
	for _, s := range b {
		known := false
		for _, t := range all {
			known = known || s == t
		}
		if !known {
			all = append(all, s)
		}
	}
	return all
}

// mismatch reports a register of a wrong type.
func (c *checker) mismatch(r Rule, in *module.Instr, w *want) {
	x, pos := operand(in, w.index)
	c.fault(r, pos, "%s is %s, want %s%s", reg(x), c.spell(x.Type), w.text(), c.advice(in, x.Type, w))
}
