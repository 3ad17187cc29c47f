//go:build ppc64 || ppc64le

package atomics

// beforeUpdate comes before each read-modify-write. Go's compiler and package sync/atomic put LWSYNC before it here,
// which does not order an earlier store with the read: POWER then allows that of two SEQ_CST stores of a thread, the
// second of which is a swap, another thread sees only the second, although its own load is SEQ_CST.
func beforeUpdate() { Fence() }
