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
type reader struct {
	*lang.Reader

	item, fn, block int32 // the open definition, function and block, or Global
	braces          int   // open ones
	angles          int   // open ones
}

// Index finds the names of a bundle.
func Index(src []byte, _ string) *lang.Index {
	r := &reader{Reader: lang.NewReader(src, syntax.NewScanner(src)), item: lang.Global, fn: lang.Global, block: lang.Global}
	for r.More() {
		switch k := r.Kind(0); {
		case r.Literal():
		case k == lex.Word:
			r.word()
		case k == lex.Ident:
			r.ident()
		default:
			r.punct()
		}
	}
	return r.Done()
}

// punct counts brackets.
func (r *reader) punct() {
	k, last := r.Kind(0), r.Last()
	_, end := r.Take()
	switch k {
	case '<':
		r.angles++
	case '>':
		r.angles = max(r.angles-1, 0)
	case '{':
		r.braces++
	case '}':
		if r.braces--; r.braces <= 0 && r.item != lang.Global {
			if r.block != lang.Global {
				r.Close(r.block, last)
			}
			r.Close(r.item, end)
			r.item, r.fn, r.block = lang.Global, lang.Global, lang.Global
		}
	}
}

// word adds a keyword or a mnemonic.
func (r *reader) word() {
	w := r.Text()
	local := r.fn != lang.Global && w == ".const" && r.Kind(1) == lex.Ident && r.TextAt(1)[0] == '%'
	if k, ok := definitions[w]; ok && !local {
		r.definition(k, w)
		return
	}
	class := lang.Keyword
	switch {
	case syntax.IsOp(w):
		class, r.angles = lang.Op, 0
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
	if r.item != lang.Global {
		r.Close(r.item, r.Last())
	}
	r.braces, r.angles = 0, 0
	r.item, r.fn, r.block = r.Open(k, r.Off()), lang.Global, lang.Global
	if w == ".funcdef" {
		r.fn = r.item
	}
	r.TakeWord(lang.Keyword)
	if r.Kind(0) != lex.Ident {
		return
	}
	key := r.Text()
	off, end := r.Take()
	r.Label(r.item, off, end)
	if w == ".funcdecl" {
		r.Declare(k, key, off, end)
	} else {
		r.Name(k, true, lang.Global, key, off, end)
	}
}

// define adds the definition of the name that is the next token.
func (r *reader) define(k lang.Kind) {
	key, scope := r.Text(), r.fn
	if key[0] == '@' {
		scope = lang.Global
	}
	off, end := r.Take()
	r.Name(k, true, scope, key, off, end)
}

// ident adds a name that does not stand directly after the keyword of a definition.
func (r *reader) ident() {
	switch {
	case r.fn == lang.Global || r.angles > 0:
		r.use()
	case r.braces == 0:
		r.define(lang.Parameter)
	case r.Kind(1) == '=':
		r.define(lang.Value)
	case r.Kind(1) == ':' && r.braces == 1:
		if r.block != lang.Global {
			r.Close(r.block, r.Last())
		}
		off := r.Off()
		r.block = r.Open(lang.Block, off)
		r.define(lang.Block)
		r.Label(r.block, off, r.Last())
	default:
		r.use()
	}
}

// use adds a name that is used.
func (r *reader) use() {
	key, kind, scope := r.Text(), lang.Unknown, int32(lang.Global)
	if r.angles > 0 {
		kind = lang.Type
	}
	if key[0] == '%' {
		scope = r.fn
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
