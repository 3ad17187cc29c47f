// Package hail parses HAIL scripts (docs/hail.md) that are loaded at run time. It knows
// the grammar and the values of literals; the runtime resolves names and checks types. It
// shares no code with the parser of the translator, which the runtime does not import.
package hail

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/rtlib/internal/lex"
)

// A Def is one definition of a script.
type Def struct {
	Kind  DefKind
	Name  string // of the object, with '$'
	Type  string // name of its type, with '@'
	Len   *Value // of the variable part: Int or Global
	Left  Place  // of Init
	Right *Value
	Off   int
}

// DefKind is the kind of a Def.
type DefKind uint8

// The kinds of definitions.
const (
	New DefKind = iota
	NewHybrid
	Init
)

// A Place is a cell or an object, or a part of one.
type Place struct {
	Base  string // with '@' or '$'
	Index []*Value
	Off   int
}

// ValueKind is the kind of a Value.
type ValueKind uint8

// The kinds of values.
const (
	Global ValueKind = iota
	Object
	Int
	Float
	Double
	Null
	Addr // &PLACE
	Copy // *PLACE
	List
)

// A Value is what stands on the right of a definition, or an index.
type Value struct {
	Kind   ValueKind
	Name   string // of Global and Object, with its sigil
	Neg    bool   // of Int
	Lo, Hi uint64 // of Int: the absolute value; of Float and Double, Lo: the bits
	Place  Place
	Elems  []*Value
	Off    int
}

// Error is a syntax error.
type Error struct {
	Off int
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// Line returns line and column, from 1, of an offset in a script.
func Line(src string, off int) (line, col int) {
	before := src[:min(off, len(src))]
	return 1 + strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n')
}

// maxDepth is how deep lists may nest.
const maxDepth = 1000

// Parse parses a script. The error is an *Error.
func Parse(src string) (defs []*Def, err error) {
	p := &parser{src: src}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			defs, err = nil, e
		}
	}()
	p.next()
	for p.tok != "" {
		defs = append(defs, p.def())
	}
	return defs, nil
}

// Number returns the value of a literal, an Int, Float or Double. The error is an *Error.
func Number(text string) (v *Value, err error) {
	p := &parser{src: text}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			v, err = nil, e
		}
	}()
	p.next()
	if p.tok == "" {
		p.fail(0, "want a number")
	}
	v = &Value{}
	p.number(v)
	if p.tok != "" {
		p.fail(p.off, "bad number %s", text)
	}
	return v, nil
}

type parser struct {
	src string
	pos int    // after tok
	tok string // "" at the end
	off int    // of tok
	in  int    // lists that are open
}

func (p *parser) fail(off int, format string, args ...any) {
	panic(&Error{off, lex.Message(format, args...)})
}

func (p *parser) shown() string {
	if p.tok == "" {
		return "end of script"
	}
	return p.tok
}

// next reads a token: a name with its sigil, a run of other characters of names and
// signs, or one of the characters <>[]{}()=&*.
func (p *parser) next() {
	p.pos = lex.Space(p.src, p.pos)
	p.off = p.pos
	if p.pos == len(p.src) {
		p.tok = ""
		return
	}
	c := p.src[p.pos]
	p.pos++
	switch {
	case strings.IndexByte("<>[]{}()=&*", c) >= 0:
	case c == '@' || c == '$' || c == '+' || lex.IsName(c):
		for p.pos < len(p.src) && (lex.IsName(p.src[p.pos]) || p.src[p.pos] == '+') {
			p.pos++
		}
		if p.pos < len(p.src) && strings.IndexByte(" \t\r\n<>[]{}()=&*/", p.src[p.pos]) < 0 {
			p.fail(p.pos, "%q sticks to %s", p.src[p.pos], p.src[p.off:p.pos])
		}
	default:
		p.fail(p.off, "bad character %q", c)
	}
	p.tok = p.src[p.off:p.pos]
}

func (p *parser) expect(tok string) {
	if p.tok != tok {
		p.fail(p.off, "want %s, got %s", tok, p.shown())
	}
	p.next()
}

// name takes a name with a sigil.
func (p *parser) name(sigil byte) string {
	n := p.tok
	if len(n) < 2 || n[0] != sigil || strings.IndexByte(n, '+') >= 0 {
		p.fail(p.off, "want a name with %c, got %s", sigil, p.shown())
	}
	p.next()
	return n
}

func (p *parser) def() *Def {
	d := &Def{Off: p.off}
	word := p.tok
	switch word {
	case ".new", ".newhybrid":
		p.next()
		d.Name = p.name('$')
		p.expect("<")
		d.Type = p.name('@')
		p.expect(">")
		if word == ".newhybrid" {
			d.Kind, d.Len = NewHybrid, p.index()
		}
	case ".init":
		p.next()
		d.Kind = Init
		d.Left = p.place()
		p.expect("=")
		d.Right = p.value()
	default:
		p.fail(p.off, "want .new, .newhybrid or .init, got %s", p.shown())
	}
	return d
}

func (p *parser) place() Place {
	l := Place{Off: p.off}
	if strings.HasPrefix(p.tok, "$") {
		l.Base = p.name('$')
	} else {
		l.Base = p.name('@')
	}
	for p.tok == "[" {
		p.next()
		l.Index = append(l.Index, p.index())
		p.expect("]")
	}
	return l
}

// index takes an integer or the name of a constant.
func (p *parser) index() *Value {
	v := p.value()
	if v.Kind != Int && v.Kind != Global {
		p.fail(v.Off, "want an integer or the name of a constant")
	}
	return v
}

func (p *parser) value() *Value {
	v := &Value{Off: p.off}
	switch {
	case p.tok == "":
		p.fail(p.off, "want a value, got end of script")
	case p.tok[0] == '@':
		v.Kind, v.Name = Global, p.name('@')
	case p.tok[0] == '$':
		v.Kind, v.Name = Object, p.name('$')
	case p.tok == "NULL":
		v.Kind = Null
		p.next()
	case p.tok == "&", p.tok == "*":
		v.Kind = Addr
		if p.tok == "*" {
			v.Kind = Copy
		}
		p.next()
		v.Place = p.place()
	case p.tok == "{":
		v.Kind = List
		if p.in++; p.in > maxDepth {
			p.fail(p.off, "lists nest more than %d deep", maxDepth)
		}
		p.next()
		for p.tok != "}" {
			v.Elems = append(v.Elems, p.value())
		}
		p.next()
		p.in--
	case p.tok == "bitsf", p.tok == "bitsd":
		v.Kind = Float
		size := 32
		if p.tok == "bitsd" {
			v.Kind, size = Double, 64
		}
		p.next()
		p.expect("(")
		off := p.off
		n := p.integer()
		if n.Hi != 0 || n.Neg || size == 32 && n.Lo > math.MaxUint32 {
			p.fail(off, "the bits do not fit %d bits", size)
		}
		v.Lo = n.Lo
		p.expect(")")
	default:
		p.number(v)
	}
	return v
}

// number takes a literal.
func (p *parser) number(v *Value) {
	s := p.tok
	last := s[len(s)-1]
	if last != 'f' && last != 'd' || strings.HasPrefix(strings.TrimLeft(s, "+-"), "0x") {
		*v = *p.integer()
		return
	}
	size := 32
	v.Kind = Float
	if last == 'd' {
		v.Kind, size = Double, 64
	}
	body := s[:len(s)-1]
	var f float64
	switch digits := strings.TrimLeft(body, "+-"); {
	case body == "nan":
		f = math.NaN()
	case digits == "inf" && len(body)-len(digits) <= 1:
		f = math.Inf(1)
		if body[0] == '-' {
			f = math.Inf(-1)
		}
	case isFP(body):
		var err error
		if f, err = strconv.ParseFloat(body, size); err != nil && !math.IsInf(f, 0) {
			p.fail(p.off, "bad number %s", s)
		}
	default:
		p.fail(p.off, "bad number %s", s)
	}
	if size == 32 {
		v.Lo = uint64(math.Float32bits(float32(f)))
	} else {
		v.Lo = math.Float64bits(f)
	}
	p.next()
}

// isFP reports whether s is [+-]? [0-9]+ '.' [0-9]+ ('e' [+-]? [0-9]+)?.
func isFP(s string) bool {
	digits := func() bool {
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		s = s[n:]
		return n > 0
	}
	sign := func() {
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
	}
	sign()
	if !digits() || s == "" || s[0] != '.' {
		return false
	}
	s = s[1:]
	if !digits() {
		return false
	}
	if s != "" && s[0] == 'e' {
		s = s[1:]
		sign()
		return digits() && s == ""
	}
	return s == ""
}

// integer takes an integer of up to 128 bits.
func (p *parser) integer() *Value {
	v := &Value{Kind: Int, Off: p.off}
	s := p.tok
	if s != "" && (s[0] == '+' || s[0] == '-') {
		v.Neg = s[0] == '-'
		s = s[1:]
	}
	base := uint64(10)
	switch {
	case strings.HasPrefix(s, "0x"):
		base, s = 16, s[2:]
	case len(s) > 1 && s[0] == '0':
		base, s = 8, s[1:]
	}
	if s == "" {
		p.fail(p.off, "want a value, got %s", p.shown())
	}
	for i := range len(s) {
		d := uint64(99)
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			d = uint64(c - '0')
		case c >= 'a' && c <= 'f':
			d = uint64(c-'a') + 10
		case c >= 'A' && c <= 'F':
			d = uint64(c-'A') + 10
		}
		if d >= base {
			p.fail(p.off, "bad number %s", p.tok)
		}
		top, hi := bits.Mul64(v.Hi, base)
		carry, lo := bits.Mul64(v.Lo, base)
		lo, c := bits.Add64(lo, d, 0)
		hi, c2 := bits.Add64(hi, carry, c)
		if top != 0 || c2 != 0 {
			p.fail(p.off, "%s has more than 128 bits", p.tok)
		}
		v.Lo, v.Hi = lo, hi
	}
	p.next()
	return v
}
