package tvm

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// term is the value of a term, computed here unless it is available.
func (b *body) term(id term.ID) value {
	if v, ok := b.memo[id]; ok {
		return v
	}
	return b.know(id, b.compute(id))
}

func (b *body) compute(id term.ID) value {
	n := *b.Graph.At(id)
	if n.Op == op.Symbol {
		return b.symbol(n.Sym)
	}
	if n.How != 0 {
		return value{b.arithmetic(n.How, op.Op(n.Imm), n.From[0], n.From[1])}
	}
	one := func(i int) ir.ValueID { return b.term(n.Args[i])[0] }
	prim := op.Op(n.Imm)
	switch n.Op {
	case op.Lit:
		t := b.types.rep(b.Graph.TypeOf(id)).leaves[0].reg
		if n.Int.Type == op.IPtr || n.Int.Type == op.UIPtr {
			return value{b.word(b.i64(int64(n.Int.Lo)), n.Int.Type)}
		}
		return value{b.Const(b.WideConst(t, n.Int.Hi, n.Int.Lo))}
	case op.True, op.False:
		return value{b.Int(b.types.i1, int64(op.False-n.Op))}
	case op.EmptyV:
		return value{}
	case op.Zero:
		return b.zeroOf(n.Args[0])
	case op.Undef:
		return b.zeros(n.Args[0])
	case op.Poly:
		return value{b.polynomial(prim, n.Sums)}
	case op.Add, op.Mul, op.Div, op.Shl, op.Shr, op.BitAnd, op.BitOr, op.BitXor, op.BitNot:
		v := b.arithmetic(n.Op, prim, n.Args[0], append(n.Args, 0)[1])
		for i := 2; i < len(n.Args); i++ {
			v = b.Bin(binary[n.Op], v, b.term(n.Args[i])[0])
		}
		return value{v}
	case op.CmpEQ, op.CmpNE, op.CmpLT, op.CmpLE:
		return value{b.compare(n.Op, prim, one(0), one(1))}
	case op.Bitcast:
		return value{b.bitcast(one(0), prim, b.Op(n.Args[1]))}
	case op.Select:
		if b.pure {
			return b.choose(one(0), b.Graph.TypeOf(id), n.Args[1], n.Args[2])
		}
		c, x, y := one(0), b.term(n.Args[1]), b.term(n.Args[2])
		var v value
		for i := range x {
			if x[i] == y[i] {
				v = append(v, x[i])
				continue
			}
			v = append(v, b.Select(c, x[i], y[i]))
		}
		return v
	case op.ToUIPtr:
		v := one(0)
		bits := prim.Bits()
		ext := ir.OpZExt
		if prim.Signed() {
			ext = ir.OpSExt
		}
		switch {
		case bits < 64:
			v = b.Conv(ext, v, b.types.i64)
		case bits > 64: // a length that does not fit is larger than that of any array
			low := b.Conv(ir.OpTrunc, v, b.types.i64)
			whole := b.Cmp(ir.OpEQ, b.Conv(ir.OpZExt, low, b.BodyBuilder.TypeOf(v)), v)
			v = b.Select(whole, low, b.i64(-1))
		}
		return value{v}
	case op.TypeV:
		return value{one(0), one(1)}
	case op.Given:
		return b.term(n.Args[0])
	case op.Sizeof:
		return value{b.extent(n.Args[0]).size}
	case op.Alignof:
		return value{b.extent(n.Args[0]).align}
	case op.StructV, op.ArrayV, op.UnionV:
		return b.aggregate(id, n)
	case op.ApplyV, op.IntroduceExists:
		if n.Op == op.ApplyV {
			return b.value(n.Args[1], b.Graph.Body(n.Args[0]))
		}
		return b.value(n.Args[1], n.Args[0])
	case op.Element:
		return b.element(n)
	case op.PointerCast, op.Specialize, op.Unwrap, op.Unapply, op.Unbase, op.MemberInner:
		return b.term(n.Args[0])
	case op.Gep:
		t, _, _ := b.Graph.Target(b.Graph.TypeOf(n.Args[0]))
		return value{b.part(one(0), t, n.Args[1])}
	case op.PointerOffset:
		t, _, _ := b.Graph.Target(b.Graph.TypeOf(id))
		if r := b.types.rep(t); r.static {
			return value{b.plain(b.Shift(b.typed(one(0), r.mem), one(1)))}
		}
		return value{b.further(one(0), b.Bin(ir.OpMul, one(1), b.extent(t).size))}
	case op.OuterPtr:
		_, u, _ := b.Graph.Target(b.Graph.TypeOf(n.Args[0]))
		return value{b.back(one(0), b.offset(b.Outer(u), b.Arg(u, 0)))}
	case op.MemberApply, op.MemberApplyPtr, op.MemberPtrCombine:
		return value{b.further(one(0), one(1))}
	case op.MemberOuter:
		return value{b.back(one(0), b.term(b.Arg(b.Graph.TypeOf(n.Args[0]), 0))[0])}
	case op.MemberCombine:
		return value{b.Bin(ir.OpAdd, one(0), one(1))}
	case op.MemberOffset:
		return b.term(n.Args[0])
	case op.StructM, op.UnionM, op.ArrayM, op.StructEo:
		return value{b.offset(b.Unfolded(n.Args[0]), n.Args[1])}
	case op.Apply:
		if s := b.Schema(id); s != nil && s.Value {
			return b.recursive(s, n.Args[1:], id)
		}
	}
	// A type as a value.
	e := b.extent(id)
	return value{e.size, e.align}
}

// symbol is the address of a global.
func (b *body) symbol(s *term.Symbol) value {
	g, ok := s.Data.(*check.Global)
	if !ok {
		panic("tvm: " + s.Name + " has no value here")
	}
	if s.Kind == term.Func {
		if !b.isAddressed[g] {
			b.isAddressed[g] = true
			b.addressed = append(b.addressed, g)
		}
		return value{b.FuncAddr(b.FuncRef(b.funcs[g]))}
	}
	if b.cells[g] == nil {
		return value{b.Const(b.ExternConst(b.types.word, g.Name[1:]))}
	}
	return value{b.Conv(ir.OpRefAddr, b.GlobalRef(b.cells[g]), b.types.word)}
}

// back is an address minus a number of bytes.
func (b *body) back(addr, bytes ir.ValueID) ir.ValueID {
	if c := b.V.Values[bytes].Const; c != nil && c.Lo == 0 {
		return addr
	}
	return b.further(addr, b.Bin(ir.OpSub, b.i64(0), bytes))
}

// binary are the operations of the representation that do not depend on signs.
var binary = map[op.Op]ir.Op{op.Add: ir.OpAdd, op.Sub: ir.OpSub, op.Mul: ir.OpMul, op.BitAnd: ir.OpAnd, op.BitOr: ir.OpOr, op.BitXor: ir.OpXor, op.Shl: ir.OpShlFar}

// signed and unsigned are the operations that depend on signs.
var (
	signed   = map[op.Op]ir.Op{op.Div: ir.OpSDiv, op.Shr: ir.OpAShrFar, op.CmpLT: ir.OpSLT, op.CmpLE: ir.OpSLE}
	unsigned = map[op.Op]ir.Op{op.Div: ir.OpUDiv, op.Shr: ir.OpLShrFar, op.CmpLT: ir.OpULT, op.CmpLE: ir.OpULE}
)

// signs is the operation of the representation for o on the integer type prim.
func signs(o, prim op.Op) ir.Op {
	if prim.IsInt() && prim.Signed() {
		return signed[o]
	}
	return unsigned[o]
}

// arithmetic is the result of an operation on integers or bools.
func (b *body) arithmetic(o, prim op.Op, x, y term.ID) ir.ValueID {
	u := b.term(x)[0]
	id := b.BodyBuilder.TypeOf(u)
	switch o {
	case op.Neg:
		return b.word(b.Bin(ir.OpSub, b.Int(id, 0), u), prim)
	case op.BitNot:
		return b.word(b.Bin(ir.OpXor, u, b.Int(id, -1)), prim)
	}
	v := b.term(y)[0]
	switch o {
	case op.Div:
		b.require(b.Cmp(ir.OpNE, v, b.Int(id, 0)), ir.FailDivByZero, "integer division by zero")
		return b.word(b.Bin(signs(o, prim), u, v), prim)
	case op.Shr:
		return b.Inst(ir.Inst{Op: signs(o, prim), Ty: id, Ty2: b.BodyBuilder.TypeOf(v), Args: []ir.ValueID{u, v}})[0]
	case op.Shl:
		return b.word(b.ShlFar(u, v), prim)
	}
	return b.word(b.Bin(binary[o], u, v), prim)
}

// polynomial computes a sum of products that is not in the text in this form.
func (b *body) polynomial(prim op.Op, sums []term.Product) ir.ValueID {
	t := b.types.rep(b.Prim(prim)).leaves[0].reg
	var sum ir.ValueID
	for _, p := range sums {
		hi, lo := p.Number()
		v := b.Const(b.WideConst(t, hi, lo))
		for i, a := range p.Atoms {
			if x := b.term(a)[0]; i == 0 && hi == 0 && lo == 1 {
				v = x
			} else {
				v = b.Bin(ir.OpMul, v, x)
			}
		}
		if sum == 0 {
			sum = v
		} else {
			sum = b.Bin(ir.OpAdd, sum, v)
		}
	}
	return b.word(sum, prim)
}

func (b *body) compare(o, prim op.Op, x, y ir.ValueID) ir.ValueID {
	switch {
	case o == op.CmpEQ && prim.IsFloat():
		return b.Cmp(ir.OpFOEQ, x, y)
	case o == op.CmpNE && prim.IsFloat():
		return b.Cmp(ir.OpFUNE, x, y)
	case o == op.CmpEQ:
		return b.Cmp(ir.OpEQ, x, y)
	case o == op.CmpNE:
		return b.Cmp(ir.OpNE, x, y)
	}
	return b.Cmp(signs(o, prim), x, y)
}

// bitcast is the bits of a scalar as another type.
func (b *body) bitcast(v ir.ValueID, from, to op.Op) ir.ValueID {
	target := b.types.rep(b.sort(to)).leaves[0].reg
	width := func(o op.Op) uint32 {
		switch o {
		case op.Bool:
			return 1
		case op.FP32:
			return 32
		case op.FP64, op.Pointer:
			return 64
		}
		return uint32(o.Bits())
	}
	switch from { // first to a number without sign
	case op.Pointer:
		v = b.ptrcast(v, b.types.i64)
	case op.FP32, op.FP64:
		v = b.Conv(ir.OpBitcast, v, b.Types.Int(width(from)))
	case op.IPtr:
		if width(to) != 64 || to != op.UIPtr && to != op.Pointer {
			v = b.ZExtWord(v)
		}
	}
	bits := b.Types.Int(width(to))
	switch f, t := width(from), width(to); {
	case f < t:
		v = b.Conv(ir.OpZExt, v, bits)
	case f > t:
		v = b.Conv(ir.OpTrunc, v, bits)
	}
	switch to {
	case op.Pointer:
		return b.ptrcast(v, target)
	case op.FP32, op.FP64:
		return b.Conv(ir.OpBitcast, v, target)
	}
	return b.word(v, to)
}

// sort is the type of the scalars that an operation makes.
func (b *body) sort(o op.Op) term.ID {
	if o == op.Pointer {
		return b.Pointer(b.Prim(op.Byte), 0)
	}
	return b.Prim(o)
}

// zeroOf is the zero of a type: zeros, and the values of parts whose types are constant.
func (b *body) zeroOf(t term.ID) value {
	switch r, o := b.types.rep(t), b.Op(t); {
	case b.ZeroBytes(t):
		return b.zeros(t)
	case o == op.Constant:
		return b.term(b.Arg(t, 0))
	case !r.flat:
		v := b.zeros(t)
		b.setConstants(v[0], t)
		return v
	case o == op.Apply:
		return b.zeroOf(b.inside(t))
	}
	v := value{}
	for _, m := range b.parts(t) {
		v = append(v, b.zeroOf(m)...)
	}
	return v
}

// zeros is the value of a type whose bytes are zero.
func (b *body) zeros(t term.ID) value {
	r := b.types.rep(t)
	if !r.flat {
		room := b.room(t)
		b.clear(room, t)
		return value{room}
	}
	v := value{}
	for _, l := range r.leaves {
		if l.prim.IsFloat() {
			v = append(v, b.Float(l.reg, 0))
		} else {
			v = append(v, b.Int(l.reg, 0))
		}
	}
	return v
}

// setConstants stores the values of parts whose types are constant, in memory that is zero.
func (b *body) setConstants(addr ir.ValueID, t term.ID) {
	switch n := *b.Graph.At(t); n.Op {
	case op.Constant:
		b.put(addr, t, b.zeroOf(t))
	case op.Struct: // the zero of a type is made only once, however often it occurs
		for i, m := range n.Args {
			if !b.ZeroBytes(m) {
				b.put(b.part(addr, t, b.Index(i)), m, b.term(b.Zero(m)))
			}
		}
	case op.Array:
		v, size, count := b.term(b.Zero(n.Args[0])), b.extent(n.Args[0]).size, b.term(n.Args[1])[0]
		name := b.V.Blocks[b.Current()].Name
		head, set, done := b.Block(name, b.types.i64), b.Block(name), b.Block(name)
		b.Branch(head, b.i64(0))
		b.At(head)
		i := b.Param(head, 0)
		b.Branch2(b.Cmp(ir.OpULT, i, count), ir.To(set), ir.To(done))
		b.At(set)
		made := len(b.log)
		b.put(b.further(addr, b.Bin(ir.OpMul, i, size)), n.Args[0], v)
		b.forget(made)
		b.Branch(head, b.Bin(ir.OpAdd, i, b.i64(1)))
		b.At(done)
	default:
		b.setConstants(addr, b.inside(t))
	}
}

// aggregate is the value of a struct, array or union made of values.
func (b *body) aggregate(id term.ID, n term.Node) value {
	t := b.Graph.TypeOf(id)
	body := b.Unfolded(t)
	if r := b.types.rep(t); r.flat && n.Op != op.UnionV {
		v := value{}
		for _, a := range n.Args[int(n.Op-op.StructV):] {
			v = append(v, b.term(a)...)
		}
		return v
	}
	parts := n.Args
	if n.Op != op.StructV {
		parts = n.Args[1:]
	}
	vals := make([]value, len(parts))
	for i, a := range parts {
		vals[i] = b.term(a)
	}
	room := b.room(t)
	b.clear(room, t)
	for i, a := range parts {
		at := b.Graph.TypeOf(a)
		if n.Op == op.UnionV {
			b.put(room, at, vals[i])
			continue
		}
		b.put(b.part(room, body, b.Index(i)), at, vals[i])
	}
	return value{room}
}

// element is a part of a value.
func (b *body) element(n term.Node) value {
	whole := b.Graph.TypeOf(n.Args[0])
	r := b.types.rep(whole)
	v := b.term(n.Args[0])
	if b.Op(whole) == op.Apply {
		return v
	}
	t := b.Part(whole, n.Args[1])
	k, fixed := b.IndexOf(n.Args[1])
	if b.Op(whole) == op.Array {
		length := b.term(b.Arg(whole, 1))[0]
		i := b.term(n.Args[1])[0]
		if size, ok := b.LitOf(b.Arg(whole, 1)); !fixed || !ok || uint64(k) >= size.Lo {
			b.require(b.Cmp(ir.OpULT, i, length), ir.FailBounds, "array index out of range")
		}
	}
	if r.flat && fixed {
		start, width := 0, len(b.types.rep(t).leaves)
		if b.Op(whole) == op.Array {
			start = k * width
		} else {
			for _, m := range b.Graph.Args(whole)[:k] {
				start += len(b.types.rep(m).leaves)
			}
		}
		return v[start : start+width]
	}
	addr := b.part(b.indexed(v, whole), whole, n.Args[1])
	if b.types.rep(t).flat {
		return b.load(addr, t)
	}
	return value{addr}
}

// indexed is the address of a value of which a part with a computed index is needed.
func (b *body) indexed(v value, t term.ID) ir.ValueID {
	r := b.types.rep(t)
	if !r.flat {
		return v[0]
	}
	room := b.plain(b.hoisted(r.mem))
	b.put(room, t, v)
	return room
}

// recursive is the value of an instance of a schema of values: the result of a function, which is made
// when it is first needed.
func (b *body) recursive(s *term.Schema, args []term.ID, id term.ID) value {
	f := b.Function(term.Form{Phantoms: s.Phantoms}, s.Params, s.ValueType())
	a := b.types.abi(f)
	fn := b.values[s]
	if fn == nil {
		fn = b.b.Func(b.fresh(s.Symbol.Name), a.sig)
		fn.Pos, fn.Title, fn.Notation = s.Symbol.Pos, s.Symbol.Name, b.types.notations(a)
		b.values[s] = fn
		b.work = append(b.work, func() {
			c := b.newBody(fn, s.Symbol.Name)
			c.abi, c.pure = a, true
			c.fn = &check.Func{Form: term.Form{Phantoms: s.Phantoms}, Params: s.Params, Result: s.ValueType()}
			c.parameters()
			c.leave(s.Body())
		})
	}
	return b.invoke(b.FuncRef(fn), a, b.arguments(f, args), b.Graph.TypeOf(id))
}

// choose is a select whose arms are computed only if they are chosen.
func (b *body) choose(c ir.ValueID, t, x, y term.ID) value {
	r := b.types.rep(t)
	var types []ir.TypeID
	for _, l := range r.leaves {
		types = append(types, l.reg)
	}
	var room ir.ValueID
	if !r.flat {
		room, types = b.room(t), nil
	}
	name := b.V.Blocks[b.Current()].Name
	yes, no, join := b.Block(name), b.Block(name), b.Block(name, types...)
	b.Branch2(c, ir.To(yes), ir.To(no))
	for _, arm := range [...]struct {
		at ir.BlockID
		of term.ID
	}{{yes, x}, {no, y}} {
		b.At(arm.at)
		n := len(b.log)
		v := b.value(arm.of, t)
		if !r.flat {
			b.copy(room, v[0], t)
			v = nil
		}
		b.Branch(join, v...)
		b.forget(n)
	}
	b.At(join)
	if !r.flat {
		return value{room}
	}
	v := value{}
	for i := range types {
		v = append(v, b.Param(join, i))
	}
	return v
}
