//go:build cgo

package libmu

/*
#include "libmu.h"
#include <stdlib.h>
*/
import "C"

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// numberedTypes are types that slots refer to by number.
type numberedTypes struct {
	mu   sync.RWMutex
	list []mu.Type
	no   map[mu.Type]uint32
}

func (n *numberedTypes) at(no uint32) mu.Type {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.list[no]
}

func (n *numberedTypes) number(ty mu.Type) uint32 {
	n.mu.RLock()
	no, ok := n.no[ty]
	n.mu.RUnlock()
	if ok {
		return no
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if no, ok := n.no[ty]; ok {
		return no
	}
	if n.no == nil {
		n.no = map[mu.Type]uint32{}
	}
	no = uint32(len(n.list))
	n.list = append(n.list, ty)
	n.no[ty] = no
	return no
}

// known tells C about a type of memory. It returns its number; false if C cannot know it.
func (v *vm) known(ty mu.Type) (no uint32, ok bool) {
	if ty == (mu.Type{}) {
		return 0, false
	}
	no = v.types.number(ty)
	if no >= C.UVM_TYPES {
		return 0, false
	}
	at := (*unsafe.Pointer)(unsafe.Pointer(&v.c.types[no]))
	if atomic.LoadPointer(at) != nil {
		return no, true
	}
	l := ty.Layout()
	t := (*C.uvm_type)(C.calloc(1, C.size_t(unsafe.Sizeof(C.uvm_type{}))+C.size_t(len(l.Fields))*C.UVM_FIELD))
	if t == nil {
		return 0, false
	}
	if t.kind = v.types.plain(ty); t.kind == 0 && l.Size <= maxParts && v.types.flat(ty) {
		t.kind = C.UVM_PARTS<<24 | C.uint32_t(no)
	}
	t.size, t.len, t.stride = C.uint64_t(l.Size), C.uint64_t(l.Len), C.uint64_t(l.Stride)
	if l.Hybrid {
		t.hybrid = 1
	}
	if l.Elem != (mu.Type{}) {
		t.elem = C.uint32_t(v.types.number(l.Elem))
	}
	t.fields = C.uint32_t(len(l.Fields))
	for i, f := range l.Fields {
		to := (*C.uvm_field)(unsafe.Add(unsafe.Pointer(t), unsafe.Sizeof(*t)+uintptr(i)*C.UVM_FIELD))
		to.offset, to._type = C.uint64_t(f.Offset), C.uint32_t(v.types.number(f.Type))
	}
	if !atomic.CompareAndSwapPointer(at, nil, unsafe.Pointer(t)) {
		C.free(unsafe.Pointer(t)) // another thread was faster
	}
	return no, true
}

// maxParts is the size up to which values with parts are in C.
const maxParts = 1 << 12

// parts returns the kind of the slot of a value with parts, and the size of the value, if it is in C; else 0.
func (v *vm) parts(x mu.Value) (kind C.uint32_t, size C.size_t) {
	switch x.(type) {
	case mu.Struct, mu.Array, mu.Vector:
	default:
		return 0, 0
	}
	no, ok := v.known(x.Type())
	if !ok || v.c.types[no].kind == 0 {
		return 0, 0
	}
	return v.c.types[no].kind, C.size_t(v.c.types[no].size)
}

// flat reports whether all parts of a struct, array or vector are numbers and pointers that C accesses.
func (n *numberedTypes) flat(ty mu.Type) bool {
	l := ty.Layout()
	if l.Hybrid || l.Size == 0 || len(l.Fields) == 0 && l.Len == 0 {
		return false
	}
	ok := func(of mu.Type) bool { return n.plain(of) != 0 || n.flat(of) }
	return !slices.ContainsFunc(l.Fields, func(f mu.Part) bool { return !ok(f.Type) }) && (l.Len == 0 || ok(l.Elem))
}

// plain returns the kind of slots with a value of a type, if its values are numbers or pointers that are stored without padding
// bits; else 0.
func (n *numberedTypes) plain(ty mu.Type) C.uint32_t {
	switch bits := C.uint32_t(ty.Bits()); bits {
	case 0:
	case 8, 16, 32, 64:
		return C.UVM_INT<<24 | bits
	default:
		return 0
	}
	switch s := ty.Structure(); {
	case s == "float":
		return C.UVM_FLOAT << 24
	case s == "double":
		return C.UVM_DOUBLE << 24
	case strings.HasPrefix(s, "uptr<"):
		return C.UVM_UPTR<<24 | C.uint32_t(n.number(ty))
	case strings.HasPrefix(s, "ufuncptr<"):
		return C.UVM_UFP<<24 | C.uint32_t(n.number(ty))
	}
	return 0
}

// noteRef notes for refs.c to what the references of a type refer.
func (v *vm) noteRef(id mu.ID, value mu.Value) {
	at, ok := mu.Locate(value)
	if !ok {
		return
	}
	no, ok := v.known(at.To)
	if !ok {
		return
	}
	kind := uint64(C.UVM_IREF)
	if _, ok := value.(mu.Ref); ok {
		kind = C.UVM_REF
	}
	atomic.StoreUint64((*uint64)(&v.c.refs[uint32(id)%uint32(len(v.c.refs))]), uint64(id)<<32|kind<<24|uint64(no))
}
