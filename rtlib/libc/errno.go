package libc

import "unsafe"

// Errno is the address of a C int that takes error numbers: one a stack, for errno belongs to the
// stack (docs/native.md, "Stacks with C frames"). The zero Errno takes nothing.
type Errno uintptr

// NewErrno makes a cell that holds 0.
func NewErrno() Errno { return Errno(Calloc(0, 1, 16)) }

// Free gives the cell back.
func (e Errno) Free() { Free(uintptr(e)) }

// Get is what the cell holds.
//
//go:norace
//go:nocheckptr
func (e Errno) Get() int32 {
	if e == 0 {
		return 0
	}
	return *(*int32)(unsafe.Pointer(e))
}

// Set stores an error number.
//
//go:norace
//go:nocheckptr
func (e Errno) Set(n int32) {
	if e != 0 {
		*(*int32)(unsafe.Pointer(e)) = n
	}
}

// ErrnoLocation is __errno_location (glibc), __error (BSD, macOS) and _errno
// (Windows): the address of errno.
func ErrnoLocation(e Errno) uintptr { return uintptr(e) }

// fail stores the number of err and returns true if err is an error.
func (e Errno) fail(err error) bool {
	if err == nil {
		return false
	}
	e.Set(number(err))
	return true
}

// Misuse is what a native panics with when it is used in a way that C leaves
// undefined and that would spoil memory. The runtime makes R-error NATIVE of
// it.
type Misuse struct {
	Func string // as in C
	What string
}

// Error is the text that follows the kind in the runtime's message.
func (m *Misuse) Error() string { return m.Func + ": " + m.What }
