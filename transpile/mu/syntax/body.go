package syntax

import "github.com/uvm2go/uvm2go/transpile/internal/lex"

// body reads the blocks of d up to the closing brace.
//
// What comes next is told by at most two tokens (mu-language.md, section 2,
// note 1): `name (` begins a block; `name =`, `(`, `[` and a keyword begin an
// instruction.
func (p *parser) body(d *FuncDef) {
	p.blocks = p.blocks[:0]
	p.insts = p.insts[:0]
	last := NoOp // the instruction just read, if nothing went wrong since
	done := false
	for !done {
		switch {
		case p.is('}'):
			d.Close = p.tok.Off
			if len(p.blocks) == 0 {
				p.begin(".funcdef", d.Name, d.Off)
				p.complain("a block")
			}
			p.endBlock()
			p.next()
			done = true
		case p.atDef() || p.tok.Kind == lex.EOF:
			p.begin(".funcdef", d.Name, d.Off)
			p.complain("} at the end of the function")
			p.endBlock()
			done = true
		case p.tok.Kind == lex.Ident:
			switch t := p.peek(); {
			case t.Kind == '=':
				last = p.inst(d)
			case (t.Kind == '(' || t.Kind == ':') && (p.tok.NL || last == NoOp || p.startsInst()):
				p.endBlock()
				p.blockHead()
				last = NoOp
			default:
				p.notInst(last)
			}
		case isOp(p.kw) || p.is('(') || p.is('['):
			last = p.inst(d)
		default:
			p.notInst(last)
		}
		if p.failed {
			p.recoverInst()
			last = NoOp
		}
	}
	d.Blocks = p.blockSlab.copy(p.blocks)
	p.b.Blocks += len(p.blocks)
}

// blockHead reads a label with its parameters up to the colon and opens the
// block.
func (p *parser) blockHead() {
	off := p.tok.Off
	b := Block{Name: p.take()}
	p.begin("block", b.Name, off)
	if p.is(':') {
		p.complain("(", "write "+lex.Quote([]byte(p.syms.String(b.Name.Sym)))+"():")
	} else {
		p.punct('(')
		p.params = p.params[:0]
		for !p.failed && !p.is(')') {
			if !p.is('<') {
				hint := ""
				if p.tok.Kind == lex.Ident {
					hint = "a parameter is written <type> name"
				}
				p.fail("< of a parameter or )", hint)
				break
			}
			p.next()
			t := p.typeName()
			p.punct('>')
			n := p.anyName("the name of the parameter")
			p.params = append(p.params, Param{t, n})
		}
		b.Params = p.paramSlab.copy(p.params)
		p.punct(')')
		if !p.failed && p.is('[') {
			p.next()
			b.Exc = p.anyName("the name of the exception parameter")
			p.punct(']')
		}
	}
	if !p.failed {
		if p.is(':') {
			p.next()
		} else {
			p.complain(":")
			if p.tok.Kind == lex.Bad || !p.tok.NL {
				p.failed = true
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
	if len(p.insts) == 0 && !p.recovered(b.Name.Off) && p.tok.Kind != lex.EOF {
		p.begin("block", b.Name, b.Name.Off)
		p.complain("an instruction")
	}
	b.Insts = p.instSlab.copy(p.insts)
	p.b.Insts += len(p.insts)
	p.insts = p.insts[:0]
}

// notInst reports a token that begins neither an instruction nor a block;
// last is the instruction in front of it.
func (p *parser) notInst(last Op) {
	p.failed = true
	switch {
	case p.tok.Kind == lex.Bad:
		p.complain("")
	case last != NoOp && p.kw == kwExc && opTable[last].exc:
		p.error(p.tok.Off, "bad %s: EXC must stand once, before KEEPALIVE", last)
	case last != NoOp && (p.kw == kwExc || p.kw == kwKeepAlive || p.kw == kwWPExc):
		p.error(p.tok.Off, "%s takes no %s clause", last, keywordNames[p.kw])
	case last != NoOp && !p.tok.NL:
		p.error(p.tok.Off, "unexpected %s after %s%s", p.found(), last, p.afterHint(last))
	case p.tok.Kind == lex.Word:
		p.unknownInst()
	default:
		p.error(p.tok.Off, "wanted an instruction or a block, found %s", p.found())
	}
	if !p.is('{') {
		p.next()
	}
}

// unknownInst reports the current word, which is no mnemonic.
func (p *parser) unknownInst() {
	p.error(p.tok.Off, "unknown instruction %s%s", p.found(), p.didYouMean(isOp))
}

// afterHint says how to write what seems to be meant by the token behind a
// complete instruction.
func (p *parser) afterHint(last Op) string {
	switch {
	case last == OpCommInst && p.tok.Kind == lex.Ident:
		return "; arguments are written in parentheses"
	case last == OpRet && p.tok.Kind == lex.Ident:
		return "; several values are written in parentheses"
	case p.tok.Kind == lex.Word && (last.Form() == FormTrap || last.Form() == FormCall || last.Form() == FormComm):
		return p.didYouMean(oneOf(kwExc, kwKeepAlive))
	case p.tok.Kind == lex.Word && opTable[last].exc:
		return p.didYouMean(oneOf(kwExc))
	}
	return ""
}

// inst reads an instruction and adds it to the current block. It gives the op,
// NoOp if something is wrong.
func (p *parser) inst(d *FuncDef) Op {
	if len(p.blocks) == 0 {
		p.begin(".funcdef", d.Name, d.Off)
		p.complain("a block such as %entry():")
		p.blocks = append(p.blocks, Block{})
	}
	p.insts = append(p.insts, Inst{})
	in := &p.insts[len(p.insts)-1]
	in.Off = p.tok.Off
	p.begin("instruction", Name{}, in.Off)
	switch {
	case p.tok.Kind == lex.Ident:
		in.Results = p.one(p.take())
		p.punct('=')
	case p.is('('):
		p.next()
		in.Results = p.nameList("the name of a result or )")
		p.punct('=', "a list in parentheses begins an instruction only if it names its results")
	}
	if !p.failed && p.is('[') {
		p.next()
		in.Name = p.anyName("the name of the instruction")
		p.punct(']')
	}
	if !p.failed && !isOp(p.kw) {
		if p.tok.Kind == lex.Word {
			p.failed = true
			p.unknownInst()
		} else {
			p.fail("the instruction's keyword")
		}
	}
	if !p.failed {
		in.Op = Op(p.kw)
		in.OpOff = p.tok.Off
		p.begin(opTable[in.Op].name, Name{}, in.Off)
		p.next()
		p.operands(in)
	}
	if p.failed {
		p.insts = p.insts[:len(p.insts)-1]
		return NoOp
	}
	return in.Op
}

// nameList reads names up to a closing parenthesis, which is taken; the
// opening one has been.
func (p *parser) nameList(wanted string) []Name {
	mark := len(p.names)
	p.pushNames(wanted)
	return p.pop(mark)
}

// pushNames is nameList with the names left on the stack.
func (p *parser) pushNames(wanted string) {
	for !p.failed && !p.is(')') {
		p.names = append(p.names, p.listed(wanted))
	}
	p.punct(')')
}

// listed reads one name of a list.
func (p *parser) listed(wanted string) Name {
	if p.tok.Kind != lex.Ident || p.startsNext() {
		p.fail(wanted, p.literalHint())
		return Name{}
	}
	return p.take()
}

// literalHint is the advice for a literal where only names can stand.
func (p *parser) literalHint() string {
	switch {
	case p.tok.Kind == lex.Int, p.tok.Kind == lex.FP, p.kw == kwNull, p.kw == kwBitsF, p.kw == kwBitsD:
		return "operands are names: define the constant with .const"
	}
	return ""
}

// startsNext reports whether the current name, first on its line, begins an
// instruction or a block, and so is no operand of the one before.
func (p *parser) startsNext() bool {
	return p.tok.NL && p.startsInst()
}

// startsInst reports whether the current name begins an instruction or block:
// `name =`, `name ( <`, `name ( ) :`, `name ( ) [`.
func (p *parser) startsInst() bool {
	t := p.sc.Next()
	yes := t.Kind == '='
	if t.Kind == '(' {
		t = p.sc.Next()
		yes = t.Kind == '<'
		if t.Kind == ')' {
			t = p.sc.Next()
			yes = t.Kind == ':' || t.Kind == '['
		}
	}
	p.sc.SeekTo(p.tok.End)
	return yes
}

// startsResults reports whether the current parenthesis opens a list of
// results: names up to a parenthesis, and behind it an equals sign.
func (p *parser) startsResults() bool {
	t := p.sc.Next()
	for t.Kind == lex.Ident {
		t = p.sc.Next()
	}
	yes := t.Kind == ')' && p.sc.Next().Kind == '='
	p.sc.SeekTo(p.tok.End)
	return yes
}
