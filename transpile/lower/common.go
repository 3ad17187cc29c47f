package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// runtimeCalls are the common instructions that are one call of the runtime with
// the context and the operands. A funcref, reference or pointer is a uintptr
// there; results are as in generated code.
var runtimeCalls = map[ir.Op]string{
	ir.OpKillStack: "KillStack", ir.OpCurrentStack: "CurrentStack",
	ir.OpSetThreadLocal: "SetThreadLocal", ir.OpGetThreadLocal: "ThreadLocal",
	ir.OpPin: "Pin", ir.OpUnpin: "Unpin", ir.OpGetAddr: "GetAddr", ir.OpUnexpose: "Unexpose",
	ir.OpMetaIDOf: "MetaIDOf", ir.OpMetaNameOf: "MetaNameOf",
	ir.OpMetaLoadBundle: "MetaLoadBundle", ir.OpMetaLoadHAIL: "MetaLoadHAIL",
	ir.OpMetaNewCursor: "MetaNewCursor", ir.OpMetaNextFrame: "MetaNextFrame",
	ir.OpMetaCopyCursor: "MetaCopyCursor", ir.OpMetaCloseCursor: "MetaCloseCursor",
	ir.OpMetaCurFunc: "MetaCurFunc", ir.OpMetaCurFuncVer: "MetaCurFuncVer", ir.OpMetaCurInst: "MetaCurInst",
	ir.OpMetaDumpKeepalives: "MetaDumpKeepalives", ir.OpMetaPopFramesTo: "MetaPopFramesTo",
	ir.OpMetaSetTrapHandler: "SetTrapHandler",
	ir.OpFutexWake:          "FutexWake",
}

var mathFuncs = map[ir.Op]string{ir.OpMathSin: "Sin", ir.OpMathCos: "Cos", ir.OpMathTan: "Tan", ir.OpMathSqrt: "Sqrt"}

// common emits the common instructions.
func (e *fn) common(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if f, ok := runtimeCalls[in.Op]; ok {
		e.runtimeCall(out, in, rt(f, e.args(in.Args)...))
		return
	}
	if _, ok := tagFuncs[in.Op]; ok {
		e.tag(out, id, in)
		return
	}
	if f, ok := mathFuncs[in.Op]; ok {
		e.set(out, in.Results[0], e.mathFunc(f, in))
		return
	}
	arg := func(i int) expr { return e.expr(in.Args[i]) }
	bits := func() expr { return lit(e.At(in.Ty).Bits) }
	switch in.Op {
	case ir.OpNewStack:
		e.fallible(out, id, in, rtInt("NewStack", tVar, arg(0)), "NoResource")
		e.normal(out, in, next)
	case ir.OpAllocaMark:
		e.set(out, in.Results[0], conv(gotree.Uint64, method(tVar, "AllocaMark")))
	case ir.OpAllocaReset:
		out.Do(method(tVar, "AllocaRelease", conv(rtType("Mark"), arg(0))))
	case ir.OpMemMove:
		e.memMove(out, id, in)
	case ir.OpMemFill:
		e.memFill(out, id, in)
	case ir.OpThreadCell:
		e.threadCell(out, id, in)
	case ir.OpHasType:
		ref := e.temp(out, in.Args[0])
		header := deref(gotree.Uint64, pointerTo(sub(ref, qual("rt", "HeaderSize"))))
		is := eq(conv(gotree.Uint32, header), conv(gotree.Uint32, e.TypeNo(in.Ty)))
		e.set(out, in.Results[0], bin(gotree.OrOr, eq(ref, zero), is))
	case ir.OpCollect:
		out.Do(rt("Collect", tVar))
	case ir.OpSetFinal:
		out.Do(rt("SetFinal", tVar, arg(0), arg(1)))
	case ir.OpFinalNow:
		out.Do(rt("FinalNow", tVar, arg(0)))
	case ir.OpNextFinal:
		e.nextFinal(out, in)
	case ir.OpFinalsDue:
		e.runtimeCall(out, in, rtInt("FinalsDue", tVar))
	case ir.OpCollections:
		e.runtimeCall(out, in, rtInt("Collections"))
	case ir.OpTarget:
		e.runtimeCall(out, in, rtInt("Target", lit(in.Imm)))
	case ir.OpFuncNow:
		e.runtimeCall(out, in, rtInt("FuncNow", tVar, arg(0)))
	case ir.OpUnchanged:
		e.set(out, in.Results[0], e.Funcs[e.callee(in)].Unchanged(e.Opt.Unit))
	case ir.OpFuncAddr:
		e.set(out, in.Results[0], arg(0))
	case ir.OpFuncAt:
		addr, class := e.temp(out, in.Args[0]), e.ClassNo(e.ClassOf(in.Sig))
		search := out.Sub()
		found := e.foundAt(id, in, addr)
		e.set(out, in.Results[0], addr)
		if e.plan.Used[in.Results[0]] {
			search.Set(e.variable(in.Results[0]), found)
		} else {
			search.Do(found)
		}
		out.If(gotree.Not(rtBool("IsFuncAt", addr, class)), search, nil)
	case ir.OpThreadExit:
		out.Do(rt("ThreadExit", tVar))
		out.Return()
	case ir.OpFutexWait:
		e.runtimeCall(out, in, rt("FutexWait", tVar, arg(0), bits(), conv(gotree.Uint64, arg(1))))
	case ir.OpFutexWaitTimeout:
		e.runtimeCall(out, in, rt("FutexWaitTimeout", tVar, arg(0), bits(), conv(gotree.Uint64, arg(1)), arg(2)))
	case ir.OpFutexCmpRequeue:
		e.runtimeCall(out, in, rt("FutexCmpRequeue", tVar, arg(0), arg(1), bits(), conv(gotree.Uint64, arg(2)), arg(3)))
	case ir.OpExpose:
		k := e.CSig(in.Sig)
		e.UseOf(k).Expose = true
		e.runtimeCall(out, in, rt("ExposeFunc", tVar, arg(0), arg(1), repr.CSigRow(k)))
	case ir.OpGetCookie:
		e.cookieRead = true
		e.set(out, in.Results[0], &gotree.Ident{Name: "cookie", K: gotree.Int})
	case ir.OpMetaPushFrame:
		out.Do(rt("MetaPushFrame", append(e.args(in.Args), e.ClassNo(e.ClassOf(in.Sig)))...))
	case ir.OpMetaEnableWatchpoint:
		out.Do(rt("SetWatchpoint", tVar, arg(0), gotree.True))
	case ir.OpMetaDisableWatchpoint:
		out.Do(rt("SetWatchpoint", tVar, arg(0), gotree.False))
	case ir.OpAddOvf:
		e.addOvf(out, id, in, next)
	case ir.OpIRBuilder:
		e.buildIR(out, in)
	default:
		e.fail("no code for %s", in.Op)
	}
}

func (e *fn) runtimeCall(out *code, in *ir.Inst, call expr) {
	if len(in.Results) == 1 && e.plan.Used[in.Results[0]] {
		e.set(out, in.Results[0], call)
		return
	}
	out.Do(call)
}

// mathFunc is a call of a function of package math.
func (e *fn) mathFunc(f string, in *ir.Inst) expr {
	x := e.expr(in.Args[0])
	if e.Kind(in.Ty) == ir.KFloat {
		return conv(gotree.Float32, mathFloat(f, conv(gotree.Float64, x)))
	}
	return mathFloat(f, x)
}

func (e *fn) addOvf(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	n := e.At(in.Ty).Bits
	sum, ovf := name(e.scope.Local("sum")), name(e.scope.Local("ovf"))
	a, b := e.expr(in.Args[0]), e.expr(in.Args[1])
	f, t := "AddOvf", gotree.Uint64
	switch {
	case n > 64:
		f, t = "AddOvf128", u128
	case n == 1:
		a, b = rt("B2U", a), rt("B2U", b)
	default:
		a, b = conv(gotree.Uint64, a), conv(gotree.Uint64, b)
	}
	out.DefineAll([]expr{sum, ovf}, []goT{t, gotree.BoolType}, []expr{numCall(f, a, b, lit(n))})
	out.If(ovf, e.failure(out, id, in, "Overflow", ""), nil)
	var x expr
	switch {
	case n == 1:
		x = ne(sum, zero)
	case n > 64:
		x = sum
	default:
		x = unsigned(sum, n)
	}
	if e.plan.Used[in.Results[0]] {
		e.set(out, in.Results[0], x)
	} else {
		out.Drop(sum)
	}
	e.normal(out, in, next)
}

// tagWants is what a tagref64 must hold for an operation to take it out.
var tagWants = map[ir.Op]string{ir.OpTagToFP: "a double", ir.OpTagToInt: "an int", ir.OpTagToRef: "a reference", ir.OpTagToTag: "a reference"}

// tag emits an operation on tagref64 values. In checking mode they must hold what is taken out.
func (e *fn) tag(out *code, id ir.InstID, in *ir.Inst) {
	if want := tagWants[in.Op]; e.Opt.Sanitize && want != "" {
		out.Do(rt("CheckTag", tVar, e.expr(in.Args[0]), str(want), str(e.v.SiteName(id))))
	}
	e.setOrDrop(out, in.Results[0], func() expr {
		x, _ := e.tagExpr(in)
		return x
	})
}

// buildIR emits an instruction of the IR builder, whose operands and result travel in the transfer area.
func (e *fn) buildIR(out *code, in *ir.Inst) {
	e.pass(out, in.Args)
	out.Do(rt("BuildIR", tVar, lit(uint32(in.Imm))))
	e.results(out, in)
}
