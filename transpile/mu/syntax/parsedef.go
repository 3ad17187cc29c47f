package syntax

import (
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// bundle reads all definitions.
func (p *parser) bundle() {
	last := kwNone // the definition just read
	for p.Tok.Kind != lex.EOF {
		p.Begin("bundle", Name{}, p.Tok.Off)
		off := p.Tok.Off
		k := p.Kw
		if !isDef(k) {
			p.notDef(last)
			p.recoverDef()
			p.b.Gaps = true
			continue
		}
		p.Next()
		p.Begin(keywords.Name(k), Name{}, off)
		p.Shape = defShapes[k]
		last = k
		before, _ := p.Errors()
		d := p.definition(k, off)
		p.b.Defs = append(p.b.Defs, d)
		if n, _ := p.Errors(); n != before {
			if p.b.Faulty == nil {
				p.b.Faulty = map[Def]bool{}
			}
			p.b.Faulty[d] = true
			if _, name := d.Head(); name.IsZero() {
				p.b.Gaps = true
			}
		}
		if p.Failed {
			p.recoverDef()
		}
	}
}

// notDef reports a token that begins no definition; last is what the definition in
// front of it was.
func (p *parser) notDef(last keyword) {
	switch {
	case p.Tok.Kind == lex.Bad:
		p.Fail("")
	case p.Tok.Kind == lex.Word && p.Src[p.Tok.Off] == '.':
		p.Failed = true
		p.Reject("unknown definition "+p.Found(), p.defHint())
	case p.Is('=') && last == kwGlobal:
		p.Failed = true
		p.Reject("wanted a definition such as .typedef, found =", "a global cell begins as zero and NULL: code or a HAIL script sets it")
	default:
		p.Failed = true
		p.Reject("wanted a definition such as .typedef, found "+p.Found(), p.Near(isDef))
	}
	p.Next()
}

// defHint is the advice for a word that looks like that of a definition.
func (p *parser) defHint() string {
	if near := p.Near(isDef); near != "" {
		return near
	}
	return "the definitions are .typedef, .funcsig, .const, .global, .funcdecl, .funcdef and .expose"
}

// definition reads the definition of keyword k, which has been taken.
func (p *parser) definition(k keyword, off Off) Def {
	name := p.global("a global name")
	p.Name = name
	switch k {
	case kwTypedef:
		return p.typeDef(off, name)
	case kwFuncSig:
		d := &SigDef{Off: off, Name: name}
		p.Punct('=')
		d.Params = p.sigTypes()
		if !p.Failed && p.Tok.Kind != lex.Arrow {
			p.Fail("->")
		}
		if !p.Failed {
			p.Next()
		}
		d.Results = p.sigTypes()
		return d
	case kwConst:
		return p.constDef(off, name)
	case kwGlobal:
		return &GlobalDef{Off: off, Name: name, Type: p.angled((*parser).typeName)}
	case kwDecl:
		return &FuncDecl{Off: off, Name: name, Sig: p.angled((*parser).sigName)}
	case kwDef:
		return p.funcDef(off, name)
	}
	d := &ExposeDef{Off: off, Name: name}
	p.Punct('=')
	d.Func = p.global("the name of a function")
	if !p.Failed && p.Tok.Kind != lex.Flag {
		p.Fail("a flag", "write .expose @name = @function #DEFAULT @cookie")
	}
	if !p.Failed {
		d.Flag = p.Take()
	}
	d.Cookie = p.global("the name of the cookie, a constant")
	return d
}

// sigTypes reads the parenthesised types of a signature.
func (p *parser) sigTypes() []Name {
	p.Punct('(')
	list := p.globals("the name of a type or )", ')')
	p.Punct(')')
	return list
}

// typeDef reads a type definition after its name.
func (p *parser) typeDef(off Off, name Name) Def {
	d := p.typeSlab.One()
	*d = TypeDef{Off: off, Name: name}
	p.Punct('=')
	if p.Failed {
		return d
	}
	if !isType(p.Kw) {
		hint := ""
		if p.Tok.Kind == lex.Ident {
			hint = "a type cannot be defined as another name of a type"
		} else if s := foreignType(string(p.Text())); s != "" {
			hint = "write " + s
		} else {
			hint = p.Near(isType)
		}
		p.Fail("a type constructor such as int<32>", hint)
		return d
	}
	d.KindOff = p.Tok.Off
	d.Kind = TypeInt + TypeKind(p.Kw-kwType)
	p.Next()
	p.Shape = typeShapes[d.Kind]
	switch d.Kind {
	case TypeInt:
		p.Punct('<')
		d.Len = p.integer("the number of bits")
		p.Punct('>')
	case TypeRef, TypeIRef, TypeWeakRef, TypeUPtr:
		d.Args = p.one(p.angled((*parser).typeName))
	case TypeFuncRef, TypeUFuncPtr:
		d.Args = p.one(p.angled((*parser).sigName))
	case TypeStruct, TypeHybrid:
		p.Punct('<')
		d.Args = p.globals("the name of a type or >", '>')
		if !p.Failed && len(d.Args) == 0 {
			p.Fail("the name of a type", d.Kind.String()+" needs at least one")
		}
		p.Punct('>')
	case TypeArray, TypeVector:
		p.Punct('<')
		d.Args = p.one(p.typeName())
		d.Len = p.integer("the length")
		p.Punct('>')
	}
	return d
}

// one gives a list of one name.
func (p *parser) one(n Name) []Name {
	mark := len(p.names)
	p.names = append(p.names, n)
	return p.pop(mark)
}

// constDef reads a constant definition after its name.
func (p *parser) constDef(off Off, name Name) Def {
	d := p.constSlab.One()
	*d = ConstDef{Off: off, Name: name}
	d.Type = p.angled((*parser).typeName)
	p.Punct('=')
	if p.Failed {
		return d
	}
	d.ValOff = p.Tok.Off
	switch {
	case p.Tok.Kind == lex.Int:
		d.Kind = ConstInt
		d.Int = p.integer("")
	case p.Tok.Kind == lex.FP:
		d.Kind = ConstFP
		l := lex.ParseFP(p.Src, p.Tok)
		d.FP = &l
		p.Next()
	case p.Kw == kwBitsF || p.Kw == kwBitsD:
		d.Kind = ConstFP
		d.FP = p.bits()
	case p.Is('{'):
		p.Next()
		d.Kind = ConstList
		d.List = p.globals("the name of a constant or }", '}')
		p.Punct('}')
	case p.Kw == kwNull:
		d.Kind = ConstNull
		p.Next()
	case p.Kw == kwExtern:
		d.Kind = ConstExtern
		p.Next()
		p.Shape = "EXTERN \"symbol\""
		if p.Tok.Kind != lex.Str {
			p.Fail("the symbol's name in quotes")
			break
		}
		d.StrOff = p.Tok.Off
		d.Symbol = string(p.Src[p.Tok.Off+1 : p.Tok.End-1])
		p.Next()
	default:
		hint := p.Near(lex.OneOf(kwNull, kwExtern, kwBitsF, kwBitsD))
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
	return d
}

// bits reads bitsf(INT) or bitsd(INT).
func (p *parser) bits() *FPLit {
	l := &FPLit{Off: p.Tok.Off, Form: lex.FPBits, Double: p.Kw == kwBitsD}
	p.Shape = keywords.Name(p.Kw) + "(0x7f800000)"
	p.Next()
	p.Punct('(')
	l.Bits = p.integer("the bit pattern, an integer")
	l.End = p.Tok.End
	p.Punct(')')
	return l
}

// funcDef reads a function definition after its name. A faulty head does not
// keep the body from being read.
func (p *parser) funcDef(off Off, name Name) Def {
	d := &FuncDef{Off: off, Name: name}
	p.keyword(kwVersion)
	d.Version = p.anyName("the name of the version")
	d.Sig = p.angled((*parser).sigName)
	if p.Failed && !p.recoverHead() {
		return d
	}
	d.Open = p.Tok.Off
	p.Punct('{')
	if !p.Failed {
		p.body(d)
	}
	return d
}
