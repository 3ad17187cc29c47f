package gogen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Resumable bodies.
//
// A function that new stacks begin with may have a second Go function, of the body that package
// resume makes: it has no parameters but the context, and returns what SWAPSTACK wants
// to do. What is live then lies in the frame, in the words that are for keep-alive values elsewhere; the
// frame stays. t.Resume says where to go on.

// nameBodies names the resumable bodies of the functions whose records new stacks may be made with.
func (g *gen) nameBodies() {
	for _, f := range g.p.Funcs {
		if g.opt.Bodies[f] != nil && g.info[f].Address && !g.Introspect && !g.opt.Sanitize {
			g.info[f].resume = g.top("resume_" + clean(f.Name))
		}
	}
}

// resumable emits the resumable body of a function.
func (g *gen) resumable(f *ir.Function, v *ir.Version) ([]jen.Code, error) {
	e := &fn{gen: g, info: g.info[f], v: g.opt.Bodies[f], resumable: true}
	if g.opt.Origins != nil {
		e.origins = g.opt.Origins(v)
	}
	e.makePlan()
	e.scope.used["to"], e.scope.used["step"] = 1, 1
	e.framed = true
	e.frameSize = frameSize(e.plan)
	e.keepingFrame(func(in *ir.Inst) bool { return in.Op == ir.OpSuspend })
	if g.p.Files != nil {
		e.file = g.p.Files.Position(v.Pos).File
	}
	e.info.resumeInlined = e.findCopies()
	e.findBases()

	vars, body := e.statements()
	var all, begin code
	begin.add("fp = unsafe.Pointer(t.SP)")
	e.prologue(&begin, 0)
	begin.add("t.Bottom = uintptr(fp)")
	all.add("fp := unsafe.Pointer(t.Bottom)")
	all = append(all, jen.If(raw("t.Resume == 0")).Block(begin...))
	all = append(all, vars...)
	all = append(all, jen.Block(body...))
	if e.unwindTo {
		all.add("unwind:")
		all.add("t.SP = uintptr(fp)")
		all.add("return")
	}
	var out code
	out = append(out, jen.Line(), raw("// %s is %s of the bundle as the body of a stack that can stop and go on.", e.info.resume, v.Name))
	e.markOwn(&out)
	out = append(out, raw("func %s(t *rt.Ctx) (to uintptr, step *rt.Step)", e.info.resume).Block(all...))
	if e.opt.Lines && e.file != "" {
		out = append(out, jen.Comment(resetMark))
	}
	return out, e.err
}

// startRefs counts the references among the arguments.
func (e *fn) startRefs() int {
	start := e.v.Term(0).Dests[0].Block
	_, r := e.leafWords(e.v.Insts[e.v.Blocks[start].Insts[0]].Results)
	return r
}

// dispatch emits DISPATCH.
func (e *fn) dispatch(out *code, in *ir.Inst, next ir.BlockID) {
	var cases []jen.Code
	for n := 1; n < len(in.Dests); n++ {
		var body code
		e.jump(&body, in.Block, &in.Dests[n], next)
		cases = append(cases, jen.Case(raw("%d", n)).Block(body...))
	}
	var body code
	e.jump(&body, in.Block, &in.Dests[0], next)
	cases = append(cases, jen.Default().Block(body...))
	*out = append(*out, raw("switch t.Resume").Block(cases...))
}

// suspend emits SUSPEND.
func (e *fn) suspend(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if len(in.Args) == 0 {
		var body code
		e.save(&body, in.Keep)
		body.add("t.Resume = %d", in.Imm)
		body.add("return 0, rt.Move")
		*out = append(*out, jen.If(raw("t.Poll != 0 && rt.ShouldMove(t)")).Block(body...))
		e.jump(out, in.Block, &in.Dests[0], next)
		return
	}
	vals := in.Args[1:]
	pass, flags := e.passing(in, vals)
	e.pass(out, vals)
	fields := []string{fmt.Sprintf("Site: unsafe.Pointer(%s)", e.siteOf(id, in, in.Types, nil))}
	if pass != 0 {
		fields = append(fields, fmt.Sprintf("Pass: %d", pass))
	}
	if ret := e.listOf(in.Types); ret != 0 {
		fields = append(fields, fmt.Sprintf("Ret: %d", ret))
	}
	if flags != "0" {
		fields = append(fields, "Flags: "+flags)
	}
	to := e.temp(out, in.Args[0])
	e.save(out, in.Keep)
	out.add("t.Resume = %d", in.Imm)
	e.gen.steps = append(e.gen.steps, "{"+strings.Join(fields, ", ")+"}")
	out.add("return %s, &steps[%d]", to, len(e.gen.steps)-1)
}

// reload emits RELOAD.
func (e *fn) reload(out *code, in *ir.Inst) {
	w, r := 0, 0
	for _, x := range in.Results {
		name := "_"
		if e.plan.Used[x] {
			if e.name[x] == "" {
				e.name[x] = e.localName(x)
				out.add("var %s %s", e.name[x], e.goType(e.v.Values[x].Type))
				e.declared(out, x)
			}
			name = e.name[x]
		}
		e.eachLeaf(e.v.Values[x].Type, name, func(to string, t ir.TypeID) {
			if name == "_" {
				to = name
			}
			word := func() string {
				w++
				return fmt.Sprintf("*(*uint64)(unsafe.Add(fp, %d))", e.keepWordAt(w-1))
			}
			root := func() string {
				r++
				return fmt.Sprintf("*(*uintptr)(unsafe.Add(fp, %d))", 8*r)
			}
			switch e.LeafOf(t) {
			case facts.LeafRef:
				p := root()
				out.add("%s, %s = %s, 0", to, p, p)
			case facts.LeafTag:
				out.add("%s, %s = %s, 0", to, root(), word())
			case facts.LeafWide:
				out.add("%s = num.U128{Lo: %s, Hi: %s}", to, word(), word())
			case facts.LeafBool:
				out.add("%s = %s != 0", to, word())
			case facts.LeafF32:
				out.add("%s = math.Float32frombits(uint32(%s))", to, word())
			case facts.LeafF64:
				out.add("%s = math.Float64frombits(%s)", to, word())
			default:
				out.add("%s = %s(%s)", to, e.goType(t), word())
			}
		})
		if e.plan.Used[x] {
			e.root(out, x)
		}
	}
}

// woken emits WOKEN.
func (e *fn) woken(out *code, in *ir.Inst, next ir.BlockID) {
	cond := "t.Thrown != 0"
	if in.Imm != 0 {
		cond += " && rt.Woken(t)"
	}
	var body code
	if exc := in.ExcDest(); exc != nil {
		e.exceptional(&body, in.Block, exc, "rt.Catch(t)")
	} else {
		e.unwind(&body)
	}
	*out = append(*out, jen.If(raw("%s", cond)).Block(body...))
	e.results(out, in)
	e.normal(out, in, next)
}
