package libc

import "unsafe"

// Errno is the address of a C int for error numbers. There is one per stack, because errno belongs to the
// stack (docs/native.md, "Stacks with C frames"). Error numbers for the zero Errno are dropped.
type Errno uintptr

// NewErrno makes a cell that holds 0.
func NewErrno() Errno { return Errno(Calloc(0, 1, 16)) }

// Free frees the cell.
func (e Errno) Free() { Free(uintptr(e)) }

// Get returns the content of the cell.
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

// Misuse is the panic of a native that is used in a way that C leaves undefined and
// that would corrupt memory. The runtime turns it into the run-time error NATIVE.
type Misuse struct {
	Func string // as in C
	What string
}

// Error is the text after the kind in the runtime's message.
func (m *Misuse) Error() string { return m.Func + ": " + m.What }
