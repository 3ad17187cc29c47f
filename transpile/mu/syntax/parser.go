package syntax

import (
	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/lexdiag"
)

// A Mode selects what Parse does in addition to building the tree.
type Mode uint8

// The modes.
const (
	// WithComments collects the comments.
	WithComments Mode = 1 << iota
)

// dialect has the tokens of the text form.
var (
	dialect    = decl.NewDialect()
	mucDialect = decl.NewMucDialect(keywords) // of the form of muc
)

// Parse reads a bundle. All errors in the file are added to errs; the result is
// never nil, and Bad if there were errors. Names are interned in syms. Text that has errors in the form of 2016 may be
// in the form of muc.
func Parse(file *diag.File, syms *Symbols, errs *diag.List, mode Mode) *Bundle {
	p := newParser(file, syms, dialect, mode)
	p.Body = p.funcDef
	p.Bundle()
	if p.Bad && IsMuc(file.Content()) {
		p = newParser(file, syms, mucDialect, mode)
		p.Body = p.funcDef
		p.Bundle()
	}
	p.b.Defs, p.b.Inline, p.b.Faulty, p.b.Gaps = p.Defs, p.Parser.Inline, p.Faulty, p.Gaps
	p.b.Bare = p.Parser.Bare()
	p.b.Comments = p.Scan.Comments()
	p.b.Bad = p.Bad
	_, p.b.Unread = p.Errors()
	p.misspelt(lexdiag.Add(errs, file, p.Reports))
	return p.b
}

// A parser reads one bundle, with one token of lookahead and, where the
// grammar needs more, a scan ahead that only looks at names. The loops over
// definitions, instructions and switch cases continue after errors (recover.go).
type parser struct {
	decl.Parser
	b *Bundle

	dests  []Dest // stack of the lists being read
	params []Param
	insts  []Inst  // of the current block
	blocks []Block // of the current function

	destSlab  lex.Slab[Dest]
	paramSlab lex.Slab[Param]
	instSlab  lex.Slab[Inst]
	blockSlab lex.Slab[Block]
	extSlab   lex.Slab[Ext]

	marked []uint32 // by Sym.Index: the mark of the last block that has a variable of the name; see resolve
	marks  uint32

	odd map[*lex.Report]Misspelt // without their diagnostics
}

func newParser(file *diag.File, syms *Symbols, d *lex.Dialect, mode Mode) *parser {
	return &parser{
		Parser: decl.NewParser(file.Content(), syms, d, keywords, mode&WithComments != 0),
		b:      &Bundle{File: file, Syms: syms},
	}
}

// funcDef reads the body of a function after its opening brace, if there is one.
func (p *parser) funcDef(h decl.FuncHead, body bool) Def {
	d := &FuncDef{FuncHead: h}
	if body {
		p.body(d)
	}
	return d
}

// NewScanner cuts a bundle into tokens, without comments, for tools that scan the
// source in addition to the tree. muc says in which form it is, see Bundle.Muc.
func NewScanner(src []byte, muc bool) lex.Scanner {
	if muc {
		return lex.NewScanner(src, mucDialect, false)
	}
	return lex.NewScanner(src, dialect, false)
}

// IsMuc reports whether a text is in the form of muc (decl.IsMuc).
func IsMuc(src []byte) bool { return decl.IsMuc(src, keywords) }
