//go:build !race

package atomics

import "unsafe"

// RELEASE and RELAXED stores, and fences weaker than SEQ_CST, without a locked
// instruction. The race detector does not know that these plain stores synchronise;
// builds with it use order_generic.go.
//
// The machine: amd64 has total store order. A plain MOV of aligned 1, 2, 4 or 8
// bytes is a single access; stores become visible in program order and never before
// earlier loads have their values, which is all that RELEASE requires; loads are not
// reordered with loads, which is all that ACQUIRE requires. Only a store followed by
// a load of another location may be reordered, and only SEQ_CST forbids that:
// SEQ_CST stores remain XCHG, SEQ_CST loads MOV, which with plain release stores is
// the mapping of C11 compilers.
//
// The compiler: Go makes no promises for a plain store. It might drop the store in
// favour of a later one to the same place, combine it with neighbours, or move it
// past another access. It does none of that across the call of a function that is
// not inlined: such a call takes and yields the state of all memory, and the compiler
// assumes nothing about its effect. So each store below is the only access of such a
// function, and cannot be moved, merged or dropped. The cost is a call: somewhat
// less than an XCHG on a quiet line, and about half of one after stores that miss
// the cache.

// StoreRelease8 stores with order RELEASE.
//
//go:noinline
//go:norace
//go:nocheckptr
func StoreRelease8(addr uintptr, v uint8) { *(*uint8)(unsafe.Pointer(addr)) = v }

// StoreRelease16 stores with order RELEASE.
//
//go:noinline
//go:norace
//go:nocheckptr
func StoreRelease16(addr uintptr, v uint16) {
	if addr&1 != 0 {
		misaligned(addr, 2)
	}
	*(*uint16)(unsafe.Pointer(addr)) = v
}

// StoreRelease32 stores with order RELEASE.
//
//go:noinline
//go:norace
//go:nocheckptr
func StoreRelease32(addr uintptr, v uint32) { *(*uint32)(unsafe.Pointer(addr)) = v }

// StoreRelease64 stores with order RELEASE.
//
//go:noinline
//go:norace
//go:nocheckptr
func StoreRelease64(addr uintptr, v uint64) { *(*uint64)(unsafe.Pointer(addr)) = v }

// StoreReleaseWord stores with order RELEASE.
func StoreReleaseWord(addr, v uintptr) { StoreRelease64(addr, uint64(v)) }

// StoreRelaxed8 stores with order RELAXED.
func StoreRelaxed8(addr uintptr, v uint8) { StoreRelease8(addr, v) }

// StoreRelaxed16 stores with order RELAXED.
func StoreRelaxed16(addr uintptr, v uint16) { StoreRelease16(addr, v) }

// StoreRelaxed32 stores with order RELAXED.
func StoreRelaxed32(addr uintptr, v uint32) { StoreRelease32(addr, v) }

// StoreRelaxed64 stores with order RELAXED.
func StoreRelaxed64(addr uintptr, v uint64) { StoreRelease64(addr, v) }

// StoreRelaxedWord stores with order RELAXED.
func StoreRelaxedWord(addr, v uintptr) { StoreRelease64(addr, uint64(v)) }

// FenceAcqRel is FENCE ACQUIRE, RELEASE and ACQ_REL: the machine needs no
// instruction, and the compiler moves no access across the call.
//
//go:noinline
func FenceAcqRel() {}
