package check

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// rules make the terms of functional operations. They check the types of the operands, which have
// no errors themselves.
var rules [op.NumOps]func(x *operation) term.ID

func init() {
	for _, table := range []map[op.Op]func(x *operation) term.ID{typeRules, arithmeticRules, aggregateRules, pointerRules, higherRules} {
		for o, f := range table {
			rules[o] = f
		}
	}
	for o, row := range op.Table {
		if row.Max == 0 && (row.Class == op.Type || row.Class == op.Value) {
			rules[o] = func(x *operation) term.ID { return x.Mk(x.o) }
		}
	}
}

// pos is the place of an operand.
func (x *operation) pos(i int) diag.Pos { return x.e.Args[i].Pos }

// bad reports an error in an operand and returns 0.
func (x *operation) bad(i int, format string, args ...any) term.ID {
	x.errorf(x.pos(i), x.o.String()+" "+format, args...)
	return 0
}

// wants reports an operand that is not of the kind that the operation needs, and returns 0.
func (x *operation) wants(i int, what string) term.ID {
	return x.bad(i, "wants %s, got %s", what, x.describe(x.args[i]))
}

// typeOf is the type of an operand; an operand without a type is reported.
func (x *operation) typeOf(i int) term.ID {
	t := x.TypeOf(x.args[i])
	if t == 0 {
		x.value(x.e.Args[i], x.args[i])
	}
	return t
}

// isType postpones the check that an operand is a type.
func (x *operation) isType(i int) { x.mustBeType(x.e.Args[i], x.args[i]) }

// afterwards postpones a check of the operands.
func (x *operation) afterwards(f func()) { x.putOff(f) }

// integer returns the type of an operand, which must be an integer.
func (x *operation) integer(i int) (op.Op, bool) {
	t := x.typeOf(i)
	o, ok := x.IsInt(t)
	if !ok && t != 0 {
		x.wants(i, "an integer")
	}
	return o, ok
}

// integers returns the type of all operands, which must be the same type of integers.
func (x *operation) integers() (op.Op, bool) {
	first, ok := x.integer(0)
	for i := 1; i < len(x.args) && ok; i++ {
		if _, ok = x.integer(i); ok {
			ok = x.same(i)
		}
	}
	return first, ok
}

// same checks that an operand has the type of the first one.
func (x *operation) same(i int) bool {
	want, have := x.typeOf(0), x.typeOf(i)
	if want != have && want != 0 && have != 0 {
		x.bad(i, "wants operands of one type, got %s and %s", x.String(want), x.String(have))
	}
	return want == have && want != 0
}

// usize is an operand converted to a number of type uiptr; 0 after an error.
func (x *operation) usize(i int) term.ID {
	if n, ok := x.LitOf(x.args[i]); ok {
		if !x.natural(i, n, "number") {
			return 0
		}
		return x.Lit(syntax.MakeInt(op.UIPtr, n.Value()))
	}
	t := x.typeOf(i)
	if t != x.Prim(op.UIPtr) && t != 0 {
		return x.wants(i, "uiptr or a literal")
	}
	if t == 0 {
		return 0
	}
	return x.args[i]
}

// natural checks that a literal fits uiptr.
func (x *operation) natural(i int, n syntax.Int, what string) bool {
	switch v := n.Value(); {
	case v.Sign() < 0:
		x.bad(i, "wants a %s that is not negative, got %s", what, n)
	case v.BitLen() > 64:
		x.bad(i, "wants a %s that fits uiptr, got %s", what, n)
	default:
		return true
	}
	return false
}

// literal is the value of an operand that must be a literal index.
func (x *operation) literal(i int) (int, bool) {
	k, ok := x.IndexOf(x.args[i])
	if !ok {
		x.wants(i, "a literal that is not negative as index")
	}
	return k, ok
}

var typeRules = map[op.Op]func(x *operation) term.ID{
	op.Pointer: func(x *operation) term.ID {
		x.isType(0)
		u := x.Null()
		if len(x.args) > 1 {
			u = x.args[1]
			x.isUpref(1)
		}
		return x.Pointer(x.args[0], u)
	},
	op.Struct: members, op.Union: members,
	op.Array: func(x *operation) term.ID {
		x.isType(0)
		if x.args[0] == x.UprefType() || x.Op(x.args[0]) == op.Function {
			return x.wants(0, "a type of values")
		}
		prim, ok := x.integer(1)
		if !ok {
			return 0
		}
		if n, ok := x.LitOf(x.args[1]); ok && !x.natural(1, n, "length") {
			return 0
		}
		return x.Mk(op.Array, x.args[0], x.ToUIPtr(prim, x.args[1]))
	},
	op.Constant: func(x *operation) term.ID {
		x.afterwards(func() { x.typeOf(0) })
		return x.Mk(op.Constant, x.args[0])
	},
	op.Member: func(x *operation) term.ID {
		x.isType(0)
		x.isType(1)
		return x.Mk(op.Member, x.args...)
	},
	op.MemberPtr: func(x *operation) term.ID {
		x.afterwards(func() { x.isMember(0) })
		return x.Mk(op.MemberPtr, x.args[0])
	},
	op.BasePtr: func(x *operation) term.ID {
		if s := x.Sym(x.args[0]); s == nil || s.Kind != term.SchemaOf || s.Schema.Value {
			return x.wants(0, "a base or recursive type")
		}
		return x.Mk(op.BasePtr, x.args[0])
	},
	op.Apply: apply,
}

// members makes a struct or union.
func members(x *operation) term.ID {
	for i, a := range x.args {
		x.isType(i)
		if a == x.UprefType() || x.Op(a) == op.Function {
			return x.wants(i, "types of values")
		}
	}
	return x.Mk(x.o, x.args...)
}

// isUpref postpones the check that an operand is an upward reference.
func (x *operation) isUpref(i int) {
	x.afterwards(func() {
		if x.TypeOf(x.args[i]) != x.UprefType() {
			x.wants(i, "an upward reference")
		}
	})
}

// isMember returns the two types of an operand that must be a member.
func (x *operation) isMember(i int) (outer, inner term.ID, ok bool) {
	t := x.typeOf(i)
	outer, inner, ok = x.Members(t)
	if !ok && t != 0 {
		x.wants(i, "a value of type member")
	}
	return outer, inner, ok
}

// apply makes an instance of a schema.
func apply(x *operation) term.ID {
	sym := x.Sym(x.args[0])
	if sym == nil || sym.Kind != term.SchemaOf {
		return x.wants(0, "a recursive or base")
	}
	s := sym.Schema
	if n := len(x.args) - 1; n != len(s.Params) && !(s.IsBase && n == 1) {
		x.errorf(x.e.Pos, "%s has %d parameters, got %d", sym.Name, len(s.Params), n)
		return 0
	}
	args := x.args[1:]
	if s.IsBase {
		args = args[:1] // the offset follows from the derived type
	}
	x.afterwards(func() {
		for i, a := range x.args[1:] {
			want := x.ArgType(s, i, x.args[1:])
			if have := x.typeOf(i + 1); want != 0 && have != 0 && !x.Match(want, have, term.Exact) {
				x.mismatch(x.pos(i+1), "parameter "+s.Params[i].Name+" of "+sym.Name, want, x.TypeOf(a))
			}
		}
	})
	return x.Mk(op.Apply, append([]term.ID{x.args[0]}, args...)...)
}

var arithmeticRules = map[op.Op]func(x *operation) term.ID{
	op.Undef:  func(x *operation) term.ID { x.isType(0); return x.made(x.Mk(op.Undef, x.args[0])) },
	op.Zero:   func(x *operation) term.ID { x.isType(0); return x.made(x.Zero(x.args[0])) },
	op.Sizeof: func(x *operation) term.ID { x.isType(0); return x.Sizeof(x.args[0]) }, op.Alignof: func(x *operation) term.ID { x.isType(0); return x.Alignof(x.args[0]) },
	op.TypeV: func(x *operation) term.ID {
		size, align := x.usize(0), x.usize(1)
		if n, ok := x.LitOf(align); ok && n.Lo&(n.Lo-1) != 0 {
			return x.bad(1, "wants a power of two as alignment, got %s", n)
		}
		return x.Mk(op.TypeV, size, align)
	},
	op.Add:   binary(func(x *operation, t op.Op, a, b term.ID) term.ID { return x.Add(t, a, b) }),
	op.Sub:   binary(func(x *operation, t op.Op, a, b term.ID) term.ID { return x.Sub(t, a, b) }),
	op.Mul:   binary(func(x *operation, t op.Op, a, b term.ID) term.ID { return x.Mul(t, a, b) }),
	op.Div:   binary(func(x *operation, t op.Op, a, b term.ID) term.ID { return x.Div(t, a, b) }),
	op.Neg:   binary(func(x *operation, t op.Op, a, _ term.ID) term.ID { return x.Neg(t, a) }),
	op.CmpLT: order, op.CmpLE: order, op.CmpGT: order, op.CmpGE: order,
	op.CmpEQ: equal, op.CmpNE: equal,
	op.BitAnd: bits, op.BitOr: bits, op.BitXor: bits, op.BitNot: bits,
	op.Shl: shift, op.Shr: shift,
	op.Bitcast: func(x *operation) term.ID {
		t := x.typeOf(0)
		if t == 0 {
			return 0
		}
		for i, id := range []term.ID{t, x.args[1]} {
			if o := x.Op(id); !o.IsInt() && o != op.Bool && o != op.Pointer && o != op.FP32 && o != op.FP64 {
				if !x.IsType(id) {
					return x.wants(i, "a type")
				}
				return x.bad(i, "wants a bool, integer, float or pointer, got %s", x.String(id))
			}
		}
		return x.Bitcast(x.Op(t), x.args[0], x.args[1])
	},
	op.Select: func(x *operation) term.ID {
		if t := x.typeOf(0); t != x.Prim(op.Bool) {
			if t != 0 {
				x.wants(0, "a bool")
			}
			return 0
		}
		a, b := x.typeOf(1), x.typeOf(2)
		if a != b && a != 0 && b != 0 {
			return x.bad(2, "wants two values of one type, got %s and %s", x.String(a), x.String(b))
		}
		if a == 0 || b == 0 {
			return 0
		}
		return x.Select(x.args[0], x.args[1], x.args[2])
	},
}

// binary is the rule of an operation on integers of one type.
func binary(f func(x *operation, t op.Op, a, b term.ID) term.ID) func(x *operation) term.ID {
	return func(x *operation) term.ID {
		t, ok := x.integers()
		if !ok {
			return 0
		}
		return f(x, t, x.args[0], append(x.args, 0)[1])
	}
}

func order(x *operation) term.ID {
	t, ok := x.integers()
	if !ok {
		return 0
	}
	return x.Cmp(x.o, t, x.args[0], x.args[1])
}

// equal compares integers, bools, floats or pointers.
func equal(x *operation) term.ID {
	t := x.typeOf(0)
	o := x.Op(t)
	pointers := o == op.Pointer && x.Op(x.typeOf(1)) == op.Pointer
	switch {
	case t == 0:
		return 0
	case !o.IsInt() && o != op.Bool && o != op.FP32 && o != op.FP64 && o != op.Pointer:
		return x.wants(0, "an integer, bool, float or pointer")
	case !pointers && !x.same(1):
		return 0
	}
	return x.Cmp(x.o, o, x.args[0], x.args[1])
}

func bits(x *operation) term.ID {
	t := x.typeOf(0)
	if o := x.Op(t); !o.IsInt() && o != op.Bool {
		if t != 0 {
			x.wants(0, "an integer or bool")
		}
		return 0
	}
	if x.o == op.BitNot {
		return x.Not(x.Op(t), x.args[0])
	}
	if !x.same(1) {
		return 0
	}
	return x.Bits(x.o, x.Op(t), x.args[0], x.args[1])
}

func shift(x *operation) term.ID {
	t, ok := x.integer(0)
	if !ok {
		return 0
	}
	if s := x.typeOf(1); s != x.Prim(op.UI32) {
		if s != 0 {
			x.wants(1, "a number of bits of type ui32")
		}
		return 0
	}
	return x.Shift(x.o, t, x.args[0], x.args[1])
}
