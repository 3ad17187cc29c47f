package gogen

import (
	"fmt"
	"sort"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// tables emits everything that is not a function of the bundle: records, cells,
// types, descriptors, and what the runtime is told about the program.
func (g *gen) tables() ([]*part, error) {
	undefined := g.undefinedSites()
	start, fields, err := g.startCode()
	if err != nil {
		return nil, err
	}
	recs := g.records(undefined)
	g.collectEntities()
	var cells, mem []gotree.Decl
	for _, c := range g.p.Globals {
		g.desc(c.Type)
		// 64-bit elements align the cell.
		words := bin(gotree.Div, add(sizeExpr(g.lay.Of(c.Type).Size.Max(layout.Const(8))), lit(7)), lit(8))
		cells = append(cells, &gotree.VarDecl{Name: g.globals[c], Comment: "cell " + c.Name, T: gotree.ArrayOf(words, gotree.Uint64), Apart: true})
	}
	for i := 0; i < len(g.memIDs); i++ {
		mem = append(mem, g.memFuncCode(g.memIDs[i])...)
	}
	types := g.typeCode()
	parts := []*part{{name: "data", decls: append(append(types, cells...), mem...)}}
	parts = append(parts, recs...)
	prog := append(g.programCode(), g.nativeCode()...)
	if g.cgo {
		with, without, common := g.cgoParts()
		prog = append(prog, common...)
		parts = append(parts, with, without)
	}
	return append(parts, &part{name: "program", decls: append(append(prog, start...), g.begin(fields))}), nil
}

// typeCode emits Go struct types, record types, descriptors and value types.
func (g *gen) typeCode() []gotree.Decl {
	var out []gotree.Decl
	var classes []gotree.Decl
	for c, sig := range g.Classes() {
		classes = append(classes, &gotree.TypeDecl{Name: callName(c), T: g.goSig(sig, nil, false)},
			&gotree.TypeDecl{Name: recName(c), T: &gotree.Struct{Fields: []gotree.Param{{T: rtType("Func")}, {Name: "F", T: callType(c)}}}})
	}
	for i := 0; i < len(g.structIDs); i++ { // goType may add to the list
		ty := g.structIDs[i]
		s := &gotree.Struct{}
		for k, f := range g.at(ty).Fields {
			s.Fields = append(s.Fields, gotree.Param{Name: fieldName(k), T: g.goType(f)})
		}
		out = append(out, &gotree.TypeDecl{Name: g.structNames[i], T: s})
	}
	out = append(out, classes...)
	vtypes := g.vtypeCode()
	if len(g.descIDs) > 0 {
		out = append(out, &gotree.ConstDecl{Names: g.typeNames})
	}
	var rows []expr
	for i, ty := range g.descIDs {
		out = append(out, &gotree.VarDecl{Name: g.descNames[i], X: g.descLiteral(ty), Apart: i == 0})
		rows = append(rows, addr(g.descVar(ty)))
	}
	return append(append(out, table("types", gotree.PtrTo(rtType("Type")), rows)), vtypes...)
}

// recordsPerFile bounds the size of the files of records.
const recordsPerFile = 1500

// records emits the record of every function, with the adaptors of those whose
// record is referred to.
func (g *gen) records(sites map[*ir.Function]int) []*part {
	var parts []*part
	cur, links := &part{}, &code{}
	flush := func() {
		if len(links.List) > 0 {
			cur.decls = append(cur.decls, initFunc(links))
		}
		cur.name = "funcs"
		if len(parts) > 0 {
			cur.name = fmt.Sprintf("funcs%d", len(parts)+1)
		}
		parts = append(parts, cur)
		cur, links = &part{}, &code{}
	}
	apart := true
	for i, f := range g.p.Funcs {
		fi := g.info[f]
		cur.decls = append(cur.decls, &gotree.VarDecl{Name: fi.rec, X: g.recordLiteral(f, sites[f]), Apart: apart})
		apart = false
		if fi.Address || fi.recorded || f.Current() == nil {
			cur.decls = append(cur.decls, g.adaptors(f, links)...)
			apart = true
		}
		if (i+1)%recordsPerFile == 0 {
			flush()
		}
	}
	for i, x := range g.p.Exposes {
		k := g.csig(x.Func.Sig)
		cur.decls = append(cur.decls, &gotree.VarDecl{Name: g.exposes[x], Apart: i == 0, X: composite(rtType("Exposure"),
			field("Func", g.info[x.Func].record()), field("Cookie", g.constant(x.Cookie)), field("Sig", csigRow(k)))})
		g.useOf(k).static++
	}
	flush()
	return parts
}

// initFunc is a func init.
func initFunc(body *code) gotree.Decl {
	return &gotree.Func{Name: "init", Sig: &gotree.Sig{}, Body: body}
}

// recordLiteral is what the runtime knows of a function.
func (g *gen) recordLiteral(f *ir.Function, site int) expr {
	fi, sig := g.info[f], g.at(f.Sig)
	row := []gotree.Elem{strField("Name", f.Root().Name), intField("ID", f.Root().ID), intField("Class", fi.Class),
		intField("Params", g.listOf(sig.Fields)), intField("Results", g.listOf(sig.Results))}
	if f.Open() || f.Current() == nil && g.Introspect {
		row = append(row, field("Open", yes))
	}
	if v := f.Current(); v != nil {
		row = append(row, strField("Version", v.Name), intField("VersionID", v.ID), field("Defined", yes))
	}
	if site > 0 {
		row = append(row, intField("Site", site))
	}
	if fi.Cookie {
		row = append(row, field("Cookie", yes))
	}
	if fi.sites != nil {
		row = append(row, strField("Sites", strings.Join(fi.sites, "\n")))
	}
	return composite(recType(fi.Class), field("Func", composite(rtType("Func"), row...)))
}

// adaptors emits the functions that a record refers to, and what puts them there.
func (g *gen) adaptors(f *ir.Function, links *code) []gotree.Decl {
	fi, rec := g.info[f], name(g.info[f].rec)
	var out []gotree.Decl
	target := fi.goName
	if f.Current() == nil {
		target = g.top("undefined_" + clean(f.Name))
		out = append(out, g.thunk(f, target))
	}
	out = append(out, g.adaptor(fi.enter, target, f.Sig, false))
	links.SetAll([]expr{dot(rec, "F"), dot(rec, "Enter")}, namesOf(target, fi.enter))
	links.Set(dot(rec, "Code"), rt("CodeOf", addressOf(dot(rec, "F"))))
	if fi.resume != "" {
		links.Set(dot(rec, "Resume"), name(fi.resume))
	}
	if fi.Tails {
		tail := g.top("tail_" + clean(f.Name))
		out = append(out, g.adaptor(tail, fi.body, f.Sig, true))
		links.Set(dot(rec, "Tail"), name(tail))
	}
	return out
}

// adaptor emits the untyped entry of a function: arguments from the transfer
// area, results into it. With tail, the function may instead have left a tail call.
func (g *gen) adaptor(fn, target string, sig ir.TypeID, tail bool) gotree.Decl {
	n := g.at(sig)
	var body code
	args := []expr{tVar}
	var in *area
	for i, p := range n.Fields {
		a := paramName(i)
		args = append(args, name(a))
		body.Var(g.goType(p), a)
	}
	if len(n.Fields) > 0 {
		in = transferVar(&body, "x")
		for i, p := range n.Fields {
			g.take(&body, in, p, args[1+i])
		}
	}
	x := call(name(target), args...)
	if len(n.Results) == 0 {
		body.Do(x)
	} else {
		res, types := g.resultVars(n)
		body.DefineAll(res, types, []expr{x})
		cond := thrown()
		if tail {
			cond = bin(gotree.OrOr, cond, rtBool("Tailing", tVar))
		}
		ended := body.Sub()
		ended.Return()
		body.If(cond, ended, nil)
		g.putResults(&body, n, res, in != nil)
	}
	return &gotree.Func{Name: fn, Sig: &gotree.Sig{Params: []gotree.Param{ctxParam}}, Body: &body}
}

// resultVars are variables for the results of a signature.
func (g *gen) resultVars(n *ir.Type) ([]expr, []goT) {
	var res []expr
	var types []goT
	for i, ty := range n.Results {
		res = append(res, name(resultName(i)))
		types = append(types, g.goType(ty))
	}
	return res, types
}

// putResults puts results into the transfer area, by a variable x that may be there already:
// the thread may be another one now.
func (g *gen) putResults(out *code, n *ir.Type, res []expr, declared bool) {
	if declared {
		out.Set(name("x"), rt("X", tVar))
	} else {
		transferVar(out, "x")
	}
	a := transferArea(name("x"))
	for i, ty := range n.Results {
		g.put(out, a, ty, res[i])
	}
}

// thunk emits what stands in for a function without a version.
func (g *gen) thunk(f *ir.Function, fn string) gotree.Decl {
	n := g.at(f.Sig)
	return &gotree.Func{Name: fn, Comment: fmt.Sprintf("%s stands in for %s, which no bundle defines.", fn, f.Name),
		Sig: g.goSig(f.Sig, g.paramNames(n), true), Body: g.undefinedBody(n, g.info[f].record(), dot(name(g.info[f].rec), "F"))}
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

// undefinedBody is the hidden trap of a function and the call that is tried again.
func (g *gen) undefinedBody(sig *ir.Type, rec, again expr) *code {
	body := &code{}
	args := append([]expr{tVar}, namesOf(g.paramNames(sig)...)...)
	if len(sig.Fields) > 0 {
		a := transferVar(body, "x")
		for i, ty := range sig.Fields {
			g.put(body, a, ty, args[1+i])
		}
	}
	ended := body.Sub()
	ended.Return()
	body.If(gotree.Not(rtBool("Undefined", tVar, rec)), ended, nil)
	if len(sig.Fields) > 0 {
		body.Set(name("x"), rt("X", tVar))
		a := transferArea(name("x"))
		for i, ty := range sig.Fields {
			g.take(body, a, ty, args[1+i])
		}
	}
	if x := call(again, args...); len(sig.Results) > 0 {
		body.Return(x)
	} else {
		body.Do(x)
	}
	return body
}

// programCode emits what rt.Main or rt.Start is given.
func (g *gen) programCode() []gotree.Decl {
	out := []gotree.Decl{table("sites", rtType("Site"), g.sites)}
	if g.steps != nil {
		out = append(out, table("steps", rtType("Step"), g.steps))
	}
	ids := make([]uint32, len(g.watch))
	for id, n := range g.watch {
		ids[n] = id
	}
	var ws []expr
	for _, id := range ids {
		ws = append(ws, composite(nil, intField("ID", id)))
	}
	out = append(out, table("watch", rtType("Watch"), ws))
	g.listOf(nil)
	out = append(out, g.classTable()...)
	var lists []expr
	for _, l := range g.listDescs {
		lists = append(lists, composite(nil, strField("Desc", l.desc), intField("W", l.w), intField("R", l.r)))
	}
	out = append(out, table("lists", rtType("List"), lists), table("funcNames", rtType("FuncName"), g.funcNames()))
	var funcs, globals []expr
	for _, f := range g.p.Funcs {
		funcs = append(funcs, g.info[f].record())
	}
	for _, c := range g.p.Globals {
		globals = append(globals, composite(nil, field("Addr", addressOf(name(g.globals[c]))), field("Type", g.typeRow(c.Type))))
	}
	return append(out, table("funcs", gotree.PtrTo(rtType("Func")), funcs), table("globals", rtType("Global"), globals))
}

// funcNames are the names of Go functions, sorted, for backtraces. The driver of tail calls
// is no frame: it runs the body, or what replaced that.
func (g *gen) funcNames() []expr {
	type row struct {
		fn, rec string
		inlined []string
	}
	var rows []row
	for _, f := range g.p.Funcs {
		fi := g.info[f]
		if f.Current() != nil {
			rows = append(rows, row{fi.body, fi.rec, fi.inlined})
		}
		if fi.resume != "" {
			rows = append(rows, row{fi.resume, fi.rec, fi.resumeInlined})
		}
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].fn < rows[j].fn })
	var out []expr
	for _, r := range rows {
		l := []gotree.Elem{strField("Go", r.fn), field("Func", addr(dot(name(r.rec), "Func")))}
		if r.inlined != nil {
			l = append(l, strField("Inlined", strings.Join(r.inlined, "\n")))
		}
		out = append(out, composite(nil, l...))
	}
	return out
}
