package gogen

import (
	"fmt"
	"sort"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// What a client can refer to by ID in a package that it can inspect: types,
// constants, cells and exposed functions. Functions have their records.

// describes reports whether the program tells about its entities: to a client, or to
// the HAIL scripts and bundles that it loads itself.
func (g *gen) describes() bool { return describes(g.opt, g.Loads) }

func describes(opt Options, loads bool) bool {
	return opt.Introspect && opt.Package != "main" || loads
}

// collectEntities numbers the types that the tables will need.
func (g *gen) collectEntities() {
	if !g.describes() {
		return
	}
	for _, e := range g.typeEntities() {
		g.vtype(e.ty)
	}
	for _, c := range g.p.Consts {
		g.vtype(c.Type)
	}
	for _, c := range g.p.Globals {
		g.vtype(c.Type)
	}
	for _, x := range g.p.Exposes {
		g.vtype(x.Type)
	}
	for _, f := range g.p.Funcs {
		if g.exposable(f) {
			g.vtype(g.p.Types.Of(ir.KUFuncPtr, f.Sig))
		}
		g.vtype(g.p.Types.Of(ir.KFuncRef, f.Sig))
		g.vtypesOf(g.at(f.Sig).Fields)
		g.vtypesOf(g.at(f.Sig).Results)
	}
	for i := 0; i < len(g.vtypeIDs); i++ {
		switch g.kind(g.vtypeIDs[i]) {
		case ir.KSig, ir.KVoid:
		default:
			g.desc(g.vtypeIDs[i])
		}
	}
}

// exposable reports whether a client, or a text that the program loads, can expose a function: whether the bundles have a
// name for the type of pointers to it. A pool of function pointers of each signature
// would be much C otherwise.
func (g *gen) exposable(f *ir.Function) bool {
	if g.pointers == nil {
		g.pointers = map[ir.TypeID]bool{}
		for _, e := range g.typeEntities() {
			if g.kind(e.ty) == ir.KUFuncPtr {
				g.pointers[g.at(e.ty).Elem] = true
			}
		}
	}
	return (g.opt.Introspect || g.LoadsCode) && f.Of == nil && g.pointers[f.Sig] && len(g.at(f.Sig).Results) <= 1
}

type typeEntity struct {
	id uint32
	ty ir.TypeID
}

// typeEntities lists the named types and signatures, by entity ID.
func (g *gen) typeEntities() []typeEntity {
	var list []typeEntity
	for name, id := range g.p.TypeIDs {
		if ty, ok := g.p.Entities[name].(ir.TypeID); ok {
			list = append(list, typeEntity{id, ty})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].id < list[j].id })
	return list
}

// entityCode emits the tables and returns the fields of the program for them.
func (g *gen) entityCode() (out []gotree.Decl, fields []gotree.Elem) {
	var rows []expr
	add := func(id uint32, kind string, ty ir.TypeID, more ...gotree.Elem) {
		row := []gotree.Elem{intField("ID", id), field("Kind", qual("rt", kind+"Entity")), field("Type", g.vtypeRow(ty))}
		rows = append(rows, composite(nil, append(row, more...)...))
	}
	for _, e := range g.typeEntities() {
		if g.kind(e.ty) == ir.KSig {
			add(e.id, "Sig", e.ty)
		} else {
			add(e.id, "Type", e.ty)
		}
	}
	var cases []gotree.Case
	for _, c := range g.p.Consts {
		if c.ID != 0 {
			add(c.ID, "Const", c.Type)
			cases = append(cases, gotree.Case{Keys: []expr{lit(c.ID)}, Body: g.putConstant(c)})
		}
	}
	for _, c := range g.p.Globals {
		add(c.ID, "Global", c.Type, field("Addr", conv(gotree.Uintptr, addressOf(name(g.globals[c])))))
	}
	for _, x := range g.p.Exposes {
		add(x.ID, "Expose", x.Type, field("Exposure", addr(name(g.exposes[x]))))
	}
	for _, f := range g.p.Funcs {
		if f.Of != nil {
			continue
		}
		sig := g.at(f.Sig)
		more := []gotree.Elem{field("Func", g.info[f].record()), field("Params", g.vtypesOf(sig.Fields)), field("Results", g.vtypesOf(sig.Results))}
		if g.exposable(f) {
			k := g.csig(f.Sig)
			g.useOf(k).expose = true
			more = append(more, field("CSig", csigRow(k)), field("Pointer", g.vtypeRow(g.p.Types.Of(ir.KUFuncPtr, f.Sig))))
		}
		add(f.ID, "Func", g.p.Types.Of(ir.KFuncRef, f.Sig), more...)
	}
	out = append(out, table("entities", rtType("Entity"), rows))
	var body code
	transferVar(&body, "x")
	if cases == nil {
		body.Drop(name("x"))
	}
	unknown := body.Sub()
	unknown.Do(rt("NoConstant", name("id")))
	body.Switch(name("id"), append(cases, gotree.Case{Body: unknown}))
	out = append(out, &gotree.Func{Name: "constant", Body: &body,
		Sig: &gotree.Sig{Params: []gotree.Param{ctxParam, {Name: "id", T: gotree.Uint32}}}})
	fields = append(fields, slice("Entities", "entities"), field("Constant", name("constant")))
	if thunks := g.thunkCode(); thunks != nil {
		out, fields = append(out, thunks...), append(fields, slice("Thunks", "thunks"))
	}
	return out, fields
}

// putConstant puts a constant into the transfer area x.
func (g *gen) putConstant(c *ir.Const) *code {
	body := &code{}
	if len(g.leafTypes(c.Type)) > 0 {
		body.Define("v", g.goType(c.Type), g.typedConstant(c))
		g.put(body, transferArea(name("x")), c.Type, name("v"))
	}
	return body
}

// typedConstant is a constant as an expression of its type.
func (g *gen) typedConstant(c *ir.Const) expr {
	x := g.constant(c)
	if gotree.Untyped(x) {
		return conv(g.goType(c.Type), x)
	}
	return x
}

// leafTypes are the types of the scalars of a value.
func (g *gen) leafTypes(id ir.TypeID) (l []ir.TypeID) {
	g.eachLeaf(id, gotree.Blank, func(_ expr, t ir.TypeID) { l = append(l, t) })
	return l
}

// thunkCode emits what makes stand-ins for functions that are declared at run time, for each
// class of signatures that code may call. The functions are closures over the part of their
// record that a call through a funcref finds after the address of the code, see rt.Func.
func (g *gen) thunkCode() []gotree.Decl {
	var out []gotree.Decl
	var rows []expr
	for c, sig := range g.Classes() {
		fn := g.top(fmt.Sprintf("thunk_%d", c))
		n, f := g.at(sig), name("f")
		rec := deref(recType(c), conv(gotree.UnsafePtr, f)).(*gotree.Star).X
		again := g.undefinedBody(n, f, dot(rec, "F"))
		body := &code{}
		body.DefineAll([]expr{f}, []goT{nil}, []expr{method(name("self"), "Func")})
		body.Add(again.List...)
		var outer code
		closure := &gotree.FuncLit{Sig: g.goSig(sig, g.paramNames(n), true), Body: body}
		outer.DefineAll([]expr{f}, []goT{callType(c)}, []expr{conv(callType(c), closure)})
		outer.Return(deref(gotree.UnsafePtr, addressOf(f)))
		out = append(out, &gotree.Func{Name: fn, Body: &outer, Sig: &gotree.Sig{
			Params: []gotree.Param{{Name: "self", T: rtType("Self")}}, Results: []gotree.Param{{T: gotree.UnsafePtr}}}})
		rows = append(rows, composite(nil, intField("Params", g.listOf(n.Fields)), intField("Results", g.listOf(n.Results)), field("New", name(fn))))
	}
	if rows == nil {
		return nil
	}
	return append(out, table("thunks", rtType("Thunk"), rows))
}
