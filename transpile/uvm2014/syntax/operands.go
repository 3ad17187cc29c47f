package syntax

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// operands reads the parts of in after its mnemonic, according to its form.
func (p *parser) operands(in *Inst) {
	if in.Op == Trap && p.Is('(') {
		p.deviation(in.OpOff, "TRAP (...)", "TRAP (...) is a trap that is no terminator")
		in.Op = TrapCall
		p.keep(in)
		return
	}
	form := in.Op.Form()
	p.nameRoom = p.nameRoom[:0]
	for i := 0; i < len(form) && !p.Failed; i++ {
		switch form[i] {
		case 'T':
			in.Type = p.angledType()
		case 'U':
			p.Punct('<')
			in.Type = p.typeExpr()
			in.Ext(&p.ext).Type2 = p.typeExpr()
			p.Punct('>')
		case 'F':
			p.Punct('<')
			in.Type = p.typeExpr()
			in.Imm = p.integer("the index of the field")
			p.Punct('>')
		case 'E':
			p.Punct('<')
			in.Type = p.typeExpr()
			if !p.Failed && !p.Is('>') {
				p.indexType(in)
			}
			p.Punct('>')
		case 'S':
			in.Ext(&p.ext).Sig = p.angledSig()
		case 'v', 'c':
			p.push(in, p.value())
		case 'a':
			p.args(in)
		case 'L':
			p.nameRoom = append(p.nameRoom, p.local("a label"))
		case 's', 'p':
			p.caseList(in, form[i] == 'p')
		case 'o', 'O':
			p.order(in, form[i] == 'O')
		case 'R':
			p.rmw(in)
		case 'I':
			in.Imm = p.integer("the ID of the watchpoint")
		case 'g':
			in.Ext(&p.ext).Intrinsic = p.global("the name of an intrinsic function")
		case 'D':
			p.keyword(kwDefault)
		case 'k':
			if in.Op == Call && p.isLocal() && !p.startsInst() {
				p.deviation(in.OpOff, "CALL with destinations", "CALL with two labels is read as INVOKE")
				in.Op = Invoke
				p.nameRoom = append(p.nameRoom, p.local("a label"), p.local("a label"))
			}
			if !p.Failed && p.Kw == kwKeepAlive {
				p.keepAlive(in)
			}
		case 'K':
			if p.Kw != kwKeepAlive {
				p.Fail("KEEPALIVE", "the clause is obligatory here: write KEEPALIVE ()")
				return
			}
			p.keepAlive(in)
		case 'n':
			in.Imm = p.integer("the number of the parameter")
			p.deviation(in.OpOff, "PARAM", "PARAM is read as the parameter of that number")
		case 'l':
			p.keep(in)
			p.deviation(in.OpOff, "TRAPCALL", "TRAPCALL is a trap that is no terminator")
		case 'q':
			if p.Tok.Kind != lex.Str {
				p.Fail("a text in quotes")
				return
			}
			in.Ext(&p.ext).Text = string(p.Src[p.Tok.Off+1 : p.Tok.End-1])
			p.Next()
		}
	}
	in.Dests = p.names.Copy(p.nameRoom)
	switch in.Op {
	case PrintStr, PrintInt64, PrintPtr, GC:
		p.deviation(in.OpOff, in.Op.String(), in.Op.String()+" is an instruction of old bundles")
	}
}

// operandCounts are the numbers of operands for which the forms of instructions have letters.
var operandCounts = func() (t [NumOps]int) {
	for op := NoOp + 1; op < NumOps; op++ {
		t[op] = strings.Count(op.Form(), "v") + strings.Count(op.Form(), "c")
	}
	return
}()

// indexType reads the type of an index, or its width: old bundles have one of them.
func (p *parser) indexType(in *Inst) {
	const text = "%s with a type for its index: the index is sign-extended to int<64>"
	p.deviation(p.Tok.Off, "type of the index", fmt.Sprintf(text, in.Op))
	if p.Tok.Kind == lex.Int {
		in.Imm = p.integer("")
		return
	}
	in.Ext(&p.ext).Type2 = p.typeExpr()
}

// push adds an operand.
func (p *parser) push(in *Inst, v Value) {
	if in.Args == nil {
		// Most instructions have no more operands than letters in their form.
		in.Args = p.values.Make(operandCounts[in.Op])[:0]
	}
	in.Args = append(in.Args, v)
}

// args reads the arguments of a call.
func (p *parser) args(in *Inst) {
	p.Punct('(')
	list := append(p.argRoom[:0], in.Args...)
	for !p.Failed && !p.Is(')') {
		list = append(list, p.value())
	}
	p.Punct(')')
	in.Args, p.argRoom = p.values.Copy(list), list
}

// caseList reads the cases of SWITCH, `value: label;`, or of PHI, `label: value;`.
func (p *parser) caseList(in *Inst, phi bool) {
	p.Punct('{')
	list := p.caseRoom[:0]
	for !p.Failed && !p.Is('}') {
		var c Case
		if phi {
			c.Label = p.local("a label or }")
			p.Punct(':')
			c.Value = p.value()
		} else {
			if p.isLocal() { // a constant of the function, not a label
				c.Value = Value{Name: p.takeName()}
			} else {
				c.Value = p.value()
			}
			p.Punct(':')
			c.Label = p.local("a label")
		}
		p.Punct(';')
		list = append(list, c)
	}
	in.Ext(&p.ext).Cases, p.caseRoom = p.cases.Copy(list), list
	p.Punct('}')
}

// order reads a memory order. LOAD and STORE may leave it out; in old bundles others may
// leave it out too.
func (p *parser) order(in *Inst, wanted bool) {
	to := &in.Order
	second := in.Op == CmpXchg && in.Order != NoOrder
	if second {
		to = &in.OrderFail
	}
	switch {
	case isOrder(p.Kw):
		k := modern(p.Kw)
		if k != p.Kw {
			p.deviation(p.Tok.Off, old(p.Kw).name, old(p.Kw).name+" is read as "+old(p.Kw).means)
		}
		*to = Order(k - kwOrder)
		if x := in.Ext(&p.ext); second {
			x.OrderFailOff = p.Tok.Off
		} else {
			x.OrderOff = p.Tok.Off
		}
		p.Next()
	case !wanted || second && in.OrderFail != NoOrder: // both were left out
	case second:
		p.deviation(in.OpOff, "one order", "CMPXCHG with one memory order: it counts for success and failure")
		*to = in.Order
	case in.Op == CmpXchg && p.Is('<'):
		p.deviation(in.OpOff, "no order", "CMPXCHG without memory orders is SEQ_CST")
		in.Order, in.OrderFail = SeqCst, SeqCst
	case in.Op == AtomicRMW:
		if _, ok := rmwOf(p.Kw); ok {
			p.deviation(in.OpOff, "no order", "ATOMICRMW without a memory order is SEQ_CST")
			*to = SeqCst
			return
		}
		fallthrough
	default:
		p.Fail("a memory order", p.Near(isOrder))
	}
}

// rmw reads the operation of ATOMICRMW.
func (p *parser) rmw(in *Inst) {
	r, ok := rmwOf(p.Kw)
	if !ok {
		p.Fail("an operation such as ADD or XCHG", p.Near(func(k keyword) bool { _, ok := rmwOf(k); return ok }))
		return
	}
	in.Ext(&p.ext).RMW = r
	p.Next()
}

// keepAlive reads a KEEPALIVE clause.
func (p *parser) keepAlive(in *Inst) {
	in.Ext(&p.ext).KeepOff = p.Tok.Off
	p.Next()
	p.keep(in)
}

// keep reads local names in parentheses, which are kept alive.
func (p *parser) keep(in *Inst) {
	p.Punct('(')
	mark := len(p.nameRoom)
	for !p.Failed && !p.Is(')') {
		p.nameRoom = append(p.nameRoom, p.local("a local name or )"))
	}
	p.Punct(')')
	x := in.Ext(&p.ext)
	x.Keep, x.HasKeep = p.names.Copy(p.nameRoom[mark:]), true
	p.nameRoom = p.nameRoom[:mark]
}

// oldParam returns the number in a word like PARAM0, -1 for other tokens.
func (p *parser) oldParam() int {
	if p.Tok.Kind != lex.Word || p.Kw != kwNone || !strings.HasPrefix(string(p.Text()), "PARAM") {
		return -1
	}
	n, digits := 0, p.Text()[len("PARAM"):]
	for _, c := range digits {
		if c < '0' || c > '9' || n > 1<<16 {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// paramWord reads a word like PARAM0.
func (p *parser) paramWord(in *Inst) {
	p.deviation(in.OpOff, "PARAM", "PARAM is read as the parameter of that number")
	in.Op = OldParam
	in.Imm = p.ints.One()
	*in.Imm = IntLit{Off: p.Tok.Off, End: p.Tok.End, Lo: uint64(p.oldParam())}
	p.Next()
}

// oldIntrinsic reads an instruction that became a call of an intrinsic function.
func (p *parser) oldIntrinsic(in *Inst) {
	w := old(p.Kw)
	p.deviation(in.OpOff, w.name, w.name+" is read as ICALL "+w.means)
	p.Begin(w.name, Name{}, in.Off)
	in.Op = ICall
	in.Ext(&p.ext).Intrinsic = Name{Sym: p.Syms.Intern([]byte(w.means)), Off: in.OpOff}
	p.Next()
	if w.name != "THREADEXIT" {
		in.Args = p.values.Copy([]Value{p.value()})
	}
}
