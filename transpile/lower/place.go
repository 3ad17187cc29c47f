package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// where is the place to which a reference or pointer operand points.
func (e *fn) where(x ir.ValueID) repr.Place {
	x = e.plan.Alias[x]
	v := &e.v.Values[x]
	if v.Kind == ir.ValueResult && e.plan.Inline[x] {
		in := &e.v.Insts[v.Def]
		if in.Op.Info().Class == ir.ClassAddr {
			p := e.placeOf(in)
			if p.Ix != nil {
				e.placed(ir.InstID(v.Def), p.Ix)
			}
			return p
		}
	}
	if v.Kind == ir.ValueConst {
		switch v.Const.Kind {
		case ir.ConstInt, ir.ConstNull:
			return repr.Place{Base: opaque(conv(gotree.Uintptr, e.expr(x)))}
		case ir.ConstGlobal:
			if e.AlignedCell(v.Const.Global) != "" {
				break
			}
			return repr.Place{Base: e.expr(x), Cell: name(e.Globals[v.Const.Global])}
		}
	}
	return repr.Place{Base: e.expr(x)}
}

// placeOf is the result of an addressing instruction.
func (e *fn) placeOf(in *ir.Inst) repr.Place {
	p := e.where(in.Args[0])
	l := e.Layout.Of(in.Ty)
	switch in.Op {
	case ir.OpGetFieldIRef:
		return p.At(l.Offsets[in.Imm])
	case ir.OpGetVarPartIRef:
		return p.At(l.Size)
	case ir.OpGetElemIRef:
		return e.indexed(p, l.Stride, in)
	case ir.OpShiftIRef:
		return e.indexed(p, l.Size.AlignUp(l.Align), in)
	}
	return p
}

// indexed is p moved by the signed index operand of in times stride.
func (e *fn) indexed(p repr.Place, stride layout.Num, in *ir.Inst) repr.Place {
	k := in.Args[1]
	n := e.At(in.Ty2).Bits
	if e.isConst(k) && n <= 64 {
		lo := e.v.Values[e.plan.Alias[k]].Const.Lo
		i := int64(lo<<(64-n)) >> (64 - n)
		if i >= 0 {
			return p.At(stride.Mul(uint64(i)))
		}
		return p.Back(stride.Mul(uint64(-i)))
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
	if p.Ix != nil {
		ix = add(p.Ix, ix)
	}
	p.Ix = ix
	return p
}
