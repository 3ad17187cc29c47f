//go:build !wasm

package gc

import "github.com/uvm2go/uvm2go/rtlib/internal/mem"

// hostBudget is the default for StackBudget. Go's own stack grows as needed.
func hostBudget() uint64 {
	if mem.Lazy {
		return 64 << 20
	}
	return 16 << 20
}
