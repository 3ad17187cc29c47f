package mu

import (
	"math"
	"math/big"
	"strconv"
	"unsafe"

	rt "github.com/uvm2go/uvm2go/rtlib"
)

// Type is a Mu type. Types of one program are equal exactly when == says so.
type Type struct{ v *rt.VType }

// String returns the name of the type in the bundle, or a word for it.
func (t Type) String() string {
	switch {
	case t.v == nil:
		return "none"
	case t.v.Name != "":
		return t.v.Name
	case t.v.Kind == rt.VInt:
		return "int<" + strconv.Itoa(int(t.v.Bits)) + ">"
	}
	return typeWords[t.v.Kind]
}

var typeWords = map[rt.VKind]string{
	rt.VVoid: "void", rt.VFloat: "float", rt.VDouble: "double", rt.VUPtr: "uptr", rt.VUFuncPtr: "ufuncptr", rt.VRef: "ref",
	rt.VIRef: "iref", rt.VWeakRef: "weakref", rt.VTagRef64: "tagref64", rt.VFuncRef: "funcref", rt.VStackRef: "stackref",
	rt.VThreadRef: "threadref", rt.VCursorRef: "framecursorref", rt.VNodeRef: "irnoderef", rt.VStruct: "struct",
	rt.VArray: "array", rt.VVector: "vector", rt.VHybrid: "hybrid",
}

// Type returns the type of an ID.
func (c *Ctx) Type(id ID) (Type, error) {
	e, err := c.vm.entity(id, rt.TypeEntity, "type")
	if err != nil {
		return Type{}, err
	}
	return Type{e.Type}, nil
}

// TypeNamed returns the type of a name.
func (c *Ctx) TypeNamed(name string) (Type, error) {
	id, err := c.vm.ID(name)
	if err != nil {
		return Type{}, err
	}
	return c.Type(id)
}

// Value is a handle of a Mu value. Its dynamic type is one of those below.
type Value interface {
	Type() Type
	IsNull() bool // of references and pointers; false for others
	get() *handle
}

func raw(v Value) *handle {
	if v == nil {
		return nil
	}
	return v.get()
}

func (h *handle) get() *handle { return h }

// Type returns the type of the value.
func (h *handle) Type() Type {
	if h == nil {
		return Type{}
	}
	return Type{h.ty}
}

// IsNull reports whether the value is NULL.
func (h *handle) IsNull() bool {
	if h == nil {
		return true
	}
	switch h.ty.Kind {
	case rt.VInt, rt.VFloat, rt.VDouble, rt.VStruct, rt.VArray, rt.VVector, rt.VTagRef64:
		return false
	case rt.VUPtr, rt.VUFuncPtr, rt.VFuncRef:
		return h.w[0] == 0
	}
	return h.r[0] == 0
}

// The types of values (mu-runtime, 12.1). The zero of each is no value. The blank field makes them
// different for Go as well: no conversion turns one into another.
type (
	Int struct {
		_ [0]*Int
		*handle
	}
	Float struct {
		_ [0]*Float
		*handle
	}
	Double struct {
		_ [0]*Double
		*handle
	}
	UPtr struct {
		_ [0]*UPtr
		*handle
	}
	UFP struct {
		_ [0]*UFP
		*handle
	}
	Struct struct {
		_ [0]*Struct
		*handle
	}
	Array struct {
		_ [0]*Array
		*handle
	}
	Vector struct {
		_ [0]*Vector
		*handle
	}
	Ref struct {
		_ [0]*Ref
		*handle
	}
	IRef struct {
		_ [0]*IRef
		*handle
	}
	TagRef64 struct {
		_ [0]*TagRef64
		*handle
	}
	FuncRef struct {
		_ [0]*FuncRef
		*handle
	}
	ThreadRef struct {
		_ [0]*ThreadRef
		*handle
	}
	StackRef struct {
		_ [0]*StackRef
		*handle
	}
	Cursor struct {
		_ [0]*Cursor
		*handle
	}
	IRNode struct {
		_ [0]*IRNode
		*handle
	}
)

// wrap gives a handle its Go type.
func wrap(h *handle) Value {
	switch h.ty.Kind {
	case rt.VInt:
		return Int{handle: h}
	case rt.VFloat:
		return Float{handle: h}
	case rt.VDouble:
		return Double{handle: h}
	case rt.VUPtr:
		return UPtr{handle: h}
	case rt.VUFuncPtr:
		return UFP{handle: h}
	case rt.VStruct:
		return Struct{handle: h}
	case rt.VArray:
		return Array{handle: h}
	case rt.VVector:
		return Vector{handle: h}
	case rt.VIRef:
		return IRef{handle: h}
	case rt.VTagRef64:
		return TagRef64{handle: h}
	case rt.VFuncRef:
		return FuncRef{handle: h}
	case rt.VThreadRef:
		return ThreadRef{handle: h}
	case rt.VStackRef:
		return StackRef{handle: h}
	case rt.VCursorRef:
		return Cursor{handle: h}
	case rt.VNodeRef:
		return IRNode{handle: h}
	}
	return Ref{handle: h}
}

// Int makes an int<bits>, 1 to 128, of a number: its low bits.
func (c *Ctx) Int(v int64, bits uint32) Int {
	return c.wide(uint64(v), uint64(v>>63), bits)
}

// Uint is Int for unsigned numbers.
func (c *Ctx) Uint(v uint64, bits uint32) Int { return c.wide(v, 0, bits) }

// BigInt is Int for numbers of any size.
func (c *Ctx) BigInt(v *big.Int, bits uint32) Int {
	mod := new(big.Int).Lsh(big.NewInt(1), 128)
	m := new(big.Int).Mod(v, mod)
	lo := new(big.Int).And(m, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return c.wide(lo, m.Rsh(m, 64).Uint64(), bits)
}

func (c *Ctx) wide(lo, hi uint64, bits uint32) Int {
	bits = min(max(bits, 1), 128)
	ty := c.vm.intType(bits)
	if bits <= 64 {
		return Int{handle: c.add(ty, []uint64{lo & (math.MaxUint64 >> (64 - bits))}, nil)}
	}
	return Int{handle: c.add(ty, []uint64{lo, hi & (math.MaxUint64 >> (128 - bits))}, nil)}
}

// Uint64 returns the number, zero-extended or its low 64 bits; 0 of no value.
func (v Int) Uint64() uint64 {
	if v.handle == nil {
		return 0
	}
	return v.w[0]
}

// Int64 returns the number, sign-extended, or its low 64 bits.
func (v Int) Int64() int64 {
	if v.handle == nil {
		return 0
	}
	if b := v.ty.Bits; b < 64 {
		return int64(v.w[0]<<(64-b)) >> (64 - b)
	}
	return int64(v.w[0])
}

// Bits returns the length of the type.
func (v Int) Bits() uint32 {
	if v.handle == nil {
		return 0
	}
	return v.ty.Bits
}

// Big returns the number, unsigned.
func (v Int) Big() *big.Int {
	n := new(big.Int)
	if v.handle == nil {
		return n
	}
	for i := len(v.w) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(v.w[i]))
	}
	return n
}

// Float makes a float, bit by bit.
func (c *Ctx) Float(v float32) Float {
	return Float{handle: c.add(c.vm.simple(rt.VFloat), []uint64{uint64(math.Float32bits(v))}, nil)}
}

// Float32 returns the number.
func (v Float) Float32() float32 {
	if v.handle == nil {
		return 0
	}
	return math.Float32frombits(uint32(v.w[0]))
}

// Double makes a double, bit by bit.
func (c *Ctx) Double(v float64) Double {
	return Double{handle: c.add(c.vm.simple(rt.VDouble), []uint64{math.Float64bits(v)}, nil)}
}

// Float64 returns the number.
func (v Double) Float64() float64 {
	if v.handle == nil {
		return 0
	}
	return math.Float64frombits(v.w[0])
}

// Pointer makes a uptr or ufuncptr of the given type.
func (c *Ctx) Pointer(t Type, addr uintptr) (Value, error) {
	if t.v == nil || t.v.Kind != rt.VUPtr && t.v.Kind != rt.VUFuncPtr {
		return nil, fail(TypeMismatch, "%s is no pointer type", t)
	}
	return wrap(c.add(t.v, []uint64{uint64(addr)}, nil)), nil
}

// Addr returns the address.
func (v UPtr) Addr() uintptr { return v.address() }

// Addr returns the address.
func (v UFP) Addr() uintptr { return v.address() }

func (h *handle) address() uintptr {
	if h == nil {
		return 0
	}
	return uintptr(h.w[0])
}

// Const returns the value of a constant.
func (c *Ctx) Const(id ID) (Value, error) {
	e, err := c.vm.entity(id, rt.ConstEntity, "constant")
	if err != nil {
		return nil, err
	}
	var v Value
	err = c.do(func(t *rt.Ctx) error {
		w, r := rt.ConstantOf(t, e)
		v = wrap(c.add(e.Type, w, r))
		return nil
	})
	return v, err
}

// Global returns an iref to a global cell.
func (c *Ctx) Global(id ID) (IRef, error) {
	e, err := c.vm.entity(id, rt.GlobalEntity, "global cell")
	if err != nil {
		return IRef{}, err
	}
	return IRef{handle: c.addRef(c.vm.to(rt.VIRef, e.Type), e.Addr)}, nil
}

// Func returns a reference to a function.
func (c *Ctx) Func(id ID) (FuncRef, error) {
	e, err := c.vm.entity(id, rt.FuncEntity, "function")
	if err != nil {
		return FuncRef{}, err
	}
	return FuncRef{handle: c.add(e.Type, []uint64{uint64(uintptr(unsafe.Pointer(e.Func)))}, nil)}, nil
}

// FuncNamed returns a reference to the function of a name.
func (c *Ctx) FuncNamed(name string) (FuncRef, error) {
	id, err := c.vm.ID(name)
	if err != nil {
		return FuncRef{}, err
	}
	return c.Func(id)
}

// Exposed returns the value of an exposed function.
func (c *Ctx) Exposed(id ID) (UFP, error) {
	e, err := c.vm.entity(id, rt.ExposeEntity, "exposed function")
	if err != nil {
		return UFP{}, err
	}
	return UFP{handle: c.add(e.Type, []uint64{uint64(rt.ExposedAddr(e.Exposure))}, nil)}, nil
}

// fromTransfer makes handles of what is in the transfer area.
func (c *Ctx) fromTransfer(t *rt.Ctx, types []*rt.VType) []Value {
	x := rt.X(t)
	w, r := 0, 0
	var out []Value
	for _, ty := range types {
		nw, nr := ty.Width()
		h := c.add(ty, append([]uint64(nil), x.W[w:w+nw]...), append([]uintptr(nil), x.R[r:r+nr]...))
		out = append(out, wrap(h))
		w, r = w+nw, r+nr
	}
	return out
}

// intoTransfer puts values into the transfer area and returns their list. The caller has
// checked the handles.
func intoTransfer(t *rt.Ctx, vals []Value) (uint32, error) {
	types := make([]*rt.VType, len(vals))
	for i, v := range vals {
		types[i] = raw(v).ty
	}
	n, ok := rt.ListOf(types)
	if !ok {
		return 0, fail(TypeMismatch, "nothing in the program takes values of these types")
	}
	x := rt.X(t)
	w, r := 0, 0
	for _, v := range vals {
		h := raw(v)
		w += copy(x.W[w:], h.w)
		r += copy(x.R[r:], h.r)
	}
	return n, nil
}

// Same reports whether two references (ref, iref, funcref, threadref, stackref or cursor)
// of one type are equal; NULL is equal to itself.
func (c *Ctx) Same(a, b Value) (bool, error) {
	x, y := raw(a), raw(b)
	if err := c.check(x, y); err != nil {
		return false, err
	}
	switch {
	case x.ty != y.ty:
		return false, fail(TypeMismatch, "comparing %s and %s", Type{x.ty}, Type{y.ty})
	case x.ty.Kind == rt.VFuncRef:
		return x.w[0] == y.w[0], nil
	case len(x.r) != 1 || x.ty.Kind == rt.VTagRef64:
		return false, fail(TypeMismatch, "comparing values of %s", Type{x.ty})
	}
	return x.r[0] == y.r[0], nil
}

// Field returns field i of a struct value.
func (c *Ctx) Field(s Struct, i int) (Value, error) {
	if err := c.check(s.handle); err != nil {
		return nil, err
	}
	if i < 0 || i >= len(s.ty.Fields) {
		return nil, fail(OutOfRange, "field %d of %d", i, len(s.ty.Fields))
	}
	w, r := offset(s.ty.Fields[:i])
	return c.part(s.handle, s.ty.Fields[i], w, r)
}

// WithField returns a copy of a struct value with another field i.
func (c *Ctx) WithField(s Struct, i int, v Value) (Struct, error) {
	if err := c.check(s.handle, raw(v)); err != nil {
		return Struct{}, err
	}
	if i < 0 || i >= len(s.ty.Fields) {
		return Struct{}, fail(OutOfRange, "field %d of %d", i, len(s.ty.Fields))
	}
	w, r := offset(s.ty.Fields[:i])
	h, err := c.with(s.handle, raw(v), s.ty.Fields[i], w, r)
	return Struct{handle: h}, err
}

// Element returns element i of an array or vector value.
func (c *Ctx) Element(seq Value, i uint64) (Value, error) {
	h, w, r, err := c.element(seq, i)
	if err != nil {
		return nil, err
	}
	return c.part(h, h.ty.Elem, w, r)
}

// WithElement returns a copy of an array or vector value with another element i.
func (c *Ctx) WithElement(seq Value, i uint64, v Value) (Value, error) {
	h, w, r, err := c.element(seq, i)
	if err != nil {
		return nil, err
	}
	if err := c.check(raw(v)); err != nil {
		return nil, err
	}
	n, err := c.with(h, raw(v), h.ty.Elem, w, r)
	if err != nil {
		return nil, err
	}
	return wrap(n), nil
}

func (c *Ctx) element(seq Value, i uint64) (h *handle, w, r int, err error) {
	h = raw(seq)
	if err := c.check(h); err != nil {
		return nil, 0, 0, err
	}
	if h.ty.Kind != rt.VArray && h.ty.Kind != rt.VVector {
		return nil, 0, 0, fail(TypeMismatch, "%s has no elements", Type{h.ty})
	}
	if i >= h.ty.Len {
		return nil, 0, 0, fail(OutOfRange, "element %d of %d", i, h.ty.Len)
	}
	w, r = h.ty.Elem.Width()
	return h, w * int(i), r * int(i), nil
}

// offset is where the value behind others begins.
func offset(before []*rt.VType) (w, r int) {
	for _, f := range before {
		fw, fr := f.Width()
		w, r = w+fw, r+fr
	}
	return w, r
}

func (c *Ctx) part(h *handle, ty *rt.VType, w, r int) (Value, error) {
	nw, nr := ty.Width()
	return wrap(c.add(ty, h.w[w:w+nw:w+nw], h.r[r:r+nr:r+nr])), nil
}

func (c *Ctx) with(h, v *handle, ty *rt.VType, w, r int) (*handle, error) {
	if v.ty != ty {
		return nil, fail(TypeMismatch, "%s where %s is wanted", Type{v.ty}, Type{ty})
	}
	nw, nr := append([]uint64(nil), h.w...), append([]uintptr(nil), h.r...)
	copy(nw[w:], v.w)
	copy(nr[r:], v.r)
	return c.add(h.ty, nw, nr), nil
}
