package term

import (
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
)

// Given is the type that replaces a type parameter in a copy of its function. It has the size and
// alignment of t, which are all that the function knows of its values. It does not contain what t points
// to or hides, and other things that make no difference, so that many types share one Given.
func (g *Graph) Given(t ID) ID {
	t = g.bare(t)
	if g.nodes[t].Op == op.Bool {
		return g.intern(Node{Op: op.Given, Imm: 1, Args: []ID{g.Prim(op.Byte)}})
	}
	if g.nodes[t].Op == op.Given {
		return t
	}
	return g.Mk(op.Given, t)
}

// IsGivenBool reports whether a type is the Given for bool. Its values are bytes, which may be other
// than 0 and 1.
func (g *Graph) IsGivenBool(t ID) bool { return g.nodes[t].Op == op.Given && g.nodes[t].Imm == 1 }

// bare is a type with the same representation, without the parts that do not affect the representation.
func (g *Graph) bare(t ID) ID {
	if known, ok := g.bares[t]; ok {
		return known
	}
	out, n := t, g.nodes[t]
	switch n.Op {
	case op.Pointer, op.MemberPtr, op.BasePtr:
		out = g.Pointer(g.Prim(op.Byte), 0)
	case op.Member:
		out = g.Prim(op.IPtr)
	case op.Given:
		if n.Imm == 0 {
			out = n.Args[0]
		}
	case op.Apply:
		out = g.bare(g.Body(t))
	case op.Exists:
		_, result := g.Open(t)
		out = g.bare(result)
	case op.Constant:
		out = g.bare(g.TypeOf(n.Args[0]))
	case op.Struct, op.Union:
		args := make([]ID, len(n.Args))
		for i, a := range n.Args {
			args[i] = g.bare(a)
		}
		out = g.Mk(n.Op, args...)
	case op.Array:
		out = g.Mk(op.Array, g.bare(n.Args[0]), n.Args[1])
	}
	g.bares[t] = out
	return out
}

// Padded reports whether values of a type have bytes outside their scalars, or bools, so that
// copying the scalars does not copy all bytes.
func (g *Graph) Padded(t ID) bool {
	r, known := g.padded[t]
	if !known {
		r = g.hasPadding(t)
		g.padded[t] = r
	}
	return r
}

func (g *Graph) hasPadding(t ID) bool {
	switch n := g.nodes[t]; n.Op {
	case op.Bool:
		return true
	case op.Struct:
		size := layout.Const(0)
		for _, m := range n.Args {
			if g.Padded(m) {
				return true
			}
			size = size.Add(g.Layout(m).Size)
		}
		return size != g.Layout(t).Size
	case op.Array, op.Given:
		return g.Padded(n.Args[0])
	case op.Apply:
		return g.Padded(g.Body(t))
	case op.Exists:
		_, result := g.Open(t)
		return g.Padded(result)
	case op.Constant:
		return g.Padded(g.TypeOf(n.Args[0]))
	case op.Union: // its bytes, or a member as large as a word
		return !g.Layout(t).Size.Fixed()
	}
	return false
}
