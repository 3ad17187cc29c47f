package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Type is a Mu type. Types of a VM are equal if and only if they are ==.
type Type struct {
	v  *core.VType
	vm *core.VM // whose names it prints with
}

// String returns the name of the type in the bundle; for a type without a name its constructor and
// parameters, as in ref<@node>.
func (t Type) String() string {
	if t.v == nil {
		return "none"
	}
	return t.vm.Spell(t.v)
}

// Structure returns the constructor and parameters of the type, whether it has a name or not; for a
// signature its parameters and results.
func (t Type) Structure() string {
	if t.v == nil {
		return "none"
	}
	return t.vm.Structure(t.v)
}

// Bits returns the length of an int type, 0 of other types.
func (t Type) Bits() uint32 {
	if t.v == nil || t.v.Kind != core.VInt {
		return 0
	}
	return t.v.Bits
}

// Value is a handle of a Mu value. Its dynamic type is one of those below.
type Value interface {
	// Type returns the Mu type; the zero Type if there is no value.
	Type() Type
	// IsNull reports whether a reference or a pointer is NULL; it is false for other values.
	IsNull() bool
	// String returns the value in the printed form of run -call.
	String() string
	raw() *handle
}

// held is the handle in the value types. The type parameter makes them different Go types: no
// conversion turns one into another. Each is one pointer, so that a Value with one needs no allocation.
type held[K any] handle

func (v *held[K]) raw() *handle { return (*handle)(v) }

// Type returns the Mu type of the value; the zero Type if there is no value.
func (v *held[K]) Type() Type {
	if v == nil {
		return Type{}
	}
	return Type{v.ty, v.ctx.vm.core}
}

// IsNull reports whether a reference or a pointer is NULL, or there is no value. It is false for other values.
func (v *held[K]) IsNull() bool {
	if v == nil || v.ty == nil {
		return true
	}
	switch v.ty.Kind {
	case core.VInt, core.VFloat, core.VDouble, core.VStruct, core.VArray, core.VVector, core.VTagRef64:
		return false
	case core.VUPtr, core.VUFuncPtr, core.VFuncRef:
		return v.w[0] == 0
	}
	return v.r[0] == 0
}

// String returns the value in the form that run -call and the default trap handler print
// (docs/language.md, "Programs"); "" if there is no value.
func (v *held[K]) String() string {
	if v == nil || v.ty == nil {
		return ""
	}
	return core.ValueText(v.ty, v.w, v.r)
}

// raw returns the handle of a value, nil if there is no value.
func raw(v Value) *handle {
	if absent(v) {
		return nil
	}
	return v.raw()
}

// Int is a handle of an int<n>, n from 1 to 128. The zero Int is no value.
type Int struct{ *held[Int] }

// Float is a handle of a float. The zero Float is no value.
type Float struct{ *held[Float] }

// Double is a handle of a double. The zero Double is no value.
type Double struct{ *held[Double] }

// UPtr is a handle of a uptr<T>: the address of memory outside the collected heap, or of a pinned location. The zero
// UPtr is no value.
type UPtr struct{ *held[UPtr] }

// UFuncPtr is a handle of a ufuncptr<sig>: the address of a native function. The zero UFuncPtr is no value.
type UFuncPtr struct{ *held[UFuncPtr] }

// Struct is a handle of a struct; see Ctx.Field. The zero Struct is no value.
type Struct struct{ *held[Struct] }

// Array is a handle of an array; see Ctx.Element. The zero Array is no value.
type Array struct{ *held[Array] }

// Vector is a handle of a vector; see Ctx.Element. The zero Vector is no value.
type Vector struct{ *held[Vector] }

// Ref is a handle of a ref<T>: a reference to an object. The zero Ref is no value.
type Ref struct{ *held[Ref] }

// IRef is a handle of an iref<T>: a reference to a location in an object, a stack cell or a global cell. The zero IRef is no value.
type IRef struct{ *held[IRef] }

// TagRef64 is a handle of a tagref64, which is a double, an int<52>, or a reference with a tag of 6 bits. The zero TagRef64 is no value.
type TagRef64 struct{ *held[TagRef64] }

// FuncRef is a handle of a funcref<sig>: a reference to a function. The zero FuncRef is no value.
type FuncRef struct{ *held[FuncRef] }

// ThreadRef is a handle of a threadref: a reference to a thread. The zero ThreadRef is no value.
type ThreadRef struct{ *held[ThreadRef] }

// StackRef is a handle of a stackref: a reference to a stack. The zero StackRef is no value.
type StackRef struct{ *held[StackRef] }

// Cursor is a handle of a framecursorref: a reference to a frame cursor, which moves. The zero Cursor is no value.
type Cursor struct{ *held[Cursor] }

// IRNode is a handle of an irnoderef. No function of a context returns one that is not NULL: only instructions of the
// IR builder make nodes. The zero IRNode is no value.
type IRNode struct{ *held[IRNode] }

// IRBuilderRef is a handle of an irbuilderref, which is NULL: no instruction makes another one. The zero IRBuilderRef
// is no value.
type IRBuilderRef struct{ *held[IRBuilderRef] }

// wrap converts a handle to the Go type of its value.
func wrap(h *handle) Value {
	switch h.ty.Kind {
	case core.VInt:
		return Int{(*held[Int])(h)}
	case core.VFloat:
		return Float{(*held[Float])(h)}
	case core.VDouble:
		return Double{(*held[Double])(h)}
	case core.VUPtr:
		return UPtr{(*held[UPtr])(h)}
	case core.VUFuncPtr:
		return UFuncPtr{(*held[UFuncPtr])(h)}
	case core.VStruct:
		return Struct{(*held[Struct])(h)}
	case core.VArray:
		return Array{(*held[Array])(h)}
	case core.VVector:
		return Vector{(*held[Vector])(h)}
	case core.VIRef:
		return IRef{(*held[IRef])(h)}
	case core.VTagRef64:
		return TagRef64{(*held[TagRef64])(h)}
	case core.VFuncRef:
		return FuncRef{(*held[FuncRef])(h)}
	case core.VThreadRef:
		return ThreadRef{(*held[ThreadRef])(h)}
	case core.VStackRef:
		return StackRef{(*held[StackRef])(h)}
	case core.VCursorRef:
		return Cursor{(*held[Cursor])(h)}
	case core.VNodeRef:
		return IRNode{(*held[IRNode])(h)}
	case core.VBuilderRef:
		return IRBuilderRef{(*held[IRBuilderRef])(h)}
	}
	return Ref{(*held[Ref])(h)}
}

// handleOf returns the handle of a value, or of one in a variable whose address was passed, without a call through an interface,
// which would let the value escape.
func handleOf(v any) (h *handle, ok bool) {
	switch v := v.(type) {
	case Int:
		return v.raw(), true
	case Float:
		return v.raw(), true
	case Double:
		return v.raw(), true
	case UPtr:
		return v.raw(), true
	case UFuncPtr:
		return v.raw(), true
	case Struct:
		return v.raw(), true
	case Array:
		return v.raw(), true
	case Vector:
		return v.raw(), true
	case Ref:
		return v.raw(), true
	case IRef:
		return v.raw(), true
	case TagRef64:
		return v.raw(), true
	case FuncRef:
		return v.raw(), true
	case ThreadRef:
		return v.raw(), true
	case StackRef:
		return v.raw(), true
	case Cursor:
		return v.raw(), true
	case IRNode:
		return v.raw(), true
	case IRBuilderRef:
		return v.raw(), true
	}
	at, _, ok := variable(v)
	if at != nil {
		h = *at
	}
	return h, ok
}
