package gogen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"
)

// Later bundles (ir.Later). Each version that one defines is an ordinary Go function
// with a record of its own, an implementation; loading the bundle copies that record
// over the one that funcrefs point at. Functions that can be redefined are called
// through their records only.

// laterCode emits the table of later bundles and returns the fields of the program for
// it.
func (g *gen) laterCode(out *code) string {
	if len(g.p.Later) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("var later = [...]rt.LaterBundle{\n")
	for _, l := range g.p.Later {
		fmt.Fprintf(&b, "{Name: %q, Hash: %q", l.Name, l.Hash)
		if len(l.Impls) > 0 {
			b.WriteString(", Impls: []rt.Impl{\n")
			for _, f := range l.Impls {
				fmt.Fprintf(&b, "{Of: &%s.Func, Func: &%s.Func},\n", g.info[f.Of].rec, g.info[f].rec)
			}
			b.WriteString("}")
		}
		if len(l.Needs) > 0 {
			b.WriteString(", Needs: []rt.Need{\n")
			for _, n := range l.Needs {
				fmt.Fprintf(&b, "{Name: %q, In: %s},\n", n, numbers(g.hidden[n]))
			}
			b.WriteString("}")
		}
		b.WriteString("},\n")
	}
	b.WriteString("}")
	*out = append(*out, jen.Line(), raw("%s", b.String()), jen.Line())
	fields := ", Later: later[:]"
	b.Reset()
	for _, e := range g.opt.Names {
		if e.In != nil {
			fmt.Fprintf(&b, "{ID: %d, In: %s},\n", e.ID, numbers(e.In))
		}
	}
	if b.Len() > 0 {
		*out = append(*out, jen.Line(), raw("var hidden = [...]rt.HiddenEntity{\n%s}", b.String()), jen.Line())
		fields += ", Hidden: hidden[:]"
	}
	return fields
}

// numbers is a list of numbers of later bundles.
func numbers(l []int) string {
	s := make([]string, len(l))
	for i, n := range l {
		s[i] = fmt.Sprint(n)
	}
	return "[]uint32{" + strings.Join(s, ", ") + "}"
}
