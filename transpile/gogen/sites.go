package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// The tables of the places that have numbers in bodies, see repr.

// siteCode emits the tables of traps, of steps and of watchpoints.
func (g *gen) siteCode() []gotree.Decl {
	var sites, steps, watch []gotree.Expr
	for _, s := range g.Sites {
		row := []gotree.Elem{node.StrField("Name", s.Name)}
		if s.Where != "" {
			row = append(row, node.StrField("Where", s.Where))
		}
		row = append(row, node.Field("Func", s.Func.RecordAddr()), node.IntField("ID", s.ID), node.IntField("Line", s.Line), node.IntField("Results", s.Results))
		sites = append(sites, node.Composite(nil, append(row, g.keepField(s.Keep)...)...))
	}
	for _, s := range g.Steps {
		row := []gotree.Elem{node.Field("Site", node.Conv(gotree.UnsafePtr, node.Addr(node.Index(node.Name("sites"), s.Site))))}
		if s.Pass != 0 {
			row = append(row, node.IntField("Pass", s.Pass))
		}
		if s.Ret != 0 {
			row = append(row, node.IntField("Ret", s.Ret))
		}
		if s.Flags != nil {
			row = append(row, node.Field("Flags", s.Flags))
		}
		steps = append(steps, node.Composite(nil, row...))
	}
	for _, id := range g.Watch {
		watch = append(watch, node.Composite(nil, node.IntField("ID", id)))
	}
	out := []gotree.Decl{node.Table("sites", node.RuntimeType("Site"), sites)}
	if steps != nil {
		out = append(out, node.Table("steps", node.RuntimeType("Step"), steps))
	}
	return append(out, node.Table("watch", node.RuntimeType("Watch"), watch))
}

// frameSiteTable emits the table of places where frames rest.
func (g *gen) frameSiteTable() gotree.Decl {
	var rows []gotree.Expr
	for _, s := range g.FrameSites {
		row := []gotree.Elem{node.Field("Func", s.Func.RecordAddr())}
		if s.Version != 0 || s.Inst != 0 {
			row = append(row, node.IntField("Version", s.Version), node.IntField("Inst", s.Inst))
		}
		row = append(append(row, node.IntField("Results", s.Results)), g.keepField(s.Keep)...)
		if s.Below != 0 {
			row = append(row, node.IntField("Below", s.Below))
		}
		rows = append(rows, node.Composite(nil, row...))
	}
	return node.Table("frameSites", node.RuntimeType("FrameSite"), rows)
}

// keepField is the field with the descriptions of keep-alive variables, if there are any.
func (g *gen) keepField(keep []repr.KeepVar) []gotree.Elem {
	var rows []gotree.Expr
	for _, k := range keep {
		var row []gotree.Elem
		if k.Name != "" {
			row = append(row, node.StrField("Name", k.Name))
		}
		rows = append(rows, node.Composite(nil, append(row, node.Field("Type", node.Addr(node.Index(node.Name("vtypes"), k.VType))))...))
	}
	if rows == nil {
		return nil
	}
	return []gotree.Elem{node.Field("Keep", node.Composite(gotree.SliceOf(node.RuntimeType("KeepVar")), node.Elems(rows)...))}
}

// undefinedSites gives numbers to the places where frames of undefined functions rest.
func (g *gen) undefinedSites() map[*ir.Function]int {
	sites := map[*ir.Function]int{}
	if g.opt.Unit {
		return sites // they are the running program's
	}
	for _, f := range g.IR.Funcs {
		if f.Current() == nil && g.Introspect {
			sites[f] = g.undefinedSite(f)
		}
	}
	return sites
}

// undefinedSite is the number of the place where the frame of an undefined function
// rests: its hidden trap, whose keep-alive variables are the parameters.
func (g *gen) undefinedSite(f *ir.Function) int {
	var keep []repr.KeepVar
	for _, ty := range g.At(f.Sig).Fields {
		g.Desc(ty)
		keep = append(keep, repr.KeepVar{VType: g.VType(ty)})
	}
	return g.AddFrameSite(repr.FrameSite{Func: g.Funcs[f], Results: g.ListOf(nil), Keep: keep})
}

// fileTable emits the names of these files.
func (g *gen) fileTable() gotree.Decl {
	var names []gotree.Expr
	for _, n := range g.BundleNames {
		names = append(names, node.Str(n))
	}
	return &gotree.VarDecl{Name: "files", Apart: true, X: node.Composite(gotree.ArrayOf(nil, gotree.Named("string")), node.Elems(names)...)}
}
