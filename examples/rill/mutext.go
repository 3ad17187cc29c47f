package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/front"
)

// This file compiles the part of the language that has int, bool, functions, variables, if, while and print to Mu text,
// without package front. The bundle testdata/lib.uir, which is loaded before, has the types, true and false, and print.

// A textWriter writes the text of a program.
type textWriter struct {
	out    bytes.Buffer
	consts map[int64]bool
	errs   front.Errors
}

// A textFunc is a function that is being written.
type textFunc struct {
	*textWriter
	scope  []*Variable          // variables that have a value
	now    map[*Variable]string // the names of these values, in the current block
	values int                  // that were named
	labels int
	ended  bool // the block has a terminator
}

// muText compiles the functions of a program that are no part of the prelude.
func muText(out io.Writer, prog *Program) error {
	w := &textWriter{consts: map[int64]bool{}}
	for _, f := range prog.Funcs {
		if f.Pos.File != "prelude.rill" {
			w.function(f)
		}
	}
	if len(w.errs) > 0 {
		slices.SortFunc(w.errs, func(a, b front.Error) int {
			return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
		})
		return slices.Compact(w.errs)
	}
	for _, n := range slices.Sorted(maps.Keys(w.consts)) {
		fmt.Fprintf(out, ".const @rill.%d <@int> = %d\n", n, n)
	}
	_, err := out.Write(w.out.Bytes())
	return err
}

func (w *textWriter) fail(at front.Pos, what string) string {
	w.errs = append(w.errs, front.Error{Pos: at, Msg: "this back end has no " + what})
	return "@0"
}

// typeName is the name of a type in lib.uir.
func (w *textWriter) typeName(at front.Pos, t *Type) string {
	if t != intType && t != boolType {
		w.fail(at, "values of type "+t.String())
	}
	return "@" + t.Name
}

func (w *textWriter) function(fn *Func) {
	f := &textFunc{textWriter: w, now: map[*Variable]string{}}
	var params, results []string
	for _, p := range fn.Params {
		params = append(params, w.typeName(p.Pos, p.Type))
		f.scope = append(f.scope, p)
	}
	if fn.Type.Result != nil {
		results = append(results, w.typeName(fn.Pos, fn.Type.Result))
	}
	fmt.Fprintf(&w.out, "\n.funcsig @%s.sig = (%s) -> (%s)\n", fn.Name, strings.Join(params, " "), strings.Join(results, " "))
	f.line(fn.Pos)
	fmt.Fprintf(&w.out, ".funcdef @%s VERSION %%v1 <@%s.sig> {\n", fn.Name, fn.Name)
	f.begin("entry")
	f.block(fn.Body)
	if !f.ended {
		f.end("RET ()")
	}
	fmt.Fprintf(&w.out, "}\n")
}

// line says which line of the author's file the next line is made from.
func (w *textWriter) line(at front.Pos) { fmt.Fprintf(&w.out, "//line %s:%d\n", at.File, at.Line) }

// begin begins a block, whose parameters are all variables.
func (f *textFunc) begin(label string) {
	var l []string
	for i, v := range f.scope {
		f.now[v] = fmt.Sprintf("%%%s.%d", v.Name, i)
		l = append(l, fmt.Sprintf("<%s> %s", f.typeName(v.Pos, v.Type), f.now[v]))
	}
	fmt.Fprintf(&f.out, "    %%%s(%s):\n", label, strings.Join(l, " "))
	f.ended = false
}

// to is a destination that begins with the variables that there are now.
func (f *textFunc) to(label string) string {
	var l []string
	for _, v := range f.scope {
		l = append(l, f.now[v])
	}
	return fmt.Sprintf("%%%s(%s)", label, strings.Join(l, " "))
}

// inst writes an instruction with a result, and returns that.
func (f *textFunc) inst(at front.Pos, format string, args ...any) string {
	f.values++
	r := fmt.Sprintf("%%rill.%d", f.values)
	f.line(at)
	fmt.Fprintf(&f.out, "        %s = %s\n", r, fmt.Sprintf(format, args...))
	return r
}

// end writes an instruction without a result that ends the block.
func (f *textFunc) end(format string, args ...any) {
	fmt.Fprintf(&f.out, "        "+format+"\n", args...)
	f.ended = true
}

func (f *textFunc) newLabel(name string) string {
	f.labels++
	return fmt.Sprintf("%s.%d", name, f.labels)
}

func (f *textFunc) block(l []Stmt) {
	outside := len(f.scope)
	for _, s := range l {
		f.statement(s)
	}
	f.scope = f.scope[:outside]
}

func (f *textFunc) statement(s Stmt) {
	switch s := s.(type) {
	case VarStmt:
		f.now[s.Variable] = f.expr(s.Value)
		f.scope = append(f.scope, s.Variable)
	case AssignStmt:
		if to, ok := s.To.(*Name); ok {
			f.now[to.Var] = f.expr(s.Value)
		} else {
			f.fail(s.position(), "structs")
		}
	case IfStmt:
		then, otherwise, after := f.newLabel("then"), f.newLabel("else"), f.newLabel("after")
		f.branch2(s.Cond, then, otherwise)
		ends := f.branch(then, s.Then, after)
		if f.branch(otherwise, s.Else, after) && ends {
			return
		}
		f.begin(after)
	case WhileStmt:
		head, body, after := f.newLabel("while"), f.newLabel("body"), f.newLabel("after")
		f.end("BRANCH %s", f.to(head))
		f.begin(head)
		f.branch2(s.Cond, body, after)
		f.branch(body, s.Body, head)
		f.begin(after)
	case ReturnStmt:
		if s.Value == nil {
			f.end("RET ()")
		} else {
			f.end("RET %s", f.expr(s.Value))
		}
	case ThrowStmt, TryStmt:
		f.fail(s.position(), "exceptions")
	case Expr:
		f.expr(s)
	}
}

func (f *textFunc) branch2(cond Expr, yes, no string) {
	c := f.expr(cond)
	f.end("BRANCH2 %s %s %s", c, f.to(yes), f.to(no))
}

// branch writes statements in a block, after which another follows. It reports whether they never end.
func (f *textFunc) branch(label string, l []Stmt, after string) bool {
	f.begin(label)
	f.block(l)
	if f.ended {
		return true
	}
	f.end("BRANCH %s", f.to(after))
	return false
}

var muNames = map[string]string{
	"+": "ADD", "-": "SUB", "*": "MUL", "/": "SDIV", "%": "SREM",
	"==": "EQ", "!=": "NE", "<": "SLT", "<=": "SLE", ">": "SGT", ">=": "SGE",
}

// expr writes the instructions of an expression, and returns the name of its value.
func (f *textFunc) expr(x Expr) string {
	switch x := x.(type) {
	case *Number:
		f.consts[x.Value] = true
		return fmt.Sprintf("@rill.%d", x.Value)
	case *Bool:
		return fmt.Sprintf("@%t", x.Value)
	case *Name:
		if x.Var != nil {
			return f.now[x.Var]
		}
	case *Unary:
		if v := f.expr(x.X); x.Op == "-" {
			return f.inst(x.Pos, "SUB <@int> @0 %s", v)
		} else {
			return f.inst(x.Pos, "XOR <@bool> %s @true", v)
		}
	case *Binary:
		if op, ok := muNames[x.Op]; ok {
			a, b := f.expr(x.X), f.expr(x.Y)
			return f.inst(x.Pos, "%s <%s> %s %s", op, f.typeName(x.Pos, x.X.node().Type), a, b)
		}
		return f.fail(x.Pos, x.Op)
	case *Call:
		return f.call(x)
	}
	return f.fail(x.position(), "values of type "+x.node().Type.String())
}

func (f *textFunc) call(x *Call) string {
	name, ok := x.Fun.(*Name)
	if !ok || name.Var != nil || x.Struct != nil || name.Func == nil && name.Name != "print" || name.Name == "print" && x.Args[0].node().Type != intType {
		return f.fail(x.Pos, "such calls")
	}
	var args []string
	for _, a := range x.Args {
		args = append(args, f.expr(a))
	}
	call := fmt.Sprintf("CALL <@%s.sig> @%s (%s)", name.Name, name.Name, strings.Join(args, " "))
	if x.Type != nil {
		return f.inst(x.Pos, "%s", call)
	}
	f.line(x.Pos)
	fmt.Fprintf(&f.out, "        %s\n", call)
	return ""
}
