//go:build !linux

package libc

import (
	"runtime"
	"time"
)

// Numbers of clocks in this system's C; if it has none, those of Linux.
var (
	clockRealtime     = uint32(0)
	clockMonotonic    = pick(1, map[string]uint32{"darwin": 6, "ios": 6, "freebsd": 4, "dragonfly": 4, "netbsd": 3, "openbsd": 3, "solaris": 4, "illumos": 4, "aix": 10})
	clockProcess      = pick(2, map[string]uint32{"darwin": 12, "ios": 12, "freebsd": 15, "dragonfly": 15, "netbsd": 1 << 30, "solaris": 5, "illumos": 5, "aix": 11})
	clockMonotonicRaw = pick(clockMonotonic, map[string]uint32{"darwin": 4, "ios": 4})
)

func pick(other uint32, of map[string]uint32) uint32 {
	if n, ok := of[runtime.GOOS]; ok {
		return n
	}
	return other
}

// monotonic counts nanoseconds since the start.
func monotonic() int64 { return int64(time.Since(start)) }
