package lower

import (
	"fmt"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// Resumable bodies.
//
// A function with which new stacks begin may have a second Go function, made from the body that
// package resume makes. Its only parameter is the context, and it returns what a SWAPSTACK
// wants to do. The live values are then in the frame, in the words that hold keep-alive values
// in other functions; the frame stays. t.Resume says where to continue.

// Resumable makes the resumable body of a function that has one.
func Resumable(g *repr.Program, f *ir.Function) (gotree.Decl, error) {
	v := f.Current()
	e := &fn{Program: g, info: g.Funcs[f], v: g.Opt.Bodies[f], resumable: true}
	if g.Opt.Origins != nil {
		e.origins = g.Opt.Origins(v)
	}
	e.makePlan()
	e.scope.Take("to")
	e.scope.Take("step")
	e.framed = true
	e.frameSize = frameSize(e.Program, e.plan)
	e.keepingFrame(func(in *ir.Inst) bool { return in.Op == ir.OpSuspend })
	e.nameSlots()
	e.info.ResumeInlined, e.info.ResumeColumns = e.findCopies()

	vars, body := e.statements()
	all := &code{At: e.own}
	e.declareFrame(all)
	begin := all.Sub()
	begin.Set(fpVar, word(tVar, "SP"))
	e.prologue(begin, 0)
	begin.Set(word(tVar, "Bottom"), fpVar)
	all.Define("fp", gotree.Uintptr, word(tVar, "Bottom"))
	all.If(eq(word(tVar, "Resume"), zero), begin, nil)
	all.Add(vars.List...)
	all.Add(body)
	e.finishUnwind(all)
	gotree.Pool(all, e.scope.Has, func() string { return e.scope.Local("v") })
	gotree.Shape(all)
	text := &gotree.Func{
		At: e.own, Comment: fmt.Sprintf("%s is %s of the bundle as the body of a stack that can stop and continue.", e.info.Resume, v.Name),
		Name: e.info.Resume, Body: all,
		Sig: &gotree.Sig{Params: []gotree.Param{ctxParam},
			Results: []gotree.Param{{Name: "to", T: gotree.Uintptr}, {Name: "step", T: gotree.PtrTo(rtType("Step"))}}},
	}
	e.info.ResumeLines = e.lineTable(text)
	return text, e.err
}

// startRefs counts the references among the arguments.
func (e *fn) startRefs() int {
	start := e.v.Term(0).Dests[0].Block
	_, r := e.leafWords(e.v.Insts[e.v.Blocks[start].Insts[0]].Results)
	return r
}

// dispatch emits DISPATCH.
func (e *fn) dispatch(out *code, in *ir.Inst, next ir.BlockID) {
	var cases []gotree.Case
	choice := func(keys []expr, d *ir.Dest) {
		body := out.Sub()
		e.jump(body, in.Block, d, next)
		cases = append(cases, gotree.Case{At: out.At, Keys: keys, Body: body})
	}
	for n := 1; n < len(in.Dests); n++ {
		choice([]expr{lit(n)}, &in.Dests[n])
	}
	choice(nil, &in.Dests[0])
	out.Switch(word(tVar, "Resume"), cases)
}

// suspend emits SUSPEND.
func (e *fn) suspend(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if len(in.Args) == 0 {
		body := out.Sub()
		e.save(body, in.Keep)
		body.Set(word(tVar, "Resume"), lit(in.Imm))
		body.Return(zero, qual("rt", "Move"))
		out.If(bin(gotree.AndAnd, ne(word(tVar, "Poll"), zero), rtBool("ShouldMove", tVar)), body, nil)
		e.jump(out, in.Block, &in.Dests[0], next)
		return
	}
	vals := in.Args[1:]
	list, flags := e.passing(in, vals)
	e.pass(out, vals)
	row := repr.Step{Site: e.siteOf(id, in, in.Types, nil), Pass: list, Ret: e.ListOf(in.Types)}
	if flags != zero {
		row.Flags = flags
	}
	to := e.temp(out, in.Args[0])
	e.save(out, in.Keep)
	out.Set(word(tVar, "Resume"), lit(in.Imm))
	e.Steps = append(e.Steps, row)
	out.Return(to, addr(index(name("steps"), len(e.Steps)-1)))
}

// reload emits RELOAD. If a WOKEN follows, it may have to make the swap again, which collects: the
// frame goes on holding the values until then.
func (e *fn) reload(out *code, in *ir.Inst) {
	a := e.kept()
	a.Stays = slices.ContainsFunc(e.v.Blocks[in.Block].Insts, func(id ir.InstID) bool { return e.v.Insts[id].Op == ir.OpWoken })
	for _, x := range in.Results {
		e.Take(out, a, e.v.Values[x].Type, e.receiver(out, x))
		if e.plan.Used[x] {
			e.root(out, x)
		}
	}
	if a.Stays {
		e.reloaded = *a
	}
}

// woken emits WOKEN.
func (e *fn) woken(out *code, in *ir.Inst, next ir.BlockID) {
	cond := thrown()
	if in.Imm != 0 {
		cond = bin(gotree.AndAnd, cond, rtBool("Woken", tVar))
	}
	kept := e.reloaded
	e.reloaded = repr.Area{}
	body := out.Sub()
	kept.Clear(body)
	e.caught(body, in, in.ExcDest())
	out.If(cond, body, nil)
	kept.Clear(out)
	e.results(out, in)
	e.normal(out, in, next)
}
