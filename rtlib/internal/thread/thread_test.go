package thread

import (
	"testing"
	"unsafe"
)

func TestTable(t *testing.T) {
	var tab table[int]
	vals := make([]int, 3*chunkSize)
	for i := range vals {
		if n := tab.put(&vals[i]); n != uint64(i)+1 {
			t.Fatalf("number %d, want %d", n, i+1)
		}
	}
	for i := range vals {
		if tab.get(uint64(i)+1) != &vals[i] {
			t.Fatalf("number %d is something else", i+1)
		}
	}
	for _, n := range []uint64{0, uint64(len(vals)) + 1, maxChunks << chunkBits, 1 << 63} {
		if p := tab.get(n); p != nil {
			t.Errorf("number %d is %v", n, p)
		}
	}
	tab.drop(7)
	tab.drop(5000)
	if tab.get(7) != nil || tab.put(&vals[0]) != 5000 || tab.put(&vals[1]) != 7 || tab.get(7) != &vals[1] {
		t.Error("numbers are not used again")
	}
}

var loaded = [2]uint64{0x8877665544332211, 0x1100ffeeddccbbaa}

func TestLoad(t *testing.T) {
	p := unsafe.Pointer(&loaded)
	for i := range uintptr(16) {
		if got, want := load(uintptr(p)+i, 8), uint64(*(*uint8)(unsafe.Add(p, i))); got != want {
			t.Errorf("byte %d: %#x, want %#x", i, got, want)
		}
		if got, want := load(uintptr(p)+i&^1, 16), uint64(*(*uint16)(unsafe.Add(p, i&^1))); got != want {
			t.Errorf("16 bits at %d: %#x, want %#x", i&^1, got, want)
		}
		if got, want := load(uintptr(p)+i&^3, 32), uint64(*(*uint32)(unsafe.Add(p, i&^3))); got != want {
			t.Errorf("32 bits at %d: %#x, want %#x", i&^3, got, want)
		}
		if got, want := load(uintptr(p)+i&^7, 64), *(*uint64)(unsafe.Add(p, i&^7)); got != want {
			t.Errorf("64 bits at %d: %#x, want %#x", i&^7, got, want)
		}
	}
}

// TestPins checks that pins are counted for each location (docs/native.md, "Values").
func TestPins(t *testing.T) {
	th := &Thread{}
	steps := []struct {
		unpin bool
		addr  uintptr
		ok    bool
		left  int
	}{
		{true, 8, false, 0}, {false, 8, true, 1}, {false, 8, true, 1}, {false, 16, true, 2},
		{true, 8, true, 2}, {true, 8, true, 1}, {true, 8, false, 1}, {true, 16, true, 0}, {true, 16, false, 0},
	}
	for i, s := range steps {
		ok := true
		if s.unpin {
			ok = th.Unpin(s.addr)
		} else {
			th.Pin(s.addr)
		}
		if ok != s.ok || locations(&th.pins) != s.left {
			t.Errorf("step %d: %v, %d locations; want %v, %d", i, ok, locations(&th.pins), s.ok, s.left)
		}
	}
}
