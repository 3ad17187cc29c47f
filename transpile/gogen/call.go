package gogen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/facts"
	"github.com/uvm2go/uvm2go/transpile/ir"
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

func (e *fn) args(vals []ir.ValueID) string {
	var b strings.Builder
	b.WriteString("t")
	for _, a := range vals {
		b.WriteString(", ")
		b.WriteString(unparen(e.expr(a)))
	}
	return b.String()
}

// recType is the Go type of the records of a signature class.
func recType(class int) string { return fmt.Sprintf("fn%d", class) }

// callType is the type of the Go functions of a signature class.
func callType(class int) string { return fmt.Sprintf("call%d", class) }

// target is a computed callee as a variable, which is tested to be a function of
// the right class. It is a pointer from the start, test and report included: of a
// number that is used as well the Go compiler keeps a copy beside it.
func (e *fn) target(out *code, id ir.InstID, callee ir.ValueID, sig ir.TypeID) string {
	f := e.scope.local("f")
	out.add("%s := unsafe.Pointer(%s)", f, e.temp(out, callee))
	class := e.classNo(e.ClassOf(sig))
	*out = append(*out, jen.If(raw("!rt.Callable(%s, %s)", f, class)).Block(
		raw("rt.BadCall(t, %s, %s, %q)", f, class, e.siteName(id)), raw("return")))
	return f
}

// computed is the Go expression of a computed callee. A Go func value points to
// words of which the first is the address of the code, and so does a funcref: a
// record begins with it, see rt.Func.Code. Go's compiler sees through the variable.
func (e *fn) computed(out *code, id ir.InstID, in *ir.Inst) string {
	f := e.target(out, id, in.Args[0], in.Sig)
	return fmt.Sprintf("(*(*%s)(unsafe.Pointer(&%s)))", callType(e.ClassOf(in.Sig)), f)
}

func (e *fn) call(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	var call string
	if f := e.callee(in); f != nil {
		call = e.gen.info[f].entry()
	} else {
		call = e.computed(out, id, in)
	}
	call += "(" + e.args(in.Args[1:]) + ")"
	e.rest(out, id, in)
	e.bind(out, in, call)
	e.afterCall(out, in, e.CallThrows(e.v, in), next)
}

// bind assigns the results of a Go call.
func (e *fn) bind(out *code, in *ir.Inst, call string) {
	used := false
	for _, r := range in.Results {
		used = used || e.plan.Used[r]
	}
	if !used {
		out.add("%s", call)
		return
	}
	var l []string
	fresh, old := false, false
	for _, r := range in.Results {
		switch {
		case !e.plan.Used[r]:
			l = append(l, "_")
		case e.name[r] != "":
			l = append(l, e.name[r])
			old = true
		default:
			e.name[r] = e.localName(r)
			l = append(l, e.name[r])
			fresh = true
		}
	}
	op := "="
	if fresh {
		op = ":="
		if old {
			// := would declare the old ones again in this scope.
			for i, r := range in.Results {
				if l[i] != "_" && e.plan.Hoist[r] {
					tmp := e.scope.local("v")
					l[i] = tmp
				}
			}
		}
	}
	out.add("%s %s %s", strings.Join(l, ", "), op, call)
	for i, r := range in.Results {
		switch {
		case l[i] == "_":
		case l[i] != e.name[r]:
			out.add("%s = %s", e.name[r], l[i])
		case fresh && !e.plan.Hoist[r]:
			e.declared(out, r)
		}
	}
}

// afterCall tests for an exception, roots the results and goes on.
func (e *fn) afterCall(out *code, in *ir.Inst, throws bool, next ir.BlockID) {
	e.land(out, in)
	if throws || in.Has(ir.FlagExc) {
		var exc code
		if in.Has(ir.FlagExc) {
			e.passPopping(&exc)
			e.exceptional(&exc, in.Block, &in.Dests[1], "rt.Catch(t)")
		} else {
			e.unwind(&exc)
		}
		*out = append(*out, jen.If(raw("t.Thrown != 0")).Block(exc...))
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
// function of the chain goes on with them, in constant space.
func (e *fn) tailCall(out *code, id ir.InstID, in *ir.Inst) {
	f := e.callee(in)
	if f == e.v.Func && !f.Open() {
		e.selfTail = true
		var to, from []ir.ValueID
		for i, p := range e.v.Blocks[0].Params {
			switch {
			case !e.plan.Used[p]:
				e.plan.EachUse(in.Args[1+i], func(x ir.ValueID) { out.add("_ = %s", e.name[x]) })
			case e.plan.Alias[in.Args[1+i]] != p:
				to = append(to, p)
				from = append(from, in.Args[1+i])
			}
		}
		if e.allocas {
			e.releaseCells(out)
		}
		if e.frameAt != 0 && e.inFrame(e.cur) {
			out.add("t.SP = uintptr(fp)")
		}
		e.assignAll(out, to, from)
		out.add("goto entry")
		return
	}
	var rec string
	if f != nil {
		rec = "&" + e.gen.info[f].rec + ".Func"
	} else {
		rec = "(*rt.Func)(" + e.target(out, id, in.Args[0], in.Sig) + ")"
	}
	e.listOf(e.at(in.Sig).Fields)
	if len(in.Args) > 1 {
		e.pass(out, in.Args[1:])
	}
	e.leave(out)
	out.add("rt.TailCall(t, %s)", rec)
	out.add("return")
}

// driver emits the function that callers of a tail-calling function enter.
func (e *fn) driver(params []string) []jen.Code {
	sig := e.v.Func.Sig
	var body code
	res := e.at(sig).Results
	call := fmt.Sprintf("%s(t%s)", e.info.body, strings.Join(append([]string{""}, params...), ", "))
	if len(res) > 0 {
		var l []string
		for i := range res {
			l = append(l, fmt.Sprintf("r%d", i))
		}
		call = strings.Join(l, ", ") + " = " + call
	}
	body.add("%s", call)
	chase := code{}
	e.listOf(res)
	if len(res) > 0 {
		var get code
		get.add("x := rt.X(t)")
		e.fromTransfer(&get, res, func(i int) string { return fmt.Sprintf("r%d", i) })
		chase = append(chase, jen.If(raw("rt.Chase(t)")).Block(get...))
	} else {
		chase.add("rt.Chase(t)")
	}
	body = append(body, jen.If(raw("rt.Tailing(t)")).Block(chase...))
	body.add("return")
	out := []jen.Code{jen.Line(), raw("// %s runs %s and the tail calls that it ends in.", e.info.goName, e.v.Func.Root().Name)}
	fn := raw("func %s%s", e.info.goName, e.goSig(sig, params, true)).Block(body...)
	if e.opt.Lines && e.file != "" {
		return append(out, jen.Comment(e.lineMark(e.v.Pos, nil)), fn, jen.Comment(resetMark))
	}
	return append(out, fn)
}

// pass puts values into the thread's transfer area.
func (e *fn) pass(out *code, vals []ir.ValueID) {
	if len(vals) == 0 {
		return
	}
	x := code{raw("x := rt.X(t)")}
	e.transferOut(&x, vals)
	*out = append(*out, jen.Block(x...))
}

// transferOut puts values into the transfer area x.
func (e *fn) transferOut(out *code, vals []ir.ValueID) {
	w, r := 0, 0
	for _, a := range vals {
		ty := e.v.Values[a].Type
		name := ""
		switch e.kind(ty) {
		case ir.KStruct, ir.KArray, ir.KVector:
			name = e.temp(out, a)
		default:
			name = e.expr(a)
		}
		e.leavesOut(out, ty, name, &w, &r)
	}
	e.maxTransfer = max(e.maxTransfer, w, r)
}

func (g *gen) leavesOut(out *code, ty ir.TypeID, name string, w, r *int) {
	g.eachLeaf(ty, name, func(path string, t ir.TypeID) {
		switch g.LeafOf(t) {
		case facts.LeafRef:
			out.add("x.R[%d] = %s", *r, path)
			*r++
		case facts.LeafTag:
			out.add("x.R[%d] = rt.TagRoot(%s)", *r, path)
			out.add("x.W[%d] = %s", *w, path)
			*r++
			*w++
		case facts.LeafWide:
			out.add("x.W[%d], x.W[%d] = rt.Split(%s)", *w, *w+1, path)
			*w += 2
		case facts.LeafBool:
			out.add("x.W[%d] = rt.B2U(%s)", *w, path)
			*w++
		case facts.LeafF32:
			out.add("x.W[%d] = uint64(math.Float32bits(%s))", *w, path)
			*w++
		case facts.LeafF64:
			out.add("x.W[%d] = math.Float64bits(%s)", *w, path)
			*w++
		default:
			out.add("x.W[%d] = uint64(%s)", *w, path)
			*w++
		}
	})
}

// fromTransfer reads values of the given types out of the transfer area x.
func (g *gen) fromTransfer(out *code, types []ir.TypeID, name func(int) string) {
	w, r := 0, 0
	for i, ty := range types {
		n := name(i)
		g.eachLeaf(ty, n, func(path string, t ir.TypeID) {
			dst := path
			if n == "_" {
				dst = "_"
			}
			switch g.LeafOf(t) {
			case facts.LeafRef:
				out.add("%s, x.R[%d] = x.R[%d], 0", dst, r, r)
				r++
			case facts.LeafTag:
				out.add("%s, x.R[%d] = x.W[%d], 0", dst, r, w)
				r++
				w++
			case facts.LeafWide:
				out.add("%s = num.U128{Lo: x.W[%d], Hi: x.W[%d]}", dst, w, w+1)
				w += 2
			case facts.LeafBool:
				out.add("%s = x.W[%d] != 0", dst, w)
				w++
			case facts.LeafF32:
				out.add("%s = math.Float32frombits(uint32(x.W[%d]))", dst, w)
				w++
			case facts.LeafF64:
				out.add("%s = math.Float64frombits(x.W[%d])", dst, w)
				w++
			default:
				out.add("%s = %s(x.W[%d])", dst, g.goType(t), w)
				w++
			}
		})
	}
	g.maxTransfer = max(g.maxTransfer, w, r)
}

// results reads the results of an instruction out of the transfer area.
func (e *fn) results(out *code, in *ir.Inst) {
	used := false
	var types []ir.TypeID
	for _, r := range in.Results {
		types = append(types, e.v.Values[r].Type)
		used = used || e.plan.Used[r]
	}
	if !used {
		return
	}
	names := make([]string, len(in.Results))
	for i, r := range in.Results {
		switch {
		case !e.plan.Used[r]:
			names[i] = "_"
		case e.name[r] != "":
			names[i] = e.name[r]
		default:
			e.name[r] = e.localName(r)
			names[i] = e.name[r]
			out.add("var %s %s", names[i], e.goType(types[i]))
			e.declared(out, r)
		}
	}
	x := code{raw("x := rt.X(t)")}
	e.fromTransfer(&x, types, func(i int) string { return names[i] })
	*out = append(*out, jen.Block(x...))
	for _, r := range in.Results {
		if e.plan.Used[r] {
			e.root(out, r)
		}
	}
}
