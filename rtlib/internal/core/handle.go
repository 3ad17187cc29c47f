package core

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// Handles of references to the Mu heap that Go code holds between calls of exported functions.
// Each package declares its own Go types on top of them, one for each Mu type.

// Handle is a reference that Go code holds: to an object, to a place in one, to a stack, a thread
// or a frame cursor. The zero Handle is NULL. It keeps its referent alive as long as Go code can
// reach the Handle or a copy of it. It may be used by any goroutine, with any context, and passed
// to any package whose type for it has equal structure. Two Handles of the same object need not
// be ==, see Same.
type Handle struct{ h *held }

// held is a root. It is in Go's memory, so that Go's collector finds out when it is not needed any more.
type held struct {
	addr uintptr
	slot int // in heldRefs
}

// heldRefs are the roots.
var heldRefs struct {
	once  sync.Once
	mu    sync.Mutex
	addrs []uintptr // by slot; 0 in one that is free; guarded by mu
	free  []int     // guarded by mu
}

// Hold makes a handle of a reference. It must be called on a running context.
func Hold(addr uintptr) Handle {
	if addr == 0 {
		return Handle{}
	}
	r := &heldRefs
	r.once.Do(func() {
		gc.RegisterRoots(visitHeld)
		gc.RegisterHolder(&r.mu)
	})
	r.mu.Lock()
	var slot int
	if n := len(r.free); n > 0 {
		slot = r.free[n-1]
		r.free = r.free[:n-1]
		r.addrs[slot] = addr
	} else {
		slot = len(r.addrs)
		r.addrs = append(r.addrs, addr)
	}
	r.mu.Unlock()
	h := &held{addr, slot}
	runtime.AddCleanup(h, dropHeld, slot)
	return Handle{h}
}

// dropHeld frees a root.
func dropHeld(slot int) {
	r := &heldRefs
	r.mu.Lock()
	r.addrs[slot] = 0
	r.free = append(r.free, slot)
	r.mu.Unlock()
}

// visitHeld visits the roots. The lock is held, see gc.RegisterHolder.
func visitHeld(visit func(addr uintptr)) {
	for _, a := range heldRefs.addrs {
		visit(a)
	}
}

// IsNull reports whether the reference is NULL.
func (r Handle) IsNull() bool { return r.h == nil }

// Same reports whether two references have the same referent.
func (r Handle) Same(other Handle) bool { return r.Addr() == other.Addr() }

// Addr is the address, 0 for NULL. It is valid only on a running context, while the handle is
// reachable.
func (r Handle) Addr() uintptr {
	if r.h == nil {
		return 0
	}
	return r.h.addr
}

// StackHandle is a stackref that Go code holds.
type StackHandle struct{ Handle }

// ThreadHandle is a threadref that Go code holds.
type ThreadHandle struct{ Handle }

// CursorHandle is a framecursorref that Go code holds.
type CursorHandle struct{ Handle }

// FuncHandle is a funcref that Go code holds. The zero FuncHandle is NULL.
type FuncHandle struct{ f *Func }

// HoldFunc makes a handle of a funcref.
func HoldFunc(ref uintptr) FuncHandle { return FuncHandle{FuncAt(ref)} }

// IsNull reports whether the reference is NULL.
func (r FuncHandle) IsNull() bool { return r.f == nil }

// Name is the global name of the function, with '@'; "" for NULL.
func (r FuncHandle) Name() string {
	if r.f == nil {
		return ""
	}
	return r.f.Name
}

// Addr is the reference in the form of Mu code.
func (r FuncHandle) Addr() uintptr { return uintptr(unsafe.Pointer(r.f)) }

// TagHandle is a tagref64 that Go code holds. The zero TagHandle is the double 0.
type TagHandle struct {
	word uint64
	ref  Handle
}

// HoldTag makes a handle of a tagref64. It must be called on a running context.
func HoldTag(word uint64) TagHandle { return TagHandle{word, Hold(gc.TagRoot(word))} }

// TagDouble makes a tagref64 of a double.
func TagDouble(v float64) TagHandle { return TagHandle{word: gc.TagFromFP(v)} }

// TagInt makes a tagref64 of the low 52 bits of an integer.
func TagInt(v uint64) TagHandle { return TagHandle{word: gc.TagFromInt(v)} }

// TagRef makes a tagref64 of a reference and a tag of 6 bits.
func TagRef(ref Handle, tag uint8) TagHandle { return TagHandle{gc.TagFromRef(ref.Addr(), tag), ref} }

// IsDouble reports whether it is a double.
func (v TagHandle) IsDouble() bool { return gc.TagIsFP(v.word) }

// IsInt reports whether it is an integer.
func (v TagHandle) IsInt() bool { return gc.TagIsInt(v.word) }

// IsRef reports whether it is a reference with a tag.
func (v TagHandle) IsRef() bool { return gc.TagIsRef(v.word) }

// Double is the double, if IsDouble.
func (v TagHandle) Double() float64 { return gc.TagToFP(v.word) }

// Int is the integer, without sign, if IsInt.
func (v TagHandle) Int() uint64 { return gc.TagToInt(v.word) }

// Ref is the reference and its tag, if IsRef.
func (v TagHandle) Ref() (ref Handle, tag uint8) { return v.ref, gc.TagToTag(v.word) }

// Word is the value in the form of Mu code. It is valid only on a running context, while the handle is
// reachable.
func (v TagHandle) Word() uint64 { return v.word }
