// Package ffi is the part of the runtime that needs cgo: the one entry through which C
// functions made for exposed Mu functions call back into Go, and the end of the process by
// C's exit, so that what C buffered is written.
//
// Only generated files with native symbols that Go does not serve import it, and only
// where cgo is on; without cgo the package is empty. The C functions themselves, one to
// call and one to be called for each signature, are in the cgo preamble of the generated
// file, because the C compiler has to know the types. What happens in a callback is
// rtlib.Callback.
package ffi
