package term

import (
	"math/big"

	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// A Form has the properties of a function type other than the types in it.
type Form struct {
	Phantoms int
	Conv     syntax.Conv
	SRet     bool
	Attrs    []syntax.Attrs // of the parameters and the result
}

// ByVal reports whether a function gets the address of a copy for a parameter.
func (f *Form) ByVal(i int) bool { return f.Attrs != nil && f.Attrs[i]&syntax.ByVal != 0 }

// Pointer is the type of addresses of T; upref 0 means that the container is not known.
func (g *Graph) Pointer(t, upref ID) ID {
	if upref == 0 {
		upref = g.null
	}
	return g.Mk(op.Pointer, t, upref)
}

// Null is upref_null.
func (g *Graph) Null() ID { return g.null }

// TypeType is the type of types.
func (g *Graph) TypeType() ID { return g.typeType }

// UprefType is the type of upward references.
func (g *Graph) UprefType() ID { return g.uprefType }

// Element is a part of a value. The index of all but arrays is a literal of type uiptr.
func (g *Graph) Element(v, i ID) ID {
	n := &g.nodes[v]
	k, known := g.IndexOf(i)
	switch {
	case !known:
	case n.Op == op.StructV && k < len(n.Args):
		return n.Args[k]
	case n.Op == op.ArrayV && k+1 < len(n.Args):
		return n.Args[k+1]
	case n.Op == op.ApplyV && k == 0:
		return n.Args[1]
	case n.Op == op.UnionV && !g.Loose(v):
		t, inner := n.Args[0], n.Args[1]
		if body := g.Body(t); body != 0 && k == 0 {
			return g.Mk(op.UnionV, body, inner)
		} else if body == 0 && g.Part(t, i) == g.TypeOf(inner) {
			return inner
		}
	case n.Op == op.Zero && !g.Loose(v):
		if t := g.Part(n.Args[0], i); t != 0 {
			return g.Zero(t)
		}
	}
	return g.Mk(op.Element, v, i)
}

// Zero is the zero of a type.
func (g *Graph) Zero(t ID) ID {
	n := &g.nodes[t]
	switch {
	case n.Op.IsInt():
		return g.Num(n.Op, 0)
	case n.Op == op.Bool:
		return g.Bool(false)
	case n.Op == op.Empty:
		return g.Mk(op.EmptyV)
	}
	return g.Mk(op.Zero, t)
}

// Gep is the address of a part.
func (g *Graph) Gep(p, i ID) ID { return g.Mk(op.Gep, p, i) }

// OuterPtr is the address of the value that p points to a part of.
func (g *Graph) OuterPtr(p ID) ID {
	if n := &g.nodes[p]; n.Op == op.Gep {
		return n.Args[0]
	}
	return g.Mk(op.OuterPtr, p)
}

// PointerCast is a pointer of another type.
func (g *Graph) PointerCast(p, t, upref ID) ID {
	for g.nodes[p].Op == op.PointerCast {
		p = g.nodes[p].Args[0]
	}
	if t != 0 && upref != 0 && g.TypeOf(p) == g.Pointer(t, upref) {
		return p
	}
	return g.Mk(op.PointerCast, p, t, upref)
}

// PointerOffset is the address n elements further, n of a type of integers.
func (g *Graph) PointerOffset(prim op.Op, p, n ID) ID {
	if l, ok := g.LitOf(n); ok && l.Bits().Sign() == 0 {
		return p
	}
	return g.intern(Node{Op: op.PointerOffset, Imm: uint64(prim), Args: []ID{p, n}})
}

// Upref is the upward reference of part i of an outer type, which itself was reached by next. outer is
// only needed if it does not follow from next.
func (g *Graph) Upref(i, next, outer ID) ID {
	if g.nodes[next].Op == op.Upref {
		return g.Mk(op.Upref, i, next)
	}
	return g.Mk(op.Upref, i, next, outer)
}

// Outer is the outer type of an upward reference, 0 for terms without one.
func (g *Graph) Outer(u ID) ID {
	n := &g.nodes[u]
	switch {
	case n.Op != op.Upref:
		return 0
	case len(n.Args) == 3:
		return n.Args[2]
	}
	next := n.Args[1]
	return g.Part(g.Outer(next), g.nodes[next].Args[0])
}

// Sizeof is the size of a type in bytes.
func (g *Graph) Sizeof(t ID) ID {
	return g.extent(op.Sizeof, t, 0, g.Layout(t).Size)
}

// Alignof is the alignment of a type in bytes.
func (g *Graph) Alignof(t ID) ID {
	return g.extent(op.Alignof, t, 1, g.Layout(t).Align)
}

// extent is the size or alignment of a type: a number if n is the same on all targets; the operand,
// if the type is a type_v.
func (g *Graph) extent(o op.Op, t ID, operand int, n layout.Num) ID {
	if g.nodes[t].Op == op.TypeV {
		return g.nodes[t].Args[operand]
	}
	if g.Layout(t).Kind == Static && n.Fixed() && n.W8 < layout.TooBig {
		return g.Lit(syntax.MakeInt(op.UIPtr, new(big.Int).SetUint64(n.W8)))
	}
	return g.Mk(o, t)
}

// Parted is a term with a type and the index of a part of it: struct_m and similar terms, struct_eo.
func (g *Graph) Parted(o op.Op, t, i ID) ID { return g.Mk(o, t, i) }

// UnwrapParam is parameter k that the exists value w hides.
func (g *Graph) UnwrapParam(w ID, k int) ID {
	return g.intern(Node{Op: op.UnwrapParam, Imm: uint64(k), Args: []ID{w}})
}

// Function is a function type. Its parameters are given as symbols; the type of a parameter may contain the
// parameters before it.
func (g *Graph) Function(form Form, params []*Symbol, result ID) ID {
	n := Node{Op: op.Function, Imm: uint64(form.Phantoms) | uint64(form.Conv)<<32, Args: g.close(params, result)}
	if form.SRet {
		n.Imm |= 1 << 40
	}
	for i, a := range form.Attrs {
		if a != 0 && n.Attr == nil {
			n.Attr = make([]uint8, len(form.Attrs))
		}
		if a != 0 {
			n.Attr[i] = uint8(a)
		}
	}
	return g.named(g.intern(n), params)
}

// Exists is an exists type, with parameters as Function has them.
func (g *Graph) Exists(params []*Symbol, result ID) ID {
	return g.named(g.Mk(op.Exists, g.close(params, result)...), params)
}

// named records the names that the parameters of a type had first.
func (g *Graph) named(id ID, params []*Symbol) ID {
	if g.names[id] == nil {
		names := make([]string, len(params))
		for i, p := range params {
			names[i] = p.Name
		}
		g.names[id] = names
	}
	return id
}

// FormOf is the form of a function type.
func (g *Graph) FormOf(id ID) Form {
	n := &g.nodes[id]
	f := Form{Phantoms: int(uint32(n.Imm)), Conv: syntax.Conv(n.Imm >> 32 & 0xff), SRet: n.Imm>>40 != 0}
	for _, a := range n.Attr {
		f.Attrs = append(f.Attrs, syntax.Attrs(a))
	}
	return f
}

// NumParams is the number of parameters of a function or exists type.
func (g *Graph) NumParams(id ID) int { return max(len(g.nodes[id].Args)-1, 0) }

// Names are the names of the parameters of a function or exists type.
func (g *Graph) Names(id ID) []string { return g.names[id] }

// rebuild is a term with other operands.
func (g *Graph) rebuild(n Node, args []ID) ID {
	prim := op.Op(n.Imm)
	switch n.Op {
	case op.Div:
		return g.Div(prim, args[0], args[1])
	case op.Add:
		return g.Add(prim, args[0], args[1])
	case op.Mul:
		return g.Mul(prim, args[0], args[1])
	case op.CmpEQ, op.CmpNE, op.CmpLT, op.CmpLE:
		return g.Cmp(n.Op, prim, args[0], args[1])
	case op.BitAnd, op.BitOr, op.BitXor:
		id := args[0]
		for _, a := range args[1:] {
			id = g.Bits(n.Op, prim, id, a)
		}
		return id
	case op.BitNot:
		return g.Not(prim, args[0])
	case op.Shl, op.Shr:
		return g.Shift(n.Op, prim, args[0], args[1])
	case op.Bitcast:
		return g.Bitcast(prim, args[0], args[1])
	case op.Select:
		return g.Select(args[0], args[1], args[2])
	case op.ToUIPtr:
		return g.ToUIPtr(prim, args[0])
	case op.Element:
		return g.Element(args[0], args[1])
	case op.Zero:
		return g.Zero(args[0])
	case op.OuterPtr:
		return g.OuterPtr(args[0])
	case op.PointerCast:
		return g.PointerCast(args[0], args[1], args[2])
	case op.PointerOffset:
		return g.PointerOffset(prim, args[0], args[1])
	case op.Upref:
		return g.Upref(args[0], args[1], append(args, 0)[2])
	case op.Sizeof:
		return g.Sizeof(args[0])
	case op.Alignof:
		return g.Alignof(args[0])
	}
	return g.intern(Node{Op: n.Op, Imm: n.Imm, Attr: n.Attr, Args: args})
}
