package core

import (
	"testing"
	"unsafe"
)

// TestIsFuncAt checks that IsFuncAt reports only functions that were found, and only for their
// class.
func TestIsFuncAt(t *testing.T) {
	f, g := &Func{Name: "@f", Class: 7}, &Func{Name: "@g", Class: 1 << 16}
	first.functionAt(0) // enters the functions of packages
	functions.mu.Lock()
	for _, x := range []*Func{f, g} {
		functions.at[uintptr(unsafe.Pointer(x))] = x
	}
	functions.mu.Unlock()
	defer func() {
		functions.mu.Lock()
		defer functions.mu.Unlock()
		for _, x := range []*Func{f, g} {
			delete(functions.at, uintptr(unsafe.Pointer(x)))
		}
	}()
	at := uintptr(unsafe.Pointer(f))
	for class := range uint32(10) {
		if IsFuncAt(at, class) {
			t.Errorf("@f is known as one of class %d", class)
		}
	}
	c := NewThreadCtx()
	defer CloseThreadCtx(c)
	FuncAtAddress(c, at, 7, "", "")
	for _, class := range []uint32{0, 6, 7, 8, 7 + 1<<16} {
		if IsFuncAt(at, class) != (class == 7) {
			t.Errorf("@f as one of class %d: %v", class, IsFuncAt(at, class))
		}
	}
	if IsFuncAt(at+16, 7) || IsFuncAt(0, 7) {
		t.Error("a function is known elsewhere")
	}
	FuncAtAddress(c, uintptr(unsafe.Pointer(g)), g.Class, "", "")
	if IsFuncAt(uintptr(unsafe.Pointer(g)), g.Class) {
		t.Error("a class of more than 16 bits is known")
	}
}
