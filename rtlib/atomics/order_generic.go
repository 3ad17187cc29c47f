//go:build !amd64 || race

package atomics

// Orders weaker than SEQ_CST cost the same here as SEQ_CST: package sync/atomic
// offers nothing weaker, and a plain store could be moved or merged by the
// compiler.

// StoreRelaxed8 stores with order RELAXED.
func StoreRelaxed8(addr uintptr, v uint8) { Store8(addr, v) }

// StoreRelease8 stores with order RELEASE.
func StoreRelease8(addr uintptr, v uint8) { Store8(addr, v) }

// StoreRelaxed16 stores with order RELAXED.
func StoreRelaxed16(addr uintptr, v uint16) { Store16(addr, v) }

// StoreRelease16 stores with order RELEASE.
func StoreRelease16(addr uintptr, v uint16) { Store16(addr, v) }

// StoreRelaxed32 stores with order RELAXED.
func StoreRelaxed32(addr uintptr, v uint32) { Store32(addr, v) }

// StoreRelease32 stores with order RELEASE.
func StoreRelease32(addr uintptr, v uint32) { Store32(addr, v) }

// StoreRelaxed64 stores with order RELAXED.
func StoreRelaxed64(addr uintptr, v uint64) { Store64(addr, v) }

// StoreRelease64 stores with order RELEASE.
func StoreRelease64(addr uintptr, v uint64) { Store64(addr, v) }

// StoreRelaxedWord stores with order RELAXED.
func StoreRelaxedWord(addr, v uintptr) { StoreWord(addr, v) }

// StoreReleaseWord stores with order RELEASE.
func StoreReleaseWord(addr, v uintptr) { StoreWord(addr, v) }

// FenceAcqRel is FENCE ACQUIRE, RELEASE and ACQ_REL.
func FenceAcqRel() { Fence() }
