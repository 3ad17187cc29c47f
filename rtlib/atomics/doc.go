// Package atomics is atomic access to memory at raw addresses, for Mu's LOAD, STORE, CMPXCHG,
// ATOMICRMW and FENCE with a memory order (docs/language.md, "Memory"; docs/memory-model.md).
//
// Names end in the width in bits, or in Word for what is as wide as an
// address. Without an order in the name an operation is SEQ_CST:
//
//	order              LOAD           STORE           CMPXCHG, ATOMICRMW  FENCE
//	RELAXED            LoadRelaxed32  StoreRelaxed32  as SEQ_CST          -
//	CONSUME, ACQUIRE   LoadAcquire32  -               as SEQ_CST          FenceAcqRel
//	RELEASE            -              StoreRelease32  as SEQ_CST          FenceAcqRel
//	ACQ_REL            -              -               as SEQ_CST          FenceAcqRel
//	SEQ_CST            Load32         Store32         Swap32 ...          Fence
//
// Read-modify-write operations return the OLD value. CompareAndSwap returns
// the old value and whether it stored; it never fails spuriously (D44).
//
// How they are made. Words of 32 and 64 bits go to sync/atomic, which is
// sequentially consistent and which the compiler turns into instructions; it
// neither hoists, merges, tears nor drops such accesses. Bytes and halves go
// through the aligned 32-bit word around them, by compare-and-swap where the
// machine has nothing better; the neighbours in that word are never changed.
// The machine's byte order comes from build constraints. Where a machine
// offers an order weaker than SEQ_CST for less, a file for that machine says
// so with the reason (order_amd64.go); all others take order_generic.go.
//
// This package is not for Go memory, and it does not check addresses: what is
// not aligned must be refused by the caller (R-error NATIVE), who has Aligned
// for it. As a last guard the 16-bit operations that store panic with a
// *Misaligned instead of changing a neighbour.
package atomics
