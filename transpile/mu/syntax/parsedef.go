package syntax

import "github.com/uvm2go/uvm2go/transpile/internal/lex"

// bundle reads all definitions.
func (p *parser) bundle() {
	for p.tok.Kind != lex.EOF {
		p.begin("bundle", Name{}, p.tok.Off)
		off := p.tok.Off
		k := p.kw
		if !isDef(k) {
			p.notDef()
			p.recoverDef()
			continue
		}
		p.next()
		p.begin(keywordNames[k], Name{}, off)
		if d := p.definition(k, off); d != nil {
			p.b.Defs = append(p.b.Defs, d)
		}
		if p.failed {
			p.recoverDef()
		}
	}
}

// notDef reports a token that begins no definition.
func (p *parser) notDef() {
	switch {
	case p.tok.Kind == lex.Bad:
		p.fail("")
	case p.tok.Kind == lex.Word && p.src[p.tok.Off] == '.':
		p.failed = true
		p.error(p.tok.Off, "unknown definition %s%s", p.found(), p.didYouMean(isDef))
	default:
		p.failed = true
		p.error(p.tok.Off, "wanted a definition such as .typedef, found %s%s", p.found(), p.didYouMean(isDef))
	}
	p.next()
}

// definition reads the definition of keyword k, which has been taken.
func (p *parser) definition(k keyword, off Off) Def {
	name := p.global("a global name")
	p.name = name
	switch k {
	case kwTypedef:
		return p.typeDef(off, name)
	case kwFuncSig:
		d := &SigDef{Off: off, Name: name}
		p.punct('=')
		d.Params = p.sigTypes()
		if !p.failed && p.tok.Kind != lex.Arrow {
			p.fail("->")
		}
		if !p.failed {
			p.next()
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
	p.punct('=')
	d.Func = p.global("the name of a function")
	if !p.failed && p.tok.Kind != lex.Flag {
		p.fail("a flag", "write .expose @name = @function #DEFAULT @cookie")
	}
	if !p.failed {
		d.Flag = p.take()
	}
	d.Cookie = p.global("the name of the cookie, a constant")
	return d
}

// sigTypes reads the parenthesised types of a signature.
func (p *parser) sigTypes() []Name {
	p.punct('(')
	list := p.globals("the name of a type or )", ')')
	p.punct(')')
	return list
}

// typeDef reads a type definition behind its name.
func (p *parser) typeDef(off Off, name Name) Def {
	d := p.typeSlab.one()
	*d = TypeDef{Off: off, Name: name}
	p.punct('=')
	if p.failed {
		return d
	}
	if !isType(p.kw) {
		hint := ""
		if p.tok.Kind == lex.Ident {
			hint = "a type cannot be defined as another name of a type"
		}
		p.fail("a type constructor such as int<32>", hint, kwSet(isType))
		return d
	}
	d.KindOff = p.tok.Off
	d.Kind = TypeInt + TypeKind(p.kw-kwType)
	p.next()
	switch d.Kind {
	case TypeInt:
		p.punct('<')
		d.Len = p.integer("the number of bits")
		p.punct('>')
	case TypeRef, TypeIRef, TypeWeakRef, TypeUPtr:
		d.Args = p.one(p.angled((*parser).typeName))
	case TypeFuncRef, TypeUFuncPtr:
		d.Args = p.one(p.angled((*parser).sigName))
	case TypeStruct, TypeHybrid:
		p.punct('<')
		d.Args = p.globals("the name of a type or >", '>')
		if !p.failed && len(d.Args) == 0 {
			p.fail("the name of a type", d.Kind.String()+" needs at least one")
		}
		p.punct('>')
	case TypeArray, TypeVector:
		p.punct('<')
		d.Args = p.one(p.typeName())
		d.Len = p.integer("the length")
		p.punct('>')
	}
	return d
}

// one gives a list of one name.
func (p *parser) one(n Name) []Name {
	mark := len(p.names)
	p.names = append(p.names, n)
	return p.pop(mark)
}

// constDef reads a constant definition behind its name.
func (p *parser) constDef(off Off, name Name) Def {
	d := p.constSlab.one()
	*d = ConstDef{Off: off, Name: name}
	d.Type = p.angled((*parser).typeName)
	p.punct('=')
	if p.failed {
		return d
	}
	d.ValOff = p.tok.Off
	switch {
	case p.tok.Kind == lex.Int:
		d.Kind = ConstInt
		d.Int = p.integer("")
	case p.tok.Kind == lex.FP:
		d.Kind = ConstFP
		l := lex.ParseFP(p.src, p.tok)
		d.FP = &l
		p.next()
	case p.kw == kwBitsF || p.kw == kwBitsD:
		d.Kind = ConstFP
		d.FP = p.bits()
	case p.is('{'):
		p.next()
		d.Kind = ConstList
		d.List = p.globals("the name of a constant or }", '}')
		p.punct('}')
	case p.kw == kwNull:
		d.Kind = ConstNull
		p.next()
	case p.kw == kwExtern:
		d.Kind = ConstExtern
		p.next()
		if p.tok.Kind != lex.Str {
			p.fail("the symbol's name in quotes")
			break
		}
		d.StrOff = p.tok.Off
		d.Symbol = string(p.src[p.tok.Off+1 : p.tok.End-1])
		p.next()
	default:
		hint := ""
		if p.tok.Kind == lex.Ident {
			hint = "a constant cannot be defined as another name of a constant"
		}
		p.fail("a literal, {...}, NULL or EXTERN", hint, oneOf(kwNull, kwExtern, kwBitsF, kwBitsD))
	}
	return d
}

// bits reads bitsf(INT) or bitsd(INT).
func (p *parser) bits() *FPLit {
	l := &FPLit{Off: p.tok.Off, Form: lex.FPBits, Double: p.kw == kwBitsD}
	p.next()
	p.punct('(')
	l.Bits = p.integer("the bit pattern, an integer")
	l.End = p.tok.End
	p.punct(')')
	return l
}

// funcDef reads a function definition behind its name. A faulty head does not
// keep the body from being read.
func (p *parser) funcDef(off Off, name Name) Def {
	d := &FuncDef{Off: off, Name: name}
	p.keyword(kwVersion)
	d.Version = p.anyName("the name of the version")
	d.Sig = p.angled((*parser).sigName)
	if p.failed && !p.recoverHead() {
		return d
	}
	d.Open = p.tok.Off
	p.punct('{')
	if !p.failed {
		p.body(d)
	}
	return d
}
