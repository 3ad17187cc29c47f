package repr

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// access is the memory of a Go type at a place.
func access(t *gotree.Type, p Place) gotree.Expr { return node.Deref(t, p.Pointer()) }

// Load is the expression that reads a value of a type.
func (g *Program) Load(ty ir.TypeID, p Place) gotree.Expr {
	n := g.At(ty)
	switch n.Kind {
	case ir.KInt:
		switch {
		case n.Bits == 1:
			return node.Odd(access(gotree.Uint8, p))
		case n.Bits > 64:
			return node.Masked128(node.NumCall("LoadU128", p.Address()), n.Bits)
		default:
			return node.Masked(access(gotree.Unsigned(node.Container(n.Bits)), p), n.Bits)
		}
	case ir.KStruct, ir.KArray, ir.KVector:
		return node.Call(node.Name("ld_"+g.memFunc(ty)), p.Address())
	}
	return access(g.GoType(ty), p)
}

// Store writes a value of a type.
func (g *Program) Store(out *gotree.Block, ty ir.TypeID, p Place, val gotree.Expr) {
	n := g.At(ty)
	switch n.Kind {
	case ir.KInt:
		switch {
		case n.Bits == 1:
			out.Set(access(gotree.Uint8, p), node.Conv(gotree.Uint8, node.Runtime("B2U", val)))
			return
		case n.Bits > 64:
			out.Do(node.NumCall("StoreU128", p.Address(), val))
			return
		}
	case ir.KStruct, ir.KArray, ir.KVector:
		out.Do(node.Call(node.Name("st_"+g.memFunc(ty)), p.Address(), val))
		return
	}
	out.Set(access(g.GoType(ty), p), val)
}

// memFunc names the load and store functions of an aggregate.
func (g *Program) memFunc(ty ir.TypeID) string {
	if !g.memFuncs[ty] {
		g.memFuncs[ty] = true
		g.MemTypes = append(g.MemTypes, ty)
		n := g.At(ty)
		if n.Kind == ir.KStruct {
			for _, f := range n.Fields {
				g.touchMem(f)
			}
		} else {
			g.touchMem(n.Elem)
		}
	}
	return fmt.Sprint(ty)
}

func (g *Program) touchMem(ty ir.TypeID) {
	switch g.Kind(ty) {
	case ir.KStruct, ir.KArray, ir.KVector:
		g.memFunc(ty)
	}
}

// MemFuncCode emits the load and store functions of one aggregate.
func (g *Program) MemFuncCode(ty ir.TypeID) []gotree.Decl {
	n := g.At(ty)
	l := g.Layout.Of(ty)
	t := g.GoType(ty)
	var ld, st gotree.Block
	v := node.Name("v")
	if n.Kind == ir.KStruct {
		for i, f := range n.Fields {
			at := Place{Base: node.Name("p"), off: l.Offsets[i]}
			x := node.Dot(v, FieldName(i))
			ld.Set(x, g.Load(f, at))
			g.Store(&st, f, at, x)
		}
	} else {
		at := Place{Base: node.Name("p"), Ix: node.Bin(gotree.Mul, node.Conv(gotree.Uintptr, node.Name("i")), node.Size(l.Stride))}
		x := &gotree.Index{X: v, I: node.Name("i")}
		var get, put gotree.Block
		get.Set(x, g.Load(n.Elem, at))
		g.Store(&put, n.Elem, at, x)
		ld.Range("i", v, &get)
		st.Range("i", v, &put)
	}
	ld.Return()
	p := gotree.Param{Name: "p", T: gotree.Uintptr}
	val := gotree.Param{Name: "v", T: t}
	return []gotree.Decl{
		&gotree.Func{Name: fmt.Sprintf("ld_%d", ty), Sig: &gotree.Sig{Params: []gotree.Param{p}, Results: []gotree.Param{val}}, Body: &ld},
		&gotree.Func{Name: fmt.Sprintf("st_%d", ty), Sig: &gotree.Sig{Params: []gotree.Param{p, val}}, Body: &st},
	}
}

// Place is an address: an expression, scaled indices and a constant distance
// from it.
type Place struct {
	Base gotree.Expr // a uintptr
	Cell gotree.Expr // the variable of a global cell that the base is the address of, or nil
	Ix   gotree.Expr // what is added to the base, or nil
	off  layout.Num  // the distance
	neg  uint64      // what is subtracted instead; off is 0 then
}

// Address is the address as a uintptr.
func (p Place) Address() gotree.Expr {
	x := p.Base
	if p.Ix != nil {
		x = node.Add(x, p.Ix)
	}
	switch {
	case p.neg > 0:
		return node.Sub(x, node.Lit(p.neg))
	case p.off != layout.Num{}:
		return node.Add(x, node.Size(p.off))
	}
	return x
}

// Pointer is the address as an unsafe.Pointer.
func (p Place) Pointer() gotree.Expr {
	if p.Cell == nil {
		return node.PointerTo(p.Address())
	}
	base := node.AddressOf(p.Cell)
	switch {
	case p.Ix != nil:
		rest := Place{Base: p.Ix, off: p.off, neg: p.neg}
		return node.Offset(base, rest.Address())
	case p.neg > 0:
		return node.Offset(base, node.Neg(node.Lit(p.neg)))
	case p.off != layout.Num{}:
		return node.Offset(base, node.Size(p.off))
	}
	return base
}

// At is the place at a further distance.
func (p Place) At(n layout.Num) Place {
	if p.neg == 0 {
		p.off = p.off.Add(n)
		return p
	}
	d := p.neg
	p.off, p.neg = n, 0
	return p.Back(layout.Const(d))
}

// Back is the place a distance before.
func (p Place) Back(d layout.Num) Place {
	switch {
	case p.off.W4 >= d.W4 && p.off.W8 >= d.W8:
		p.off = layout.Num{W4: p.off.W4 - d.W4, W8: p.off.W8 - d.W8}
	case p.off.Fixed() && d.Fixed() && p.neg+d.W8 < 1<<31:
		p.off, p.neg = layout.Num{}, p.neg+d.W8-p.off.W8
	default:
		return Place{Base: node.Sub(p.Address(), node.Size(d))}
	}
	return p
}
