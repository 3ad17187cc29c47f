// Package mem provides memory outside Go's heap: addresses, loads and stores, and address
// space from the operating system.
//
// It does not know objects. The layers of the heap use package unsafe only here: every
// conversion of a number to a pointer is one of the functions below, all small enough to be
// inlined.
//
// Invariants: memory from this package never moves, Go's collector never looks at it, and
// it holds no Go pointers. Addresses are plain numbers; using one after its memory was
// returned to the system faults or accesses other memory.
package mem

import (
	"sync/atomic"
	"unsafe"
)

// Address is the number of a byte of memory.
type Address uintptr

// WordSize is the size in bytes of an address in memory.
const WordSize = unsafe.Sizeof(Address(0))

// Sub returns the distance in bytes from b up to a.
func (a Address) Sub(b Address) uintptr { return uintptr(a - b) }

// Add returns the address n bytes above a.
func (a Address) Add(n uintptr) Address { return a + Address(n) }

// AlignUp returns the least multiple of align, a power of two, that is at least a.
func (a Address) AlignUp(align uintptr) Address {
	return (a + Address(align) - 1) &^ (Address(align) - 1)
}

// At views the memory at a as a T, which must hold no Go pointers.
//
//go:norace
//go:nocheckptr
func At[T any](a Address) *T { return (*T)(unsafe.Pointer(uintptr(a))) }

// Load32 returns the 32-bit word at a.
//
//go:norace
//go:nocheckptr
func Load32(a Address) uint32 { return *(*uint32)(unsafe.Pointer(uintptr(a))) }

// Load64 returns the 64-bit word at a.
//
//go:norace
//go:nocheckptr
func Load64(a Address) uint64 { return *(*uint64)(unsafe.Pointer(uintptr(a))) }

// LoadAddress returns the address stored at a.
//
//go:norace
//go:nocheckptr
func LoadAddress(a Address) Address { return *(*Address)(unsafe.Pointer(uintptr(a))) }

// Store32 stores a 32-bit word.
//
//go:norace
//go:nocheckptr
func Store32(a Address, v uint32) { *(*uint32)(unsafe.Pointer(uintptr(a))) = v }

// Store64 stores a 64-bit word.
//
//go:norace
//go:nocheckptr
func Store64(a Address, v uint64) { *(*uint64)(unsafe.Pointer(uintptr(a))) = v }

// StoreAddress stores an address.
//
//go:norace
//go:nocheckptr
func StoreAddress(a, v Address) { *(*Address)(unsafe.Pointer(uintptr(a))) = v }

// AtomicOr32 sets bits of the 32-bit word at a and returns its old value.
//
//go:norace
//go:nocheckptr
func AtomicOr32(a Address, bits uint32) uint32 {
	return atomic.OrUint32((*uint32)(unsafe.Pointer(uintptr(a))), bits)
}

// AtomicOr64 sets bits of the 64-bit word at a, which must be aligned to 8, and returns its
// old value.
//
//go:norace
//go:nocheckptr
func AtomicOr64(a Address, bits uint64) uint64 {
	return atomic.OrUint64((*uint64)(unsafe.Pointer(uintptr(a))), bits)
}

// AtomicLoad64 loads the 64-bit word at a, which must be aligned to 8.
//
//go:norace
//go:nocheckptr
func AtomicLoad64(a Address) uint64 {
	return atomic.LoadUint64((*uint64)(unsafe.Pointer(uintptr(a))))
}

// Bytes views n bytes from a as a slice.
//
//go:norace
//go:nocheckptr
func Bytes(a Address, n uintptr) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(uintptr(a))), int(n))
}

// Clear stores zeros in n bytes from a.
func Clear(a Address, n uintptr) { clear(Bytes(a, n)) }

// Fill stores b in n bytes from a.
func Fill(a Address, n uintptr, b byte) {
	s := Bytes(a, n)
	for i := range s {
		s[i] = b
	}
}
