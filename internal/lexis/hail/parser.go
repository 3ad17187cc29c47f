package hail

import (
	"fmt"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// NewSymbols makes an empty table of symbols.
func NewSymbols() *Symbols { return lex.NewSymbols() }

// MaxDepth bounds how deep lists may nest; deeper ones are an error. Types do not nest so
// deep, and code that traverses the tree recursively cannot exhaust its stack.
const MaxDepth = 1000

const (
	kwNew lex.Keyword = 1 + iota
	kwNewHybrid
	kwInit
	kwNull
	kwBitsF
	kwBitsD
)

func isDef(k lex.Keyword) bool { return kwNew <= k && k <= kwInit }

// Parse reads a script; the result is never nil. Names are interned in syms.
func Parse(src []byte, syms *Symbols) *Script {
	dialect := lex.NewDialect("@$", "=<>{}[]()&*", false)
	keywords := lex.NewKeywords([]string{"", ".new", ".newhybrid", ".init", "NULL", "bitsf", "bitsd"})
	p := &parser{
		Reader: lex.NewReader(src, syms, dialect, keywords, false),
		s:      &Script{Src: src, Syms: syms},
	}
	for p.Tok.Kind != lex.EOF {
		p.definition()
		if p.Failed {
			p.recover()
		}
	}
	p.s.Reports = p.Reports
	return p.s
}

// A parser reads one script with one token of lookahead.
type parser struct {
	lex.Reader
	s     *Script
	stack []Value // of the lists being read
}

// recover skips to the next definition: a keyword of definitions, or any other
// word with a dot that is first on its line.
func (p *parser) recover() {
	p.Failed = false
	for p.Tok.Kind != lex.EOF && !isDef(p.Kw) && !(p.Tok.NL && p.dotted()) {
		p.Next()
	}
}

// dotted reports whether the current token is a word with a dot.
func (p *parser) dotted() bool { return p.Tok.Kind == lex.Word && p.Src[p.Tok.Off] == '.' }

// definition reads one definition.
func (p *parser) definition() {
	d := Def{Off: p.Tok.Off}
	p.Begin("script", Name{}, d.Off)
	if !isDef(p.Kw) {
		switch {
		case p.Tok.Kind == lex.Bad:
			p.Complain("")
		case p.dotted():
			p.Reject("unknown definition "+p.Found(), p.Near(isDef))
		default:
			p.Reject("wanted .new, .newhybrid or .init, found "+p.Found(), p.Near(isDef))
		}
		p.Failed = true
		p.Next()
		return
	}
	d.Kind = New + DefKind(p.Kw-kwNew)
	p.Begin(d.Kind.String(), Name{}, d.Off)
	p.Shape = shapes[d.Kind]
	p.Next()
	switch d.Kind {
	case New, NewHybrid:
		d.Name = p.named('$', "the name of the object, with $")
		p.Name = d.Name
		p.Punct('<')
		d.Type = p.named('@', "the name of a type")
		p.Punct('>')
		if d.Kind == NewHybrid {
			d.Len = p.intExpr("the length, an integer or a constant")
		}
	case Init:
		d.Left = p.location()
		p.Punct('=')
		p.Shape = "a value such as 42, $a, NULL, {1 2}, &$a or *$a"
		d.Right = p.value(0)
	}
	if !p.Failed {
		p.s.Defs = append(p.s.Defs, d)
	}
}

// shapes show how definitions are written, in messages about wrong ones.
var shapes = [...]string{
	New:       ".new $object <@type>",
	NewHybrid: ".newhybrid $object <@hybrid> 10",
	Init:      ".init $object[0] = 42",
}

// named takes a name with the given sigil.
func (p *parser) named(sigil byte, wanted string) Name {
	if p.Failed {
		return Name{}
	}
	if p.Tok.Kind != lex.Ident || p.Src[p.Tok.Off] != sigil {
		p.Fail(wanted)
		return Name{}
	}
	return p.Take()
}

// location reads a name and its indices.
func (p *parser) location() Location {
	if p.Failed {
		return Location{}
	}
	if p.Tok.Kind != lex.Ident {
		p.Fail("a location, the name of a cell or object")
		return Location{}
	}
	l := Location{Base: p.Take()}
	if p.Name.IsZero() { // the left side of .init
		p.Name = l.Base
	}
	mark := len(p.stack)
	for !p.Failed && p.Is('[') {
		p.Next()
		p.stack = append(p.stack, p.intExpr("an index, an integer or a constant"))
		p.Punct(']')
	}
	l.at, l.n = p.pop(mark)
	return l
}

// pop moves the values pushed since mark to the script and returns their place there.
func (p *parser) pop(mark int) (at, n uint32) {
	at, n = uint32(len(p.s.values)), uint32(len(p.stack)-mark)
	p.s.values = append(p.s.values, p.stack[mark:]...)
	p.stack = p.stack[:mark]
	return at, n
}

// intExpr reads an integer literal or the name of a constant.
func (p *parser) intExpr(wanted string) Value {
	switch {
	case p.Failed:
	case p.Tok.Kind == lex.Int:
		return p.integer()
	case p.Tok.Kind == lex.Ident && p.Src[p.Tok.Off] == '@':
		n := p.Take()
		return Value{Off: n.Off, Kind: Global, ref: uint32(n.Sym)}
	default:
		p.Fail(wanted)
	}
	return Value{}
}

// integer takes the current integer literal.
func (p *parser) integer() Value {
	v := Value{Off: p.Tok.Off, Kind: Int, ref: uint32(len(p.s.ints))}
	p.s.ints = append(p.s.ints, lex.ParseInt(p.Src, p.Tok))
	p.Next()
	return v
}

// value reads a value within depth lists.
func (p *parser) value(depth int) Value {
	if p.Failed {
		return Value{}
	}
	v := Value{Off: p.Tok.Off}
	switch {
	case p.Tok.Kind == lex.Ident:
		v.Kind = Global
		if p.Src[p.Tok.Off] == '$' {
			v.Kind = Object
		}
		v.ref = uint32(p.Take().Sym)
		if p.Is('[') {
			p.Fail("a value", "a location as a value begins with & for its address or * for what it holds")
		}
	case p.Tok.Kind == lex.Int:
		return p.integer()
	case p.Tok.Kind == lex.FP:
		v = p.fp(lex.ParseFP(p.Src, p.Tok))
		p.Next()
	case p.Kw == kwNull:
		v.Kind = Null
		p.Next()
	case p.Kw == kwBitsF || p.Kw == kwBitsD:
		return p.bits()
	case p.Is('&') || p.Is('*'):
		v.Kind = Addr
		if p.Is('*') {
			v.Kind = Copy
		}
		p.Next()
		l := p.location()
		v.ref = uint32(len(p.s.locs))
		p.s.locs = append(p.s.locs, l)
	case p.Is('{'):
		if depth == MaxDepth {
			p.Fail("a value", fmt.Sprintf("lists nest at most %d deep", MaxDepth))
			break
		}
		v.Kind = List
		p.Next()
		mark := len(p.stack)
		for !p.Failed && !p.Is('}') {
			if p.Tok.Kind == lex.EOF || isDef(p.Kw) {
				p.Fail("a value or }")
				break
			}
			p.stack = append(p.stack, p.value(depth+1))
		}
		p.Punct('}')
		v.ref, v.n = p.pop(mark)
	default:
		p.Fail("a value", p.Near(lex.OneOf(kwNull, kwBitsF, kwBitsD)))
	}
	return v
}

// fp makes the value of a floating-point literal.
func (p *parser) fp(l FPLit) Value {
	p.s.fps = append(p.s.fps, l)
	return Value{Off: l.Off, Kind: FP, ref: uint32(len(p.s.fps) - 1)}
}

// bits reads bitsf(INT) or bitsd(INT).
func (p *parser) bits() Value {
	l := FPLit{Off: p.Tok.Off, Form: lex.FPBits, Double: p.Kw == kwBitsD}
	p.Next()
	p.Punct('(')
	if !p.Failed && p.Tok.Kind != lex.Int {
		p.Fail("the bit pattern, an integer")
	}
	if !p.Failed {
		n := lex.ParseInt(p.Src, p.Tok)
		l.Bits = &n
		p.Next()
	}
	l.End = p.Tok.End
	p.Punct(')')
	return p.fp(l)
}
