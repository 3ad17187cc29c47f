package passes

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// TestHolds compares the tables of number with maps.
func TestHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var h holds
	for range 50 {
		h.reserve(r.IntN(200), 20)
		type mark struct {
			log   int
			exprs map[expr]ir.ValueID
			facts map[ir.ValueID]ir.ValueID
			safe  map[ir.ValueID]bool
		}
		now := mark{0, map[expr]ir.ValueID{}, map[ir.ValueID]ir.ValueID{}, map[ir.ValueID]bool{}}
		var stack []mark
		for range 400 {
			x := ir.ValueID(1 + r.IntN(40)) // some made since reserve
			switch r.IntN(5) {
			case 0:
				stack = append(stack, mark{len(h.log), maps.Clone(now.exprs), maps.Clone(now.facts), maps.Clone(now.safe)})
			case 1:
				if n := len(stack); n > 0 {
					h.undo(stack[n-1].log)
					now, stack = stack[n-1], stack[:n-1]
				}
			case 2:
				e := expr{op: ir.OpAdd, imm: uint64(r.IntN(3)), args: [3]ir.ValueID{x, ir.ValueID(r.IntN(3))}}
				if got := h.seen(e, x); got != now.exprs[e] {
					t.Fatalf("%v is %d, want %d", e, got, now.exprs[e])
				} else if got == 0 {
					now.exprs[e] = x
				}
			case 3:
				if got := h.fact(x); got != now.facts[x] {
					t.Fatalf("fact of %d is %d, want %d", x, got, now.facts[x])
				} else if got == 0 {
					h.setFact(x, 1)
					now.facts[x] = 1
				}
			case 4:
				if got := h.safe(x); got != now.safe[x] {
					t.Fatalf("safe of %d is %v", x, got)
				} else if !got {
					h.setSafe(x)
					now.safe[x] = true
				}
			}
		}
		h.undo(0)
		if len(h.exprs) > 0 || slices.ContainsFunc(h.buckets, func(i int32) bool { return i != 0 }) ||
			slices.ContainsFunc(h.facts, func(x ir.ValueID) bool { return x != 0 }) || slices.Contains(h.trusted, true) {
			t.Fatal("not empty in the end")
		}
	}
}
