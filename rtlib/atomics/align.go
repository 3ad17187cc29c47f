package atomics

import "fmt"

// Aligned reports whether an atomic access of n bytes, a power of two, is legal at
// addr (docs/language.md, "Memory"). With a constant n it is a test and a branch.
func Aligned(addr uintptr, n uintptr) bool { return addr&(n-1) == 0 }

// Misaligned is the panic of an access that would straddle two words.
type Misaligned struct {
	Addr uintptr
	Size uintptr // in bytes
}

// Error says which access was refused.
func (e *Misaligned) Error() string {
	return fmt.Sprintf("atomic access of %d bytes at misaligned address %#x", e.Size, e.Addr)
}

//go:noinline
func misaligned(addr, size uintptr) { panic(&Misaligned{addr, size}) }
