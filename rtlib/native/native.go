// Package native is for Go programs that provide functions written in Go to their bundles
// (docs/native.md, "Functions of your own in Go"). The functions of the C library that are implemented
// in Go are in package libc, which generated code uses.
package native

import "github.com/uvm2go/uvm2go/rtlib/libc"

// Errno is the address of the C int for error numbers, of which each Mu stack has one. Error numbers
// for the zero Errno are dropped.
type Errno = libc.Errno

// Register makes a Go function callable as the native name. Its parameters
// and its result, if any, are integers (8 to 64 bits, uintptr for pointers),
// float32 or float64; a first parameter of type Errno gets the caller's. A
// function of type func(Errno, []uint64) uint64 takes any arguments as words.
//
// It is an error if the runtime itself implements the name, or if the name was registered before:
// programs may already be bound to it.
func Register(name string, f any) error { return libc.Register(name, f) }

// Symbol is the address of a native function or of the variable environ: the value of
// an EXTERN constant.
func Symbol(name string) (addr uintptr, ok bool) { return libc.Symbol(name) }
