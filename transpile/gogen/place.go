package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// place is an address: an expression, scaled indices and a constant distance
// from it.
type place struct {
	base expr       // a uintptr
	cell expr       // the variable of a global cell that the base is the address of, or nil
	ix   expr       // what is added to the base, or nil
	off  layout.Num // the distance
	neg  uint64     // what is subtracted instead; off is 0 then
}

// address is the address as a uintptr.
func (p place) address() expr {
	x := p.base
	if p.ix != nil {
		x = add(x, p.ix)
	}
	switch {
	case p.neg > 0:
		return sub(x, lit(p.neg))
	case p.off != layout.Num{}:
		return add(x, sizeExpr(p.off))
	}
	return x
}

// pointer is the address as an unsafe.Pointer.
func (p place) pointer() expr {
	if p.cell == nil {
		return pointerTo(p.address())
	}
	base := addressOf(p.cell)
	switch {
	case p.ix != nil:
		rest := place{base: p.ix, off: p.off, neg: p.neg}
		return offset(base, rest.address())
	case p.neg > 0:
		return offset(base, neg(lit(p.neg)))
	case p.off != layout.Num{}:
		return offset(base, sizeExpr(p.off))
	}
	return base
}

// at is the place at a further distance.
func (p place) at(n layout.Num) place {
	if p.neg == 0 {
		p.off = p.off.Add(n)
		return p
	}
	d := p.neg
	p.off, p.neg = n, 0
	return p.back(layout.Const(d))
}

// back is the place a distance before.
func (p place) back(d layout.Num) place {
	switch {
	case p.off.W4 >= d.W4 && p.off.W8 >= d.W8:
		p.off = layout.Num{W4: p.off.W4 - d.W4, W8: p.off.W8 - d.W8}
	case p.off.Fixed() && d.Fixed() && p.neg+d.W8 < 1<<31:
		p.off, p.neg = layout.Num{}, p.neg+d.W8-p.off.W8
	default:
		return place{base: sub(p.address(), sizeExpr(d))}
	}
	return p
}

// where is the place that a reference or pointer operand denotes.
func (e *fn) where(x ir.ValueID) place {
	x = e.plan.Alias[x]
	v := &e.v.Values[x]
	if v.Kind == ir.ValueResult && e.plan.Inline[x] {
		in := &e.v.Insts[v.Def]
		if in.Op.Info().Class == ir.ClassAddr {
			return e.placeOf(in)
		}
	}
	if v.Kind == ir.ValueConst {
		switch v.Const.Kind {
		case ir.ConstInt, ir.ConstNull:
			return place{base: rtVar(conv(gotree.Uintptr, e.expr(x)))}
		case ir.ConstGlobal:
			return place{base: e.expr(x), cell: name(e.globals[v.Const.Global])}
		}
	}
	return place{base: e.expr(x)}
}

// placeOf is the result of an addressing instruction.
func (e *fn) placeOf(in *ir.Inst) place {
	p := e.where(in.Args[0])
	l := e.lay.Of(in.Ty)
	switch in.Op {
	case ir.OpGetFieldIRef:
		return p.at(l.Offsets[in.Imm])
	case ir.OpGetVarPartIRef:
		return p.at(l.Size)
	case ir.OpGetElemIRef:
		return e.indexed(p, l.Stride, in)
	case ir.OpShiftIRef:
		return e.indexed(p, l.Size.AlignUp(l.Align), in)
	}
	return p
}

// indexed is p moved by the signed index operand of in times stride.
func (e *fn) indexed(p place, stride layout.Num, in *ir.Inst) place {
	k := in.Args[1]
	n := e.at(in.Ty2).Bits
	if e.isConst(k) && n <= 64 {
		lo := e.v.Values[e.plan.Alias[k]].Const.Lo
		i := int64(lo<<(64-n)) >> (64 - n)
		if i >= 0 {
			return p.at(stride.Mul(uint64(i)))
		}
		return p.back(stride.Mul(uint64(-i)))
	}
	x := e.expr(k)
	switch {
	case n > 64:
		x = dot(x, "Lo")
	case n == 1:
		x = neg(rt("B2U", x))
	case n < 64:
		x = e.signed(k, n)
	}
	ix := conv(gotree.Uintptr, x)
	if stride != layout.Const(1) {
		ix = bin(gotree.Mul, ix, sizeExpr(stride))
	}
	if p.ix != nil {
		ix = add(p.ix, ix)
	}
	p.ix = ix
	return p
}
