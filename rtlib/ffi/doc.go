// Package ffi is the part of the runtime that needs cgo: the one entry through which C
// functions made for exposed Mu functions call back into Go, and the end of the process by
// C's exit, so that C's output buffers are written.
//
// Only generated files with native symbols that the runtime does not implement in Go
// import it, and only if cgo is on; without cgo the package is empty. The C functions
// themselves, one to call and one to be called for each signature, are in the cgo
// preamble of the generated file, because the C compiler has to know the types.
// core.Callback implements callbacks.
//
// For code that arrives at run time, whose signatures the C compiler has not seen, the
// preamble has one function to call and one to be called, and libffi does the rest; see
// libffi.go. If that code is compiled as the program runs, the plugin has its own C functions for
// its signatures; see units.go.
package ffi
