package main

import (
	"os"
	"runtime"
	"syscall"
)

// wasClosed reports whether a standard stream was closed when the process started. Go's
// runtime opens the null device in its place, for reading and writing. Shells and most
// programs open that device for writing only when they discard output; those that
// open it for both do it once for several streams.
func wasClosed(f *os.File) bool {
	fd := f.Fd()
	if fd > 2 {
		return false
	}
	flags, _, errno := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
	if errno != 0 || flags&syscall.O_ACCMODE != syscall.O_RDWR {
		return false
	}
	st, err := f.Stat()
	null, nullErr := os.Stat(os.DevNull)
	if err != nil || nullErr != nil || !os.SameFile(st, null) {
		return false
	}
	for other := range uintptr(3) {
		if other != fd && !differ(fd, other) {
			return false
		}
	}
	return true
}

// differ reports whether two descriptors were certainly opened separately.
func differ(a, b uintptr) bool {
	const kcmpFile = 0
	number, ok := kcmp[runtime.GOARCH]
	if !ok {
		return false
	}
	pid := uintptr(os.Getpid())
	order, _, errno := syscall.Syscall6(number, pid, pid, kcmpFile, a, b, 0)
	return errno == 0 && order != 0 || errno == syscall.EBADF
}

// kcmp has the numbers of the system call of that name.
var kcmp = map[string]uintptr{"amd64": 312, "386": 349, "arm": 378, "arm64": 272, "loong64": 272, "riscv64": 272,
	"ppc64": 354, "ppc64le": 354, "s390x": 343}
