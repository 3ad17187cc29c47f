//go:build ppc64 || ppc64le || arm

package atomics

// beforeUpdate comes before each read-modify-write. On ppc64 Go's compiler and package sync/atomic put LWSYNC before it,
// which does not order an earlier store with the read: POWER then allows that of two SEQ_CST stores of a thread, the
// second of which is a swap, another thread sees only the second, although its own load is SEQ_CST. On arm they put DMB ISHST
// between its read and its write, which does not order an earlier plain load with the write: a thread that acquires
// what was written may then change what the load reads.
func beforeUpdate() { Fence() }
