// Package clib lists the functions of the C library that a program can use without C: their names,
// their signatures, and how they may be called. It is generated from the table of the runtime,
// rtlib/libc.
//
// It has no implementations. The runtime and the interpreter each have their own, without
// shared code; tests compare both with the list.
package clib

//go:generate go run ./gen

// Flags say how a native may be called; the runtime's table documents them.
type Flags uint8

const (
	Pure Flags = 1 << iota
	Exact
	Blocks
	Exits
	Calls
	Own
	Waits
)

// A Row describes a native function.
type Row struct {
	Go  string // the function of the runtime
	Sig string // the C signature in machine classes, as the runtime's table has it
	Flags
}

// Has reports whether a native has all of some flags.
func (f Flags) Has(all Flags) bool { return f&all == all }

// A Sig is a parsed signature.
type Sig struct {
	Errno    bool   // may set errno
	Result   byte   // a class; v for none
	Params   string // a class each
	Least    int    // number of required parameters
	Variadic bool   // takes further arguments
}

// Signature parses the signature.
func (r Row) Signature() Sig {
	s := r.Sig
	var sig Sig
	if s[0] == 'e' {
		sig.Errno, s = true, s[1:]
	}
	sig.Result, sig.Least = s[0], -1
	for _, c := range s[2 : len(s)-1] {
		switch c {
		case '|':
			sig.Least = len(sig.Params)
		case '*':
			sig.Variadic = true
		default:
			sig.Params += string(c)
		}
	}
	if sig.Least < 0 {
		sig.Least = len(sig.Params)
	}
	return sig
}
