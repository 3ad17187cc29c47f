//go:build !windows && !plan9

package libc

import (
	"os"
	"syscall"
)

// again repeats a call that a signal interrupted: Go's runtime uses signals that C
// programs do not expect. A call on a descriptor in non-blocking mode may still
// return EAGAIN, as in C.
func again(f func() (int, error)) (int, error) {
	for {
		if n, err := f(); err != syscall.EINTR {
			return n, err
		}
	}
}

// sysWrite ends the process by SIGPIPE, like write in a C program, if standard output
// or error has no reader any more: Go's runtime catches the signal, but package os
// raises it for these two.
func sysWrite(fd int32, b []byte) (int, error) {
	for {
		n, err := syscall.Write(int(fd), b)
		switch {
		case err == syscall.EPIPE && fd == 1:
			os.Stdout.Write(b)
		case err == syscall.EPIPE && fd == 2:
			os.Stderr.Write(b)
		case err == syscall.EINTR:
			continue
		}
		return max(n, 0), err
	}
}

func sysRead(fd int32, b []byte) (int, error) {
	for {
		if n, err := syscall.Read(int(fd), b); err != syscall.EINTR {
			return n, err
		}
	}
}

func sysOpen(path string, flags int32, mode uint32) (int, error) {
	return again(func() (int, error) { return syscall.Open(path, int(flags), mode) })
}

func sysClose(fd int32) error { return syscall.Close(int(fd)) }

func sysUnlink(path string) error { return syscall.Unlink(path) }

func sysSeek(fd int32, offset int64, whence int32) (int64, error) {
	return syscall.Seek(int(fd), offset, int(whence))
}
