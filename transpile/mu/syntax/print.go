package syntax

import (
	"bufio"
	"io"
)

// Fprint writes the tree as source text in a plain normal form: one definition,
// block label or instruction per line, no comments, no alignment, RET and results
// as in the tree. Two bundles with the same output differ only in positions and
// comments, and the output parses back to the tree. It is in the form that the bundle is in. Use package format to lay out
// text that people wrote.
func Fprint(w io.Writer, b *Bundle) error {
	p := &printer{w: bufio.NewWriter(w), b: b, inline: b.InPlace()}
	for _, d := range b.Defs {
		p.def(d)
	}
	return p.w.Flush()
}

// A printer writes one bundle. Write errors stay in the bufio.Writer.
type printer struct {
	w      *bufio.Writer
	b      *Bundle
	inline map[Sym]Def // what is written in the place of a name
}

func (p *printer) s(strs ...string) {
	for _, s := range strs {
		p.w.WriteString(s)
	}
}

func (p *printer) n(n Name) {
	switch d := p.inline[n.Sym].(type) {
	case nil:
		p.s(p.b.Written(n))
	case *TypeDef:
		p.constructor(d)
	case *SigDef:
		p.signature(d)
	case *ConstDef:
		p.angled(d.Type)
		p.s(" ")
		p.value(d)
	}
}

// list writes names with spaces between them, in brackets.
func (p *printer) list(open string, names []Name, end string) {
	p.s(open)
	for i, n := range names {
		if i > 0 {
			p.s(" ")
		}
		p.n(n)
	}
	p.s(end)
}

// angled writes <n>.
func (p *printer) angled(n Name) { p.list("<", []Name{n}, ">") }

func (p *printer) int(l *IntLit) {
	if l != nil {
		p.s(p.b.Text(l.Off, l.End))
	}
}

func (p *printer) def(d Def) {
	switch d := d.(type) {
	case *TypeDef:
		p.s(".typedef ")
		p.n(d.Name)
		p.s(" = ")
		p.constructor(d)
	case *SigDef:
		p.s(".funcsig ")
		p.n(d.Name)
		p.s(" = ")
		p.signature(d)
	case *ConstDef:
		p.constDef(d)
	case *GlobalDef:
		p.s(".global ")
		p.n(d.Name)
		p.s(" ")
		p.angled(d.Type)
	case *FuncDecl:
		p.s(".funcdecl ")
		p.n(d.Name)
		p.s(" ")
		p.angled(d.Sig)
	case *FuncDef:
		p.s(".funcdef ")
		p.n(d.Name)
		if !d.Unversioned {
			p.s(" VERSION ")
			p.n(d.Version)
		}
		p.s(" ")
		p.angled(d.Sig)
		p.s(" {\n")
		for i := range d.Blocks {
			p.block(&d.Blocks[i])
		}
		p.s("}")
	case *ExposeDef:
		p.s(".expose ")
		p.n(d.Name)
		p.s(" = ")
		p.list("", []Name{d.Func, d.Flag, d.Cookie}, "")
	}
	p.s("\n")
}

func (p *printer) constDef(d *ConstDef) {
	p.s(".const ")
	p.n(d.Name)
	p.s(" ")
	p.angled(d.Type)
	p.s(" = ")
	p.value(d)
}

func (p *printer) constructor(d *TypeDef) {
	p.s(d.Kind.String())
	switch {
	case d.Len != nil:
		p.list("<", d.Args, "")
		if len(d.Args) > 0 {
			p.s(" ")
		}
		p.int(d.Len)
		p.s(">")
	case len(d.Args) > 0:
		p.list("<", d.Args, ">")
	}
}

func (p *printer) signature(d *SigDef) {
	p.list("(", d.Params, ") -> ")
	p.list("(", d.Results, ")")
}

// value writes the value of a constant.
func (p *printer) value(d *ConstDef) {
	switch d.Kind {
	case ConstInt:
		p.int(d.Int)
	case ConstFP:
		switch {
		case d.FP.Bits == nil:
			p.s(p.b.Text(d.FP.Off, d.FP.End))
		case d.FP.Double:
			p.s("bitsd(")
			p.int(d.FP.Bits)
			p.s(")")
		default:
			p.s("bitsf(")
			p.int(d.FP.Bits)
			p.s(")")
		}
	case ConstList:
		p.list("{", d.List, "}")
	case ConstNull:
		p.s("NULL")
	case ConstExtern:
		p.s(`EXTERN "`, d.Symbol, `"`)
	}
}

func (p *printer) block(b *Block) {
	p.n(b.Name)
	p.s("(")
	for i, x := range b.Params {
		if i > 0 {
			p.s(" ")
		}
		p.angled(x.Type)
		p.s(" ")
		p.n(x.Name)
	}
	p.s(")")
	if !b.Exc.IsZero() {
		p.list(" [", []Name{b.Exc}, "]")
	}
	p.s(":\n")
	for i := range b.Insts {
		p.inst(&b.Insts[i])
		p.s("\n")
	}
}

func (p *printer) inst(in *Inst) {
	switch len(in.Results) {
	case 0:
	case 1:
		p.list("", in.Results, " = ")
	default:
		p.list("(", in.Results, ") = ")
	}
	if !in.Name.IsZero() {
		p.list("[", []Name{in.Name}, "] ")
	}
	p.s(in.Op.String())
	if in.Flags&Ptr != 0 {
		p.s(" PTR")
	}
	if in.Flags&Weak != 0 {
		p.s(" WEAK")
	}
	for _, o := range [...]Order{in.Order, in.OrdFail} {
		if o != NoOrder {
			p.s(" ", o.String())
		}
	}
	if in.RMW != NoRMW {
		p.s(" ", in.RMW.String())
	}
	if in.Op.Form() == FormBin && in.Ext != nil {
		p.list(" [", in.Ext.Flags, "]")
	}
	switch x := in.Ext; in.Op.Form() {
	case FormField:
		p.list(" <", in.Types, " ")
		p.int(in.Int)
		p.s(">")
		p.list(" ", in.Args, "")
	case FormSwitch:
		p.list(" <", in.Types, "> ")
		p.n(in.Args[0])
		p.dest(in.Dests[0])
		p.s(" {")
		for i := range in.Args[1:] {
			p.list(" ", in.Args[i+1:i+2], "")
			p.dest(in.Dests[i+1])
		}
		p.s(" }")
		return
	case FormCall, FormTailCall:
		p.s(" ")
		p.angled(in.Sig)
		p.list(" ", in.Args[:1], "")
		p.list(" (", in.Args[1:], ")")
	case FormRet:
		p.list(" (", in.Args, ")")
	case FormTrap:
		p.list(" <", in.Types, ">")
	case FormWatch, FormWPBranch:
		p.s(" ")
		p.int(in.Int)
		if in.Op == OpWatchpoint {
			p.list(" <", in.Types, ">")
		}
		for _, d := range in.Dests[:2] {
			p.dest(d)
		}
		if in.Flags&HasWPEx != 0 {
			p.s(" WPEXC (")
			p.dest(in.Dests[2])
			p.s(" )")
		}
		p.keep(in)
		return
	case FormCCall:
		p.list(" ", x.Flags, "")
		p.list(" <", append(in.Types[:1:1], in.Sig), ">")
		p.list(" ", in.Args[:1], "")
		p.list(" (", in.Args[1:], ")")
	case FormThread, FormSwap:
		p.list(" ", in.Args, "")
		p.stacks(x)
	case FormComm:
		p.s(" ")
		p.n(x.Common)
		if len(x.Flags) > 0 {
			p.list(" [", x.Flags, "]")
		}
		if len(in.Types) > 0 {
			p.list(" <", in.Types, ">")
		}
		if len(x.Sigs) > 0 {
			p.list(" <[", x.Sigs, "]>")
		}
		if in.Flags&HasArgs != 0 {
			p.list(" (", in.Args, ")")
		}
	default:
		if len(in.Types) > 0 {
			p.list(" <", in.Types, ">")
		}
		if len(in.Args) > 0 {
			p.list(" ", in.Args, "")
		}
	}
	switch {
	case in.Flags&HasExc != 0:
		p.s(" EXC (")
		p.dest(in.Dests[0])
		p.dest(in.Dests[1])
		p.s(" )")
	default:
		for _, d := range in.Dests {
			p.dest(d)
		}
	}
	p.keep(in)
}

// stacks writes the clauses of NEWTHREAD and SWAPSTACK.
func (p *printer) stacks(x *Ext) {
	if !x.ThreadLocal.IsZero() {
		p.list(" THREADLOCAL(", []Name{x.ThreadLocal}, ")")
	}
	switch x.Cur {
	case RetWith:
		p.list(" RET_WITH <", x.RetTypes, ">")
	case KillOld:
		p.s(" KILL_OLD")
	}
	switch x.New {
	case PassValues:
		p.list(" PASS_VALUES <", x.PassTypes, ">")
		p.list(" (", x.PassArgs, ")")
	case ThrowExc:
		p.list(" THROW_EXC ", []Name{x.Throw}, "")
	}
}

func (p *printer) keep(in *Inst) {
	if in.Flags&HasKeep != 0 {
		p.list(" KEEPALIVE(", in.Keep, ")")
	}
}

// dest writes a space and a destination.
func (p *printer) dest(d Dest) {
	p.s(" ")
	p.n(d.Block)
	p.list("(", d.Args, ")")
}
