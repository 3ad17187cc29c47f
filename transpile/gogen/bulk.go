package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// stride is the distance of elements of a type in memory.
func (e *fn) stride(ty ir.TypeID) layout.Num {
	l := e.lay.Of(ty)
	return l.Size.AlignUp(l.Align)
}

// number is the Go expression of an int operand, as an unsigned count.
func (e *fn) number(x ir.ValueID, ty ir.TypeID) string {
	return "uint64(" + unparen(e.unsignedIndex(ty, e.typed(x))) + ")"
}

// memMove emits MEMMOVE.
func (e *fn) memMove(out *code, id ir.InstID, in *ir.Inst) {
	to, from, n := e.pin(out, e.typed(in.Args[0])), e.pin(out, e.typed(in.Args[1])), e.pin(out, e.number(in.Args[2], in.Ty2))
	e.checkElements(out, id, in, to, n)
	e.checkElements(out, id, in, from, n)
	out.add("rt.MemMove(t, %s, %s, %s, %s, %q)", to, from, n, numExpr(e.stride(in.Ty)), e.siteName(id))
}

// memFill emits MEMFILL. What is not zero is stored once, and then repeated.
func (e *fn) memFill(out *code, id ir.InstID, in *ir.Inst) {
	to, n := e.pin(out, e.typed(in.Args[0])), e.pin(out, e.number(in.Args[2], in.Ty2))
	e.checkElements(out, id, in, to, n)
	rest := fmt.Sprintf("(t, %s, %s, %s, %q)", to, n, numExpr(e.stride(in.Ty)), e.siteName(id))
	if c := e.v.Values[e.plan.Alias[in.Args[1]]].Const; c != nil && c.Lo|c.Hi == 0 && (c.Kind == ir.ConstInt || c.Kind == ir.ConstFP || c.Kind == ir.ConstNull) {
		clear := "MemClear"
		if e.Threads {
			clear = "MemClearWords"
		}
		out.add("rt.%s%s", clear, rest)
		return
	}
	*out = append(*out, jen.If(raw("%s != 0", n)).Block(
		raw("%s", e.store(e.p.Types.Strong(in.Ty), place{base: to}, e.expr(in.Args[1]))),
		raw("rt.MemRepeat%s", rest)))
}

// checkElements checks, in checking mode, that the first and the last of n elements are
// where they may be accessed.
func (e *fn) checkElements(out *code, id ir.InstID, in *ir.Inst, at, n string) {
	if !e.opt.Sanitize || in.Has(ir.FlagPtr) {
		return
	}
	check := func(addr string) jen.Code {
		return raw("rt.CheckAccess(t, %s, %s, rt.%s, %q)", addr, numExpr(e.lay.Of(in.Ty).Size), e.accessKind(in.Ty), e.siteName(id))
	}
	*out = append(*out, jen.If(raw("%s != 0", n)).Block(
		check(at), check(fmt.Sprintf("%s+uintptr(%s-1)*%s", at, n, numExpr(e.stride(in.Ty))))))
}

// threadCell emits THREADCELL: the cell itself is what those of threads begin as.
func (e *fn) threadCell(out *code, id ir.InstID, in *ir.Inst) {
	g := e.v.Values[in.Args[0]].Const.Global
	e.runtimeCall(out, in, fmt.Sprintf("rt.ThreadCell(t, types[%d], %s, %s, %q)",
		e.desc(g.Type), e.typed(in.Args[0]), numExpr(e.lay.Of(g.Type).Size), e.siteName(id)))
}
