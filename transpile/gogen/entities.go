package gogen

import (
	"fmt"
	"sort"
	"strings"

	"github.com/dave/jennifer/jen"

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
func (g *gen) entityCode(out *code) string {
	var b strings.Builder
	b.WriteString("var entities = [...]rt.Entity{\n")
	for _, e := range g.typeEntities() {
		kind := "Type"
		if g.kind(e.ty) == ir.KSig {
			kind = "Sig"
		}
		fmt.Fprintf(&b, "{ID: %d, Kind: rt.%sEntity, Type: &vtypes[%d]},\n", e.id, kind, g.vtype(e.ty))
	}
	var cases []jen.Code
	for _, c := range g.p.Consts {
		if c.ID == 0 {
			continue
		}
		fmt.Fprintf(&b, "{ID: %d, Kind: rt.ConstEntity, Type: &vtypes[%d]},\n", c.ID, g.vtype(c.Type))
		var put code
		w, r := 0, 0
		val := g.constant(c)
		switch g.kind(c.Type) {
		case ir.KStruct, ir.KArray, ir.KVector:
		default:
			val = g.goType(c.Type) + "(" + val + ")"
		}
		if g.at(c.Type).Kind == ir.KInt && g.at(c.Type).Bits > 64 {
			val = g.constant(c)
		}
		put.add("v := %s", val)
		g.leavesOut(&put, c.Type, "v", &w, &r)
		if w+r == 0 {
			put = nil
		}
		g.maxTransfer = max(g.maxTransfer, w, r)
		cases = append(cases, jen.Case(raw("%d", c.ID)).Block(put...))
	}
	for _, c := range g.p.Globals {
		fmt.Fprintf(&b, "{ID: %d, Kind: rt.GlobalEntity, Type: &vtypes[%d], Addr: uintptr(unsafe.Pointer(&%s))},\n", c.ID, g.vtype(c.Type), g.globals[c])
	}
	for _, x := range g.p.Exposes {
		fmt.Fprintf(&b, "{ID: %d, Kind: rt.ExposeEntity, Type: &vtypes[%d], Exposure: &%s},\n", x.ID, g.vtype(x.Type), g.exposes[x])
	}
	for _, f := range g.p.Funcs {
		if f.Of != nil {
			continue
		}
		pointer := ""
		if g.exposable(f) {
			k := g.csig(f.Sig)
			g.useOf(k).expose = true
			pointer = fmt.Sprintf(", CSig: &csigs[%d], Pointer: &vtypes[%d]", k, g.vtype(g.p.Types.Of(ir.KUFuncPtr, f.Sig)))
		}
		fmt.Fprintf(&b, "{ID: %d, Kind: rt.FuncEntity, Type: &vtypes[%d], Func: &%s.Func, Params: %s, Results: %s%s},\n",
			f.ID, g.vtype(g.p.Types.Of(ir.KFuncRef, f.Sig)), g.info[f].rec, g.vtypesOf(g.at(f.Sig).Fields), g.vtypesOf(g.at(f.Sig).Results), pointer)
	}
	b.WriteString("}")
	*out = append(*out, jen.Line(), raw("%s", b.String()), jen.Line())
	body := code{raw("x := rt.X(t)")}
	if cases == nil {
		body = append(body, raw("_ = x"))
	}
	cases = append(cases, jen.Default().Block(raw("rt.NoConstant(id)")))
	body = append(body, raw("switch id").Block(cases...))
	*out = append(*out, raw("func constant(t *rt.Ctx, id uint32)").Block(body...), jen.Line())
	return ", Entities: entities[:], Constant: constant" + g.thunkCode(out)
}

// thunkCode emits what makes stand-ins for functions that are declared at run time, for each
// class of signatures that code may call, and returns the field of the program for it. The
// functions are closures over the part of their record that a call through a funcref finds
// behind the address of the code, see rt.Func.
func (g *gen) thunkCode(out *code) string {
	if len(g.Classes()) == 0 {
		return ""
	}
	var rows []string
	for c, sig := range g.Classes() {
		name := g.top(fmt.Sprintf("thunk_%d", c))
		n := g.at(sig)
		body := g.undefinedBody(n, "f", fmt.Sprintf("(*%s)(unsafe.Pointer(f)).F", recType(c)))
		*out = append(*out, jen.Line(), raw("func %s(self rt.Self) unsafe.Pointer", name).Block(
			raw("f := %s(func%s", callType(c), g.goSig(sig, g.paramNames(n), true)).Block(
				append(code{raw("f := self.Func()")}, body...)...).Op(")"),
			raw("return *(*unsafe.Pointer)(unsafe.Pointer(&f))")))
		rows = append(rows, fmt.Sprintf("{Params: %d, Results: %d, New: %s},", g.listOf(n.Fields), g.listOf(n.Results), name))
	}
	*out = append(*out, jen.Line(), raw("var thunks = [...]rt.Thunk{\n%s\n}", strings.Join(rows, "\n")))
	return ", Thunks: thunks[:]"
}

// vtypesOf lists the descriptions of types.
func (g *gen) vtypesOf(ids []ir.TypeID) string {
	if len(ids) == 0 {
		return "nil"
	}
	var l []string
	for _, id := range ids {
		l = append(l, fmt.Sprintf("&vtypes[%d]", g.vtype(id)))
	}
	return "[]*rt.VType{" + strings.Join(l, ", ") + "}"
}
