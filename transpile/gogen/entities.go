package gogen

import (
	"fmt"
	"sort"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/internal/clib"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// The tables of entities that a client can refer to by ID in a package that it can
// inspect: types, constants, cells and exposed functions. Functions are in the
// table of records.

// collectEntities gives numbers to the types that the tables will need.
func (g *gen) collectEntities() {
	if !g.Describes() || g.opt.Unit {
		return
	}
	for _, e := range g.typeEntities() {
		g.VType(e.ty)
	}
	for _, c := range g.IR.Consts {
		g.VType(c.Type)
	}
	for _, c := range g.IR.Globals {
		g.VType(c.Type)
	}
	for _, x := range g.IR.Exposes {
		g.VType(x.Type)
	}
	for _, f := range g.IR.Funcs {
		if g.exposable(f) {
			g.VType(g.IR.Types.Of(ir.KUFuncPtr, f.Sig))
		}
		g.VType(g.IR.Types.Of(ir.KFuncRef, f.Sig))
		g.vtypesOf(g.At(f.Sig).Fields)
		g.vtypesOf(g.At(f.Sig).Results)
	}
	for i := 0; i < len(g.VTypeIDs); i++ {
		switch g.Kind(g.VTypeIDs[i]) {
		case ir.KSig, ir.KVoid:
		default:
			g.Desc(g.VTypeIDs[i])
		}
	}
}

// exposable reports whether a client, or a text that the program loads, can expose a function: only if the bundles
// name the type of pointers to it. Without this condition each signature would need a pool of function pointers,
// which is much C code.
func (g *gen) exposable(f *ir.Function) bool {
	if g.pointers == nil {
		g.pointers = map[ir.TypeID]bool{}
		for _, e := range g.typeEntities() {
			if g.Kind(e.ty) == ir.KUFuncPtr {
				g.pointers[g.At(e.ty).Elem] = true
			}
		}
	}
	return (g.opt.Introspect || g.LoadsCode) && f.Of == nil && g.pointers[f.Sig] && len(g.At(f.Sig).Results) <= 1
}

type typeEntity struct {
	id uint32
	ty ir.TypeID
}

// typeEntities lists the named types and signatures, by entity ID.
func (g *gen) typeEntities() []typeEntity {
	var list []typeEntity
	for name, id := range g.IR.TypeIDs {
		if ty, ok := g.IR.Entities[name].(ir.TypeID); ok {
			list = append(list, typeEntity{id, ty})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].id < list[j].id })
	return list
}

// entityCode emits the tables and returns the fields of the program for them.
func (g *gen) entityCode() (out []gotree.Decl, fields []gotree.Elem) {
	var rows []gotree.Expr
	add := func(id uint32, kind string, ty ir.TypeID, more ...gotree.Elem) {
		row := []gotree.Elem{node.IntField("ID", id), node.Field("Kind", node.Qual("rt", kind)), node.Field("Type", g.VTypeRow(ty))}
		rows = append(rows, node.Composite(nil, append(row, more...)...))
	}
	for _, e := range g.typeEntities() {
		if g.Kind(e.ty) == ir.KSig {
			add(e.id, "SigEntity", e.ty)
		} else {
			add(e.id, "TypeEntity", e.ty)
		}
	}
	var cases []gotree.Case
	for _, c := range g.IR.Consts {
		if c.ID != 0 {
			add(c.ID, "ConstEntity", c.Type)
			cases = append(cases, gotree.Case{Keys: []gotree.Expr{node.Lit(c.ID)}, Body: g.putConstant(c)})
		}
	}
	for _, c := range g.IR.Globals {
		add(c.ID, "GlobalEntity", c.Type, node.Field("Addr", g.CellAddr(c)))
	}
	for _, x := range g.IR.Exposes {
		add(x.ID, "ExposeEntity", x.Type, node.Field("Exposure", node.Addr(node.Name(g.Exposes[x]))))
	}
	for _, f := range g.IR.Funcs {
		if f.Of != nil {
			continue
		}
		sig := g.At(f.Sig)
		more := []gotree.Elem{node.Field("Func", g.Funcs[f].RecordAddr()), node.Field("Params", g.vtypesOf(sig.Fields)), node.Field("Results", g.vtypesOf(sig.Results))}
		if g.exposable(f) {
			k := g.CSig(f.Sig)
			g.UseOf(k).Expose = true
			more = append(more, node.Field("CSig", repr.CSigRow(k)), node.Field("Pointer", g.VTypeRow(g.IR.Types.Of(ir.KUFuncPtr, f.Sig))))
		}
		add(f.ID, "FuncEntity", g.IR.Types.Of(ir.KFuncRef, f.Sig), more...)
	}
	out = append(out, node.Table("entities", node.RuntimeType("Entity"), rows))
	var body gotree.Block
	repr.TransferVar(&body, "x")
	if cases == nil {
		body.Drop(node.Name("x"))
	}
	unknown := body.Sub()
	unknown.Do(node.Runtime("NoConstant", node.Name("id")))
	body.Switch(node.Name("id"), append(cases, gotree.Case{Body: unknown}))
	out = append(out, &gotree.Func{Name: "constant", Body: &body,
		Sig: &gotree.Sig{Params: []gotree.Param{node.CtxParam, {Name: "id", T: gotree.Uint32}}}})
	fields = append(fields, slice("Entities", "entities"), node.Field("Constant", node.Name("constant")))
	return out, fields
}

// putConstant emits code that puts a constant into the transfer area x.
func (g *gen) putConstant(c *ir.Const) *gotree.Block {
	body := &gotree.Block{}
	if len(g.leafTypes(c.Type)) > 0 {
		body.Define("v", g.GoType(c.Type), g.typedConstant(c))
		g.Put(body, repr.TransferArea(node.Name("x")), c.Type, node.Name("v"))
	}
	return body
}

// typedConstant is a constant as an expression of its type.
func (g *gen) typedConstant(c *ir.Const) gotree.Expr {
	x := g.Constant(c)
	if gotree.Untyped(x) {
		return node.Conv(g.GoType(c.Type), x)
	}
	return x
}

// leafTypes are the types of the scalars of a value.
func (g *gen) leafTypes(id ir.TypeID) (l []ir.TypeID) {
	g.EachLeaf(id, gotree.Blank, func(_ gotree.Expr, t ir.TypeID) { l = append(l, t) })
	return l
}

// standsIn reports whether the program may get functions at run time: from texts, from the engine for live code or,
// if code calls addresses, from Go code.
func (g *gen) standsIn() bool {
	return g.Describes() || (g.opt.Package != "main" || g.has(isRegistered)) && g.has(isFuncAt)
}

func isFuncAt(v *ir.Version, in *ir.Inst) bool { return in.Op == ir.OpFuncAt }

// isRegistered reports whether an instruction calls an address that Go code may have registered.
func isRegistered(v *ir.Version, in *ir.Inst) bool {
	if in.Op != ir.OpCCall {
		return false
	}
	c := v.Values[in.Args[0]].Const
	return c == nil || c.Kind == ir.ConstExtern && clib.Table[c.Sym].Go == ""
}

// has reports whether some instruction of the program satisfies is.
func (g *gen) has(is func(*ir.Version, *ir.Inst) bool) bool {
	for _, f := range g.IR.Funcs {
		if v := f.Current(); v != nil {
			for i := range v.Insts {
				if is(v, &v.Insts[i]) {
					return true
				}
			}
		}
	}
	return false
}

// thunkCode emits, for each class of signatures that code may call, a function that makes stand-ins: for functions
// declared at run time, for those that Go code has registered, and for bodies that the engine for live code runs.
// Stand-ins are closures over the part of their record that a call through a funcref finds after the address of the
// code, see rt.Func.
func (g *gen) thunkCode() []gotree.Decl {
	var out []gotree.Decl
	var rows []gotree.Expr
	for c, sig := range g.Classes() {
		fn := g.Top(fmt.Sprintf("thunk_%d", c))
		n, f := g.At(sig), node.Name("f")
		body := g.bridgeBody(n)
		var outer gotree.Block
		closure := &gotree.FuncLit{Sig: g.GoSig(sig, g.paramNames(n), true), Body: body}
		outer.DefineAll([]gotree.Expr{f}, []*gotree.Type{repr.CallType(c)}, []gotree.Expr{node.Conv(repr.CallType(c), closure)})
		outer.Return(node.Deref(gotree.UnsafePtr, node.AddressOf(f)))
		out = append(out, &gotree.Func{Name: fn, Body: &outer, Sig: &gotree.Sig{
			Params: []gotree.Param{{Name: "self", T: node.RuntimeType("Self")}}, Results: []gotree.Param{{T: gotree.UnsafePtr}}}})
		rows = append(rows, node.Composite(nil, node.IntField("Params", g.ListOf(n.Fields)), node.IntField("Results", g.ListOf(n.Results)), node.Field("New", node.Name(fn))))
	}
	if rows == nil {
		return nil
	}
	return append(out, node.Table("thunks", node.RuntimeType("Thunk"), rows))
}

// bridgeBody is the body of a stand-in: it calls the function through the transfer area.
func (g *gen) bridgeBody(sig *ir.Type) *gotree.Block {
	body := &gotree.Block{}
	passed := g.moved(sig.Fields)
	if passed {
		area := repr.TransferVar(body, "x")
		for i, ty := range sig.Fields {
			g.Put(body, area, ty, node.Name(paramName(i)))
		}
	}
	body.Do(node.Method(node.Method(node.Name("self"), "Func"), "Enter", node.Ctx))
	if len(sig.Results) == 0 {
		return body
	}
	thrown := body.Sub()
	thrown.Return()
	body.If(node.Thrown(), thrown, nil)
	if !g.moved(sig.Results) {
		body.Return()
		return body
	}
	area := repr.TransferArea(node.Name("x"))
	if passed {
		body.Set(node.Name("x"), node.Runtime("X", node.Ctx)) // another thread may run the stack now
	} else {
		area = repr.TransferVar(body, "x")
	}
	for i, ty := range sig.Results {
		g.Take(body, area, ty, node.Name(repr.ResultName(i)))
	}
	body.Return()
	return body
}

// nameTable emits the names of entities.
func (g *gen) nameTable() gotree.Decl {
	var rows []gotree.Expr
	for _, e := range g.opt.Names {
		rows = append(rows, node.Composite(nil, node.IntField("ID", e.ID), node.StrField("Name", e.Name)))
	}
	return node.Table("entityNames", node.RuntimeType("EntityName"), rows)
}
