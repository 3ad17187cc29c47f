//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd && !windows

package mem

import (
	"errors"
	"sync"
	"unsafe"
)

// Lazy tells whether memory is taken only when it is touched. Without memory mapping, all of
// it is taken from Go's heap when it is reserved.
const Lazy = false

var (
	pinnedMu sync.Mutex
	pinned   = map[Address][]byte{} // keeps reserved memory alive; guarded by pinnedMu
)

func reserve(_ Address, n uintptr) (a Address, err error) {
	if n > 1<<30 {
		return 0, errors.New("too much for this system")
	}
	b := make([]byte, n)
	a = Address(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	pinnedMu.Lock()
	pinned[a] = b
	pinnedMu.Unlock()
	return a, nil
}

func unreserve(a Address, n uintptr) {
	pinnedMu.Lock()
	delete(pinned, a)
	pinnedMu.Unlock()
}

// Commit makes reserved memory usable. Here it already is.
func Commit(a Address, n uintptr) bool { return true }

// Huge does nothing: there are no pages.
func Huge(a Address, n uintptr) {}

// Discard makes committed memory zero.
func Discard(a Address, n uintptr) { Clear(a, n) }

func physicalMemory() uint64 { return 0 }
