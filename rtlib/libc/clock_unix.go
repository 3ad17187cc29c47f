//go:build aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package libc

import "syscall"

// processTime is the processor time of the process in nanoseconds.
func processTime() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
