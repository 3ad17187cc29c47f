package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/atomics"
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Order is a memory order (docs/language.md, "Memory").
type Order uint8

// The memory orders.
const (
	NotAtomic Order = iota
	Relaxed
	Consume
	Acquire
	Release
	AcqRel
	SeqCst
)

// AtomicOp is an operator of Ctx.AtomicRMW.
type AtomicOp uint8

// The operators.
const (
	Xchg AtomicOp = iota
	Add
	Sub
	And
	Nand
	Or
	Xor
	Max
	Min
	UMax
	UMin
)

// NewFixed allocates an object, zeroed, of a type that is not hybrid.
func (c *Ctx) NewFixed(ty Type) (Ref, error) {
	if ty.v == nil || ty.v.Kind == core.VHybrid {
		return Ref{}, fail(TypeMismatch, "%s has no objects of fixed size", ty)
	}
	return c.allocate(ty, false, 0)
}

// NewHybrid allocates an object of a hybrid with n variable elements.
func (c *Ctx) NewHybrid(ty Type, n uint64) (Ref, error) {
	if ty.v == nil || ty.v.Kind != core.VHybrid {
		return Ref{}, fail(TypeMismatch, "%s is not hybrid", ty)
	}
	return c.allocate(ty, true, n)
}

func (c *Ctx) allocate(ty Type, hybrid bool, n uint64) (Ref, error) {
	var ref Ref
	g := ty.v.GC
	if ty.v.Kind == core.VVoid {
		g = core.VoidType
	}
	if g == nil {
		return ref, fail(TypeMismatch, "no object of %s can be made", ty)
	}
	result := core.TypeTo(core.VRef, ty.v)
	err := c.do(func(t *core.Ctx) error {
		p := core.MakeObject(t, g, hybrid, n)
		if p == 0 {
			return fail(OutOfMemory, "the heap is exhausted")
		}
		ref = Ref{(*held[Ref])(c.addRef(result, p))}
		ref.inside = true
		return nil
	})
	return ref, err
}

// RefCast converts a ref, iref or funcref to another type of the same kind.
func (c *Ctx) RefCast(v Value, ty Type) (Value, error) {
	h := raw(v)
	if err := c.check(h); err != nil {
		return nil, err
	}
	if ty.v == nil || h.ty.Kind != ty.v.Kind || !castable(h.ty) {
		return nil, fail(TypeMismatch, "casting %s to %s", c.typ(h.ty), ty)
	}
	return wrap(c.add(ty.v, h.w, h.r)), nil
}

// IRef returns an iref to the whole object.
func (c *Ctx) IRef(ref Ref) (IRef, error) {
	p, err := c.referent(ref.raw(), "reference")
	if err != nil {
		return IRef{}, err
	}
	return c.iref(p, ref.ty.Elem, ref.inside), nil
}

func (c *Ctx) iref(p uintptr, to *core.VType, inside bool) IRef {
	v := IRef{(*held[IRef])(c.addRef(core.TypeTo(core.VIRef, to), p))}
	v.inside = inside
	return v
}

// FieldIRef returns an iref to field i of a struct or of the fixed part of a hybrid.
func (c *Ctx) FieldIRef(loc IRef, i int) (IRef, error) {
	p, err := c.referent(loc.raw(), "iref")
	if err != nil {
		return IRef{}, err
	}
	to := loc.ty.Elem
	if to.Kind != core.VStruct && to.Kind != core.VHybrid {
		return IRef{}, fail(TypeMismatch, "%s has no fields", c.typ(to))
	}
	if i < 0 || i >= len(to.Fields) {
		return IRef{}, fail(OutOfRange, "field %d of %d", i, len(to.Fields))
	}
	return c.iref(p+to.Offsets[i], to.Fields[i], loc.inside), nil
}

// ElemIRef returns an iref to element i of an array or vector.
func (c *Ctx) ElemIRef(loc IRef, i int64) (IRef, error) {
	p, err := c.referent(loc.raw(), "iref")
	if err != nil {
		return IRef{}, err
	}
	to := loc.ty.Elem
	if to.Kind != core.VArray && to.Kind != core.VVector {
		return IRef{}, fail(TypeMismatch, "%s has no elements", c.typ(to))
	}
	if i < 0 || uint64(i) >= to.Len {
		return IRef{}, fail(OutOfRange, "element %d of %d", i, to.Len)
	}
	return c.iref(p+uintptr(i)*to.Stride, to.Elem, loc.inside), nil
}

// ShiftIRef returns an iref n elements further. It does not check that this is in the same
// memory array.
func (c *Ctx) ShiftIRef(loc IRef, n int64) (IRef, error) {
	p, err := c.referent(loc.raw(), "iref")
	if err != nil {
		return IRef{}, err
	}
	return c.iref(p+uintptr(n)*loc.ty.Elem.Size, loc.ty.Elem, false), nil
}

// VarPartIRef returns an iref to the first variable element of a hybrid.
func (c *Ctx) VarPartIRef(loc IRef) (IRef, error) {
	p, err := c.referent(loc.raw(), "iref")
	if err != nil {
		return IRef{}, err
	}
	to := loc.ty.Elem
	if to.Kind != core.VHybrid {
		return IRef{}, fail(TypeMismatch, "%s is not hybrid", c.typ(to))
	}
	return c.iref(p+to.GC.Size, to.Elem, false), nil
}

// strong is the type of the values in a location: a ref for a weakref.
func strong(v *core.VType) *core.VType {
	if v.Kind == core.VWeakRef {
		return core.TypeTo(core.VRef, v.Elem)
	}
	return v
}

// Load reads a location.
func (c *Ctx) Load(ord Order, loc IRef) (Value, error) {
	p, err := c.referent(loc.raw(), "iref")
	if err != nil {
		return nil, err
	}
	if ord == Release || ord == AcqRel || ord > SeqCst {
		return nil, fail(BadArg, "bad order for a load")
	}
	ty := loc.ty.Elem
	if err := c.accessible(ty, ord); err != nil {
		return nil, err
	}
	var v Value
	err = c.do(func(*core.Ctx) error {
		var w []uint64
		var r []uintptr
		if ord == NotAtomic {
			w, r = core.LoadValue(ty, p, nil, nil)
		} else {
			w, r = split(ty, loadWord(ty, p))
		}
		v = wrap(c.add(strong(ty), w, r))
		return nil
	})
	return v, err
}

// Store writes a location.
func (c *Ctx) Store(ord Order, loc IRef, v Value) error {
	p, err := c.referent(loc.raw(), "iref")
	if err != nil {
		return err
	}
	h, ty := raw(v), loc.ty.Elem
	if err := c.fits(h, ty); err != nil {
		return err
	}
	if ord == Acquire || ord == Consume || ord == AcqRel || ord > SeqCst {
		return fail(BadArg, "bad order for a store")
	}
	if err := c.accessible(ty, ord); err != nil {
		return err
	}
	return c.do(func(*core.Ctx) error {
		if ord == NotAtomic {
			core.StoreValue(ty, p, h.w, h.r)
		} else {
			storeWord(ty, p, join(h))
		}
		return nil
	})
}

// fits checks a value for a location of a type.
func (c *Ctx) fits(h *handle, ty *core.VType) error {
	if err := c.check(h); err != nil {
		return err
	}
	if h.ty != strong(ty) {
		return fail(TypeMismatch, "a value of %s for a location of %s", c.typ(h.ty), c.typ(ty))
	}
	return nil
}

// accessible returns an error if a type cannot be accessed with an order.
func (c *Ctx) accessible(ty *core.VType, ord Order) error {
	switch ty.Kind {
	case core.VVoid, core.VHybrid:
		return fail(TypeMismatch, "%s has no values", c.typ(ty))
	case core.VStruct, core.VArray, core.VVector:
		if ord != NotAtomic {
			return fail(TypeMismatch, "atomic access to %s", c.typ(ty))
		}
	case core.VInt:
		if ord != NotAtomic && (ty.Bits > 64 || ty.Bits&(ty.Bits-1) != 0 || ty.Bits < 8) {
			return fail(TypeMismatch, "atomic access to %s", c.typ(ty))
		}
	}
	return nil
}

// loadWord reads a scalar atomically, as bits.
func loadWord(ty *core.VType, p uintptr) uint64 {
	switch ty.Size {
	case 1:
		return uint64(atomics.Load8(p))
	case 2:
		return uint64(atomics.Load16(p))
	case 4:
		return uint64(atomics.Load32(p))
	}
	return atomics.Load64(p)
}

func storeWord(ty *core.VType, p uintptr, w uint64) {
	switch ty.Size {
	case 1:
		atomics.Store8(p, uint8(w))
	case 2:
		atomics.Store16(p, uint16(w))
	case 4:
		atomics.Store32(p, uint32(w))
	default:
		atomics.Store64(p, w)
	}
}

func casWord(ty *core.VType, p uintptr, exp, des uint64) (uint64, bool) {
	if ty.Size == 4 {
		old, ok := atomics.CompareAndSwap32(p, uint32(exp), uint32(des))
		return uint64(old), ok
	}
	return atomics.CompareAndSwap64(p, exp, des)
}

// join converts a scalar value to bits, split converts bits to a value.
func join(h *handle) uint64 {
	if len(h.w) == 0 {
		return uint64(h.r[0])
	}
	return h.w[0]
}

func split(ty *core.VType, bits uint64) (w []uint64, r []uintptr) {
	switch nw, nr := ty.Width(); {
	case nw == 0:
		return nil, []uintptr{uintptr(bits)}
	case nr == 0:
		return []uint64{bits}, nil
	}
	return []uint64{bits}, []uintptr{gc.TagRoot(bits)}
}

// swappable reports whether CMPXCHG and XCHG work on a type (docs/language.md, "Memory").
func swappable(ty *core.VType) bool {
	switch ty.Kind {
	case core.VInt:
		return ty.Bits == 32 || ty.Bits == 64
	case core.VRef, core.VIRef, core.VWeakRef, core.VFuncRef, core.VThreadRef, core.VStackRef, core.VUPtr, core.VUFuncPtr:
		return true
	}
	return false
}

// CmpXchg compares a location with expected and stores desired if they are equal. It
// returns the old value, and whether it stored.
func (c *Ctx) CmpXchg(success, failure Order, loc IRef, expected, desired Value) (old Value, ok bool, err error) {
	p, err := c.referent(loc.raw(), "iref")
	if err != nil {
		return nil, false, err
	}
	ty := loc.ty.Elem
	for _, v := range []Value{expected, desired} {
		if err := c.fits(raw(v), ty); err != nil {
			return nil, false, err
		}
	}
	if success == NotAtomic || success == Consume || success > SeqCst ||
		failure != Relaxed && failure != Acquire && failure != SeqCst {
		return nil, false, fail(BadArg, "bad order for a cmpxchg")
	}
	if !swappable(ty) {
		return nil, false, fail(TypeMismatch, "cmpxchg of %s", c.typ(ty))
	}
	err = c.do(func(*core.Ctx) error {
		var was uint64
		was, ok = casWord(ty, p, join(raw(expected)), join(raw(desired)))
		w, r := split(ty, was)
		old = wrap(c.add(strong(ty), w, r))
		return nil
	})
	return old, ok, err
}

// AtomicRMW changes a location by an operator and returns the old value.
func (c *Ctx) AtomicRMW(ord Order, op AtomicOp, loc IRef, v Value) (old Value, err error) {
	p, err := c.referent(loc.raw(), "iref")
	if err != nil {
		return nil, err
	}
	h, ty := raw(v), loc.ty.Elem
	if err := c.fits(h, ty); err != nil {
		return nil, err
	}
	if ord == NotAtomic || ord == Consume || ord > SeqCst || op > UMin {
		return nil, fail(BadArg, "bad order or operator for an atomicrmw")
	}
	if op == Xchg && !swappable(ty) && ty.Kind != core.VTagRef64 || op != Xchg && (ty.Kind != core.VInt || !swappable(ty)) {
		return nil, fail(TypeMismatch, "atomicrmw of %s", c.typ(ty))
	}
	err = c.do(func(*core.Ctx) error {
		x := join(h)
		for {
			was := loadWord(ty, p)
			if _, ok := casWord(ty, p, was, combine(op, was, x, ty.Size*8)); ok {
				w, r := split(ty, was)
				old = wrap(c.add(strong(ty), w, r))
				return nil
			}
		}
	})
	return old, err
}

// combine applies an operator to numbers of some bits.
func combine(op AtomicOp, a, b uint64, bits uintptr) uint64 {
	signed := func(x uint64) int64 { return int64(x<<(64-bits)) >> (64 - bits) }
	switch op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case And:
		return a & b
	case Nand:
		return ^(a & b)
	case Or:
		return a | b
	case Xor:
		return a ^ b
	case Max:
		if signed(a) > signed(b) {
			return a
		}
	case Min:
		if signed(a) < signed(b) {
			return a
		}
	case UMax:
		return max(a, b)
	case UMin:
		return min(a, b)
	}
	return b
}

// Fence is a fence of an order from Acquire to SeqCst.
func (c *Ctx) Fence(ord Order) error {
	if ord < Acquire || ord > SeqCst {
		return fail(BadArg, "bad order for a fence")
	}
	atomics.Fence()
	return nil
}

// Convert returns a value as one of another type of its kind: a ref, iref, weakref or funcref with another referent or
// signature, a pointer of another type, an int of another length (zero-extended or cut). A value of the type itself is
// returned as it is. It is for clients that do not mind the types of references (TypeMismatch for other kinds).
func (c *Ctx) Convert(v Value, ty Type) (Value, error) {
	h := raw(v)
	if err := c.check(h); err != nil {
		return nil, err
	}
	if ty.v == nil {
		return nil, fail(TypeMismatch, "no type is given")
	}
	to := strong(ty.v)
	switch from := h.ty; {
	case from == to:
		return v, nil
	case from.Kind == core.VInt && to.Kind == core.VInt:
		w := [2]uint64{h.word(0), h.word(1)}
		n := cutInt(w[:], to.Bits)
		return wrap(c.add(to, w[:n], nil)), nil
	case isPointer(from) && isPointer(to), from.Kind == to.Kind && castable(from):
		return wrap(c.add(to, h.w, h.r)), nil
	}
	return nil, fail(TypeMismatch, "a value of %s where %s is wanted", c.typ(h.ty), ty)
}

func isPointer(v *core.VType) bool { return v.Kind == core.VUPtr || v.Kind == core.VUFuncPtr }

// castable reports whether REFCAST converts the kind of a type.
func castable(v *core.VType) bool {
	return v.Kind == core.VRef || v.Kind == core.VIRef || v.Kind == core.VFuncRef
}

// Content returns the type of the values in the location: ref<T> for a weakref<T>; the zero Type if there is no value.
func (v IRef) Content() Type {
	if v.held == nil || v.ty == nil || v.ty.Elem == nil {
		return Type{}
	}
	return v.ctx.typ(strong(v.ty.Elem))
}

// Pin pins the object of a ref or iref in place and returns its address; 0 for NULL.
func (c *Ctx) Pin(v Value) (UPtr, error) {
	h := raw(v)
	if err := c.pinnable(h); err != nil {
		return UPtr{}, err
	}
	var p UPtr
	err := c.do(func(t *core.Ctx) error {
		p = UPtr{(*held[UPtr])(c.addWord(core.TypeTo(core.VUPtr, h.ty.Elem), uint64(core.Pin(t, h.r[0]))))}
		return nil
	})
	return p, err
}

// Unpin undoes one Pin of the same location by this context.
func (c *Ctx) Unpin(v Value) error {
	h := raw(v)
	if err := c.pinnable(h); err != nil {
		return err
	}
	return c.do(func(t *core.Ctx) error { core.Unpin(t, h.r[0]); return nil })
}

// Addr returns the address of a ref or iref, whose object is pinned already, and does not pin it; 0 for NULL.
func (c *Ctx) Addr(v Value) (UPtr, error) {
	h := raw(v)
	if err := c.pinnable(h); err != nil {
		return UPtr{}, err
	}
	var p UPtr
	err := c.do(func(t *core.Ctx) error {
		p = UPtr{(*held[UPtr])(c.addWord(core.TypeTo(core.VUPtr, h.ty.Elem), uint64(h.r[0])))}
		return nil
	})
	return p, err
}

func (c *Ctx) pinnable(h *handle) error {
	if err := c.check(h); err != nil {
		return err
	}
	if h.ty.Kind != core.VRef && h.ty.Kind != core.VIRef {
		return fail(TypeMismatch, "pinning a value of %s", c.typ(h.ty))
	}
	return nil
}

// Null returns NULL of a reference type.
func (c *Ctx) Null(ty Type) (Value, error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	if ty.v != nil {
		switch ty.v.Kind {
		case core.VRef, core.VIRef, core.VStackRef, core.VThreadRef, core.VCursorRef, core.VNodeRef, core.VBuilderRef:
			return wrap(c.addRef(ty.v, 0)), nil
		case core.VFuncRef, core.VUPtr, core.VUFuncPtr:
			return wrap(c.addWord(ty.v, 0)), nil
		}
	}
	return nil, fail(TypeMismatch, "%s has no NULL", ty)
}
