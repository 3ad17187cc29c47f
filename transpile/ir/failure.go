package ir

import "fmt"

// Failure is the kind of an error that a FAIL instruction reports. The words are the kinds of
// run-time errors (docs/language.md, "Run-time errors").
type Failure uint8

// The failures.
const (
	FailTrap Failure = iota // a check of the program's own
	FailUnreachable
	FailDivByZero
	FailOverflow
	FailNullRef
	FailNullFunc
	FailBadSignature
	FailBounds
	FailType
	FailNoResource
	FailOutOfMemory
	FailNative
	NumFailures
)

var failureNames = [NumFailures]string{
	FailTrap: "TRAP", FailUnreachable: "UNREACHABLE", FailDivByZero: "DIV_BY_ZERO", FailOverflow: "OVERFLOW",
	FailNullRef: "NULL_REF", FailNullFunc: "NULL_FUNC", FailBadSignature: "BAD_SIGNATURE", FailBounds: "BOUNDS",
	FailType: "TYPE", FailNoResource: "NO_RESOURCE", FailOutOfMemory: "OUT_OF_MEMORY", FailNative: "NATIVE",
}

// String returns the word of the failure.
func (f Failure) String() string {
	if f < NumFailures {
		return failureNames[f]
	}
	return fmt.Sprintf("%d", uint8(f))
}

// FailureByName finds a failure by its word.
func FailureByName(s string) (Failure, bool) {
	for i, n := range failureNames {
		if n == s {
			return Failure(i), true
		}
	}
	return 0, false
}

// NullText is the text of a report of NULL_REF at an access, after the kind: some dialects tell
// pointers from references. It is "" for accesses without the flags that tell.
func (in *Inst) NullText() string {
	switch {
	case in.Has(FlagPointer):
		return "null pointer dereference"
	case in.Has(FlagObject):
		return "null reference"
	}
	return ""
}
