package gogen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// site makes the static description of a trap or swap and returns its variable.
func (e *fn) site(id ir.InstID, in *ir.Inst) string {
	return e.siteOf(id, in, e.resultTypes(in), in.Keep)
}

// siteOf is site with other results and keep-alive variables.
func (e *fn) siteOf(id ir.InstID, in *ir.Inst, results []ir.TypeID, keeps []ir.ValueID) string {
	name := strings.TrimPrefix(e.v.InstName(id), "@")
	if in.Name == "" {
		name = fmt.Sprintf("%s+%d", strings.TrimPrefix(e.v.Func.Root().Name, "@"), e.instNumber(id))
	}
	line := 0
	if e.p.Files != nil {
		line = e.p.Files.Position(in.Pos).Line
	}
	var keep []string
	for _, k := range keeps {
		keep = append(keep, fmt.Sprintf("{Name: %q, Type: &vtypes[%d]}",
			strings.TrimLeft(e.v.Values[k].Name, "%@"), e.vtype(e.v.Values[k].Type)))
	}
	s := fmt.Sprintf("{Name: %q, Func: &%s.Func, ID: %d, Line: %d, Results: %d", name, e.info.rec, in.ID, line, e.listOf(results))
	if keep != nil {
		s += ", Keep: []rt.KeepVar{" + strings.Join(keep, ", ") + "}"
	}
	e.info.recorded = true
	e.gen.sites = append(e.gen.sites, s+"}")
	return fmt.Sprintf("&sites[%d]", len(e.gen.sites)-1)
}

// instNumber is the place of an instruction in its version, from 1.
func (e *fn) instNumber(id ir.InstID) int {
	n := 1
	for b := range e.v.Blocks {
		for _, x := range e.v.Blocks[b].Insts {
			if x == id {
				return n
			}
			n++
		}
	}
	return n
}

func (e *fn) resultTypes(in *ir.Inst) []ir.TypeID {
	var t []ir.TypeID
	for _, r := range in.Results {
		t = append(t, e.v.Values[r].Type)
	}
	return t
}

// trap emits TRAP and WATCHPOINT (mu-language 8.9).
func (e *fn) trap(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if in.Op == ir.OpTrap {
		e.rest(out, id, in)
		e.pass(out, in.Keep)
		out.add("rt.Trap(t, %s, 0)", e.site(id, in))
		e.resumed(out, in, in.ExcDest())
		e.normal(out, in, next)
		return
	}
	var on code
	e.rest(&on, id, in)
	e.pass(&on, in.Keep)
	on.add("rt.Trap(t, %s, %d)", e.site(id, in), in.Imm)
	e.resumed(&on, in, in.ExcDest())
	e.jump(&on, in.Block, &in.Dests[1], -1)
	*out = append(*out, jen.If(raw("%s", e.watched(in.Imm))).Block(on...))
	e.jump(out, in.Block, &in.Dests[0], next)
}

// resumed handles what a stack was bound again with: an exception or results.
func (e *fn) resumed(out *code, in *ir.Inst, exc *ir.Dest) {
	var body code
	if exc != nil {
		e.passPopping(&body)
		e.exceptional(&body, in.Block, exc, "rt.Catch(t)")
	} else {
		e.unwind(&body)
	}
	*out = append(*out, jen.If(raw("t.Thrown != 0")).Block(body...))
	e.results(out, in)
}

// watched is the condition that a watchpoint is enabled.
func (e *fn) watched(id uint64) string {
	n, ok := e.watch[uint32(id)]
	if !ok {
		n = len(e.watch)
		e.watch[uint32(id)] = n
	}
	return fmt.Sprintf("rt.Enabled(&watch[%d])", n)
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
	}
	vals := in.Args[1:]
	local := "0"
	if in.Has(ir.FlagThreadLocal) {
		local = e.expr(vals[0])
		vals = vals[1:]
	}
	pass, fl := e.passing(in, vals)
	if in.Op == ir.OpSwapStack {
		e.rest(out, id, in)
	}
	e.pass(out, vals)
	if in.Op == ir.OpNewThread {
		call := fmt.Sprintf("rt.NewThread(t, %s, %s, %s, %s, %s)", e.expr(in.Args[0]), local, e.listNo(pass), fl, e.site(id, in))
		e.fallible(out, id, in, call, "NoResource")
		e.normal(out, in, next)
		return
	}
	to := e.expr(in.Args[0])
	ret := e.listNo(e.listOf(e.resultTypes(in)))
	if fl != "0" {
		out.add("rt.SwapStack(t, %s, %s, %s, %s, %s)", to, e.listNo(pass), ret, fl, e.site(id, in))
	} else {
		// The call that switches is made here: stack.Hop of the runtime says why.
		h := e.scope.local("h")
		*out = append(*out, jen.If(raw("%s := rt.LeaveStack(t, %s, %s, %s, %s)", h, to, e.listNo(pass), ret, e.site(id, in)), raw("%s.Yield != nil", h)).
			Block(raw("%s.Yield(struct{}{})", h), raw("rt.EnterStack(t)")).
			Else().If(raw("%s.Next != nil", h)).Block(raw("%s.Next()", h), raw("rt.EnterStack(t)")))
	}
	if in.Has(ir.FlagKillOld) {
		out.add("return")
		return
	}
	e.resumed(out, in, in.ExcDest())
	e.normal(out, in, next)
}

// passing is the list of the values that a NEWTHREAD or SWAPSTACK passes, and its flags.
func (e *fn) passing(in *ir.Inst, vals []ir.ValueID) (list int, flags string) {
	var fl []string
	if in.Has(ir.FlagThrowExc) {
		fl = append(fl, "rt.ThrowExc")
	} else {
		var types []ir.TypeID
		for _, a := range vals {
			types = append(types, e.v.Values[a].Type)
		}
		list = e.listOf(types)
	}
	if in.Has(ir.FlagKillOld) {
		fl = append(fl, "rt.KillOld")
	}
	if fl == nil {
		return list, "0"
	}
	return list, strings.Join(fl, "|")
}

// fallible assigns the result of a runtime call that returns 0 when it fails.
func (e *fn) fallible(out *code, id ir.InstID, in *ir.Inst, call, kind string) {
	p := e.scope.local("p")
	out.add("%s := %s", p, call)
	*out = append(*out, jen.If(raw("%s == 0", p)).Block(e.failure(id, in, kind, "")...))
	e.setOrDrop(out, in.Results[0], p)
}
