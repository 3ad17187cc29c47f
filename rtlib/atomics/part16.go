package atomics

import (
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
	"github.com/uvm2go/uvm2go/rtlib/internal/race"
)

// part16 finds the word around the two bytes at addr and their place in it.
//
//go:norace
//go:nocheckptr
func part16(addr uintptr) (word *uint32, shift uint) {
	if addr&1 != 0 {
		misaligned(addr, 2)
	}
	shift = uint(addr&2) * 8
	if mem.BigEndian {
		shift = 16 - shift
	}
	return (*uint32)(unsafe.Pointer(addr &^ 3)), shift
}

// Load16 loads with order SEQ_CST. It does not check the alignment of addr: a load
// cannot change neighbours, and without the check it is small enough to be inlined.
//
//go:norace
//go:nocheckptr
func Load16(addr uintptr) uint16 {
	shift := uint(addr&2) * 8
	if mem.BigEndian {
		shift = 16 - shift
	}
	if race.Enabled {
		return uint16(load32(p32(addr&^3)) >> shift)
	}
	return uint16(atomic.LoadUint32((*uint32)(unsafe.Pointer(addr&^3))) >> shift)
}

// LoadAcquire16 loads with order ACQUIRE or CONSUME.
func LoadAcquire16(addr uintptr) uint16 { return Load16(addr) }

// LoadRelaxed16 loads with order RELAXED.
func LoadRelaxed16(addr uintptr) uint16 { return Load16(addr) }

// Store16 stores with order SEQ_CST.
func Store16(addr uintptr, v uint16) { Swap16(addr, v) }

// Swap16 is ATOMICRMW XCHG.
func Swap16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	for {
		w := load32(p)
		old := uint16(w >> s)
		if cas32(p, w, w^uint32(old^v)<<s) {
			return old
		}
	}
}

// CompareAndSwap16 is CMPXCHG.
func CompareAndSwap16(addr uintptr, exp, des uint16) (old uint16, ok bool) {
	p, s := part16(addr)
	for {
		w := load32(p)
		old := uint16(w >> s)
		if old != exp {
			return old, false
		}
		if cas32(p, w, w^uint32(exp^des)<<s) {
			return old, true
		}
	}
}

// And16 is ATOMICRMW AND.
func And16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	return uint16(and32(p, ^(uint32(^v)<<s)) >> s)
}

// Or16 is ATOMICRMW OR.
func Or16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	return uint16(or32(p, uint32(v)<<s) >> s)
}

// Add16 is ATOMICRMW ADD.
func Add16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	for {
		w := load32(p)
		old := uint16(w >> s)
		if cas32(p, w, w^uint32(old^(old+v))<<s) {
			return old
		}
	}
}

// Sub16 is ATOMICRMW SUB.
func Sub16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	for {
		w := load32(p)
		old := uint16(w >> s)
		if cas32(p, w, w^uint32(old^(old-v))<<s) {
			return old
		}
	}
}

// Nand16 is ATOMICRMW NAND.
func Nand16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	for {
		w := load32(p)
		old := uint16(w >> s)
		if cas32(p, w, w^uint32(old^(^(old&v)))<<s) {
			return old
		}
	}
}

// Xor16 is ATOMICRMW XOR.
func Xor16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	for {
		w := load32(p)
		old := uint16(w >> s)
		if cas32(p, w, w^uint32(old^(old^v))<<s) {
			return old
		}
	}
}

// Max16 is ATOMICRMW MAX, signed.
func Max16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	for {
		w := load32(p)
		old := uint16(w >> s)
		if cas32(p, w, w^uint32(old^(uint16(max(int16(old), int16(v)))))<<s) {
			return old
		}
	}
}

// Min16 is ATOMICRMW MIN, signed.
func Min16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	for {
		w := load32(p)
		old := uint16(w >> s)
		if cas32(p, w, w^uint32(old^(uint16(min(int16(old), int16(v)))))<<s) {
			return old
		}
	}
}

// UMax16 is ATOMICRMW UMAX.
func UMax16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	for {
		w := load32(p)
		old := uint16(w >> s)
		if cas32(p, w, w^uint32(old^(max(old, v)))<<s) {
			return old
		}
	}
}

// UMin16 is ATOMICRMW UMIN.
func UMin16(addr uintptr, v uint16) uint16 {
	p, s := part16(addr)
	for {
		w := load32(p)
		old := uint16(w >> s)
		if cas32(p, w, w^uint32(old^(min(old, v)))<<s) {
			return old
		}
	}
}
