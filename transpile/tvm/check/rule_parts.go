package check

import (
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

var aggregateRules = map[op.Op]func(x *operation) term.ID{
	op.StructV: func(x *operation) term.ID {
		for i := range x.args {
			if x.typeOf(i) == 0 {
				return 0
			}
		}
		return x.made(x.Mk(op.StructV, x.args...))
	},
	op.ArrayV: func(x *operation) term.ID {
		x.isType(0)
		for i := range x.args[1:] {
			t := x.typeOf(i + 1)
			if t == 0 {
				return 0
			}
			if t != x.args[0] {
				return x.bad(i+1, "wants elements of type %s, got %s", x.String(x.args[0]), x.String(t))
			}
		}
		return x.made(x.Mk(op.ArrayV, x.args...))
	},
	op.UnionV: func(x *operation) term.ID {
		u, t := x.Unfolded(x.args[0]), x.typeOf(1)
		if x.Op(u) != op.Union {
			return x.wants(0, "a union type")
		}
		if t == 0 {
			return 0
		}
		if x.memberOf(u, t) < 0 {
			return x.bad(1, "wants a value of a member of %s, got %s", x.String(x.args[0]), x.String(t))
		}
		return x.made(x.Mk(op.UnionV, x.args...))
	},
	op.ApplyV: func(x *operation) term.ID {
		body := x.Body(x.args[0])
		if body == 0 {
			return x.wants(0, "an instance of a recursive type")
		}
		if x.typeOf(1) == 0 || !x.assignable(x.pos(1), "apply_v", body, x.args[1]) {
			return 0
		}
		return x.Mk(op.ApplyV, x.args...)
	},
	op.StructEl: partOf(op.Struct, false), op.ArrayEl: partOf(op.Array, false), op.UnionEl: partOf(op.Union, false), op.Element: partsOf(false),
}

// made postpones the check that a value is not too large. The error is reported where the value
// becomes too large, not where it becomes a part of others.
func (x *operation) made(v term.ID) term.ID {
	x.afterwards(func() {
		for _, a := range x.args {
			if t := x.TypeOf(a); t != 0 && x.tooLarge(t) {
				return
			}
		}
		if t := x.TypeOf(v); t != 0 && x.tooLarge(t) {
			x.laidOut(x.e.Pos, t)
		}
	})
	return v
}

// memberOf is the first member of a union with a type, -1 if there is none.
func (c *checker) memberOf(u, t term.ID) int {
	for i, m := range c.Args(u) {
		if m == t {
			return i
		}
	}
	return -1
}

// A path goes from a value, or a pointer, to its parts.
type path struct {
	*operation
	pointer bool
	at      term.ID
	typ     term.ID // of the part reached
}

// path is the path that begins at the first operand.
func (x *operation) path(pointer bool) (*path, bool) {
	p := &path{operation: x, pointer: pointer, at: x.args[0], typ: x.typeOf(0)}
	if p.typ == 0 {
		return nil, false
	}
	if pointer {
		var ok bool
		if p.typ, _, ok = x.Target(p.typ); !ok {
			x.wants(0, "a pointer")
			return nil, false
		}
	}
	return p, true
}

// step moves to part i.
func (p *path) step(i term.ID) {
	p.typ = p.Part(p.typ, i)
	if p.pointer {
		p.at = p.Gep(p.at, i)
	} else {
		p.at = p.Element(p.at, i)
	}
}

// into moves to the part that operand n selects, and reports errors.
func (p *path) into(n int) bool {
	i := term.ID(0)
	switch p.Op(p.typ) {
	case op.Apply:
		k, ok := p.literal(n)
		if !ok {
			return false
		}
		if k != 0 || p.Body(p.typ) == 0 {
			p.bad(n, "wants #up0 for the body of %s, got %s", p.String(p.typ), p.String(p.args[n]))
			return false
		}
		i = p.Index(0)
	case op.Struct, op.Union:
		if p.IsType(p.args[n]) && p.Op(p.typ) == op.Union {
			k := p.memberOf(p.typ, p.args[n])
			if k < 0 {
				p.bad(n, "wants a member of %s, got %s", p.String(p.typ), p.String(p.args[n]))
				return false
			}
			i = p.Index(k)
			break
		}
		k, ok := p.literal(n)
		if !ok {
			return false
		}
		if m := len(p.Args(p.typ)); k >= m {
			p.bad(n, "wants a member of %s, which has %d, got %s", p.String(p.typ), m, p.String(p.args[n]))
			return false
		}
		i = p.Index(k)
	case op.Array:
		if i = p.usize(n); i == 0 {
			return false
		}
		k, known := p.LitOf(i)
		length, fixed := p.LitOf(p.Arg(p.typ, 1))
		if !p.pointer && known && fixed && k.Bits().Cmp(length.Bits()) >= 0 {
			p.bad(n, "wants an element of %s, got %s", p.String(p.typ), p.String(p.args[n]))
			return false
		}
	default:
		p.bad(0, "wants a value with parts, got %s", p.String(p.typ))
		return false
	}
	p.step(i)
	return p.at != 0
}

// partOf is the rule of an operation on the part of one kind of type. The type may be the body of
// an instance of a schema.
func partOf(sort op.Op, pointer bool) func(x *operation) term.ID {
	return func(x *operation) term.ID {
		p, ok := x.path(pointer)
		if !ok {
			return 0
		}
		whole := p.typ
		if p.Op(p.typ) == op.Apply && p.Body(p.typ) != 0 {
			p.step(p.Index(0))
		}
		if x.broken(p.typ) {
			return 0
		}
		if p.Op(p.typ) != sort {
			what := "a value of type " + sort.String()
			if pointer {
				what = "a pointer to " + sort.String()
			}
			return x.bad(0, "wants %s, got %s", what, x.String(whole))
		}
		if !p.into(1) {
			return 0
		}
		return p.at
	}
}

// partsOf is the rule of element and gep.
func partsOf(pointer bool) func(x *operation) term.ID {
	return func(x *operation) term.ID {
		p, ok := x.path(pointer)
		for i := 1; i < len(x.args) && ok; i++ {
			ok = p.into(i)
		}
		if !ok {
			return 0
		}
		return p.at
	}
}

var pointerRules = map[op.Op]func(x *operation) term.ID{
	op.PointerCast: func(x *operation) term.ID {
		if !x.isPointer(0) {
			return 0
		}
		x.isType(1)
		u := x.Null()
		if len(x.args) > 2 {
			u = x.args[2]
			x.isUpref(2)
		}
		return x.PointerCast(x.args[0], x.args[1], u)
	},
	op.PointerOffset: func(x *operation) term.ID {
		if !x.isPointer(0) {
			return 0
		}
		prim, ok := x.integer(1)
		if !ok {
			return 0
		}
		n := x.args[1]
		if l, lit := x.LitOf(n); lit && prim != op.IPtr && prim != op.UIPtr {
			prim, n = op.IPtr, x.Num(op.IPtr, l.Value().Int64())
		}
		if prim != op.IPtr && prim != op.UIPtr {
			return x.wants(1, "a number of elements of type iptr or uiptr")
		}
		x.afterwards(func() {
			t, _, _ := x.Target(x.TypeOf(x.args[0]))
			x.laidOut(x.pos(0), t)
		})
		return x.PointerOffset(prim, x.args[0], n)
	},
	op.StructEp: partOf(op.Struct, true), op.ArrayEp: partOf(op.Array, true), op.UnionEp: partOf(op.Union, true), op.Gep: partsOf(true),
	op.Unrecurse: func(x *operation) term.ID {
		p, ok := x.path(true)
		if !ok {
			return 0
		}
		if p.Body(p.typ) == 0 {
			return x.bad(0, "wants a pointer to an instance of a recursive type, got one to %s", x.String(p.typ))
		}
		p.step(x.Index(0))
		return p.at
	},
	op.OuterPtr: func(x *operation) term.ID {
		if !x.isPointer(0) {
			return 0
		}
		t := x.typeOf(0)
		_, u, _ := x.Target(t)
		if x.Op(u) != op.Upref {
			return x.bad(0, "wants a pointer that knows what it points into, got one of type %s", x.String(t))
		}
		return x.OuterPtr(x.args[0])
	},
	op.MemberApply: memberApply, op.MemberApplyPtr: memberApply,
	op.MemberCombine: func(x *operation) term.ID {
		_, b, ok1 := x.isMember(0)
		c, _, ok2 := x.isMember(1)
		return x.combine(1, ok1 && ok2, b, c)
	},
	op.MemberInner: onMemberPtr, op.MemberOuter: onMemberPtr,
	op.MemberPtrCombine: func(x *operation) term.ID {
		m, ok1 := x.isMemberPtr(0)
		c, _, ok2 := x.isMember(1)
		if !ok1 {
			return 0
		}
		_, b, _ := x.Members(x.TypeOf(m))
		return x.combine(1, ok2, b, c)
	},
	op.StructM: memberOfType(op.Struct), op.StructEo: memberOfType(op.Struct), op.UnionM: memberOfType(op.Union), op.ArrayM: memberOfType(op.Array),
	op.MemberOffset: func(x *operation) term.ID {
		if _, _, ok := x.isMember(0); !ok {
			return 0
		}
		return x.Mk(op.MemberOffset, x.args[0])
	},
}

// isPointer checks that an operand is a pointer.
func (x *operation) isPointer(i int) bool {
	t := x.typeOf(i)
	if x.Op(t) != op.Pointer && t != 0 {
		x.wants(i, "a pointer")
	}
	return x.Op(t) == op.Pointer
}

// isMemberPtr returns the member of an operand that must be a member_ptr.
func (x *operation) isMemberPtr(i int) (term.ID, bool) {
	t := x.typeOf(i)
	if x.Op(t) != op.MemberPtr && t != 0 {
		x.wants(i, "a value of type member_ptr")
	}
	return x.Arg(t, 0), x.Op(t) == op.MemberPtr
}

// combine makes an operation of two members if the second begins where the first ends.
func (x *operation) combine(i int, ok bool, inner, outer term.ID) term.ID {
	switch {
	case !ok:
		return 0
	case !x.Match(outer, inner, term.Exact):
		return x.bad(i, "wants a member of %s, got one of %s", x.String(inner), x.String(outer))
	}
	return x.Mk(x.o, x.args...)
}

func memberApply(x *operation) term.ID {
	outer, _, ok := x.isMember(1)
	if !x.isPointer(0) || !ok {
		return 0
	}
	if t, _, _ := x.Target(x.typeOf(0)); !x.Match(outer, t, term.Exact) {
		return x.bad(0, "wants a pointer to %s, got one to %s", x.String(outer), x.String(t))
	}
	return x.Mk(x.o, x.args...)
}

func onMemberPtr(x *operation) term.ID {
	if _, ok := x.isMemberPtr(0); !ok {
		return 0
	}
	return x.Mk(x.o, x.args...)
}

// memberOfType is the rule of members of types, whose parts are examined when all globals are known.
func memberOfType(sort op.Op) func(x *operation) term.ID {
	return func(x *operation) term.ID {
		t, i := x.args[0], x.args[1]
		if sort == op.Union && x.IsType(i) {
			k := x.memberOf(x.Unfolded(t), i)
			if k < 0 {
				return x.bad(1, "wants a member of %s, got %s", x.String(t), x.String(i))
			}
			i = x.Index(k)
		} else if sort != op.Array {
			k, ok := x.literal(1)
			if !ok {
				return 0
			}
			i = x.Index(k)
		} else if i = x.usize(1); i == 0 {
			return 0
		}
		x.afterwards(func() {
			body := x.Unfolded(t)
			if x.Op(body) != sort {
				x.bad(0, "wants a type %s, got %s", sort, x.describe(t))
			} else if x.Part(body, i) == 0 {
				x.bad(1, "wants a member of %s, got %s", x.String(t), x.String(i))
			}
		})
		return x.Parted(x.o, t, i)
	}
}
