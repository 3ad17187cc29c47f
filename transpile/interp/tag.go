package interp

import (
	"fmt"
	"math"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Tagged references (docs/language.md, "Tagged references").

// tagOf is the operation that tests for the content of a tagref64.
func tagOf(v Value) ir.Op {
	switch v.ref.(type) {
	case nil:
		return ir.OpTagIsFP
	case tagInt:
		return ir.OpTagIsInt
	}
	return ir.OpTagIsRef
}

func (d *decoder) tagTest(in *ir.Inst) (step, error) {
	op := in.Op
	return d.apply(in, tagKinds, func(_ *thread, x Value) (Value, action) {
		return boolValue(tagOf(x) == op), next
	})
}

func (d *decoder) tagMake(in *ir.Inst) (step, error) {
	want := map[ir.Op][][]ir.Kind{
		ir.OpTagFromFP:  {doubleKind},
		ir.OpTagFromInt: {intKind},
		ir.OpTagFromRef: {refKind, intKind},
	}[in.Op]
	if err := d.operandKinds(in, want...); err != nil {
		return nil, err
	}
	if err := d.resultCount(in, 1); err != nil {
		return nil, err
	}
	args, to, op := d.allOperands(in.Args), d.result(in, 0), in.Op
	return func(_ *thread, f *frame) action {
		v := Value{Lo: args[0].lo(f)}
		switch op {
		case ir.OpTagFromFP:
			v = tagFromFP(v.Lo)
		case ir.OpTagFromInt:
			v = tagFromInt(v.Lo)
		case ir.OpTagFromRef:
			v = tagFromRef(args[0].get(f), uint8(args[1].lo(f)))
		}
		f.regs[to] = v
		return next
	}, nil
}

// tagFromFP is a tagref64 with a double. Of a NaN only the sign is kept, as in memory.
func tagFromFP(bits uint64) Value {
	if f := math.Float64frombits(bits); f != f {
		bits = bits&0xfff8_0000_0000_0000 | 8
	}
	return Value{Lo: bits}
}

func tagFromInt(n uint64) Value { return Value{Lo: n & mask(52), ref: tagInt{}} }

func tagFromRef(r Value, tag uint8) Value {
	u, _ := r.ref.(*unit)
	return Value{ref: &tagged{u, tag & 63}}
}

// sameTagged reports whether two tagref64 have the same 64 bits.
func sameTagged(x, y Value) bool {
	r, ok := x.ref.(*tagged)
	s, too := y.ref.(*tagged)
	if ok && too {
		return *r == *s
	}
	return sameReferent(x, y)
}

func (d *decoder) tagGet(in *ir.Inst) (step, error) {
	op := in.Op
	want := map[ir.Op]ir.Op{
		ir.OpTagToFP: ir.OpTagIsFP, ir.OpTagToInt: ir.OpTagIsInt,
		ir.OpTagToRef: ir.OpTagIsRef, ir.OpTagToTag: ir.OpTagIsRef,
	}[op]
	return d.apply(in, tagKinds, func(t *thread, v Value) (Value, action) {
		if has := tagOf(v); has != want {
			return null, t.fail(tagKind, fmt.Sprintf("the tagref64 holds %s, not %s", tagNames[has], tagNames[want]))
		}
		switch op {
		case ir.OpTagToRef:
			return unitRef(v.ref.(*tagged).unit), next
		case ir.OpTagToTag:
			return Value{Lo: uint64(v.ref.(*tagged).tag)}, next
		}
		return Value{Lo: v.Lo}, next
	})
}

var tagNames = map[ir.Op]string{
	ir.OpTagIsFP: "a double", ir.OpTagIsInt: "an int<52>", ir.OpTagIsRef: "a reference",
}

// unitRef is the ref to a unit, NULL for nil.
func unitRef(u *unit) Value {
	if u == nil {
		return null
	}
	return Value{ref: u}
}
