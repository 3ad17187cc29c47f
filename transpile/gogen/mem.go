package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// place is an address: an expression, scaled indices and a constant distance
// from it.
type place struct {
	base string // a uintptr
	ptr  string // the base as an unsafe.Pointer, "" if there is no such variable
	ix   string // what is added to the base, "" for nothing
	off  layout.Num
	neg  uint64 // what is subtracted from it; off is 0 then
}

// String is the address as a uintptr.
func (p place) String() string {
	if p.ix == "" && p.neg > 0 {
		return fmt.Sprintf("(%s - %d)", p.base, p.neg)
	}
	if d := p.distance(); d != "" {
		return fmt.Sprintf("(%s + %s)", p.base, d)
	}
	return p.base
}

// distance is what is added to the base, "" for nothing.
func (p place) distance() string {
	switch {
	case p.neg > 0 && p.ix == "":
		return fmt.Sprintf("-%d", p.neg)
	case p.neg > 0:
		return fmt.Sprintf("%s - %d", p.ix, p.neg)
	case p.off == layout.Num{}:
		return p.ix
	case p.ix == "":
		return numExpr(p.off)
	}
	return p.ix + " + " + numExpr(p.off)
}

// pointer is the address as an unsafe.Pointer. The sum is written as one of a
// pointer, because then Go's compiler leaves it to the addressing modes of the
// machine; the sum of numbers it computes first. An access of such a sum that
// nothing needs may go, which for the others is a test for address 0.
func (p place) pointer() string {
	base := p.ptr
	if base == "" {
		base = "unsafe.Pointer(" + unparen(p.base) + ")"
	}
	if d := p.distance(); d != "" {
		return fmt.Sprintf("unsafe.Add(%s, %s)", base, unparen(d))
	}
	return base
}

// at is the place at a further distance.
func (p place) at(n layout.Num) place {
	if p.neg == 0 {
		p.off = p.off.Add(n)
		return p
	}
	d := p.neg
	p.off, p.neg = n, 0
	return p.back(layout.Const(d))
}

// back is the place a distance before.
func (p place) back(d layout.Num) place {
	switch {
	case p.off.W4 >= d.W4 && p.off.W8 >= d.W8:
		p.off = layout.Num{W4: p.off.W4 - d.W4, W8: p.off.W8 - d.W8}
	case p.off.Fixed() && d.Fixed() && p.neg+d.W8 < 1<<31:
		p.off, p.neg = layout.Num{}, p.neg+d.W8-p.off.W8
	default:
		return place{base: fmt.Sprintf("(%s - %s)", p, numExpr(d))}
	}
	return p
}

// where is the place that a reference or pointer operand denotes.
func (e *fn) where(x ir.ValueID) place {
	x = e.plan.Alias[x]
	v := &e.v.Values[x]
	if v.Kind == ir.ValueResult && e.plan.Inline[x] {
		in := &e.v.Insts[v.Def]
		if in.Op.Info().Class == ir.ClassAddr {
			return e.placeOf(in)
		}
	}
	if v.Kind == ir.ValueConst && (v.Const.Kind == ir.ConstInt || v.Const.Kind == ir.ConstNull) {
		return place{base: "rt.Var(uintptr(" + e.expr(x) + "))"}
	}
	return place{base: e.expr(x), ptr: e.ptr(x)}
}

// placeOf is the result of an addressing instruction (mu-language 8.7).
func (e *fn) placeOf(in *ir.Inst) place {
	p := e.where(in.Args[0])
	l := e.lay.Of(in.Ty)
	switch in.Op {
	case ir.OpGetFieldIRef:
		return p.at(l.Offsets[in.Imm])
	case ir.OpGetVarPartIRef:
		return p.at(l.Size)
	case ir.OpGetElemIRef:
		return e.indexed(p, l.Stride, in)
	case ir.OpShiftIRef:
		return e.indexed(p, l.Size.AlignUp(l.Align), in)
	}
	return p
}

// indexed is p moved by the signed index operand of in times stride.
func (e *fn) indexed(p place, stride layout.Num, in *ir.Inst) place {
	k := in.Args[1]
	n := e.at(in.Ty2).Bits
	if e.isConst(k) && n <= 64 {
		lo := e.v.Values[e.plan.Alias[k]].Const.Lo
		i := int64(lo<<(64-n)) >> (64 - n)
		if i >= 0 {
			return p.at(stride.Mul(uint64(i)))
		}
		return p.back(stride.Mul(uint64(-i)))
	}
	var ix string
	switch {
	case n > 64:
		ix = fmt.Sprintf("uintptr(%s.Lo)", e.expr(k))
	case n == 64:
		ix = fmt.Sprintf("uintptr(%s)", e.expr(k))
	case n == 1:
		ix = fmt.Sprintf("uintptr(-rt.B2U(%s))", e.expr(k))
	default:
		ix = fmt.Sprintf("uintptr(%s)", e.signed(k, n))
	}
	if stride != layout.Const(1) {
		ix += "*" + numExpr(stride)
	}
	if p.ix != "" {
		ix = p.ix + " + " + ix
	}
	p.ix = ix
	return p
}

func (e *fn) address(in *ir.Inst) string { return e.placeOf(in).String() }

// access is the memory of Go type ty at an address.
func access(ty string, p place) string {
	return fmt.Sprintf("*(*%s)(%s)", ty, p.pointer())
}

// load is the expression that reads a value of a type.
func (g *gen) load(id ir.TypeID, p place) string {
	n := g.at(id)
	switch n.Kind {
	case ir.KInt:
		c := container(n.Bits)
		switch {
		case n.Bits == 1:
			return fmt.Sprintf("(%s&1 != 0)", access("uint8", p))
		case n.Bits > 64:
			return masked128("rt.LoadU128("+unparen(p.String())+")", n.Bits)
		case n.Bits != c:
			return masked(access(fmt.Sprintf("uint%d", c), p), n.Bits)
		}
	case ir.KStruct, ir.KArray, ir.KVector:
		return fmt.Sprintf("ld_%s(%s)", g.memFunc(id), unparen(p.String()))
	}
	return access(g.goType(id), p)
}

// store is the statement that writes a value of a type.
func (g *gen) store(id ir.TypeID, p place, val string) string {
	n := g.at(id)
	switch n.Kind {
	case ir.KInt:
		switch {
		case n.Bits == 1:
			return fmt.Sprintf("%s = uint8(rt.B2U(%s))", access("uint8", p), val)
		case n.Bits > 64:
			return fmt.Sprintf("rt.StoreU128(%s, %s)", unparen(p.String()), val)
		}
	case ir.KStruct, ir.KArray, ir.KVector:
		return fmt.Sprintf("st_%s(%s, %s)", g.memFunc(id), unparen(p.String()), val)
	}
	return fmt.Sprintf("%s = %s", access(g.goType(id), p), val)
}

// memFunc names the load and store functions of an aggregate.
func (g *gen) memFunc(id ir.TypeID) string {
	if !g.memFuncs[id] {
		g.memFuncs[id] = true
		g.memIDs = append(g.memIDs, id)
		n := g.at(id)
		if n.Kind == ir.KStruct {
			for _, f := range n.Fields {
				g.touchMem(f)
			}
		} else {
			g.touchMem(n.Elem)
		}
	}
	return fmt.Sprintf("%d", id)
}

func (g *gen) touchMem(id ir.TypeID) {
	switch g.kind(id) {
	case ir.KStruct, ir.KArray, ir.KVector:
		g.memFunc(id)
	}
}

// memFuncCode emits the load and store functions of one aggregate.
func (g *gen) memFuncCode(id ir.TypeID) []jen.Code {
	n := g.at(id)
	l := g.lay.Of(id)
	ty := g.goType(id)
	var ld, st code
	if n.Kind == ir.KStruct {
		for i, f := range n.Fields {
			addr := place{base: "p", off: l.Offsets[i]}
			ld.add("v.F%d = %s", i, g.load(f, addr))
			st.add("%s", g.store(f, addr, fmt.Sprintf("v.F%d", i)))
		}
	} else {
		addr := place{base: "p", ix: "uintptr(i)*" + numExpr(l.Stride)}
		ld = append(ld, raw("for i := range v").Block(raw("v[i] = %s", g.load(n.Elem, addr))))
		st = append(st, raw("for i := range v").Block(raw("%s", g.store(n.Elem, addr, "v[i]"))))
	}
	ld.add("return")
	return []jen.Code{
		jen.Line(),
		raw("func ld_%d(p uintptr) (v %s)", id, ty).Block(ld...),
		jen.Line(),
		raw("func st_%d(p uintptr, v %s)", id, ty).Block(st...),
	}
}

// nullCheck branches to the exceptional destination when the address is NULL.
func (e *fn) nullCheck(out *code, in *ir.Inst, addr string) {
	if !in.Has(ir.FlagExc) {
		return
	}
	var exc code
	e.exceptional(&exc, in.Block, &in.Dests[1], "")
	*out = append(*out, jen.If(raw("%s < rt.NullZone", addr)).Block(exc...))
}

// memOp emits LOAD, STORE, CMPXCHG, ATOMICRMW and FENCE (mu-language 8.8).
func (e *fn) memOp(out *code, id ir.InstID, in *ir.Inst, next ir.BlockID) {
	if in.Op == ir.OpFence {
		if in.Ord == ir.SeqCst {
			out.add("atomics.Fence()")
		} else {
			out.add("atomics.FenceAcqRel()")
		}
		return
	}
	p := e.where(in.Args[0])
	if in.Has(ir.FlagExc) {
		// The address is read several times.
		name := e.scope.local("p")
		out.add("%s := %s", name, p)
		p = place{base: name}
		e.nullCheck(out, in, name)
	}
	if e.opt.Sanitize && !in.Has(ir.FlagPtr) {
		p = place{base: e.pin(out, p.String())}
		out.add("rt.CheckAccess(t, %s, %s, rt.%s, %q)", p, numExpr(e.lay.Of(in.Ty).Size), e.accessKind(in.Ty), e.siteName(id))
	}
	addr := p.String()
	ty := e.p.Types.Strong(in.Ty)
	switch in.Op {
	case ir.OpLoad:
		if r := in.Results[0]; !e.plan.Used[r] || e.plan.Demanded()[r] == 0 {
			p = place{base: addr} // an access all the same
			switch e.kind(ty) {
			case ir.KStruct, ir.KArray, ir.KVector:
				out.add("_ = %s", access("uint8", p)) // their functions may leave out what nothing needs
			}
		}
		x := e.load(ty, p)
		if in.Ord != ir.NotAtomic {
			x = e.atomicLoad(ty, addr, in.Ord)
		}
		e.set(out, in.Results[0], x)
	case ir.OpStore:
		if in.Ord == ir.NotAtomic {
			out.add("%s", e.store(ty, p, e.expr(in.Args[1])))
		} else {
			out.add("%s", e.atomicStore(ty, addr, e.expr(in.Args[1]), in.Ord))
		}
	case ir.OpCmpXchg:
		e.cmpXchg(out, in, ty, addr)
	case ir.OpAtomicRMW:
		e.atomicRMW(out, in, ty, addr)
	}
	e.normal(out, in, next)
}

// normal goes on after an instruction with an exception clause.
func (e *fn) normal(out *code, in *ir.Inst, next ir.BlockID) {
	if in.Has(ir.FlagExc) {
		e.jump(out, in.Block, &in.Dests[0], next)
	}
}

// atomicWidth is the suffix of the atomics function for a type, and how to
// convert between its word and the value.
func (e *fn) atomicWidth(ty ir.TypeID) (w string, toWord, fromWord func(string) string) {
	id := func(s string) string { return s }
	n := e.at(ty)
	switch n.Kind {
	case ir.KInt:
		c := container(n.Bits)
		if n.Bits == 1 {
			return "8", func(s string) string { return "uint8(rt.B2U(" + s + "))" },
				func(s string) string { return "(" + s + "&1 != 0)" }
		}
		return fmt.Sprint(c), id, id
	case ir.KFloat:
		return "32", func(s string) string { return "math.Float32bits(" + s + ")" },
			func(s string) string { return "math.Float32frombits(" + s + ")" }
	case ir.KDouble:
		return "64", func(s string) string { return "math.Float64bits(" + s + ")" },
			func(s string) string { return "math.Float64frombits(" + s + ")" }
	case ir.KTagRef64:
		return "64", id, id
	}
	return "Word", id, id
}

func (e *fn) atomicLoad(ty ir.TypeID, addr string, ord ir.Order) string {
	w, _, from := e.atomicWidth(ty)
	return from(fmt.Sprintf("atomics.Load%s%s(%s)", orderName(ord), w, addr))
}

func (e *fn) atomicStore(ty ir.TypeID, addr, val string, ord ir.Order) string {
	w, to, _ := e.atomicWidth(ty)
	return fmt.Sprintf("atomics.Store%s%s(%s, %s)", orderName(ord), w, addr, to(val))
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

func (e *fn) cmpXchg(out *code, in *ir.Inst, ty ir.TypeID, addr string) {
	w, to, from := e.atomicWidth(ty)
	old, ok := "_", "_"
	assign := "="
	fresh := func(x ir.ValueID) string {
		if !e.plan.Used[x] {
			return "_"
		}
		return e.scope.local("old")
	}
	old = fresh(in.Results[0])
	if e.plan.Used[in.Results[1]] {
		ok = e.scope.local("ok")
	}
	if old != "_" || ok != "_" {
		assign = ":="
	}
	out.add("%s, %s %s atomics.CompareAndSwap%s(%s, %s, %s)", old, ok, assign, w, addr, to(e.expr(in.Args[1])), to(e.expr(in.Args[2])))
	if old != "_" {
		e.set(out, in.Results[0], from(old))
	}
	if ok != "_" {
		e.set(out, in.Results[1], ok)
	}
}

var rmwFuncs = map[ir.RMWOp]string{
	ir.RMWXchg: "Swap", ir.RMWAdd: "Add", ir.RMWSub: "Sub", ir.RMWAnd: "And", ir.RMWNand: "Nand",
	ir.RMWOr: "Or", ir.RMWXor: "Xor", ir.RMWMax: "Max", ir.RMWMin: "Min", ir.RMWUMax: "UMax", ir.RMWUMin: "UMin",
}

func (e *fn) atomicRMW(out *code, in *ir.Inst, ty ir.TypeID, addr string) {
	w, to, from := e.atomicWidth(ty)
	x := from(fmt.Sprintf("atomics.%s%s(%s, %s)", rmwFuncs[in.RMW], w, addr, to(e.expr(in.Args[1]))))
	if e.plan.Used[in.Results[0]] {
		e.set(out, in.Results[0], x)
	} else {
		out.add("_ = %s", x)
	}
}

// pin is a Go variable with the value of an expression.
func (e *fn) pin(out *code, expr string) string {
	name := e.scope.local("p")
	out.add("%s := %s", name, expr)
	return name
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
// used.
func (e *fn) addressInst(out *code, id ir.InstID, in *ir.Inst) {
	if e.opt.Sanitize && !in.Has(ir.FlagPtr) {
		out.add("rt.CheckAddress(t, %s, %q)", e.expr(in.Args[0]), e.siteName(id))
	}
	if e.plan.Used[in.Results[0]] {
		e.set(out, in.Results[0], e.pure(in))
	}
}
