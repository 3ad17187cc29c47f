package core

import (
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
	"github.com/uvm2go/uvm2go/rtlib/num"
)

// Functions for package mu, the client API, in addition to those that generated code calls.
// All of them must be called on a running context, inside Do or a trap handler.

// Started returns the first VM and the Program that stands for all programs of the process, and starts them if they
// are packages; nil if there is none.
func Started() (*VM, *Program) {
	started()
	if machine == nil {
		return nil, nil
	}
	return first, current
}

// AddRoots adds a function that visits references that a client holds. The function is called with the
// world stopped and l held. Code that changes these references must hold l, and only for the change. remove
// undoes AddRoots.
func AddRoots(roots func(visit func(addr uintptr)), l sync.Locker) (remove func()) {
	drop := gc.RegisterRoots(roots)
	gc.RegisterHolder(l)
	return func() {
		drop()
		gc.DropHolder(l)
	}
}

// ListOf returns the number of the value list of some types; false if no code of the program has a
// list with their machine classes.
func ListOf(types []*VType) (uint32, bool) {
	var room [64]byte
	desc := classes(room[:0], types)
	for i := range current.Lists {
		if current.Lists[i].Desc == string(desc) {
			return uint32(i), true
		}
	}
	return 0, false
}

// Awaits returns, for each value that the stack of a reference waits for, a type of its machine class that plain numbers
// and addresses have; nil for any other class. It returns nil if the stack is not READY.
func Awaits(stack uintptr) []*VType {
	s := machine.Stack(stack)
	if s == nil {
		return nil
	}
	n, ok := s.State().Ready()
	if !ok || n == 0 {
		return nil
	}
	var types []*VType
	for class := range strings.FieldsSeq(list(n).Desc) {
		types = append(types, plainType(class))
	}
	return types
}

// plainType returns a type of a machine class, nil if its values are no numbers or addresses.
func plainType(class string) *VType {
	switch class[0] {
	case 'i':
		if bits, err := strconv.ParseUint(class[1:], 10, 32); err == nil {
			return IntType(uint32(bits))
		}
	case 'f':
		return SimpleType(VFloat)
	case 'd':
		return SimpleType(VDouble)
	case 'p':
		return TypeTo(VUPtr, SimpleType(VVoid))
	}
	return nil
}

// classes spells the machine classes of types.
func classes(b []byte, types []*VType) []byte {
	for i, v := range types {
		if i > 0 {
			b = append(b, ' ')
		}
		b = v.class(b)
	}
	return b
}

// Passes reports whether a value of type v can be passed where type as is expected: both have the same
// machine class.
func (v *VType) Passes(as *VType) bool {
	if v == as {
		return true
	}
	var a, b [64]byte
	return string(v.class(a[:0])) == string(as.class(b[:0]))
}

// class spells the machine class of a type, as the translator does for lists.
func (v *VType) class(b []byte) []byte {
	switch v.Kind {
	case VInt:
		return strconv.AppendUint(append(b, 'i'), uint64(v.Bits), 10)
	case VFloat:
		return append(b, 'f')
	case VDouble:
		return append(b, 'd')
	case VUPtr, VUFuncPtr:
		return append(b, 'p')
	case VFuncRef:
		return append(b, 'c')
	case VTagRef64:
		return append(b, 't')
	case VStruct:
		b = append(b, '{')
		for _, f := range v.Fields {
			b = f.class(b)
		}
		return append(b, '}')
	case VArray, VVector:
		b = strconv.AppendUint(append(b, '['), v.Len, 10)
		return append(v.Elem.class(b), ']')
	}
	return append(b, 'r')
}

// MakeObject makes an object of a type, with n variable elements if it is a hybrid; it returns 0 if the
// heap is exhausted.
func MakeObject(t *Ctx, ty *Type, hybrid bool, n uint64) uintptr {
	if hybrid {
		return made(t.NewHybrid(ty, n), ty, n)
	}
	return made(t.New(ty), ty, 0)
}

// Width returns how many words and references of a transfer area a value takes.
func (v *VType) Width() (w, r int) {
	var n List
	v.count(&n)
	return n.W, n.R
}

// StoreValue stores a value, flattened as in a transfer area, into memory.
func StoreValue(v *VType, addr uintptr, w []uint64, r []uintptr) {
	u := unboxer{w: w, r: r}
	u.store(v, addr)
}

// LoadValue reads a value from memory and appends it, flattened.
//
//go:norace
//go:nocheckptr
func LoadValue(v *VType, addr uintptr, w []uint64, r []uintptr) ([]uint64, []uintptr) {
	p := unsafe.Pointer(addr)
	switch v.Kind {
	case VInt:
		switch {
		case v.Bits <= 8:
			w = append(w, uint64(*(*uint8)(p))&(1<<v.Bits-1))
		case v.Bits <= 16:
			w = append(w, uint64(*(*uint16)(p))&(1<<v.Bits-1))
		case v.Bits <= 32:
			w = append(w, uint64(*(*uint32)(p))&(1<<v.Bits-1))
		case v.Bits <= 64:
			w = append(w, *(*uint64)(p)&(1<<(v.Bits-1)<<1-1))
		default:
			x := num.LoadU128(addr)
			w = append(w, x.Lo, x.Hi&(1<<(v.Bits-64-1)<<1-1))
		}
	case VFloat:
		w = append(w, uint64(*(*uint32)(p)))
	case VDouble:
		w = append(w, *(*uint64)(p))
	case VUPtr, VUFuncPtr, VFuncRef:
		w = append(w, uint64(*(*uintptr)(p)))
	case VTagRef64:
		x := *(*uint64)(p)
		w, r = append(w, x), append(r, gc.TagRoot(x))
	case VStruct:
		for i, f := range v.Fields {
			w, r = LoadValue(f, addr+v.Offsets[i], w, r)
		}
	case VArray, VVector:
		for i := range v.Len {
			w, r = LoadValue(v.Elem, addr+uintptr(i)*v.Stride, w, r)
		}
	default:
		r = append(r, *(*uintptr)(p))
	}
	return w, r
}

// Keepalives returns the keep-alive variables of the frame of a cursor; their values are
// in X(t).
func Keepalives(t *Ctx, cursor uintptr) []KeepVar {
	keep, m := keepalives(t, cursor, 0)
	must(t, m)
	return keep
}

// Live makes the first n references in X(t) roots.
func Live(t *Ctx, n int) { X(t).Live = n }

// PushFrame is MetaPushFrame for a function of any class.
func PushFrame(t *Ctx, stack uintptr, f *Func) { must(t, pushFrame(t, stack, f)) }

// ThreadRef returns the object of the thread that runs t; 0 if the heap is exhausted.
func ThreadRef(t *Ctx) uintptr { return thread.Of(t).Th.Object(t) }

// Collect forces a collection.
func Collect(t *Ctx) { gc.Collect(t, "client") }

// Misuse stops the running call with an error of a kind, with another code for clients than
// that of the kind. It does not return.
func Misuse(t *Ctx, kind Kind, code, detail string) { must(t, &misuse{kind, code, detail}) }

// FuncAt returns the record of a funcref, nil for NULL.
//
//go:norace
//go:nocheckptr
func FuncAt(ref uintptr) *Func { return (*Func)(unsafe.Pointer(ref)) }

// VoidType is the type of objects without content.
var VoidType = &Type{Name: "void", Align: 8}
