package syntax

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// maxErrors is the number of errors after which Parse gives up, so that a file of another
// kind does not fill the memory with messages.
const maxErrors = 10_000

// Parse reads a file. All errors in the file are added to errs; the result is never nil, and
// Bad if there were errors.
func Parse(file *diag.File, errs *diag.List) *File {
	p := newParser(file, errs)
	p.file()
	return p.f
}

// file reads all declarations.
func (p *parser) file() {
	for p.tok.Kind != EOF {
		p.decl()
	}
}

func newParser(file *diag.File, errs *diag.List) *parser {
	src := string(file.Content())
	p := &parser{f: &File{File: file, Text: Scan(src)}, src: src, errs: errs, lastErr: ^Off(0)}
	for _, t := range p.f.Text.malformed {
		off, msg := t.problem(src, t)
		p.errorf(off, "%s", msg)
	}
	p.seek(0)
	return p
}

// A parser reads one file.
//
// An error sets it to failed: from then on methods that take a token do nothing, so that
// productions need no tests except in loops and where they look at tok directly. Recovery
// (recover.go) skips to a place where parsing can continue and clears the state.
type parser struct {
	f    *File
	src  string
	errs *diag.List

	i      int   // of tok
	tok    Token // the current token
	failed bool

	// What is being read, for messages: its kind, its name if known, and where it
	// begins.
	subject string
	name    string
	begin   Off

	steps   int // tokens passed, for tests
	errors  int
	lastErr Off // where the last error was
	nesting int // of parameters of types

	names    lex.Slab[Name]
	lits     lex.Slab[Lit]
	types    lex.Slab[Type]
	typeps   lex.Slab[*Type]
	instrs   lex.Slab[Instr]
	pairs    lex.Slab[Pair]
	nameBuf  []Name
	litBuf   []Lit
	instrBuf []Instr // of the current block
}

// seek makes the i-th token the current one.
func (p *parser) seek(i int) {
	p.i = i
	p.tok = p.f.Text.Tokens[i]
}

// next moves to the next token.
func (p *parser) next() {
	p.steps++
	if p.tok.Kind != EOF {
		p.seek(p.i + 1)
	}
}

// peek returns the token n after the current one, EOF beyond the end.
func (p *parser) peek(n int) Token {
	ts := p.f.Text.Tokens
	return ts[min(p.i+n, len(ts)-1)]
}

// is reports whether the current token is the punctuation c.
func (p *parser) is(c byte) bool { return p.tok.Kind == Kind(c) }

// text returns a token as written.
func (p *parser) text(t Token) string { return p.src[t.Off:t.End] }

// isKeyword reports whether the current token is a reserved word.
func (p *parser) isKeyword(w string) bool { return p.tok.Kind == Keyword && p.text(p.tok) == w }

// isSoft reports whether the current token is a word that may be an identifier.
func (p *parser) isSoft(w string) bool { return p.tok.Kind == Ident && p.text(p.tok) == w }

// about says what is being read from here on.
func (p *parser) about(subject string) {
	p.subject, p.name, p.begin = subject, "", p.tok.Off
}

// describe names what is being read.
func (p *parser) describe() string {
	if p.name == "" {
		return p.subject
	}
	return p.subject + " " + p.name
}

// found returns the spelling of the current token in messages.
func (p *parser) found() string {
	if p.tok.Kind == EOF {
		return "end of file"
	}
	return lex.Quote([]byte(p.text(p.tok)))
}

func (p *parser) pos(off Off) diag.Pos { return diag.Pos{File: p.f.File.ID(), Off: uint32(off)} }

// errorf reports an error without failing. Only the first error at a place is reported: others
// at the same place follow from it.
func (p *parser) errorf(off Off, format string, args ...any) *diag.Diagnostic {
	d := &diag.Diagnostic{Pos: p.pos(off), Msg: fmt.Sprintf(format, args...)}
	p.f.Bad = true
	if p.lastErr == off || p.errors > maxErrors {
		return d
	}
	p.lastErr = off
	if p.errors++; p.errors > maxErrors {
		d.Msg = "too many syntax errors, the rest of the file was not read"
		p.f.Lost = true
		p.seek(len(p.f.Text.Tokens) - 1)
	}
	return p.errs.Add(d)
}

// fail reports that the current token is not what the grammar expects here, and makes the
// parser failed. Hints are advice; the message has the first that is not empty.
func (p *parser) fail(wanted string, hints ...string) {
	if p.failed {
		return
	}
	p.failed = true
	p.complain(wanted, hints...)
}

// complain is like fail, but does not make the parser failed.
func (p *parser) complain(wanted string, hints ...string) {
	if p.tok.Kind == Bad {
		var before Token
		if p.i > 0 {
			before = p.f.Text.Tokens[p.i-1]
		}
		off, msg := p.tok.problem(p.src, before)
		p.errorf(off, "%s", msg)
		return
	}
	msg := fmt.Sprintf("bad %s: wanted %s, found %s", p.describe(), wanted, p.found())
	for _, h := range hints {
		if h != "" {
			msg += "; " + h
			break
		}
	}
	d := p.errorf(p.tok.Off, "%s", msg)
	if p.tok.NL && p.begin < p.tok.Off {
		d.Also(p.pos(p.begin), p.describe()+" begins")
	}
}

// punct takes the punctuation c.
func (p *parser) punct(c byte, hints ...string) {
	switch {
	case p.failed:
	case !p.is(c):
		p.fail(string(rune(c)), hints...)
	default:
		p.next()
	}
}

// end takes the semicolon at the end of what is being read. If it is missing at the end of a
// line, reading continues on the next line.
func (p *parser) end(hints ...string) {
	switch {
	case p.failed:
	case p.is(';'):
		p.next()
	default:
		p.complain(";", hints...)
		p.failed = !p.tok.NL
	}
}

// ident takes an identifier.
func (p *parser) ident(wanted string, hints ...string) Name {
	if p.failed {
		return Name{}
	}
	if !p.tok.isName() {
		p.fail(wanted, append(hints, p.reserved())...)
		return Name{}
	}
	return p.takeName()
}

// takeName takes the current token as a name.
func (p *parser) takeName() Name {
	n := Name{Text: p.text(p.tok), Off: p.tok.Off}
	if p.tok.Kind == Quoted {
		n.Text = n.Text[1 : len(n.Text)-1]
		if strings.Contains(n.Text, `\'`) {
			n.Text = strings.ReplaceAll(n.Text, `\'`, "'")
		}
	}
	p.next()
	return n
}

// reserved gives the hint for a word that is a name only in quotes.
func (p *parser) reserved() string {
	switch p.tok.Kind {
	case Keyword:
		return fmt.Sprintf("%s is reserved, as a name it is written '%s'", p.found(), p.found())
	case Special:
		if w := p.text(p.tok); w == "nan" || w == "inf" {
			return fmt.Sprintf("%s is a literal, as a name it is written '%s'", w, w)
		}
	}
	return ""
}

// blockName takes the name of a block.
func (p *parser) blockName(wanted string) Name {
	if !p.failed && p.isKeyword("entry") {
		return p.takeName()
	}
	return p.ident(wanted)
}

// ref takes [MODULE/]NAME.
func (p *parser) ref(wanted string) Ref {
	n := p.ident(wanted)
	if p.failed || !p.is('/') {
		return Ref{Name: n}
	}
	p.next()
	return Ref{Module: n, Name: p.ident(wanted + " of module " + module.Quote(n.Text))}
}

// list reads elements with commas between them, none or more, up to the closing bracket,
// which it takes.
func (p *parser) list(closing byte, element func()) {
	if p.failed {
		return
	}
	if p.is(closing) {
		p.next()
		return
	}
	for !p.failed {
		element()
		if !p.comma(closing) {
			return
		}
	}
}

// comma takes the comma between two elements and reports true, or takes the closing
// bracket.
func (p *parser) comma(closing byte) bool {
	switch {
	case p.failed:
	case p.is(closing):
		p.next()
	case !p.is(','):
		p.fail(", or "+string(rune(closing)), p.reserved())
	default:
		p.next()
		if !p.is(closing) {
			return true
		}
		p.fail("another element", "a list does not end with a comma")
	}
	return false
}

// meta reads metadata, if there is any.
func (p *parser) meta() []Pair {
	if p.failed || !p.is('[') {
		return nil
	}
	p.next()
	var pairs []Pair
	p.list(']', func() {
		k := p.ident("a key of metadata")
		p.punct(':', "metadata is written [KEY:VALUE, ...]")
		pairs = append(pairs, Pair{Key: k, Value: p.ident("a value of metadata")})
	})
	return p.pairs.Copy(pairs)
}

// count takes an unsigned literal of 32 bits.
func (p *parser) count(wanted string, hints ...string) uint32 {
	if p.failed {
		return 0
	}
	if !p.tok.isLit() {
		p.fail(wanted, hints...)
		return 0
	}
	l := p.lit()
	n, err := l.Bits(module.Uint32)
	if err != nil {
		p.errorf(l.Off, "bad %s: %v", p.describe(), err)
	}
	return uint32(n)
}

// lit takes the current token, a literal.
func (p *parser) lit() Lit {
	l := Lit{Kind: p.tok.Kind, Text: p.text(p.tok), Off: p.tok.Off}
	p.next()
	return l
}
