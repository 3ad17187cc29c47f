package atomics

import "unsafe"

// Addresses: references and pointers have only these operations (docs/language.md, "Memory").

//go:norace
//go:nocheckptr
func pWord(addr uintptr) *uintptr { return (*uintptr)(unsafe.Pointer(addr)) }

// LoadWord loads with order SEQ_CST.
func LoadWord(addr uintptr) uintptr { return loadWord(pWord(addr)) }

// LoadAcquireWord loads with order ACQUIRE or CONSUME.
func LoadAcquireWord(addr uintptr) uintptr { return loadWord(pWord(addr)) }

// LoadRelaxedWord loads with order RELAXED.
func LoadRelaxedWord(addr uintptr) uintptr { return loadWord(pWord(addr)) }

// StoreWord stores with order SEQ_CST.
func StoreWord(addr, v uintptr) { storeWord(pWord(addr), v) }

// SwapWord is ATOMICRMW XCHG.
func SwapWord(addr, v uintptr) uintptr { return swapWord(pWord(addr), v) }

// CompareAndSwapWord is CMPXCHG.
func CompareAndSwapWord(addr, exp, des uintptr) (old uintptr, ok bool) {
	for {
		if casWord(pWord(addr), exp, des) {
			return exp, true
		}
		if old := LoadWord(addr); old != exp {
			return old, false
		}
	}
}
