package syntax

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/lexdiag"
)

// A Mode selects what Parse does in addition to building the tree.
type Mode uint8

// The modes.
const (
	// WithComments collects the comments, and leaves instructions after TRAP in the tree: the layout shows both.
	WithComments Mode = 1 << iota
)

// dialect has the tokens of the text form. Commas are tokens because old bundles have
// them between the elements of lists.
var dialect = lex.NewDialect("@%", "=<>(){}:;,", false).Strings().BareFP()

// NewSymbols makes an empty table of symbols.
func NewSymbols() *Symbols { return lex.NewSymbols() }

// NewScanner cuts a bundle into tokens, without comments, for tools that scan the source in
// addition to the tree.
func NewScanner(src []byte) lex.Scanner { return lex.NewScanner(src, dialect, false) }

// Parse reads a bundle. All errors in the file are added to errs; the result is never nil,
// and Bad if there were errors. Names are interned in syms.
func Parse(file *diag.File, syms *Symbols, errs *diag.List, mode Mode) *Bundle {
	p := &parser{
		Reader:    lex.NewReader(file.Content(), syms, dialect, keywords, mode&WithComments != 0),
		b:         &Bundle{File: file, Syms: syms},
		asWritten: mode&WithComments != 0,
		lastSync:  ^Off(0),
	}
	p.commas()
	p.bundle()
	p.b.Comments = p.Scan.Comments()
	p.b.Nodes = p.nodes
	p.b.Bad = p.Bad
	p.suggest()
	lexdiag.Add(errs, file, p.Reports)
	_, p.b.Unread = p.Errors()
	return p.b
}

// A parser reads one bundle, with one token of lookahead and, where the grammar needs
// more, a scan ahead. The loops over definitions, instructions and cases continue after
// errors (recover.go).
type parser struct {
	lex.Reader
	b *Bundle

	asWritten bool // instructions that are left out stay in the tree

	lastSync Off // where the last recovery stopped

	odd map[*lex.Report]misspelt

	depth int // of nested types and constants

	insts  []Inst  // of the current block
	blocks []Block // of the current function

	argRoom  []Value // for the list being read
	caseRoom []Case
	nameRoom []Name // for the instruction being read: its destinations, and a list

	nodes       int // number of numbered nodes
	sharedTypes memo[TypeCtor]
	sharedSigs  memo[SigCtor]
	literals    memo[Const]

	names  lex.Slab[Name]
	values lex.Slab[Value]
	cases  lex.Slab[Case]
	types  lex.Slab[Type]
	typ    lex.Slab[TypeCtor]
	sig    lex.Slab[SigCtor]
	con    lex.Slab[Const]
	ints   lex.Slab[IntLit]
	fps    lex.Slab[FPLit]
	inst   lex.Slab[Inst]
	ext    lex.Slab[InstExt]
	block  lex.Slab[Block]
}

// Next moves to the next token and skips commas.
func (p *parser) Next() {
	p.Reader.Next()
	p.commas()
}

// commas skips commas, which old bundles have between the elements of lists.
func (p *parser) commas() {
	for p.Is(',') {
		p.deviation(p.Tok.Off, "comma", "a comma counts as white space")
		p.Reader.Next()
	}
}

// deviation notes a form of older bundles.
func (p *parser) deviation(off Off, kind, text string) {
	if !p.Failed {
		p.b.Deviations = append(p.b.Deviations, Deviation{Off: off, Kind: kind, Text: text})
	}
}

// Punct takes the punctuation c.
func (p *parser) Punct(c byte, hints ...string) {
	switch {
	case p.Failed:
	case !p.Is(c):
		p.Fail(string(rune(c)), hints...)
	default:
		p.Next()
	}
}

// takeName takes the current token, a name.
func (p *parser) takeName() Name {
	n := Name{Sym: p.Syms.Intern(p.Text()), Off: p.Tok.Off}
	p.Next()
	return n
}

// isGlobal reports whether the current token is a global name, isLocal a local one.
func (p *parser) isGlobal() bool { return p.Tok.Kind == lex.Ident && p.Src[p.Tok.Off] == '@' }
func (p *parser) isLocal() bool  { return p.Tok.Kind == lex.Ident && p.Src[p.Tok.Off] == '%' }

// named takes a name with a sigil. A name with the other sigil is an error, but is skipped.
func (p *parser) named(sigil byte, wanted string) Name {
	if p.Failed {
		return Name{}
	}
	if p.Tok.Kind != lex.Ident {
		p.Fail(wanted)
		return Name{}
	}
	if p.Src[p.Tok.Off] != sigil {
		hint := "the name must be global, with @"
		if sigil == '%' {
			hint = "the name must be local, with %"
		}
		p.Complain(wanted, hint)
	}
	return p.takeName()
}

func (p *parser) global(wanted string) Name { return p.named('@', wanted) }
func (p *parser) local(wanted string) Name  { return p.named('%', wanted) }

// keyword takes the keyword k.
func (p *parser) keyword(k keyword) {
	switch {
	case p.Failed:
	case p.Kw != k:
		p.Fail(keywords.Name(k), p.Near(lex.OneOf(k)))
	default:
		p.Next()
	}
}

// integer takes an integer literal.
func (p *parser) integer(wanted string) *IntLit {
	if p.Failed {
		return nil
	}
	if p.Tok.Kind != lex.Int {
		p.Fail(wanted)
		return nil
	}
	l := p.ints.One()
	*l = lex.ParseInt(p.Src, p.Tok)
	p.Next()
	return l
}

// typeExpr reads a type: a name or a constructor.
func (p *parser) typeExpr() Type {
	switch {
	case p.Failed:
		return Type{}
	case p.isGlobal():
		return TypeNamed(p.takeName())
	case isType(p.Kw):
		return p.sharedType()
	}
	hint := ""
	if p.isLocal() {
		hint = "the name of a type is global, with @"
	}
	p.Fail("a type", hint, p.Near(isType))
	return Type{}
}

// typeCtor reads the constructor at the current keyword. maxDepth bounds the depth of nested
// types.
func (p *parser) typeCtor() *TypeCtor {
	t := p.typ.One()
	t.Node = p.node()
	t.Kind = TypeInt + TypeKind(p.Kw-kwType)
	p.Next()
	if !p.enter() {
		return t
	}
	defer p.leave()
	switch t.Kind {
	case TypeInt:
		p.Punct('<')
		t.Len = p.integer("the number of bits")
		p.Punct('>')
	case TypeRef, TypeIRef, TypeWeakRef:
		p.Punct('<')
		t.Args = p.types.Copy([]Type{p.typeExpr()})
		p.Punct('>')
	case TypeStruct:
		p.Punct('<')
		t.Args = p.typeList('>')
		p.Punct('>')
	case TypeArray:
		p.Punct('<')
		t.Args = p.types.Copy([]Type{p.typeExpr()})
		t.Len = p.integer("the length")
		p.Punct('>')
	case TypeHybrid:
		p.Punct('<')
		t.Args = p.types.Copy([]Type{p.typeExpr(), p.typeExpr()})
		p.Punct('>')
	case TypeFunc:
		p.Punct('<')
		t.Sig = p.sigExpr()
		p.Punct('>')
	}
	return t
}

// maxDepth bounds how deeply types and constants may nest where they are written in place.
const maxDepth = 1000

// enter counts a level of nesting. It fails if there are too many.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		if !p.Failed {
			p.Failed = true
			p.Reject("nested too deeply: give the inner part a name with .typedef or .const")
		}
		p.depth--
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// typeList reads types up to the closing punctuation, which stays.
func (p *parser) typeList(end byte) []Type {
	var list []Type
	for !p.Failed && !p.Is(end) {
		list = append(list, p.typeExpr())
	}
	return p.types.Copy(list)
}

// sigExpr reads a signature: a name, or a constructor. A name that a parenthesis
// follows is the return type of a constructor.
func (p *parser) sigExpr() Sig {
	switch {
	case p.Failed:
		return Sig{}
	case p.isGlobal() && p.Peek().Kind != '(':
		return SigNamed(p.takeName())
	case p.isLocal():
		p.Fail("a signature", "the name of a signature is global, with @")
		return Sig{}
	}
	return p.sharedSig()
}

func (p *parser) sigCtor() *SigCtor {
	s := p.sig.One()
	s.Node = p.node()
	s.Ret = p.typeExpr()
	p.Punct('(', "a signature is written RETURN_TYPE (PARAMETER_TYPES)")
	s.Params = p.typeList(')')
	if len(s.Params) == 1 && s.Params[0].TypeCtor != nil && s.Params[0].Kind == TypeVoid {
		p.deviation(s.Params[0].Off, "void list", "the parameters (void) are read as none")
		s.Params = nil
	}
	p.Punct(')')
	return s
}

// angledType reads a type in angle brackets.
func (p *parser) angledType() Type {
	p.Punct('<')
	t := p.typeExpr()
	p.Punct('>')
	return t
}

// angledSig reads a signature in angle brackets.
func (p *parser) angledSig() Sig {
	p.Punct('<')
	s := p.sigExpr()
	p.Punct('>')
	return s
}

// atConst reports whether the current token begins a constant constructor.
func (p *parser) atConst() bool {
	return p.Tok.Kind == lex.Int || p.Tok.Kind == lex.FP || p.Is('{') || p.Kw == kwNull || p.Kw == kwBitsF || p.Kw == kwBitsD
}

// constExpr reads a constant constructor.
func (p *parser) constExpr() Value {
	if p.Failed {
		return Value{}
	}
	return p.sharedConst()
}

// constCtor reads the constructor at the current token.
func (p *parser) constCtor() *Const {
	c := p.con.One()
	c.Node = p.node()
	switch {
	case p.Tok.Kind == lex.Int:
		c.Kind, c.Int = ConstInt, p.integer("")
	case p.Tok.Kind == lex.FP:
		c.Kind, c.FP = ConstFP, p.fps.One()
		*c.FP = lex.ParseFP(p.Src, p.Tok)
		if s := p.Src[p.Tok.Off]; c.FP.Form == lex.FPInf && s != '+' && s != '-' {
			p.Complain("+inff, -inff, +infd or -infd", "infinity has a sign")
		}
		p.Next()
	case p.Kw == kwBitsF || p.Kw == kwBitsD:
		c.Kind, c.FP = ConstFP, p.bits()
	case p.Is('{'):
		c.Kind = ConstList
		if !p.enter() {
			return c
		}
		p.Next()
		var list []Value
		for !p.Failed && !p.Is('}') {
			list = append(list, p.constant())
		}
		c.List = p.values.Copy(list)
		p.Punct('}')
		p.leave()
	case p.Kw == kwNull:
		c.Kind = ConstNull
		p.Next()
	default:
		hint := ""
		if p.Tok.Kind == lex.Ident {
			hint = "a constant cannot be defined as another name of a constant"
		}
		p.Fail("a literal, {...} or NULL", hint, p.Near(lex.OneOf(kwNull, kwBitsF, kwBitsD)))
	}
	return c
}

// constant reads an element of a constant list: a global name or a constructor.
func (p *parser) constant() Value {
	if p.Tok.Kind == lex.Ident {
		n := p.global("a constant")
		return Value{Name: n}
	}
	if !p.atConst() {
		p.Fail("a constant or }")
		return Value{}
	}
	return p.constExpr()
}

// bits reads bitsf(INT) or bitsd(INT).
func (p *parser) bits() *FPLit {
	l := p.fps.One()
	*l = FPLit{Off: p.Tok.Off, Form: lex.FPBits, Double: p.Kw == kwBitsD}
	p.Next()
	p.Punct('(')
	l.Bits = p.integer("the bit pattern, an integer")
	l.End = p.Tok.End
	p.Punct(')')
	return l
}

// value reads an operand.
func (p *parser) value() Value {
	switch {
	case p.Failed:
		return Value{}
	case p.isGlobal() || p.isLocal() && !p.startsNext():
		return Value{Name: p.takeName()}
	case p.atConst():
		return p.constExpr()
	}
	p.Fail("an operand")
	return Value{}
}
