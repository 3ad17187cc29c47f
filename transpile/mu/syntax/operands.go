package syntax

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/internal/lex"
)

// operands reads what follows the mnemonic of in, by the form of its op.
func (p *parser) operands(in *Inst) {
	op := &opTable[in.Op]
	if op.ptr && p.kw == kwPtr {
		in.Flags |= Ptr
		p.next()
	}
	switch op.form {
	case FormBin, FormCmp, FormConv, FormPlain:
		if op.typeArgs > 0 {
			p.typeArgs(in, int(op.typeArgs))
		}
		p.values(in, int(op.valArgs))
	case FormField:
		p.punct('<')
		in.Types = p.one(p.typeName())
		in.Int = p.integer("the number of a field")
		p.punct('>')
		p.values(in, int(op.valArgs))
	case FormBranch:
		p.destinations(in, 1)
	case FormBranch2:
		p.values(in, 1)
		p.destinations(in, 2)
	case FormSwitch:
		p.switchOperands(in)
	case FormCall:
		in.Sig = p.angled((*parser).sigName)
		p.call(in)
		p.exc(in)
		p.keep(in)
		return
	case FormTailCall:
		in.Sig = p.angled((*parser).sigName)
		p.call(in)
	case FormRet:
		p.ret(in)
	case FormAccess:
		if isOrder(p.kw) {
			in.Order = p.order()
		}
		p.typeArgs(in, 1)
		p.values(in, int(op.valArgs))
	case FormCmpXchg:
		if p.kw == kwWeak {
			in.Flags |= Weak
			p.next()
		}
		in.Order = p.order()
		in.OrdFail = p.order()
		p.typeArgs(in, 1)
		p.values(in, 3)
	case FormRMW:
		in.Order = p.order()
		in.RMW = p.rmw()
		p.typeArgs(in, 1)
		p.values(in, 2)
	case FormFence:
		in.Order = p.order()
	case FormTrap:
		in.Types = p.typeList()
		p.exc(in)
		p.keep(in)
		return
	case FormWatch:
		in.Int = p.integer("the number of the watchpoint")
		in.Types = p.typeList()
		p.watchDests(in)
		p.keep(in)
	case FormWPBranch:
		in.Int = p.integer("the number of the watchpoint")
		p.destinations(in, 2)
	case FormCCall:
		p.ccall(in)
		p.exc(in)
		p.keep(in)
		return
	case FormThread:
		p.values(in, 1)
		in.Ext = p.extSlab.one()
		p.threadLocal(in.Ext)
		p.newStack(in.Ext)
	case FormSwap:
		p.values(in, 1)
		in.Ext = p.extSlab.one()
		p.curStack(in.Ext)
		p.newStack(in.Ext)
		p.exc(in)
		p.keep(in)
		return
	case FormComm:
		p.commInst(in)
		p.exc(in)
		p.keep(in)
		return
	}
	if op.exc {
		p.exc(in)
	}
}

// typeArgs reads exactly n type arguments in angle brackets.
func (p *parser) typeArgs(in *Inst, n int) {
	if p.failed {
		return
	}
	if !p.is('<') {
		p.fail("<", p.ptrHint(), p.modifiers(in.Op))
		return
	}
	p.next()
	mark := len(p.names)
	for range n {
		p.names = append(p.names, p.typeName())
	}
	in.Types = p.pop(mark)
	if !p.failed && !p.is('>') {
		p.fail(">", fmt.Sprintf("%s takes %s", in.Op, plural(n, "type argument")))
		return
	}
	p.punct('>')
}

// ptrHint is the advice for a PTR that stands elsewhere than in its place.
func (p *parser) ptrHint() string {
	if p.kw != kwPtr {
		return ""
	}
	if op := keywords[p.word]; isOp(op) && opTable[op].ptr {
		return "PTR comes directly behind " + p.word
	}
	return p.word + " has no PTR form"
}

// modifiers has the keywords that may stand in front of op's type arguments.
func (p *parser) modifiers(op Op) kwSet {
	return func(k keyword) bool {
		switch opTable[op].form {
		case FormAccess:
			return k == kwPtr || isOrder(k)
		}
		return k == kwPtr && opTable[op].ptr
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// values reads exactly n value operands.
func (p *parser) values(in *Inst, n int) {
	mark := len(p.names)
	for i := range n {
		p.names = append(p.names, p.value(i, n))
	}
	in.Args = p.pop(mark)
}

// value reads value operand i of n, counted from 0.
func (p *parser) value(i, n int) Name {
	if p.failed {
		return Name{}
	}
	if p.tok.Kind == lex.Ident && !p.startsNext() {
		return p.take()
	}
	wanted := "an operand"
	if n > 1 {
		wanted = fmt.Sprintf("operand %d of %d", i+1, n)
	}
	hint := p.literalHint()
	if p.is('(') {
		hint = "the operands are written without parentheses"
	}
	p.fail(wanted, hint)
	return Name{}
}

// call reads a callee and its arguments.
func (p *parser) call(in *Inst) {
	mark := len(p.names)
	if !p.failed && (p.tok.Kind != lex.Ident || p.tok.NL && p.peek().Kind == '=') {
		p.fail("the function to call")
	} else if !p.failed {
		p.names = append(p.names, p.take())
	}
	p.punct('(')
	p.pushNames("an argument or )")
	in.Args = p.pop(mark)
}

// ret reads `RET (values)` or `RET value`.
func (p *parser) ret(in *Inst) {
	switch {
	case p.is('(') && !(p.tok.NL && p.startsResults()):
		p.next()
		in.Args = p.nameList("a value or )")
	case p.tok.Kind == lex.Ident && !p.startsNext():
		in.Args = p.one(p.take())
	default:
		hint := p.literalHint()
		if hint == "" {
			hint = "to return nothing, write RET ()"
		}
		p.fail("a value or (", hint)
	}
}

// dest reads a destination.
func (p *parser) dest() Dest {
	if p.failed {
		return Dest{}
	}
	if p.tok.Kind != lex.Ident || p.startsNext() {
		p.fail("a destination such as %block()")
		return Dest{}
	}
	nl := p.tok
	d := Dest{Block: p.take()}
	if !p.is('(') || p.tok.NL && p.startsResults() {
		if p.tok.Kind == lex.Bad {
			p.fail("(")
			return d
		}
		name := lex.Quote(p.src[nl.Off:nl.End])
		p.error(nl.Off, "bad %s: destination %s has no argument list; write %s()", p.subject(), name, name)
		return d
	}
	p.next()
	d.Args = p.nameList("an argument or )")
	return d
}

// destinations reads exactly n destinations.
func (p *parser) destinations(in *Inst, n int) {
	mark := len(p.dests)
	for range n {
		d := p.dest()
		p.dests = append(p.dests, d)
	}
	in.Dests = p.popDests(mark)
}

// popDests gives the destinations pushed since mark as a list of their own.
func (p *parser) popDests(mark int) []Dest {
	list := p.destSlab.copy(p.dests[mark:])
	p.dests = p.dests[:mark]
	return list
}

// switchOperands reads type, value, default destination and cases. A faulty
// case does not keep the others from being read.
func (p *parser) switchOperands(in *Inst) {
	p.typeArgs(in, 1)
	mark, dmark := len(p.names), len(p.dests)
	p.names = append(p.names, p.value(0, 1))
	p.dests = append(p.dests, p.dest())
	p.punct('{')
	ok := !p.failed
	for ok && !p.is('}') {
		if p.tok.Kind == lex.Ident && !p.startsNext() {
			key := p.take()
			if p.tok.NL && p.tok.Kind == lex.Ident && p.peek().Kind == lex.Ident {
				p.fail("a destination such as %block()")
			}
			d := p.dest()
			p.names = append(p.names, key)
			p.dests = append(p.dests, d)
		} else {
			p.fail("a case or }", p.literalHint())
		}
		if p.failed {
			ok = p.recoverCase()
		}
	}
	if ok {
		p.punct('}')
	}
	in.Args = p.pop(mark)
	in.Dests = p.popDests(dmark)
}

// watchDests reads the destinations of a WATCHPOINT.
func (p *parser) watchDests(in *Inst) {
	mark := len(p.dests)
	p.dests = append(p.dests, p.dest())
	p.dests = append(p.dests, p.dest())
	if !p.failed && p.kw == kwWPExc {
		in.Flags |= HasWPEx
		p.next()
		p.punct('(')
		p.dests = append(p.dests, p.dest())
		p.punct(')')
	}
	in.Dests = p.popDests(mark)
}

// exc reads an optional EXC clause.
func (p *parser) exc(in *Inst) {
	if p.failed || p.kw != kwExc {
		return
	}
	in.Flags |= HasExc
	p.next()
	p.punct('(')
	p.destinations(in, 2)
	p.punct(')')
}

// keep reads an optional KEEPALIVE clause.
func (p *parser) keep(in *Inst) {
	if p.failed || p.kw != kwKeepAlive {
		return
	}
	in.Flags |= HasKeep
	p.next()
	p.punct('(')
	in.Keep = p.nameList("a variable or )")
}

// order reads a memory order.
func (p *parser) order() Order {
	if p.failed {
		return NoOrder
	}
	if !isOrder(p.kw) {
		hint := p.ptrHint()
		if p.word == OpAtomicRMW.String() && isRMW(p.kw) {
			hint = "the order comes before the operation, as in ATOMICRMW PTR SEQ_CST ADD"
		}
		p.fail("a memory order", hint, kwSet(isOrder))
		return NoOrder
	}
	o := NotAtomic + Order(p.kw-kwOrder)
	p.next()
	return o
}

// rmw reads an operation of ATOMICRMW.
func (p *parser) rmw() RMW {
	if p.failed {
		return NoRMW
	}
	r := rmwOf(p.kw)
	if r == NoRMW {
		p.fail("an operation such as XCHG or ADD", p.ptrHint(), kwSet(isRMW))
		return NoRMW
	}
	p.next()
	return r
}

// typeList reads types in angle brackets.
func (p *parser) typeList() []Name {
	p.punct('<')
	list := p.globals("the name of a type or >", '>')
	p.punct('>')
	return list
}

// ccall reads the operands of a CCALL.
func (p *parser) ccall(in *Inst) {
	if p.tok.Kind != lex.Flag {
		p.fail("a flag such as #DEFAULT")
		return
	}
	in.Ext = p.extSlab.one()
	in.Ext.Flags = p.one(p.take())
	p.punct('<')
	in.Types = p.one(p.typeName())
	in.Sig = p.sigName()
	p.punct('>')
	p.call(in)
}

// threadLocal reads an optional THREADLOCAL clause.
func (p *parser) threadLocal(x *Ext) {
	if p.failed || p.kw != kwThreadLocal {
		return
	}
	p.next()
	p.punct('(')
	x.ThreadLocal = p.anyName("an operand")
	p.punct(')')
}

// curStack reads what becomes of the current stack.
func (p *parser) curStack(x *Ext) {
	if p.failed {
		return
	}
	x.CurOff = p.tok.Off
	switch p.kw {
	case kwRetWith:
		x.Cur = RetWith
		p.next()
		x.RetTypes = p.typeList()
	case kwKillOld:
		x.Cur = KillOld
		p.next()
	default:
		p.fail("RET_WITH or KILL_OLD", oneOf(kwRetWith, kwKillOld))
	}
}

// newStack reads how the other stack is resumed.
func (p *parser) newStack(x *Ext) {
	if p.failed {
		return
	}
	x.NewOff = p.tok.Off
	switch p.kw {
	case kwPassValues:
		x.New = PassValues
		p.next()
		x.PassTypes = p.typeList()
		p.punct('(')
		x.PassArgs = p.nameList("a value or )")
	case kwThrowExc:
		x.New = ThrowExc
		p.next()
		x.Throw = p.value(0, 1)
	default:
		p.fail("PASS_VALUES or THROW_EXC", oneOf(kwPassValues, kwThrowExc))
	}
}

// commInst reads name and lists of a common instruction. Its flag list and its
// argument list may be mistaken for the name and the results of the
// instruction behind it (mu-language.md, section 2, note 2).
func (p *parser) commInst(in *Inst) {
	x := p.extSlab.one()
	in.Ext = x
	x.Common = p.global("the name of a common instruction")
	if p.failed {
		return
	}
	if p.is('[') {
		if t := p.peek(); t.Kind == lex.Flag || t.Kind == ']' {
			p.next()
			mark := len(p.names)
			for p.tok.Kind == lex.Flag {
				p.names = append(p.names, p.take())
			}
			x.Flags = p.pop(mark)
			if !p.is(']') {
				p.fail("a flag or ]")
			}
			p.punct(']')
		}
	}
	if !p.failed && p.is('<') && p.peek().Kind != '[' {
		in.Types = p.typeList()
	}
	if !p.failed && p.is('<') {
		p.next()
		p.punct('[')
		x.Sigs = p.globals("the name of a signature or ]", ']')
		p.punct(']')
		p.punct('>')
	}
	if !p.failed && p.is('(') && !p.startsResults() {
		in.Flags |= HasArgs
		p.next()
		in.Args = p.nameList("an argument or )")
	}
}
