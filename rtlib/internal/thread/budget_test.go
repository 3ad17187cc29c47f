package thread

import (
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Stacks are refused when less than the reserve is left, and allowed again when there is more.
func TestBudget(t *testing.T) {
	old := headroom
	defer func() { headroom = old }()
	var left uint64
	memory, asked := uint64(mem.Unlimited), 0
	headroom = func() (uint64, uint64) { asked++; return left, memory }
	takes := func(b *budget, most int) (n int) {
		for n < most && b.take(int64(n)) {
			n++
		}
		return n
	}
	var b budget
	left = reserve + 10*stackCost
	if n := takes(&b, 10); n != 10 || asked != 1 {
		t.Errorf("%d stacks, asked %d times", n, asked)
	}
	left = reserve + stackCost - 1
	if n := takes(&b, 10); n != 0 || !b.full {
		t.Errorf("%d stacks where nothing is left", n)
	}
	left = reserve + stackCost
	if n := takes(&b, 1); n != 1 || b.full {
		t.Errorf("%d stacks where there is room again", n)
	}
	left, asked = 1<<50, 0
	if n := takes(&b, 3*maxUnasked); n != 3*maxUnasked || asked != 3 {
		t.Errorf("%d stacks, asked %d times", n, asked)
	}
	memory, asked = memReserve+20*stackCost, 0
	if n := takes(&b, 20); n != 20 || asked != 1 {
		t.Errorf("%d stacks, asked %d times", n, asked)
	}
	memory = memReserve
	if n := takes(&b, 1); n != 0 {
		t.Errorf("%d stacks where the group has no memory", n)
	}
	memory = mem.Unlimited
	var poor budget
	left = reserve / 2
	if n := takes(&poor, 1<<20); n != fewStacks {
		t.Errorf("%d stacks where there never is the reserve, want %d", n, fewStacks)
	}
	var free budget
	left, asked = mem.Unlimited, 0
	if n := takes(&free, 1<<20); n != 1<<20 || asked != 1 {
		t.Errorf("%d stacks without limits, asked %d times", n, asked)
	}
}
