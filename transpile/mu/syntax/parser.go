package syntax

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/lexdiag"
)

// A Mode selects what Parse does beside building the tree.
type Mode uint8

// The modes.
const (
	// WithComments collects the comments.
	WithComments Mode = 1 << iota
)

// dialect has the tokens of the text form: names with @ and %, flags, strings
// and the punctuation of docs/language.md, "Text".
var dialect = lex.NewDialect("@%", "=<>(){}[]:", true)

// Parse reads a bundle. Errors go to errs, all that the file has; the result
// is never nil, and Bad if there were any. Names are interned in syms.
func Parse(file *diag.File, syms *Symbols, errs *diag.List, mode Mode) *Bundle {
	p := &parser{
		Reader:   lex.NewReader(file.Content(), syms, dialect, keywords, mode&WithComments != 0),
		b:        &Bundle{File: file, Syms: syms},
		lastSync: ^Off(0),
	}
	p.bundle()
	p.b.Comments = p.Scan.Comments()
	p.b.Bad = p.Bad
	lexdiag.Add(errs, file, p.Reports)
	_, p.b.Unread = p.Errors()
	return p.b
}

// A parser reads one bundle, with one token of lookahead and, where the
// grammar needs more, a scan ahead that only looks at names. The loops over
// definitions, instructions and switch cases go on after errors (recover.go).
type parser struct {
	lex.Reader
	b *Bundle

	lastSync Off // where recovery last stopped

	names  []Name // stack of the lists being read
	dests  []Dest // likewise
	params []Param
	insts  []Inst  // of the current block
	blocks []Block // of the current function

	nameSlab  lex.Slab[Name]
	destSlab  lex.Slab[Dest]
	paramSlab lex.Slab[Param]
	instSlab  lex.Slab[Inst]
	blockSlab lex.Slab[Block]
	intSlab   lex.Slab[IntLit]
	extSlab   lex.Slab[Ext]
	constSlab lex.Slab[ConstDef]
	typeSlab  lex.Slab[TypeDef]
}

// keyword takes the keyword k.
func (p *parser) keyword(k keyword) {
	switch {
	case p.Failed:
	case p.Kw != k:
		p.Fail(keywords.Name(k), p.Near(lex.OneOf(k)))
	default:
		p.Next()
	}
}

// anyName takes a name of either sort.
func (p *parser) anyName(wanted string) Name {
	if p.Failed {
		return Name{}
	}
	if p.Tok.Kind != lex.Ident {
		p.Fail(wanted, p.sigil("%"))
		return Name{}
	}
	return p.Take()
}

// global takes a name that must be global. A local one is an error, but read
// past.
func (p *parser) global(wanted string) Name {
	if p.Failed {
		return Name{}
	}
	switch {
	case p.Tok.Kind != lex.Ident:
		hint := p.sigil("@")
		switch {
		case isType(p.Kw):
			hint = "a type is not written out here: define it with .typedef and use its name"
		case p.Is('(') && wanted == wantedSig:
			hint = "a signature is not written out here: define it with .funcsig and use its name"
		case p.Word == ".const" && p.literalHint() != "":
			hint = "elements are names: define each constant with .const"
		}
		p.Fail(wanted, hint)
		return Name{}
	case p.Src[p.Tok.Off] == '%':
		p.Complain(wanted, "the name must be global, with @")
	}
	return p.Take()
}

// typeName takes the name of a type.
func (p *parser) typeName() Name { return p.global("the name of a type") }

// sigName takes the name of a signature.
func (p *parser) sigName() Name { return p.global(wantedSig) }

const wantedSig = "the name of a signature"

// angled takes one name in angle brackets.
func (p *parser) angled(item func(*parser) Name) Name {
	p.Punct('<')
	n := item(p)
	p.Punct('>')
	return n
}

// globals takes global names up to the closing punctuation, which stays.
func (p *parser) globals(wanted string, end byte) []Name {
	mark := len(p.names)
	for !p.Failed && !p.Is(end) {
		p.names = append(p.names, p.global(wanted))
	}
	return p.pop(mark)
}

// pop gives the names pushed since mark as a list of their own.
func (p *parser) pop(mark int) []Name {
	list := p.nameSlab.Copy(p.names[mark:])
	p.names = p.names[:mark]
	return list
}

// integer takes an integer literal.
func (p *parser) integer(wanted string) *IntLit {
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

// NewScanner cuts a bundle into tokens, comments left out, for tools that go
// over the source beside the tree.
func NewScanner(src []byte) lex.Scanner { return lex.NewScanner(src, dialect, false) }
