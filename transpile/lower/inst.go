package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// inst emits one instruction with its clauses.
func (e *fn) inst(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	switch in.Op.Info().Class {
	case ir.ClassIntBin:
		e.intInst(out, id, in, next)
	case ir.ClassFPBin, ir.ClassCmpEQ, ir.ClassCmpInt, ir.ClassCmpULT, ir.ClassCmpFP, ir.ClassConv:
		if e.isVector(in.Ty) {
			e.vector(out, in)
		} else {
			e.set(out, in.Results[0], e.pure(in))
		}
	case ir.ClassWord:
		e.set(out, in.Results[0], e.pure(in))
	case ir.ClassAddr:
		e.addressInst(out, id, in)
	case ir.ClassSelect:
		e.selectInst(out, id, in)
	case ir.ClassBranch:
		e.branch(out, in, next)
	case ir.ClassCall:
		e.callInst(out, id, in, next)
	case ir.ClassRet:
		e.ret(out, in)
	case ir.ClassThrow:
		e.throwInst(out, in)
	case ir.ClassAggr:
		e.aggregate(out, id, in)
	case ir.ClassAlloc:
		e.alloc(out, id, in, next)
	case ir.ClassMem:
		e.memOp(out, id, in, next)
	case ir.ClassTrap:
		e.trap(out, id, in, next)
	case ir.ClassStack:
		e.stackOp(out, id, in, next)
	case ir.ClassFail:
		e.failInst(out, id, in)
	case ir.ClassComm:
		e.common(out, id, in, next)
	default:
		e.fail("no code for %s", in.Op)
	}
}

func (e *fn) isVector(t ir.TypeID) bool { return e.Kind(t) == ir.KVector }

// rtFail ends the program.
func (e *fn) rtFail(out *code, id ir.InstID, kind, detail string) {
	out.Do(rt("Fail", tVar, qual("rt", kind), str(e.v.SiteName(id)), str(detail)))
}

// failure is the end of the program for a failed instruction, or the jump to
// its exceptional destination.
func (e *fn) failure(out *code, id ir.InstID, in *ir.Inst, kind, detail string) *code {
	body := out.Sub()
	if in.Has(ir.FlagExc) {
		e.exceptional(body, in.Block, &in.Dests[1], nil)
	} else {
		e.rtFail(body, id, kind, detail)
		body.Return() // never reached, but Go does not know
	}
	return body
}

// failureKinds are what the runtime calls the failures of programs.
var failureKinds = [ir.NumFailures]string{
	ir.FailTrap: "Trapped", ir.FailUnreachable: "Unreachable", ir.FailDivByZero: "DivByZero", ir.FailOverflow: "Overflow",
	ir.FailNullRef: "NullRef", ir.FailNullFunc: "NullFunc", ir.FailBadSignature: "BadSignature", ir.FailBounds: "Bounds",
	ir.FailType: "TypeError", ir.FailNoResource: "NoResource", ir.FailOutOfMemory: "OutOfMemory", ir.FailNative: "Native",
}

// failInst emits FAIL.
func (e *fn) failInst(out *code, id ir.InstID, in *ir.Inst) {
	text := e.v.Values[e.plan.Alias[in.Args[len(in.Args)-1]]].Const.Bytes
	if in.Op == ir.OpFailIndex {
		out.Do(rt("FailIndex", tVar, str(e.v.SiteName(id)), e.expr(in.Args[0]), e.expr(in.Args[1]), str(text)))
		out.Return() // never reached, but Go does not know
		return
	}
	e.rtFail(out, id, failureKinds[in.Imm], text)
	out.Return() // never reached, but Go does not know
}

func (e *fn) intInst(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if e.isVector(in.Ty) {
		if in.Op.Is(ir.Divides) {
			b := e.temp(out, in.Args[1])
			some := e.scope.Local("zero")
			out.Define(some, gotree.BoolType, gotree.False)
			body := out.Sub()
			body.Set(name(some), bin(gotree.OrOr, name(some), e.zeroTest(e.At(in.Ty).Elem, lane(b))))
			out.Range("i", b, body)
			out.If(name(some), e.failure(out, id, in, "DivByZero", ""), nil)
			// The lanes are only divided when all divisors are good.
		}
		e.vector(out, in)
		e.normal(out, in, next)
		return
	}
	if !in.Op.Is(ir.Divides) {
		e.set(out, in.Results[0], e.pure(in))
		return
	}
	b := in.Args[1]
	if c := e.v.Values[e.plan.Alias[b]].Const; c == nil || c.Lo|c.Hi == 0 {
		y := e.temp(out, b)
		out.If(e.zeroTest(in.Ty, y), e.failure(out, id, in, "DivByZero", ""), nil)
		if e.Kind(in.Ty) == ir.KInt {
			n := e.At(in.Ty).Bits
			e.set(out, in.Results[0], intExpr(in.Op, n, e.typedConst(in.Args[0]), y))
			e.normal(out, in, next)
			return
		}
	}
	e.set(out, in.Results[0], e.pure(in))
	e.normal(out, in, next)
}

// typedConst is expr with literals made variables.
func (e *fn) typedConst(x ir.ValueID) expr {
	if e.isConst(x) && e.At(e.v.Values[x].Type).Bits <= 64 && e.At(e.v.Values[x].Type).Bits > 1 {
		return opaque(e.typed(x))
	}
	return e.expr(x)
}

func (e *fn) zeroTest(ty ir.TypeID, x expr) expr {
	switch n := e.At(ty); {
	case n.Bits == 1:
		return gotree.Not(x)
	case n.Bits > 64:
		return method(x, "IsZero")
	}
	return eq(x, zero)
}

// temp is a Go variable with the value of an operand.
func (e *fn) temp(out *code, x ir.ValueID) expr {
	x = e.plan.Alias[x]
	if e.v.Values[x].Kind != ir.ValueConst && !e.plan.Inline[x] {
		return e.expr(x)
	}
	name, t := e.scope.Local("v"), e.GoType(e.v.Values[x].Type)
	out.Define(name, t, e.expr(x))
	return &gotree.Ident{Name: name, K: t.K}
}

// lanes declares a vector variable and emits the loop that sets its lanes.
func (e *fn) lanes(out *code, t ir.TypeID, each func(body *code, to expr)) expr {
	tmp := e.scope.Local("lanes")
	out.Var(e.GoType(t), tmp)
	body := out.Sub()
	each(body, lane(name(tmp)))
	out.Range("i", name(tmp), body)
	return name(tmp)
}

// vector emits a lane-wise operation.
func (e *fn) vector(out *code, in *ir.Inst) {
	r := in.Results[0]
	var ops []expr
	el := e.At(in.Ty).Elem
	for _, a := range in.Args {
		x := e.temp(out, a)
		ops = append(ops, &gotree.Index{X: x, I: name("i"), K: e.GoType(el).K})
	}
	var x expr
	switch in.Op.Info().Class {
	case ir.ClassIntBin:
		n := e.At(el).Bits
		y := ops[1]
		if in.Op.Is(ir.Shifts) && n > 1 && n <= 64 {
			y = bin(gotree.And, y, lit(shiftMask(n)))
		}
		x = intExpr(in.Op, n, ops[0], y)
	case ir.ClassFPBin:
		x = fpExpr(in.Op, e.Kind(el) == ir.KFloat, ops[0], ops[1])
	case ir.ClassCmpFP:
		x = fpCompare(in.Op, ops[0], ops[1])
	case ir.ClassConv:
		x = e.convert(in.Op, el, e.At(in.Ty2).Elem, ops[0], false)
	default:
		x = e.cmpExpr(in.Op, el, ops[0], ops[1])
	}
	e.set(out, r, e.lanes(out, e.v.Values[r].Type, func(body *code, to expr) { body.Set(to, x) }))
}

// tagFuncs are the functions of the runtime for operations on tagref64 values.
var tagFuncs = map[ir.Op]string{
	ir.OpTagIsFP: "TagIsFP", ir.OpTagIsInt: "TagIsInt", ir.OpTagIsRef: "TagIsRef",
	ir.OpTagFromFP: "TagFromFP", ir.OpTagFromInt: "TagFromInt", ir.OpTagFromRef: "TagFromRef",
	ir.OpTagToFP: "TagToFP", ir.OpTagToInt: "TagToInt", ir.OpTagToRef: "TagToRef", ir.OpTagToTag: "TagToTag",
}

// tagExpr is an operation on tagref64 values; ok is false if the instruction is no such operation.
func (e *fn) tagExpr(in *ir.Inst) (x expr, ok bool) {
	f, ok := tagFuncs[in.Op]
	if !ok {
		return nil, false
	}
	var args []expr
	for _, a := range in.Args {
		args = append(args, e.expr(a))
	}
	return &gotree.Call{F: qual("rt", f), Args: args, K: e.GoType(e.v.Values[in.Results[0]].Type).K}, true
}
