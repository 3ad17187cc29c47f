package core

import "testing"

// TestPool takes all slots, frees them, and takes them again, oldest first.
func TestPool(t *testing.T) {
	const size = 3000
	p := NewPool(size, func(i int) uintptr { return 0x1000 + uintptr(i) })
	xs := make([]*Exposure, size)
	for i := range xs {
		xs[i] = &Exposure{}
		if !p.put(xs[i]) {
			t.Fatalf("slot %d: none left", i)
		}
		if p.At(xs[i].slot) != xs[i] || xs[i].addr != 0x1000+uintptr(xs[i].slot) {
			t.Fatalf("slot %d: at %#x", xs[i].slot, xs[i].addr)
		}
	}
	if p.put(&Exposure{}) {
		t.Fatal("more than the pool has")
	}
	p.drop(7)
	if p.At(7) != nil {
		t.Error("a slot that was given back is not empty")
	}
	p.drop(5)
	for _, want := range []int{7, 5} {
		x := &Exposure{}
		if !p.put(x) || x.slot != want {
			t.Errorf("slot %d, want %d", x.slot, want)
		}
	}
	for _, i := range []int{-1, size, maxPool, maxPool + 1} {
		if p.At(i) != nil {
			t.Errorf("something in slot %d", i)
		}
	}
}

// A slot is not reused immediately while there are unused ones.
func TestPoolWaits(t *testing.T) {
	p := NewPool(100000, func(i int) uintptr { return 0x1000 + uintptr(i) })
	seen := map[uintptr]bool{}
	for i := range keepFree {
		x := &Exposure{}
		p.put(x)
		p.drop(x.slot)
		if seen[x.addr] {
			t.Fatalf("round %d: used again", i)
		}
		seen[x.addr] = true
	}
}

// A slot for which no address can be made stays unused.
func TestPoolWithoutAddress(t *testing.T) {
	var addr uintptr
	p := NewPool(2, func(i int) uintptr { return addr })
	if p.put(&Exposure{}) || p.At(0) != nil {
		t.Error("something is in a slot without an address")
	}
	addr = 0x1000
	for i := range 2 {
		if x := (&Exposure{}); !p.put(x) || x.slot != i {
			t.Errorf("slot %d, want %d", x.slot, i)
		}
	}
}
