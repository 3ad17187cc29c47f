package check

import (
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

var higherRules = map[op.Op]func(x *operation) term.ID{
	op.Specialize: func(x *operation) term.ID {
		f, ok := x.callee()
		if !ok {
			return 0
		}
		n := len(x.args) - 1
		if k := x.FormOf(f).Phantoms; n > k {
			x.errorf(x.e.Pos, "specialize wants at most as many arguments as %s has phantom parameters, which are %d, got %d", x.String(x.args[0]), k, n)
			return 0
		}
		for i, a := range x.args[1:] {
			want := x.ParamType(f, i, x.args[1:])
			if have := x.typeOf(i + 1); have == 0 || !x.Match(want, have, term.Exact) {
				x.mismatch(x.pos(i+1), "parameter "+x.paramName(f, i)+" of "+x.String(x.args[0]), want, x.TypeOf(a))
				return 0
			}
		}
		if n == 0 {
			return x.args[0]
		}
		return x.Mk(op.Specialize, x.args...)
	},
	op.IntroduceExists: func(x *operation) term.ID {
		e, t := x.args[0], x.typeOf(1)
		if x.Op(e) != op.Exists {
			return x.wants(0, "an exists type")
		}
		if t == 0 {
			return 0
		}
		if _, ok := x.MatchExists(e, t); !ok {
			return x.bad(1, "wants a value that fits %s, got one of type %s", x.String(e), x.String(t))
		}
		return x.Mk(op.IntroduceExists, x.args...)
	},
	op.Unwrap: func(x *operation) term.ID {
		if _, ok := x.isExists(0); !ok {
			return 0
		}
		return x.Mk(op.Unwrap, x.args[0])
	},
	op.UnwrapParam: func(x *operation) term.ID {
		t, ok := x.isExists(0)
		if !ok {
			return 0
		}
		k, ok := x.literal(1)
		if !ok {
			return 0
		}
		if n := x.NumParams(t); k >= n {
			return x.bad(1, "wants a parameter of %s, which has %d, got %s", x.String(t), n, x.String(x.args[1]))
		}
		return x.UnwrapParam(x.args[0], k)
	},
	op.Upref: func(x *operation) term.ID {
		switch {
		case len(x.args) == 0:
			return x.UprefType()
		case x.TypeOf(x.args[0]) == x.UprefType():
			return x.chain()
		case len(x.args) != 3:
			x.errorf(x.e.Pos, "upref of a type wants 3 operands, got %d: upref T i U", len(x.args))
			return 0
		}
		return x.link(2, 0, 1)
	},
	op.StructUp: up(op.Struct), op.ArrayUp: up(op.Array), op.UnionUp: up(op.Union),
	op.Unapply: func(x *operation) term.ID {
		t := x.typeOf(0)
		if t == 0 {
			return 0
		}
		if b := x.TypeOf(x.Mk(op.Unapply, x.args[0])); b == 0 {
			return x.wants(0, "a pointer or member_ptr to an instance of a schema")
		}
		return x.Mk(op.Unapply, x.args[0])
	},
	op.Unbase: onBase, op.Derived: onBase, op.BaseOffset: onBase,
}

// callee returns the function type that the first operand points to.
func (x *operation) callee() (term.ID, bool) {
	t := x.typeOf(0)
	if t == 0 {
		return 0, false
	}
	f, _, _ := x.Target(t)
	if x.Op(f) != op.Function {
		x.wants(0, "a pointer to a function")
		return 0, false
	}
	return f, true
}

// paramName names a parameter of a function type.
func (c *checker) paramName(f term.ID, i int) string {
	if names := c.Names(f); i < len(names) && names[i] != "" {
		return names[i]
	}
	return term.Ordinal(i)
}

func (x *operation) isExists(i int) (term.ID, bool) {
	t := x.typeOf(i)
	if x.Op(t) != op.Exists && t != 0 {
		x.wants(i, "a value of an exists type")
	}
	return t, x.Op(t) == op.Exists
}

func onBase(x *operation) term.ID {
	t := x.typeOf(0)
	if x.Op(t) != op.BasePtr {
		if t != 0 {
			x.wants(0, "a value of type base_ptr")
		}
		return 0
	}
	s := x.Sym(x.Arg(t, 0)).Schema
	if !s.IsBase && (len(s.Params) != 2 || s.Params[0].Type != x.TypeType() || x.Op(s.Params[1].Type) != op.Member) {
		return x.bad(0, "wants a base, or a recursive with a derived type and an offset as parameters, got %s", x.String(t))
	}
	return x.Mk(x.o, x.args[0])
}

// link makes a link of an upward reference from the operands with numbers next, outer and index, and
// postpones the check that there is such a part.
func (x *operation) link(next, outer, index int) term.ID {
	i := x.usize(index)
	if i == 0 {
		return 0
	}
	x.isType(outer)
	if next >= 0 {
		x.isUpref(next)
	}
	return x.linked(x.args[next], x.args[outer], i, outer)
}

// linked makes a link; errors in it are reported at operand n.
func (x *operation) linked(next, outer, i term.ID, n int) term.ID {
	u := x.Upref(i, next, outer)
	x.afterwards(func() { x.fits(u, outer, i, n) })
	return u
}

// fits checks the container of the part that a link names: it must be the one of the next link, and have such
// a part.
func (x *operation) fits(u, outer, i term.ID, n int) {
	implied := x.Outer(u)
	switch {
	case implied == 0 || x.Full:
	case outer != 0 && !x.Match(implied, outer, term.Exact):
		x.bad(n, "wants %s as what holds the next link, got %s", x.String(implied), x.String(outer))
	case x.Part(implied, i) == 0:
		x.bad(n, "of a part that %s does not have: %s", x.String(implied), x.String(i))
	}
}

// chain makes an upward reference from its second form: a start, a type, and indices.
func (x *operation) chain() term.ID {
	u := x.args[0]
	outer, first := term.ID(0), true
	for n := 1; n < len(x.args); n++ {
		if _, lit := x.LitOf(x.args[n]); !lit && x.IsType(x.args[n]) {
			if outer != 0 {
				return x.wants(n, "an index after a type")
			}
			outer = x.args[n]
			continue
		}
		if first && outer == 0 && x.Op(u) != op.Upref {
			return x.wants(n, "a type in front of the first index")
		}
		i := x.usize(n)
		if i == 0 {
			return 0
		}
		if u = x.linked(u, outer, i, n); u == 0 {
			return 0
		}
		outer, first = 0, false
	}
	if outer != 0 {
		x.errorf(x.e.Pos, "upref ends with a type: an index must follow")
		return 0
	}
	return u
}

// up is the rule of the older forms of upward references, which go through an instance of a
// schema implicitly.
func up(sort op.Op) func(x *operation) term.ID {
	return func(x *operation) term.ID {
		t, i := x.args[0], x.usize(1)
		if i == 0 {
			return 0
		}
		x.isUpref(2)
		next := x.args[2]
		if x.Op(t) == op.Apply && x.Sym(x.Arg(t, 0)).Schema.Value == false {
			next, t = x.Upref(x.Index(0), next, t), 0
		}
		u := x.Upref(i, next, t)
		x.afterwards(func() {
			if o := x.Outer(u); o != 0 && x.Op(o) != sort {
				x.bad(0, "wants a type %s, got %s", sort, x.describe(x.args[0]))
				return
			}
			x.fits(u, t, i, 0)
		})
		return u
	}
}
