package thread

import (
	"math/rand/v2"
	"testing"
)

// A pinSet behaves as a map from locations to counts.
func TestPinSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var p pinSet
	model := map[uintptr]int{}
	for step := range 20000 {
		addr := uintptr(r.IntN(30)) * 8
		if r.IntN(2) == 0 {
			p.add(addr)
			model[addr]++
		} else {
			want := model[addr] > 0
			if got := p.remove(addr); got != want {
				t.Fatalf("step %d: remove gave %v, want %v", step, got, want)
			}
			if want {
				if model[addr]--; model[addr] == 0 {
					delete(model, addr)
				}
			}
		}
		if n := locations(&p); n != len(model) || p.empty() != (n == 0) {
			t.Fatalf("step %d: %d locations, empty: %v, want %d", step, n, p.empty(), len(model))
		}
	}
	seen := map[uintptr]bool{}
	p.each(func(a uintptr) { seen[a] = true })
	for a := range model {
		if !seen[a] {
			t.Errorf("%#x was not visited", a)
		}
	}
	if len(seen) != len(model) {
		t.Errorf("%d visited, want %d", len(seen), len(model))
	}
}

// locations counts the locations that a set visits.
func locations(p *pinSet) int {
	seen := map[uintptr]bool{}
	p.each(func(a uintptr) { seen[a] = true })
	return len(seen)
}
