package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// site makes the static description of a trap or swap and returns its address.
func (e *fn) site(id ir.InstID, in *ir.Inst) expr {
	return addr(index(name("sites"), e.siteOf(id, in, e.v.TypesOf(in.Results), in.Keep)))
}

// siteOf numbers such a description, perhaps with other results and keep-alive variables.
func (e *fn) siteOf(id ir.InstID, in *ir.Inst, results []ir.TypeID, keeps []ir.ValueID) int {
	line := 0
	if e.IR.Files != nil {
		line = e.IR.Files.Position(in.Pos).Line
	}
	e.info.Recorded = true
	list := e.ListOf(results)
	e.Sites = append(e.Sites, repr.Site{Name: e.v.TrapName(id), Where: e.v.InstName(id), Func: e.info, ID: in.ID, Line: line, Results: list, Keep: e.keepVars(keeps)})
	return len(e.Sites) - 1
}

// keepVars describes keep-alive variables.
func (e *fn) keepVars(keeps []ir.ValueID) []repr.KeepVar {
	var rows []repr.KeepVar
	for _, k := range keeps {
		rows = append(rows, repr.KeepVar{Name: e.IR.CalledOr(e.v, k), VType: e.VType(e.v.Values[k].Type)})
	}
	return rows
}

// trap emits TRAP and WATCHPOINT.
func (e *fn) trap(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	stop := func(out *code, watchpoint uint64) {
		e.rest(out, id, in)
		e.pass(out, in.Keep)
		out.Do(rt("Trap", tVar, e.site(id, in), lit(watchpoint)))
		e.resumed(out, in)
	}
	if in.Op == ir.OpTrap {
		stop(out, 0)
		e.normal(out, in, next)
		return
	}
	on := out.Sub()
	stop(on, in.Imm)
	e.jump(on, in.Block, &in.Dests[1], -1)
	out.If(e.watched(in.Imm), on, nil)
	e.jump(out, in.Block, &in.Dests[0], next)
}

// resumed handles what was passed when the stack was bound again: an exception or results.
func (e *fn) resumed(out *code, in *ir.Inst) {
	body := out.Sub()
	exc := in.ExcDest()
	if exc != nil {
		e.passPopping(body)
	}
	e.caught(body, in, exc)
	out.If(thrown(), body, nil)
	e.results(out, in)
}

// watched is the condition that a watchpoint is enabled.
func (e *fn) watched(id uint64) expr {
	return rtBool("Enabled", addr(index(name("watch"), e.Watchpoint(uint32(id)))))
}

// stackOp emits NEWTHREAD and SWAPSTACK, and what package resume makes of the latter.
func (e *fn) stackOp(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	switch in.Op {
	case ir.OpSuspend:
		e.suspend(out, id, in, next)
		return
	case ir.OpReload:
		e.reload(out, in)
		return
	case ir.OpWoken:
		e.woken(out, in, next)
		return
	case ir.OpLanding:
		e.set(out, in.Results[0], bin(gotree.AndAnd, popping(), e.lands(id)))
		return
	case ir.OpLanded:
		e.results(out, in)
		return
	case ir.OpUnwind:
		e.unwind(out)
		return
	}
	vals, x := in.Passed()
	local := expr(zero)
	if x != 0 {
		local = e.expr(x)
	}
	list, flags := e.passing(in, vals)
	if in.Op == ir.OpSwapStack {
		e.rest(out, id, in)
	}
	e.pass(out, vals)
	if in.Op == ir.OpNewThread {
		e.fallible(out, id, in, rtInt("NewThread", tVar, e.expr(in.Args[0]), local, e.ListNo(list), flags, e.site(id, in)), "NoResource")
		e.normal(out, in, next)
		return
	}
	e.swap(out, id, in, list, flags)
	if in.Has(ir.FlagKillOld) {
		out.Return()
		return
	}
	e.resumed(out, in)
	e.normal(out, in, next)
}

// swap emits the switch of stacks itself.
func (e *fn) swap(out *code, id ir.InstID, in *ir.Inst, list int, flags expr) {
	to, ret := e.expr(in.Args[0]), e.ListNo(e.ListOf(e.v.TypesOf(in.Results)))
	if flags != zero {
		out.Do(rt("SwapStack", tVar, to, e.ListNo(list), ret, flags, e.site(id, in)))
		return
	}
	// The call that switches is made here: stack.Hop of the runtime says why.
	h := name(e.scope.Local("h"))
	init, yield, other, nextTurn := out.Sub(), out.Sub(), out.Sub(), out.Sub()
	init.DefineAll([]expr{h}, []goT{nil}, []expr{rt("LeaveStack", tVar, to, e.ListNo(list), ret, e.site(id, in))})
	yield.Do(method(h, "Yield", composite(&gotree.Type{Text: &gotree.Struct{}})))
	yield.Do(rt("EnterStack", tVar))
	nextTurn.Do(method(h, "Next"))
	nextTurn.Do(rt("EnterStack", tVar))
	other.If(ne(dot(h, "Next"), gotree.Nil), nextTurn, nil)
	out.IfInit(init, ne(dot(h, "Yield"), gotree.Nil), yield, other)
}

// passing is the list of the values that a NEWTHREAD or SWAPSTACK passes, and its flags, the
// node zero for none.
func (e *fn) passing(in *ir.Inst, vals []ir.ValueID) (list int, flags expr) {
	flags = zero
	if in.Has(ir.FlagThrowExc) {
		flags = qual("rt", "ThrowExc")
	} else {
		list = e.ListOf(e.v.TypesOf(vals))
	}
	if in.Has(ir.FlagKillOld) {
		kill := qual("rt", "KillOld")
		if flags == zero {
			return list, kill
		}
		flags = bin(gotree.Or, flags, kill)
	}
	return list, flags
}

// fallible assigns the result of a runtime call that returns 0 when it fails.
func (e *fn) fallible(out *code, id ir.InstID, in *ir.Inst, call expr, kind string) {
	p := e.resultVar(out, in.Results[0])
	p.give(out, call)
	out.If(eq(p.x, zero), e.failure(out, id, in, kind, ""), nil)
	e.root(out, in.Results[0])
}
