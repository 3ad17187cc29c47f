package atomics

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// part8 finds the word around the byte at addr and the byte's place in it.
//
//go:norace
//go:nocheckptr
func part8(addr uintptr) (word *uint32, shift uint) {
	shift = uint(addr&3) * 8
	if mem.BigEndian {
		shift = 24 - shift
	}
	return (*uint32)(unsafe.Pointer(addr &^ 3)), shift
}

// Load8 loads with order SEQ_CST.
func Load8(addr uintptr) uint8 {
	p, s := part8(addr)
	return uint8(load32(p) >> s)
}

// LoadAcquire8 loads with order ACQUIRE or CONSUME.
func LoadAcquire8(addr uintptr) uint8 { return Load8(addr) }

// LoadRelaxed8 loads with order RELAXED.
func LoadRelaxed8(addr uintptr) uint8 { return Load8(addr) }

// Store8 stores with order SEQ_CST.
func Store8(addr uintptr, v uint8) { Swap8(addr, v) }

// Swap8 is ATOMICRMW XCHG.
func Swap8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	for {
		w := load32(p)
		old := uint8(w >> s)
		if cas32(p, w, w^uint32(old^v)<<s) {
			return old
		}
	}
}

// CompareAndSwap8 is CMPXCHG.
func CompareAndSwap8(addr uintptr, exp, des uint8) (old uint8, ok bool) {
	p, s := part8(addr)
	for {
		w := load32(p)
		old := uint8(w >> s)
		if old != exp {
			return old, false
		}
		if cas32(p, w, w^uint32(exp^des)<<s) {
			return old, true
		}
	}
}

// And8 is ATOMICRMW AND.
func And8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	return uint8(and32(p, ^(uint32(^v)<<s)) >> s)
}

// Or8 is ATOMICRMW OR.
func Or8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	return uint8(or32(p, uint32(v)<<s) >> s)
}

// Add8 is ATOMICRMW ADD.
func Add8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	for {
		w := load32(p)
		old := uint8(w >> s)
		if cas32(p, w, w^uint32(old^(old+v))<<s) {
			return old
		}
	}
}

// Sub8 is ATOMICRMW SUB.
func Sub8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	for {
		w := load32(p)
		old := uint8(w >> s)
		if cas32(p, w, w^uint32(old^(old-v))<<s) {
			return old
		}
	}
}

// Nand8 is ATOMICRMW NAND.
func Nand8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	for {
		w := load32(p)
		old := uint8(w >> s)
		if cas32(p, w, w^uint32(old^(^(old&v)))<<s) {
			return old
		}
	}
}

// Xor8 is ATOMICRMW XOR.
func Xor8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	for {
		w := load32(p)
		old := uint8(w >> s)
		if cas32(p, w, w^uint32(old^(old^v))<<s) {
			return old
		}
	}
}

// Max8 is ATOMICRMW MAX, signed.
func Max8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	for {
		w := load32(p)
		old := uint8(w >> s)
		if cas32(p, w, w^uint32(old^(uint8(max(int8(old), int8(v)))))<<s) {
			return old
		}
	}
}

// Min8 is ATOMICRMW MIN, signed.
func Min8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	for {
		w := load32(p)
		old := uint8(w >> s)
		if cas32(p, w, w^uint32(old^(uint8(min(int8(old), int8(v)))))<<s) {
			return old
		}
	}
}

// UMax8 is ATOMICRMW UMAX.
func UMax8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	for {
		w := load32(p)
		old := uint8(w >> s)
		if cas32(p, w, w^uint32(old^(max(old, v)))<<s) {
			return old
		}
	}
}

// UMin8 is ATOMICRMW UMIN.
func UMin8(addr uintptr, v uint8) uint8 {
	p, s := part8(addr)
	for {
		w := load32(p)
		old := uint8(w >> s)
		if cas32(p, w, w^uint32(old^(min(old, v)))<<s) {
			return old
		}
	}
}
