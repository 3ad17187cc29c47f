package core

import "runtime"

// Small functions and constants for generated code.

// Is64 is 1 where addresses have 64 bits and 0 where they have 32. Offsets
// that depend on the word size are constant expressions over it.
const Is64 = ^uintptr(0) >> 63

// Unaligned means that the machine loads and stores words at every address.
const Unaligned = runtime.GOARCH == "amd64" || runtime.GOARCH == "386" || runtime.GOARCH == "arm64" || runtime.GOARCH == "ppc64le" || runtime.GOARCH == "ppc64" || runtime.GOARCH == "s390x"

// NullZone is the size of the zone at address 0 that counts as NULL.
const NullZone = 65536

// Catch ends the propagation of an exception and returns it.
func Catch(t *Ctx) uintptr {
	e := t.Exc
	t.Thrown, t.Exc = 0, 0
	return e
}
