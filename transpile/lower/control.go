package lower

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// branch emits BRANCH, BRANCH2, SWITCH and WPBRANCH.
func (e *fn) branch(out *code, in *ir.Inst, next ir.BlockID) {
	switch in.Op {
	case ir.OpBranch:
		e.jump(out, in.Block, &in.Dests[0], next)
	case ir.OpBranch2:
		e.branch2(out, in, e.expr(in.Args[0]), &in.Dests[0], &in.Dests[1], next)
	case ir.OpWPBranch:
		e.branch2(out, in, e.watched(in.Imm), &in.Dests[1], &in.Dests[0], next)
	case ir.OpSwitch:
		e.switchInst(out, in, next)
	case ir.OpDispatch:
		e.dispatch(out, in, next)
	}
}

// condition adds an if at the position of the instruction that makes the condition, if that is
// written there.
func (e *fn) condition(out *code, in *ir.Inst, cond expr, then *code) {
	at := out.At
	if len(in.Args) > 0 {
		if x := e.plan.Alias[in.Args[0]]; e.plan.Inline[x] {
			id := ir.InstID(e.v.Values[x].Def)
			e.goTo(out, id, &e.v.Insts[id])
		}
	}
	out.If(cond, then, nil)
	out.At = at
}

// branch2 writes one destination into the braces of an if, if possible one that needs only a
// jump, and the other after it, so that long chains of decisions do not nest.
func (e *fn) branch2(out *code, in *ir.Inst, cond expr, yes, no *ir.Dest, next ir.BlockID) {
	from := in.Block
	yesEmpty, noEmpty := e.jumpIsEmpty(from, yes, next), e.jumpIsEmpty(from, no, next)
	body := out.Sub()
	switch {
	case yesEmpty && noEmpty:
		out.Drop(cond)
	case yesEmpty:
		e.jump(body, from, no, next)
		e.condition(out, in, gotree.Not(cond), body)
	case noEmpty:
		e.jump(body, from, yes, next)
		e.condition(out, in, cond, body)
	default:
		if e.plan.InPlace[yes.Block] == from && e.plan.InPlace[no.Block] != from && !e.testsCopy(in) {
			yes, no, cond = no, yes, gotree.Not(cond)
		}
		e.jump(body, from, yes, -1)
		e.condition(out, in, cond, body)
		e.jump(out, from, no, next)
	}
}

// testsCopy reports whether a branch is the test whether a copy of a body may be used. The copy, which is
// executed nearly always, comes first then: of two branches that it finds equally likely, Go's compiler puts the second one out of the way.
func (e *fn) testsCopy(in *ir.Inst) bool {
	if len(in.Args) == 0 {
		return false
	}
	x := &e.v.Values[e.plan.Alias[in.Args[0]]]
	return x.Kind == ir.ValueResult && e.v.Insts[x.Def].Op == ir.OpUnchanged
}

func (e *fn) switchInst(out *code, in *ir.Inst, next ir.BlockID) {
	from := in.Block
	if len(in.Args) == 1 {
		e.plan.EachUse(in.Args[0], func(x ir.ValueID) { out.Drop(e.variable(x)) })
		e.jump(out, from, &in.Dests[0], next)
		return
	}
	x := e.temp(out, in.Args[0])
	// Keys that lead to the same are one case: Go tests neighbours together.
	type group struct {
		dest *ir.Dest
		keys []expr
	}
	var groups []*group
	first := map[ir.BlockID][]*group{}
	for i, k := range in.Args[1:] {
		key := e.expr(k)
		d := &in.Dests[1+i]
		same := slices.IndexFunc(first[d.Block], func(g *group) bool { return slices.Equal(g.dest.Args, d.Args) })
		if same < 0 {
			groups = append(groups, &group{dest: d, keys: []expr{key}})
			if len(first[d.Block]) < 4 {
				first[d.Block] = append(first[d.Block], groups[len(groups)-1])
			}
			continue
		}
		first[d.Block][same].keys = append(first[d.Block][same].keys, key)
	}
	var cases []gotree.Case
	choice := func(keys []expr, d *ir.Dest) {
		body := out.Sub()
		e.jump(body, from, d, next)
		cases = append(cases, gotree.Case{At: out.At, Keys: keys, Body: body})
	}
	for _, g := range groups {
		choice(g.keys, g.dest)
	}
	choice(nil, &in.Dests[0])
	out.Switch(x, cases)
}

func (e *fn) ret(out *code, in *ir.Inst) {
	var vals []expr
	for _, a := range in.Args {
		if e.resumable {
			out.Drop(e.expr(a)) // the stack ends: nobody receives it
			continue
		}
		vals = append(vals, e.expr(a))
	}
	e.leave(out)
	out.Return(vals...)
}

func (e *fn) throwInst(out *code, in *ir.Inst) {
	throw := "Throw"
	if in.Op == ir.OpRethrow {
		throw = "Rethrow"
	}
	out.Do(rt(throw, tVar, e.expr(in.Args[0])))
	e.unwind(out)
}
