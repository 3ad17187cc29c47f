package gogen

import (
	"fmt"
	"sort"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// tables emits everything that is not a function of the bundle: records, cells,
// types, descriptors, and what the runtime is told about the program.
func (g *gen) tables() ([]*part, error) {
	var parts []*part
	undefined := g.undefinedSites()
	start, fields, err := g.startCode()
	if err != nil {
		return nil, err
	}
	recs := g.records(undefined)
	g.collectEntities()
	var cells code
	for _, c := range g.p.Globals {
		l := g.lay.Of(c.Type)
		g.desc(c.Type)
		// 64-bit elements align the cell.
		cells.add("var %s [(%s+7)/8]uint64 // cell %s", g.globals[c], numExpr(l.Size.Max(constNum(8))), c.Name)
	}
	var mem code
	for i := 0; i < len(g.memIDs); i++ {
		mem = append(mem, g.memFuncCode(g.memIDs[i])...)
	}
	parts = append(parts, &part{name: "data", code: append(append(g.typeCode(), cells...), mem...)})
	parts = append(parts, recs...)
	prog := append(g.programCode(), g.nativeCode()...)
	if g.cgo {
		with, without := g.cgoParts(&prog)
		parts = append(parts, with, without)
	}
	start = append(start, g.begin(fields))
	parts = append(parts, &part{name: "program", code: append(prog, start...)})
	return parts, nil
}

// typeCode emits Go struct types, record types, descriptors and value types.
func (g *gen) typeCode() code {
	var out code
	for _, sig := range g.Classes() {
		g.goSig(sig, nil, false)
	}
	for i := 0; i < len(g.structIDs); i++ { // structType may add to the list
		id := g.structIDs[i]
		var fields []jen.Code
		for k, f := range g.at(id).Fields {
			fields = append(fields, raw("F%d %s", k, g.goType(f)))
		}
		out = append(out, jen.Line(), raw("type %s struct", g.structs[id]).Block(fields...))
	}
	for c, sig := range g.Classes() {
		out = append(out, jen.Line(), raw("type %s func%s", callType(c), g.goSig(sig, nil, false)),
			jen.Line(), raw("type %s struct", recType(c)).Block(raw("rt.Func"), raw("F %s", callType(c))))
	}
	out = append(out, jen.Line())
	var ptrs []string
	for i, id := range g.descIDs {
		out.add("var type_%d = rt.Type%s", i, g.descLiteral(id))
		ptrs = append(ptrs, fmt.Sprintf("&type_%d,", i))
	}
	out = append(out, jen.Line(), raw("var types = [...]*rt.Type{\n%s\n}", strings.Join(ptrs, "\n")))
	var vts []string
	for _, id := range g.vtypeIDs {
		vts = append(vts, g.vtypeLiteral(id)+",")
	}
	if vts != nil {
		// Element references would make an initialisation cycle; they are set in init.
		out = append(out, jen.Line(), raw("var vtypes = [...]rt.VType{\n%s\n}", strings.Join(vts, "\n")))
		var links code
		for i, id := range g.vtypeIDs {
			switch t := g.at(id); t.Kind {
			case ir.KArray, ir.KVector:
				links.add("vtypes[%d].Elem = &vtypes[%d]", i, g.vtype(t.Elem))
			case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KUPtr, ir.KFuncRef, ir.KUFuncPtr:
				if g.describes() {
					links.add("vtypes[%d].Elem = &vtypes[%d]", i, g.vtype(t.Elem))
				}
			case ir.KStruct, ir.KHybrid, ir.KSig:
				if t.Kind == ir.KHybrid {
					links.add("vtypes[%d].Elem = &vtypes[%d]", i, g.vtype(t.Elem))
				}
				if len(t.Fields) > 0 {
					links.add("vtypes[%d].Fields = %s", i, g.vtypesOf(t.Fields))
				}
				if len(t.Results) > 0 {
					links.add("vtypes[%d].Results = %s", i, g.vtypesOf(t.Results))
				}
			}
		}
		if links != nil {
			out = append(out, jen.Line(), raw("func init()").Block(links...))
		}
	}
	out = append(out, jen.Line())
	return out
}

var vkinds = map[ir.Kind]string{
	ir.KVoid: "VVoid", ir.KInt: "VInt", ir.KFloat: "VFloat", ir.KDouble: "VDouble", ir.KUPtr: "VUPtr", ir.KUFuncPtr: "VUFuncPtr",
	ir.KRef: "VRef", ir.KIRef: "VIRef", ir.KWeakRef: "VWeakRef", ir.KTagRef64: "VTagRef64", ir.KFuncRef: "VFuncRef",
	ir.KStackRef: "VStackRef", ir.KThreadRef: "VThreadRef", ir.KFrameCursorRef: "VCursorRef", ir.KIRNodeRef: "VNodeRef",
	ir.KStruct: "VStruct", ir.KArray: "VArray", ir.KVector: "VVector", ir.KHybrid: "VHybrid", ir.KSig: "VSig",
}

func (g *gen) vtypeLiteral(id ir.TypeID) string {
	n := g.at(id)
	s := "{Kind: rt." + vkinds[n.Kind]
	if n.Kind == ir.KInt {
		s += fmt.Sprintf(", Bits: %d", n.Bits)
	}
	if n.Kind == ir.KArray || n.Kind == ir.KVector {
		s += fmt.Sprintf(", Len: %d", n.Len)
	}
	if n.Name != "" {
		s += fmt.Sprintf(", Name: %q", n.Name)
	}
	if d, ok := g.descs[id]; ok {
		s += fmt.Sprintf(", GC: &type_%d", d)
	}
	if n.Kind != ir.KSig && (g.Introspect || g.describes()) {
		s += g.vtypeLayout(id)
	}
	return s + "}"
}

// recordsPerFile bounds the size of the files of records.
const recordsPerFile = 1500

// records emits the record of every function, with the adaptors of those whose
// record is referred to.
func (g *gen) records(sites map[*ir.Function]int) []*part {
	var parts []*part
	var out, links code
	flush := func() {
		if links != nil {
			out = append(out, jen.Line(), raw("func init()").Block(links...))
		}
		name := "funcs"
		if len(parts) > 0 {
			name = fmt.Sprintf("funcs%d", len(parts)+1)
		}
		parts = append(parts, &part{name: name, code: out})
		out, links = nil, nil
	}
	for i, f := range g.p.Funcs {
		fi := g.info[f]
		sig := g.at(f.Sig)
		fields := fmt.Sprintf("Name: %q, ID: %d, Class: %d, Params: %d, Results: %d", f.Root().Name, f.Root().ID, fi.Class, g.listOf(sig.Fields), g.listOf(sig.Results))
		if f.Open() || f.Current() == nil && g.Introspect {
			fields += ", Open: true"
		}
		if v := f.Current(); v != nil {
			fields += fmt.Sprintf(", Version: %q, VersionID: %d, Defined: true", v.Name, v.ID)
		}
		if n := sites[f]; n > 0 {
			fields += fmt.Sprintf(", Site: %d", n)
		}
		if fi.Cookie {
			fields += ", Cookie: true"
		}
		if fi.sites != nil {
			fields += fmt.Sprintf(", Sites: %q", strings.Join(fi.sites, "\n"))
		}
		out.add("var %s = %s{Func: rt.Func{%s}}", fi.rec, recType(fi.Class), fields)
		if (fi.Address || fi.recorded) || f.Current() == nil {
			target := fi.goName
			if f.Current() == nil {
				target = g.top("undefined_" + clean(f.Name))
				out = append(out, g.thunk(f, target)...)
			}
			out = append(out, g.adaptor(fi.enter, target, f.Sig, false)...)
			links.add("%s.F, %s.Enter = %s, %s", fi.rec, fi.rec, target, fi.enter)
			links.add("%s.Code = rt.CodeOf(unsafe.Pointer(&%s.F))", fi.rec, fi.rec)
			if fi.resume != "" {
				links.add("%s.Resume = %s", fi.rec, fi.resume)
			}
			if fi.Tails {
				tail := g.top("tail_" + clean(f.Name))
				out = append(out, g.adaptor(tail, fi.body, f.Sig, true)...)
				links.add("%s.Tail = %s", fi.rec, tail)
			}
		}
		if (i+1)%recordsPerFile == 0 {
			flush()
		}
	}
	for _, x := range g.p.Exposes {
		out.add("var %s = rt.Exposure{Func: &%s.Func, Cookie: %s, Sig: &csigs[%d]}",
			g.exposes[x], g.info[x.Func].rec, g.constant(x.Cookie), g.csig(x.Func.Sig))
		g.useOf(g.csig(x.Func.Sig)).static++
	}
	flush()
	return parts
}

// adaptor emits the untyped entry of a function: arguments from the transfer
// area, results into it. With tail, the function may instead have left a tail call.
func (g *gen) adaptor(name, target string, sig ir.TypeID, tail bool) code {
	n := g.at(sig)
	var body code
	args := []string{"t"}
	if len(n.Fields) > 0 {
		for i, p := range n.Fields {
			a := fmt.Sprintf("a%d", i)
			args = append(args, a)
			body.add("var %s %s", a, g.goType(p))
		}
		get := code{raw("x := rt.X(t)")}
		g.fromTransfer(&get, n.Fields, func(i int) string { return fmt.Sprintf("a%d", i) })
		body = append(body, jen.Block(get...))
	}
	call := fmt.Sprintf("%s(%s)", target, strings.Join(args, ", "))
	if len(n.Results) == 0 {
		body.add("%s", call)
	} else {
		var res []string
		for i := range n.Results {
			res = append(res, fmt.Sprintf("r%d", i))
		}
		body.add("%s := %s", strings.Join(res, ", "), call)
		cond := "t.Thrown != 0"
		if tail {
			cond += " || rt.Tailing(t)"
		}
		body = append(body, jen.If(raw("%s", cond)).Block(jen.Return()))
		put := code{raw("x := rt.X(t)")}
		w, r := 0, 0
		for i, ty := range n.Results {
			g.leavesOut(&put, ty, fmt.Sprintf("r%d", i), &w, &r)
		}
		g.maxTransfer = max(g.maxTransfer, w, r)
		body = append(body, jen.Block(put...))
	}
	return code{jen.Line(), raw("func %s(t *rt.Ctx)", name).Block(body...)}
}

// thunk emits what stands in for a function without a version.
func (g *gen) thunk(f *ir.Function, name string) code {
	n := g.at(f.Sig)
	rec := g.info[f].rec
	return code{jen.Line(), raw("// %s stands in for %s, which no bundle defines.", name, f.Name),
		raw("func %s%s", name, g.goSig(f.Sig, g.paramNames(n), true)).Block(g.undefinedBody(n, "&"+rec+".Func", rec+".F")...)}
}

// paramNames are the parameters of a stand-in.
func (g *gen) paramNames(sig *ir.Type) []string {
	params := make([]string, len(sig.Fields))
	for i := range params {
		params[i] = fmt.Sprintf("a%d", i)
	}
	return params
}

// undefinedBody emits the hidden trap of a function and the call that is tried again.
func (g *gen) undefinedBody(sig *ir.Type, rec, again string) code {
	params := g.paramNames(sig)
	var put code
	if len(params) > 0 {
		put.add("x := rt.X(t)")
	}
	w, r := 0, 0
	args := []string{"t"}
	for i, ty := range sig.Fields {
		args = append(args, params[i])
		g.leavesOut(&put, ty, params[i], &w, &r)
	}
	g.maxTransfer = max(g.maxTransfer, w, r)
	body := code{}
	if put != nil {
		body = append(body, jen.Block(put...))
	}
	body = append(body, jen.If(raw("!rt.Undefined(t, %s)", rec)).Block(jen.Return()))
	if len(params) > 0 {
		get := code{raw("x := rt.X(t)")}
		g.fromTransfer(&get, sig.Fields, func(i int) string { return params[i] })
		body = append(body, jen.Block(get...))
	}
	call := fmt.Sprintf("%s(%s)", again, strings.Join(args, ", "))
	if len(sig.Results) > 0 {
		call = "return " + call
	}
	body.add("%s", call)
	return body
}

// programCode emits what rt.Main or rt.Start is given.
func (g *gen) programCode() code {
	var out code
	var b strings.Builder
	b.WriteString("var sites = [...]rt.Site{\n")
	for _, s := range g.sites {
		b.WriteString(s + ",\n")
	}
	b.WriteString("}")
	out.add("%s", b.String())
	out = append(out, jen.Line())

	if g.steps != nil {
		out.add("var steps = [...]rt.Step{\n%s,\n}", strings.Join(g.steps, ",\n"))
		out = append(out, jen.Line())
	}

	ids := make([]uint32, len(g.watch))
	for id, n := range g.watch {
		ids[n] = id
	}
	var ws []string
	for _, id := range ids {
		ws = append(ws, fmt.Sprintf("{ID: %d}", id))
	}
	out.add("var watch = [...]rt.Watch{%s}", strings.Join(ws, ", "))
	out = append(out, jen.Line())

	g.listOf(nil)
	g.classTable(&out)
	b.Reset()
	b.WriteString("var lists = [...]rt.List{\n")
	for _, l := range g.listDescs {
		fmt.Fprintf(&b, "{Desc: %q, W: %d, R: %d},\n", l.desc, l.w, l.r)
	}
	b.WriteString("}")
	out.add("%s", b.String())
	out = append(out, jen.Line())

	// The driver of tail calls is no frame: it runs the body, or what replaced that.
	type row struct {
		name    string // of the Go function
		rec     string
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
	sort.Slice(rows, func(i, j int) bool { return rows[i].name < rows[j].name })
	b.Reset()
	b.WriteString("var funcNames = [...]rt.FuncName{\n")
	for _, f := range rows {
		fmt.Fprintf(&b, "{Go: %q, Func: &%s.Func", f.name, f.rec)
		if f.inlined != nil {
			fmt.Fprintf(&b, ", Inlined: %q", strings.Join(f.inlined, "\n"))
		}
		b.WriteString("},\n")
	}
	b.WriteString("}")
	out.add("%s", b.String())
	out = append(out, jen.Line())

	b.Reset()
	b.WriteString("var funcs = [...]*rt.Func{\n")
	for _, f := range g.p.Funcs {
		fmt.Fprintf(&b, "&%s.Func,\n", g.info[f].rec)
	}
	b.WriteString("}")
	out.add("%s", b.String())
	out = append(out, jen.Line())

	b.Reset()
	b.WriteString("var globals = [...]rt.Global{\n")
	for _, c := range g.p.Globals {
		fmt.Fprintf(&b, "{Addr: unsafe.Pointer(&%s), Type: types[%d]},\n", g.globals[c], g.desc(c.Type))
	}
	b.WriteString("}")
	out.add("%s", b.String())
	out = append(out, jen.Line())
	return out
}

// agreement is the number of what generated code and the runtime agree upon, see rtlib.Agreement.
const agreement = 2

// begin emits func main, or the init function of a package, with the fields of startCode. It comes after all other
// code, which names symbols and hands lists over.
func (g *gen) begin(fields string) jen.Code {
	head := fmt.Sprintf("Agreement: %d, Name: %q, Types: types[:], Globals: globals[:], Funcs: funcs[:], FuncNames: funcNames[:], Lists: lists[:], Watchpoints: watch[:], MaxTransfer: %d",
		agreement, g.opt.Package, g.maxTransfer)
	if len(g.symList) > 0 {
		head += ", Externs: externs[:]"
	}
	if len(g.sites) > 0 {
		head += ", Sites: sites[:]"
	}
	if g.steps != nil {
		head += ", Steps: steps[:]"
	}
	if !g.alone() && len(g.Classes()) > 0 {
		head += ", Classes: classes[:]"
	}
	name, start := "main", "Main"
	if g.opt.Package != "main" {
		name, start = "init", "Start"
	}
	return raw("func %s()", name).Block(raw("rt.%s(&rt.Program{%s})", start, head+fields))
}

// startCode emits tables that only some programs have, and what begins them; fields are the fields of rt.Program
// for these, each behind a comma.
func (g *gen) startCode() (out code, fields string, err error) {
	if g.opt.Sanitize {
		fields += ", Sanitize: true"
	}
	if len(g.bundleNames) > 0 {
		out = append(out, g.fileTable()...)
		fields += ", Files: files[:]"
	}
	if image := g.imageCode(); image != nil {
		out = append(out, image...)
		fields += ", Init: image"
	}
	if g.cgo {
		fields += ", Native: true"
	}
	if g.describes() {
		fields += g.entityCode(&out)
	}
	if g.Introspect {
		out = append(out, g.frameTable()...)
		fields += ", Frames: frameSites[:]"
	}
	if len(g.opt.Names) > 0 {
		out = append(out, g.nameTable()...)
		fields += ", Names: entityNames[:]"
	}
	fields += g.laterCode(&out)
	if len(g.p.Exposes) > 0 {
		fields += ", Exposes: exposures[:]"
	}
	if g.opt.Package != "main" {
		w, err := g.wrappers()
		if err != nil {
			return nil, "", err
		}
		return append(append(out, w...), jen.Line()), fields, nil
	}
	entry, err := g.entryCode()
	if err != nil {
		return nil, "", err
	}
	out = append(out, entry...)
	fields += ", Entry: start"
	if g.opt.TrapMode != "" {
		fields += fmt.Sprintf(", TrapMode: %q", g.opt.TrapMode)
	}
	return append(out, jen.Line()), fields, nil
}
