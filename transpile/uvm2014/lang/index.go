package lang

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/lang"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// definitions are the kinds of what the words define that begin definitions.
var definitions = map[string]lang.Kind{
	".typedef": lang.Type, ".funcsig": lang.Signature, ".const": lang.Constant, ".global": lang.Cell,
	".funcdecl": lang.Function, ".funcdef": lang.Function,
}

// A reader goes through the tokens of a text. All local names of a function are known in the whole function.
type reader struct{ *lang.Reader }

// Index finds the names of a bundle.
func Index(src []byte, _ string) *lang.Index {
	r := &reader{lang.NewReader(src, syntax.NewScanner(src))}
	for r.More() {
		switch k := r.Kind(0); {
		case r.Literal():
		case k == lex.Word:
			r.word()
		case k == lex.Ident:
			r.ident()
		default:
			r.Punct()
		}
	}
	return r.Done()
}

// word adds a keyword or a mnemonic.
func (r *reader) word() {
	w := r.Text()
	local := r.Fn != lang.Global && w == ".const" && r.Kind(1) == lex.Ident && r.TextAt(1)[0] == '%'
	if k, ok := definitions[w]; ok && !local {
		r.definition(k, w)
		return
	}
	class := lang.Keyword
	switch {
	case syntax.IsOp(w):
		class, r.Angles = lang.Op, 0
	case syntax.IsFlag(w):
		class = lang.FlagWord
	case syntax.IsType(w):
		class = lang.TypeWord
	}
	r.TakeWord(class)
	if local {
		r.define(lang.Constant)
	}
}

// definition begins a definition, whose keyword is the next token.
func (r *reader) definition(k lang.Kind, w string) {
	r.Definition(k, w == ".funcdecl")
	if w == ".funcdef" {
		r.Fn = r.Item
	}
}

// define adds the definition of the name that is the next token.
func (r *reader) define(k lang.Kind) {
	key, scope := r.Text(), r.Fn
	if key[0] == '@' {
		scope = lang.Global
	}
	off, end := r.Take()
	r.Name(k, true, scope, key, off, end)
}

// ident adds a name that does not stand directly after the keyword of a definition.
func (r *reader) ident() {
	switch {
	case r.Fn == lang.Global || r.Angles > 0:
		r.use()
	case r.Braces == 0:
		r.define(lang.Parameter)
	case r.Kind(1) == '=':
		r.define(lang.Value)
	case r.Kind(1) == ':' && r.Braces == 1:
		r.BeginBlock(r.Next())
		r.define(lang.Block)
	default:
		r.use()
	}
}

// use adds a name that is used.
func (r *reader) use() {
	key, kind, scope := r.Text(), lang.Unknown, int32(lang.Global)
	if r.Angles > 0 {
		kind = lang.Type
	}
	if key[0] == '%' {
		scope = r.Fn
	}
	off, end := r.Take()
	if intrinsics[key] {
		r.Word(lang.Op, off, end)
		return
	}
	r.Name(kind, false, scope, key, off, end)
}

// intrinsics are the names of the intrinsic functions.
var intrinsics = func() map[string]bool {
	all := map[string]bool{}
	for _, o := range Operations() {
		if o.Name[0] == '@' {
			all[o.Name] = true
		}
	}
	return all
}()
