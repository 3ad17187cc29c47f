package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// Units (repr.Options.Unit). A plugin has no records, cells and entities of its own. Its first package
// variables are initialised with those of the running program, which it asks the runtime for in the
// order of the representation.

// handed is a variable with an address that comes from the running program: of type t, or a number if t is nil.
func (g *gen) handed(name string, t *gotree.Type, from string, i int) gotree.Decl {
	x := node.RuntimeInt(from, node.Lit(i))
	if t != nil { // the runtime returns a pointer: Go would check one that is made of a number here, under -race
		x = node.Conv(t, node.Runtime(from, node.Lit(i)))
	}
	return &gotree.VarDecl{Name: name, X: x, Apart: i == 0}
}

// handedSymbols are the variables of symbols: they have the addresses that the running program has for the bundle.
func (g *gen) handedSymbols() (out []gotree.Decl) {
	for i, c := range g.Symbols {
		out = append(out, &gotree.VarDecl{Name: g.SymbolVars[c.Sym], X: node.RuntimeInt("UnitSymbol", node.Str(c.Sym)), Apart: i == 0})
	}
	return out
}

// unitCode emits the table that says which function gets which body, and returns the fields of the program for it.
func (g *gen) unitCode() ([]gotree.Decl, []gotree.Elem) {
	var rows, loops []gotree.Expr
	loop := map[*ir.Function]bool{}
	for _, f := range g.opt.Loops {
		loop[f] = true
	}
	for _, f := range g.IR.Funcs {
		switch {
		case loop[f]:
			loops = append(loops, g.Funcs[f].ImplAddr())
		case f.Current() != nil:
			rows = append(rows, node.Composite(nil, node.Field("Of", g.Funcs[f].RecordAddr()), node.Field("Func", g.Funcs[f].ImplAddr())))
		}
	}
	out := []gotree.Decl{node.Table("impls", node.RuntimeType("Impl"), rows)}
	fields := []gotree.Elem{node.Field("Unit", gotree.True), slice("Impls", "impls")}
	if loops != nil {
		out, fields = append(out, node.Table("loops", gotree.PtrTo(node.RuntimeType("Func")), loops)), append(fields, slice("Loops", "loops"))
	}
	var objects []gotree.Expr
	for _, id := range g.opt.Objects {
		desc := gotree.Expr(gotree.Nil)
		if g.HasDesc(id) {
			desc = node.Addr(g.DescVar(id))
		}
		objects = append(objects, desc)
	}
	if objects != nil {
		out, fields = append(out, node.Table("objects", gotree.PtrTo(node.RuntimeType("Type")), objects)), append(fields, slice("Objects", "objects"))
	}
	if thunks := g.thunkCode(); thunks != nil {
		out, fields = append(out, thunks...), append(fields, slice("Thunks", "thunks"))
	}
	return out, fields
}

// unitNatives makes the code that calls C if the running program is made for cgo: a file, and Go functions for others.
func (g *gen) unitNatives() (files []*part, common []gotree.Decl) {
	if !g.Cgo {
		return nil, nil
	}
	code := g.cgoCallers()
	if code.callers == nil {
		return nil, nil
	}
	var setup gotree.Block
	setup.Do(node.Call(node.Qual("ffi", "Agree"), cAddress("uvm_get_layout")))
	lent := func(fn string) gotree.Expr { return c("uintptr_t", node.Call(node.Qual("ffi", fn))) }
	setup.Do(c("uvm_init", lent("Before"), lent("After")))
	with := &part{name: "native_cgo", tag: "cgo", preamble: code.preamble(cTypesHead+cBorrowed+cScalarsAsWords, "")}
	with.decls = append(g.linking(&setup, "gives the C code of the unit functions of the program's."), code.callers...)
	return []*part{with}, code.common
}
