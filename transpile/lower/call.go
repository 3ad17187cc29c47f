package lower

import (
	"fmt"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// callInst emits CALL, TAILCALL and CCALL.
func (e *fn) callInst(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	switch in.Op {
	case ir.OpCall:
		e.call(out, id, in, next)
	case ir.OpTailCall:
		e.tailCall(out, id, in)
	case ir.OpCCall:
		e.ccall(out, id, in, next)
	}
}

// args are the context and operands.
func (e *fn) args(vals []ir.ValueID) []expr {
	l := []expr{tVar}
	for _, a := range vals {
		l = append(l, e.expr(a))
	}
	return l
}

// target is a computed callee as a variable, which is tested to be a function of
// the right class; if FUNCAT found it, only NULL is left to test for. The variable is a pointer from the
// start, for the test and report too: the Go compiler would keep a copy of a number that is also used.
func (e *fn) target(out *code, id ir.InstID, callee ir.ValueID, sig ir.TypeID) expr {
	f := e.scope.Local("f")
	out.Define(f, gotree.UnsafePtr, pointerTo(e.temp(out, callee)))
	class := e.ClassNo(e.ClassOf(sig))
	misfit := gotree.Not(rtBool("Callable", name(f), class))
	if v := &e.v.Values[callee]; v.Kind == ir.ValueResult {
		if at := &e.v.Insts[v.Def]; at.Op == ir.OpFuncAt && at.Sig == sig {
			misfit = eq(name(f), gotree.Nil)
		}
	}
	out.If(misfit, e.badCall(out, id, name(f), sig), nil)
	return name(f)
}

// badCall ends the program because a callee is NULL or of another signature.
func (e *fn) badCall(out *code, id ir.InstID, f expr, sig ir.TypeID) *code {
	bad := out.Sub()
	bad.Do(rt("BadCall", tVar, f, e.ClassNo(e.ClassOf(sig)), str(e.v.SiteName(id))))
	bad.Return()
	return bad
}

// computed is the Go expression of a computed callee. A Go func value points to
// words of which the first is the address of the code, and so does a funcref: a
// record begins with that address, see rt.Func.Code. Go's compiler sees through the variable.
func (e *fn) computed(out *code, id ir.InstID, in *ir.Inst) expr {
	f := e.target(out, id, in.Args[0], in.Sig)
	return deref(repr.CallType(e.ClassOf(in.Sig)), addressOf(f))
}

func (e *fn) call(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	var callee expr
	if f := e.callee(in); f != nil {
		callee = e.Funcs[f].Entry()
	} else {
		callee = e.computed(out, id, in)
	}
	x := call(callee, e.args(in.Args[1:])...)
	e.rest(out, id, in)
	e.bind(out, in, x)
	e.afterCall(out, id, in, e.CallThrows(e.v, in), next)
}

// bind assigns the results of a Go call.
func (e *fn) bind(out *code, in *ir.Inst, call expr) {
	used, fresh, old := false, false, false
	for _, r := range in.Results {
		if e.plan.Used[r] {
			used = true
			fresh = fresh || e.name[r] == ""
			old = old || e.name[r] != ""
		}
	}
	if !used {
		out.Do(call)
		return
	}
	l := make([]expr, len(in.Results))
	types := make([]goT, len(in.Results))
	type copied struct{ to, from expr }
	var later []copied
	var declared []ir.ValueID
	for i, r := range in.Results {
		types[i] = e.GoType(e.v.Values[r].Type)
		switch {
		case !e.plan.Used[r]:
			l[i] = gotree.Blank
		case e.name[r] == "":
			e.name[r] = e.localName(r)
			l[i] = e.variable(r)
			declared = append(declared, r)
		case fresh: // := would declare it again in this scope
			l[i] = name(e.scope.Local("v"))
			later = append(later, copied{e.variable(r), l[i]})
		default:
			l[i] = e.variable(r)
		}
	}
	if fresh {
		out.DefineAll(l, types, []expr{call})
	} else {
		out.SetAll(l, []expr{call})
	}
	for _, c := range later {
		out.Set(c.to, c.from)
	}
	for _, r := range declared {
		e.declared(out, r)
	}
}

// caught emits the continuation with an exception: at a destination, or out of the function
// if there is none.
func (e *fn) caught(out *code, in *ir.Inst, exc *ir.Dest) {
	if exc != nil {
		e.exceptional(out, in.Block, exc, rtInt("Catch", tVar))
	} else {
		e.unwind(out)
	}
}

// returnsNext reports whether a call without an exception clause is followed by a return that computes nothing. That
// does all that leaving the function with an exception does: nobody uses the results if an exception is set.
func (e *fn) returnsNext(in *ir.Inst) bool {
	ids := e.plan.Emitted(in.Block)
	n := len(ids)
	if n < 2 || &e.v.Insts[ids[n-2]] != in || in.Has(ir.FlagExc) || e.Introspect || e.resumable {
		return false
	}
	ret := &e.v.Insts[ids[n-1]]
	return ret.Op == ir.OpRet && !slices.ContainsFunc(ret.Args, func(x ir.ValueID) bool { return e.plan.Inline[e.plan.Alias[x]] })
}

// afterCall tests for an exception, roots the results and continues.
func (e *fn) afterCall(out *code, id ir.InstID, in *ir.Inst, throws bool, next ir.BlockID) {
	if (throws || in.Has(ir.FlagExc)) && !e.returnsNext(in) {
		left := func(out *code) {
			exc := in.ExcDest()
			if exc != nil && e.v.Lands(exc.Block) {
				e.jump(out, in.Block, exc, -1)
				return
			}
			if exc != nil {
				e.passPopping(out)
			}
			e.caught(out, in, exc)
		}
		exc := out.Sub()
		if e.Introspect && in.Op == ir.OpCall {
			e.landing(exc, id, in, left)
		} else {
			left(exc)
		}
		out.If(thrown(), exc, nil)
	}
	for _, r := range in.Results {
		if e.plan.Used[r] {
			e.root(out, r)
		}
	}
	e.normal(out, in, next)
}

// tailCall replaces the frame. To itself it is a jump; else the callee's record
// and arguments are left with the thread, and the driver of the outermost
// function of the chain continues with them, in constant space.
func (e *fn) tailCall(out *code, id ir.InstID, in *ir.Inst) {
	f := e.callee(in)
	if f == e.v.Func && !f.Open() {
		e.tailJump(out, in)
		return
	}
	var rec expr
	if f != nil {
		rec = addr(dot(name(e.Funcs[f].Record), "Func"))
	} else {
		rec = conv(gotree.PtrTo(rtType("Func")), e.target(out, id, in.Args[0], in.Sig))
	}
	e.ListOf(e.At(in.Sig).Fields)
	e.pass(out, in.Args[1:])
	e.leave(out)
	out.Do(rt("TailCall", tVar, rec))
	out.Return()
}

// tailJump is a tail call of the function itself.
func (e *fn) tailJump(out *code, in *ir.Inst) {
	if e.entry == nil {
		e.entry = &gotree.Label{Name: "entry"}
	}
	var to, from []ir.ValueID
	for i, p := range e.v.Blocks[0].Params {
		switch {
		case !e.plan.Used[p]:
			e.plan.EachUse(in.Args[1+i], func(x ir.ValueID) { out.Drop(e.variable(x)) })
		case e.plan.Alias[in.Args[1+i]] != p:
			to = append(to, p)
			from = append(from, in.Args[1+i])
		}
	}
	if e.allocas {
		e.releaseCells(out)
	}
	if e.frameAt != 0 && e.inFrame(e.cur) {
		popFrame(out)
	}
	e.assignAll(out, to, from)
	if e.info.Cookie { // the cookie is that of the frame that ends here
		e.cookieGone = true
		out.Set(name("cookie"), zero)
	}
	out.Goto(e.entry)
}

// driver is the function that callers of a tail-calling function enter.
func (e *fn) driver(params []string) gotree.Decl {
	sig := e.v.Func.Sig
	body := &code{At: e.own}
	res := e.At(sig).Results
	e.ListOf(res)
	x := call(name(e.info.Body), append([]expr{tVar}, namesOf(params...)...)...)
	tailing, chase := rtBool("Tailing", tVar), rtBool("Chase", tVar)
	then := body.Sub()
	if len(res) > 0 {
		var l []string
		for i := range res {
			l = append(l, repr.ResultName(i))
		}
		body.SetAll(namesOf(l...), []expr{x})
		a := repr.TransferVar(then, "x")
		for i, ty := range res {
			e.Take(then, a, ty, name(repr.ResultName(i)))
		}
		body.If(bin(gotree.AndAnd, tailing, chase), then, nil)
	} else {
		body.Do(x)
		then.Do(chase)
		body.If(tailing, then, nil)
	}
	body.Return()
	return &gotree.Func{At: e.own, Comment: fmt.Sprintf("%s runs %s and the tail calls that it ends in.", e.info.GoName, e.v.Func.Root().Name),
		Name: e.info.GoName, Sig: e.GoSig(sig, params, true), Body: body}
}
