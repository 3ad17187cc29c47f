//go:build !(aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris)

package libc

import "time"

// processTime is the time since the start in nanoseconds: on this system the
// processor time is not available.
func processTime() int64 { return int64(time.Since(start)) }
