package lang

import (
	"cmp"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/lang"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// An indexer makes the index of a module.
//
// An item without a name is around everything: it is the scope of globals that other modules do not see.
// Likewise, each function and exists type in an expression is the scope of its parameters.
type indexer struct {
	*lang.Builder
	m     *syntax.Module
	words bool  // a global has a linkage: those without one are private
	file  int32 // the scope of private globals
	scope int32
	fn    int32 // the scope of blocks and statements
}

// Index finds the names of a module.
func Index(src []byte, _ string) *lang.Index {
	b := lang.NewBuilder(src, true)
	set := diag.NewSet()
	f, err := set.Add("", src)
	if err != nil {
		return b.Done()
	}
	x := &indexer{Builder: b, m: syntax.Parse(f, diag.NewList(set))}
	for _, g := range x.m.Globals {
		x.words = x.words || g.Extern || g.Linkage != syntax.NoLinkage
	}
	x.file = x.Open(lang.Unknown, 0)
	x.scope, x.fn = x.file, x.file
	for _, g := range x.m.Globals {
		x.addGlobal(g)
	}
	x.tokens()
	b.Close(x.file, uint32(len(src)))
	return b.Done()
}

// at is the number of the first token at or after an offset.
func (x *indexer) at(off uint32) int {
	i, _ := slices.BinarySearchFunc(x.m.Text.Tokens, off, func(t syntax.Token, o uint32) int { return cmp.Compare(uint32(t.Off), o) })
	return i
}

// semicolon is the end of the first semicolon at or after an offset.
func (x *indexer) semicolon(off uint32) uint32 {
	for _, t := range x.m.Text.Tokens[x.at(off):] {
		if t.Kind == ';' {
			return uint32(t.End)
		}
	}
	return uint32(len(x.Src))
}

// before is the end of the last token in front of an offset.
func (x *indexer) before(off uint32) uint32 {
	if i := x.at(off); i > 0 {
		return uint32(x.m.Text.Tokens[i-1].End)
	}
	return 0
}

// name adds a name.
func (x *indexer) name(k lang.Kind, def bool, scope int32, n syntax.Name) {
	if n.Text != "" {
		x.Name(k, def, scope, n.Text, n.Pos.Off, n.Pos.Off+uint32(len(n.Text)))
	}
}

// kinds are the kinds of globals. The words in them decide for definitions.
var kinds = map[syntax.GlobalKind]lang.Kind{
	syntax.Variable: lang.Cell, syntax.Define: lang.Constant, syntax.Recursive: lang.Type, syntax.Base: lang.Type, syntax.Function: lang.Function,
}

// addGlobal adds a global.
func (x *indexer) addGlobal(g *syntax.Global) {
	k := kinds[g.Kind]
	if g.Kind == syntax.Define && isType(g.Value) {
		k = lang.Type
	}
	n := g.Name
	item := x.Open(k, n.Pos.Off)
	x.Label(item, n.Pos.Off, n.Pos.Off+uint32(len(n.Text)))
	switch public := g.Linkage == syntax.Export || g.Linkage == syntax.Local || g.Linkage == syntax.ODR; {
	case g.Extern, g.Linkage == syntax.Import, g.Kind == syntax.Function && g.Body == nil:
		x.Declare(k, n.Text, n.Pos.Off, n.Pos.Off+uint32(len(n.Text)))
	case !x.words || public:
		x.name(k, true, lang.Global, n)
	default:
		x.name(k, true, x.file, n)
	}
	x.scope, x.fn = item, item
	x.name(lang.Type, true, item, g.Derived)
	x.name(lang.Constant, true, item, g.Offset)
	x.params(g.Params)
	x.expr(g.Type)
	if g.Fn != nil {
		x.params(g.Fn.Params)
		x.expr(g.Fn.Result)
	}
	x.expr(g.Value)
	last := g.Pos.Off
	if g.Body != nil {
		x.body(g.Body)
		last = g.Body.End.Off
	}
	x.Close(item, x.semicolon(last))
	x.scope, x.fn = x.file, x.file
}

// isType reports whether an expression is a type, as far as its word says.
func isType(e *syntax.Expr) bool {
	if e == nil {
		return false
	}
	o, ok := op.Find(e.Text)
	return e.Kind == syntax.FnType || e.Kind == syntax.Exists || e.Kind == syntax.Apply && ok && op.Table[o].Class == op.Type
}

// params adds parameters. Each is known in those after it.
func (x *indexer) params(list []*syntax.Param) {
	for _, p := range list {
		x.name(lang.Parameter, true, x.scope, p.Name)
		x.expr(p.Type)
	}
}

// expr adds the names in an expression.
func (x *indexer) expr(e *syntax.Expr) {
	if e == nil {
		return
	}
	switch e.Kind {
	case syntax.Use:
		x.Name(lang.Unknown, false, x.scope, e.Text, e.Pos.Off, e.Pos.Off+uint32(len(e.Text)))
	case syntax.FnType, syntax.Exists:
		outer := x.scope
		x.scope = x.Open(lang.Unknown, e.Pos.Off)
		x.params(e.Params)
		x.expr(e.Result)
		x.Close(x.scope, e.Pos.Off)
		x.scope = outer
	}
	for _, a := range e.Args {
		x.expr(a)
	}
}

// body adds blocks and statements.
func (x *indexer) body(b *syntax.Body) {
	for i, k := range b.Blocks {
		block := int32(lang.Global)
		if k.Name.Text != "" {
			block = x.Open(lang.Block, k.Name.Pos.Off)
			x.Label(block, k.Name.Pos.Off, k.Name.Pos.Off+uint32(len(k.Name.Text)))
			x.name(lang.Block, true, x.fn, k.Name)
			x.name(lang.Block, false, x.fn, k.Dom)
		}
		for _, s := range k.Stmts {
			x.name(lang.Value, true, x.fn, s.Name)
			x.expr(s.Value)
			if s.Phi != nil {
				x.expr(s.Phi.Type)
				for _, e := range s.Phi.Edges {
					x.name(lang.Block, false, x.fn, e.From)
					x.expr(e.Value)
				}
			}
		}
		if block != lang.Global {
			next := b.End.Off
			if i+1 < len(b.Blocks) {
				next = x.start(b.Blocks[i+1].Pos.Off)
			}
			x.Close(block, x.before(next))
		}
	}
}

// start is where the token in front of the one at an offset begins: the keyword of a block.
func (x *indexer) start(off uint32) uint32 {
	return uint32(x.m.Text.Tokens[max(x.at(off)-1, 0)].Off)
}

// tokens adds the tokens that are no names, and names that are in no part of the tree.
func (x *indexer) tokens() {
	for i, t := range x.m.Text.Tokens {
		off, end := uint32(t.Off), uint32(t.End)
		x.Token(off, end)
		word := string(x.Src[off:end])
		switch t.Kind {
		case syntax.Number:
			x.Word(lang.Number, off, end)
		case syntax.Keyword:
			x.Word(lang.Keyword, off, end)
		case syntax.Word:
			c := lang.Op
			if o, ok := op.Find(word); ok && op.Table[o].Class == op.Type {
				c = lang.TypeWord
			}
			x.Word(c, off, end)
		case syntax.Ident:
			if !x.Has(off) {
				first := off == 0 || x.Src[off-1] == '\n'
				def := first && i+1 < len(x.m.Text.Tokens) && x.m.Text.Tokens[i+1].Kind == '='
				x.Name(lang.Unknown, def, lang.Global, word, off, end)
			}
		}
	}
}
