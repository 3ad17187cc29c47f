package syntax

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// Print spells a tree, one thing per line: everything in it except positions.
func Print(f *File) string {
	p := &printer{}
	for _, d := range f.Types {
		p.line("%stype %s%s {", metaText(d.Meta), d.Name, alignText(d))
		for _, m := range d.Members {
			p.field(m, [...]string{"instance", "static", "thread"}[m.Storage])
		}
		p.line("}")
	}
	for _, d := range f.Fields {
		p.field(d, [...]string{"instance", "global", "thread"}[d.Storage])
	}
	for _, d := range f.Data {
		p.line("%sdata %s (%s);", metaText(d.Meta), d.Name, litsText(d.Lits))
	}
	for _, d := range f.Entries {
		p.line("%s %s;", d.Kind, d.Func)
	}
	for _, d := range f.Funcs {
		p.function(d)
	}
	return p.b.String()
}

type printer struct{ b strings.Builder }

func (p *printer) line(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

func (n Name) String() string {
	if n.Text == "entry" {
		return n.Text // most blocks have this name
	}
	return module.Quote(n.Text)
}

func (r Ref) String() string {
	if r.Module.Text == "" {
		return r.Name.String()
	}
	return r.Module.String() + "/" + r.Name.String()
}

func join[T any](list []T, text func(T) string) string {
	var parts []string
	for _, x := range list {
		parts = append(parts, text(x))
	}
	return strings.Join(parts, ", ")
}

func metaText(m []Pair) string {
	if len(m) == 0 {
		return ""
	}
	return "[" + join(m, func(p Pair) string { return p.Key.String() + ":" + p.Value.String() }) + "] "
}

func alignText(d *TypeDecl) string {
	if d.AlignOff == 0 {
		return ""
	}
	return fmt.Sprintf(" align %d", d.Align)
}

func litsText(l []Lit) string { return join(l, func(l Lit) string { return l.Text }) }

func (p *printer) field(f *Field, storage string) {
	forward := ""
	if f.Forward.Name.Text != "" {
		forward = fmt.Sprintf(" (%s, %s)", f.Forward.Module, f.Forward.Name)
	}
	p.line("%sfield %s %s %s%s;", metaText(f.Meta), storage, f.Type, f.Name, forward)
}

func (t *Type) String() string {
	switch t.Kind {
	case module.StructType:
		return t.Ref.String()
	case module.Pointer:
		return t.Elem.String() + "*"
	case module.Reference:
		return t.Elem.String() + "&"
	case module.Array:
		return t.Elem.String() + "[]"
	case module.Vector:
		return fmt.Sprintf("%s[%d]", t.Elem, t.Count)
	case module.Static:
		return fmt.Sprintf("%s{%d}", t.Elem, t.Count)
	case module.FuncType:
		s := fmt.Sprintf("%s(%s)", t.Elem, join(t.Params, (*Type).String))
		if t.Conv != module.Standard {
			s += " " + t.Conv.String()
		}
		return s
	}
	for name, k := range coreTypes {
		if k == t.Kind {
			return name
		}
	}
	return "void"
}

func (p *printer) function(d *FuncDecl) {
	attrs := ""
	for _, word := range []string{"ssa", "pure", "nooptimize", "noinline", "noreturn", "nothrow"} {
		if d.Attrs&attributes[word] != 0 {
			attrs += word + " "
		}
	}
	params := join(d.Params, func(p Param) string {
		escape := ""
		if p.NoEscape {
			escape = "noescape "
		}
		return metaText(p.Meta) + escape + p.Type.String()
	})
	p.line("%sfunction %s%s %s(%s) %s {", metaText(d.Meta), attrs, d.Result, d.Name, params, d.Conv)
	for _, r := range d.Registers {
		p.line("%sregister %s %s;", metaText(r.Meta), r.Type, r.Name)
	}
	for _, b := range d.Blocks {
		unwind := ""
		if b.Unwind.Text != "" {
			unwind = " unwind " + b.Unwind.String()
		}
		p.line("%sblock %s%s {", metaText(b.Meta), b.Name, unwind)
		for i := range b.Instrs {
			p.instr(&b.Instrs[i])
		}
		p.line("}")
	}
	p.line("}")
}

func (p *printer) instr(in *Instr) {
	s := metaText(in.Meta)
	if in.Volatile {
		s += "volatile "
	}
	if in.Target.Text != "" {
		s += in.Target.String() + " = "
	}
	s += in.Op.String() + " " + join(in.Src, Name.String)
	names := join(in.Names, Name.String)
	switch module.Ops[in.Op].Operand {
	case module.OperandLiteral, module.OperandLiterals:
		s += "(" + litsText(in.Lits) + ")"
	case module.OperandType:
		s += "(" + in.Type.String() + ")"
	case module.OperandMember:
		s += "(" + in.Ref.String() + ":" + in.Member.String() + ")"
	case module.OperandNone:
	case module.OperandLabel, module.OperandBranch, module.OperandRegs, module.OperandSymbol:
		s += "(" + names + ")"
	default:
		s += "(" + in.Ref.String() + ")"
	}
	p.line("%s;", s)
}
