package atomicsmodel

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A SyntaxError is an error in the text of a test.
type SyntaxError struct {
	File    string
	Line    int
	Column  int // in bytes, from 1
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Parse reads a test. The name of the file is used in messages. The error joins at
// most ten SyntaxErrors.
func Parse(file, text string) (*Test, error) {
	p := &parser{file: file, test: &Test{}, regThread: map[string]int{}, created: map[string]bool{}}
	for i, line := range strings.Split(text, "\n") {
		p.line, p.toks = i+1, nil
		p.lex(line)
		p.parseLine(line)
	}
	p.finish()
	if len(p.errs) > maxErrors {
		p.errs = p.errs[:maxErrors]
	}
	if err := errors.Join(p.errs...); err != nil {
		return nil, err
	}
	return p.test, nil
}

const maxErrors = 10

// A parser reads line by line; toks is the rest of the line.
type parser struct {
	file      string
	line      int
	toks      []token
	end       int // column after the line
	test      *Test
	seen      uint8          // which of litmus, ask
	regThread map[string]int // thread that assigns the register
	created   map[string]bool
	later     []func() // checks that need the whole test
	errs      []error
}

type token struct {
	text string
	col  int
}

const (
	sawName = 1 << iota
	sawAsk
)

func (p *parser) errorf(col int, format string, args ...any) {
	p.errs = append(p.errs, &SyntaxError{p.file, p.line, col, fmt.Sprintf(format, args...)})
}

// lex splits a line into words and the marks = != : ; and comma.
func (p *parser) lex(line string) {
	p.end = len(line) + 1
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '#':
			p.end = i + 1
			return
		case strings.IndexByte("=:;,", c) >= 0:
			p.toks = append(p.toks, token{line[i : i+1], i + 1})
			i++
		case strings.HasPrefix(line[i:], "!="):
			p.toks = append(p.toks, token{"!=", i + 1})
			i += 2
		default:
			n := strings.IndexAny(line[i:], " \t\r#=:;,!")
			if n < 0 {
				n = len(line) - i
			}
			n = max(n, 1)
			p.toks = append(p.toks, token{line[i : i+n], i + 1})
			i += n
		}
	}
}

// next takes a token; after the end of the line it returns an empty one.
func (p *parser) next() token {
	if len(p.toks) == 0 {
		return token{"", p.end}
	}
	t := p.toks[0]
	p.toks = p.toks[1:]
	return t
}

func (p *parser) peek() string {
	if len(p.toks) == 0 {
		return ""
	}
	return p.toks[0].text
}

func (t token) String() string {
	if t.text == "" {
		return "end of line"
	}
	return strconv.Quote(t.text)
}

func (p *parser) parseLine(line string) {
	switch p.peek() {
	case "":
		return
	case "litmus":
		p.next()
		t := p.next()
		switch {
		case t.text == "":
			p.errorf(t.col, "want the name of the test")
		case p.seen&sawName != 0:
			p.errorf(t.col, "a second name")
		default:
			p.test.Name = t.text
		}
		p.seen |= sawName
		p.endOfLine()
	case "doc":
		text := strings.TrimSpace(line[p.toks[0].col+2:])
		if p.test.Doc != "" {
			text = p.test.Doc + " " + text
		}
		p.test.Doc = text
	case "init":
		p.next()
		for len(p.toks) > 0 {
			c, col, ok := p.cond()
			if !ok {
				return
			}
			if c.Not {
				p.errorf(col, "init wants %s=%d", c.Name, c.Value)
			}
			p.location(c.Name)
			p.test.Init = append(p.test.Init, Binding{c.Name, c.Value})
		}
	case "ask":
		if p.seen&sawAsk != 0 {
			p.errorf(p.toks[0].col, "a second question")
		}
		p.seen |= sawAsk
		p.next()
		p.test.Ask = [][]Cond{nil}
		for len(p.toks) > 0 {
			line := p.line
			if p.peek() == "|" {
				p.next()
				p.test.Ask = append(p.test.Ask, nil)
			}
			c, col, ok := p.cond()
			if !ok {
				return
			}
			list := &p.test.Ask[len(p.test.Ask)-1]
			*list = append(*list, c)
			p.later = append(p.later, func() {
				if _, reg := p.regThread[c.Name]; !reg && !slices.Contains(p.test.locations, c.Name) {
					p.line = line
					p.errorf(col, "%s is neither a register nor a location", c.Name)
				}
			})
		}
	case "expect":
		p.next()
		p.expect()
	default:
		if len(p.toks) > 1 && p.toks[1].text == ":" {
			p.thread()
		}
		p.statements()
	}
}

func (p *parser) endOfLine() {
	if t := p.next(); t.text != "" {
		p.errorf(t.col, "want end of line, got %v", t)
	}
}

func (p *parser) expect() {
	var e Expectation
	for {
		t := p.next()
		switch t.text {
		case "ww":
			e.Options.WW = true
			continue
		case "air":
			e.Options.ThinAir = true
			continue
		}
		r, ok := resultByName(t.text)
		switch {
		case ok:
			e.Result = r
		case strings.EqualFold(t.text, "Possible"):
			e.Result, e.OrMore = Sometimes, true
		default:
			p.errorf(t.col, "want ww, air, Never, Sometimes, Always, Possible, UB or MIXED, got %v", t)
			return
		}
		break
	}
	p.endOfLine()
	p.test.Expect = append(p.test.Expect, e)
}

// thread begins a thread.
func (p *parser) thread() {
	t := p.next()
	p.next()
	if !isName(t.text) {
		p.errorf(t.col, "bad name of a thread %v", t)
	}
	for i := range p.test.Threads {
		if p.test.Threads[i].Name == t.text {
			p.errorf(t.col, "a second thread %s", t.text)
		}
	}
	p.test.Threads = append(p.test.Threads, Thread{Name: t.text})
}

func (p *parser) statements() {
	if len(p.test.Threads) == 0 {
		p.errorf(p.toks[0].col, "want a thread, got %v", p.toks[0])
		return
	}
	th := &p.test.Threads[len(p.test.Threads)-1]
	for len(p.toks) > 0 {
		if p.peek() == ";" {
			p.next()
			continue
		}
		s, ok := p.stmt()
		if !ok {
			return
		}
		th.Code = append(th.Code, s)
		if t := p.next(); t.text != "" && t.text != ";" {
			p.errorf(t.col, "want ; or end of line, got %v", t)
			return
		}
	}
}

func (p *parser) stmt() (s Stmt, ok bool) {
	s.Line = p.line
	var reg, flag token
	if len(p.toks) > 3 && p.toks[1].text == "," && p.toks[3].text == "=" {
		flag = p.toks[2]
		s.Flag = flag.text
		p.toks = slices.Delete(slices.Clone(p.toks), 1, 3)
	}
	if len(p.toks) > 1 && p.toks[1].text == "=" {
		reg = p.next()
		p.next()
		s.Reg = reg.text
	}
	t := p.next()
	words := strings.Split(t.text, ".")
	op := slices.IndexFunc(opTable[:], func(row opRow) bool { return row.name == words[0] })
	if op < 0 {
		p.errorf(t.col, "want an operation, got %v", t)
		return s, false
	}
	s.Op = Op(op)
	row := opTable[op]
	wanted := 1
	for _, o := range []orders{row.order, row.fail} {
		if o != 0 {
			wanted++
		}
	}
	if len(words) != wanted {
		p.errorf(t.col, "%s wants %d memory orders, got %d", row.name, wanted-1, len(words)-1)
		return s, false
	}
	for i, w := range words[1:] {
		o, known := orderByName(w)
		legal := row.order
		if i == 1 {
			legal = row.fail
		}
		if !known {
			p.errorf(t.col, "no memory order %q", w)
			return s, false
		}
		if !legal.has(o) {
			p.errorf(t.col, "%s cannot have the order %s here", row.name, o)
			return s, false
		}
		if i == 1 {
			s.Fail = o
		} else {
			s.Order = o
		}
	}
	switch {
	case s.Reg != "" && row.result == noResult:
		p.errorf(reg.col, "%s has no result", row.name)
		return s, false
	case s.Reg == "" && row.result == mustResult:
		p.errorf(t.col, "%s wants a register for its result", row.name)
		return s, false
	}
	if s.Flag != "" && s.Op != OpCas && s.Op != OpCasWeak {
		p.errorf(flag.col, "%s has one result", row.name)
		return s, false
	}
	for i := range row.args {
		if !p.arg(&s, row.name, row.args[i]) {
			return s, false
		}
	}
	for p.peek() == "dep" || p.peek() == "if" {
		if p.next().text == "if" {
			c, col, ok := p.cond()
			if !ok || !p.register(c.Name, col) {
				return s, false
			}
			s.If = append(s.If, c)
			continue
		}
		for {
			t := p.next()
			if !p.register(t.text, t.col) {
				return s, false
			}
			s.Dep = append(s.Dep, t.text)
			if p.peek() != "," {
				break
			}
			p.next()
		}
	}
	return s, (s.Reg == "" || p.define(reg)) && (s.Flag == "" || p.define(flag))
}

// arg reads an argument of the kind that opTable requires.
func (p *parser) arg(s *Stmt, op string, kind byte) bool {
	t := p.next()
	switch kind {
	case 'n', 'v':
		n, err := strconv.ParseInt(t.text, 0, 64)
		if err == nil {
			s.Args = append(s.Args, Operand{N: n})
			return true
		}
		if kind == 'n' || !isName(t.text) {
			p.errorf(t.col, "%s: want a number, got %v", op, t)
			return false
		}
		s.Args = append(s.Args, Operand{Reg: t.text})
		return p.register(t.text, t.col)
	case 'r':
		s.Args = append(s.Args, Operand{Reg: t.text})
		return p.register(t.text, t.col)
	case 'l':
		if !isName(t.text) {
			p.errorf(t.col, "%s: want a location, got %v", op, t)
			return false
		}
		p.location(t.text)
	case 't':
		if p.created[t.text] {
			p.errorf(t.col, "thread %s is created twice", t.text)
			return false
		}
		p.created[t.text] = true
		line := p.line
		p.later = append(p.later, func() {
			if !slices.ContainsFunc(p.test.Threads, func(th Thread) bool { return th.Name == t.text }) {
				p.line = line
				p.errorf(t.col, "no thread %v", t)
			}
		})
	default:
		if t.text == "" || t.text == ";" {
			p.errorf(t.col, "%s: want a name, got %v", op, t)
			return false
		}
	}
	s.Names = append(s.Names, t.text)
	return true
}

// cond reads NAME=VALUE or NAME!=VALUE.
func (p *parser) cond() (c Cond, col int, ok bool) {
	name, op := p.next(), p.next()
	if !isName(name.text) {
		p.errorf(name.col, "want a register or location, got %v", name)
		return c, 0, false
	}
	if op.text != "=" && op.text != "!=" {
		p.errorf(op.col, "want = or != after %s, got %v", name.text, op)
		return c, 0, false
	}
	v := p.next()
	n, err := strconv.ParseInt(v.text, 0, 64)
	if err != nil {
		p.errorf(v.col, "want a number, got %v", v)
		return c, 0, false
	}
	return Cond{name.text, op.text == "!=", n}, name.col, true
}

// register checks the use of a register: this thread assigned it before.
func (p *parser) register(name string, col int) bool {
	th, known := p.regThread[name]
	if !known || th != len(p.test.Threads)-1 {
		p.errorf(col, "%s is no register that this thread assigned before", token{name, col})
		return false
	}
	return true
}

// define makes a register.
func (p *parser) define(t token) bool {
	if !isName(t.text) {
		p.errorf(t.col, "bad name of a register %v", t)
		return false
	}
	if _, known := p.regThread[t.text]; known {
		p.errorf(t.col, "register %s is assigned twice", t.text)
		return false
	}
	p.regThread[t.text] = len(p.test.Threads) - 1
	p.test.registers = append(p.test.registers, t.text)
	return true
}

func (p *parser) location(name string) {
	if !slices.Contains(p.test.locations, name) {
		p.test.locations = append(p.test.locations, name)
	}
}

// finish makes the checks that need the whole test.
func (p *parser) finish() {
	last := p.line
	for _, f := range p.later {
		f()
	}
	p.line = last
	for _, l := range p.test.locations {
		if _, reg := p.regThread[l]; reg {
			p.errorf(1, "%s is both a register and a location", l)
		}
	}
	if p.seen&sawName == 0 {
		p.errorf(1, "no line litmus NAME")
	}
	if p.seen&sawAsk == 0 || len(p.test.Ask[0]) == 0 && len(p.errs) == 0 {
		p.errorf(1, "no question")
	}
	if len(p.test.Threads) == 0 {
		p.errorf(1, "no threads")
	}
}

// isName reports whether s is a letter followed by letters, digits and
// underscores.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || s[i] != '_' && (s[i] < '0' || s[i] > '9')) {
			return false
		}
	}
	return s != ""
}
