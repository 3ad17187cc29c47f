package atomics

import "sync/atomic"

// Fence is FENCE SEQ_CST: a full barrier, for plain accesses too.
//
// It is a sequentially consistent store and load of a variable of its own. On
// amd64 and 386 the store is XCHG, a full barrier. On arm64 the pair is STLR
// and LDAR: earlier accesses are before the store-release, that is before the
// load-acquire after it, and that before later accesses. On riscv64 and
// loong64 the store is a swap ordered with what is on both its sides, or has
// barriers around it; on the others the store or the pair holds the machine's
// full barrier (SYNC, DMB). The variable is on the caller's stack, so that
// threads do not contend for it.
func Fence() {
	var x uint32
	atomic.StoreUint32(&x, 1)
	atomic.LoadUint32(&x)
}
