//go:build race

package race

import (
	"runtime"
	"unsafe"
)

// Enabled tells whether the race detector is built in.
const Enabled = true

// Release orders what came before it before what comes after a later Acquire of p, an
// address of Go's memory.
func Release(p unsafe.Pointer) { runtime.RaceReleaseMerge(p) }

// Acquire is the other half of Release.
func Acquire(p unsafe.Pointer) { runtime.RaceAcquire(p) }
