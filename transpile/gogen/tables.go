package gogen

import (
	"fmt"
	"sort"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// tables emits everything except the functions of the bundle: records, cells,
// types, descriptors, and the description of the program for the runtime.
func (g *gen) tables() ([]*part, error) {
	undefined := g.undefinedSites()
	start, fields, err := g.startCode()
	if err != nil {
		return nil, err
	}
	recs := g.records(undefined)
	g.collectEntities()
	var cells, mem []gotree.Decl
	for i, c := range g.IR.Globals {
		if g.opt.Unit {
			cells = append(cells, g.handed(g.AlignedCell(c), nil, "UnitCell", i))
			continue
		}
		g.Desc(c.Type)
		if g.opt.CCells[c] != "" {
			continue
		}
		// 64-bit elements align the cell.
		words := node.Bin(gotree.Div, node.Add(node.Size(g.Layout.Of(c.Type).Size.Max(layout.Const(8))), node.Lit(7)), node.Lit(8))
		at, align := g.AlignedCell(c), g.CellAlign(c)
		if at != "" {
			words = node.Add(words, node.Lit(align/8-1))
		}
		cells = append(cells, &gotree.VarDecl{Name: g.Globals[c], Comment: "cell " + c.Name, T: gotree.ArrayOf(words, gotree.Uint64), Apart: true})
		if at != "" {
			sum := node.Add(node.Conv(gotree.Uintptr, node.AddressOf(node.Name(g.Globals[c]))), node.Lit(align-1))
			cells = append(cells, &gotree.VarDecl{Name: at, Comment: fmt.Sprintf("the multiple of %d in it", align), X: node.Bin(gotree.AndNot, sum, node.Lit(align-1))})
		}
	}
	for i := 0; i < len(g.MemTypes); i++ {
		mem = append(mem, g.MemFuncCode(g.MemTypes[i])...)
	}
	types := g.typeCode()
	parts := []*part{{name: "data", decls: append(append(types, cells...), mem...)}}
	parts = append(parts, recs...)
	prog := append(g.programCode(), g.nativeCode()...)
	if g.opt.Unit {
		with, common := g.unitNatives()
		prog, parts = append(prog, common...), append(parts, with...)
	} else if g.Cgo {
		with, without, common := g.cgoParts()
		prog = append(prog, common...)
		parts = append(parts, with, without)
	}
	return append(parts, &part{name: programFile, decls: append(append(prog, start...), g.begin(fields))}), nil
}

// cellPointer is the address of a cell for the table of cells.
func (g *gen) cellPointer(c *ir.Global) gotree.Expr {
	if g.AlignedCell(c) != "" {
		return node.PointerTo(g.CellAddr(c))
	}
	return node.AddressOf(node.Name(g.Globals[c]))
}

// typeCode emits Go struct types, record types, descriptors and value types.
func (g *gen) typeCode() []gotree.Decl {
	var out []gotree.Decl
	var classes []gotree.Decl
	for c, sig := range g.Classes() {
		classes = append(classes, &gotree.TypeDecl{Name: repr.CallName(c), T: g.GoSig(sig, nil, false)},
			&gotree.TypeDecl{Name: repr.RecName(c), T: &gotree.Struct{Fields: []gotree.Param{{T: node.RuntimeType("Func")}, {Name: "F", T: repr.CallType(c)}}}})
	}
	known := map[string]string{}            // structs of the same machine class share a Go type, like signatures of the same class
	for i := 0; i < len(g.StructIDs); i++ { // goType may add to the list
		ty := g.StructIDs[i]
		class := g.Machine([]ir.TypeID{ty})
		if same, ok := known[class]; ok {
			out = append(out, &gotree.TypeDecl{Name: g.StructNames[i], T: gotree.Named(same), Alias: true})
			continue
		}
		known[class] = g.StructNames[i]
		s := &gotree.Struct{}
		for k, f := range g.At(ty).Fields {
			s.Fields = append(s.Fields, gotree.Param{Name: repr.FieldName(k), T: g.GoType(f)})
		}
		out = append(out, &gotree.TypeDecl{Name: g.StructNames[i], T: s})
	}
	out = append(out, classes...)
	vtypes := g.vtypeCode()
	if len(g.Descs) > 0 {
		out = append(out, &gotree.ConstDecl{Names: g.TypeNames})
	}
	var rows []gotree.Expr
	for i, d := range g.Descs {
		out = append(out, &gotree.VarDecl{Name: g.DescNames[i], X: g.descLiteral(d), Apart: i == 0})
		rows = append(rows, node.Addr(node.Name(g.DescNames[i])))
	}
	return append(append(out, node.Table("types", gotree.PtrTo(node.RuntimeType("Type")), rows)), vtypes...)
}

// recordsPerFile bounds the size of the files of records.
const recordsPerFile = 1500

// records emits the record of every function, and adaptors for those whose records are
// referred to.
func (g *gen) records(sites map[*ir.Function]int) []*part {
	var parts []*part
	cur, links := &part{}, &gotree.Block{}
	flush := func() {
		if len(links.List) > 0 {
			cur.decls = append(cur.decls, initFunc(links))
		}
		cur.name = "funcs"
		if len(parts) > 0 {
			cur.name = fmt.Sprintf("funcs%d", len(parts)+1)
		}
		parts = append(parts, cur)
		cur, links = &part{}, &gotree.Block{}
	}
	apart := true
	for i, f := range g.IR.Funcs {
		fi := g.Funcs[f]
		if g.opt.Unit {
			cur.decls = append(cur.decls, g.handed(fi.Record, gotree.PtrTo(repr.RecType(fi.Class)), "UnitFunc", i))
			if f.Current() == nil {
				continue
			}
		}
		cur.decls = append(cur.decls, &gotree.VarDecl{Name: fi.Impl, X: g.recordLiteral(f, sites[f]), Apart: apart})
		apart = false
		if g.opt.Unit || fi.Address || fi.Recorded || f.Current() == nil {
			cur.decls = append(cur.decls, g.adaptors(f, links)...)
			apart = true
		}
		if (i+1)%recordsPerFile == 0 {
			flush()
		}
	}
	for i, x := range g.IR.Exposes {
		if g.opt.Unit {
			cur.decls = append(cur.decls, g.handed(g.Exposes[x], gotree.PtrTo(node.RuntimeType("Exposure")), "UnitExposure", i))
			continue
		}
		k := g.CSig(x.Func.Sig)
		cur.decls = append(cur.decls, &gotree.VarDecl{Name: g.Exposes[x], Apart: i == 0, X: node.Composite(node.RuntimeType("Exposure"),
			node.Field("Func", g.Funcs[x.Func].RecordAddr()), node.Field("Cookie", g.Constant(x.Cookie)), node.Field("Sig", repr.CSigRow(k)))})
		g.UseOf(k).Static++
	}
	flush()
	return parts
}

// initFunc is a func init.
func initFunc(body *gotree.Block) gotree.Decl {
	return &gotree.Func{Name: "init", Sig: &gotree.Sig{}, Body: body}
}

// recordLiteral is the record that describes a function to the runtime.
func (g *gen) recordLiteral(f *ir.Function, site int) gotree.Expr {
	fi, sig := g.Funcs[f], g.At(f.Sig)
	row := []gotree.Elem{node.StrField("Name", f.Root().Name), node.IntField("ID", f.Root().ID), node.IntField("Class", fi.Class),
		node.IntField("Params", g.ListOf(sig.Fields)), node.IntField("Results", g.ListOf(sig.Results))}
	if title := f.Root().Title; title != "" {
		row = append(row, node.StrField("Title", title))
	}
	if f.Open() || f.Current() == nil && g.Introspect {
		row = append(row, node.Field("Open", gotree.True))
	}
	if v := f.Current(); v != nil {
		row = append(row, node.StrField("Version", v.Name), node.IntField("VersionID", v.ID), node.Field("Defined", gotree.True))
	}
	if site > 0 {
		row = append(row, node.IntField("Site", site))
	}
	if fi.Cookie {
		row = append(row, node.Field("Cookie", gotree.True))
	}
	if fi.Sites != nil {
		row = append(row, node.StrField("Sites", strings.Join(fi.Sites, "\n")))
	}
	return node.Composite(repr.RecType(fi.Class), node.Field("Func", node.Composite(node.RuntimeType("Func"), row...)))
}

// adaptors emits the functions that a record refers to, and adds to links the code that enters them in it.
func (g *gen) adaptors(f *ir.Function, links *gotree.Block) []gotree.Decl {
	fi, rec := g.Funcs[f], node.Name(g.Funcs[f].Impl)
	var out []gotree.Decl
	target := fi.GoName
	if f.Current() == nil {
		target = g.Top("undefined_" + repr.Clean(f.Name))
		out = append(out, g.thunk(f, target))
	}
	out = append(out, g.adaptor(fi.Enter, target, f.Sig, false))
	links.SetAll([]gotree.Expr{node.Shared(rec, "F"), node.Dot(rec, "Enter")}, node.NamesOf(target, fi.Enter))
	links.Set(node.Dot(rec, "Code"), node.Runtime("CodeOf", node.AddressOf(node.Shared(rec, "F"))))
	if fi.Resume != "" {
		links.Set(node.Dot(rec, "Resume"), node.Name(fi.Resume))
	}
	if fi.Tails {
		tail := g.Top("tail_" + repr.Clean(f.Name))
		out = append(out, g.adaptor(tail, fi.Body, f.Sig, true))
		links.Set(node.Dot(rec, "Tail"), node.Name(tail))
	}
	return out
}

// adaptor emits the untyped entry of a function: it takes arguments from the transfer
// area and puts results into it. If tail is set, the function may have left a tail call instead.
func (g *gen) adaptor(fn, target string, sig ir.TypeID, tail bool) gotree.Decl {
	n := g.At(sig)
	var body gotree.Block
	args := []gotree.Expr{node.Ctx}
	var in *repr.Area
	for i, p := range n.Fields {
		a := paramName(i)
		args = append(args, node.Name(a))
		body.Var(g.GoType(p), a)
	}
	if g.moved(n.Fields) {
		in = repr.TransferVar(&body, "x")
		for i, p := range n.Fields {
			g.Take(&body, in, p, args[1+i])
		}
	}
	x := node.Call(node.Name(target), args...)
	if len(n.Results) == 0 {
		body.Do(x)
	} else {
		res := g.defineResults(&body, n, x)
		cond := node.Thrown()
		if tail {
			cond = node.Bin(gotree.OrOr, cond, node.RuntimeBool("Tailing", node.Ctx))
		}
		ended := body.Sub()
		ended.Return()
		body.If(cond, ended, nil)
		g.putResults(&body, n, res, in != nil)
	}
	return &gotree.Func{Name: fn, Sig: &gotree.Sig{Params: []gotree.Param{node.CtxParam}}, Body: &body}
}

// moved reports whether values of these types have scalars to be put into the transfer area: structs
// without fields have none.
func (g *gen) moved(types []ir.TypeID) bool {
	words, roots := g.Words(types)
	return words+roots > 0
}

// defineResults emits a call and variables for the results of its signature, "_" for results without
// scalars.
func (g *gen) defineResults(out *gotree.Block, n *ir.Type, call gotree.Expr) []gotree.Expr {
	var res []gotree.Expr
	var types []*gotree.Type
	for i, ty := range n.Results {
		if name := node.Name(repr.ResultName(i)); g.moved([]ir.TypeID{ty}) {
			res = append(res, name)
		} else {
			res = append(res, gotree.Blank)
		}
		types = append(types, g.GoType(ty))
	}
	if g.moved(n.Results) {
		out.DefineAll(res, types, []gotree.Expr{call})
	} else {
		out.Do(call)
	}
	return res
}

// putResults emits code that puts results into the transfer area. It sets the variable x again, which may
// already be declared, because another thread may run the stack now.
func (g *gen) putResults(out *gotree.Block, n *ir.Type, res []gotree.Expr, declared bool) {
	if !g.moved(n.Results) {
		return
	}
	if declared {
		out.Set(node.Name("x"), node.Runtime("X", node.Ctx))
	} else {
		repr.TransferVar(out, "x")
	}
	a := repr.TransferArea(node.Name("x"))
	for i, ty := range n.Results {
		g.Put(out, a, ty, res[i])
	}
}

// thunk emits the stand-in for a function without a version.
func (g *gen) thunk(f *ir.Function, fn string) gotree.Decl {
	n := g.At(f.Sig)
	return &gotree.Func{Name: fn, Comment: fmt.Sprintf("%s stands in for %s, which no bundle defines.", fn, f.Name),
		Sig: g.GoSig(f.Sig, g.paramNames(n), true), Body: g.undefinedBody(n, g.Funcs[f].RecordAddr(), node.Shared(node.Name(g.Funcs[f].Record), "F"))}
}

func paramName(i int) string { return fmt.Sprintf("a%d", i) }

// paramNames are the parameters of a stand-in.
func (g *gen) paramNames(sig *ir.Type) []string {
	params := make([]string, len(sig.Fields))
	for i := range params {
		params[i] = paramName(i)
	}
	return params
}

// undefinedBody is the hidden trap of an undefined function, and the call again after the trap.
func (g *gen) undefinedBody(sig *ir.Type, rec, again gotree.Expr) *gotree.Block {
	body := &gotree.Block{}
	args := append([]gotree.Expr{node.Ctx}, node.NamesOf(g.paramNames(sig)...)...)
	moved := g.moved(sig.Fields)
	if moved {
		a := repr.TransferVar(body, "x")
		for i, ty := range sig.Fields {
			g.Put(body, a, ty, args[1+i])
		}
	}
	ended := body.Sub()
	ended.Return()
	body.If(gotree.Not(node.RuntimeBool("Undefined", node.Ctx, rec)), ended, nil)
	if moved {
		body.Set(node.Name("x"), node.Runtime("X", node.Ctx))
		a := repr.TransferArea(node.Name("x"))
		for i, ty := range sig.Fields {
			g.Take(body, a, ty, args[1+i])
		}
	}
	if x := node.Call(again, args...); len(sig.Results) > 0 {
		body.Return(x)
	} else {
		body.Do(x)
	}
	return body
}

// programCode emits the argument of rt.Main or rt.Start.
func (g *gen) programCode() []gotree.Decl {
	out := g.siteCode()
	g.ListOf(nil)
	out = append(out, g.classTable()...)
	var lists []gotree.Expr
	for _, l := range g.Lists {
		lists = append(lists, node.Composite(nil, node.StrField("Desc", l.Desc), node.IntField("W", l.Words), node.IntField("R", l.Roots)))
	}
	out = append(out, node.Table("lists", node.RuntimeType("List"), lists), node.Table("funcNames", node.RuntimeType("FuncName"), g.funcNames()))
	var funcs, globals []gotree.Expr
	for _, f := range g.IR.Funcs {
		if !g.opt.Unit || f.Current() != nil {
			funcs = append(funcs, g.Funcs[f].ImplAddr())
		}
	}
	for _, c := range g.IR.Globals {
		if g.opt.Unit {
			break // they are the running program's
		}
		globals = append(globals, node.Composite(nil, node.Field("Addr", g.cellPointer(c)), node.Field("Type", g.TypeRow(c.Type))))
	}
	return append(out, node.Table("funcs", gotree.PtrTo(node.RuntimeType("Func")), funcs), node.Table("globals", node.RuntimeType("Global"), globals))
}

// funcNames are the names of Go functions, sorted, for backtraces. The driver of tail calls
// is not shown as a frame: it runs the body, or the function that replaced it.
func (g *gen) funcNames() []gotree.Expr {
	type row struct {
		fn, rec string
		hidden  bool
		inlined []string
		columns []string
		lines   string
	}
	var rows []row
	for _, f := range g.IR.Funcs {
		fi := g.Funcs[f]
		if f.Current() != nil {
			rows = append(rows, row{fi.Body, fi.Impl, f.Attrs&ir.Hidden != 0, fi.Inlined, fi.Columns, fi.Lines})
		}
		if fi.Resume != "" {
			rows = append(rows, row{fi.Resume, fi.Impl, f.Attrs&ir.Hidden != 0, fi.ResumeInlined, fi.ResumeColumns, fi.ResumeLines})
		}
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].fn < rows[j].fn })
	var out []gotree.Expr
	for _, r := range rows {
		l := []gotree.Elem{node.StrField("Go", r.fn), node.Field("Func", node.Addr(node.Dot(node.Name(r.rec), "Func")))}
		if r.hidden {
			l = append(l, node.Field("Hidden", gotree.True))
		}
		if r.inlined != nil {
			l = append(l, node.StrField("Inlined", strings.Join(r.inlined, "\n")))
		}
		if r.columns != nil {
			l = append(l, node.StrField("Columns", strings.Join(r.columns, "\n")))
		}
		if r.lines != "" {
			l = append(l, node.Field("Lines", node.Name(r.lines)))
		}
		out = append(out, node.Composite(nil, l...))
	}
	return out
}

// programFile is the file that tells the runtime about the program.
const programFile = "program"
