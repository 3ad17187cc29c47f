package atomics

import "sync/atomic"

// Fence is FENCE SEQ_CST: a full barrier, for plain accesses too.
//
// It is a sequentially consistent store and load of a local variable. On amd64
// and 386 the store is XCHG, a full barrier. On arm64 the pair is STLR and LDAR:
// earlier accesses are ordered before the store-release, the store-release before
// the load-acquire, and the load-acquire before later accesses. On riscv64 and
// loong64 the store is a swap that is ordered with accesses on both sides, or has
// barriers around it; on other machines the store or the pair contains the full
// barrier (SYNC, DMB). The variable is on the caller's stack, so that threads do
// not contend for it.
func Fence() {
	var x uint32
	atomic.StoreUint32(&x, 1)
	atomic.LoadUint32(&x)
}
