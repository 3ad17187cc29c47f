package syntax

import (
	"fmt"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

const (
	// maxErrors is the number of errors after which the parser gives up.
	maxErrors = 10_000
	// maxDepth bounds how deep expressions may nest.
	maxDepth = 1000
)

// Parse reads a file. All errors in the file are added to errs; the result is never nil, and Bad
// if there were errors.
func Parse(file *diag.File, errs *diag.List) *Module {
	p := &parser{m: &Module{File: file, Text: Scan(string(file.Content()))}, errs: errs}
	p.tok = p.m.Text.Tokens[0]
	for p.tok.Kind != EOF {
		p.global()
	}
	return p.m
}

// ParseValue reads a file that is one expression. It returns nil if there are errors.
func ParseValue(file *diag.File, errs *diag.List) *Expr {
	p := &parser{m: &Module{File: file, Text: Scan(string(file.Content()))}, errs: errs, what: "value"}
	p.tok = p.m.Text.Tokens[0]
	e := p.root()
	if p.tok.Kind != EOF {
		p.fail("the end of the value")
	}
	if p.failed {
		return nil
	}
	return e
}

// A parser reads one file. An error makes it failed: from then on methods that take a token do
// nothing, until recovery has found a place to continue.
type parser struct {
	m      *Module
	errs   *diag.List
	i      int
	tok    Token
	failed bool
	errors int
	depth  int
	what   string // what is being read, for messages
}

func (p *parser) next() {
	if p.tok.Kind != EOF {
		p.i++
		p.tok = p.m.Text.Tokens[p.i]
	}
}

func (p *parser) peek() Token {
	ts := p.m.Text.Tokens
	return ts[min(p.i+1, len(ts)-1)]
}

func (p *parser) is(c byte) bool { return p.tok.Kind == Kind(c) }

func (p *parser) text(t Token) string { return p.m.Text.Src[t.Off:t.End] }

func (p *parser) pos() diag.Pos { return diag.Pos{File: p.m.File.ID(), Off: uint32(p.tok.Off)} }

// keyword reports whether the current token is a keyword.
func (p *parser) keyword(w string) bool { return p.tok.Kind == Keyword && p.text(p.tok) == w }

// take takes the next token if it is this keyword.
func (p *parser) take(w string) bool {
	if p.failed || !p.keyword(w) {
		return false
	}
	p.next()
	return true
}

func (p *parser) errorf(format string, args ...any) {
	p.m.Bad, p.failed = true, true
	if p.errors++; p.errors > maxErrors {
		return
	}
	msg := fmt.Sprintf(format, args...)
	if p.errors == maxErrors {
		msg = "too many syntax errors, the rest of the file was not read"
		p.i = len(p.m.Text.Tokens) - 1
		p.tok = p.m.Text.Tokens[p.i]
	}
	p.errs.Errorf(p.pos(), "%s", msg)
}

// fail reports that the current token is not what the grammar expects here.
func (p *parser) fail(wanted string) {
	if p.failed {
		return
	}
	text := lex.Quote([]byte(p.text(p.tok)))
	switch {
	case p.tok.Kind == EOF:
		p.errorf("bad %s: wanted %s, found end of file", p.what, wanted)
	case p.tok.Fault == EmptyName:
		p.errorf("bad name: %% is alone")
	case p.tok.Fault == EmptyNumber:
		p.errorf("bad number: # is alone")
	case p.tok.Fault == OpenComment:
		p.errorf("bad comment: it has no end")
	case p.tok.Fault == BadByte:
		p.errorf("bad character %s", text)
	case p.tok.Kind == Keyword:
		p.errorf("bad %s: wanted %s, found the keyword %s", p.what, wanted, text)
	default:
		p.errorf("bad %s: wanted %s, found %s", p.what, wanted, text)
	}
}

// punct takes the punctuation c.
func (p *parser) punct(c byte) {
	switch {
	case p.failed:
	case !p.is(c):
		p.fail(string(rune(c)))
	default:
		p.next()
	}
}

// name takes a name.
func (p *parser) name(wanted string) Name {
	if p.failed {
		return Name{}
	}
	if p.tok.Kind != Ident {
		p.fail(wanted)
		return Name{}
	}
	n := Name{p.text(p.tok), p.pos()}
	p.next()
	return n
}

// maybeName takes a name if another token follows it.
func (p *parser) maybeName(then byte) Name {
	if p.failed || p.tok.Kind != Ident || p.peek().Kind != Kind(then) {
		return Name{}
	}
	n := p.name("")
	p.next()
	return n
}

// global reads one global, or continues with the next one after an error.
func (p *parser) global() {
	p.failed, p.depth, p.what = false, 0, "global"
	start := p.i
	g := &Global{Name: p.name("a name, as in %name = ...;")}
	p.punct('=')
	g.Pos = p.pos()
	g.Extern = p.take("extern")
	switch {
	case p.failed:
	case p.keyword("global"):
		p.variable(g)
	case p.keyword("define"):
		p.what = "definition"
		p.next()
		g.Kind, g.Value = Define, p.root()
	case p.keyword("recursive"):
		p.recursive(g)
	case p.tok.Kind == Word && p.text(p.tok) == "base":
		p.base(g)
	case p.tok.Kind == Word, p.tok.Kind == Number, p.tok.Kind == Ident, p.is('('), p.keyword("exists"), p.keyword("const"):
		p.what = "definition"
		g.Kind, g.Value = Define, p.root()
	default:
		p.function(g)
	}
	p.punct(';')
	if !p.failed {
		p.m.Globals = append(p.m.Globals, g)
		return
	}
	p.afterGlobal(start)
}

// afterGlobal skips to where a global begins: a name and an equals sign outside of bodies, with
// a semicolon or brace in front, or at the beginning of a line.
func (p *parser) afterGlobal(start int) {
	if p.i == start {
		p.next()
	}
	for p.tok.Kind != EOF {
		if p.tok.Kind == Ident && p.peek().Kind == '=' {
			before := p.m.Text.Tokens[p.i-1]
			column := p.tok.Off == 0 || p.m.Text.Src[p.tok.Off-1] == '\n'
			if column || before.Kind == ';' && p.i >= 2 && p.m.Text.Tokens[p.i-2].Kind == '}' {
				return
			}
		}
		p.next()
	}
}

func (p *parser) linkage() Linkage {
	if p.failed || p.tok.Kind != Keyword {
		return NoLinkage
	}
	l, ok := linkages[p.text(p.tok)]
	if ok {
		p.next()
	}
	return l
}

func (p *parser) variable(g *Global) {
	p.what = "global variable"
	p.next()
	g.Kind = Variable
	g.Const = p.take("const")
	g.Linkage = p.linkage()
	g.Type = p.expr()
	if !p.failed && !p.is(';') {
		g.Value = p.expr()
	}
}

func (p *parser) recursive(g *Global) {
	p.what = "recursive"
	p.next()
	g.Kind = Recursive
	if p.is('(') {
		p.next()
		g.Params, g.Phantoms = p.params(true)
		p.punct(')')
	}
	p.punct('>')
	g.Value = p.root()
	if !p.failed && p.is('>') {
		p.next()
		g.Type, g.Value = g.Value, p.root()
	}
}

func (p *parser) base(g *Global) {
	p.what = "base"
	p.next()
	g.Kind = Base
	g.Derived = p.name("the name of the derived type")
	g.Offset = p.name("the name of the offset")
	p.punct('>')
	g.Value = p.root()
}

func (p *parser) function(g *Global) {
	g.Kind = Function
	g.Linkage = p.linkage()
	if !p.keyword("function") {
		p.fail("global, define, recursive, base, function or an expression")
		return
	}
	p.what = "function"
	g.Fn = p.fnType()
	if !p.failed && p.is('{') {
		p.next()
		g.Body = p.body()
		g.Body.End = p.pos()
		p.failed = false
		p.punct('}')
	}
}

// fnType reads a function type, whose keyword is the current token.
func (p *parser) fnType() *Expr {
	e := &Expr{Kind: FnType, Pos: p.pos()}
	p.next()
	if p.tok.Kind == Keyword {
		if c, ok := convs[p.text(p.tok)]; ok {
			e.Conv = c
			p.next()
		}
	}
	e.SRet = p.take("sret")
	p.punct('(')
	e.Params, e.Phantoms = p.params(true)
	p.punct(')')
	p.punct('>')
	e.ResultAttrs = p.attrs()
	e.Result = p.expr()
	return e
}

// params reads parameters up to the closing parenthesis.
func (p *parser) params(bar bool) (list []*Param, phantoms int) {
	for !p.failed && !p.is(')') {
		if bar && p.is('|') {
			p.next()
			bar, phantoms = false, len(list)
			continue
		}
		x := &Param{}
		if p.is(':') {
			p.next()
		} else {
			x.Name = p.maybeName(':')
		}
		x.Pos = p.pos()
		if x.Name.Text != "" || p.i > 0 && p.m.Text.Tokens[p.i-1].Kind == ':' {
			x.Attrs = p.attrs()
		}
		x.Type = p.root()
		list = append(list, x)
		switch {
		case p.failed || p.is(')') || bar && p.is('|'):
		case p.is(','):
			p.next()
			if p.is(')') || p.is('|') {
				p.fail("another parameter")
			}
		default:
			p.fail(", or )")
		}
	}
	return list, phantoms
}

func (p *parser) attrs() (a Attrs) {
	for more := true; more; {
		more = false
		for _, w := range attrWords {
			if p.take(w.word) {
				a, more = a|w.attr, true
			}
		}
	}
	return a
}

// body reads blocks up to the closing brace.
func (p *parser) body() *Body {
	b := &Body{}
	k := &Block{Pos: p.pos()}
	b.Blocks = append(b.Blocks, k)
	for p.tok.Kind != EOF && !p.is('}') {
		if p.keyword("block") || p.keyword("landing_pad") {
			p.what = "block"
			k = &Block{Landing: p.keyword("landing_pad")}
			p.next()
			k.Pos = p.pos()
			k.Name = p.name("the name of the block")
			if !p.failed && p.is('(') {
				p.next()
				k.Dom = p.name("the name of the dominating block")
				p.punct(')')
			}
			p.punct(':')
			b.Blocks = append(b.Blocks, k)
		} else if s := p.statement(); s != nil {
			k.Stmts = append(k.Stmts, s)
		}
		if p.failed && !p.afterStatement() {
			return b
		}
	}
	return b
}

// statement reads a statement with its semicolon.
func (p *parser) statement() *Stmt {
	p.what, p.depth = "statement", 0
	s := &Stmt{Pos: p.pos()}
	s.Name = p.maybeName('=')
	if p.keyword("phi") {
		p.what = "phi"
		s.Phi = p.phi()
	} else {
		s.Value = p.root()
	}
	p.punct(';')
	if p.failed {
		return nil
	}
	return s
}

// afterStatement skips to where a statement or block begins, or to the end of the body. False
// if a global begins instead.
func (p *parser) afterStatement() bool {
	p.failed = false
	for first := true; p.tok.Kind != EOF; first = false {
		switch {
		case p.is('}'), p.keyword("block"), p.keyword("landing_pad"):
			return true
		case p.is(';'):
			p.next()
			return true
		case !first && p.tok.NL && p.tok.Kind == Ident && p.peek().Kind == '=' && p.m.Text.Src[p.tok.Off-1] == '\n':
			p.failed = true
			return false
		case !first && p.tok.NL && (p.tok.Kind == Ident && p.peek().Kind == '='):
			return true
		}
		p.next()
	}
	return true
}

func (p *parser) phi() *Phi {
	f := &Phi{Pos: p.pos()}
	p.next()
	f.Type = p.expr()
	p.punct(':')
	for !p.failed {
		e := Edge{Pos: p.pos()}
		if p.tok.Kind == Ident {
			e.From = p.name("")
		}
		if !p.is('>') {
			p.fail("> and a value")
		}
		p.punct('>')
		e.Value = p.expr()
		f.Edges = append(f.Edges, e)
		if p.failed || !p.is(',') {
			break
		}
		p.next()
	}
	return f
}

// enter counts the nesting of expressions.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth && !p.failed {
		p.errorf("bad %s: expressions nest deeper than %d", p.what, maxDepth)
	}
	return !p.failed
}

// root reads an operation with operands, a function or exists type, or an expression.
func (p *parser) root() *Expr {
	if p.failed || !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	switch {
	case p.keyword("exists"):
		e := &Expr{Kind: Exists, Pos: p.pos()}
		p.next()
		p.punct('(')
		e.Params, _ = p.params(false)
		p.punct(')')
		p.punct('>')
		e.Result = p.expr()
		return e
	case p.keyword("function"):
		return p.fnType()
	case p.operation():
		e := p.operator()
		for !p.failed && (p.is('(') || p.tok.Kind == Number || p.tok.Kind == Ident || p.operation()) {
			e.Args = append(e.Args, p.expr())
		}
		return e
	}
	return p.expr()
}

// operation reports whether the current token names an operation.
func (p *parser) operation() bool { return p.tok.Kind == Word || p.keyword("const") }

// operator takes the name of an operation.
func (p *parser) operator() *Expr {
	e := &Expr{Kind: Apply, Pos: p.pos(), Text: p.text(p.tok)}
	if e.Text == "const" {
		e.Text = "constant"
	}
	p.next()
	return e
}

// expr reads an operand.
func (p *parser) expr() *Expr {
	if p.failed {
		return nil
	}
	switch {
	case p.is('('):
		p.next()
		e := p.root()
		p.punct(')')
		return e
	case p.tok.Kind == Number:
		e := &Expr{Kind: Lit, Pos: p.pos(), Text: p.text(p.tok)}
		var err error
		if e.Int, err = ParseNumber(e.Text); err != nil {
			// The rest of the statement can be read nevertheless.
			p.errorf("%s", err)
			p.failed = false
		}
		p.next()
		return e
	case p.tok.Kind == Ident:
		e := &Expr{Kind: Use, Pos: p.pos(), Text: p.text(p.tok)}
		p.next()
		return e
	case p.operation():
		return p.operator()
	}
	p.fail("an expression")
	return nil
}
