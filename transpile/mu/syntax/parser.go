package syntax

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/lex"
)

// A Mode selects what Parse does beside building the tree.
type Mode uint8

// The modes.
const (
	// WithComments collects the comments.
	WithComments Mode = 1 << iota
)

// maxSyntaxErrors is the number of errors after which Parse gives a file up,
// so that a file of another kind does not fill the memory with messages.
const maxSyntaxErrors = 10_000

// dialect has the tokens of the text form: names with @ and %, flags,
// strings and the punctuation of mu-language.md, section 1.
var dialect = lex.NewDialect("@%", "=<>(){}[]:", true)

// Parse reads a bundle. Errors go to errs, all that the file has; the result
// is never nil, and Bad if there were any. Names are interned in syms.
func Parse(file *diag.File, syms *Symbols, errs *diag.List, mode Mode) *Bundle {
	src := file.Content()
	p := &parser{
		b:        &Bundle{File: file, Syms: syms},
		src:      src,
		syms:     syms,
		errs:     errs,
		sc:       lex.NewScanner(src, dialect, mode&WithComments != 0),
		lastSync: ^Off(0),
	}
	p.next()
	p.bundle()
	p.b.Comments = p.sc.Comments()
	return p.b
}

// A parser reads one bundle, with one token of lookahead and, where the
// grammar needs more, a scan ahead that only looks at names.
//
// An error makes the parser failed: from then on, all that take a token do
// nothing, so that the productions need no tests of their own except in loops.
// The loops over definitions, instructions and switch cases clear the state
// after skipping to a place where one of theirs begins (recover.go).
type parser struct {
	b    *Bundle
	src  []byte
	syms *Symbols
	errs *diag.List
	sc   lex.Scanner

	tok    lex.Token
	kw     keyword // of tok, if it is a keyword
	failed bool

	// What is being read, for messages.
	word string // ".const", "ADD", "block"
	name Name   // what it defines, if that is already known
	off  Off    // where it begins

	errors   int
	lastErr  Off  // where the last error was, if the bundle is bad
	stopped  bool // after maxSyntaxErrors
	lastSync Off  // where recovery last stopped

	names  []Name // stack of the lists being read
	dests  []Dest // likewise
	params []Param
	insts  []Inst  // of the current block
	blocks []Block // of the current function

	nameSlab  slab[Name]
	destSlab  slab[Dest]
	paramSlab slab[Param]
	instSlab  slab[Inst]
	blockSlab slab[Block]
	intSlab   slab[IntLit]
	extSlab   slab[Ext]
	constSlab slab[ConstDef]
	typeSlab  slab[TypeDef]
}

// next moves to the next token.
func (p *parser) next() {
	p.kw = kwNone
	if p.stopped {
		end := Off(len(p.src))
		p.tok = lex.Token{Kind: lex.EOF, NL: true, Off: end, End: end}
		return
	}
	p.tok = p.sc.Next()
	if p.tok.Kind == lex.Word {
		p.kw = keywords[string(p.src[p.tok.Off:p.tok.End])]
	}
}

// peek gives the token behind the current one.
func (p *parser) peek() lex.Token {
	t := p.sc.Next()
	p.sc.SeekTo(p.tok.End)
	return t
}

// is reports whether the current token is the punctuation c.
func (p *parser) is(c byte) bool { return p.tok.Kind == lex.Kind(c) }

// begin says what is being read from here on.
func (p *parser) begin(word string, name Name, off Off) { p.word, p.name, p.off = word, name, off }

// subject names what is being read.
func (p *parser) subject() string {
	if p.name.IsZero() {
		return p.word
	}
	return p.word + " " + lex.Quote([]byte(p.syms.String(p.name.Sym)))
}

// found gives the current token as a message shows it.
func (p *parser) found() string {
	if p.tok.Kind == lex.EOF {
		return "end of file"
	}
	return lex.Quote(p.src[p.tok.Off:p.tok.End])
}

// error reports an error without entering the failed state. There is one error
// a place: what else is wrong there follows from the first.
func (p *parser) error(off Off, format string, args ...any) *diag.Diagnostic {
	d := &diag.Diagnostic{Pos: p.b.Pos(off), Msg: fmt.Sprintf(format, args...)}
	if p.stopped || p.b.Bad && p.lastErr == off {
		return d
	}
	p.b.Bad = true
	p.lastErr = off
	if p.errors++; p.errors > maxSyntaxErrors {
		p.stopped = true
		d.Msg = "too many syntax errors, the rest of the file was not read"
	}
	return p.errs.Add(d)
}

// fail reports that the current token is not what the grammar wants here, and
// enters the failed state. More may be: a hint, and the keywords that a
// misspelt word is compared with.
func (p *parser) fail(wanted string, more ...any) {
	if p.failed {
		return
	}
	p.failed = true
	p.complain(wanted, more...)
}

// complain is fail without entering the failed state.
func (p *parser) complain(wanted string, more ...any) {
	if p.tok.Kind == lex.Bad {
		off, msg := p.tok.Problem(p.src)
		p.error(off, "%s", msg)
		return
	}
	msg := fmt.Sprintf("bad %s: wanted %s, found %s", p.subject(), wanted, p.found())
	for _, m := range more {
		switch m := m.(type) {
		case string:
			if m != "" {
				msg += "; " + m
			}
		case kwSet:
			msg += p.didYouMean(m)
		}
	}
	d := p.error(p.tok.Off, "%s", msg)
	if p.tok.NL && p.off < p.tok.Off {
		d.Also(p.b.Pos(p.off), p.subject()+" begins")
	}
}

// didYouMean gives the suggestion for the current token, if it is a word near
// one of the set.
func (p *parser) didYouMean(set kwSet) string {
	if p.tok.Kind != lex.Word {
		return ""
	}
	if s := suggest(string(p.src[p.tok.Off:p.tok.End]), set); s != "" {
		return "; did you mean " + s + "?"
	}
	return ""
}

// punct takes the punctuation c.
func (p *parser) punct(c byte, more ...any) {
	if p.failed {
		return
	}
	if !p.is(c) {
		p.fail(string(rune(c)), more...)
		return
	}
	p.next()
}

// keyword takes the keyword k.
func (p *parser) keyword(k keyword) {
	if p.failed {
		return
	}
	if p.kw != k {
		p.fail(keywordNames[k], oneOf(k))
		return
	}
	p.next()
}

// take takes the current token as a name.
func (p *parser) take() Name {
	n := Name{Sym: p.syms.Intern(p.src[p.tok.Off:p.tok.End]), Off: p.tok.Off}
	p.next()
	return n
}

// anyName takes a name of either sort.
func (p *parser) anyName(wanted string) Name {
	if p.failed {
		return Name{}
	}
	if p.tok.Kind != lex.Ident {
		p.fail(wanted)
		return Name{}
	}
	return p.take()
}

// global takes a name that must be global. A local one is an error, but read
// past.
func (p *parser) global(wanted string) Name {
	if p.failed {
		return Name{}
	}
	switch {
	case p.tok.Kind != lex.Ident:
		hint := ""
		if isType(p.kw) {
			hint = "a type is not written out here: define it with .typedef and use its name"
		}
		p.fail(wanted, hint)
		return Name{}
	case p.src[p.tok.Off] == '%':
		p.complain(wanted, "the name must be global, with @")
	}
	return p.take()
}

// typeName takes the name of a type.
func (p *parser) typeName() Name { return p.global("the name of a type") }

// sigName takes the name of a signature.
func (p *parser) sigName() Name { return p.global("the name of a signature") }

// angled takes one name in angle brackets.
func (p *parser) angled(item func(*parser) Name) Name {
	p.punct('<')
	n := item(p)
	p.punct('>')
	return n
}

// globals takes global names up to the closing punctuation, which stays.
func (p *parser) globals(wanted string, end byte) []Name {
	mark := len(p.names)
	for !p.failed && !p.is(end) {
		p.names = append(p.names, p.global(wanted))
	}
	return p.pop(mark)
}

// pop gives the names pushed since mark as a list of their own.
func (p *parser) pop(mark int) []Name {
	list := p.nameSlab.copy(p.names[mark:])
	p.names = p.names[:mark]
	return list
}

// integer takes an integer literal.
func (p *parser) integer(wanted string) *IntLit {
	if p.failed {
		return nil
	}
	if p.tok.Kind != lex.Int {
		p.fail(wanted)
		return nil
	}
	l := p.intSlab.one()
	*l = lex.ParseInt(p.src, p.tok)
	p.next()
	return l
}

// NewScanner cuts a bundle into tokens, comments left out, for tools that go
// over the source beside the tree.
func NewScanner(src []byte) lex.Scanner { return lex.NewScanner(src, dialect, false) }
