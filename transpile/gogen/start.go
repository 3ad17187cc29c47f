package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// slice is the field of rt.Program for a table.
func slice(f, table string) gotree.Elem { return node.Field(f, &gotree.Whole{X: node.Name(table)}) }

// agreement is the version of the interface between generated code and the runtime, see rt.Agreement.
const agreement = 4

// begin emits func main, or the init function of a package, with the fields of startCode. It must be called after
// all other tables are made, because these may add to its content.
func (g *gen) begin(fields []gotree.Elem) gotree.Decl {
	all := []gotree.Elem{node.IntField("Agreement", agreement), node.StrField("Name", g.opt.Package)}
	for _, t := range [][2]string{{"Types", "types"}, {"Globals", "globals"}, {"Funcs", "funcs"}, {"FuncNames", "funcNames"},
		{"Lists", "lists"}, {"Watchpoints", "watch"}} {
		all = append(all, slice(t[0], t[1]))
	}
	all = append(append(all, node.IntField("MaxTransfer", g.MaxTransfer)), fields...)
	switch {
	case g.opt.Unit && len(g.CSigTexts) > 0:
		all = append(all, slice("CSigs", "csigs"))
	case !g.opt.Unit && len(g.Symbols) > 0:
		all = append(all, slice("Externs", "externs"))
	}
	if len(g.Sites) > 0 {
		all = append(all, slice("Sites", "sites"))
	}
	if g.Steps != nil {
		all = append(all, slice("Steps", "steps"))
	}
	if !g.Alone() && len(g.Classes()) > 0 {
		all = append(all, slice("Classes", "classes"))
	}
	fn, run := "main", "Main"
	if g.opt.Package != "main" {
		fn, run = "init", "Start"
	}
	var body gotree.Block
	body.Do(node.Runtime(run, node.Addr(node.Composite(node.RuntimeType("Program"), all...))))
	return &gotree.Func{Name: fn, Sig: &gotree.Sig{}, Body: &body}
}

// startCode emits the tables that only some programs have, and the start of the program. It returns the fields of
// rt.Program for these tables.
func (g *gen) startCode() (out []gotree.Decl, fields []gotree.Elem, err error) {
	if g.opt.Sanitize {
		fields = append(fields, node.Field("Sanitize", gotree.True))
	}
	if g.opt.Sandbox {
		fields = append(fields, node.Field("Sandbox", gotree.True))
	}
	if len(g.BundleNames) > 0 {
		out = append(out, g.fileTable())
		fields = append(fields, slice("Files", "files"))
	}
	if g.opt.Unit {
		d, f := g.unitCode()
		out, fields = append(out, d...), append(fields, f...)
	} else if image := g.imageCode(); image != nil {
		out = append(out, image...)
		fields = append(fields, node.Field("Init", node.Name("image")))
	}
	if g.Cgo {
		fields = append(fields, node.Field("Native", gotree.True))
	}
	if g.Describes() && !g.opt.Unit {
		d, f := g.entityCode()
		out, fields = append(out, d...), append(fields, f...)
		if g.IR.Given {
			fields = append(fields, node.Field("Given", gotree.True))
		}
	}
	if g.standsIn() && !g.opt.Unit {
		if thunks := g.thunkCode(); thunks != nil {
			out, fields = append(out, thunks...), append(fields, slice("Thunks", "thunks"))
		}
	}
	if g.Introspect {
		out = append(out, g.frameSiteTable())
		fields = append(fields, slice("Frames", "frameSites"))
		if g.opt.Unit {
			fields = append(fields, node.IntField("FirstPlace", g.opt.FirstPlace))
		}
	}
	if g.opt.Unit {
		return out, fields, nil
	}
	if len(g.opt.Names) > 0 {
		out = append(out, g.nameTable())
		fields = append(fields, slice("Names", "entityNames"))
	}
	if g.IR.Hooks.Any() {
		fields = append(fields, node.Field("Hooks", g.hooks()))
	}
	d, f := g.laterCode()
	out, fields = append(out, d...), append(fields, f...)
	if len(g.IR.Exposes) > 0 {
		fields = append(fields, slice("Exposes", "exposures"))
	}
	if g.opt.Package != "main" {
		w, err := g.wrappers()
		if err != nil {
			return nil, nil, err
		}
		return append(out, w...), fields, nil
	}
	if g.opt.Cover != nil {
		fields = append(fields, node.Field("Coverage", g.coverage()))
	}
	entry, err := g.entryCode()
	if err != nil {
		return nil, nil, err
	}
	fields = append(fields, node.Field("Entry", node.Name("start")))
	if g.opt.TrapMode != "" {
		fields = append(fields, node.StrField("TrapMode", g.opt.TrapMode))
	}
	return append(out, entry), fields, nil
}

// coverage is the value of type *rt.Coverage for the program.
func (g *gen) coverage() gotree.Expr {
	var counters []gotree.Expr
	for _, n := range g.opt.Cover.Counters() {
		counters = append(counters, node.Lit(n))
	}
	return node.Addr(node.Composite(node.RuntimeType("Coverage"), node.StrField("Units", g.opt.Cover.Meta()), node.Field("Counters", g.cellPointer(g.opt.Cover.Cell)),
		node.Field("Funcs", node.Composite(gotree.SliceOf(gotree.Uint32), node.Elems(counters)...))))
}

// hooks is the value of type rt.Hooks for the program.
func (g *gen) hooks() gotree.Expr {
	names := [ir.NumHooks]string{ir.HookStart: "Start", ir.HookThreadStart: "ThreadStart", ir.HookThreadExit: "ThreadExit", ir.HookExit: "Exit"}
	var fields []gotree.Elem
	for k, list := range g.IR.Hooks {
		var l []gotree.Expr
		for _, f := range list {
			l = append(l, g.Funcs[f].Entry())
		}
		if len(l) > 0 {
			fields = append(fields, node.Field(names[k], node.Composite(gotree.SliceOf(node.RuntimeType("Hook")), node.Elems(l)...)))
		}
	}
	return node.Composite(node.RuntimeType("Hooks"), fields...)
}
