package lang

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/lang"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// definitions are the kinds of what the words define that begin definitions.
var definitions = map[string]lang.Kind{
	".typedef": lang.Type, ".funcsig": lang.Signature, ".const": lang.Constant, ".global": lang.Cell,
	".funcdecl": lang.Function, ".funcdef": lang.Function, ".expose": lang.Other,
}

// jumps are the instructions whose destinations are not in a clause.
var jumps = map[syntax.Op]bool{
	syntax.OpBranch: true, syntax.OpBranch2: true, syntax.OpSwitch: true, syntax.OpWatchpoint: true, syntax.OpWPBranch: true,
}

// A reader goes through the tokens of a text.
//
// A name with % is known in the block or version in which it is defined. Outside it has a global name: that
// of the block or version, a point, and the name without its sigil. Such a name may stand in front of the
// definition, so all that may be one wait until the end.
type reader struct {
	*lang.Reader

	version, where int  // in locals: the version, and the block or version
	jump           bool // names in front of parentheses are destinations
	clause         int  // in a clause with destinations: one more than its open parentheses; else 0

	defined map[string]bool // global names
	locals  []local
	pointed []pointed
}

// A local is the definition of a name with %. The first part of its global name is that of the local outer, or of
// a function, which has no outer one.
type local struct {
	outer int
	scope int32
	key   string
}

// noOuter stands for no outer local.
const noOuter = -1

// A pointed is a use of a global name with a point.
type pointed struct {
	kind     lang.Kind
	off, end uint32
}

// Index finds the names of a bundle. Of one in the form of muc, whose names depend on what is defined elsewhere, it has
// the words, and says which names are possible.
func Index(src []byte, _ string) *lang.Index {
	muc := syntax.IsMuc(src)
	r := &reader{Reader: lang.NewReader(src, syntax.NewScanner(src, muc)), defined: map[string]bool{}}
	if muc {
		r.Unknown()
	}
	for r.More() {
		if muc {
			r.plain()
		} else {
			r.token()
		}
	}
	r.fullNames()
	return r.Done()
}

// fullNames adds the global names with a point. Those that are not defined may be of something local. Then each of
// their parts names something.
func (r *reader) fullNames() {
	var locals map[string]*local
	for _, p := range r.pointed {
		kind, end := p.kind, p.end
		if locals == nil && !r.defined[string(r.Src[p.off:p.end])] {
			locals = make(map[string]*local, len(r.locals))
			full := make([]string, len(r.locals))
			for i := range r.locals {
				l := &r.locals[i]
				full[i] = l.key
				if l.outer != noOuter {
					full[i] = full[l.outer] + "." + l.key[1:]
					locals[full[i]] = l
				}
			}
		}
		for l := locals[string(r.Src[p.off:end])]; l != nil; l = locals[string(r.Src[p.off:end])] {
			r.Name(kind, false, l.scope, l.key, end-uint32(len(l.key)-1), end)
			kind, end = lang.Unknown, end-uint32(len(l.key))
		}
		r.Name(kind, false, lang.Global, string(r.Src[p.off:end]), p.off, end)
	}
}

// token adds the next token, or more.
func (r *reader) token() {
	switch k := r.Kind(0); {
	case r.Literal():
	case k == lex.Word:
		r.word()
	case k == lex.Ident:
		r.ident()
	case k == '(' && r.results():
	default:
		r.punct()
	}
}

// plain adds the next token of the form of muc.
func (r *reader) plain() {
	switch {
	case r.Literal():
	case r.Kind(0) == lex.Word:
		r.TakeWord(classOf(r.Text()))
	case r.Kind(0) == lex.Ident:
		r.possible(strings.TrimLeft(r.Text(), sigils))
		r.Take()
	default:
		r.Take()
	}
}

// possible adds what a name of the form of muc, without its sigil, may mean: a global name, or that of something local of
// which a part before a point is global.
func (r *reader) possible(name string) {
	for i := len(name); i > 0; i = strings.LastIndexByte(name[:i], '.') {
		r.Unknown("@" + name[:i])
	}
}

// classOf is the class of a word that begins no definition.
func classOf(w string) lang.Class {
	switch {
	case syntax.OpOf(w) != syntax.NoOp:
		return lang.Op
	case syntax.IsFlag(w):
		return lang.FlagWord
	case syntax.IsType(w):
		return lang.TypeWord
	}
	return lang.Keyword
}

// punct passes a token that is no word, and counts the parentheses of a clause.
func (r *reader) punct() {
	switch r.Punct() {
	case '(':
		if r.clause > 0 {
			r.clause++
		}
	case ')':
		if r.clause > 0 {
			if r.clause--; r.clause == 1 {
				r.clause = 0
			}
		}
	}
}

// begin begins an instruction, as far as what came before matters.
func (r *reader) begin() { r.jump, r.clause, r.Angles = false, 0, 0 }

// word adds a keyword or a mnemonic.
func (r *reader) word() {
	w := r.Text()
	if k, ok := definitions[w]; ok {
		r.definition(k, w)
		return
	}
	switch op := syntax.OpOf(w); {
	case op != syntax.NoOp:
		r.begin()
		r.jump = jumps[op]
	case w == "EXC", w == "WPEXC":
		r.begin()
		r.clause = 1
	case w == "KEEPALIVE":
		r.begin()
	}
	r.TakeWord(classOf(w))
}

// definition begins a definition, whose keyword is the next token.
func (r *reader) definition(k lang.Kind, w string) {
	r.begin()
	r.version = noOuter
	if key := r.Definition(k, w == ".funcdecl"); key != "" {
		r.defined[key] = true
		r.version = r.local(noOuter, lang.Global, key)
	}
	if w != ".funcdef" {
		return
	}
	r.Fn = r.Item
	if r.Text() == "VERSION" {
		r.word()
		if r.Kind(0) == lex.Ident {
			r.version = r.define(lang.Version, r.Fn, r.version)
		}
	}
	r.where = r.version
}

// local notes a definition, and returns its number.
func (r *reader) local(outer int, scope int32, key string) int {
	r.locals = append(r.locals, local{outer, scope, key})
	return len(r.locals) - 1
}

// define adds the definition of the name that is the next token, in something local or a function. It returns its
// number in locals.
func (r *reader) define(k lang.Kind, scope int32, outer int) int {
	key := r.Text()
	off, end := r.Take()
	if key[0] == '@' {
		scope, outer = lang.Global, noOuter
		r.defined[key] = true
	}
	r.Name(k, true, scope, key, off, end)
	return r.local(outer, scope, key)
}

// value adds the definition of a value.
func (r *reader) value() { r.define(lang.Value, r.inner(), r.where) }

// inner is the scope of values.
func (r *reader) inner() int32 {
	if r.Block != lang.Global {
		return r.Block
	}
	return r.Fn
}

// ident adds a name that is not in the head of a definition.
func (r *reader) ident() {
	if r.Fn == lang.Global {
		r.use()
		return
	}
	switch next := r.Kind(1); {
	case next == '=':
		r.begin()
		r.value()
	case (next == '(' || next == ':') && r.isLabel():
		r.label()
	case next == ']' && r.Kind(-1) == '[' && r.Kind(-2) != '<' && r.Kind(2) == lex.Word:
		r.value() // the name of an instruction
	default:
		r.use()
	}
}

// use adds a name that is used.
func (r *reader) use() {
	key := r.Text()
	kind, scope := lang.Unknown, r.inner()
	switch {
	case r.Angles > 0:
		kind = lang.Type
	case r.Fn != lang.Global && r.Kind(1) == '(' && (r.jump || r.clause == 2):
		kind, scope = lang.Block, r.Fn
	}
	off, end := r.Take()
	_, common := commons[key]
	switch {
	case common:
		r.Word(lang.Op, off, end)
	case key[0] == '%':
		r.Name(kind, false, scope, key, off, end)
	case strings.Contains(key, "."):
		r.pointed = append(r.pointed, pointed{kind, off, end})
	default:
		r.Name(kind, false, lang.Global, key, off, end)
	}
}

// isLabel reports whether the next token begins a label: after its parameters comes a colon.
func (r *reader) isLabel() bool {
	j := r.I + 1
	if r.At(j) == '(' {
		for j++; r.At(j) != ')'; j++ {
			if k := r.At(j); k != '<' && k != '>' && k != lex.Ident {
				return false
			}
		}
		j++
		if r.At(j) == '[' && r.At(j+1) == lex.Ident && r.At(j+2) == ']' {
			j += 3
		}
	}
	return r.At(j) == ':'
}

// label reads a label with its parameters.
func (r *reader) label() {
	r.begin()
	r.BeginBlock(r.Next())
	r.where = r.define(lang.Block, r.Fn, r.version)
	for r.Kind(0) != ':' {
		switch {
		case r.Kind(0) == lex.Ident && r.Kind(-1) == '<':
			r.use()
		case r.Kind(0) == lex.Ident:
			r.define(lang.Parameter, r.Block, r.where)
		default:
			r.punct()
		}
	}
	r.Take()
}

// results reads a list of results, if the parenthesis that is next begins one: an equals sign follows the list.
func (r *reader) results() bool {
	if r.Fn == lang.Global {
		return false
	}
	j := r.I + 1
	for r.At(j) == lex.Ident {
		j++
	}
	if r.At(j) != ')' || r.At(j+1) != '=' {
		return false
	}
	r.begin()
	r.Take()
	for r.I < j {
		r.value()
	}
	r.Take()
	r.Take()
	return true
}
