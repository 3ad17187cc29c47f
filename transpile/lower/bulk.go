package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// stride is the distance of elements of a type in memory.
func (e *fn) stride(ty ir.TypeID) layout.Num {
	l := e.Layout.Of(ty)
	return l.Size.AlignUp(l.Align)
}

// elements is a variable with an int operand as an unsigned count.
func (e *fn) elements(out *code, x ir.ValueID, ty ir.TypeID) expr {
	return e.pinAs(out, gotree.Uint64, conv(gotree.Uint64, e.unsignedIndex(ty, e.typed(x))))
}

// memMove emits MEMMOVE.
func (e *fn) memMove(out *code, id ir.InstID, in *ir.Inst) {
	to, from, n := e.pin(out, e.typed(in.Args[0])), e.pin(out, e.typed(in.Args[1])), e.elements(out, in.Args[2], in.Ty2)
	e.checkElements(out, id, in, to, n)
	e.checkElements(out, id, in, from, n)
	move := out.Sub()
	move.Do(rt("MemMove", tVar, to, from, n, sizeExpr(e.stride(in.Ty)), str(e.v.SiteName(id))))
	if e.stride(in.Ty) == layout.Const(1) && in.Has(ir.FlagPtr) && e.v.Values[in.Args[2]].Const == nil {
		// The size is only known at run time, and is mostly that of a scalar.
		for _, size := range [...]struct {
			bytes int
			ty    goT
		}{{4, gotree.Uint32}, {8, gotree.Uint64}} {
			at := func(addr expr) expr { return deref(size.ty, pointerTo(addr)) }
			scalar, other := out.Sub(), out.Sub()
			scalar.Set(at(to), at(from))
			other.If(bin(gotree.AndAnd, eq(n, lit(size.bytes)), qual("rt", "Unaligned")), scalar, move)
			move = other
		}
	}
	out.Add(move.List...)
}

// memFill emits MEMFILL. What is not zero is stored once, and then repeated.
func (e *fn) memFill(out *code, id ir.InstID, in *ir.Inst) {
	to, n := e.pin(out, e.typed(in.Args[0])), e.elements(out, in.Args[2], in.Ty2)
	e.checkElements(out, id, in, to, n)
	args := []expr{tVar, to, n, sizeExpr(e.stride(in.Ty)), str(e.v.SiteName(id))}
	if c := e.v.Values[e.plan.Alias[in.Args[1]]].Const; c != nil && c.Lo|c.Hi == 0 && (c.Kind == ir.ConstInt || c.Kind == ir.ConstFP || c.Kind == ir.ConstNull) {
		clear := "MemClear"
		if e.Threads {
			clear = "MemClearWords"
		}
		out.Do(rt(clear, args...))
		return
	}
	some := out.Sub()
	e.Store(some, e.IR.Types.Strong(in.Ty), repr.Place{Base: to}, e.expr(in.Args[1]))
	some.Do(rt("MemRepeat", args...))
	out.If(ne(n, zero), some, nil)
}

// checkElements checks, in checking mode, that the first and the last of n elements are
// where they may be accessed.
func (e *fn) checkElements(out *code, id ir.InstID, in *ir.Inst, at, n expr) {
	if !e.Opt.Sanitize || in.Has(ir.FlagPtr) {
		return
	}
	some := out.Sub()
	e.checkAccess(some, id, in, at)
	e.checkAccess(some, id, in, add(at, bin(gotree.Mul, conv(gotree.Uintptr, sub(n, lit(1))), sizeExpr(e.stride(in.Ty)))))
	out.If(ne(n, zero), some, nil)
}

// checkAccess checks one element.
func (e *fn) checkAccess(out *code, id ir.InstID, in *ir.Inst, at expr) {
	out.Do(rt("CheckAccess", tVar, at, sizeExpr(e.Layout.Of(in.Ty).Size), qual("rt", e.accessKind(in)), str(e.v.SiteName(id))))
}

// threadCell emits THREADCELL: the cell itself has the initial content of each thread's cell.
func (e *fn) threadCell(out *code, id ir.InstID, in *ir.Inst) {
	g := e.v.Values[in.Args[0]].Const.Global
	e.runtimeCall(out, in, rtInt("ThreadCell", tVar, e.TypeRow(g.Type), e.typed(in.Args[0]), sizeExpr(e.Layout.Of(g.Type).Size), str(e.v.SiteName(id))))
}

// nextFinal emits NEXTFINAL.
func (e *fn) nextFinal(out *code, in *ir.Inst) {
	object := in.Results[0]
	out.SetAll([]expr{e.receiver(out, object), e.receiver(out, in.Results[1])}, []expr{rt("NextFinal", tVar)})
	e.root(out, object)
}
