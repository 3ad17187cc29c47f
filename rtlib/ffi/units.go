//go:build cgo

package ffi

// Units, which are plugins with compiled code that arrived at run time, call C. Callbacks and the collector look at
// variables of the program's C code, so the C code of units has no such variables: before and after each call of C it
// calls functions that the program lends.

// lent has the addresses of these functions, see Late.
var lent struct{ before, after uintptr }

// Before is the address of the C function that is called before each call of C.
func Before() uintptr { return lent.before }

// After is the address of the C function that is called after each call of C.
func After() uintptr { return lent.after }
