package term

import "github.com/uvm2go/uvm2go/transpile/tvm/op"

// The states of Node.typed.
const (
	untyped = iota
	typing
	typed
)

// TypeOf is the type of a term; 0 for terms that have none: type and upref_type, schemas, loose terms,
// and those with an error.
func (g *Graph) TypeOf(id ID) ID {
	n := &g.nodes[id]
	if id == 0 || n.loose > 0 || n.typed == typing {
		return 0
	}
	if n.typed == typed {
		return n.typ
	}
	n.typed = typing
	t := g.typeOf(*n)
	if n = &g.nodes[id]; t == 0 && n.Op != op.TypeType && n.Op != op.UprefType {
		n.typed = untyped // the type may be found later, when more is defined
		return 0
	}
	n.typ, n.typed = t, typed
	return t
}

// IsType reports whether a term may be used as a type.
func (g *Graph) IsType(id ID) bool {
	o := g.Op(id)
	return o == op.TypeType || o == op.UprefType || g.TypeOf(id) == g.typeType && id != 0
}

// IsInt reports whether a type is one of integers, and which.
func (g *Graph) IsInt(t ID) (op.Op, bool) {
	o := g.Op(t)
	return o, t != 0 && o.IsInt()
}

// Members are the two types of a type member.
func (g *Graph) Members(t ID) (outer, inner ID, ok bool) {
	if g.Op(t) != op.Member {
		return 0, 0, false
	}
	a := g.Args(t)
	return a[0], a[1], true
}

// ofMember are the two types of the member of a value of type member_ptr.
func (g *Graph) ofMember(q ID) (outer, inner ID) {
	t := g.TypeOf(q)
	if g.Op(t) != op.MemberPtr {
		return 0, 0
	}
	outer, inner, _ = g.Members(g.TypeOf(g.Arg(t, 0)))
	return outer, inner
}

// Target is the type that a pointer type points to, and its upward reference.
func (g *Graph) Target(t ID) (target, upref ID, ok bool) {
	if g.Op(t) != op.Pointer {
		return 0, 0, false
	}
	a := g.Args(t)
	return a[0], a[1], true
}

func (g *Graph) typeOf(n Node) ID {
	arg := func(i int) ID {
		if i < len(n.Args) {
			return n.Args[i]
		}
		return 0
	}
	if op.Table[n.Op].Class == op.Type && n.Op != op.Apply {
		if n.Op == op.TypeType || n.Op == op.UprefType {
			return 0
		}
		return g.typeType
	}
	switch n.Op {
	case op.Function, op.Exists, op.TypeV, op.Derived, op.Given:
		return g.typeType
	case op.Apply:
		s := n.Args[0]
		if sym := g.Sym(s); sym == nil || sym.Schema == nil {
			return 0
		} else if !sym.Schema.Value {
			return g.typeType
		} else {
			return g.Replace(sym.Schema.ValueType(), g.arguments(sym.Schema, n.Args[1:]))
		}
	case op.Symbol:
		return n.Sym.Type
	case op.True, op.False, op.CmpEQ, op.CmpNE, op.CmpLT, op.CmpLE:
		return g.Mk(op.Bool)
	case op.EmptyV:
		return g.Mk(op.Empty)
	case op.Lit:
		return g.Prim(n.Int.Type)
	case op.Poly, op.Add, op.Mul, op.Div, op.BitAnd, op.BitOr, op.BitXor, op.BitNot, op.Shl, op.Shr:
		return g.Prim(op.Op(n.Imm))
	case op.ToUIPtr, op.Sizeof, op.Alignof, op.MemberOffset, op.StructEo:
		return g.Prim(op.UIPtr)
	case op.Zero, op.Undef, op.UnionV, op.ApplyV, op.IntroduceExists:
		return arg(0)
	case op.Bitcast:
		return arg(1)
	case op.Select:
		return g.TypeOf(arg(1))
	case op.StructV:
		types := make([]ID, len(n.Args))
		for i, a := range n.Args {
			types[i] = g.TypeOf(a)
		}
		return g.Mk(op.Struct, types...)
	case op.ArrayV:
		return g.Mk(op.Array, arg(0), g.Index(len(n.Args)-1))
	case op.Element:
		return g.Part(g.TypeOf(arg(0)), arg(1))
	case op.PointerCast:
		return g.Pointer(arg(1), arg(2))
	case op.PointerOffset:
		return g.TypeOf(arg(0))
	case op.Gep:
		t, u, _ := g.Target(g.TypeOf(arg(0)))
		return g.Mk(op.Pointer, g.Part(t, arg(1)), g.Upref(arg(1), u, t))
	case op.OuterPtr:
		_, u, _ := g.Target(g.TypeOf(arg(0)))
		outer := g.Outer(u)
		return g.Mk(op.Pointer, outer, g.Arg(u, 1))
	case op.MemberApply:
		_, inner, _ := g.Members(g.TypeOf(arg(1)))
		return g.Pointer(inner, 0)
	case op.MemberApplyPtr:
		return g.Mk(op.MemberPtr, arg(1))
	case op.MemberCombine:
		outer, _, _ := g.Members(g.TypeOf(arg(0)))
		_, inner, _ := g.Members(g.TypeOf(arg(1)))
		return g.Mk(op.Member, outer, inner)
	case op.MemberInner:
		_, inner := g.ofMember(arg(0))
		return g.Pointer(inner, 0)
	case op.MemberOuter:
		outer, _ := g.ofMember(arg(0))
		return g.Pointer(outer, 0)
	case op.MemberPtrCombine:
		t := g.TypeOf(arg(0))
		return g.Mk(op.MemberPtr, g.Mk(op.MemberCombine, g.Arg(t, 0), arg(1)))
	case op.StructM, op.UnionM, op.ArrayM:
		return g.Mk(op.Member, arg(0), g.Part(g.Unfolded(arg(0)), arg(1)))
	case op.Specialize:
		return g.specialized(n.Args)
	case op.Unwrap:
		t := g.TypeOf(arg(0))
		if g.Op(t) != op.Exists {
			return 0
		}
		return g.ParamType(t, g.NumParams(t), g.Hidden(arg(0)))
	case op.UnwrapParam:
		t := g.TypeOf(arg(0))
		if g.Op(t) != op.Exists || int(n.Imm) >= g.NumParams(t) {
			return 0
		}
		return g.ParamType(t, int(n.Imm), g.Hidden(arg(0)))
	case op.Upref, op.UprefNull:
		return g.uprefType
	case op.Unapply:
		base := g.baseOf(g.TypeOf(arg(0)))
		if s := g.Schema(base); s == nil || s.Value {
			return 0
		}
		return g.Mk(op.BasePtr, g.Arg(base, 0))
	case op.Unbase:
		return g.Mk(op.MemberPtr, g.Mk(op.BaseOffset, arg(0)))
	case op.BaseOffset:
		d := g.Mk(op.Derived, arg(0))
		b := g.Arg(g.TypeOf(arg(0)), 0)
		if s := g.Sym(b); s != nil && s.Schema != nil && !s.Schema.IsBase {
			return g.Mk(op.Member, d, g.Mk(op.Apply, b, d, g.Mk(op.BaseOffset, arg(0))))
		}
		return g.Mk(op.Member, d, g.Mk(op.Apply, b, d))
	case op.BaseOff:
		return g.Mk(op.Member, arg(1), g.Mk(op.Apply, arg(0), arg(1)))
	}
	return 0
}

// baseOf is the instance of a schema that unapply forgets, of the type of its operand.
func (g *Graph) baseOf(t ID) ID {
	if target, _, ok := g.Target(t); ok {
		return target
	}
	if g.Op(t) == op.MemberPtr {
		_, inner, _ := g.Members(g.TypeOf(g.Arg(t, 0)))
		return inner
	}
	return 0
}

// Hidden are the hidden parameters of the exists type of w, as unwrap terms.
func (g *Graph) Hidden(w ID) []ID {
	ids := make([]ID, g.NumParams(g.TypeOf(w)))
	for k := range ids {
		ids[k] = g.UnwrapParam(w, k)
	}
	return ids
}

// specialized is the type of a function pointer after arguments are given for some phantom parameters.
func (g *Graph) specialized(args []ID) ID {
	f, _, _ := g.Target(g.TypeOf(args[0]))
	form := g.FormOf(f)
	k := len(args) - 1
	if g.Op(f) != op.Function || k > form.Phantoms {
		return 0
	}
	params, result := g.Open(f)
	with := map[ID]ID{}
	for i, p := range params[:k] {
		with[p.ID] = args[1+i]
	}
	var rest []*Symbol
	for _, p := range params[k:] {
		s := g.Symbol(Symbol{Kind: Param, Name: p.Name, Type: g.Replace(p.Type, with), Phantom: p.Phantom})
		with[p.ID] = s.ID
		rest = append(rest, s)
	}
	form.Phantoms -= k
	if form.Attrs != nil {
		form.Attrs = form.Attrs[k:]
	}
	return g.Pointer(g.Function(form, rest, g.Replace(result, with)), 0)
}

// Unfolded is the body of an instance of a schema, or the type itself.
func (g *Graph) Unfolded(t ID) ID {
	if g.Op(t) == op.Apply {
		return g.Body(t)
	}
	return t
}

// Part is the type of a part of a type, which element and gep select. 0 if there is no such part.
func (g *Graph) Part(t, i ID) ID {
	n := g.nodes[t]
	k, known := g.IndexOf(i)
	switch n.Op {
	case op.Apply:
		if known && k == 0 {
			return g.Body(t)
		}
	case op.Struct, op.Union:
		if known && k < len(n.Args) {
			return n.Args[k]
		}
	case op.Array:
		return n.Args[0]
	}
	return 0
}
