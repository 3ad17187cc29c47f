package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/scanner"

	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// A session is what the entries of a prompt have in common.
type session struct {
	ctx     *mu.Ctx
	parts   int // that were loaded
	structs []*Struct
	funcs   []*Func // without their bodies
}

// repl reads entries, and executes them.
func repl(in io.Reader, out, errs io.Writer) error {
	vm, err := live.New(mu.Config{})
	if err != nil {
		return err
	}
	s := &session{ctx: vm.NewContext()}
	defer s.ctx.Close()
	if err := s.entry(prelude); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for entry := ""; ; {
		fmt.Fprint(out, "> "[min(len(entry), 1):])
		if !lines.Scan() {
			fmt.Fprintln(out)
			return lines.Err()
		}
		entry += lines.Text() + "\n"
		if strings.Count(entry, "{") > strings.Count(entry, "}") {
			continue
		}
		if err := s.entry(entry); err != nil {
			fmt.Fprintln(errs, err)
		}
		entry = ""
	}
}

// entry executes an entry: definitions or statements. The value of an expression is printed.
func (s *session) entry(text string) error {
	part := s.parts + 1
	p := newParser(fmt.Sprintf("[%d]", part-1), strings.NewReader(text))
	own := &Func{Name: fmt.Sprintf("rill.entry.%d", part), Body: []Stmt{}}
	prog := &Program{}
	for p.kind != scanner.EOF {
		switch p.text {
		case "struct":
			prog.Structs = append(prog.Structs, p.structure())
		case "fn":
			prog.Funcs = append(prog.Funcs, p.function())
		default:
			own.Body = append(own.Body, p.statement())
		}
	}
	if err := p.err(); err != nil {
		return err
	}
	if err := s.check(prog, own); err != nil {
		return err
	}
	s.parts = part
	code := compile(&Program{Funcs: append(prog.Funcs, s.funcs...)}, own, part)
	if err := load(s.ctx, code); err != nil {
		return err
	}
	s.structs = append(s.structs, prog.Structs...)
	for _, f := range prog.Funcs {
		s.funcs = slices.DeleteFunc(s.funcs, func(old *Func) bool { return old.Name == f.Name })
		s.funcs = append(s.funcs, &Func{Pos: f.Pos, Name: f.Name, Params: f.Params, Result: f.Result})
	}
	return call(s.ctx, "@"+own.Name)
}

// check checks an entry, and adds its statements to the program. If it is one expression with a value, that is printed.
func (s *session) check(prog *Program, own *Func) error {
	prog.Funcs = append(prog.Funcs, own)
	if len(own.Body) == 1 {
		if x, ok := own.Body[0].(Expr); ok {
			own.Body[0] = &Call{Node: Node{Pos: x.position()}, Fun: &Name{Node: Node{Pos: x.position()}, Name: "print"}, Args: []Expr{x}}
			if s.checker().check(prog) == nil {
				return nil
			}
			own.Body[0] = x
		}
	}
	return s.checker().check(prog)
}

// checker makes a checker that knows the definitions of the session.
func (s *session) checker() *checker {
	c := newChecker()
	for _, t := range s.structs {
		c.types[t.Name] = &Type{Name: t.Name, Struct: t}
	}
	for _, f := range s.funcs {
		c.signature(f)
		c.funcs[f.Name] = f
	}
	return c
}
