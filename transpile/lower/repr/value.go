package repr

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// Constant is the Go expression of a constant. Integers are bare literals.
func (g *Program) Constant(c *ir.Const) gotree.Expr {
	switch c.Kind {
	case ir.ConstInt:
		n := g.At(c.Type)
		switch {
		case n.Kind == ir.KInt && n.Bits == 1:
			if c.Lo&1 != 0 {
				return gotree.True
			}
			return gotree.False
		case n.Kind == ir.KInt && n.Bits > 64:
			return node.Composite(node.U128, node.Field("Lo", node.Hex(c.Lo)), node.Field("Hi", node.Hex(c.Hi)))
		case n.Kind != ir.KInt && c.Lo>>32 != 0:
			// An address, of which a platform may have fewer bits.
			return node.Conv(gotree.Uintptr, node.Bin(gotree.And, node.Hex(c.Lo), node.Qual("rt", "WordMask")))
		}
		return node.BitsLit(c.Lo)
	case ir.ConstFP:
		return node.Float(c.Lo, g.Kind(c.Type) == ir.KFloat)
	case ir.ConstAggregate:
		var l []gotree.Elem
		for _, el := range c.Elems {
			l = append(l, gotree.Elem{X: g.Constant(el)})
		}
		return node.Composite(g.GoType(c.Type), l...)
	case ir.ConstBytes:
		var l []gotree.Elem
		for i := range len(c.Bytes) {
			l = append(l, gotree.Elem{X: node.Lit(uint32(c.Bytes[i]))})
		}
		return node.Composite(g.GoType(c.Type), l...)
	case ir.ConstGlobal:
		return g.CellAddr(c.Global)
	case ir.ConstFunc:
		return node.Conv(gotree.Uintptr, g.recordPointer(c.Func))
	case ir.ConstExpose:
		return node.RuntimeInt("ExposedAddr", g.ExposureAddr(c.Expose))
	case ir.ConstExtern:
		return &gotree.Ident{Name: g.Symbol(c), K: gotree.Int}
	case ir.ConstNull:
		return node.Zero
	}
	panic(fmt.Sprintf("internal error: constant of kind %d", c.Kind))
}
