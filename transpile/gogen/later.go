package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// Later bundles (ir.Later). Each version that one defines is an ordinary Go function
// with a record of its own, an implementation; loading the bundle copies that record
// over the record to which funcrefs point. Functions that can be redefined are only
// called through their records.

// laterCode emits the table of later bundles and returns the fields of the program for
// it.
func (g *gen) laterCode() (out []gotree.Decl, fields []gotree.Elem) {
	if len(g.IR.Later) == 0 {
		return nil, nil
	}
	var rows []gotree.Expr
	for _, l := range g.IR.Later {
		row := []gotree.Elem{node.StrField("Name", l.Name), node.StrField("Hash", l.Hash)}
		var impls, needs []gotree.Expr
		for _, f := range l.Impls {
			impls = append(impls, node.Composite(nil, node.Field("Of", g.Funcs[f.Of].RecordAddr()), node.Field("Func", g.Funcs[f].RecordAddr())))
		}
		for _, n := range l.Needs {
			needs = append(needs, node.Composite(nil, node.StrField("Name", n), node.Field("In", indices(g.hidden[n]))))
		}
		if impls != nil {
			row = append(row, node.Field("Impls", node.Composite(gotree.SliceOf(node.RuntimeType("Impl")), node.Elems(impls)...)))
		}
		if needs != nil {
			row = append(row, node.Field("Needs", node.Composite(gotree.SliceOf(node.RuntimeType("Need")), node.Elems(needs)...)))
		}
		rows = append(rows, node.Composite(nil, row...))
	}
	out = append(out, node.Table("later", node.RuntimeType("LaterBundle"), rows))
	fields = append(fields, slice("Later", "later"))
	var hidden []gotree.Expr
	for _, e := range g.opt.Names {
		if e.In != nil {
			hidden = append(hidden, node.Composite(nil, node.IntField("ID", e.ID), node.Field("In", indices(e.In))))
		}
	}
	if hidden != nil {
		out = append(out, node.Table("hidden", node.RuntimeType("HiddenEntity"), hidden))
		fields = append(fields, slice("Hidden", "hidden"))
	}
	return out, fields
}

// indices is a list of numbers of later bundles.
func indices(l []int) gotree.Expr {
	s := make([]gotree.Expr, len(l))
	for i, n := range l {
		s[i] = node.Lit(n)
	}
	return node.Composite(gotree.SliceOf(gotree.Uint32), node.Elems(s)...)
}
