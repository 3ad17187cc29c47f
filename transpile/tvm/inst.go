package tvm

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
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
		if b.lent[in.Sym.ID] {
			b.touch(arg(0), in.Sym.Type)
			b.know(in.Sym.ID, value{arg(0)})
			return
		}
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
	case op.Freea: // the memory is freed with its block at the latest
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

// named names the scalar of a result after its symbol.
func (b *body) named(v value, s *term.Symbol) value {
	if len(v) == 1 && s.Name != "" && b.V.Values[v[0]].Name == "" {
		b.Name(v[0], s.Name)
	}
	return v
}

// frameCell is the type of the cell in the entry block for an alloca, ir.NoType if it does not become a cell.
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
			loc = b.Field(loc, 0) // the struct around it is only for the alignment
			mem = b.Types.At(mem).Fields[0]
		}
		if mem != b.types.rep(t).mem {
			loc = b.Elem(loc, b.i64(0))
		}
		again := b.block.Index != 0 // the instruction may run again
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
	if b.block.Index == 0 { // it runs once, so a cell of the entry block is zero
		return b.small(size, align)
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

// leave makes the return of a value.
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

// value is the value of a term where type want is expected, which terms of its type may be used as.
// If the types are flat, both have the same scalars.
func (b *body) value(id, want term.ID) value {
	v := b.term(id)
	have := b.Graph.TypeOf(id)
	if want == have || have == 0 {
		return v
	}
	return b.recast(v, have, want)
}

// call calls a function, or its copy for the types of the call if there is one.
func (b *body) call(in *check.Inst) value {
	f, _, _ := b.Graph.Target(b.Graph.TypeOf(in.Args[0]))
	args := b.arguments(f, in.Args[1:])
	if c := b.copyFor(in.Args[0], args); c != nil {
		return b.invoke(b.FuncRef(c.fn), c.abi, c.remaining(args), in.Sym.Type)
	}
	if b.entered(in) {
		return b.throughEntry(in, args)
	}
	a := b.types.abi(f)
	return b.invoke(b.callee(in.Args[0], a), a, args, in.Sym.Type)
}

// An argument is a non-phantom argument of a call.
type argument struct {
	term, typ term.ID
	byVal     bool // it is a pointer, and the callee gets a pointer to a copy
}

// arguments are the non-phantom arguments of a call of a function of type f.
func (b *body) arguments(f term.ID, given []term.ID) []argument {
	form := b.FormOf(f)
	var list []argument
	for k := form.Phantoms; k < len(given); k++ {
		byVal := form.ByVal(k)
		list = append(list, argument{given[k], b.ParamType(f, k, given), byVal})
	}
	return list
}

// argument is the value of an argument.
func (b *body) argument(x argument) value {
	v := b.value(x.term, x.typ)
	if x.byVal {
		inner, _, _ := b.Graph.Target(x.typ)
		room := b.room(inner)
		b.copy(room, v[0], inner)
		v = value{room}
	}
	return v
}

// invoke calls a function, for a result of a type.
func (b *body) invoke(callee ir.ValueID, a *abi, given []argument, result term.ID) value {
	var args []ir.ValueID
	for i, x := range given {
		v, declared := b.argument(x), a.params[i]
		if b.types.byAddress(declared) {
			args = append(args, b.spill(v, x.typ))
			continue
		}
		v = b.recast(v, x.typ, declared)
		if b.types.whole(b.types.rep(declared)) {
			v = value{b.whole(v, declared)}
		}
		args = append(args, v...)
	}
	if a.indirect {
		room := b.room(result)
		b.BodyBuilder.Call(callee, append(args, room)...)
		if b.types.rep(result).flat {
			return b.load(room, result)
		}
		return value{room}
	}
	r := value(b.BodyBuilder.Call(callee, args...))
	if rep := b.types.rep(a.result); len(r) == 1 && (b.types.whole(rep) || rep.mem == b.types.pair) {
		r = b.fromWhole(r[0], a.result)
	}
	return b.recast(r, a.result, result)
}

// recast converts a value to another type with the same bytes.
func (b *body) recast(v value, from, to term.ID) value {
	have, want := b.types.rep(from), b.types.rep(to)
	switch {
	case from == to || !have.flat && !want.flat:
		return v
	case !want.flat:
		return value{b.spill(v, from)}
	case !have.flat:
		return b.load(v[0], to)
	}
	out := make(value, len(v))
	for i, l := range have.leaves {
		if out[i] = v[i]; l.reg != want.leaves[i].reg {
			out[i] = b.fromMemory(b.toMemory(v[i], l), want.leaves[i])
		}
	}
	return out
}

// known is the function whose address a term is, nil if unknown.
func (b *body) known(id term.ID) *check.Global {
	for b.Op(id) == op.Specialize {
		id = b.Arg(id, 0)
	}
	if s := b.Sym(id); s != nil && s.Kind == term.Func {
		return s.Data.(*check.Global)
	}
	return nil
}

// direct is like known, but returns the function of the representation.
func (b *body) direct(id term.ID) *ir.Function {
	if g := b.known(id); g != nil {
		return b.funcs[g]
	}
	return nil
}

// callee is the function at the address that is the value of a term.
func (b *body) callee(id term.ID, a *abi) ir.ValueID {
	if fn := b.direct(id); fn != nil && fn.Sig == a.sig {
		return b.FuncRef(fn)
	}
	return b.FuncAt(a.sig, b.term(id)[0], "call of a null function pointer in "+b.name)
}

// address is the value of an address.
func (b *body) address(id term.ID) ir.ValueID { return b.term(id)[0] }
