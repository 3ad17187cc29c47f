package libc

// Pin is uvmPin: from now on the OS thread of the caller runs only on processor n, counted round, of those that the process
// may use; on all of them if n is negative. The result is 0, or -1 where the system cannot do that. A Mu thread may change
// its OS thread wherever it waits: a caller for which that matters pins again from time to time.
func Pin(n uint32) uint32 {
	if !pin(int(int32(n))) {
		return ^uint32(0)
	}
	return 0
}
