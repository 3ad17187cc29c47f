package syntax

import "github.com/uvm2go/uvm2go/internal/lexis/lex"

// body reads the blocks of d up to the closing brace. `name :` begins a block; `name =`
// and a mnemonic begin an instruction. The label of the entry block may be left out.
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
			if len(p.blocks) == 0 && !p.recovered(d.Off) {
				p.Begin(".funcdef", d.Name, d.Off)
				p.Complain("an instruction")
			}
			p.endBlock()
			p.Next()
			done = true
		case p.Kw == kwConst:
			p.localConst(d)
		case p.Kw == kwLabel:
			off := p.Tok.Off
			p.deviation(off, ".label", "a label with .label")
			p.Next()
			if !p.isLocal() {
				p.Begin(".label", Name{}, p.Tok.Off)
				p.Fail("a label")
				break
			}
			p.label(off)
			last = NoOp
		case p.atDef() || p.Tok.Kind == lex.EOF:
			p.Begin(".funcdef", d.Name, d.Off)
			p.Complain("} at the end of the function")
			p.endBlock()
			done = true
		case p.isLocal():
			switch t := p.Peek(); t.Kind {
			case '=':
				last = p.instruction(d)
			case ':':
				p.label(p.Tok.Off)
				last = NoOp
			default:
				p.notInst(last)
			}
		case isOp(p.Kw) || p.oldParam() >= 0:
			last = p.instruction(d)
		default:
			p.notInst(last)
		}
		if p.Failed {
			p.recoverInst()
			p.note(start)
			last = NoOp
		}
	}
	d.Blocks = p.block.Copy(p.blocks)
	p.b.Blocks += len(p.blocks)
}

// localConst reads a constant definition in a body: a global one is like any other
// definition, a local one belongs to the function.
func (p *parser) localConst(d *FuncDef) {
	c := p.constDef(true)
	if !c.Name.IsZero() && c.Name.Sym.Local() {
		d.Consts = append(d.Consts, c)
		return
	}
	p.b.Defs = append(p.b.Defs, c)
	if p.Failed {
		if p.b.Faulty == nil {
			p.b.Faulty = map[Def]bool{}
		}
		p.b.Faulty[c] = true
	}
}

// label reads `name :` and opens a block, which begins at off.
func (p *parser) label(off Off) {
	p.endBlock()
	b := Block{Off: off, Name: p.takeName()}
	p.Begin("block", b.Name, off)
	p.blocks = append(p.blocks, b)
	p.Punct(':')
}

// endBlock closes the current block, if there is one.
func (p *parser) endBlock() {
	if len(p.blocks) == 0 {
		return
	}
	b := &p.blocks[len(p.blocks)-1]
	if len(p.insts) == 0 && !p.recovered(b.Off) && p.Tok.Kind != lex.EOF {
		p.Begin("block", b.Name, b.Off)
		p.Complain("an instruction")
	}
	insts := p.insts
	if !p.asWritten {
		insts = p.b.AfterTrap(insts)
	}
	b.Insts = p.inst.Copy(insts)
	p.b.Insts += len(p.insts)
	p.insts = p.insts[:0]
}

// notInst reports a token that begins neither an instruction nor a block; last is the
// instruction before it.
func (p *parser) notInst(last Op) {
	p.Failed = true
	switch {
	case p.Tok.Kind == lex.Bad:
		p.Complain("")
	case last != NoOp && p.Kw == kwKeepAlive:
		p.Reject(last.String() + " takes no KEEPALIVE clause; leave it out")
	case last != NoOp && !p.Tok.NL:
		p.Reject("unexpected "+p.Found()+" after "+last.String(), moderns[string(p.Text())])
	case p.Tok.Kind == lex.Word:
		p.unknownInst()
	default:
		p.Reject("wanted an instruction or a block, found " + p.Found())
	}
	if !p.Is('{') {
		p.Next()
	}
}

// moderns are instructions of the forms after 2014, and what to write in this dialect instead.
var moderns = map[string]string{
	"COMMINST": "intrinsic functions are called with ICALL", "PTRCAST": "pointers are of the form of 2016",
	"WPBRANCH": "it is of the form of 2016", "EXC": "an exception clause is of the forms after 2014: INVOKE has destinations, and what cannot fail needs none",
}

// unknownInst reports the current word, which is not a mnemonic.
func (p *parser) unknownInst() {
	p.oddInst(p.Reject("unknown instruction "+p.Found(), moderns[string(p.Text())], p.Near(isOp)))
}

// instruction reads an instruction and adds it to the current block. It returns the op, NoOp
// after an error.
func (p *parser) instruction(d *FuncDef) Op {
	if len(p.blocks) == 0 {
		p.blocks = append(p.blocks, Block{Off: p.Tok.Off}) // the entry without its label
	}
	p.insts = append(p.insts, Inst{})
	in := &p.insts[len(p.insts)-1]
	in.Init()
	in.Off = p.Tok.Off
	p.Begin("instruction", Name{}, in.Off)
	if p.isLocal() {
		in.Name = p.takeName()
		p.Punct('=')
	}
	in.OpOff = p.Tok.Off
	switch {
	case p.Failed:
	case p.oldParam() >= 0:
		p.paramWord(in)
	case !isOp(p.Kw):
		if p.Tok.Kind == lex.Word {
			p.Failed = true
			p.unknownInst()
		} else {
			p.Fail("the instruction's mnemonic")
		}
	case isOld(p.Kw) && old(p.Kw).intrinsic:
		p.oldIntrinsic(in)
	default:
		if isOld(p.Kw) {
			p.deviation(p.Tok.Off, old(p.Kw).name, old(p.Kw).name+" is read as "+old(p.Kw).means)
		}
		in.Op = Op(modern(p.Kw))
		p.Begin(in.Op.String(), Name{}, in.Off)
		p.Next()
		p.operands(in)
	}
	if p.Failed {
		p.insts = p.insts[:len(p.insts)-1]
		return NoOp
	}
	d.OldParams = d.OldParams || in.Op == OldParam
	return in.Op
}
