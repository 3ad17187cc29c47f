package mu

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// allocation checks NEW, ALLOCA and their hybrid forms.
func (b *body) allocation() {
	in := b.in
	t := b.typeArg(0)
	k := b.types.Kind(t)
	b.out.Ty = t
	if b.out.Op.Shape().Ty == ir.ArgNotHybrid {
		if k == ir.KHybrid {
			t = b.badType(0, "a type that is not a hybrid")
		}
	} else {
		if k != ir.KHybrid && t != ir.NoType {
			t = b.badType(0, "a hybrid")
		}
		lt := b.restrict(1, b.typeArg(1), false, isInt, "an int type")
		b.out.Ty2 = lt
		b.out.Args = b.list(b.arg(in.Args[0], lt, 0, role{text: "the length"}))
	}
}

// getIRef checks GETIREF. The operand's own type determines the referent
// (deviations d and a of docs/language.md, "Accepted deviations").
func (b *body) getIRef() {
	n := b.in.Args[0]
	t := b.typeArg(0)
	val := b.value(n)
	have := b.v.Values[val].Type
	switch h := b.types.At(have); {
	case have == ir.NoType || t == ir.NoType:
		if h.Kind == ir.KRef {
			t = h.Elem
		}
	case h.Kind == ir.KRef:
		b.ownType(n, t, have, "ref")
		t = h.Elem
	default:
		val = b.arg(n, b.types.Ref(t), 0, role{})
	}
	b.out.Ty = t
	b.out.Args = b.list(val)
}

// ownType records the deviation of a type argument t that is not the referent
// of the operand, whose type is have.
func (b *body) ownType(n syntax.Name, t, have ir.TypeID, constructor string) {
	switch t {
	case b.types.At(have).Elem:
	case have:
		b.deviate(&b.devs, devD, b.in.Types[0].Off, "%s: %s wants the referent %s of %s, got its own type %s",
			b.name(b.in.Types[0]), b.opName(), b.types.String(b.types.At(have).Elem), b.name(n), b.typeText(have))
	default:
		b.deviate(&b.devs, devA, n.Off, "%s: %s wants %s<%s>, got %s", b.name(n), b.opName(), constructor, b.name(b.in.Types[0]), b.types.Structure(have, 2))
	}
}

// addressing checks the addressing instructions other than GETIREF.
func (b *body) addressing() {
	in := b.in
	t := b.typeArg(0)
	ptr := in.Flags&syntax.Ptr != 0
	var val ir.ValueID
	if ptr {
		b.out.Flags |= ir.FlagPtr
		t = b.container(t)
		val = b.arg(in.Args[0], b.info.uptrOf(t), 0, role{})
	} else {
		val, t = b.irefOperand(in.Args[0], t)
	}
	b.out.Ty = t
	b.out.Args = b.list(val)
	switch {
	case b.out.Op.Shape().Imm == ir.ImmField:
		if t != ir.NoType {
			i, ok := b.fieldNumber(len(b.types.At(t).Fields), b.typeText(t))
			if b.out.Imm = i; !ok {
				b.out.Ty = ir.NoType
			}
		}
	case b.out.Op.Is(ir.Indexed):
		it := b.restrict(1, b.typeArg(1), false, isInt, "an int type")
		b.out.Ty2 = it
		b.out.Args = b.list(val, b.arg(in.Args[1], it, 0, role{text: "the index"}))
	}
}

// reaches reports whether an addressing instruction can address into a type.
func (b *body) reaches(t ir.TypeID) bool { return b.info.Allows(b.out.Op.Shape().Ty, t) }

// container returns the type argument t if the instruction can address into it.
func (b *body) container(t ir.TypeID) ir.TypeID {
	if t == ir.NoType || b.reaches(t) {
		return t
	}
	return b.badType(0, b.out.Op.Shape().Ty.String())
}

// irefOperand resolves the operand of an addressing instruction without PTR, and
// returns the type that is addressed: its own referent if that fits, else the type
// argument (docs/language.md, "Accepted deviations", a and d).
func (b *body) irefOperand(n syntax.Name, t ir.TypeID) (ir.ValueID, ir.TypeID) {
	val := b.value(n)
	have := b.v.Values[val].Type
	h := b.types.At(have)
	switch {
	case have == ir.NoType || t == ir.NoType:
		if h.Kind == ir.KIRef && b.reaches(h.Elem) {
			t = h.Elem
		}
		return val, b.container(t)
	case h.Kind == ir.KIRef && t == h.Elem:
		return val, b.container(t)
	case h.Kind == ir.KIRef && (t == have || b.fits(h.Elem)):
		b.ownType(n, t, have, "iref")
		return val, b.container(h.Elem)
	}
	t = b.container(t)
	return b.arg(n, b.info.irefOf(t), 0, role{}), t
}

// fits reports whether an operand with referent t can be used as it is.
func (b *body) fits(t ir.TypeID) bool {
	if !b.reaches(t) {
		return false
	}
	i := b.in.Int
	return i == nil || i.IsUint64() && i.Lo < uint64(len(b.types.At(t).Fields))
}

// order checks a memory order against the legal ones, a set of bits 1 << order. what
// names the order for messages; fail says that it is the second of two.
func (b *body) order(o syntax.Order, legal uint8, what string, fail bool) ir.Order {
	if o == syntax.NoOrder {
		return ir.NotAtomic
	}
	r := ir.Order(o - 1)
	if legal&(1<<r) == 0 {
		from, end := b.in.OpOff, syntax.Off(len(b.b.File.Content()))
		if len(b.in.Types) > 0 {
			end = b.in.Types[0].Off
		}
		if fail { // after the order on success
			from = b.keyword(b.in.Order.String(), false, from, end) + 1
		}
		b.errorf(b.keyword(o.String(), false, from, end), "%s: invalid memory order %s%s", b.opName(), o, what)
	}
	return r
}

func (b *body) fence() {
	if b.in.Order == syntax.NoOrder {
		b.errorf(b.in.OpOff, "FENCE wants a memory order")
	}
	b.out.Ord = b.order(b.in.Order, b.out.Op.Info().Orders, "", false)
}

// An accessKind is a column of the table of legal types.
type accessKind uint8

const (
	plainAccess accessKind = iota
	atomicAccess
	cmpXchg
	exchange
	arithmetic
)

var accessWants = [...]string{
	plainAccess:  "a storable type",
	atomicAccess: "a type that can be accessed atomically",
	cmpXchg:      "an EQ-comparable type that can be accessed atomically",
	exchange:     "a type that can be exchanged atomically",
	arithmetic:   "int<8>, int<16>, int<32> or int<64>",
}

// accessible reports whether a type may be accessed in a certain way.
func (b *body) accessible(t ir.TypeID, a accessKind) bool {
	if a == plainAccess {
		return b.info.isStorable(t)
	}
	switch n := b.types.At(t); n.Kind {
	case ir.KInt:
		return n.Bits == 8 || n.Bits == 16 || n.Bits == 32 || n.Bits == 64
	case ir.KFloat, ir.KDouble:
		return a == atomicAccess || a == exchange
	case ir.KTagRef64:
		return a == atomicAccess || a == exchange
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KUPtr, ir.KUFuncPtr,
		ir.KFuncRef, ir.KThreadRef, ir.KStackRef, ir.KFrameCursorRef, ir.KIRNodeRef, ir.KIRBuilderRef:
		return a != arithmetic
	}
	return false
}

// access checks LOAD, STORE, CMPXCHG and ATOMICRMW.
func (b *body) access() {
	in := b.in
	kind := plainAccess
	legal, what := b.out.Op.Info(), ""
	if legal.FailOrders != 0 {
		what = " on success"
	}
	b.out.Ord = b.order(in.Order, legal.Orders, what, false)
	switch in.Op {
	case syntax.OpCmpXchg:
		kind = cmpXchg
		b.out.OrdFail = b.order(in.OrdFail, legal.FailOrders, " on failure", true)
		if in.Flags&syntax.Weak != 0 {
			b.out.Flags |= ir.FlagWeak
		}
	case syntax.OpAtomicRMW:
		kind = arithmetic
		if in.RMW == syntax.RMWXchg {
			kind = exchange
		}
		if in.RMW != syntax.NoRMW {
			b.out.RMW = ir.RMWOp(in.RMW - 1)
		}
	}
	if kind == plainAccess && b.out.Ord != ir.NotAtomic {
		kind = atomicAccess
	}
	t := b.typeArg(0)
	if t != ir.NoType && !b.accessible(t, kind) {
		want := accessWants[kind]
		if isComposite(b.types.Kind(t)) && b.limits.Scalars(t) > layout.MaxScalars {
			want = "a type of at most " + itoa(layout.MaxScalars) + " scalars"
		}
		t = b.badType(0, want)
	}
	loc, cell := b.location(t, kind)
	b.out.Ty = cell
	list := b.alloc(len(in.Args))
	list[0] = loc
	for i, n := range in.Args[1:] {
		list[1+i] = b.toCell(n, t, cell)
	}
	b.out.Args = list
	if in.Op == syntax.OpStore {
		return
	}
	raw, declared := b.strong(cell), b.strong(t)
	if raw != declared && raw != ir.NoType {
		b.post = declared
	}
}

func (b *body) strong(t ir.TypeID) ir.TypeID {
	if t == ir.NoType {
		return t
	}
	return b.types.Strong(t)
}

// location resolves the location operand of a memory access whose type argument is t, and returns
// the type of the location (docs/language.md, "Accepted deviations"). With PTR it is t. Else it is
// the referent of the operand, if values of the two types can be converted (e), unless one of them
// is a reference and the other is data of its size. Else the operand is converted as by REFCAST (a).
func (b *body) location(t ir.TypeID, kind accessKind) (ir.ValueID, ir.TypeID) {
	n := b.in.Args[0]
	if b.in.Flags&syntax.Ptr != 0 {
		b.out.Flags |= ir.FlagPtr
		if t != ir.NoType && !b.info.nativeSafe(t) {
			b.deviate(&b.devs, devM, b.in.Types[0].Off, "%s: %s PTR wants a native-safe type, got %s", b.name(b.in.Types[0]), b.opName(), b.types.Structure(t, 2))
		}
		return b.arg(n, b.info.uptrOf(t), 0, role{text: "the location"}), t
	}
	val := b.value(n)
	have := b.v.Values[val].Type
	h := b.types.At(have)
	if have == ir.NoType || t == ir.NoType || h.Kind != ir.KIRef || h.Elem == t || h.Elem == ir.NoType {
		return b.arg(n, b.info.irefOf(t), 0, role{text: "the location"}), t
	}
	want := b.info.irefOf(t)
	usable := func(cell ir.TypeID) bool {
		return b.accessible(cell, kind) && (cell == t || !b.lostReferent(cell, t) && b.cellConvertible(cell, t))
	}
	cell := b.info.prefix(h.Elem, usable)
	r := role{text: "the location"}
	switch k := b.types.Kind(h.Elem); {
	case cell == h.Elem:
		b.report(n, devE, have, want, r)
		return val, cell
	case cell != ir.NoType: // a part at the beginning
		b.report(n, devA, have, want, r)
		return b.recast(val, b.info.irefOf(cell)), cell
	case b.lostReferent(h.Elem, t):
		b.report(n, devT, have, want, r)
		return b.recast(val, want), t
	case isScalar(k) && isScalar(b.types.Kind(t)):
		b.report(n, devBad, have, want, r)
		return 0, ir.NoType
	}
	b.report(n, devA, have, want, r)
	return b.recast(val, want), t
}

// lostReferent reports whether one of two types is a reference and the other is untraced data
// of a reference's size on 64-bit targets. If an iref has one of them as its referent and an
// access uses the other, the iref got the wrong referent somewhere before (docs/language.md,
// "Accepted deviations").
func (b *body) lostReferent(cell, t ir.TypeID) bool {
	c, s := b.types.At(cell), b.types.At(t)
	return isTraced(c.Kind) && isWord(s) || isWord(c) && isTraced(s.Kind)
}

// cellConvertible reports whether a location of type cell can be accessed as
// one of type t, in the direction that the instruction needs.
func (b *body) cellConvertible(cell, t ir.TypeID) bool {
	c, s := b.types.Strong(cell), b.types.Strong(t)
	if b.in.Op != syntax.OpStore && b.classify(c, s, useInt) == devBad {
		return false
	}
	return b.in.Op == syntax.OpLoad || b.classify(s, c, useInt) != devBad
}

// toCell resolves a value that is stored or compared: its type must be strong(t),
// and it is converted to strong(cell).
func (b *body) toCell(n syntax.Name, t, cell ir.TypeID) ir.ValueID {
	val := b.value(n)
	have := b.v.Values[val].Type
	if have == ir.NoType || t == ir.NoType || cell == ir.NoType {
		return val
	}
	want, final := b.types.Strong(t), b.types.Strong(cell)
	if have != want {
		if d := b.accept(n, have, want, useInt, role{text: "the value"}); d == devBad {
			return 0
		}
	}
	if d := b.classify(have, final, useInt); d != devBad {
		return b.convert(val, final, d)
	}
	val = b.convert(val, want, b.classify(have, want, useInt))
	return b.convert(val, final, b.classify(want, final, useInt))
}

// fromCell converts the result of a memory access to the declared type.
func (b *body) fromCell(val ir.ValueID, t ir.TypeID) ir.ValueID {
	have := b.v.Values[val].Type
	if have == t || have == ir.NoType || t == ir.NoType {
		return val
	}
	return b.convert(val, t, b.classify(have, t, useInt))
}
