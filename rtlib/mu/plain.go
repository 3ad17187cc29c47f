package mu

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Plain Go values in calls. No function here lets its arguments escape, so that the arguments of a call, or
// the variables for results, stay on the stack of the caller.

// goKind is the kind of a plain Go value.
type goKind uint8

const (
	goNone goKind = iota
	goInt         // sign-extended
	goUint
	goBool
	goPointer
	goFloat // its bits as a float64
)

// plain returns a plain Go value as a word.
func plain(v any) (uint64, goKind) {
	switch v := v.(type) {
	case int:
		return uint64(v), goInt
	case int8:
		return uint64(v), goInt
	case int16:
		return uint64(v), goInt
	case int32:
		return uint64(v), goInt
	case int64:
		return uint64(v), goInt
	case uint:
		return uint64(v), goUint
	case uint8:
		return uint64(v), goUint
	case uint16:
		return uint64(v), goUint
	case uint32:
		return uint64(v), goUint
	case uint64:
		return uint64(v), goUint
	case uintptr:
		return uint64(v), goPointer
	case bool:
		if v {
			return 1, goBool
		}
		return 0, goBool
	case float32:
		return math.Float64bits(float64(v)), goFloat
	case float64:
		return math.Float64bits(v), goFloat
	}
	return 0, goNone
}

// toMu converts a plain Go value to words of type ty, and returns their number, or the code of an error.
func toMu(ty *core.VType, v any, to []uint64) (words int, code Code) {
	w, kind := plain(v)
	switch ty.Kind {
	case core.VInt:
		switch {
		case kind == goBool && ty.Bits != 1, kind == goFloat, kind == goPointer, kind == goNone:
			return 0, TypeMismatch
		case !fits(w, kind, ty.Bits):
			return 0, OutOfRange
		}
		n := [2]uint64{w, 0}
		if kind == goInt {
			n[1] = uint64(int64(w) >> 63)
		}
		return copy(to, n[:cutInt(n[:], ty.Bits)]), ""
	case core.VUPtr, core.VUFuncPtr:
		if kind == goPointer {
			to[0] = w
			return 1, ""
		}
	case core.VDouble:
		if kind == goFloat {
			to[0] = w
			return 1, ""
		}
	case core.VFloat:
		if kind != goFloat {
			break
		}
		d := math.Float64frombits(w)
		if f := float32(d); float64(f) == d || d != d {
			to[0] = uint64(math.Float32bits(f))
			return 1, ""
		}
		return 0, OutOfRange
	}
	return 0, TypeMismatch
}

// fits reports whether a number fits n bits, with or without sign.
func fits(w uint64, kind goKind, n uint32) bool {
	if n >= 64 || w>>n == 0 {
		return true
	}
	return kind == goInt && signed(w, n) == int64(w)
}

// suits reports whether a result of type ty can be stored in the variable that p points to.
func suits(ty *core.VType, p any) bool {
	size := uint32(0) // of an integer
	switch p.(type) {
	case *int8, *uint8:
		size = 8
	case *int16, *uint16:
		size = 16
	case *int32, *uint32:
		size = 32
	case *int64, *uint64:
		size = 64
	case *int, *uint:
		size = bits.UintSize
	case *bool:
		return ty.Kind == core.VInt && ty.Bits == 1
	case *float32:
		return ty.Kind == core.VFloat
	case *float64:
		return ty.Kind == core.VFloat || ty.Kind == core.VDouble
	case *uintptr:
		return ty.Kind == core.VUPtr || ty.Kind == core.VUFuncPtr
	case *Value:
		return true
	default:
		_, kind, ok := variable(p)
		return ok && kind == ty.Kind
	}
	return ty.Kind == core.VInt && ty.Bits <= size
}

// toGo stores a result, in words, in the plain Go variable that p points to; false if p points to something else.
func toGo(ty *core.VType, w []uint64, p any) bool {
	switch p := p.(type) {
	case *int:
		*p = int(signed(w[0], ty.Bits))
	case *int8:
		*p = int8(signed(w[0], ty.Bits))
	case *int16:
		*p = int16(signed(w[0], ty.Bits))
	case *int32:
		*p = int32(signed(w[0], ty.Bits))
	case *int64:
		*p = int64(signed(w[0], ty.Bits))
	case *uint:
		*p = uint(w[0])
	case *uint8:
		*p = uint8(w[0])
	case *uint16:
		*p = uint16(w[0])
	case *uint32:
		*p = uint32(w[0])
	case *uint64:
		*p = uint64(w[0])
	case *bool:
		*p = w[0] != 0
	case *float32:
		*p = math.Float32frombits(uint32(w[0]))
	case *float64:
		if ty.Kind == core.VFloat {
			*p = float64(math.Float32frombits(uint32(w[0])))
		} else {
			*p = math.Float64frombits(w[0])
		}
	case *uintptr:
		*p = uintptr(w[0])
	default:
		return false
	}
	return true
}

// variable returns where a variable of a type of values, which p points to, has its handle, and the kind of the type;
// false for other variables. The place is nil if p is a nil pointer.
func variable(p any) (at **handle, kind core.VKind, ok bool) {
	switch p := p.(type) {
	case *Int:
		return place(p), core.VInt, true
	case *Float:
		return place(p), core.VFloat, true
	case *Double:
		return place(p), core.VDouble, true
	case *UPtr:
		return place(p), core.VUPtr, true
	case *UFuncPtr:
		return place(p), core.VUFuncPtr, true
	case *Struct:
		return place(p), core.VStruct, true
	case *Array:
		return place(p), core.VArray, true
	case *Vector:
		return place(p), core.VVector, true
	case *Ref:
		return place(p), core.VRef, true
	case *IRef:
		return place(p), core.VIRef, true
	case *TagRef64:
		return place(p), core.VTagRef64, true
	case *FuncRef:
		return place(p), core.VFuncRef, true
	case *ThreadRef:
		return place(p), core.VThreadRef, true
	case *StackRef:
		return place(p), core.VStackRef, true
	case *Cursor:
		return place(p), core.VCursorRef, true
	case *IRNode:
		return place(p), core.VNodeRef, true
	case *IRBuilderRef:
		return place(p), core.VBuilderRef, true
	}
	return nil, 0, false
}

// place is where a type of values, which is one pointer, has its handle.
func place[V any](p *V) **handle { return (**handle)(unsafe.Pointer(p)) }
