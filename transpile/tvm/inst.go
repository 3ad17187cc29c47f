package tvm

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// inst makes an instruction.
func (b *body) inst(in *check.Inst) {
	arg := func(i int) ir.ValueID { return b.term(in.Args[i])[0] }
	target := func(i int) term.ID {
		t, _, _ := b.Graph.Target(b.Graph.TypeOf(in.Args[i]))
		return t
	}
	switch in.Op {
	case op.Alloca:
		b.know(in.Sym.ID, value{b.alloca(in)})
	case op.AllocaConst:
		t := b.Graph.TypeOf(in.Args[0])
		room := b.room(t)
		b.put(room, t, b.term(in.Args[0]))
		b.know(in.Sym.ID, value{room})
	case op.Load:
		b.know(in.Sym.ID, b.named(b.load(arg(0), in.Sym.Type), in.Sym))
	case op.Store:
		v := b.value(in.Args[0], target(1))
		b.put(arg(1), target(1), v)
	case op.Call:
		b.know(in.Sym.ID, b.named(b.call(in), in.Sym))
	case op.Memcpy:
		to, from, n := arg(0), arg(1), arg(2)
		t := target(0)
		if r := b.types.rep(t); r.static {
			b.MemMove(b.pointer(to, r.mem), b.pointer(from, r.mem), n)
			return
		}
		b.MemMove(b.raw(to), b.raw(from), b.Bin(ir.OpMul, n, b.extent(t).size))
	case op.Memzero:
		to, n := arg(0), arg(1)
		b.MemFill(b.raw(to), b.Int(b.types.i8, 0), b.Bin(ir.OpMul, n, b.extent(target(0)).size))
	case op.Freea: // the memory ends with the block at the latest
	case op.Eval:
		b.term(in.Args[0])
	case op.Solidify:
		v := b.term(in.Args[0])
		b.know(b.Arg(b.Graph.TypeOf(in.Args[0]), 0), v)
	case op.Return:
		b.leave(in.Args[0])
	case op.Br:
		d := b.arrival(in.Blocks[0])
		b.Branch(d.Block, d.Args...)
	case op.CondBr:
		c := arg(0)
		yes, finishYes := b.edge(in.Blocks[0])
		no, finishNo := b.edge(in.Blocks[1])
		b.Branch2(c, yes, no)
		finishYes()
		finishNo()
	case op.Unreachable:
		b.Fail(ir.FailUnreachable, "unreachable code reached in "+b.name)
	}
}

// named gives the scalar of a result its name.
func (b *body) named(v value, s *term.Symbol) value {
	if len(v) == 1 && s.Name != "" && b.V.Values[v[0]].Name == "" {
		b.Name(v[0], s.Name)
	}
	return v
}

// frameCell is the type of the cell of the entry block that an alloca is, ir.NoType if it is none.
func (b *body) frameCell(in *check.Inst) ir.TypeID {
	r := b.types.rep(in.Args[0])
	if !r.static {
		return ir.NoType
	}
	count, align := uint64(1), uint64(0)
	if len(in.Args) > 1 {
		n, ok := b.LitOf(in.Args[1])
		if !ok {
			return ir.NoType
		}
		count = n.Lo
	}
	if len(in.Args) > 2 {
		n, ok := b.LitOf(in.Args[2])
		if !ok || n.Lo > 16 {
			return ir.NoType
		}
		align = n.Lo
	}
	if size := b.Layout(in.Args[0]).Size.W8; count == 0 || count > maxCell || count*size > maxCell || count*size == 0 {
		return ir.NoType
	}
	mem := r.mem
	if count > 1 {
		mem = b.Types.Array(mem, count)
	}
	if align > 1 {
		mem = b.Types.StructOf(0, uint32(align), mem)
	}
	return mem
}

// alloca makes storage on the stack.
func (b *body) alloca(in *check.Inst) ir.ValueID {
	t := in.Args[0]
	if mem := b.frameCell(in); mem != ir.NoType {
		loc := b.hoisted(mem)
		if k := b.Types.At(mem).Kind; mem != b.types.rep(t).mem && k == ir.KStruct {
			loc = b.Field(loc, 0) // of what aligns it
			mem = b.Types.At(mem).Fields[0]
		}
		if mem != b.types.rep(t).mem {
			loc = b.Elem(loc, b.i64(0))
		}
		again := b.block.Index != 0 // it may be made again
		if b.private[in.Sym.ID] && !again {
			return b.plain(loc)
		}
		addr := b.addressOf(loc)
		if again {
			b.clearCell(addr, in)
		}
		return addr
	}
	e := b.extent(t)
	size, align := e.size, e.align
	if len(in.Args) > 1 {
		count := b.term(in.Args[1])[0]
		b.fits(count, size)
		size = b.Bin(ir.OpMul, size, count)
	}
	if len(in.Args) > 2 {
		align = b.max(align, b.term(in.Args[2])[0])
	}
	return b.frame(size, align)
}

// clearCell makes a cell zero.
func (b *body) clearCell(addr ir.ValueID, in *check.Inst) {
	size := b.extent(in.Args[0]).size
	if len(in.Args) > 1 {
		size = b.Bin(ir.OpMul, size, b.term(in.Args[1])[0])
	}
	b.MemFill(b.raw(addr), b.Int(b.types.i8, 0), size)
}

// leave returns a value.
func (b *body) leave(id term.ID) {
	t := b.fn.Result
	v := b.value(id, t)
	r := b.types.rep(t)
	switch {
	case b.abi.aggregate:
		b.Ret(b.whole(v, t))
	case b.abi.indirect:
		b.copy(b.target, b.spill(v, t), t)
		b.Ret()
	case r.flat && len(r.leaves) == 2 && r.mem == b.types.pair, b.types.whole(r):
		b.Ret(b.whole(v, t))
	default:
		b.Ret(v...)
	}
}

// value is the value of a term where a type is expected that the type of the term may be used as.
// Flat types have the same scalars then.
func (b *body) value(id, want term.ID) value {
	v := b.term(id)
	have := b.Graph.TypeOf(id)
	if want == have || have == 0 {
		return v
	}
	from, to := b.types.rep(have), b.types.rep(want)
	switch {
	case from.flat && !to.flat:
		return value{b.spill(v, have)}
	case to.flat && !from.flat:
		return b.load(v[0], want)
	}
	return v
}

// call calls a function.
func (b *body) call(in *check.Inst) value {
	f, _, _ := b.Graph.Target(b.Graph.TypeOf(in.Args[0]))
	if b.direct(in.Args[0]) == nil && b.erased(f) {
		return b.throughEntry(in, f)
	}
	return b.invoke(b.callee(in.Args[0], b.types.abi(f)), f, in.Args[1:], in.Sym.Type)
}

// invoke calls a function of a type with all arguments, for a result of a type.
func (b *body) invoke(callee ir.ValueID, f term.ID, given []term.ID, result term.ID) value {
	a, form := b.types.abi(f), b.FormOf(f)
	var args []ir.ValueID
	for i, x := range given[form.Phantoms:] {
		declared := a.params[i]
		have := b.ParamType(f, form.Phantoms+i, given)
		v := b.value(x, have)
		if k := form.Phantoms + i; k < len(form.Attrs) && form.Attrs[k]&syntax.ByVal != 0 {
			inner, _, _ := b.Graph.Target(have)
			room := b.room(inner)
			b.copy(room, v[0], inner)
			v = value{room}
		}
		r := b.types.rep(declared)
		switch {
		case b.types.byAddress(declared):
			args = append(args, b.spill(v, have))
		case b.types.whole(r):
			args = append(args, b.whole(v, have))
		default:
			args = append(args, v...)
		}
	}
	if a.indirect {
		room := b.room(result)
		b.BodyBuilder.Call(callee, append(args, room)...)
		if b.types.rep(result).flat {
			return b.load(room, result)
		}
		return value{room}
	}
	r := b.BodyBuilder.Call(callee, args...)
	if rep := b.types.rep(result); len(r) == 1 && (b.types.whole(rep) || rep.mem == b.types.pair) {
		return b.fromWhole(r[0], result)
	}
	return value(r)
}

// direct is the function whose address a term is, nil if that is not known.
func (b *body) direct(id term.ID) *ir.Function {
	for b.Op(id) == op.Specialize {
		id = b.Arg(id, 0)
	}
	if s := b.Sym(id); s != nil && s.Kind == term.Func {
		return b.funcs[s.Data.(*check.Global)]
	}
	return nil
}

// callee is the function that a term, an address, is of.
func (b *body) callee(id term.ID, a *abi) ir.ValueID {
	if fn := b.direct(id); fn != nil && fn.Sig == a.sig {
		return b.FuncRef(fn)
	}
	addr := b.term(id)[0]
	b.require(b.Cmp(ir.OpNE, addr, b.Int(b.types.word, 0)), ir.FailNullFunc, "call of a null function pointer")
	return b.FuncAt(a.sig, addr)
}

// address is the value of an address.
func (b *body) address(id term.ID) ir.ValueID { return b.term(id)[0] }
