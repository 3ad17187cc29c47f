//go:build !linux

package libc

import "time"

// readable reports that it cannot be known whether reading from a descriptor blocks.
func readable(fd int32, d time.Duration) bool { return true }
