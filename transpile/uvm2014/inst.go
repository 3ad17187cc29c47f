package uvm2014

import (
	"cmp"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// opOf are the operations of instructions that correspond to one operation.
var opOf = func() (t [syntax.NumOps]ir.Op) {
	names := map[string]ir.Op{}
	for _, s := range ir.Spellings("uvm2014") {
		names[s.Name] = s.Op
	}
	for op := syntax.NoOp + 1; op < syntax.NumOps; op++ {
		t[op] = names[op.String()]
	}
	return
}()

// instruction checks and translates an instruction.
func (b *body) instruction() {
	in, d := b.in, &b.infos[b.at]
	out := ir.Inst{Op: opOf[in.Op], Ty: d.ty, Ty2: d.ty2, Sig: d.sig}
	switch op := in.Op; {
	case op <= syntax.FRem, op <= syntax.FOLE:
		out.Args = b.list(b.operand(&in.Args[0], d.ty, op.String()), b.operand(&in.Args[1], d.ty, op.String()))
	case op <= syntax.FuncCast:
		val := b.operand(&in.Args[0], d.ty, op.String())
		out.Args = b.list(val)
		if d.ty == d.ty2 && b.kind(d.ty) == ir.KInt { // the identity, which Mu does not have as a conversion
			out.Op, out.Ty2 = ir.OpOr, ir.NoType
			if b.emit {
				out.Args = b.list(val, b.v.ConstValue(b.literal(ir.Const{Kind: ir.ConstInt, Type: d.ty})))
			}
		}
	default:
		if !b.other(&out) {
			return
		}
	}
	b.finish(&out)
}

// other checks the instructions that are not computations. It reports whether the caller must
// add out.
func (b *body) other(out *ir.Inst) bool {
	in, d := b.in, &b.infos[b.at]
	op := in.Op.String()
	arg := func(i int) *syntax.Value { return &in.Args[i] }
	switch in.Op {
	case syntax.Select:
		cond := b.condition(arg(0))
		out.Ty, out.Ty2 = b.i1, d.ty
		out.Args = b.list(cond, b.operand(arg(1), d.ty, op), b.operand(arg(2), d.ty, op))
	case syntax.Branch:
		out.Dests = b.destinations()
	case syntax.Branch2:
		out.Args = b.list(b.condition(arg(0)))
		out.Dests = b.destinations()
	case syntax.Switch:
		b.switchInst(out)
	case syntax.Phi:
		if b.emit {
			b.result(b.ssa.Phi(b.cur, d.typ, b.valueName(b.at)))
			b.noInst()
		}
		return false
	case syntax.LandingPad:
		b.landingPad()
		return false
	case syntax.Call, syntax.Invoke, syntax.TailCall:
		b.call(out)
	case syntax.CCall:
		b.ccall(out)
		return false
	case syntax.NewStack:
		b.newStack(out)
		return false
	case syntax.ICall, syntax.IInvoke:
		b.intrinsic(out)
		return false
	case syntax.Ret:
		val := b.operand(arg(0), d.ty, op)
		if b.sig != ir.NoType && d.ty != ir.NoType && d.ty != b.ret {
			switch {
			case b.ret == ir.NoType:
				b.errorf(in.OpOff, "RET: %s returns nothing: write RETVOID", b.name(b.d.Name))
			case b.kind(d.ty) == ir.KInt && b.kind(b.ret) == ir.KInt:
				b.deviate(b.devs, "width", in.Type.Off, "RET: %s returns %s, found %s: it is truncated or sign-extended", b.name(b.d.Name), b.text(b.ret), b.text(d.ty))
				val = b.resize(val, d.ty, b.ret)
			default:
				b.errorf(in.Type.Off, "RET: %s returns %s, found %s", b.name(b.d.Name), b.text(b.ret), b.text(d.ty))
			}
		}
		out.Ty = ir.NoType
		out.Args = b.list(val)
	case syntax.RetVoid:
		if b.ret != ir.NoType {
			b.errorf(in.OpOff, "RETVOID: %s returns %s", b.name(b.d.Name), b.text(b.ret))
		}
	case syntax.Throw:
		out.Args = b.list(b.object(arg(0), op))
	case syntax.ExtractValue, syntax.InsertValue:
		out.Imm = in.Imm.Lo
		out.Args = b.list(b.operand(arg(0), d.ty, op))
		if in.Op == syntax.InsertValue {
			field := ir.NoType
			if n := b.types.At(d.ty); d.ty != ir.NoType && in.Imm.Lo < uint64(len(n.Fields)) {
				field = n.Fields[in.Imm.Lo]
			}
			out.Args = append(out.Args, b.operand(arg(1), field, "the new value"))
		}
	case syntax.NewHybrid, syntax.AllocaHybrid:
		out.Ty2 = b.word
		out.Args = b.list(b.operand(arg(0), b.word, "the length"))
	case syntax.Trap, syntax.TrapCall, syntax.Watchpoint:
		b.trap(out)
	case syntax.OldParam:
		if params := b.v.Blocks[0].Params; b.emit && in.Imm.Lo < uint64(len(params)) { // else results has told
			b.result(b.alias(params[in.Imm.Lo]))
			b.identify(0, b.valueName(b.at), b.d.Params[in.Imm.Lo].ID)
		}
		return false
	case syntax.PrintStr, syntax.PrintInt64, syntax.PrintPtr:
		b.print()
		return false
	case syntax.GC:
		out.Op = ir.OpCollect
	default:
		return b.memory(out)
	}
	return true
}

// destinations are the destinations of the instruction.
func (b *body) destinations() []ir.Dest {
	if !b.emit {
		return nil
	}
	l := b.outputs.Make(len(b.in.Dests) + b.switchCases())
	for k := range l {
		l[k] = b.dest(k)
	}
	return l
}

func (b *body) switchCases() int {
	if b.in.Op == syntax.Switch {
		return len(b.in.Cases)
	}
	return 0
}

func (b *body) switchInst(out *ir.Inst) {
	in, d := b.in, &b.infos[b.at]
	out.Args = b.list(b.operand(&in.Args[0], d.ty, "SWITCH"))
	seen := map[[2]uint64]bool{}
	for i := range in.Cases {
		v := &in.Cases[i].Value
		have, val := b.value(v, d.ty)
		if have == ir.NoType || d.ty == ir.NoType {
			continue
		}
		c := b.constantOf(v, val)
		switch {
		case c == nil:
			b.errorf(v.Off, "%s: the cases of a SWITCH are constants", b.valueText(v))
			continue
		case have != d.ty:
			b.mismatch(v, "the case", b.text(d.ty), have)
			continue
		case seen[[2]uint64{c.Hi, c.Lo}]:
			b.errorf(v.Off, "%s: the cases of a SWITCH differ from each other", b.valueText(v))
		}
		seen[[2]uint64{c.Hi, c.Lo}] = true
		out.Args = append(out.Args, val)
	}
	out.Dests = b.destinations()
}

// constantOf is the constant that an operand is, nil for other operands.
func (b *body) constantOf(v *syntax.Value, val ir.ValueID) *ir.Const {
	if v.Const == nil && v.Name.Sym.Local() {
		if s := b.local(v.Name); s == nil || s.con == nil {
			return nil
		}
	}
	if val == 0 || b.v.Values[val].Kind != ir.ValueConst {
		return nil
	}
	return b.v.Values[val].Const
}

func (b *body) landingPad() {
	if !b.emit {
		return
	}
	b.noInst()
	if p := b.pads[b.blk]; p.alone {
		b.result(b.alias(b.v.Blocks[b.cur].Exc))
	} else {
		b.result(b.alias(b.ssa.Use(b.cur, p.x)))
	}
}

// alias gives a value the name of the current instruction, which denotes it. A value that has another name gets an
// identity of this one, because traps show values by name.
func (b *body) alias(val ir.ValueID) ir.ValueID {
	name := b.valueName(b.at)
	v := &b.v.Values[val]
	switch {
	case name == "" || v.Name == name:
		return val
	case v.Name == "" && v.Kind != ir.ValueConst:
		v.Name = name
		return val
	}
	id := b.v.Append(b.cur, ir.Inst{Op: ir.OpKillDependency, Ty: v.Type, Args: b.list(val), Pos: b.b.Pos(b.in.OpOff)}, []ir.TypeID{v.Type}, []string{name})
	return b.v.Insts[id].Results[0]
}

// orders of package ir.
var orders = [...]ir.Order{
	syntax.NotAtomic: ir.NotAtomic, syntax.Unordered: ir.Relaxed, syntax.Monotonic: ir.Relaxed, syntax.Acquire: ir.Acquire,
	syntax.Release: ir.Release, syntax.AcqRel: ir.AcqRel, syntax.SeqCst: ir.SeqCst,
}

// order is a memory order, made legal for the operation: an order that is too weak becomes
// relaxed, one of the wrong direction becomes sequentially consistent.
func (b *body) order(o syntax.Order, off syntax.Off, legal uint8, fence bool) ir.Order {
	if o == syntax.NoOrder {
		return ir.NotAtomic
	}
	if legal&(1<<o) != 0 {
		return orders[o]
	}
	text, to := "MONOTONIC", ir.Relaxed
	if o > syntax.Monotonic {
		text, to = "SEQ_CST", ir.SeqCst
	}
	if fence {
		text = "no order"
	}
	b.deviate(b.devs, "order", cmp.Or(off, b.in.OpOff), "%s with order %s: it counts as %s", b.in.Op, o, text)
	return to
}

// The memory orders that operations take, as sets of bits 1 << order.
const (
	loadOrders  = 1<<syntax.NotAtomic | 1<<syntax.Unordered | 1<<syntax.Monotonic | 1<<syntax.Acquire | 1<<syntax.SeqCst
	storeOrders = 1<<syntax.NotAtomic | 1<<syntax.Unordered | 1<<syntax.Monotonic | 1<<syntax.Release | 1<<syntax.SeqCst
	bothOrders  = 1<<syntax.Monotonic | 1<<syntax.Acquire | 1<<syntax.Release | 1<<syntax.AcqRel | 1<<syntax.SeqCst
	failOrders  = 1<<syntax.Monotonic | 1<<syntax.Acquire | 1<<syntax.SeqCst
	fenceOrders = 1<<syntax.Acquire | 1<<syntax.Release | 1<<syntax.AcqRel | 1<<syntax.SeqCst
)

// memory checks addressing and memory access. It reports whether the caller must add out.
func (b *body) memory(out *ir.Inst) bool {
	in, d := b.in, &b.infos[b.at]
	op := in.Op.String()
	arg := func(i int) *syntax.Value { return &in.Args[i] }
	loc := func(cast bool) ir.ValueID { return b.referent(arg(0), ir.KIRef, d.ty, cast, op) }
	strong := b.strong(d.ty)
	switch in.Op {
	case syntax.GetIRef:
		out.Args = b.list(b.referent(arg(0), ir.KRef, d.ty, b.isVoidRef(arg(0)), op))
	case syntax.GetFieldIRef:
		out.Imm = in.Imm.Lo
		out.Args = b.list(loc(false))
	case syntax.GetElemIRef, syntax.ShiftIRef:
		width := b.indexType()
		val := b.operand(arg(1), width, "the index")
		if width != b.word {
			val = b.resize(val, width, b.word)
		}
		out.Ty2 = b.word
		out.Args = b.list(loc(false), val)
	case syntax.GetFixedPartIRef:
		at := loc(false)
		if d.ty != ir.NoType && len(b.types.At(d.ty).Fields) == 0 {
			*out = ir.Inst{Op: ir.OpRefCast, Ty: b.types.IRef(d.ty), Ty2: d.typ, Args: b.list(at)}
			return true
		}
		out.Op, out.Imm, out.Args = ir.OpGetFieldIRef, 0, b.list(at)
	case syntax.GetVarPartIRef:
		out.Args = b.list(loc(false))
	case syntax.Load:
		out.Ord = b.access(loadOrders)
		out.Args = b.list(loc(true))
	case syntax.Store:
		out.Ord = b.access(storeOrders)
		at := loc(true)
		out.Args = b.list(at, b.operand(arg(1), strong, "the new value"))
	case syntax.CmpXchg:
		b.atomicWidth(d.ty)
		out.Ord, out.OrdFail = b.order(in.Order, in.OrderOff, bothOrders, false), b.order(in.OrderFail, in.OrderFailOff, failOrders, false)
		at := loc(true)
		out.Args = b.list(at, b.operand(arg(1), strong, "the expected value"), b.operand(arg(2), strong, "the desired value"))
		b.cmpXchg(*out)
		return false
	case syntax.AtomicRMW:
		b.atomicWidth(d.ty)
		out.Ord, out.RMW = b.order(in.Order, in.OrderOff, bothOrders, false), ir.RMWOp(in.RMW)
		if b.types.At(d.ty).Kind.IsFP() {
			b.xchgFP(out, loc(true))
			return false
		}
		at := loc(true)
		out.Args = b.list(at, b.operand(arg(1), strong, "the operand"))
	case syntax.Fence:
		if out.Ord = b.order(in.Order, in.OrderOff, fenceOrders, true); out.Ord == ir.Relaxed || out.Ord == ir.NotAtomic {
			if b.emit {
				b.noInst()
			}
			return false
		}
	}
	return true
}

// indexType is the type of the index of GETELEMIREF and SHIFTIREF, which old bundles state.
func (b *body) indexType() ir.TypeID {
	switch n := b.in.Imm; {
	case n != nil && n.IsUint64() && n.Lo > 0 && n.Lo <= maxBits:
		return b.types.Int(uint32(n.Lo))
	case n != nil:
		b.errorf(n.Off, "invalid width %s of the index", b.b.IntText(n))
	case b.in.Type2.TypeCtor != nil:
		if t := b.infos[b.at].ty2; t != ir.NoType {
			return t
		}
	}
	return b.word
}

// isVoidRef reports whether an operand is a ref<void>, which GETIREF accepts in old bundles.
func (b *body) isVoidRef(v *syntax.Value) bool {
	if v.Const != nil || !v.Name.Sym.Local() {
		return false
	}
	s := b.local(v.Name)
	return s != nil && (s.def >= 0 && b.infos[s.def].typ == b.exc ||
		s.def < 0 && s.def != none && -1-s.def < len(b.types.At(b.sig).Fields) && b.types.At(b.sig).Fields[-1-s.def] == b.exc)
}

// access is the order of a LOAD or STORE.
func (b *body) access(legal uint8) ir.Order {
	d := &b.infos[b.at]
	o := b.order(b.in.Order, b.in.OrderOff, legal, false)
	if o != ir.NotAtomic {
		if b.kind(d.ty) == ir.KStruct {
			b.errorf(b.in.Type.Off, "%s: structs are accessed NOT_ATOMIC only", b.in.Op)
			return ir.NotAtomic
		}
		b.atomicWidth(d.ty)
	}
	return o
}

// atomicWidth checks that integers of a width can be accessed atomically.
func (b *body) atomicWidth(t ir.TypeID) {
	n := b.types.At(t)
	if n.Kind != ir.KInt {
		return
	}
	switch n.Bits {
	case 8, 16, 32, 64:
	default:
		b.errorf(b.in.Type.Off, "%s: atomic access is to int<8>, int<16>, int<32> and int<64>, found %s", b.in.Op, b.text(t))
	}
}

// cmpXchg makes a CMPXCHG, whose only result is the old value.
func (b *body) cmpXchg(out ir.Inst) {
	d := &b.infos[b.at]
	if !b.emit || d.typ == ir.NoType {
		return
	}
	out.Name, out.Pos = b.valueName(b.at), b.b.Pos(b.in.OpOff)
	id := b.v.Append(b.cur, out, []ir.TypeID{d.typ, b.i1}, []string{out.Name})
	b.v.Insts[id].ID = b.takeID(b.in.ID)
	d.inst = id
	b.result(b.v.Insts[id].Results[0])
}

// xchgFP turns an exchange of a float or double into one of an integer of the same width.
func (b *body) xchgFP(out *ir.Inst, loc ir.ValueID) {
	d := &b.infos[b.at]
	t := d.ty
	i := b.types.Int(fpBits(b.kind(t)))
	val := b.operand(&b.in.Args[1], t, "the operand")
	at := b.one(ir.Inst{Op: ir.OpRefCast, Ty: b.types.IRef(t), Ty2: b.types.IRef(i), Args: b.list(loc)}, b.types.IRef(i))
	bits := b.one(ir.Inst{Op: ir.OpBitcast, Ty: t, Ty2: i, Args: b.list(val)}, i)
	old := b.one(ir.Inst{Op: ir.OpAtomicRMW, Ty: i, RMW: ir.RMWXchg, Ord: out.Ord, Args: b.list(at, bits)}, i)
	b.finish(&ir.Inst{Op: ir.OpBitcast, Ty: i, Ty2: t, Args: b.list(old)})
}
