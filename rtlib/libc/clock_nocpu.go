//go:build !(aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris)

package libc

import "time"

// processTime is the time since the start: this system does not tell what of
// it was the processor's.
func processTime() int64 { return int64(time.Since(start)) }
