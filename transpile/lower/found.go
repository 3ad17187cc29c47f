package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// callsFound reports whether the first two instructions are a FUNCAT and the call of what it finds, which nothing else
// uses.
func (e *fn) callsFound(ids []ir.InstID) bool {
	if len(ids) < 2 {
		return false
	}
	at, in := &e.v.Insts[ids[0]], &e.v.Insts[ids[1]]
	return at.Op == ir.OpFuncAt && in.Op == ir.OpCall && in.Sig == at.Sig && in.Args[0] == at.Results[0] && e.plan.UsedOnce(in.Args[0])
}

// callFound emits a FUNCAT and the call of what it finds as a choice between two calls: of the function that is known
// at the address, and of one that is searched for. If only the search were in a branch, Go's compiler would lay it out
// in front of the call, and each call would jump over it. gotree/rare.go adds what follows the call.
func (e *fn) callFound(out *code, ids []ir.InstID, next ir.BlockID) {
	at, in := &e.v.Insts[ids[0]], &e.v.Insts[ids[1]]
	addr := e.temp(out, at.Args[0])
	e.goTo(out, ids[1], in)
	e.faultSite(ids[1], in)
	e.clearStale(out, ids[1])
	e.keepalives(out, in)
	args := []expr{tVar}
	for _, a := range in.Args[1:] {
		if e.plan.Inline[e.plan.Alias[a]] {
			args = append(args, e.temp(out, a))
		} else {
			args = append(args, e.expr(a))
		}
	}
	e.rest(out, ids[1], in)
	e.declareResults(out, in)

	t := repr.CallType(e.ClassOf(in.Sig))
	known, searched := out.Sub(), out.Sub()
	f := e.scope.Local("f")
	known.Define(f, gotree.UnsafePtr, pointerTo(addr))
	e.bind(known, in, call(deref(t, addressOf(name(f))), args...))

	f = e.scope.Local("f")
	searched.At = e.position(ids[0], at)
	searched.Define(f, gotree.UnsafePtr, pointerTo(e.foundAt(ids[0], at, addr)))
	searched.At = out.At
	if e.nullText(at) == "" {
		searched.If(eq(name(f), gotree.Nil), e.badCall(searched, ids[1], name(f), in.Sig), nil)
	}
	e.bind(searched, in, call(deref(t, addressOf(name(f))), args...))

	out.IfLikely(rtBool("IsFuncAt", addr, e.ClassNo(e.ClassOf(at.Sig))), known, searched)
	e.afterCall(out, ids[1], in, e.CallThrows(e.v, in), next)
}

// declareResults declares the results of a call that are used and have no variable.
func (e *fn) declareResults(out *code, in *ir.Inst) {
	for _, r := range in.Results {
		if e.plan.Used[r] && e.name[r] == "" {
			e.name[r] = e.localName(r)
			out.Var(e.GoType(e.v.Values[r].Type), e.name[r])
			e.declared(out, r)
		}
	}
}

// nullText is the text of the error of a FUNCAT of NULL, "" if NULL stays NULL.
func (e *fn) nullText(in *ir.Inst) string { return e.v.Values[e.plan.Alias[in.Args[1]]].Const.Bytes }

// foundAt is the call of the runtime that searches for the function of a FUNCAT.
func (e *fn) foundAt(id ir.InstID, in *ir.Inst, addr expr) expr {
	return rtInt("FuncAtAddress", tVar, addr, e.ClassNo(e.ClassOf(in.Sig)), str(e.v.SiteName(id)), str(e.nullText(in)))
}
