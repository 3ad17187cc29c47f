package ial

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/assemble"
	"github.com/uvm2go/uvm2go/transpile/ial/syntax"
	"github.com/uvm2go/uvm2go/transpile/ial/write"
)

// convert rewrites the module of one file (package write). The module need not obey the rules
// of the verifier.
func convert(src dialect.Source, opt dialect.Options) ([]byte, *diag.List) {
	set := diag.NewSet()
	set.Folder = opt.Folder
	diags := diag.NewList(set)
	p, ok := assemble.Load(set, units([]dialect.Source{src}), diags)
	if !ok {
		return nil, diags
	}
	text, err := write.Placed(p.Modules[0], set)
	if err != nil {
		diags.Errorf(diag.Pos{}, "%s: %v", src.Name, err)
	}
	return text, diags
}

// openings are the ways in which declarations begin, as words and punctuation, with NAME for an
// identifier. Text of no other dialect begins in one of these ways.
var openings = [][]string{
	{"type", "NAME", "{"}, {"type", "NAME", "align"},
	{"field", "global"}, {"field", "thread"},
	{"function"},
	{"data", "NAME", "("},
	{"entry", "NAME", ";"}, {"entry", "NAME", "/"},
	{"thread", "entry"}, {"thread", "exit"},
	{"module", "entry"}, {"module", "exit"},
	{"[", "NAME", ":"}, {"[", "]"},
}

// recognize looks at the first declaration.
func recognize(text []byte) dialect.Evidence {
	src, tokens := dialect.Head(text, 4, syntax.Head) // one more than an opening has
	for _, o := range openings {
		if len(tokens) > len(o) && begins(src, tokens, o) {
			return dialect.Certain
		}
	}
	return dialect.None
}

func reads(text []byte) bool {
	if recognize(text) != dialect.Certain {
		return false
	}
	_, err := diag.Parsed("", text, syntax.Parse)
	return err == nil
}

func begins(src string, tokens []syntax.Token, opening []string) bool {
	for i, want := range opening {
		t := tokens[i]
		name := t.Kind == syntax.Ident || t.Kind == syntax.Quoted
		if src[t.Off:t.End] != want && !(want == "NAME" && name) {
			return false
		}
	}
	return true
}
