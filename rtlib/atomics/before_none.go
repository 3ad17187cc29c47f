//go:build !ppc64 && !ppc64le && !arm

package atomics

// beforeUpdate comes before each read-modify-write. Those of sync/atomic are SEQ_CST on this machine.
func beforeUpdate() {}
