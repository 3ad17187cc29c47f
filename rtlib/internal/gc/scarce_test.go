package gc

import (
	"strings"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// A limited address space is divided between objects, stacks and Go; too small a one is an error that names the limit.
func TestScarceSpace(t *testing.T) {
	oldRoom, oldLimit := headroom, addressSpace
	defer func() { headroom, addressSpace = oldRoom, oldLimit }()
	var left uint64
	headroom = func() (uint64, uint64) { return left, mem.Unlimited }
	addressSpace = func() uint64 { return 750 << 20 }
	for _, tt := range []struct {
		left uint64
		want uintptr
	}{
		{mem.Unlimited, 0},
		{leastSpace, minArena},
		{goSpace + stackSpace + 1<<30, 1 << 29},
	} {
		left = tt.left
		if got, err := spaceOfObjects(); got != tt.want || err != nil {
			t.Errorf("%d bytes left: %d, %v, want %d", left, got, err, tt.want)
		}
	}
	left = leastSpace - 1
	const want = "cannot reserve 144 MB of address space (limit 750 MB): 143 MB are left for objects, stacks and Go; raise the limit (ulimit -v)"
	if _, err := spaceOfObjects(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := newHeap().init(Options{}); err == nil || !strings.Contains(err.Error(), "cannot reserve 144 MB") {
		t.Errorf("a heap: %v", err)
	}
	left = leastSpace
	h := newHeap()
	if err := h.init(Options{}); err != nil {
		t.Fatal(err)
	}
	defer h.close()
	if used := h.space.Span(); used > minArena || h.stats.Limit > minArena || h.stats.Limit < 1<<20 {
		t.Errorf("%d bytes of address space, %d for objects, in %d", used, h.stats.Limit, minArena)
	}
}
