package syntax

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// bundle reads all definitions.
func (p *parser) bundle() {
	for p.Tok.Kind != lex.EOF {
		p.Begin("bundle", Name{}, p.Tok.Off)
		if !isDef(p.Kw) {
			p.notDef()
			p.recoverDef()
			p.b.Gaps = true
			continue
		}
		before, _ := p.Errors()
		d := p.definition()
		p.b.Defs = append(p.b.Defs, d)
		if n, _ := p.Errors(); n != before {
			if p.b.Faulty == nil {
				p.b.Faulty = map[Def]bool{}
			}
			p.b.Faulty[d] = true
			if d.DefHead().Name.IsZero() {
				p.b.Gaps = true
			}
		}
		if p.Failed {
			p.recoverDef()
		}
	}
}

// notDef reports a token that begins no definition.
func (p *parser) notDef() {
	switch {
	case p.Tok.Kind == lex.Bad:
		p.Fail("")
	case p.Tok.Kind == lex.Word && p.Src[p.Tok.Off] == '.':
		p.Failed = true
		p.Reject("unknown definition "+p.Found(), p.Near(isDef))
	default:
		p.Failed = true
		p.Reject("wanted a definition such as .typedef, found "+p.Found(), p.Near(isDef))
	}
	p.Next()
}

// head takes the keyword of a definition and its name.
func (p *parser) head(local bool) Head {
	h := Head{Off: p.Tok.Off}
	word := keywords.Name(p.Kw)
	p.Next()
	p.Begin(word, Name{}, h.Off)
	if local && p.isLocal() {
		h.Name = p.takeName()
	} else {
		h.Name = p.global("a global name")
	}
	p.Name = h.Name
	return h
}

// definition reads the definition at the current keyword.
func (p *parser) definition() Def {
	k := p.Kw
	if k == kwConst {
		return p.constDef(false)
	}
	h := p.head(false)
	switch k {
	case kwTypedef:
		d := &TypeDef{Head: h}
		if p.isGlobal() && !p.Failed {
			p.deviation(p.Tok.Off, "alias", "a type defined as another name of a type")
			d.Type = p.typeExpr()
			return d
		}
		p.equals()
		if !p.Failed && !isType(p.Kw) {
			p.Fail("a type constructor such as int<32>", p.Near(isType))
		}
		if !p.Failed {
			d.Type.Off = p.Tok.Off
			d.Type.TypeCtor = p.typeCtor()
		}
		return d
	case kwFuncSig:
		d := &SigDef{Head: h}
		p.equals()
		if !p.Failed {
			d.Sig.Off = p.Tok.Off
			d.Sig.SigCtor = p.sigCtor()
		}
		return d
	case kwGlobal:
		return &GlobalDef{Head: h, Type: p.angledType()}
	case kwDecl:
		return &FuncDecl{Head: h, Sig: p.angledSig()}
	}
	return p.funcDef(h)
}

// equals takes the equals sign of a definition, which old bundles leave out.
func (p *parser) equals() {
	if !p.Failed && (p.isGlobal() || isType(p.Kw)) { // a name begins a signature
		p.deviation(p.Tok.Off, "no equals sign", "a definition without =")
		return
	}
	p.Punct('=')
}

// constDef reads a constant definition; in a body, its name may be local.
func (p *parser) constDef(local bool) *ConstDef {
	d := &ConstDef{Head: p.head(local)}
	d.Type = p.angledType()
	p.Punct('=')
	d.Value = p.constExpr()
	return d
}

// funcDef reads a function definition after its name. The body is read even if the head is
// faulty.
func (p *parser) funcDef(h Head) *FuncDef {
	d := &FuncDef{Head: h}
	if !p.Failed && p.Tok.Kind == lex.Word && string(p.Text()) == "VERSION" {
		p.Fail("< of the signature", "VERSION is of the forms after 2014: a bundle of 2014 has none, one of 2016 has no PHI and no T (...) signatures, and the form between the two is not read")
	}
	d.Sig = p.angledSig()
	if !p.Failed && p.Is('(') {
		p.Next()
		for !p.Failed && !p.Is(')') {
			d.Params = append(d.Params, Param{Name: p.local("the name of a parameter or )")})
		}
		p.Punct(')')
	} else if !p.Failed {
		d.NoParams = true
		at := p.Tok.Off
		if p.Kw == kwInline {
			p.deviation(at, "INLINE", "INLINE has no meaning")
			p.Next()
		}
		p.deviation(at, "no parameter list", "a function without a list of parameters")
	}
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
