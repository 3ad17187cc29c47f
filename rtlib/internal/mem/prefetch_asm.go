//go:build amd64 || arm64

package mem

// Go has no prefetch intrinsics for packages outside its runtime. A prefetch of an address
// that is not mapped does nothing.

// PrefetchEach asks the processor for the memory before bytes below and after bytes
// above each of the n addresses at a.
//
//go:noescape
func PrefetchEach(a *Address, n int, before, after uintptr)

// PrefetchRange asks the processor for the memory from a up to end.
//
//go:noescape
func PrefetchRange(a, end Address)
