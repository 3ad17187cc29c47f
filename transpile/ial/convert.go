package ial

import (
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// convert is a conversion between types of registers (docs/ial.md, "Conversions").
func (b *body) convert(v ir.ValueID, from, to *module.Type) ir.ValueID {
	id := b.types.register(to)
	switch {
	case from == to:
		return v
	case from.IsInt() && to.IsInt():
		return b.intToInt(v, from, to)
	case from.IsInt() && to.IsFloat():
		return b.Conv(kindOps{ir.OpSIToFP, ir.OpUIToFP, 0}.of(from), v, id)
	case from.IsFloat() && to.IsInt():
		return b.floatToInt(v, to)
	case from.IsFloat() && to.IsFloat():
		if to.Kind == module.Float64 {
			return b.Conv(ir.OpFPExt, v, id)
		}
		return b.Conv(ir.OpFPTrunc, v, id)
	case from.IsManaged():
		return b.cast(v, id)
	case from.Kind == module.Pointer && to.Kind == module.Pointer:
		return b.cast(v, id)
	}
	return b.fromAddress(b.toAddress(v, from), to)
}

// bits is the width of an integer in registers.
func bits(t *module.Type) int {
	if w := t.Width(); w != 0 {
		return w
	}
	return 64
}

func (b *body) intToInt(v ir.ValueID, from, to *module.Type) ir.ValueID {
	id := b.types.register(to)
	switch f, t := bits(from), bits(to); {
	case t < f:
		v = b.Conv(ir.OpTrunc, v, id)
	case t > f:
		v = b.Conv(kindOps{ir.OpSExt, ir.OpZExt, 0}.of(from), v, id)
	}
	if to.Kind == module.Int && from.Width() != 0 && (from.Width() < 32 || from.Kind == module.Int32) ||
		to.Kind == module.Uint && from.Width() != 0 && from.Width() <= 32 && !from.IsSigned() {
		return v // extended already
	}
	return b.extended(v, to)
}

// floatToInt clamps to the range of the type; of native words, to that of the target's.
func (b *body) floatToInt(v ir.ValueID, to *module.Type) ir.ValueID {
	x := b.Conv(kindOps{ir.OpFPToSI, ir.OpFPToUI, 0}.of(to), v, b.types.register(to))
	switch to.Kind {
	case module.Int:
		// The largest word is all ones, shifted right logically by one.
		most := b.SExtWord(b.Bin(ir.OpLShr, b.ZExtWord(b.i64(-1)), b.i64(1)))
		least := b.Bin(ir.OpXor, most, b.i64(-1))
		x = b.Select(b.Cmp(ir.OpSGT, x, most), most, x)
		x = b.Select(b.Cmp(ir.OpSLT, x, least), least, x)
	case module.Uint:
		most := b.ZExtWord(b.i64(-1))
		x = b.Select(b.Cmp(ir.OpUGT, x, most), most, x)
	}
	return x
}

// toAddress is a pointer, function pointer or word as an address.
func (b *body) toAddress(v ir.ValueID, t *module.Type) ir.ValueID {
	switch {
	case t.Kind == module.Pointer:
		return b.address(v)
	case t.Kind == module.FuncType && b.Types.Kind(b.TypeOf(v)) == ir.KFuncRef:
		return b.FuncAddr(v)
	}
	return b.ptrcast(v, b.types.word)
}

// fromAddress is the reverse.
func (b *body) fromAddress(v ir.ValueID, t *module.Type) ir.ValueID {
	switch id := b.types.register(t); {
	case t.Kind == module.Pointer:
		return b.Conv(ir.OpRefAt, v, id)
	case t.IsInt():
		return b.extended(b.ptrcast(v, id), t)
	case b.Types.Kind(id) == ir.KFuncRef:
		return b.FuncAt(b.types.signature(t), v, "") // only where it cannot fail, see facts
	default:
		return b.ptrcast(v, id)
	}
}
