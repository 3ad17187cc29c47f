package syntax

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/uvm2go/uvm2go/internal/lexis/lex"
)

// Print writes a bundle as text, one instruction per line, without comments. Integers of a
// binary bundle are decimal, floating-point numbers are bit patterns. Instructions have
// their names in the tree, except for instructions of a binary bundle that have no result
// and no name in the bundle.
func Print(b *Bundle) []byte {
	p := &printer{b: b}
	for i, d := range b.Defs {
		if _, ok := d.(*FuncDef); ok && i > 0 {
			p.out.WriteByte('\n')
		}
		p.def(d)
	}
	return []byte(p.out.String())
}

type printer struct {
	b   *Bundle
	out strings.Builder
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

func (p *printer) name(n Name) string { return p.b.Spelling(n) }

func (p *printer) def(d Def) {
	name := p.name(d.DefHead().Name)
	switch d := d.(type) {
	case *TypeDef:
		p.printf(".typedef %s = %s\n", name, p.typ(d.Type))
	case *SigDef:
		p.printf(".funcsig %s = %s\n", name, p.sig(d.Sig))
	case *ConstDef:
		p.printf(".const %s <%s> = %s\n", name, p.typ(d.Type), p.con(d.Value.Const))
	case *GlobalDef:
		p.printf(".global %s <%s>\n", name, p.typ(d.Type))
	case *FuncDecl:
		p.printf(".funcdecl %s <%s>\n", name, p.sig(d.Sig))
	case *FuncDef:
		p.function(d, name)
	}
}

func (p *printer) function(d *FuncDef, name string) {
	var params []string
	for _, x := range d.Params {
		params = append(params, p.name(x.Name))
	}
	p.printf(".funcdef %s <%s> (%s) {\n", name, p.sig(d.Sig), strings.Join(params, " "))
	for _, c := range d.Consts {
		p.printf("    .const %s <%s> = %s\n", p.name(c.Name), p.typ(c.Type), p.con(c.Value.Const))
	}
	for i := range d.Blocks {
		blk := &d.Blocks[i]
		if !blk.Name.IsZero() {
			p.printf("%s:\n", p.name(blk.Name))
		}
		for k := range blk.Insts {
			p.inst(&blk.Insts[k])
		}
	}
	p.out.WriteString("}\n")
}

// inst prints an instruction by its form.
func (p *printer) inst(in *Inst) {
	p.out.WriteString("    ")
	if !in.Name.IsZero() && !(in.ID != 0 && in.Op.noResult() && p.name(in.Name)[1:] == strconv.FormatUint(uint64(in.ID), 10)) {
		p.printf("%s = ", p.name(in.Name))
	}
	p.out.WriteString(in.Op.String())
	form := in.Op.Form()
	nv, nd, norder := 0, 0, 0
	for i := range len(form) {
		switch form[i] {
		case 'T':
			p.printf(" <%s>", p.typ(in.Type))
		case 'U':
			p.printf(" <%s %s>", p.typ(in.Type), p.typ(in.Type2))
		case 'F':
			p.printf(" <%s %s>", p.typ(in.Type), p.b.IntText(in.Imm))
		case 'E':
			switch {
			case in.Imm != nil:
				p.printf(" <%s %s>", p.typ(in.Type), p.b.IntText(in.Imm))
			case in.Type2.TypeCtor != nil:
				p.printf(" <%s %s>", p.typ(in.Type), p.typ(in.Type2))
			default:
				p.printf(" <%s>", p.typ(in.Type))
			}
		case 'S':
			p.printf(" <%s>", p.sig(in.Sig))
		case 'v', 'c':
			p.printf(" %s", p.value(&in.Args[nv]))
			nv++
		case 'a':
			var args []string
			for k := nv; k < len(in.Args); k++ {
				args = append(args, p.value(&in.Args[k]))
			}
			p.printf(" (%s)", strings.Join(args, " "))
		case 'L':
			p.printf(" %s", p.name(in.Dests[nd]))
			nd++
		case 's', 'p':
			p.out.WriteString(" {\n")
			for k := range in.Cases {
				c := &in.Cases[k]
				first, second := p.value(&c.Value), p.name(c.Label)
				if form[i] == 'p' {
					first, second = second, first
				}
				p.printf("        %s: %s;\n", first, second)
			}
			p.out.WriteString("    }")
		case 'o', 'O':
			o := in.Order
			if norder++; norder == 2 {
				o = in.OrderFail
			}
			if o != NoOrder && (form[i] == 'O' || o != NotAtomic) {
				p.printf(" %s", o)
			}
		case 'R':
			p.printf(" %s", in.RMW)
		case 'I', 'n':
			p.printf(" %s", p.b.IntText(in.Imm))
		case 'g':
			p.printf(" %s", p.name(in.Intrinsic))
		case 'D':
			p.out.WriteString(" DEFAULT")
		case 'k':
			if in.HasKeep {
				p.printf(" KEEPALIVE %s", p.locals(in.Keep))
			}
		case 'K':
			p.printf(" KEEPALIVE %s", p.locals(in.Keep))
		case 'l':
			p.printf(" %s", p.locals(in.Keep))
		case 'q':
			p.printf(" \"%s\"", in.Text)
		}
	}
	p.out.WriteByte('\n')
}

func (p *printer) locals(names []Name) string {
	var l []string
	for _, n := range names {
		l = append(l, p.name(n))
	}
	return "(" + strings.Join(l, " ") + ")"
}

func (p *printer) typ(t Type) string { return string(p.appendType(nil, t)) }

// appendType appends a type. Types may be nested deeply, so their text is not concatenated level by level.
func (p *printer) appendType(b []byte, t Type) []byte {
	if t.TypeCtor == nil {
		return append(b, "void"...)
	}
	if !t.Name.IsZero() {
		return append(b, p.name(t.Name)...)
	}
	b = append(b, t.Kind.String()...)
	switch t.Kind {
	case TypeInt:
		b = append(append(b, '<'), p.b.IntText(t.Len)...)
	case TypeArray:
		b = append(p.appendType(append(b, '<'), t.Args[0]), ' ')
		b = append(b, p.b.IntText(t.Len)...)
	case TypeFunc:
		b = p.appendSig(append(b, '<'), t.Sig)
	case TypeRef, TypeIRef, TypeWeakRef, TypeStruct, TypeHybrid:
		b = p.appendTypes(append(b, '<'), t.Args)
	default:
		return b
	}
	return append(b, '>')
}

func (p *printer) appendTypes(b []byte, l []Type) []byte {
	for i, t := range l {
		if i > 0 {
			b = append(b, ' ')
		}
		b = p.appendType(b, t)
	}
	return b
}

func (p *printer) sig(s Sig) string { return string(p.appendSig(nil, s)) }

func (p *printer) appendSig(b []byte, s Sig) []byte {
	if !s.Name.IsZero() {
		return append(b, p.name(s.Name)...)
	}
	b = append(p.appendType(b, s.Ret), " ("...)
	return append(p.appendTypes(b, s.Params), ')')
}

func (p *printer) value(v *Value) string {
	if v.Const != nil {
		return p.con(v.Const)
	}
	return p.name(v.Name)
}

func (p *printer) con(c *Const) string {
	switch c.Kind {
	case ConstInt:
		return p.b.IntText(c.Int)
	case ConstFP:
		if !p.b.Binary {
			return p.b.Text(c.FP.Off, c.FP.End)
		}
		if c.FP.Double {
			return fmt.Sprintf("bitsd(%#x)", c.FP.Bits.Lo)
		}
		return fmt.Sprintf("bitsf(%#x)", c.FP.Bits.Lo)
	case ConstNull:
		return "NULL"
	}
	var l []string
	for i := range c.List {
		l = append(l, p.value(&c.List[i]))
	}
	return "{ " + strings.Join(append(l, "}"), " ")
}

// IntText returns an integer literal as it is written, or in decimal if the bundle is
// binary.
func (b *Bundle) IntText(l *lex.IntLit) string {
	if !b.Binary {
		return b.Text(l.Off, l.End)
	}
	s := strconv.FormatUint(l.Lo, 10)
	if l.Neg {
		return "-" + s
	}
	return s
}

// noResult reports whether the instruction never has a result.
func (o Op) noResult() bool {
	switch o {
	case Store, Fence, Branch, Branch2, Switch, TailCall, Ret, RetVoid, Throw:
		return true
	}
	return false
}
