package libc

import (
	"syscall"
	"time"
	"unsafe"
)

// readable waits until reading from a descriptor does not block, or d has passed. It is also true if that cannot be
// known. Another reader may come first.
func readable(fd int32, d time.Duration) bool {
	var set syscall.FdSet
	bits := int32(8 * unsafe.Sizeof(set.Bits[0]))
	if fd < 0 || int(fd/bits) >= len(set.Bits) {
		return true
	}
	set.Bits[fd/bits] |= 1 << (fd % bits)
	limit := syscall.NsecToTimeval(int64(d))
	n, err := syscall.Select(int(fd)+1, &set, nil, nil, &limit)
	return n > 0 || err != nil && err != syscall.EINTR
}
