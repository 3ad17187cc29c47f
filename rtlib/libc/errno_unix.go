//go:build !windows && !plan9

package libc

import (
	"errors"
	"syscall"
)

// Error numbers that natives set themselves, as this system's C has them.
const (
	eDOM      = int32(syscall.EDOM)
	eBADF     = int32(syscall.EBADF)
	eINVAL    = int32(syscall.EINVAL)
	eIO       = int32(syscall.EIO)
	eNOMEM    = int32(syscall.ENOMEM)
	eOVERFLOW = int32(syscall.EOVERFLOW)
	eRANGE    = int32(syscall.ERANGE)
)

// number is the C error number of err.
func number(err error) int32 {
	var n syscall.Errno
	if errors.As(err, &n) {
		return int32(n)
	}
	return eIO
}
