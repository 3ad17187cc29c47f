package lower

import (
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// nullCheck branches to the exceptional destination when the address is NULL.
func (e *fn) nullCheck(out *code, in *ir.Inst, addr expr) {
	if !in.Has(ir.FlagExc) {
		return
	}
	exc := out.Sub()
	e.exceptional(exc, in.Block, &in.Dests[1], nil)
	out.If(bin(gotree.Less, addr, qual("rt", "NullZone")), exc, nil)
}

// notNull reports whether a location is in a global cell, or in an object or stack cell that this
// body allocates.
func (e *fn) notNull(x ir.ValueID) bool {
	for {
		v := &e.v.Values[e.plan.Alias[x]]
		if v.Kind == ir.ValueConst {
			return v.Const.Kind == ir.ConstGlobal
		}
		if v.Kind != ir.ValueResult {
			return false
		}
		switch in := &e.v.Insts[v.Def]; {
		case in.Op.Is(ir.Allocates):
			return true
		case in.Op.Is(ir.Derives) && !in.Has(ir.FlagPtr):
			x = in.Args[0]
		default:
			return false
		}
	}
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
		p = repr.Place{Base: e.pin(out, p.Address())} // it is read several times
		e.nullCheck(out, in, p.Base)
	}
	if e.Opt.NullTests && !in.Has(ir.FlagExc) && !e.notNull(in.Args[0]) {
		p = repr.Place{Base: e.pin(out, p.Address())}
		out.Do(rt("TestNull", p.Base))
	}
	if e.Opt.Sanitize && !in.Has(ir.FlagPtr) {
		p = repr.Place{Base: e.pin(out, p.Address())}
		e.checkAccess(out, id, in, p.Base)
	}
	ty := e.IR.Types.Strong(in.Ty)
	switch in.Op {
	case ir.OpLoad:
		r := in.Results[0]
		switch {
		case in.Ord != ir.NotAtomic:
			e.set(out, r, e.atomicLoad(ty, p.Address(), in.Ord))
		case !e.plan.Used[r]:
			out.Do(rt("Touch", p.Address())) // it still counts as an access
		default:
			if e.plan.Demanded()[r] == 0 {
				out.Do(rt("Touch", p.Address())) // Go's compiler may leave the load out
			}
			e.set(out, r, e.Load(ty, p))
		}
	case ir.OpStore:
		if in.Ord == ir.NotAtomic {
			e.Store(out, ty, p, e.expr(in.Args[1]))
		} else {
			e.atomicStore(out, ty, p.Address(), e.expr(in.Args[1]), in.Ord)
		}
	case ir.OpCmpXchg:
		e.cmpXchg(out, in, ty, p.Address())
	case ir.OpAtomicRMW:
		e.atomicRMW(out, in, ty, p.Address())
	}
	e.normal(out, in, next)
}

// normal continues after an instruction with an exception clause.
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
	n := e.At(ty)
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
	results := []expr{gotree.Blank, gotree.Blank}
	used := [2]bool{e.plan.Used[in.Results[0]], e.plan.Used[in.Results[1]]}
	for i, want := range []string{"old", "ok"} {
		if used[i] {
			results[i] = name(e.scope.Local(want))
		}
	}
	if used == [2]bool{} {
		out.SetAll(results, []expr{swap})
		return
	}
	out.DefineAll(results, []goT{e.wordType(ty), gotree.BoolType}, []expr{swap})
	if used[0] {
		e.set(out, in.Results[0], from(results[0]))
	}
	if used[1] {
		e.set(out, in.Results[1], results[1])
	}
}

// wordType is the type of the words that the atomics function for a type takes.
func (e *fn) wordType(ty ir.TypeID) goT {
	switch n := e.At(ty); n.Kind {
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
	v := e.scope.Local("p")
	out.Define(v, t, x)
	return &gotree.Ident{Name: v, K: gotree.Int}
}

// accessKind is what a checked access requires of memory.
func (e *fn) accessKind(in *ir.Inst) string {
	if in.Has(ir.FlagPointer) {
		return "AccessAny"
	}
	k := e.Kind(in.Ty)
	if t, ok := repr.Traces[k]; ok {
		return t.Access
	}
	switch k {
	case ir.KStruct, ir.KArray, ir.KVector:
		return "AccessValue"
	}
	return "AccessData"
}

// addressInst emits an addressing instruction that is not written where it is
// used. A sum with an index is computed as a pointer: otherwise Go's compiler would make
// it part of each access, which costs more than the register that it saves.
func (e *fn) addressInst(out *code, id ir.InstID, in *ir.Inst) {
	if e.Opt.Sanitize && in.Flags&(ir.FlagPtr|ir.FlagPointer) == 0 {
		out.Do(rt("CheckAddress", tVar, e.expr(in.Args[0]), str(e.v.SiteName(id))))
	}
	e.setOrDrop(out, in.Results[0], func() expr {
		p := e.placeOf(in)
		at := p.Address()
		if p.Ix != nil {
			at = conv(gotree.Uintptr, p.Pointer())
		}
		if e.Opt.Sandbox && in.Flags&(ir.FlagPtr|ir.FlagPointer) == 0 {
			return rtInt("CheckDerived", tVar, e.expr(in.Args[0]), at, str(e.v.SiteName(id)))
		}
		return at
	})
}
