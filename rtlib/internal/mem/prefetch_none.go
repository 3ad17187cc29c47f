//go:build !amd64 && !arm64

package mem

// PrefetchEach asks the processor for the memory before bytes below and after bytes
// above each of the n addresses at a. Here it does nothing.
func PrefetchEach(a *Address, n int, before, after uintptr) {}

// PrefetchRange asks the processor for the memory from a up to end. Here it does nothing.
func PrefetchRange(a, end Address) {}
