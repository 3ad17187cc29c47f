package syntax

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// body reads the blocks of d up to the closing brace.
//
// At most two tokens decide what comes next (docs/language.md, "Grammar"): `name (`
// begins a block; `name =`, `(`, `[` and a keyword begin an instruction.
func (p *parser) body(d *FuncDef) {
	p.blocks = p.blocks[:0]
	p.insts = p.insts[:0]
	last := NoOp // the instruction just read, if nothing went wrong since
	done := false
	for !done {
		start := p.Tok.Off
		switch {
		case p.Is('}'):
			d.Close = p.Tok.Off
			if len(p.blocks) == 0 {
				p.Begin(".funcdef", d.Name, d.Off)
				p.Complain("a block")
			}
			p.endBlock()
			p.Next()
			done = true
		case p.AtDef() || p.Tok.Kind == lex.EOF:
			p.Begin(".funcdef", d.Name, d.Off)
			p.Complain("} at the end of the function")
			p.endBlock()
			done = true
		case p.Tok.Kind == lex.Ident:
			switch t := p.Peek(); {
			case t.Kind == '=':
				last = p.inst(d)
			case (t.Kind == '(' || t.Kind == ':') && (p.Tok.NL || last == NoOp || p.startsInst()):
				p.endBlock()
				p.blockHead()
				last = NoOp
			default:
				p.notInst(last)
			}
		case isOp(p.Kw) || p.Is('(') || p.Is('['):
			last = p.inst(d)
		default:
			p.notInst(last)
		}
		if p.Failed {
			p.recoverInst()
			p.note(start)
			last = NoOp
		}
	}
	d.Blocks = p.blockSlab.Copy(p.blocks)
	p.b.Blocks += len(p.blocks)
}

// blockHead reads a label with its parameters up to the colon and opens the
// block.
func (p *parser) blockHead() {
	off := p.Tok.Off
	b := Block{Name: p.Take()}
	p.Begin("block", b.Name, off)
	p.Shape = blockShape
	if p.Is(':') {
		hint := "write " + p.Show(b.Name) + "():"
		colonEquals := p.Peek().Kind == '='
		if colonEquals {
			hint = "results are named with = alone"
		}
		p.Complain("(", hint)
		p.Failed = p.Failed || colonEquals
	} else {
		p.Punct('(')
		p.params = p.params[:0]
		for !p.Failed && !p.Is(')') {
			if !p.Is('<') {
				hint := ""
				if p.Tok.Kind == lex.Ident {
					hint = "a parameter is written <type> name"
				}
				p.Fail("< of a parameter or )", hint)
				break
			}
			p.Next()
			t := p.TypeName()
			p.Punct('>')
			n := p.AnyName("the name of the parameter")
			p.params = append(p.params, Param{t, n})
		}
		b.Params = p.paramSlab.Copy(p.params)
		p.Punct(')')
		if !p.Failed && p.Is('[') {
			p.Next()
			b.Exc = p.AnyName("the name of the exception parameter")
			p.Punct(']')
		}
	}
	if !p.Failed {
		if p.Is(':') {
			p.Next()
		} else {
			p.Complain(":")
			if p.Tok.Kind == lex.Bad || !p.Tok.NL {
				p.Failed = true
			}
		}
	}
	p.blocks = append(p.blocks, b)
}

// endBlock closes the current block, if there is one.
func (p *parser) endBlock() {
	if len(p.blocks) == 0 {
		return
	}
	b := &p.blocks[len(p.blocks)-1]
	if p.BareNames() {
		p.resolve(b)
	}
	if len(p.insts) == 0 && !p.recovered(b.Name.Off) && p.Tok.Kind != lex.EOF {
		p.Begin("block", b.Name, b.Name.Off)
		p.Complain("an instruction")
	}
	p.b.Insts += len(p.insts)
	b.Insts, p.insts = p.instSlab.Cut(p.insts), nil
}

// notInst reports a token that begins neither an instruction nor a block;
// last is the instruction in front of it.
func (p *parser) notInst(last Op) {
	p.Failed = true
	switch {
	case p.Tok.Kind == lex.Bad:
		p.Complain("")
	case last != NoOp && p.Kw == kwExc && opTable[last].exc:
		p.Reject("bad " + last.String() + ": EXC must stand once, before KEEPALIVE")
	case last != NoOp && (p.Kw == kwExc || p.Kw == kwKeepAlive || p.Kw == kwWPExc):
		p.Reject(last.String() + " takes no " + keywords.Name(p.Kw) + " clause; leave it out")
	case last != NoOp && !p.Tok.NL:
		p.Reject("unexpected "+p.Found()+" after "+last.String(), p.afterHint(last))
	case p.Tok.Kind == lex.Word || p.Near(isOp) != "":
		p.unknownInst()
	case p.Tok.Kind == lex.Ident && p.Peek().Kind == '<':
		p.Reject("wanted an instruction or a block, found "+p.Found(), "the types of results are not written: "+p.Found()+" = ...")
	default:
		p.Reject("wanted an instruction or a block, found " + p.Found())
	}
	if !p.Is('{') {
		p.Next()
	}
}

// unknownInst reports the current word, which is not a mnemonic.
func (p *parser) unknownInst() {
	hint := p.Near(isOp)
	switch next := p.Peek().Kind; {
	case p.Src[p.Tok.Off] == '.':
	case next == '=':
		hint = p.Sigil("%")
	case next == ':' || p.startsInst():
		hint = "a block is named %" + p.Found() + "():"
	}
	p.oddInst(p.Reject("unknown instruction "+p.Found(), hint))
}

// copyHint is the advice for a value where an instruction belongs.
func (p *parser) copyHint() string {
	switch {
	case p.Tok.Kind == lex.Ident:
		return "there is no instruction that copies: use " + p.Found() + " itself"
	case p.LiteralHint() != "":
		return "define the constant with .const"
	}
	return ""
}

// afterHint says how to write what the token after a complete instruction seems to
// mean.
func (p *parser) afterHint(last Op) string {
	switch {
	case last == OpCommInst && p.Tok.Kind == lex.Ident:
		return "arguments are written in parentheses"
	case last == OpRet && p.Tok.Kind == lex.Ident:
		return "several values are written in parentheses"
	case p.Tok.Kind == lex.Word && (last.Form() == FormTrap || last.Form() == FormCall || last.Form() == FormComm):
		return p.Near(lex.OneOf(kwExc, kwKeepAlive))
	case p.Tok.Kind == lex.Word && opTable[last].exc:
		return p.Near(lex.OneOf(kwExc))
	}
	return ""
}

// inst reads an instruction and adds it to the current block. It returns the op,
// NoOp after an error.
func (p *parser) inst(d *FuncDef) Op {
	if len(p.blocks) == 0 {
		p.Begin(".funcdef", d.Name, d.Off)
		p.Complain("a block such as %entry():")
		p.blocks = append(p.blocks, Block{})
	}
	p.insts = p.instSlab.Push(p.insts)
	in := &p.insts[len(p.insts)-1]
	in.Off = p.Tok.Off
	p.Begin("instruction", Name{}, in.Off)
	switch {
	case p.Tok.Kind == lex.Ident:
		in.Results = p.One(p.Take())
		p.Punct('=')
	case p.Is('('):
		p.Next()
		in.Results = p.nameList("the name of a result or )", (*parser).variable)
		p.Punct('=', "a list in parentheses begins an instruction only if it names its results")
	}
	if !p.Failed && p.Is('[') {
		p.Next()
		in.Name = p.AnyName("the name of the instruction")
		p.Punct(']')
	}
	if !p.Failed && !isOp(p.Kw) {
		if p.Tok.Kind == lex.Word || p.Near(isOp) != "" {
			p.Failed = true
			p.unknownInst()
		} else {
			p.Fail("the instruction's keyword", p.copyHint())
		}
	}
	if !p.Failed {
		in.Op = Op(p.Kw)
		in.OpOff = p.Tok.Off
		p.Begin(opTable[in.Op].name, Name{}, in.Off)
		p.Shape = opShapes[in.Op]
		p.Next()
		p.operands(in)
	}
	if p.Failed {
		p.insts = p.insts[:len(p.insts)-1]
		return NoOp
	}
	return in.Op
}

// nameList reads names up to the closing parenthesis, which it takes; the opening
// one was taken before.
func (p *parser) nameList(wanted string, item func(p *parser, wanted string) Name) []Name {
	mark := len(p.Names)
	p.pushNames(wanted, item)
	return p.Pop(mark)
}

// pushNames is nameList with the names left on the stack.
func (p *parser) pushNames(wanted string, item func(p *parser, wanted string) Name) {
	for !p.Failed && !p.Is(')') {
		n := item(p, wanted)
		p.Names = append(p.Names, n)
	}
	p.Punct(')')
}

// operand reads one operand of a list.
func (p *parser) operand(wanted string) Name {
	if p.AtConst() {
		return p.Const(wanted)
	}
	return p.variable(wanted)
}

// variable reads one name of a list.
func (p *parser) variable(wanted string) Name {
	if p.Tok.Kind != lex.Ident || p.startsNext() {
		p.Fail(wanted, p.LiteralHint(), p.Sigil("%"))
		return Name{}
	}
	return p.Take()
}

// startsNext reports whether the current name, first on its line, begins an
// instruction or a block, and so is not an operand of the instruction before.
func (p *parser) startsNext() bool {
	return p.Tok.NL && p.startsInst()
}

// startsInst reports whether the current name begins an instruction or block:
// `name =`, `name ( <`, `name ( ) :`, `name ( ) [`. In the form of muc `name ( <` may also begin a destination with
// arguments.
func (p *parser) startsInst() bool {
	t := p.Scan.Next()
	yes := t.Kind == '='
	switch {
	case t.Kind != '(':
	case p.BareNames():
		yes = p.labelEnd()
	default:
		t = p.Scan.Next()
		yes = t.Kind == '<'
		if t.Kind == ')' {
			t = p.Scan.Next()
			yes = t.Kind == ':' || t.Kind == '['
		}
	}
	p.Scan.SeekTo(p.Tok.End)
	return yes
}

// startsResults reports whether the current parenthesis opens a list of
// results: names up to a parenthesis, and after it an equals sign.
func (p *parser) startsResults() bool {
	t := p.Scan.Next()
	for t.Kind == lex.Ident {
		t = p.Scan.Next()
	}
	yes := t.Kind == ')' && p.Scan.Next().Kind == '='
	p.Scan.SeekTo(p.Tok.End)
	return yes
}
