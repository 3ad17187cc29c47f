package decl

import (
	"cmp"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// NewDialect makes the tokens of Mu text: names with @ and %, flags, strings
// and the punctuation of docs/language.md, "Text".
func NewDialect() *lex.Dialect { return lex.NewDialect("@%", "=<>(){}[]:", true) }

// IsGlobal reports whether a text begins as a global name does.
func IsGlobal(text string) bool { return strings.HasPrefix(text, "@") }

// NewSymbols makes an empty table of symbols.
func NewSymbols() *Symbols { return lex.NewSymbols() }

// Parse reads a bundle and skips the bodies of functions. Names are interned in syms.
func Parse(src []byte, syms *Symbols) *Parser {
	words := lex.NewKeywords(Words())
	p := NewParser(src, syms, NewDialect(), words, false)
	p.Bundle()
	if p.Bad && IsMuc(src, words) {
		p = NewParser(src, syms, NewMucDialect(words), words, false)
		p.Bundle()
	}
	return &p
}

// A Parser reads one bundle with one token of lookahead. After an error it continues at the next
// definition.
type Parser struct {
	lex.Reader
	Words *lex.Keywords

	// Body, if not nil, makes the definition of a function from its head; if body is set, the
	// parser is after the opening brace.
	Body func(h FuncHead, body bool) Def

	Defs   []Def        // in the order written
	Inline []Def        // types, signatures and constants that are written in the place of a name; see muc.go
	Faulty map[Def]bool // those elements of Defs that have syntax errors
	Gaps   bool         // there may be definitions of names that Defs has not

	Names []Name // stack of the lists being read
	Sync  Off    // where recovery last stopped

	inlined map[string]lex.Sym // the symbols of Inline
	nested  int                // of Inline, that are being read

	nameSlab  lex.Slab[Name]
	intSlab   lex.Slab[IntLit]
	constSlab lex.Slab[ConstDef]
	typeSlab  lex.Slab[TypeDef]
}

// NewParser makes a parser at the first token of a bundle. words must include those of Words.
func NewParser(src []byte, syms *Symbols, d *lex.Dialect, words *lex.Keywords, keepComments bool) Parser {
	return Parser{Reader: lex.NewReader(src, syms, d, words, keepComments), Words: words, Sync: ^Off(0)}
}

// Keyword takes the keyword k.
func (p *Parser) Keyword(k lex.Keyword) {
	switch {
	case p.Failed:
	case p.Kw != k:
		p.Fail(p.Words.Name(k), p.Near(lex.OneOf(k)))
	default:
		p.Next()
	}
}

// AnyName takes a global or a local name.
func (p *Parser) AnyName(wanted string) Name {
	if p.Failed {
		return Name{}
	}
	if p.Tok.Kind != lex.Ident {
		p.Fail(wanted, p.Sigil("%"))
		return Name{}
	}
	return p.Take()
}

// Global takes a name that must be global. A local name is an error, but is
// skipped.
func (p *Parser) Global(wanted string) Name {
	if p.Failed {
		return Name{}
	}
	switch {
	case p.Tok.Kind != lex.Ident:
		hint := p.Sigil("@")
		switch {
		case p.BareNames() && p.Word == ".const":
			hint = cmp.Or(hint, p.LiteralHint())
		case p.BareNames():
		case IsType(p.Kw):
			hint = "a type is not written out here: define it with .typedef and use its name"
		case p.Is('(') && wanted == wantedSig:
			hint = "a signature is not written out here: define it with .funcsig and use its name"
		case p.Word == ".const" && p.LiteralHint() != "":
			hint = "elements are names: define each constant with .const"
		}
		p.Fail(wanted, hint)
		return Name{}
	case p.Src[p.Tok.Off] == '%':
		p.Complain(wanted, "the name must be global, with @")
	}
	return p.TakeAs('@')
}

// TypeName takes the name of a type.
func (p *Parser) TypeName() Name { return p.Type("the name of a type") }

// SigName takes the name of a signature.
func (p *Parser) SigName() Name { return p.Sig(wantedSig) }

const wantedSig = "the name of a signature"

// Angled takes one name in angle brackets.
func (p *Parser) Angled(item func(*Parser) Name) Name {
	p.Punct('<')
	n := item(p)
	p.Punct('>')
	return n
}

// List takes items, such as those of Type, up to the closing punctuation, which stays.
func (p *Parser) List(item func(p *Parser, wanted string) Name, wanted string, end byte) []Name {
	mark := len(p.Names)
	for !p.Failed && !p.Is(end) {
		n := item(p, wanted)
		p.Names = append(p.Names, n)
	}
	return p.Pop(mark)
}

// Pop returns the names pushed since mark as a list of their own.
func (p *Parser) Pop(mark int) []Name {
	list := p.nameSlab.Make(len(p.Names) - mark)
	for i, n := range p.Names[mark:] { // not copy, which would load what was just stored in smaller parts: see lex.Scanner
		list[i].Sym, list[i].Off = n.Sym, n.Off
	}
	p.Names = p.Names[:mark]
	return list
}

// Forget makes room of the lists and integers that were read, which must not be used any more.
func (p *Parser) Forget() {
	p.nameSlab.Reset()
	p.intSlab.Reset()
}

// Integer takes an integer literal.
func (p *Parser) Integer(wanted string) *IntLit {
	if p.Failed {
		return nil
	}
	if p.Tok.Kind != lex.Int {
		p.Fail(wanted)
		return nil
	}
	l := p.intSlab.One()
	*l = lex.ParseInt(p.Src, p.Tok)
	p.Next()
	return l
}

// Sigil is the advice for a bare word where a name belongs.
func (p *Parser) Sigil(sigil string) string {
	switch {
	case p.Tok.Kind != lex.Word || p.Src[p.Tok.Off] == '.':
		return ""
	case p.BareNames():
		return "a name that is a keyword is written with its sigil"
	case p.Kw != 0:
		return ""
	}
	return "names begin with @ or %: write " + sigil + p.Found()
}

// LiteralHint is the advice for a literal where only names are allowed.
func (p *Parser) LiteralHint() string {
	switch {
	case p.Tok.Kind == lex.Int, p.Tok.Kind == lex.FP, p.Kw == KwNull, p.Kw == KwBitsF, p.Kw == KwBitsD:
		if p.BareNames() {
			return "a constant is written with its type, as in <int<64>> 1"
		}
		return "operands are names: define the constant with .const"
	}
	return ""
}
