package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// classTable emits the signature classes of a package.
func (g *gen) classTable() []gotree.Decl {
	if g.Alone() || len(g.Classes()) == 0 {
		return nil
	}
	var rows []gotree.Expr
	for _, sig := range g.Classes() {
		n := g.At(sig)
		rows = append(rows, node.Composite(nil, node.IntField("Params", g.ListOf(n.Fields)), node.IntField("Results", g.ListOf(n.Results))))
	}
	return []gotree.Decl{node.Table("classes", node.RuntimeType("Class"), rows)}
}
