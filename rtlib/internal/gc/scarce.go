package gc

import (
	"fmt"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Where the address space of the process is limited, it is divided at the start: Go keeps goSpace, as it takes pieces of
// 64 MB for its heap, of which the first may be nearly used up, at a random place; stacks get stackSpace; objects get half
// of the rest, so that more stacks, Go and C can have the other half.
const (
	goSpace    = 80 << 20
	stackSpace = 16 << 20
	leastSpace = goSpace + stackSpace + 2*minArena
	minArena   = 24 << 20 // of the smallest heap
)

// headroom is mem.Headroom, but for tests.
var headroom, addressSpace = mem.Headroom, mem.AddressSpace

// spaceOfObjects returns how much address space objects may take, 0 for any amount. It fails where a program cannot
// start.
func spaceOfObjects() (uintptr, error) {
	space, _ := headroom()
	switch {
	case space == mem.Unlimited:
		return 0, nil
	case space < leastSpace:
		return 0, fmt.Errorf("cannot reserve %d MB of address space (limit %d MB): %d MB are left for objects, stacks and Go; raise the limit (ulimit -v)", leastSpace>>20, addressSpace()>>20, space>>20)
	}
	return uintptr(min((space-goSpace-stackSpace)/2, 1<<62)), nil
}
