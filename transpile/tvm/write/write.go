// Package write writes modules of TVM as text that is read back as the same module: each construct
// has one spelling, and the order is that of the module.
//
// Definitions have the word define, operations have their own names instead of aliases, numbers are
// decimal, and only necessary parentheses are written. Names are kept, including unused ones.
// Comments are lost.
package write

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/tvm/format"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// Module writes a module without errors.
func Module(m *syntax.Module) ([]byte, error) {
	w := &writer{m: m, placed: diag.NewPlaced(m.File.Set())}
	for i, g := range m.Globals {
		if i > 0 && (g.Body != nil || m.Globals[i-1].Body != nil) {
			w.text.WriteByte('\n')
			w.width = 1
		}
		w.global(g)
	}
	text, err := format.Source(m.File.Name(), w.text.Bytes())
	if err != nil {
		return nil, fmt.Errorf("internal error: %w", err)
	}
	return text, nil
}

type writer struct {
	m        *syntax.Module
	text     bytes.Buffer
	width    int          // of the line, with a space in front of each token, and a blank line
	prev     string       // token in the line
	label    bool         // the line is the label of a block
	brackets int          // that are open
	placed   *diag.Placed // directives
	names    diag.Namings // of the function
}

// maxLine is the width of a line after which the next operand begins a new line.
const maxLine = 110

// put writes tokens, with the spaces of package format.
func (w *writer) put(tokens ...string) {
	for _, t := range tokens {
		switch {
		case t == "":
			continue
		case w.width > maxLine && !strings.Contains("),;:|", t):
			w.end()
			w.width = -1
		case w.space(t):
			w.text.WriteByte(' ')
		}
		w.width += 1 + len(t)
		w.text.WriteString(t)
		switch w.prev = t; t {
		case "(":
			w.brackets++
		case ")":
			w.brackets--
		}
	}
}

// space reports whether a space stands in front of the next token.
func (w *writer) space(t string) bool {
	switch {
	case w.prev == "", w.prev == "(", w.prev == "}", t == ")", t == ",", t == ";", w.label && t == "(":
		return false
	case t == ":":
		return w.brackets > 0
	}
	return true
}

// end ends a line.
func (w *writer) end() {
	w.text.WriteByte('\n')
	w.width, w.prev = 0, ""
}

// place says that what comes after lead bytes of the lines from start on comes from pos.
func (w *writer) place(start int, pos diag.Pos, lead, indent int) {
	line := string(w.text.Bytes()[start:])
	w.text.Truncate(start)
	w.text.WriteString(w.placed.Text(pos, lead, indent, line))
}

var linkage = [...]string{syntax.Private: "private", syntax.Local: "local", syntax.ODR: "odr", syntax.Export: "export", syntax.Import: "import"}

// word is a word if is is set, else "".
func word(w string, is bool) string {
	if is {
		return w
	}
	return ""
}

func (w *writer) global(g *syntax.Global) {
	start := w.text.Len()
	w.put(g.Name.Text, "=", word("extern", g.Extern))
	switch g.Kind {
	case syntax.Variable:
		w.put("global", word("const", g.Const), linkage[g.Linkage])
		w.operand(g.Type)
		if g.Value != nil {
			w.operand(g.Value)
		}
	case syntax.Define:
		w.put("define")
		w.root(g.Value)
	case syntax.Recursive:
		w.put("recursive")
		if len(g.Params) > 0 {
			w.params(g.Params, g.Phantoms)
		}
		w.put(">")
		if g.Type != nil {
			w.root(g.Type)
			w.put(">")
		}
		w.root(g.Value)
	case syntax.Base:
		w.put("base", g.Derived.Text, g.Offset.Text, ">")
		w.root(g.Value)
	case syntax.Function:
		w.put(linkage[g.Linkage])
		w.function(g.Fn)
		if g.Body != nil {
			w.put("{")
			w.end()
			w.place(start, g.Name.Pos, 0, 0)
			w.names = diag.Namings{}
			if first := g.Body.Blocks[0]; len(first.Stmts) > 0 {
				for _, p := range g.Fn.Params {
					w.called(first.Stmts[0].Pos, p.Name.Text)
				}
			}
			w.body(g.Body)
			w.put("}", ";")
			w.end()
			return
		}
	}
	w.put(";")
	w.end()
	w.place(start, g.Name.Pos, 0, 0)
}

// called says what the author's own source calls a value that comes from pos, if the file does.
func (w *writer) called(pos diag.Pos, local string) {
	called := w.m.File.Set().Called(pos, local, func() (starts []uint32) {
		for _, g := range w.m.Globals { // in the order of the file
			if g.Body != nil {
				starts = append(starts, g.Name.Pos.Off)
			}
		}
		return starts
	})
	w.text.WriteString(w.names.Before(local, called, strings.TrimPrefix(local, "%")))
}

// function writes a function type.
func (w *writer) function(e *syntax.Expr) {
	w.put("function", e.Conv.String(), word("sret", e.SRet))
	w.params(e.Params, e.Phantoms)
	w.put(">", e.ResultAttrs.String())
	w.operand(e.Result)
}

// params writes parameters, the phantom ones in front of a bar.
func (w *writer) params(list []*syntax.Param, phantoms int) {
	w.put("(")
	for i, p := range list {
		switch {
		case i > 0 && i == phantoms:
			w.put("|")
		case i > 0:
			w.put(",")
		}
		if p.Name.Text != "" || p.Attrs != 0 {
			w.put(p.Name.Text, ":", p.Attrs.String())
		}
		w.root(p.Type)
	}
	if phantoms > 0 && phantoms == len(list) {
		w.put("|")
	}
	w.put(")")
}

func (w *writer) body(b *syntax.Body) {
	for i, k := range b.Blocks {
		start := w.text.Len()
		if i > 0 {
			kind := "block"
			if k.Landing {
				kind = "landing_pad"
			}
			w.label = true
			w.put(kind, k.Name.Text)
			if k.Dom.Text != "" {
				w.put("(", k.Dom.Text, ")")
			}
			w.put(":")
			w.end()
			w.place(start, k.Pos, len(kind)+1, 0)
			w.label = false
		}
		for _, s := range k.Stmts {
			if s.Name.Text != "" {
				w.called(s.Pos, s.Name.Text)
			}
			start := w.text.Len()
			if s.Name.Text != "" {
				w.put(s.Name.Text, "=")
			}
			if s.Phi != nil {
				w.phi(s.Phi)
			} else {
				w.root(s.Value)
			}
			w.put(";")
			w.end()
			w.place(start, s.Pos, 0, format.Indent)
		}
	}
}

func (w *writer) phi(f *syntax.Phi) {
	w.put("phi")
	w.operand(f.Type)
	w.put(":")
	for i, e := range f.Edges {
		if i > 0 {
			w.put(",")
		}
		w.put(e.From.Text, ">")
		w.operand(e.Value)
	}
}

// root writes an expression where operations need no parentheses.
func (w *writer) root(e *syntax.Expr) {
	switch e.Kind {
	case syntax.Use:
		w.put(e.Text)
	case syntax.Lit:
		w.put(e.Int.String())
	case syntax.Apply:
		name := e.Text
		if o, ok := op.Find(name); ok {
			name = o.String()
		}
		w.put(name)
		for _, a := range e.Args {
			w.operand(a)
		}
	case syntax.FnType:
		w.function(e)
	case syntax.Exists:
		w.put("exists")
		w.params(e.Params, 0)
		w.put(">")
		w.operand(e.Result)
	}
}

// operand writes an expression as an operand.
func (w *writer) operand(e *syntax.Expr) {
	simple := e.Kind == syntax.Use || e.Kind == syntax.Lit || e.Kind == syntax.Apply && len(e.Args) == 0
	if !simple {
		w.put("(")
	}
	w.root(e)
	if !simple {
		w.put(")")
	}
}
