package atomics

import "unsafe"

// Package sync/atomic requires 64-bit operands aligned to 8 bytes on 32-bit machines
// too, and panics for others.

//go:norace
//go:nocheckptr
func p64(addr uintptr) *uint64 { return (*uint64)(unsafe.Pointer(addr)) }

// Load64 loads with order SEQ_CST.
func Load64(addr uintptr) uint64 { return load64(p64(addr)) }

// LoadAcquire64 loads with order ACQUIRE or CONSUME.
func LoadAcquire64(addr uintptr) uint64 { return load64(p64(addr)) }

// LoadRelaxed64 loads with order RELAXED.
func LoadRelaxed64(addr uintptr) uint64 { return load64(p64(addr)) }

// Store64 stores with order SEQ_CST.
func Store64(addr uintptr, v uint64) { store64(p64(addr), v) }

// Swap64 is ATOMICRMW XCHG.
func Swap64(addr uintptr, v uint64) uint64 { return swap64(p64(addr), v) }

// CompareAndSwap64 is CMPXCHG. After a failure it loads the location for the result; if that is
// the expected value by then, it tries again.
func CompareAndSwap64(addr uintptr, exp, des uint64) (old uint64, ok bool) {
	for {
		if cas64(p64(addr), exp, des) {
			return exp, true
		}
		if old := Load64(addr); old != exp {
			return old, false
		}
	}
}

// Add64 is ATOMICRMW ADD.
func Add64(addr uintptr, v uint64) uint64 { return add64(p64(addr), v) - v }

// Sub64 is ATOMICRMW SUB.
func Sub64(addr uintptr, v uint64) uint64 { return add64(p64(addr), -v) + v }

// And64 is ATOMICRMW AND.
func And64(addr uintptr, v uint64) uint64 { return and64(p64(addr), v) }

// Or64 is ATOMICRMW OR.
func Or64(addr uintptr, v uint64) uint64 { return or64(p64(addr), v) }

// Nand64 is ATOMICRMW NAND.
func Nand64(addr uintptr, v uint64) uint64 {
	for {
		if old := Load64(addr); cas64(p64(addr), old, ^(old & v)) {
			return old
		}
	}
}

// Xor64 is ATOMICRMW XOR.
func Xor64(addr uintptr, v uint64) uint64 {
	for {
		if old := Load64(addr); cas64(p64(addr), old, old^v) {
			return old
		}
	}
}

// Max64 is ATOMICRMW MAX, signed.
func Max64(addr uintptr, v uint64) uint64 {
	for {
		if old := Load64(addr); cas64(p64(addr), old, uint64(max(int64(old), int64(v)))) {
			return old
		}
	}
}

// Min64 is ATOMICRMW MIN, signed.
func Min64(addr uintptr, v uint64) uint64 {
	for {
		if old := Load64(addr); cas64(p64(addr), old, uint64(min(int64(old), int64(v)))) {
			return old
		}
	}
}

// UMax64 is ATOMICRMW UMAX.
func UMax64(addr uintptr, v uint64) uint64 {
	for {
		if old := Load64(addr); cas64(p64(addr), old, max(old, v)) {
			return old
		}
	}
}

// UMin64 is ATOMICRMW UMIN.
func UMin64(addr uintptr, v uint64) uint64 {
	for {
		if old := Load64(addr); cas64(p64(addr), old, min(old, v)) {
			return old
		}
	}
}
