package uvm2014

import "github.com/uvm2go/uvm2go/transpile/ir"

// A meaning is what a syntax.Node of the bundle being loaded means, if that is known and was told
// without a message: of a type or signature typ; of a literal con, where typ is wanted.
type meaning struct {
	typ ir.TypeID
	con *ir.Const
}

// known is the type or signature that a node means, NoType if it is not known.
func (l *loader) known(node int) ir.TypeID {
	if node == 0 {
		return ir.NoType
	}
	return l.nodes[node].typ
}
