package interp

import (
	"fmt"
	"math/big"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Operations that Mu has not: what other dialects need.

// shift is SHLFAR, LSHRFAR, ASHRFAR, ROTL and ROTR. The count is a number of any
// width, taken as unsigned.
func (d *decoder) shift(in *ir.Inst) (step, error) {
	if err := d.operands(in, in.Ty, in.Ty2); err != nil {
		return nil, err
	}
	if err := d.results(in, in.Ty); err != nil {
		return nil, err
	}
	t, vector := d.laneType(in.Ty)
	u, vector2 := d.laneType(in.Ty2)
	if t.Kind != ir.KInt || u.Kind != ir.KInt || vector != vector2 || vector && d.types.At(in.Ty).Len != d.types.At(in.Ty2).Len {
		return nil, d.mistyped(in)
	}
	f := shiftOp(in.Op, t.Bits, u.Bits)
	if vector {
		f = lanes(f)
	}
	x, y, to := d.operand(in.Args[0]), d.operand(in.Args[1]), d.result(in, 0)
	return func(_ *thread, fr *frame) action {
		fr.regs[to] = f(x.get(fr), y.get(fr))
		return next
	}, nil
}

// shiftOp computes with numbers of any size: x is n bits wide, the count m.
func shiftOp(op ir.Op, n, m uint32) valueOp {
	return func(x, y Value) Value {
		v, k, width := x.BigInt(n, op == ir.OpAShrFar), y.BigInt(m, false), big.NewInt(int64(n))
		switch op {
		case ir.OpShlFar:
			if k.Cmp(width) >= 0 {
				return Value{}
			}
			return FromBigInt(v.Lsh(v, uint(k.Uint64())), n)
		case ir.OpLShrFar, ir.OpAShrFar:
			if k.Cmp(width) >= 0 {
				k = width // leaves nothing, or the sign
			}
			return FromBigInt(v.Rsh(v, uint(k.Uint64())), n)
		}
		r := uint(k.Mod(k, width).Uint64())
		if op == ir.OpRotR {
			r = (uint(n) - r) % uint(n)
		}
		low := new(big.Int).Rsh(v, uint(n)-r)
		return FromBigInt(v.Or(v.Lsh(v, r), low), n)
	}
}

// fail is FAIL: the kind of the error is the immediate, the text a constant.
func (d *decoder) fail(in *ir.Inst) (step, error) {
	if len(in.Args) != 1 || in.Imm >= uint64(ir.NumFailures) {
		return nil, d.mistyped(in)
	}
	c := d.v.Values[in.Args[0]].Const
	if c == nil || c.Kind != ir.ConstBytes {
		return nil, fmt.Errorf("the text is no constant of bytes")
	}
	k, text := failures[in.Imm], c.Bytes
	return func(t *thread, _ *frame) action { return t.fail(k, text) }, nil
}

func (d *decoder) unreachable(in *ir.Inst) (step, error) {
	return func(t *thread, _ *frame) action { return t.fail(unreachable, "") }, nil
}

// funcAddr is FUNCADDR. Functions get addresses when they are asked for.
func (d *decoder) funcAddr(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, funcKind); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	x, to := d.operand(in.Args[0]), d.result(in, 0)
	return func(t *thread, fr *frame) action {
		fr.regs[to] = Value{}
		if fn, ok := x.get(fr).ref.(*function); ok {
			fr.regs[to] = Value{Lo: t.m.addresses.function(fn)}
		}
		return next
	}, nil
}

// funcAt is FUNCAT.
func (d *decoder) funcAt(in *ir.Inst) (step, error) {
	if err := d.operandKinds(in, uptrKind); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	x, to, sig := d.operand(in.Args[0]), d.result(in, 0), in.Sig
	return func(t *thread, fr *frame) action {
		addr := x.lo(fr)
		if addr == 0 {
			fr.regs[to] = null
			return next
		}
		fn := t.m.addresses.functions[addr]
		if fn == nil {
			return t.fail(badSignature, "no function is at the address")
		}
		if a, b := t.m.types.At(fn.fn.Sig), t.m.types.At(sig); !t.m.sameLooseClasses(a.Fields, b.Fields) || !t.m.sameLooseClasses(a.Results, b.Results) {
			return t.failf(badSignature, "%s has another signature", fn.fn.Name)
		}
		fr.regs[to] = Value{ref: fn}
		return next
	}, nil
}

// function is the address of a function.
func (a *addresses) function(fn *function) uint64 {
	for addr, f := range a.functions {
		if f == fn {
			return addr
		}
	}
	addr := a.newCode()
	a.functions[addr] = fn
	return addr
}
