package uvm2014

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// results resolves the type arguments of all instructions and finds the types of their
// results, which follow from them.
func (b *body) results() {
	for i := range b.d.Blocks {
		b.blk = i
		for k := range b.d.Blocks[i].Insts {
			b.in, b.at = &b.d.Blocks[i].Insts[k], b.first[i]+k
			b.resultOf()
		}
	}
}

// A typeRule says which type arguments an instruction accepts.
type typeRule struct {
	kinds uint64 // a bit for each kind that it may have
	ok    func(l *loader, t ir.TypeID) bool
	want  string
}

func kindRule(want string, kinds ...ir.Kind) *typeRule {
	r := &typeRule{want: want}
	for _, k := range kinds {
		r.kinds |= 1 << k
	}
	return r
}

// rule is a typeRule that depends on more than the kind.
func rule(want string, ok func(l *loader, t ir.TypeID) bool) *typeRule {
	return &typeRule{ok: ok, want: want}
}

func (r *typeRule) allows(l *loader, t ir.TypeID) bool {
	if r.ok != nil {
		return r.ok(l, t)
	}
	return r.kinds>>l.kind(t)&1 != 0
}

var (
	intRule    = kindRule("an int", ir.KInt)
	fpRule     = kindRule("float or double", ir.KFloat, ir.KDouble)
	eqRule     = kindRule("int, ref, iref, func, thread, stack or tagref64", ir.KInt, ir.KRef, ir.KIRef, ir.KFuncRef, ir.KThreadRef, ir.KStackRef, ir.KTagRef64)
	valueRule  = rule("a type of values", (*loader).isValue)
	structRule = kindRule("a struct", ir.KStruct)
	valStruct  = rule("a struct of values", func(l *loader, t ir.TypeID) bool { return l.kind(t) == ir.KStruct && l.isValue(t) })
	hybridRule = kindRule("a hybrid", ir.KHybrid)
	plainRule  = rule("a type that is not a hybrid", func(l *loader, t ir.TypeID) bool { return l.kind(t) != ir.KHybrid })
	fixedRule  = rule("a type of fixed length", (*loader).fixed)
	arrayRule  = kindRule("an array", ir.KArray)
	anyRule    = rule("a type", func(*loader, ir.TypeID) bool { return true })
	storeRule  = rule("a type of values, or weakref", func(l *loader, t ir.TypeID) bool { return l.isValue(t) || l.kind(t) == ir.KWeakRef })
	casRule    = kindRule("int, ref, iref, weakref, func, thread, stack or tagref64", ir.KInt, ir.KRef, ir.KIRef, ir.KWeakRef, ir.KFuncRef, ir.KThreadRef, ir.KStackRef, ir.KTagRef64)
	xchgRule   = kindRule("int, ref, iref, weakref, func, thread, stack, tagref64, float or double", ir.KInt, ir.KRef, ir.KIRef, ir.KWeakRef, ir.KFuncRef, ir.KThreadRef, ir.KStackRef, ir.KTagRef64, ir.KFloat, ir.KDouble)
	retRule    = rule("a type of values, or void", func(l *loader, t ir.TypeID) bool { return t == l.void || l.isValue(t) })
	refRule    = kindRule("a ref", ir.KRef)
	irefRule   = kindRule("an iref", ir.KIRef)
	funcRule   = kindRule("a func", ir.KFuncRef)
)

// typeArg resolves a type argument.
func (b *body) typeArg(t syntax.Type, r *typeRule) ir.TypeID {
	id := b.typ(t)
	if id != ir.NoType && !r.allows(b.loader, id) {
		b.errorf(t.Off, "%s wants %s, found %s", b.in.Op, r.want, b.notValue(id))
		return ir.NoType
	}
	return id
}

// resultOf finds the type of the result of one instruction.
func (b *body) resultOf() {
	in, d := b.in, &b.infos[b.at]
	// set sets the type of the result; unknown says that it cannot be found.
	set := func(t ir.TypeID) {
		d.typ, d.bad = t, t == ir.NoType
	}
	arg := func(r *typeRule) ir.TypeID {
		d.ty = b.typeArg(in.Type, r)
		return d.ty
	}
	switch op := in.Op; {
	case op <= syntax.Xor:
		set(arg(intRule))
	case op <= syntax.FRem:
		set(arg(fpRule))
	case op <= syntax.NE:
		arg(eqRule)
		set(b.i1)
	case op <= syntax.ULT:
		arg(intRule)
		set(b.i1)
	case op <= syntax.FOLE:
		arg(fpRule)
		set(b.i1)
	case op <= syntax.FuncCast:
		b.conversion(d)
		set(d.ty2)
	default:
		b.otherResult(d, set, arg)
	}
}

func (b *body) otherResult(d *info, set func(ir.TypeID), arg func(*typeRule) ir.TypeID) {
	in := b.in
	of := func(k ir.Kind, t ir.TypeID) ir.TypeID {
		if t == ir.NoType {
			return t
		}
		return b.types.Of(k, t)
	}
	switch in.Op {
	case syntax.Select, syntax.Phi:
		set(arg(valueRule))
	case syntax.Switch:
		arg(intRule)
	case syntax.Ret:
		arg(valueRule)
	case syntax.Call, syntax.Invoke, syntax.TailCall, syntax.CCall:
		d.sig = b.loader.sig(in.Sig)
		if d.sig == ir.NoType {
			d.bad = true
		} else if r := b.types.At(d.sig).Results; len(r) > 0 && in.Op != syntax.TailCall {
			set(r[0])
		}
	case syntax.NewStack:
		d.sig = b.loader.sig(in.Sig)
		set(b.stack)
	case syntax.ICall, syntax.IInvoke:
		f := intrinsics[b.name(in.Intrinsic)]
		if f == nil {
			b.errorf(in.Intrinsic.Off, "unknown intrinsic function %s%s", b.name(in.Intrinsic), b.hint(in.Intrinsic, eachIntrinsic))
			d.bad = true
		} else if f.result != nil {
			set(f.result(b.loader))
		}
	case syntax.LandingPad:
		set(b.exc)
	case syntax.ExtractValue:
		arg(valStruct)
		set(b.fieldType(d.ty))
	case syntax.InsertValue:
		set(arg(valStruct))
		b.fieldType(d.ty)
	case syntax.New:
		set(of(ir.KRef, arg(plainRule)))
	case syntax.NewHybrid:
		set(of(ir.KRef, arg(hybridRule)))
	case syntax.Alloca:
		set(of(ir.KIRef, arg(plainRule)))
	case syntax.AllocaHybrid:
		set(of(ir.KIRef, arg(hybridRule)))
	case syntax.GetIRef:
		set(of(ir.KIRef, arg(anyRule)))
	case syntax.GetFieldIRef:
		arg(structRule)
		set(of(ir.KIRef, b.fieldType(d.ty)))
	case syntax.GetElemIRef, syntax.ShiftIRef:
		if in.Type2.TypeCtor != nil {
			d.ty2 = b.typeArg(in.Type2, intRule)
		}
		if in.Op == syntax.ShiftIRef {
			set(of(ir.KIRef, arg(fixedRule)))
			break
		}
		set(of(ir.KIRef, b.types.At(arg(arrayRule)).Elem))
	case syntax.GetFixedPartIRef:
		part := b.void
		if n := b.types.At(arg(hybridRule)); len(n.Fields) > 0 {
			part = n.Fields[0]
		}
		if d.ty == ir.NoType {
			part = ir.NoType
		}
		set(of(ir.KIRef, part))
	case syntax.GetVarPartIRef:
		set(of(ir.KIRef, b.types.At(arg(hybridRule)).Elem))
	case syntax.Load:
		set(b.strong(arg(storeRule)))
	case syntax.Store:
		arg(storeRule)
	case syntax.CmpXchg:
		set(b.strong(arg(casRule)))
	case syntax.AtomicRMW:
		rule := intRule
		if in.RMW == syntax.Xchg {
			rule = xchgRule
		}
		set(b.strong(arg(rule)))
	case syntax.Trap, syntax.Watchpoint, syntax.TrapCall:
		if t := b.trapType(in.Type); t == ir.NoType {
			d.bad = true
		} else if t != b.void {
			set(t)
		}
	case syntax.OldParam:
		params := b.types.At(b.sig).Fields
		if n := in.Imm.Lo; n < uint64(len(params)) {
			set(params[n])
		} else {
			if b.sig != ir.NoType {
				b.errorf(in.Imm.Off, "PARAM %d: the function has %s", n, count(len(params), "parameter"))
			}
			d.bad = true
		}
	}
}

// trapType resolves the type of a trap, which old bundles leave out.
func (b *body) trapType(t syntax.Type) ir.TypeID {
	if t.TypeCtor == nil {
		return b.void
	}
	return b.typeArg(t, retRule)
}

func (b *body) strong(t ir.TypeID) ir.TypeID {
	if t == ir.NoType {
		return t
	}
	return b.types.Strong(t)
}

// fieldType is the type of the field that the instruction names.
func (b *body) fieldType(t ir.TypeID) ir.TypeID {
	if t == ir.NoType || b.in.Imm == nil {
		return ir.NoType
	}
	n := b.types.At(t)
	if !b.in.Imm.IsUint64() || b.in.Imm.Lo >= uint64(len(n.Fields)) {
		b.errorf(b.in.Imm.Off, "%s: %s has %s, numbered from 0", b.in.Op, b.text(t), count(len(n.Fields), "field"))
		return ir.NoType
	}
	return n.Fields[b.in.Imm.Lo]
}

// conversion resolves the types of a conversion.
func (b *body) conversion(d *info) {
	in := b.in
	from, to := anyRule, anyRule
	switch in.Op {
	case syntax.Trunc, syntax.ZExt, syntax.SExt:
		from, to = intRule, intRule
	case syntax.FPTrunc:
		from, to = kindRule("double", ir.KDouble), kindRule("float", ir.KFloat)
	case syntax.FPExt:
		from, to = kindRule("float", ir.KFloat), kindRule("double", ir.KDouble)
	case syntax.FPToUI, syntax.FPToSI:
		from, to = fpRule, intRule
	case syntax.UIToFP, syntax.SIToFP:
		from, to = intRule, fpRule
	case syntax.RefCast:
		from, to = refRule, refRule
	case syntax.IRefCast:
		from, to = irefRule, irefRule
	case syntax.FuncCast:
		from, to = funcRule, funcRule
		d.ty, d.ty2 = b.funcType(in.Type), b.funcType(in.Type2)
		return
	}
	d.ty, d.ty2 = b.typeArg(in.Type, from), b.typeArg(in.Type2, to)
	if d.ty == ir.NoType || d.ty2 == ir.NoType {
		return
	}
	f, t := b.types.At(d.ty), b.types.At(d.ty2)
	switch in.Op {
	case syntax.Trunc, syntax.ZExt, syntax.SExt:
		switch {
		case f.Bits == t.Bits:
			b.deviate(b.devs, "same width", in.OpOff, "%s between ints of one width changes nothing", in.Op)
		case (in.Op == syntax.Trunc) != (f.Bits > t.Bits):
			want := "a longer"
			if in.Op == syntax.Trunc {
				want = "a shorter"
			}
			b.errorf(in.Type2.Off, "%s wants %s int, found %s and %s", in.Op, want, b.text(d.ty), b.text(d.ty2))
		}
	case syntax.Bitcast:
		if !(f.Kind == ir.KInt && t.Kind.IsFP() && f.Bits == fpBits(t.Kind) || t.Kind == ir.KInt && f.Kind.IsFP() && t.Bits == fpBits(f.Kind)) {
			b.errorf(in.Type.Off, "BITCAST wants int<32> and float, or int<64> and double, found %s and %s", b.text(d.ty), b.text(d.ty2))
		}
	}
}

func fpBits(k ir.Kind) uint32 {
	if k == ir.KFloat {
		return 32
	}
	return 64
}

// funcType resolves a type argument of FUNCCAST, which old bundles write as a signature.
func (b *body) funcType(t syntax.Type) ir.TypeID {
	if !t.IsZero() {
		if e := b.find(t.Name.Sym); e != nil && e.kind == entSig && e.typ != ir.NoType {
			b.deviate(b.devs, "signature for func", t.Off, "%s is a signature: FUNCCAST wants func<%s>", b.name(t.Name), b.name(t.Name))
			id := b.types.Of(ir.KFuncRef, e.typ)
			b.given.mark(id)
			return id
		}
	}
	return b.typeArg(t, funcRule)
}
