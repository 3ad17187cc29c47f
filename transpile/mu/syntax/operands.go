package syntax

import (
	"fmt"

	"github.com/uvm2go/uvm2go/internal/lexis/decl"
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// operands reads the parts of in after its mnemonic, according to the form of its op.
func (p *parser) operands(in *Inst) {
	op := &opTable[in.Op]
	if op.ptr && p.Kw == kwPtr {
		in.Flags |= Ptr
		p.Next()
	}
	if op.form == FormBin && p.Is('[') {
		in.Ext = p.extSlab.One()
		in.Ext.Flags = p.flagList("a status flag (#N, #Z, #C or #V) or ]")
	}
	switch op.form {
	case FormBin, FormCmp, FormConv, FormPlain:
		if op.typeArgs > 0 {
			p.typeArgs(in, int(op.typeArgs))
		}
		p.values(in, int(op.valArgs))
	case FormField:
		p.Punct('<')
		in.Types = p.One(p.TypeName())
		in.Int = p.Integer("the number of a field")
		p.Punct('>')
		p.values(in, int(op.valArgs))
	case FormBranch:
		p.destinations(in, 1)
	case FormBranch2:
		p.values(in, 1)
		p.destinations(in, 2)
	case FormSwitch:
		p.switchOperands(in)
	case FormCall:
		in.Sig = p.Angled((*decl.Parser).SigName)
		p.call(in)
		p.exc(in)
		p.keep(in)
		return
	case FormTailCall:
		in.Sig = p.Angled((*decl.Parser).SigName)
		p.call(in)
	case FormRet:
		p.ret(in)
	case FormAccess:
		if isOrder(p.Kw) {
			in.Order = p.order()
		}
		p.typeArgs(in, 1)
		p.values(in, int(op.valArgs))
	case FormCmpXchg:
		if p.Kw == kwWeak {
			in.Flags |= Weak
			p.Next()
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
		in.Int = p.Integer("the number of the watchpoint")
		in.Types = p.typeList()
		p.watchDests(in)
		p.keep(in)
	case FormWPBranch:
		in.Int = p.Integer("the number of the watchpoint")
		p.destinations(in, 2)
	case FormCCall:
		p.ccall(in)
		p.exc(in)
		p.keep(in)
		return
	case FormThread:
		p.values(in, 1)
		in.Ext = p.extSlab.One()
		p.threadLocal(in.Ext)
		p.newStack(in.Ext)
	case FormSwap:
		p.values(in, 1)
		in.Ext = p.extSlab.One()
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
	if p.Failed {
		return
	}
	if !p.Is('<') {
		p.Fail("<", p.ptrHint(), p.Near(modifiers(in.Op)))
		return
	}
	p.Next()
	mark := len(p.Names)
	for range n {
		p.Names = append(p.Names, p.TypeName())
	}
	in.Types = p.Pop(mark)
	if !p.Failed && !p.Is('>') {
		p.Fail(">", fmt.Sprintf("%s takes %s", in.Op, plural(n, "type argument")))
		return
	}
	p.Punct('>')
}

// ptrHint is the advice for a PTR in a wrong place.
func (p *parser) ptrHint() string {
	if p.Kw != kwPtr {
		return ""
	}
	if op := keywords.Find(p.Word); isOp(op) && opTable[op].ptr {
		return "PTR comes directly behind " + p.Word
	}
	return p.Word + " has no PTR form"
}

// modifiers has the keywords that may come before op's type arguments.
func modifiers(op Op) lex.KeywordSet {
	return func(k keyword) bool {
		return k == kwPtr && opTable[op].ptr || isOrder(k) && opTable[op].form == FormAccess
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
	mark := len(p.Names)
	for i := range n {
		p.Names = append(p.Names, p.value(i, n))
	}
	in.Args = p.Pop(mark)
}

// value reads value operand i of n, counted from 0.
func (p *parser) value(i, n int) Name {
	if p.Failed {
		return Name{}
	}
	if p.Tok.Kind == lex.Ident && !p.startsNext() {
		return p.Take()
	}
	if p.AtConst() {
		return p.Const("")
	}
	wanted := "an operand"
	if n > 1 {
		wanted = fmt.Sprintf("operand %d of %d", i+1, n)
	}
	hint := p.LiteralHint()
	if p.Is('(') {
		hint = "the operands are written without parentheses"
	}
	p.Fail(wanted, hint, p.Sigil("%"))
	return Name{}
}

// call reads a callee and its arguments.
func (p *parser) call(in *Inst) {
	mark := len(p.Names)
	if p.AtConst() {
		callee := p.Const("")
		p.Names = append(p.Names, callee)
	} else if !p.Failed && (p.Tok.Kind != lex.Ident || p.Tok.NL && p.Peek().Kind == '=') {
		p.Fail("the function to call", p.Sigil("@"))
	} else if !p.Failed {
		p.Names = append(p.Names, p.Take())
	}
	p.Punct('(')
	p.pushNames("an argument or )", (*parser).operand)
	in.Args = p.Pop(mark)
}

// ret reads `RET (values)` or `RET value`.
func (p *parser) ret(in *Inst) {
	switch {
	case p.Is('(') && !(p.Tok.NL && p.startsResults()):
		p.Next()
		in.Args = p.nameList("a value or )", (*parser).operand)
	case p.AtConst():
		in.Args = p.One(p.Const(""))
	case p.Tok.Kind == lex.Ident && !p.startsNext():
		in.Args = p.One(p.Take())
	default:
		hint := p.LiteralHint() + p.Sigil("%")
		switch {
		case hint != "":
		case p.Is('<'):
			hint = "RET takes no type: write RET %value"
		default:
			hint = "to return nothing, write RET ()"
		}
		p.Fail("a value or (", hint)
	}
}

// dest reads a destination.
func (p *parser) dest() Dest {
	if p.Failed {
		return Dest{}
	}
	if p.Tok.Kind != lex.Ident || p.startsNext() {
		p.Fail("a destination such as %block()", p.Sigil("%"))
		return Dest{}
	}
	nl := p.Tok
	d := Dest{Block: p.Take()}
	if !p.Is('(') || p.Tok.NL && p.startsResults() {
		if p.Tok.Kind == lex.Bad {
			p.Fail("(")
			return d
		}
		name := lex.Quote(p.Src[nl.Off:nl.End])
		p.Errorf(nl.Off, "bad %s: destination %s has no argument list; write %s()", p.Subject(), name, name)
		return d
	}
	p.Next()
	d.Args = p.nameList("an argument or )", (*parser).operand)
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

// popDests returns the destinations pushed since mark as a list of their own.
func (p *parser) popDests(mark int) []Dest {
	list := p.destSlab.Copy(p.dests[mark:])
	p.dests = p.dests[:mark]
	return list
}

// switchOperands reads type, value, default destination and cases. After a faulty
// case the others are still read.
func (p *parser) switchOperands(in *Inst) {
	p.typeArgs(in, 1)
	mark, dmark := len(p.Names), len(p.dests)
	p.Names = append(p.Names, p.value(0, 1))
	p.dests = append(p.dests, p.dest())
	p.Punct('{')
	ok := !p.Failed
	for ok && !p.Is('}') {
		if p.AtConst() || p.Tok.Kind == lex.Ident && !p.startsNext() {
			key := p.operand("")
			if p.Tok.NL && p.Tok.Kind == lex.Ident && p.Peek().Kind == lex.Ident {
				p.Fail("a destination such as %block()")
			}
			d := p.dest()
			p.Names = append(p.Names, key)
			p.dests = append(p.dests, d)
		} else {
			p.Fail("a case or }", p.LiteralHint())
		}
		if p.Failed {
			ok = p.recoverCase()
		}
	}
	if ok {
		p.Punct('}')
	}
	in.Args = p.Pop(mark)
	in.Dests = p.popDests(dmark)
}

// watchDests reads the destinations of a WATCHPOINT.
func (p *parser) watchDests(in *Inst) {
	mark := len(p.dests)
	p.dests = append(p.dests, p.dest())
	p.dests = append(p.dests, p.dest())
	if !p.Failed && p.Kw == kwWPExc {
		in.Flags |= HasWPEx
		p.Next()
		p.Punct('(')
		p.dests = append(p.dests, p.dest())
		p.Punct(')')
	}
	in.Dests = p.popDests(mark)
}

// exc reads an optional EXC clause.
func (p *parser) exc(in *Inst) {
	if p.Failed || p.Kw != kwExc {
		return
	}
	in.Flags |= HasExc
	p.Next()
	p.Shape = "EXC(%normal() %exceptional())"
	p.Punct('(')
	p.destinations(in, 2)
	p.Punct(')')
}

// keep reads an optional KEEPALIVE clause.
func (p *parser) keep(in *Inst) {
	if p.Failed || p.Kw != kwKeepAlive {
		return
	}
	in.Flags |= HasKeep
	p.Next()
	p.Shape = "KEEPALIVE(%a %b)"
	p.Punct('(')
	in.Keep = p.nameList("a variable or )", (*parser).variable)
}

// order reads a memory order.
func (p *parser) order() Order {
	if p.Failed {
		return NoOrder
	}
	if !isOrder(p.Kw) {
		hint := p.ptrHint()
		if p.Word == OpAtomicRMW.String() && isRMW(p.Kw) {
			hint = "the order comes before the operation, as in ATOMICRMW PTR SEQ_CST ADD"
		}
		p.Fail("a memory order", hint, p.Near(isOrder))
		return NoOrder
	}
	o := NotAtomic + Order(p.Kw-kwOrder)
	p.Next()
	return o
}

// rmw reads an operation of ATOMICRMW.
func (p *parser) rmw() RMW {
	if p.Failed {
		return NoRMW
	}
	r := rmwOf(p.Kw)
	if r == NoRMW {
		p.Fail("an operation such as XCHG or ADD", p.ptrHint(), p.Near(isRMW))
		return NoRMW
	}
	p.Next()
	return r
}

// typeList reads types in angle brackets.
func (p *parser) typeList() []Name {
	p.Punct('<')
	list := p.List((*decl.Parser).Type, "the name of a type or >", '>')
	p.Punct('>')
	return list
}

// ccall reads the operands of a CCALL.
func (p *parser) ccall(in *Inst) {
	if p.Tok.Kind != lex.Flag {
		p.Fail("a flag such as #DEFAULT")
		return
	}
	in.Ext = p.extSlab.One()
	in.Ext.Flags = p.One(p.Take())
	p.Punct('<')
	in.Types = p.One(p.TypeName())
	in.Sig = p.SigName()
	p.Punct('>')
	p.call(in)
}

// threadLocal reads an optional THREADLOCAL clause.
func (p *parser) threadLocal(x *Ext) {
	if p.Failed || p.Kw != kwThreadLocal {
		return
	}
	p.Next()
	p.Punct('(')
	if p.AtConst() {
		x.ThreadLocal = p.Const("")
	} else {
		x.ThreadLocal = p.AnyName("an operand")
	}
	p.Punct(')')
}

// curStack reads the clause about the current stack.
func (p *parser) curStack(x *Ext) {
	if p.Failed {
		return
	}
	x.CurOff = p.Tok.Off
	switch p.Kw {
	case kwRetWith:
		x.Cur = RetWith
		p.Next()
		x.RetTypes = p.typeList()
	case kwKillOld:
		x.Cur = KillOld
		p.Next()
	default:
		p.Fail("RET_WITH or KILL_OLD", p.Near(lex.OneOf(kwRetWith, kwKillOld)))
	}
}

// newStack reads the clause about resuming the other stack.
func (p *parser) newStack(x *Ext) {
	if p.Failed {
		return
	}
	x.NewOff = p.Tok.Off
	switch p.Kw {
	case kwPassValues:
		x.New = PassValues
		p.Next()
		x.PassTypes = p.typeList()
		p.Punct('(')
		x.PassArgs = p.nameList("a value or )", (*parser).operand)
	case kwThrowExc:
		x.New = ThrowExc
		p.Next()
		x.Throw = p.value(0, 1)
	default:
		p.Fail("PASS_VALUES or THROW_EXC", p.Near(lex.OneOf(kwPassValues, kwThrowExc)))
	}
}

// flagList reads flags in square brackets.
func (p *parser) flagList(wanted string) []Name {
	p.Next()
	mark := len(p.Names)
	for p.Tok.Kind == lex.Flag {
		p.Names = append(p.Names, p.Take())
	}
	list := p.Pop(mark)
	if !p.Is(']') {
		p.Fail(wanted)
	}
	p.Punct(']')
	return list
}

// commInst reads name and lists of a common instruction. Its flag list and its argument list
// look like the name and the results of the next instruction (docs/language.md, "Grammar",
// tells how to distinguish them).
func (p *parser) commInst(in *Inst) {
	x := p.extSlab.One()
	in.Ext = x
	x.Common = p.Global("the name of a common instruction")
	if p.Failed {
		return
	}
	if p.Is('[') {
		if t := p.Peek(); t.Kind == lex.Flag || t.Kind == ']' {
			x.Flags = p.flagList("a flag or ]")
		}
	}
	if !p.Failed && p.Is('<') && p.Peek().Kind != '[' {
		in.Types = p.typeList()
	}
	if !p.Failed && p.Is('<') {
		p.Next()
		p.Punct('[')
		x.Sigs = p.List((*decl.Parser).Sig, "the name of a signature or ]", ']')
		p.Punct(']')
		p.Punct('>')
	}
	if !p.Failed && p.Is('(') && !p.startsResults() {
		in.Flags |= HasArgs
		p.Next()
		in.Args = p.nameList("an argument or )", (*parser).operand)
	}
}
