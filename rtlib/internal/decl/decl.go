// Package decl parses bundles of declarations (docs/language.md, "Text" and "Grammar") that are
// loaded as text at run time (docs/client.md, "Loading text"): types, signatures, constants, cells,
// declared and exposed functions. If a function has a body, the parser reads the head and skips to
// the end. The runtime resolves names and checks types.
//
// The package shares no code with the parser of the translator, which the runtime does not import.
// It reports all syntax errors of a text: after an error the parser continues at the next
// definition.
package decl

import (
	"strings"

	"github.com/uvm2go/uvm2go/rtlib/internal/hail"
	"github.com/uvm2go/uvm2go/rtlib/internal/lex"
)

// Kind is the kind of a Def.
type Kind uint8

// The kinds of definitions.
const (
	Type     Kind = iota // .typedef
	Sig                  // .funcsig
	Const                // .const
	Global               // .global
	FuncDecl             // .funcdecl
	FuncDef              // .funcdef
	Expose               // .expose
)

// A Name is a global name with its '@', and where it is.
type Name struct {
	Text string
	Off  int
}

// A Def is one definition.
type Def struct {
	Kind Kind
	Name Name

	Ctor    string      // Type: the constructor
	Args    []Name      // Type: its types, or its signature
	Len     *hail.Value // Type: width of an int, length of an array or vector
	LenText string      // as written
	Params  []Name      // Sig
	Results []Name      // Sig
	Of      Name        // type of a constant or cell, signature or exposed function
	Value   *Value      // Const
	Flag    Name        // Expose: the calling convention, with '#'
	Cookie  Name        // Expose
}

// ValueKind is the kind of a Value.
type ValueKind uint8

// The kinds of values.
const (
	Int ValueKind = iota
	Float
	Double
	Null
	List
	Extern
)

// A Value is the value of a constant.
type Value struct {
	Kind   ValueKind
	Neg    bool   // of Int
	Lo, Hi uint64 // of Int: the absolute value; of Float and Double, Lo: the bits
	Elems  []Name // of List
	Symbol string // of Extern
	Off    int
}

// An Error is a syntax error.
type Error struct {
	Off int
	Msg string
}

// Parse parses a text. Definitions with errors are left out.
func Parse(src string) (defs []*Def, errs []Error) {
	p := &parser{src: src}
	p.try(func() { p.next() })
	for p.tok != "" || p.failed {
		if p.failed {
			p.recover()
			continue
		}
		var d *Def
		if p.try(func() { d = p.def() }) {
			defs = append(defs, d)
		}
	}
	return defs, p.errs
}

type parser struct {
	src    string
	pos    int    // after tok
	tok    string // "" at the end
	off    int    // of tok
	errs   []Error
	failed bool // looking for the next definition
}

// syntax is what fail panics with, for try.
type syntax struct{}

func (p *parser) fail(off int, format string, args ...any) {
	p.errs = append(p.errs, Error{off, lex.Message(format, args...)})
	panic(syntax{})
}

func (p *parser) try(f func()) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, mine := r.(syntax); !mine {
				panic(r)
			}
			ok, p.failed = false, true
		}
	}()
	f()
	return true
}

// keyword tells which definition a token begins. It is no map, which programs that load no
// text would have as well.
func keyword(tok string) (Kind, bool) {
	switch tok {
	case ".typedef":
		return Type, true
	case ".funcsig":
		return Sig, true
	case ".const":
		return Const, true
	case ".global":
		return Global, true
	case ".funcdecl":
		return FuncDecl, true
	case ".funcdef":
		return FuncDef, true
	case ".expose":
		return Expose, true
	}
	return 0, false
}

// recover skips to the next keyword, or the end.
func (p *parser) recover() {
	for {
		if _, ok := keyword(p.tok); ok || p.tok == "" {
			p.failed = false
			return
		}
		if p.pos == p.off {
			p.pos++ // of no token
		}
		n := len(p.errs)
		if !p.try(p.next) {
			p.errs = p.errs[:n] // what is skipped is not looked at
		}
	}
}

func (p *parser) shown() string {
	if p.tok == "" {
		return "end of text"
	}
	return p.tok
}

// next reads a token: a name with its sigil, a number or keyword, a string, "->", or one of
// the characters =<>(){}[]:.
func (p *parser) next() {
	p.pos = lex.Space(p.src, p.pos)
	p.off = p.pos
	if p.pos == len(p.src) {
		p.tok = ""
		return
	}
	c := p.src[p.pos]
	p.tok = "?" // should what follows be no token
	switch {
	case strings.HasPrefix(p.src[p.pos:], "->"):
		p.pos += 2
	case strings.IndexByte("=<>(){}[]:", c) >= 0:
		p.pos++
	case c == '"':
		n := strings.IndexAny(p.src[p.pos+1:], "\"\n")
		if n < 0 || p.src[p.pos+1+n] != '"' {
			p.fail(p.off, "bad string: no closing quote on the line")
		}
		p.pos += n + 2
	case c == '@' || c == '%' || c == '#' || c == '+' || lex.IsName(c):
		p.pos++
		for p.pos < len(p.src) && (lex.IsName(p.src[p.pos]) || p.src[p.pos] == '+') {
			p.pos++
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

// name takes a global name.
func (p *parser) name() Name {
	n := Name{p.tok, p.off}
	if len(n.Text) < 2 || n.Text[0] != '@' || strings.IndexByte(n.Text, '+') >= 0 {
		p.fail(p.off, "want a name with @, got %s", p.shown())
	}
	p.next()
	return n
}

// names takes the names up to a token, which it takes as well.
func (p *parser) names(end string) []Name {
	var l []Name
	for p.tok != end {
		l = append(l, p.name())
	}
	p.next()
	return l
}

func (p *parser) angled() Name {
	p.expect("<")
	n := p.name()
	p.expect(">")
	return n
}

func (p *parser) def() *Def {
	kind, ok := keyword(p.tok)
	if !ok {
		p.fail(p.off, "want a definition, got %s", p.shown())
	}
	p.next()
	d := &Def{Kind: kind, Name: p.name()}
	switch kind {
	case Type:
		p.expect("=")
		p.ctor(d)
	case Sig:
		p.expect("=")
		p.expect("(")
		d.Params = p.names(")")
		p.expect("->")
		p.expect("(")
		d.Results = p.names(")")
	case Const:
		d.Of = p.angled()
		p.expect("=")
		d.Value = p.value()
	case Global, FuncDecl:
		d.Of = p.angled()
	case FuncDef:
		p.expect("VERSION")
		p.next() // the name of the version
		d.Of = p.angled()
		p.body()
	case Expose:
		p.expect("=")
		d.Of = p.name()
		d.Flag = Name{p.tok, p.off}
		if !strings.HasPrefix(p.tok, "#") {
			p.fail(p.off, "want a calling convention, got %s", p.shown())
		}
		p.next()
		d.Cookie = p.name()
	}
	return d
}

// body skips a function body.
func (p *parser) body() {
	off := p.off
	if p.tok != "{" {
		p.fail(p.off, "want {, got %s", p.shown())
	}
	for depth := 0; ; p.next() {
		switch p.tok {
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				p.next()
				return
			}
		case "":
			p.fail(off, "the body has no end")
		}
	}
}

// ctor takes a constructor of types.
func (p *parser) ctor(d *Def) {
	d.Ctor = p.tok
	off := p.off
	switch d.Ctor {
	case "float", "double", "void", "threadref", "stackref", "framecursorref", "irnoderef", "tagref64":
		p.next()
	case "int":
		p.next()
		p.expect("<")
		d.LenText = p.tok
		d.Len = p.integer()
		p.expect(">")
	case "ref", "iref", "weakref", "uptr", "funcref", "ufuncptr":
		p.next()
		d.Args = []Name{p.angled()}
	case "struct", "hybrid":
		p.next()
		p.expect("<")
		d.Args = p.names(">")
		if len(d.Args) == 0 {
			p.fail(off, "%s: a %s wants at least one type", d.Name.Text, d.Ctor)
		}
	case "array", "vector":
		p.next()
		p.expect("<")
		d.Args = []Name{p.name()}
		d.LenText = p.tok
		d.Len = p.integer()
		p.expect(">")
	default:
		p.fail(p.off, "want a type constructor, got %s", p.shown())
	}
}

// number takes a literal.
func (p *parser) number() *hail.Value {
	off := p.off
	v, err := hail.Number(p.tok)
	if err != nil {
		p.fail(off, "%v", err)
	}
	v.Off = off
	p.next()
	return v
}

func (p *parser) integer() *hail.Value {
	off, tok := p.off, p.tok
	if tok == "" || tok[0] != '+' && tok[0] != '-' && (tok[0] < '0' || tok[0] > '9') {
		p.fail(off, "want an integer, got %s", p.shown())
	}
	v := p.number()
	if v.Kind != hail.Int {
		p.fail(off, "want an integer, got %s", tok)
	}
	return v
}

// value takes the value of a constant.
func (p *parser) value() *Value {
	v := &Value{Off: p.off}
	switch tok := p.tok; {
	case tok == "":
		p.fail(p.off, "want a value, got end of text")
	case tok == "NULL":
		v.Kind = Null
		p.next()
	case tok == "{":
		v.Kind = List
		p.next()
		v.Elems = p.names("}")
	case tok == "EXTERN":
		v.Kind = Extern
		p.next()
		if !strings.HasPrefix(p.tok, `"`) {
			p.fail(p.off, "want a string, got %s", p.shown())
		}
		v.Symbol = p.tok[1 : len(p.tok)-1]
		p.next()
	case tok == "bitsf", tok == "bitsd":
		v.Kind = Float
		width := uint32(32)
		if tok == "bitsd" {
			v.Kind, width = Double, 64
		}
		p.next()
		p.expect("(")
		n := p.integer()
		i := Value{Neg: n.Neg, Lo: n.Lo, Hi: n.Hi}
		if !i.Fits(width) {
			p.fail(n.Off, "the bits do not fit in %d bits", width)
		}
		_, v.Lo = i.Bits(width)
		p.expect(")")
	default:
		n := p.number()
		v.Neg, v.Lo, v.Hi = n.Neg, n.Lo, n.Hi
		switch n.Kind {
		case hail.Float:
			v.Kind = Float
		case hail.Double:
			v.Kind = Double
		}
	}
	return v
}

// Fits reports whether an Int lies in [-2^(bits-1), 2^bits-1].
func (v *Value) Fits(bits uint32) bool {
	hi, lo := v.Hi, v.Lo
	if v.Neg && hi|lo != 0 {
		if lo == 0 {
			hi--
		}
		lo--
		bits--
	}
	h, l := mask(hi, lo, bits)
	return h == hi && l == lo
}

// Bits returns the low bits of an Int in two's complement.
func (v *Value) Bits(bits uint32) (hi, lo uint64) {
	hi, lo = v.Hi, v.Lo
	if v.Neg {
		hi, lo = ^hi, -lo
		if lo == 0 {
			hi++
		}
	}
	return mask(hi, lo, bits)
}

func mask(hi, lo uint64, bits uint32) (uint64, uint64) {
	switch {
	case bits >= 128:
		return hi, lo
	case bits >= 64:
		return hi & (1<<(bits-64) - 1), lo
	}
	return 0, lo & (1<<bits - 1)
}
