package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/scanner"

	"github.com/uvm2go/uvm2go/transpile/front"
)

// A parser reads tokens one after the other. After a mistake it finds only the end of the text.
type parser struct {
	scan scanner.Scanner
	kind rune   // of the token: scanner.Ident, Int, String or EOF, or a character
	text string // of the token
	pos  front.Pos
	errs front.Errors
}

// parse reads a file.
func parse(file string, text io.Reader) (*Program, error) {
	p := newParser(file, text)
	prog := &Program{}
	for p.kind != scanner.EOF {
		switch {
		case p.text == "struct":
			prog.Structs = append(prog.Structs, p.structure())
		case p.text == "fn":
			prog.Funcs = append(prog.Funcs, p.function())
		default:
			p.fail("want struct or fn")
		}
	}
	return prog, p.err()
}

func newParser(file string, text io.Reader) *parser {
	p := &parser{}
	p.scan.Init(text)
	p.scan.Filename = file
	p.scan.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanStrings | scanner.ScanComments | scanner.SkipComments
	p.scan.IsIdentRune = func(c rune, i int) bool { // names of functions and structs become names of Mu
		return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || i > 0 && c >= '0' && c <= '9'
	}
	p.scan.Error = func(_ *scanner.Scanner, msg string) {
		p.errs = append(p.errs, front.Error{Pos: p.position(), Msg: msg})
	}
	p.next()
	return p
}

// err is the first mistake.
func (p *parser) err() error {
	if len(p.errs) == 0 {
		return nil
	}
	return p.errs[:1]
}

// next goes to the next token. Some tokens have two characters.
func (p *parser) next() {
	p.kind = p.scan.Scan()
	p.text = p.scan.TokenText()
	p.pos = p.position()
	if len(p.errs) > 0 {
		p.kind, p.text = scanner.EOF, ""
	}
	if p.kind > 0 && slices.Contains([]string{"==", "!=", "<=", ">=", "&&", "||", "->"}, p.text+string(p.scan.Peek())) {
		p.text += string(p.scan.Next())
	}
}

// position is where the scanner's token begins.
func (p *parser) position() front.Pos {
	return front.Pos{File: p.scan.Filename, Line: p.scan.Position.Line, Col: p.scan.Position.Column}
}

// fail notes a mistake at the token.
func (p *parser) fail(format string, args ...any) {
	found := strconv.Quote(p.text)
	if p.kind == scanner.EOF {
		found = "the end"
	}
	p.errs = append(p.errs, front.Error{Pos: p.pos, Msg: fmt.Sprintf(format, args...) + ", found " + found})
	p.kind, p.text = scanner.EOF, ""
}

// take skips the token if it is the wanted one.
func (p *parser) take(text string) bool {
	if p.text != text || p.kind == scanner.String {
		return false
	}
	p.next()
	return true
}

// want skips a token that must be there.
func (p *parser) want(text string) {
	if !p.take(text) {
		p.fail("want %q", text)
	}
}

var keywords = []string{"catch", "else", "false", "fn", "if", "nil", "return", "struct", "throw", "true", "try", "var", "while"}

// name reads a name.
func (p *parser) name() string {
	s := p.text
	if p.kind != scanner.Ident || slices.Contains(keywords, s) {
		p.fail("want a name")
		return ""
	}
	p.next()
	return s
}

// list reads what is in brackets, with commas in between.
func (p *parser) list(open, end string, item func()) {
	p.want(open)
	for p.text != end && p.kind != scanner.EOF {
		item()
		if !p.take(",") {
			break
		}
	}
	p.want(end)
}

// structure reads struct NAME { NAME TYPE, ... }.
func (p *parser) structure() *Struct {
	p.want("struct")
	s := &Struct{Pos: p.pos}
	s.Name = p.name()
	s.Fields = p.variables("{", "}")
	return s
}

// function reads fn NAME(NAME TYPE, ...) -> TYPE { ... }. Expressions have no name, and not all functions have a result.
func (p *parser) function() *Func {
	f := &Func{Pos: p.pos}
	p.want("fn")
	if p.text != "(" {
		f.Name = p.name()
	}
	f.Params = p.variables("(", ")")
	if p.take("->") {
		f.Result = p.typeName()
	}
	f.Body = p.block()
	return f
}

func (p *parser) variables(open, end string) (l []*Variable) {
	p.list(open, end, func() {
		v := p.variable()
		v.Of = p.typeName()
		l = append(l, v)
	})
	return l
}

func (p *parser) variable() *Variable {
	v := &Variable{Pos: p.pos}
	v.Name = p.name()
	return v
}

// typeName reads NAME or fn(TYPE, ...) -> TYPE.
func (p *parser) typeName() *TypeName {
	t := &TypeName{Pos: p.pos}
	if !p.take("fn") {
		t.Name = p.name()
		return t
	}
	t.Name = "fn"
	p.list("(", ")", func() { t.Params = append(t.Params, p.typeName()) })
	if p.take("->") {
		t.Result = p.typeName()
	}
	return t
}

func (p *parser) block() []Stmt {
	l := []Stmt{}
	p.want("{")
	for p.text != "}" && p.kind != scanner.EOF {
		l = append(l, p.statement())
	}
	p.want("}")
	return l
}

func (p *parser) statement() Stmt {
	at := p.pos
	switch {
	case p.take("var"):
		v := p.variable()
		if p.text != "=" {
			v.Of = p.typeName()
		}
		p.want("=")
		return VarStmt{v, p.expr()}
	case p.take("if"):
		return p.ifStmt(at)
	case p.take("while"):
		return WhileStmt{at, p.expr(), p.block()}
	case p.take("return"):
		if p.text == "}" {
			return ReturnStmt{at, nil}
		}
		return ReturnStmt{at, p.expr()}
	case p.take("throw"):
		return ThrowStmt{at, p.expr()}
	case p.take("try"):
		s := TryStmt{Pos: at, Body: p.block()}
		p.want("catch")
		s.Catch = p.variable()
		s.Then = p.block()
		return s
	}
	x := p.expr()
	if p.take("=") {
		return AssignStmt{x, p.expr()}
	}
	return x
}

func (p *parser) ifStmt(at front.Pos) Stmt {
	s := IfStmt{Pos: at, Cond: p.expr(), Then: p.block()}
	if p.take("else") {
		if at := p.pos; p.take("if") {
			s.Else = []Stmt{p.ifStmt(at)}
		} else {
			s.Else = p.block()
		}
	}
	return s
}

// levels are the operators, those that bind least first.
var levels = [][]string{{"||"}, {"&&"}, {"==", "!=", "<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}}

func (p *parser) expr() Expr { return p.binary(0) }

// binary reads operands of a level with its operators in between.
func (p *parser) binary(level int) Expr {
	if level == len(levels) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for p.kind != scanner.String && slices.Contains(levels[level], p.text) {
		n := Node{Pos: p.pos}
		op := p.text
		p.next()
		x = &Binary{n, op, x, p.binary(level + 1)}
	}
	return x
}

func (p *parser) unary() Expr {
	n := Node{Pos: p.pos}
	for _, op := range []string{"-", "!"} {
		if p.take(op) {
			return &Unary{n, op, p.unary()}
		}
	}
	return p.postfix(p.primary())
}

// postfix reads what may follow an operand: a call, the name of a field, an index.
func (p *parser) postfix(x Expr) Expr {
	for {
		n := Node{Pos: p.pos}
		switch {
		case p.kind == scanner.String:
			return x
		case p.text == "(":
			c := &Call{Node: Node{Pos: x.position()}, Fun: x}
			p.list("(", ")", func() { c.Args = append(c.Args, p.expr()) })
			x = c
		case p.take("."):
			n.Pos = p.pos
			x = &Field{Node: n, X: x, Name: p.name()}
		case p.take("["):
			x = &Index{n, x, p.expr()}
			p.want("]")
		default:
			return x
		}
	}
}

func (p *parser) primary() Expr {
	n, text := Node{Pos: p.pos}, p.text
	switch {
	case p.kind == scanner.Int:
		v, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			p.fail("want a number of 64 bits")
		}
		p.next()
		return &Number{n, v}
	case p.kind == scanner.String:
		s, err := strconv.Unquote(text)
		if err != nil {
			p.fail("want a string as in Go")
		}
		p.next()
		return &Text{n, s}
	case text == "true" || text == "false":
		p.next()
		return &Bool{n, text == "true"}
	case p.take("nil"):
		return &Nil{n}
	case text == "fn":
		return &FuncExpr{n, p.function()}
	case p.take("("):
		x := p.expr()
		p.want(")")
		return x
	case p.kind != scanner.Ident || slices.Contains(keywords, text):
		p.fail("want an expression")
		return &Nil{n}
	}
	return &Name{Node: n, Name: p.name()}
}
