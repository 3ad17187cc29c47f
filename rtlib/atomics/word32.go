package atomics

import "unsafe"

//go:norace
//go:nocheckptr
func p32(addr uintptr) *uint32 { return (*uint32)(unsafe.Pointer(addr)) }

// Load32 loads with order SEQ_CST.
func Load32(addr uintptr) uint32 { return load32(p32(addr)) }

// LoadAcquire32 loads with order ACQUIRE or CONSUME.
func LoadAcquire32(addr uintptr) uint32 { return load32(p32(addr)) }

// LoadRelaxed32 loads with order RELAXED.
func LoadRelaxed32(addr uintptr) uint32 { return load32(p32(addr)) }

// Store32 stores with order SEQ_CST.
func Store32(addr uintptr, v uint32) { store32(p32(addr), v) }

// Swap32 is ATOMICRMW XCHG.
func Swap32(addr uintptr, v uint32) uint32 { return swap32(p32(addr), v) }

// CompareAndSwap32 is CMPXCHG. After a failure it loads the location for the result; if that is
// the expected value by then, it tries again.
func CompareAndSwap32(addr uintptr, exp, des uint32) (old uint32, ok bool) {
	for {
		if cas32(p32(addr), exp, des) {
			return exp, true
		}
		if old := Load32(addr); old != exp {
			return old, false
		}
	}
}

// Add32 is ATOMICRMW ADD.
func Add32(addr uintptr, v uint32) uint32 { return add32(p32(addr), v) - v }

// Sub32 is ATOMICRMW SUB.
func Sub32(addr uintptr, v uint32) uint32 { return add32(p32(addr), -v) + v }

// And32 is ATOMICRMW AND.
func And32(addr uintptr, v uint32) uint32 { return and32(p32(addr), v) }

// Or32 is ATOMICRMW OR.
func Or32(addr uintptr, v uint32) uint32 { return or32(p32(addr), v) }

// Nand32 is ATOMICRMW NAND.
func Nand32(addr uintptr, v uint32) uint32 {
	for {
		if old := Load32(addr); cas32(p32(addr), old, ^(old & v)) {
			return old
		}
	}
}

// Xor32 is ATOMICRMW XOR.
func Xor32(addr uintptr, v uint32) uint32 {
	for {
		if old := Load32(addr); cas32(p32(addr), old, old^v) {
			return old
		}
	}
}

// Max32 is ATOMICRMW MAX, signed.
func Max32(addr uintptr, v uint32) uint32 {
	for {
		if old := Load32(addr); cas32(p32(addr), old, uint32(max(int32(old), int32(v)))) {
			return old
		}
	}
}

// Min32 is ATOMICRMW MIN, signed.
func Min32(addr uintptr, v uint32) uint32 {
	for {
		if old := Load32(addr); cas32(p32(addr), old, uint32(min(int32(old), int32(v)))) {
			return old
		}
	}
}

// UMax32 is ATOMICRMW UMAX.
func UMax32(addr uintptr, v uint32) uint32 {
	for {
		if old := Load32(addr); cas32(p32(addr), old, max(old, v)) {
			return old
		}
	}
}

// UMin32 is ATOMICRMW UMIN.
func UMin32(addr uintptr, v uint32) uint32 {
	for {
		if old := Load32(addr); cas32(p32(addr), old, min(old, v)) {
			return old
		}
	}
}
