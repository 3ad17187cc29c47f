package decl

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// Bundle reads all definitions.
func (p *Parser) Bundle() {
	last := lex.Keyword(0) // the definition just read
	for p.Tok.Kind != lex.EOF {
		p.Begin("bundle", Name{}, p.Tok.Off)
		off := p.Tok.Off
		k := p.Kw
		if !isDef(k) {
			p.notDef(last)
			p.recoverDef()
			p.Gaps = true
			continue
		}
		p.Next()
		p.Begin(p.Words.Name(k), Name{}, off)
		p.Shape = defShape(k)
		last = k
		before, _ := p.Errors()
		d := p.definition(k, off)
		p.Defs = append(p.Defs, d)
		if n, _ := p.Errors(); n != before {
			if p.Faulty == nil {
				p.Faulty = map[Def]bool{}
			}
			p.Faulty[d] = true
			if _, name := d.Head(); name.IsZero() {
				p.Gaps = true
			}
		}
		if p.Failed {
			p.recoverDef()
		}
	}
}

// notDef reports a token that begins no definition; last is the keyword of the
// definition before it.
func (p *Parser) notDef(last lex.Keyword) {
	switch {
	case p.Tok.Kind == lex.Bad:
		p.Fail("")
	case p.Tok.Kind == lex.Word && p.Src[p.Tok.Off] == '.':
		p.Failed = true
		p.Reject("unknown definition "+p.Found(), p.defHint())
	case p.Is('=') && last == KwGlobal:
		p.Failed = true
		p.Reject("wanted a definition such as .typedef, found =", "a global cell begins as zero and NULL: code or a HAIL script sets it")
	default:
		p.Failed = true
		p.Reject("wanted a definition such as .typedef, found "+p.Found(), p.Near(isDef))
	}
	p.Next()
}

// defHint is the advice for a word that resembles the keyword of a definition.
func (p *Parser) defHint() string {
	if near := p.Near(isDef); near != "" {
		return near
	}
	return "the definitions are .typedef, .funcsig, .const, .global, .funcdecl, .funcdef and .expose"
}

// definition reads the definition of keyword k, which has been taken.
func (p *Parser) definition(k lex.Keyword, off Off) Def {
	name := p.Global("a global name")
	p.Name = name
	switch k {
	case KwTypedef:
		return p.typeDef(off, name)
	case KwFuncSig:
		d := &SigDef{Off: off, Name: name}
		p.Punct('=')
		p.signature(d)
		return d
	case KwConst:
		return p.constDef(off, name)
	case KwGlobal:
		return &GlobalDef{Off: off, Name: name, Type: p.Angled((*Parser).TypeName)}
	case KwDecl:
		return &FuncDecl{Off: off, Name: name, Sig: p.Angled((*Parser).SigName)}
	case KwDef:
		return p.funcDef(off, name)
	}
	d := &ExposeDef{Off: off, Name: name}
	p.Punct('=')
	d.Func = p.Global("the name of a function")
	if !p.Failed && p.Tok.Kind != lex.Flag {
		p.Fail("a flag", "write .expose @name = @function #DEFAULT @cookie")
	}
	if !p.Failed {
		d.Flag = p.Take()
	}
	d.Cookie = p.Const("the name of the cookie, a constant")
	return d
}

// signature reads the types of a signature.
func (p *Parser) signature(d *SigDef) {
	d.Params = p.sigTypes()
	if !p.Failed && p.Tok.Kind != lex.Arrow {
		p.Fail("->")
	}
	if !p.Failed {
		p.Next()
	}
	d.Results = p.sigTypes()
}

// sigTypes reads the parenthesised types of a signature.
func (p *Parser) sigTypes() []Name {
	p.Punct('(')
	list := p.List((*Parser).Type, "the name of a type or )", ')')
	p.Punct(')')
	return list
}

// typeDef reads a type definition after its name.
func (p *Parser) typeDef(off Off, name Name) Def {
	d := p.typeSlab.One()
	*d = TypeDef{Off: off, Name: name}
	p.Punct('=')
	if p.Failed {
		return d
	}
	if !IsType(p.Kw) {
		hint := ""
		if p.Tok.Kind == lex.Ident {
			hint = "a type cannot be defined as another name of a type"
		} else if s := foreignType(string(p.Text())); s != "" {
			hint = "write " + s
		} else {
			hint = p.Near(IsType)
		}
		p.Fail("a type constructor such as int<32>", hint)
		return d
	}
	p.constructor(d)
	return d
}

// constructor reads a type constructor, whose keyword is the current token.
func (p *Parser) constructor(d *TypeDef) {
	d.KindOff = p.Tok.Off
	d.Kind = TypeInt + TypeKind(p.Kw-kwType)
	p.Next()
	p.Shape = typeShape(d.Kind)
	switch d.Kind {
	case TypeInt:
		p.Punct('<')
		d.Len = p.Integer("the number of bits")
		p.Punct('>')
	case TypeRef, TypeIRef, TypeWeakRef, TypeUPtr:
		d.Args = p.One(p.Angled((*Parser).TypeName))
	case TypeFuncRef, TypeUFuncPtr:
		d.Args = p.One(p.Angled((*Parser).SigName))
	case TypeStruct, TypeHybrid:
		p.Punct('<')
		d.Args = p.List((*Parser).Type, "the name of a type or >", '>')
		if !p.Failed && len(d.Args) == 0 {
			p.Fail("the name of a type", d.Kind.String()+" needs at least one")
		}
		p.Punct('>')
	case TypeArray, TypeVector:
		p.Punct('<')
		d.Args = p.One(p.TypeName())
		d.Len = p.Integer("the length")
		p.Punct('>')
	}
}

// One returns a list of one name.
func (p *Parser) One(n Name) []Name {
	list := p.nameSlab.Make(1)
	list[0].Sym, list[0].Off = n.Sym, n.Off
	return list
}

// constDef reads a constant definition after its name.
func (p *Parser) constDef(off Off, name Name) Def {
	d := p.constSlab.One()
	*d = ConstDef{Off: off, Name: name}
	d.Type = p.Angled((*Parser).TypeName)
	p.Punct('=')
	p.constValue(d)
	return d
}

// constValue reads the value of a constant. It returns where the value ends.
func (p *Parser) constValue(d *ConstDef) (end Off) {
	if p.Failed {
		return 0
	}
	d.ValOff, end = p.Tok.Off, p.Tok.End
	switch {
	case p.Tok.Kind == lex.Int:
		d.Kind = ConstInt
		d.Int = p.Integer("")
	case p.Tok.Kind == lex.FP:
		d.Kind = ConstFP
		l := lex.ParseFP(p.Src, p.Tok)
		d.FP = &l
		p.Next()
	case p.Kw == KwBitsF || p.Kw == KwBitsD:
		d.Kind = ConstFP
		d.FP = p.bits()
		end = d.FP.End
	case p.Is('{'):
		p.Next()
		d.Kind = ConstList
		d.List = p.List((*Parser).Const, "the name of a constant or }", '}')
		p.Punct('}')
	case p.Kw == KwNull:
		d.Kind = ConstNull
		p.Next()
	case p.Kw == KwExtern:
		d.Kind = ConstExtern
		p.Next()
		p.Shape = "EXTERN \"symbol\""
		if p.Tok.Kind != lex.Str {
			p.Fail("the symbol's name in quotes")
			break
		}
		d.StrOff = p.Tok.Off
		d.Symbol = string(p.Src[p.Tok.Off+1 : p.Tok.End-1])
		end = p.Tok.End
		p.Next()
	default:
		hint := p.Near(lex.OneOf(KwNull, KwExtern, KwBitsF, KwBitsD))
		switch {
		case p.Tok.Kind == lex.Ident:
			hint = "a constant cannot be defined as another name of a constant"
		case p.Tok.Kind == lex.Str:
			hint = "a native symbol is written EXTERN " + p.Found() + ", text as a list of constants"
		case hint != "":
		case p.Tok.Kind == lex.Word:
			switch strings.ToLower(string(p.Text())) {
			case "true":
				hint = "write 1"
			case "false":
				hint = "write 0"
			case "nil", "none":
				hint = "write NULL"
			}
		}
		p.Fail("a literal, {...}, NULL or EXTERN", hint)
	}
	return end
}

// bits reads bitsf(INT) or bitsd(INT).
func (p *Parser) bits() *FPLit {
	l := &FPLit{Off: p.Tok.Off, Form: lex.FPBits, Double: p.Kw == KwBitsD}
	p.Shape = p.Words.Name(p.Kw) + "(0x7f800000)"
	p.Next()
	p.Punct('(')
	l.Bits = p.Integer("the bit pattern, an integer")
	l.End = p.Tok.End
	p.Punct(')')
	return l
}

// funcDef reads a function definition after its name. The body is read even if
// the head is faulty.
func (p *Parser) funcDef(off Off, name Name) Def {
	h := FuncHead{Off: off, Name: name}
	if p.BareNames() && !p.Failed && p.Is('<') {
		h.Version, h.Unversioned = Name{Sym: p.Syms.InternString("%v1"), Off: name.Off}, true
	} else {
		p.Keyword(KwVersion)
		h.Version = p.AnyName("the name of the version")
	}
	h.Sig = p.Angled((*Parser).SigName)
	if p.Failed && !p.recoverHead() {
		return p.withBody(h, false)
	}
	h.Open = p.Tok.Off
	p.Punct('{')
	return p.withBody(h, !p.Failed)
}

// withBody makes the definition of a function, with the body at the current token if there is one.
func (p *Parser) withBody(h FuncHead, body bool) Def {
	if p.Body != nil {
		return p.Body(h, body)
	}
	if body {
		p.skipBody(&h)
	}
	return &h
}

// skipBody skips to after the brace that closes a function.
func (p *Parser) skipBody(h *FuncHead) {
	for depth := 1; depth > 0; p.Next() {
		switch {
		case p.AtDef() || p.Tok.Kind == lex.EOF:
			p.Begin(".funcdef", h.Name, h.Off)
			p.Complain("} at the end of the function")
			return
		case p.Is('{'):
			depth++
		case p.Is('}'):
			depth--
		}
	}
}
