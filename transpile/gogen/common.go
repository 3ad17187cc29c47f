package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// runtimeCalls are the common instructions that are one call of the runtime with
// the context and the operands. A funcref, reference or pointer is a uintptr
// there; results are as in generated code.
var runtimeCalls = map[ir.Op]string{
	ir.OpKillStack: "KillStack", ir.OpCurrentStack: "CurrentStack",
	ir.OpSetThreadLocal: "SetThreadLocal", ir.OpGetThreadLocal: "ThreadLocal",
	ir.OpPin: "Pin", ir.OpUnpin: "Unpin", ir.OpUnexpose: "Unexpose",
	ir.OpMetaIDOf: "MetaIDOf", ir.OpMetaNameOf: "MetaNameOf",
	ir.OpMetaLoadBundle: "MetaLoadBundle", ir.OpMetaLoadHAIL: "MetaLoadHAIL",
	ir.OpMetaNewCursor: "MetaNewCursor", ir.OpMetaNextFrame: "MetaNextFrame",
	ir.OpMetaCopyCursor: "MetaCopyCursor", ir.OpMetaCloseCursor: "MetaCloseCursor",
	ir.OpMetaCurFunc: "MetaCurFunc", ir.OpMetaCurFuncVer: "MetaCurFuncVer", ir.OpMetaCurInst: "MetaCurInst",
	ir.OpMetaDumpKeepalives: "MetaDumpKeepalives", ir.OpMetaPopFramesTo: "MetaPopFramesTo",
	ir.OpMetaSetTrapHandler: "SetTrapHandler",
	ir.OpFutexWake:          "FutexWake",
}

// common emits the common instructions (mu-language 9).
func (e *fn) common(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if name, ok := runtimeCalls[in.Op]; ok {
		e.runtimeCall(out, in, fmt.Sprintf("rt.%s(%s)", name, e.args(in.Args)))
		return
	}
	arg := func(i int) string { return e.expr(in.Args[i]) }
	switch in.Op {
	case ir.OpNewStack:
		e.fallible(out, id, in, fmt.Sprintf("rt.NewStack(t, %s)", arg(0)), "NoResource")
		e.normal(out, in, next)
	case ir.OpAllocaMark:
		e.set(out, in.Results[0], "uint64(t.AllocaMark())")
	case ir.OpAllocaReset:
		out.add("t.AllocaRelease(rt.Mark(%s))", arg(0))
	case ir.OpMemMove:
		e.memMove(out, id, in)
	case ir.OpMemFill:
		e.memFill(out, id, in)
	case ir.OpThreadCell:
		e.threadCell(out, id, in)
	case ir.OpFuncAddr:
		e.set(out, in.Results[0], arg(0))
	case ir.OpFuncAt:
		e.runtimeCall(out, in, fmt.Sprintf("rt.FuncAtAddress(t, %s, %s, %q)", arg(0), e.classNo(e.ClassOf(in.Sig)), e.siteName(id)))
	case ir.OpThreadExit:
		out.add("rt.ThreadExit(t)")
		out.add("return")
	case ir.OpTagIsFP, ir.OpTagIsInt, ir.OpTagIsRef, ir.OpTagFromFP, ir.OpTagFromInt, ir.OpTagFromRef,
		ir.OpTagToFP, ir.OpTagToInt, ir.OpTagToRef, ir.OpTagToTag:
		e.checkTag(out, id, in)
		if e.plan.Used[in.Results[0]] {
			e.set(out, in.Results[0], e.tagExpr(in))
		}
	case ir.OpFutexWait:
		e.runtimeCall(out, in, fmt.Sprintf("rt.FutexWait(t, %s, %d, uint64(%s))", arg(0), e.at(in.Ty).Bits, arg(1)))
	case ir.OpFutexWaitTimeout:
		e.runtimeCall(out, in, fmt.Sprintf("rt.FutexWaitTimeout(t, %s, %d, uint64(%s), %s)", arg(0), e.at(in.Ty).Bits, arg(1), arg(2)))
	case ir.OpFutexCmpRequeue:
		e.runtimeCall(out, in, fmt.Sprintf("rt.FutexCmpRequeue(t, %s, %s, %d, uint64(%s), %s)", arg(0), arg(1), e.at(in.Ty).Bits, arg(2), arg(3)))
	case ir.OpExpose:
		k := e.csig(in.Sig)
		e.useOf(k).expose = true
		e.runtimeCall(out, in, fmt.Sprintf("rt.ExposeFunc(t, %s, %s, &csigs[%d])", arg(0), arg(1), k))
	case ir.OpGetCookie:
		e.cookieRead = true
		e.set(out, in.Results[0], "cookie")
	case ir.OpMetaPushFrame:
		out.add("rt.MetaPushFrame(%s, %s)", e.args(in.Args), e.classNo(e.ClassOf(in.Sig)))
	case ir.OpMetaEnableWatchpoint:
		out.add("rt.SetWatchpoint(%s, true)", arg(0))
	case ir.OpMetaDisableWatchpoint:
		out.add("rt.SetWatchpoint(%s, false)", arg(0))
	case ir.OpMathSin, ir.OpMathCos, ir.OpMathTan, ir.OpMathSqrt:
		e.set(out, in.Results[0], e.mathCall(in))
	case ir.OpAddOvf:
		e.addOvf(out, id, in, next)
	case ir.OpIRBuilder:
		out.add("rt.Fail(t, rt.DynCode, %q, %q)", e.siteName(id), "the IR builder needs a client that can translate")
		for _, r := range in.Results {
			if e.plan.Used[r] {
				e.name[r] = e.localName(r)
				out.add("var %s %s", e.name[r], e.goType(e.v.Values[r].Type))
			}
		}
	default:
		e.fail("no code for %s", in.Op)
	}
}

func (e *fn) runtimeCall(out *code, in *ir.Inst, call string) {
	if len(in.Results) == 1 && e.plan.Used[in.Results[0]] {
		e.set(out, in.Results[0], call)
		return
	}
	out.add("%s", call)
}

func (e *fn) mathCall(in *ir.Inst) string {
	name := map[ir.Op]string{ir.OpMathSin: "Sin", ir.OpMathCos: "Cos", ir.OpMathTan: "Tan", ir.OpMathSqrt: "Sqrt"}[in.Op]
	x := e.expr(in.Args[0])
	if e.kind(in.Ty) == ir.KFloat {
		return fmt.Sprintf("float32(math.%s(float64(%s)))", name, x)
	}
	return fmt.Sprintf("math.%s(%s)", name, x)
}

func (e *fn) addOvf(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	n := e.at(in.Ty).Bits
	sum, ovf := e.scope.local("sum"), e.scope.local("ovf")
	a, b := e.expr(in.Args[0]), e.expr(in.Args[1])
	switch {
	case n > 64:
		out.add("%s, %s := num.AddOvf128(%s, %s, %d)", sum, ovf, a, b, n)
	case n == 1:
		out.add("%s, %s := num.AddOvf(rt.B2U(%s), rt.B2U(%s), 1)", sum, ovf, a, b)
	default:
		out.add("%s, %s := num.AddOvf(uint64(%s), uint64(%s), %d)", sum, ovf, a, b, n)
	}
	*out = append(*out, jen.If(raw("%s", ovf)).Block(e.failure(id, in, "Overflow", "")...))
	switch {
	case n == 1:
		e.setOrDrop(out, in.Results[0], "("+sum+" != 0)")
	case n > 64:
		e.setOrDrop(out, in.Results[0], sum)
	default:
		e.setOrDrop(out, in.Results[0], fmt.Sprintf("uint%d(%s)", container(n), sum))
	}
	if !e.plan.Used[in.Results[0]] {
		out.add("_ = %s", sum)
	}
	e.normal(out, in, next)
}

// checkTag checks, in checking mode, that a tagref64 holds what is taken out.
func (e *fn) checkTag(out *code, id ir.InstID, in *ir.Inst) {
	want := map[ir.Op]string{ir.OpTagToFP: "a double", ir.OpTagToInt: "an int", ir.OpTagToRef: "a reference", ir.OpTagToTag: "a reference"}[in.Op]
	if e.opt.Sanitize && want != "" {
		out.add("rt.CheckTag(t, %s, %q, %q)", e.expr(in.Args[0]), want, e.siteName(id))
	}
}
