package core

import (
	"slices"
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// endings are functions that run before the process ends, in reverse order.
var endings struct {
	mu   sync.Mutex
	list []func() // guarded by mu
}

// atEnd makes f run before the process ends, unless a signal or C code ends it.
func atEnd(f func()) {
	endings.mu.Lock()
	defer endings.mu.Unlock()
	if endings.list == nil {
		libc.SetExit(exit)
	}
	endings.list = append(endings.list, f)
}

// runEndings runs them once. Another thread that ends the process meanwhile waits.
func runEndings() {
	endings.mu.Lock()
	defer endings.mu.Unlock()
	for _, f := range slices.Backward(endings.list) {
		f()
	}
	endings.list = nil
}
