// Package lang is what editors need to know about the text of the internal representation; see
// transpile/lang.
package lang

import (
	"maps"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lang"
)

// Language describes the text of the representation.
var Language = &lang.Language{Index: Index, Operations: Operations, Keywords: keywords, Rename: lang.Marked("@%^"), Sigils: "@%^"}

// Operations lists the operations.
func Operations() (list []lang.Operation) {
	for op := ir.OpInvalid + 1; op < ir.NumOps; op++ {
		name := op.String()
		list = append(list, lang.Operation{Name: name, Form: "%r: TYPE = " + name + " <types> operands", Doc: lang.Meaning(op)})
	}
	return list
}

// keywords lists the words that begin definitions.
func keywords() []string { return slices.Sorted(maps.Keys(definitions)) }

// definitions are the kinds of what the words define that begin lines.
var definitions = map[string]lang.Kind{
	"type": lang.Type, "const": lang.Constant, "global": lang.Cell, "func": lang.Function, "expose": lang.Other, "version": lang.Version,
}

// A token is a token, and whether it begins its line.
type token struct {
	off, end uint32
	first    bool
}

// A reader goes through the tokens of a text. Values and blocks are known in their version.
type reader struct {
	*lang.Divider
	toks  []token
	i     int
	label bool // on the line of a label
	op    bool // the line has its operation
}

// Index finds the names of a program.
func Index(src []byte, _ string) *lang.Index {
	r := &reader{Divider: lang.NewDivider(src)}
	ir.Tokens(string(src), func(off, end int, first bool) {
		r.toks = append(r.toks, token{uint32(off), uint32(end), first})
	})
	for r.i = range r.toks {
		r.token()
	}
	return r.Done()
}

// text returns the token n after the current one on its line, "" if there is none.
func (r *reader) text(n int) string {
	j := r.i + n
	if j < 0 || j >= len(r.toks) || n > 0 && r.toks[j].first || n < 0 && r.toks[j+1].first {
		return ""
	}
	return string(r.Src[r.toks[j].off:r.toks[j].end])
}

// token adds the current token.
func (r *reader) token() {
	t := r.toks[r.i]
	w := r.text(0)
	if t.first {
		r.line(t, w)
	}
	last := r.Last()
	r.Token(t.off, t.end)
	switch c := w[0]; {
	case c == '@':
		r.global(t, w)
	case c == '^':
		r.Name(lang.Block, t.first, r.Fn, w, t.off, t.end)
	case c == '%':
		k := lang.Value
		if r.label {
			k = lang.Parameter
		}
		r.Name(k, r.text(1) == ":", r.Fn, w, t.off, t.end)
	case c == '"':
		r.Word(lang.String, t.off, t.end)
	case '0' <= c && c <= '9', c == '-' && len(w) > 1 && w != "->":
		r.Word(lang.Number, t.off, t.end)
	case 'a' <= c && c <= 'z':
		r.word(t, w)
	case w == "}" && t.first:
		r.End(last, t.end)
	}
}

// line begins a line.
func (r *reader) line(t token, w string) {
	r.label, r.op = w[0] == '^', false
	if k, ok := definitions[w]; ok {
		r.Begin(k, t.off)
		r.op = true
		if w == "version" {
			r.Fn = r.Item
		}
	} else if r.label && r.Fn != lang.Global {
		r.BeginBlock(t.off, t.end)
	}
}

// global adds a global name.
func (r *reader) global(t token, w string) {
	k, def := definitions[r.text(-1)], false
	if _, ok := definitions[r.text(-1)]; ok && r.toks[r.i-1].first {
		def = true
		r.Label(r.Item, t.off, t.end)
	}
	r.Name(k, def, lang.Global, w, t.off, t.end)
}

// word adds a word: the first of an instruction is its operation.
func (r *reader) word(t token, w string) {
	name, _, _ := strings.Cut(w, ".")
	_, known := ir.OpByName(name)
	before := r.text(-1)
	switch {
	case r.Fn != lang.Global && !r.op && !r.label && known && (t.first || before == "=" || before == "]"):
		r.op = true
		r.Word(lang.Op, t.off, t.end)
	case before == ":", before == "<", before == "(", r.text(1) == "<":
		r.Word(lang.TypeWord, t.off, t.end)
	default:
		r.Word(lang.Keyword, t.off, t.end)
	}
}
