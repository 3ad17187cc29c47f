package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// nativeCode emits the variables of symbols and the table of signatures.
func (g *gen) nativeCode() []gotree.Decl {
	var out []gotree.Decl
	if g.opt.Unit {
		out = append(out, g.handedSymbols()...)
	} else if len(g.Symbols) > 0 {
		var rows []gotree.Expr
		for i, c := range g.Symbols {
			out = append(out, &gotree.VarDecl{Name: g.SymbolVars[c.Sym], T: gotree.Uintptr, Apart: i == 0})
			rows = append(rows, node.Composite(nil, node.StrField("Name", c.Sym), node.StrField("Pos", constPos(g.IR, c)), node.Field("Addr", node.Addr(node.Name(g.SymbolVars[c.Sym])))))
		}
		out = append(out, node.Table("externs", node.RuntimeType("Extern"), rows))
	}
	if len(g.IR.Exposes) > 0 && !g.opt.Unit {
		var rows []gotree.Expr
		for _, x := range g.IR.Exposes {
			rows = append(rows, node.Addr(node.Name(g.Exposes[x])))
		}
		out = append(out, node.Table("exposures", gotree.PtrTo(node.RuntimeType("Exposure")), rows))
	}
	if len(g.CSigTexts) > 0 {
		var rows []gotree.Expr
		for _, s := range g.CSigTexts {
			params, results := csigWords(s)
			g.MaxTransfer = max(g.MaxTransfer, params, results)
			rows = append(rows, node.Composite(nil, node.StrField("Desc", s), node.IntField("Args", params), node.IntField("Results", results)))
		}
		out = append(out, node.Table("csigs", node.RuntimeType("CSig"), rows))
	}
	return out
}

// constPos is the position of a constant in the bundle, "" if unknown.
func constPos(p *ir.Program, c *ir.Const) string {
	if p.Files == nil || !c.Pos.IsValid() {
		return ""
	}
	return p.Files.Position(c.Pos).String()
}

// readsErrno reports whether anything may read errno: the program, through a native symbol, C code, a bundle
// loaded at run time, or Go code.
func (g *gen) readsErrno() bool {
	opt := g.opt
	if g.Cgo || g.Loads || opt.Package != "main" || len(opt.GoNatives) > 0 {
		return true
	}
	w := &externWalker{p: g.IR, seen: map[string]*ir.Const{}}
	w.program(opt)
	for sym := range repr.ErrnoSymbols {
		if w.seen[sym] != nil {
			return true
		}
	}
	return false
}
