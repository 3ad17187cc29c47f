//go:build !arm

package atomics

// beforeStore64 comes before each store of 64 bits. Those of sync/atomic are SEQ_CST on this machine.
func beforeStore64() {}
