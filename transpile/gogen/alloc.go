package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// largest is the size of object, header included, that the inlined path makes.
const largest = 4096

// alloc emits NEW, NEWHYBRID, ALLOCA and ALLOCAHYBRID (mu-language 8.6).
func (e *fn) alloc(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	d := e.desc(in.Ty)
	r := in.Results[0]
	l := e.lay.Of(in.Ty)
	size := l.Size.Max(layout.Const(8)).AlignUp(layout.Const(8)).Add(layout.Const(8))
	if !e.opt.Sanitize && in.Op == ir.OpNew && size.W8 <= largest && l.Align.W8 <= 8 {
		p := e.scope.local("p")
		out.add("%s := t.Cur", p)
		slow := code{raw("%s = t.NewSlow(types[%d])", p, d)}
		slow = append(slow, jen.If(raw("%s == 0", p)).Block(e.failure(id, in, "OutOfMemory", "the heap is exhausted")...))
		*out = append(*out, jen.If(raw("t.End-%s < %s", p, numExpr(size))).Block(slow...).Else().Block(
			raw("t.Cur = %s + %s", p, numExpr(size)),
			raw("*(*uint64)(unsafe.Pointer(%s)) = rt.FirstTypeID + %d", p, d),
			raw("%s += rt.HeaderSize", p),
		))
		e.setOrDrop(out, r, p)
		e.normal(out, in, next)
		return
	}
	var x string
	switch in.Op {
	case ir.OpNew:
		x = fmt.Sprintf("t.New(types[%d])", d)
	case ir.OpAlloca:
		x = fmt.Sprintf("t.Alloca(types[%d])", d)
	case ir.OpNewHybrid:
		x = fmt.Sprintf("t.NewHybrid(types[%d], %s)", d, e.length(in))
	case ir.OpAllocaHybrid:
		x = fmt.Sprintf("t.AllocaHybrid(types[%d], %s)", d, e.length(in))
	}
	p := e.scope.local("p")
	out.add("%s := %s", p, x)
	*out = append(*out, jen.If(raw("%s == 0", p)).Block(e.failure(id, in, "OutOfMemory", "the heap is exhausted")...))
	if e.opt.Sanitize {
		n := "0"
		if len(in.Args) > 0 {
			n = e.length(in)
		}
		if in.Op == ir.OpAlloca || in.Op == ir.OpAllocaHybrid {
			out.add("rt.SanCell(t, %s, types[%d], %s)", p, d, n)
		} else {
			out.add("rt.SanUnit(%s, types[%d], %s)", p, d, n)
		}
	}
	e.setOrDrop(out, r, p)
	e.normal(out, in, next)
}

// setOrDrop assigns a result that may not be used.
func (e *fn) setOrDrop(out *code, r ir.ValueID, x string) {
	if e.plan.Used[r] {
		e.set(out, r, x)
	}
}

// length is the unsigned length operand of a hybrid allocation.
func (e *fn) length(in *ir.Inst) string {
	x := e.expr(in.Args[0])
	switch n := e.at(in.Ty2).Bits; {
	case n == 1:
		return "rt.B2U(" + x + ")"
	case n > 64:
		return "rt.Length128(" + x + ")"
	}
	return "uint64(" + x + ")"
}
