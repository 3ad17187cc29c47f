// Package libmu is Mu's client API for C (docs/libmu.md): the functions that a C library exports, and those of the structs MuVM, MuCtx
// and MuIRBuilder of three generations of the API. cmd/libmu, and the modules that the command writes, link it into a shared library.
//
// The entry points are generated from the table in cmd/internal/muapi. Each unpacks its parameters, calls a method of vm, client or
// builder, which are thin layers on packages mu and live, and packs the result. Functions for values of one word are in C
// (handles.c): a call into Go takes longer than what they do.
//
// A context has a table of values in C memory (libmu.h). A handle is the number of a slot, of the context, and of how often the
// slot was taken; no handle is ever given out twice by a context. Values that are no single words, and all references, are in
// Go, and the slot has their number.
//
// Every error goes one way: leave gives it to the thread that made the call, if the thread takes errors, or reports it and
// sets the error number, or ends the process. No function panics.
package libmu

//go:generate go run ../../../cmd/internal/muapi/entries
