package uvm2014

import "github.com/uvm2go/uvm2go/transpile/ir"

// A meaning is the meaning of a syntax.Node of the bundle being loaded, if it is known and was found
// without a message: for a type or signature typ; for a literal con, where a constant of type typ is
// expected.
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
