package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// The largest sizes, header included, that inlined paths make.
const (
	largest     = 4096 // of an object
	largestCell = 128  // of a stack cell, which the path zeroes
)

// alloc emits NEW, NEWHYBRID, ALLOCA and ALLOCAHYBRID (mu-language 8.6).
func (e *fn) alloc(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if at, ok := e.locals[id]; ok {
		e.allocLocal(out, in, at)
		e.normal(out, in, next)
		return
	}
	d := e.desc(in.Ty)
	r := in.Results[0]
	l := e.lay.Of(in.Ty)
	size := l.Size.Max(layout.Const(8)).AlignUp(layout.Const(8)).Add(layout.Const(8))
	if !e.opt.Sanitize && l.Align.W8 <= 8 {
		switch {
		case in.Op == ir.OpNew && size.W8 <= largest:
			e.bump(out, id, in, size, d, "Cur", "End", "NewSlow")
			e.normal(out, in, next)
			return
		case in.Op == ir.OpAlloca && size.W8 <= largestCell:
			e.bump(out, id, in, size, d, "AP", "AEnd", "Alloca")
			e.normal(out, in, next)
			return
		}
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

// bump emits the path of an allocation that moves a pointer of the context up to an
// end and stores the header; a stack cell is zeroed, memory for objects is zero.
func (e *fn) bump(out *code, id ir.InstID, in *ir.Inst, size layout.Num, d int, cur, end, slow string) {
	p := e.scope.local("p")
	out.add("%s := t.%s", p, cur)
	call := code{raw("%s = t.%s(types[%d])", p, slow, d)}
	call = append(call, jen.If(raw("%s == 0", p)).Block(e.failure(id, in, "OutOfMemory", "the heap is exhausted")...))
	fast := code{
		raw("t.%s = %s + %s", cur, p, numExpr(size)),
		raw("*(*uint64)(unsafe.Pointer(%s)) = %s", p, e.typeNo(d)),
		raw("%s += rt.HeaderSize", p),
	}
	if in.Op == ir.OpAlloca {
		words := fmt.Sprintf("[%s/8 - 1]uint64", numExpr(size))
		fast.add("*(*%s)(unsafe.Pointer(%s)) = %s{}", words, p, words)
	}
	*out = append(*out, jen.If(raw("t.%s-%s < %s", end, p, numExpr(size))).Block(call...).Else().Block(fast...))
	e.setOrDrop(out, in.Results[0], p)
}

// findLocals gives objects that need no place in the heap one in the frame,
// behind its roots. While they are there no collection happens, see
// passes.local; a frame that holds what others look at, or loops that let the
// collector in, are not for them. Nor is a function without a frame.
func (e *fn) findLocals() {
	if e.opt.Sanitize || e.Introspect || e.Threads || !e.framed {
		return
	}
	at := 8 + 8*e.plan.NumSlots
	for _, b := range e.plan.CFG.Order {
		e.plan.EachInst(b, func(id ir.InstID, in *ir.Inst) {
			if in.Op == ir.OpNew && in.Has(ir.FlagLocal) {
				if e.locals == nil {
					e.locals = map[ir.InstID]int{}
				}
				e.locals[id] = at
				at += e.localWords(in) * 8
			}
		})
	}
	if e.locals != nil {
		e.frameSize = max(e.frameSize, at)
	}
}

// localWords is the size in words of 8 bytes, the same for all machines.
func (e *fn) localWords(in *ir.Inst) int {
	l := e.lay.Of(in.Ty).Size
	return int(max(l.W4, l.W8)+7) / 8
}

// allocLocal makes an object in the frame, of zeros. There is no header: only
// the collector reads it.
func (e *fn) allocLocal(out *code, in *ir.Inst, at int) {
	for i := range e.localWords(in) {
		out.add("*(*uint64)(unsafe.Add(fp, %d)) = 0", at+8*i)
	}
	e.setOrDrop(out, in.Results[0], fmt.Sprintf("uintptr(fp) + %d", at))
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
