package live

import (
	"math"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/num"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// args reads operands that are scalars.
type args struct {
	fp    ptr
	l     []leaf
	words []words
}

func (a *args) wide(i int) num.U128 { return a.l[i].read(a.fp, a.words[i]) }
func (a *args) word(i int) uint64   { return a.wide(i).Lo }
func (a *args) addr(i int) uintptr  { return uintptr(a.word(i)) }
func (a *args) id(i int) uint32     { return uint32(a.word(i)) }

// service adds an instruction that the runtime does: f gives the result, if there is one.
func (c *compiler) service(in *ir.Inst, f func(t *core.Ctx, a *args) uint64) {
	var l []leaf
	var w []words
	for _, x := range in.Args {
		w = append(w, c.operand(x))
		l = append(l, append(c.leavesOf(c.typeOf(x)), leaf{})[0])
	}
	to, res := c.results(in), leaf{}
	if len(in.Results) > 0 {
		res = c.leavesOf(c.typeOf(in.Results[0]))[0]
	}
	has := len(in.Results) > 0
	c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
		x := f(t, &args{fp, l, w})
		if has {
			res.write(fp, to, num.U128{Lo: x})
		}
		return goOn
	}})
}

// nothing makes a service of a function without a result.
func nothing(f func(t *core.Ctx, a *args)) func(t *core.Ctx, a *args) uint64 {
	return func(t *core.Ctx, a *args) uint64 {
		f(t, a)
		return 0
	}
}

func addr(f func(t *core.Ctx, x uintptr) uintptr) func(t *core.Ctx, a *args) uint64 {
	return func(t *core.Ctx, a *args) uint64 { return uint64(f(t, a.addr(0))) }
}

func number32(f func(t *core.Ctx, x uintptr) uint32) func(t *core.Ctx, a *args) uint64 {
	return func(t *core.Ctx, a *args) uint64 { return uint64(f(t, a.addr(0))) }
}

func consumer(f func(t *core.Ctx, x uintptr)) func(t *core.Ctx, a *args) uint64 {
	return nothing(func(t *core.Ctx, a *args) { f(t, a.addr(0)) })
}

// services are the instructions that are one call of the runtime, whatever their types.
var services = map[ir.Op]func(t *core.Ctx, a *args) uint64{
	ir.OpKillStack:             consumer(core.KillStack),
	ir.OpCurrentStack:          func(t *core.Ctx, a *args) uint64 { return uint64(core.CurrentStack(t)) },
	ir.OpSetThreadLocal:        consumer(core.SetThreadLocal),
	ir.OpGetThreadLocal:        func(t *core.Ctx, a *args) uint64 { return uint64(core.ThreadLocal(t)) },
	ir.OpPin:                   addr(core.Pin),
	ir.OpUnpin:                 consumer(core.Unpin),
	ir.OpGetAddr:               addr(core.GetAddr),
	ir.OpUnexpose:              consumer(core.Unexpose),
	ir.OpMetaIDOf:              number32(core.MetaIDOf),
	ir.OpMetaNameOf:            func(t *core.Ctx, a *args) uint64 { return uint64(core.MetaNameOf(t, a.id(0))) },
	ir.OpMetaLoadBundle:        consumer(core.MetaLoadBundle),
	ir.OpMetaLoadHAIL:          consumer(core.MetaLoadHAIL),
	ir.OpMetaNewCursor:         addr(core.MetaNewCursor),
	ir.OpMetaNextFrame:         consumer(core.MetaNextFrame),
	ir.OpMetaCopyCursor:        addr(core.MetaCopyCursor),
	ir.OpMetaCloseCursor:       consumer(core.MetaCloseCursor),
	ir.OpMetaCurFunc:           number32(core.MetaCurFunc),
	ir.OpMetaCurFuncVer:        number32(core.MetaCurFuncVer),
	ir.OpMetaCurInst:           number32(core.MetaCurInst),
	ir.OpMetaPopFramesTo:       consumer(core.MetaPopFramesTo),
	ir.OpFutexWake:             func(t *core.Ctx, a *args) uint64 { return uint64(core.FutexWake(t, a.addr(0), a.id(1))) },
	ir.OpAllocaMark:            func(t *core.Ctx, a *args) uint64 { return uint64(t.AllocaMark()) },
	ir.OpAllocaReset:           nothing(func(t *core.Ctx, a *args) { t.AllocaRelease(core.Mark(a.word(0))) }),
	ir.OpCollect:               nothing(func(t *core.Ctx, a *args) { core.Collect(t) }),
	ir.OpSetFinal:              nothing(func(t *core.Ctx, a *args) { core.SetFinal(t, a.addr(0), a.addr(1)) }),
	ir.OpFinalNow:              nothing(func(t *core.Ctx, a *args) { core.FinalNow(t, a.addr(0)) }),
	ir.OpFinalsDue:             func(t *core.Ctx, a *args) uint64 { return core.FinalsDue(t) },
	ir.OpCollections:           func(t *core.Ctx, a *args) uint64 { return core.Collections() },
	ir.OpFuncNow:               addr(core.FuncNow),
	ir.OpFuncAddr:              func(t *core.Ctx, a *args) uint64 { return a.word(0) },
	ir.OpThreadExit:            nothing(func(t *core.Ctx, a *args) { core.ThreadExit(t) }),
	ir.OpMetaSetTrapHandler:    nothing(func(t *core.Ctx, a *args) { core.SetTrapHandler(t, a.addr(0), a.addr(1)) }),
	ir.OpMetaDumpKeepalives:    addr(core.MetaDumpKeepalives),
	ir.OpMetaEnableWatchpoint:  nothing(func(t *core.Ctx, a *args) { core.SetWatchpoint(t, a.id(0), true) }),
	ir.OpMetaDisableWatchpoint: nothing(func(t *core.Ctx, a *args) { core.SetWatchpoint(t, a.id(0), false) }),
}

// tags are the operations on tagged references.
var tags = map[ir.Op]op{ir.OpTagIsFP: opTagIsFP, ir.OpTagIsInt: opTagIsInt, ir.OpTagIsRef: opTagIsRef, ir.OpTagFromFP: opTagFromFP,
	ir.OpTagFromInt: opTagFromInt, ir.OpTagFromRef: opTagFromRef, ir.OpTagToFP: opTagToFP, ir.OpTagToInt: opTagToInt,
	ir.OpTagToRef: opTagToRef, ir.OpTagToTag: opTagToTag}

// tag makes an operation on tagged references.
func (c *compiler) tag(in *ir.Inst, o op) {
	to := c.placesOf(in.Results[0])
	switch in.Op {
	case ir.OpTagFromRef:
		c.emit(o, to.plains[0], c.root(in.Args[0]), c.word(in.Args[1]), uint64(to.roots[0]))
	case ir.OpTagFromFP, ir.OpTagFromInt:
		c.emit(o, to.plains[0], c.word(in.Args[0]), 0, uint64(to.roots[0]))
	default:
		c.emit(o, c.result(in), c.operand(in.Args[0]).plains[0], 0, 0)
	}
}

var mathFuncs = map[ir.Op]func(float64) float64{ir.OpMathSin: math.Sin, ir.OpMathCos: math.Cos, ir.OpMathTan: math.Tan, ir.OpMathSqrt: math.Sqrt}

// common makes the common instructions.
func common(c *compiler, id ir.InstID, in *ir.Inst) {
	if in.Op == ir.OpGetCookie {
		x := c.cookieAt()
		c.emit(opMov, c.result(in), x, 0, 0)
		return
	}
	if o, ok := tags[in.Op]; ok {
		c.tag(in, o)
		return
	}
	if f, ok := services[in.Op]; ok {
		c.service(in, f)
		return
	}
	if f, ok := mathFuncs[in.Op]; ok {
		single := c.at(in.Ty).Kind == ir.KFloat
		if in.Op == ir.OpMathSqrt && !single {
			c.emit(opSqrt, c.result(in), c.word(in.Args[0]), 0, 0)
			return
		}
		c.service(in, func(t *core.Ctx, a *args) uint64 {
			if single {
				return uint64(math.Float32bits(float32(f(float64(math.Float32frombits(a.id(0)))))))
			}
			return math.Float64bits(f(math.Float64frombits(a.word(0))))
		})
		return
	}
	name := c.namer(id)
	bits := uint8(0)
	if in.Ty != ir.NoType {
		bits = uint8(c.at(in.Ty).Bits)
	}
	switch in.Op {
	case ir.OpNewStack:
		f, to := c.word(in.Args[0]), c.rootAt(in.Results[0], 0)
		fail := c.failing(in)
		c.fallible(in, &site{run: func(t *core.Ctx, fp ptr) verdict {
			s := core.NewStack(t, uintptr(word(fp, f)))
			if s == 0 {
				return fail(t, fp, core.NoResource, name, "")
			}
			setRoot(fp, to, s)
			return goOn
		}})
	case ir.OpAddOvf:
		x, y, to, l := c.operand(in.Args[0]), c.operand(in.Args[1]), c.results(in), c.leavesOf(in.Ty)[0]
		fail, n := c.failing(in), uint(bits)
		c.fallible(in, &site{run: func(t *core.Ctx, fp ptr) verdict {
			sum, ovf := num.AddOvf128(l.read(fp, x).SignExtend(n), l.read(fp, y).SignExtend(n), n)
			if ovf {
				return fail(t, fp, core.Overflow, name, "")
			}
			l.write(fp, to, sum.Mask(n))
			return goOn
		}})
	case ir.OpMemMove:
		size := c.stride(in.Ty)
		c.service(in, nothing(func(t *core.Ctx, a *args) { core.MemMove(t, a.addr(0), a.addr(1), count(a), size, name()) }))
	case ir.OpMemFill:
		size, l, v := c.stride(in.Ty), c.leavesOf(c.ir.Strong(in.Ty)), c.operand(in.Args[1])
		c.service(in, nothing(func(t *core.Ctx, a *args) {
			to, n := a.addr(0), count(a)
			zero := true
			for i := range l {
				zero = zero && l[i].read(a.fp, v) == num.U128{}
			}
			if zero || n == 0 {
				core.MemClearWords(t, to, n, size, name())
				return
			}
			if to < core.NullZone {
				core.Fail(t, core.NullRef, name(), "")
			}
			for i := range l {
				l[i].store(to, l[i].read(a.fp, v))
			}
			core.MemRepeat(t, to, n, size, name())
		}))
	case ir.OpThreadCell:
		g := c.constant(in.Args[0]).Global
		d, size := c.desc(g.Type, false), bytes(c.layout.Of(g.Type).Size)
		c.service(in, func(t *core.Ctx, a *args) uint64 { return uint64(core.ThreadCell(t, d, a.addr(0), size, name())) })
	case ir.OpHasType:
		d := c.desc(in.Ty, false)
		c.service(in, func(t *core.Ctx, a *args) uint64 {
			p := a.addr(0)
			return b2u(p == 0 || *(*uint32)(unsafe.Add(nil, p-core.HeaderSize)) == d.ID)
		})
	case ir.OpNextFinal:
		object, what := c.rootAt(in.Results[0], 0), c.wordAt(in.Results[1], 0)
		c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
			o, w := core.NextFinal(t)
			setRoot(fp, object, o)
			setWord(fp, what, uint64(w))
			return goOn
		}})
	case ir.OpTarget:
		n := int(in.Imm)
		c.service(in, func(t *core.Ctx, a *args) uint64 { return core.Target(n) })
	case ir.OpFuncAt:
		class, text := c.p.class(in.Sig), c.constant(in.Args[1]).Bytes
		one := *in
		one.Args = in.Args[:1]
		c.service(&one, func(t *core.Ctx, a *args) uint64 {
			if core.IsFuncOf(t, a.addr(0), class) {
				return a.word(0)
			}
			return uint64(core.FuncAtAddress(t, a.addr(0), class, name(), text))
		})
	case ir.OpFutexWait:
		c.service(in, func(t *core.Ctx, a *args) uint64 { return uint64(core.FutexWait(t, a.addr(0), bits, a.word(1))) })
	case ir.OpFutexWaitTimeout:
		c.service(in, func(t *core.Ctx, a *args) uint64 {
			return uint64(core.FutexWaitTimeout(t, a.addr(0), bits, a.word(1), a.word(2)))
		})
	case ir.OpFutexCmpRequeue:
		c.service(in, func(t *core.Ctx, a *args) uint64 {
			return uint64(core.FutexCmpRequeue(t, a.addr(0), a.addr(1), bits, a.word(2), a.id(3)))
		})
	case ir.OpExpose:
		sig := c.p.csigOf(in.Sig)
		c.service(in, func(t *core.Ctx, a *args) uint64 { return uint64(core.ExposeFunc(t, a.addr(0), a.word(1), sig)) })
	case ir.OpMetaPushFrame:
		class := c.p.class(in.Sig)
		c.service(in, nothing(func(t *core.Ctx, a *args) { core.MetaPushFrame(t, a.addr(0), a.addr(1), class) }))
	case ir.OpIRBuilder:
		w, opcode := c.operands(in.Args), uint32(in.Imm)
		args := &site{rootArgs: w.roots, plainArgs: w.plains}
		c.resumable(in, 0, func(t *core.Ctx, fp ptr) {
			pass(t, fp, args)
			core.BuildIR(t, opcode)
		})
	default:
		c.fail("%s: the engine has no code for %s", c.v.Name, in.Op)
	}
}

// count reads the third operand, an unsigned number of elements.
func count(a *args) uint64 {
	if n := a.wide(2); n.Hi == 0 {
		return n.Lo
	}
	return ^uint64(0)
}

// words64 makes ZEXTWORD and SEXTWORD.
func words64(c *compiler, id ir.InstID, in *ir.Inst) {
	o := opMov
	if core.Is64 == 0 && in.Op == ir.OpSExtWord {
		o = opSExt32
	} else if core.Is64 == 0 {
		c.emit(opAndI, c.result(in), c.word(in.Args[0]), 0, math.MaxUint32)
		return
	}
	c.emit(o, c.result(in), c.word(in.Args[0]), 0, 0)
}

var failures = map[ir.Failure]core.Kind{
	ir.FailTrap: core.Trapped, ir.FailUnreachable: core.Unreachable, ir.FailDivByZero: core.DivByZero, ir.FailOverflow: core.Overflow,
	ir.FailNullRef: core.NullRef, ir.FailNullFunc: core.NullFunc, ir.FailBadSignature: core.BadSignature, ir.FailBounds: core.Bounds,
	ir.FailType: core.TypeError, ir.FailNoResource: core.NoResource, ir.FailOutOfMemory: core.OutOfMemory, ir.FailNative: core.Native,
}

// fails makes FAIL and FAILINDEX.
func fails(c *compiler, id ir.InstID, in *ir.Inst) {
	name := c.namer(id)
	text := func(i int) string { return c.constant(in.Args[i]).Bytes }
	if in.Op == ir.OpFail {
		kind, detail := failures[ir.Failure(in.Imm)], text(0)
		c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
			core.Fail(t, kind, name(), detail)
			return goOn
		}})
		return
	}
	x, n, detail := c.word(in.Args[0]), c.word(in.Args[1]), text(2)
	c.site(opRun, 0, 0, &site{run: func(t *core.Ctx, fp ptr) verdict {
		core.FailIndex(t, name(), word(fp, x), word(fp, n), detail)
		return goOn
	}})
}

// A selector makes the instructions for one of the representation.
type selector func(c *compiler, id ir.InstID, in *ir.Inst)

// selectors make the instructions of the classes of operations. They must not refer to each other
// through this table.
var selectors = [...]selector{
	ir.ClassIntBin: intBinary, ir.ClassFPBin: fpBinary, ir.ClassCmpEQ: compare, ir.ClassCmpInt: compare, ir.ClassCmpULT: compare,
	ir.ClassCmpFP: compare, ir.ClassConv: convert, ir.ClassSelect: selectInst, ir.ClassBranch: branch, ir.ClassCall: calls,
	ir.ClassRet: ret, ir.ClassThrow: throw, ir.ClassAggr: aggregate, ir.ClassAlloc: allocate, ir.ClassAddr: addressing,
	ir.ClassMem: memory, ir.ClassTrap: trap, ir.ClassStack: stacks, ir.ClassWord: words64, ir.ClassFail: fails, ir.ClassComm: common,
}
