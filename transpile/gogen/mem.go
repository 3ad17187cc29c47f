package gogen

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// access is the memory of a Go type at a place.
func access(t goT, p place) expr { return deref(t, p.pointer()) }

// load is the expression that reads a value of a type.
func (g *gen) load(ty ir.TypeID, p place) expr {
	n := g.at(ty)
	switch n.Kind {
	case ir.KInt:
		switch {
		case n.Bits == 1:
			return odd(access(gotree.Uint8, p))
		case n.Bits > 64:
			return masked128(rt("LoadU128", p.address()), n.Bits)
		default:
			return masked(access(gotree.Unsigned(container(n.Bits)), p), n.Bits)
		}
	case ir.KStruct, ir.KArray, ir.KVector:
		return call(name("ld_"+g.memFunc(ty)), p.address())
	}
	return access(g.goType(ty), p)
}

// store writes a value of a type.
func (g *gen) store(out *code, ty ir.TypeID, p place, val expr) {
	n := g.at(ty)
	switch n.Kind {
	case ir.KInt:
		switch {
		case n.Bits == 1:
			out.Set(access(gotree.Uint8, p), conv(gotree.Uint8, rt("B2U", val)))
			return
		case n.Bits > 64:
			out.Do(rt("StoreU128", p.address(), val))
			return
		}
	case ir.KStruct, ir.KArray, ir.KVector:
		out.Do(call(name("st_"+g.memFunc(ty)), p.address(), val))
		return
	}
	out.Set(access(g.goType(ty), p), val)
}

// memFunc names the load and store functions of an aggregate.
func (g *gen) memFunc(ty ir.TypeID) string {
	if !g.memFuncs[ty] {
		g.memFuncs[ty] = true
		g.memIDs = append(g.memIDs, ty)
		n := g.at(ty)
		if n.Kind == ir.KStruct {
			for _, f := range n.Fields {
				g.touchMem(f)
			}
		} else {
			g.touchMem(n.Elem)
		}
	}
	return fmt.Sprint(ty)
}

func (g *gen) touchMem(ty ir.TypeID) {
	switch g.kind(ty) {
	case ir.KStruct, ir.KArray, ir.KVector:
		g.memFunc(ty)
	}
}

// memFuncCode emits the load and store functions of one aggregate.
func (g *gen) memFuncCode(ty ir.TypeID) []gotree.Decl {
	n := g.at(ty)
	l := g.lay.Of(ty)
	t := g.goType(ty)
	var ld, st code
	v := name("v")
	if n.Kind == ir.KStruct {
		for i, f := range n.Fields {
			at := place{base: name("p"), off: l.Offsets[i]}
			x := dot(v, fieldName(i))
			ld.Set(x, g.load(f, at))
			g.store(&st, f, at, x)
		}
	} else {
		at := place{base: name("p"), ix: bin(gotree.Mul, conv(gotree.Uintptr, name("i")), sizeExpr(l.Stride))}
		x := &gotree.Index{X: v, I: name("i")}
		var get, put code
		get.Set(x, g.load(n.Elem, at))
		g.store(&put, n.Elem, at, x)
		ld.Range("i", v, &get)
		st.Range("i", v, &put)
	}
	ld.Return()
	p := gotree.Param{Name: "p", T: gotree.Uintptr}
	val := gotree.Param{Name: "v", T: t}
	return []gotree.Decl{
		&gotree.Func{Name: fmt.Sprintf("ld_%d", ty), Sig: &gotree.Sig{Params: []gotree.Param{p}, Results: []gotree.Param{val}}, Body: &ld},
		&gotree.Func{Name: fmt.Sprintf("st_%d", ty), Sig: &gotree.Sig{Params: []gotree.Param{p, val}}, Body: &st},
	}
}

// nullCheck branches to the exceptional destination when the address is NULL.
func (e *fn) nullCheck(out *code, in *ir.Inst, addr expr) {
	if !in.Has(ir.FlagExc) {
		return
	}
	exc := out.Sub()
	e.exceptional(exc, in.Block, &in.Dests[1], nil)
	out.If(bin(gotree.Less, addr, qual("rt", "NullZone")), exc, nil)
}

// memOp emits LOAD, STORE, CMPXCHG, ATOMICRMW and FENCE.
func (e *fn) memOp(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if in.Op == ir.OpFence {
		if in.Ord == ir.SeqCst {
			out.Do(atomic("Fence"))
		} else {
			out.Do(atomic("FenceAcqRel"))
		}
		return
	}
	p := e.where(in.Args[0])
	if in.Has(ir.FlagExc) {
		p = place{base: e.pin(out, p.address())} // it is read several times
		e.nullCheck(out, in, p.base)
	}
	if e.opt.Sanitize && !in.Has(ir.FlagPtr) {
		p = place{base: e.pin(out, p.address())}
		e.checkAccess(out, id, in, p.base)
	}
	ty := e.p.Types.Strong(in.Ty)
	switch in.Op {
	case ir.OpLoad:
		r := in.Results[0]
		switch {
		case in.Ord != ir.NotAtomic:
			e.set(out, r, e.atomicLoad(ty, p.address(), in.Ord))
		case !e.plan.Used[r]:
			out.Do(rt("Touch", p.address())) // an access all the same
		default:
			if e.plan.Demanded()[r] == 0 {
				out.Do(rt("Touch", p.address())) // Go's compiler may leave the load out
			}
			e.set(out, r, e.load(ty, p))
		}
	case ir.OpStore:
		if in.Ord == ir.NotAtomic {
			e.store(out, ty, p, e.expr(in.Args[1]))
		} else {
			e.atomicStore(out, ty, p.address(), e.expr(in.Args[1]), in.Ord)
		}
	case ir.OpCmpXchg:
		e.cmpXchg(out, in, ty, p.address())
	case ir.OpAtomicRMW:
		e.atomicRMW(out, in, ty, p.address())
	}
	e.normal(out, in, next)
}

// normal goes on after an instruction with an exception clause.
func (e *fn) normal(out *code, in *ir.Inst, next ir.BlockID) {
	if in.Has(ir.FlagExc) {
		e.jump(out, in.Block, &in.Dests[0], next)
	}
}

// atomic is a call of the atomics of the runtime.
func atomic(name string, args ...expr) expr { return call(qual("atomics", name), args...) }

// atomicWidth is the suffix of the atomics function for a type, and how to
// convert between its word and the value.
func (e *fn) atomicWidth(ty ir.TypeID) (w string, toWord, fromWord func(expr) expr) {
	same := func(x expr) expr { return x }
	n := e.at(ty)
	switch n.Kind {
	case ir.KInt:
		if n.Bits == 1 {
			return "8", func(x expr) expr { return conv(gotree.Uint8, rt("B2U", x)) }, odd
		}
		return fmt.Sprint(container(n.Bits)), same, same
	case ir.KFloat:
		return "32", bits32, fromBits32
	case ir.KDouble:
		return "64", bits64, fromBits64
	case ir.KTagRef64:
		return "64", same, same
	}
	return "Word", same, same
}

func (e *fn) atomicLoad(ty ir.TypeID, addr expr, ord ir.Order) expr {
	w, _, from := e.atomicWidth(ty)
	return from(atomic("Load"+orderName(ord)+w, addr))
}

func (e *fn) atomicStore(out *code, ty ir.TypeID, addr, val expr, ord ir.Order) {
	w, to, _ := e.atomicWidth(ty)
	out.Do(atomic("Store"+orderName(ord)+w, addr, to(val)))
}

// orderName is the part of an atomics function's name that tells a load's or
// store's order.
func orderName(o ir.Order) string {
	switch o {
	case ir.Relaxed:
		return "Relaxed"
	case ir.Consume, ir.Acquire:
		return "Acquire"
	case ir.Release:
		return "Release"
	}
	return ""
}

func (e *fn) cmpXchg(out *code, in *ir.Inst, ty ir.TypeID, addr expr) {
	w, to, from := e.atomicWidth(ty)
	swap := atomic("CompareAndSwap"+w, addr, to(e.expr(in.Args[1])), to(e.expr(in.Args[2])))
	names := [2]string{"_", "_"}
	used := false
	for i, want := range []string{"old", "ok"} {
		if e.plan.Used[in.Results[i]] {
			names[i], used = e.scope.local(want), true
		}
	}
	if !used {
		out.SetAll(namesOf(names[:]...), []expr{swap})
		return
	}
	out.DefineAll(namesOf(names[:]...), []goT{e.wordType(ty), gotree.BoolType}, []expr{swap})
	if names[0] != "_" {
		e.set(out, in.Results[0], from(name(names[0])))
	}
	if names[1] != "_" {
		e.set(out, in.Results[1], name(names[1]))
	}
}

// wordType is the type of the words that the atomics function for a type takes.
func (e *fn) wordType(ty ir.TypeID) goT {
	switch n := e.at(ty); n.Kind {
	case ir.KInt:
		return gotree.Unsigned(container(n.Bits))
	case ir.KFloat:
		return gotree.Uint32
	case ir.KDouble, ir.KTagRef64:
		return gotree.Uint64
	}
	return gotree.Uintptr
}

var rmwFuncs = map[ir.RMWOp]string{
	ir.RMWXchg: "Swap", ir.RMWAdd: "Add", ir.RMWSub: "Sub", ir.RMWAnd: "And", ir.RMWNand: "Nand",
	ir.RMWOr: "Or", ir.RMWXor: "Xor", ir.RMWMax: "Max", ir.RMWMin: "Min", ir.RMWUMax: "UMax", ir.RMWUMin: "UMin",
}

func (e *fn) atomicRMW(out *code, in *ir.Inst, ty ir.TypeID, addr expr) {
	w, to, from := e.atomicWidth(ty)
	e.set(out, in.Results[0], from(atomic(rmwFuncs[in.RMW]+w, addr, to(e.expr(in.Args[1])))))
}

// pin is a Go variable with the address that an expression gives.
func (e *fn) pin(out *code, x expr) expr { return e.pinAs(out, gotree.Uintptr, x) }

// pinAs is pin for other integers.
func (e *fn) pinAs(out *code, t goT, x expr) expr {
	v := e.scope.local("p")
	out.Define(v, t, x)
	return &gotree.Ident{Name: v, K: gotree.Int}
}

// accessKind is what a checked access of a type wants of memory.
func (e *fn) accessKind(ty ir.TypeID) string {
	switch e.kind(ty) {
	case ir.KRef, ir.KStackRef, ir.KThreadRef, ir.KFrameCursorRef, ir.KIRNodeRef:
		return "AccessRef"
	case ir.KIRef:
		return "AccessIRef"
	case ir.KWeakRef:
		return "AccessWeak"
	case ir.KTagRef64:
		return "AccessTag"
	case ir.KStruct, ir.KArray, ir.KVector:
		return "AccessValue"
	}
	return "AccessData"
}

// addressInst emits an addressing instruction that is not written where it is
// used. A sum with an index goes by way of a pointer: Go's compiler would make it
// part of each access otherwise, which costs more than the register that it saves.
func (e *fn) addressInst(out *code, id ir.InstID, in *ir.Inst) {
	if e.opt.Sanitize && !in.Has(ir.FlagPtr) {
		out.Do(rt("CheckAddress", tVar, e.expr(in.Args[0]), str(e.siteName(id))))
	}
	e.setOrDrop(out, in.Results[0], func() expr {
		p := e.placeOf(in)
		if p.ix != nil {
			return conv(gotree.Uintptr, p.pointer())
		}
		return p.address()
	})
}
