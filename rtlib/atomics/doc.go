// Package atomics implements atomic access to memory at raw addresses, for Mu's LOAD, STORE,
// CMPXCHG, ATOMICRMW and FENCE with a memory order (docs/language.md, "Memory";
// docs/memory-model.md).
//
// Names end in the width in bits, or in Word for the width of an address. Without an
// order in the name an operation is SEQ_CST:
//
//	order              LOAD           STORE           CMPXCHG, ATOMICRMW  FENCE
//	RELAXED            LoadRelaxed32  StoreRelaxed32  as SEQ_CST          -
//	CONSUME, ACQUIRE   LoadAcquire32  -               as SEQ_CST          FenceAcqRel
//	RELEASE            -              StoreRelease32  as SEQ_CST          FenceAcqRel
//	ACQ_REL            -              -               as SEQ_CST          FenceAcqRel
//	SEQ_CST            Load32         Store32         Swap32 ...          Fence
//
// Read-modify-write operations return the OLD value. CompareAndSwap returns the
// old value and whether it stored; it never fails spuriously.
//
// Implementation. Accesses of 32 and 64 bits use sync/atomic, which is sequentially
// consistent, but for read-modify-writes on ppc64 and arm and stores of 64 bits on arm (before_full.go, store_arm.go), and which the compiler
// turns into instructions; it neither hoists, merges, tears nor drops such accesses. Accesses of 8 and 16 bits use the aligned 32-bit word
// that contains them, with compare-and-swap if the machine has nothing better; they
// never change the neighbours in that word. Build constraints select the machine's byte
// order. If an order weaker than SEQ_CST is cheaper on a machine, a file for that
// machine implements it and gives the reason (order_amd64.go); all others use
// order_generic.go.
//
// This package is not for Go memory, and it does not check addresses: the caller must
// refuse addresses that are not aligned, with the error NATIVE, and can use Aligned to
// test them. As a last guard the 16-bit operations that store panic with a *Misaligned
// instead of changing a neighbour.
package atomics
