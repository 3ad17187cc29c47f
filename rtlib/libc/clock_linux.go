package libc

import (
	"syscall"
	"time"
	"unsafe"
)

// Numbers of clocks in this system's C.
const (
	clockRealtime     = 0
	clockMonotonic    = 1
	clockProcess      = 2
	clockMonotonicRaw = 4
)

// booted is how long the system had run at start: CLOCK_MONOTONIC then.
var booted = func() int64 {
	var t syscall.Timespec
	if _, _, n := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&t)), 0); n != 0 {
		return 0
	}
	return t.Nano()
}()

// monotonic is CLOCK_MONOTONIC in nanoseconds. Go reads the same clock without
// a system call.
func monotonic() int64 { return booted + int64(time.Since(start)) }
