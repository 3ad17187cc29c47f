package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// The largest sizes, header included, that inlined paths allocate.
const (
	largest     = 4096 // of an object
	largestCell = 128  // of a stack cell, which the path zeroes
)

// allocFuncs are the functions of the context that allocate.
var allocFuncs = map[ir.Op]string{ir.OpNew: "New", ir.OpAlloca: "Alloca", ir.OpNewHybrid: "NewHybrid", ir.OpAllocaHybrid: "AllocaHybrid"}

// alloc emits NEW, NEWHYBRID, ALLOCA and ALLOCAHYBRID.
func (e *fn) alloc(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if at, ok := e.locals[id]; ok {
		e.allocLocal(out, in, at)
		e.normal(out, in, next)
		return
	}
	l := e.Layout.Of(in.Ty)
	size := l.Size.Max(layout.Const(8)).AlignUp(layout.Const(8)).Add(layout.Const(8))
	p := e.resultVar(out, in.Results[0])
	plain := !e.Opt.Sanitize && l.Align.W8 <= 8
	switch {
	case plain && in.Op == ir.OpNew && size.W8 <= largest:
		e.bump(out, id, in, p, size, "Cur", "End", "NewSlow")
	case plain && in.Op == ir.OpAlloca && size.W8 <= largestCell:
		e.bump(out, id, in, p, size, "AP", "AEnd", "Alloca")
	default:
		ty := e.DescRow(repr.Made(in))
		args := []expr{ty}
		if len(in.Args) > 0 {
			args = append(args, e.length(in))
		}
		p.give(out, method(tVar, allocFuncs[in.Op], args...))
		out.If(eq(p.x, zero), e.failure(out, id, in, "OutOfMemory", "the heap is exhausted"), nil)
		if e.Opt.Sanitize {
			e.sanitizeNew(out, in, p.x, ty)
		}
	}
	e.root(out, in.Results[0])
	e.normal(out, in, next)
}

// sanitizeNew notes an allocation for the checks of accesses.
func (e *fn) sanitizeNew(out *code, in *ir.Inst, p, ty expr) {
	n := expr(zero)
	if len(in.Args) > 0 {
		n = e.length(in)
	}
	if in.Op.Is(ir.OnStack) {
		out.Do(rt("SanCell", tVar, p, ty, n))
	} else {
		out.Do(rt("SanUnit", p, ty, n))
	}
}

// bump emits the path of an allocation that moves a pointer of the context up, as far as an
// end, and stores the header. A stack cell is zeroed; memory for objects is zero already.
func (e *fn) bump(out *code, id ir.InstID, in *ir.Inst, p *resultVar, size layout.Num, cur, end, slow string) {
	p.give(out, word(tVar, cur))
	failed := out.Sub()
	failed.Set(p.x, method(tVar, slow, e.DescRow(repr.Made(in))))
	failed.If(eq(p.x, zero), e.failure(out, id, in, "OutOfMemory", "the heap is exhausted"), nil)
	fast := out.Sub()
	fast.Set(word(tVar, cur), add(p.x, sizeExpr(size)))
	fast.Set(deref(gotree.Uint64, pointerTo(p.x)), e.DescNo(repr.Made(in)))
	fast.Set(p.x, add(p.x, qual("rt", "HeaderSize")))
	if in.Op == ir.OpAlloca {
		words := gotree.ArrayOf(sub(bin(gotree.Div, sizeExpr(size), lit(8)), lit(1)), gotree.Uint64)
		fast.Set(deref(words, pointerTo(p.x)), composite(words))
	}
	out.If(bin(gotree.Less, sub(word(tVar, end), p.x), sizeExpr(size)), failed, fast)
}

// A resultVar is the variable of a result that several statements assign.
type resultVar struct {
	x    expr
	name string
	t    goT // nil if the variable is declared already
}

// resultVar is the variable of a result, or a temporary if the result is not used.
func (e *fn) resultVar(out *code, r ir.ValueID) *resultVar {
	if !e.plan.Used[r] {
		p := e.scope.Local("p")
		return &resultVar{x: &gotree.Ident{Name: p, K: gotree.Int}, name: p, t: gotree.Uintptr}
	}
	v := &resultVar{}
	if e.name[r] == "" {
		e.name[r] = e.localName(r)
		v.t = e.GoType(e.v.Values[r].Type)
	}
	v.name, v.x = e.name[r], e.variable(r)
	return v
}

// give gives the variable its first value.
func (v *resultVar) give(out *code, x expr) {
	if v.t == nil {
		out.Set(v.x, x)
		return
	}
	out.Define(v.name, v.t, x)
}

// findLocals places objects that need not be on the heap in the frame, after its roots. No
// collection happens while they are there, see passes.local; so frames that others inspect,
// loops with safepoint polls and functions without a frame cannot have such objects.
func (e *fn) findLocals() {
	if e.Opt.Sanitize || e.Introspect || e.Threads || !e.framed {
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
	l := e.Layout.Of(in.Ty).Size
	return int(max(l.W4, l.W8)+7) / 8
}

// allocLocal makes a zeroed object in the frame. It has no header: only the
// collector would read it.
func (e *fn) allocLocal(out *code, in *ir.Inst, at int) {
	for i := range e.localWords(in) {
		out.Set(frameWord(gotree.Uint64, lit(at+8*i)), zero)
	}
	e.setOrDrop(out, in.Results[0], func() expr { return add(fpVar, lit(at)) })
}

// setOrDrop assigns a result that may not be used.
func (e *fn) setOrDrop(out *code, r ir.ValueID, x func() expr) {
	if e.plan.Used[r] {
		e.set(out, r, x())
	}
}

// length is the unsigned length operand of a hybrid allocation.
func (e *fn) length(in *ir.Inst) expr {
	x := e.expr(in.Args[0])
	switch n := e.At(in.Ty2).Bits; {
	case n == 1:
		return rt("B2U", x)
	case n > 64:
		return rt("Length128", x)
	}
	return conv(gotree.Uint64, x)
}
