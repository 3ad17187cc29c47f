package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
)

// Later bundles (ir.Later). Each version that one defines is an ordinary Go function
// with a record of its own, an implementation; loading the bundle copies that record
// over the one that funcrefs point at. Functions that can be redefined are called
// through their records only.

// laterCode emits the table of later bundles and returns the fields of the program for
// it.
func (g *gen) laterCode() (out []gotree.Decl, fields []gotree.Elem) {
	if len(g.p.Later) == 0 {
		return nil, nil
	}
	var rows []expr
	for _, l := range g.p.Later {
		row := []gotree.Elem{strField("Name", l.Name), strField("Hash", l.Hash)}
		var impls, needs []expr
		for _, f := range l.Impls {
			impls = append(impls, composite(nil, field("Of", g.info[f.Of].record()), field("Func", g.info[f].record())))
		}
		for _, n := range l.Needs {
			needs = append(needs, composite(nil, strField("Name", n), field("In", numbers(g.hidden[n]))))
		}
		if impls != nil {
			row = append(row, field("Impls", composite(gotree.SliceOf(rtType("Impl")), elems(impls)...)))
		}
		if needs != nil {
			row = append(row, field("Needs", composite(gotree.SliceOf(rtType("Need")), elems(needs)...)))
		}
		rows = append(rows, composite(nil, row...))
	}
	out = append(out, table("later", rtType("LaterBundle"), rows))
	fields = append(fields, slice("Later", "later"))
	var hidden []expr
	for _, e := range g.opt.Names {
		if e.In != nil {
			hidden = append(hidden, composite(nil, intField("ID", e.ID), field("In", numbers(e.In))))
		}
	}
	if hidden != nil {
		out = append(out, table("hidden", rtType("HiddenEntity"), hidden))
		fields = append(fields, slice("Hidden", "hidden"))
	}
	return out, fields
}

// numbers is a list of numbers of later bundles.
func numbers(l []int) expr {
	s := make([]expr, len(l))
	for i, n := range l {
		s[i] = lit(n)
	}
	return composite(gotree.SliceOf(gotree.Uint32), elems(s)...)
}
