package gc

import (
	"testing"
	"unsafe"
)

// Room finds the end of objects of all sizes, of cells, and of nothing else, and leaves the heap as it is: the objects
// that are made afterwards, in the same lines, are found by a collection.
func TestRoom(t *testing.T) {
	bytes := &Type{Name: "bytes", Size: 8, Align: 8, VarStride: 1}
	words := &Type{Name: "words", Size: 24, Align: 8}
	h := testHeap(t, Options{}, nodeType, bytes, words)
	c := testThread(t, h)
	const n = 100
	fp := pushFrame(c, n, 0)
	root := func(i int) uintptr { return fp + 8 + 8*uintptr(i) }
	check := func(what string, p, size uintptr) {
		t.Helper()
		for _, off := range []uintptr{0, 1, 8, size / 2, size - 1, size} {
			if off > size {
				continue
			}
			if got, ok := Room(c, p+off); !ok || got != size-off {
				t.Errorf("%s, offset %d of %d: %d %v", what, off, size, got, ok)
			}
		}
	}
	objects := func() {
		for i := range n {
			if i%3 == 0 {
				store(root(i), c.New(nodeType))
				check("object", load(root(i)), nodeType.Size)
				continue
			}
			length := []uint64{0, 1, 7, 300, 9000, 100_000}[i%6]
			store(root(i), c.NewHybrid(bytes, length))
			check("hybrid", load(root(i)), 8+uintptr(length))
		}
	}
	objects()
	h.collect(c, "test", true)
	for i := range n {
		if p := load(root(i)); i%3 == 0 {
			check("object that has survived", p, nodeType.Size)
		}
		store(root(i), 0)
	}
	objects()
	for i := range n {
		store(root(i), load(root(i))+1) // only into the object
	}
	h.collect(c, "test", true)
	if s := h.snapshot(); s.Objects != n {
		t.Errorf("%d objects live, want %d", s.Objects, n)
	}

	for range 50 {
		p := c.Alloca(words)
		check("stack cell", p, words.Size)
		check("hybrid stack cell", c.AllocaHybrid(bytes, 13), 8+13)
		check("stack cell below", p, words.Size)
	}
	var cells [3][3]uint64
	cell := &cells[1]
	at := uintptr(unsafe.Pointer(cell))
	if _, ok := Room(c, at); ok {
		t.Error("memory that is not managed has room")
	}
	for i := range cells {
		h.registerGlobals([]Global{{unsafe.Pointer(&cells[i]), words}})
	}
	for _, off := range []uintptr{0, 8, 16, 23} {
		if got, ok := Room(c, at+off); !ok || got != words.Size-off {
			t.Errorf("cell, offset %d: %d %v", off, got, ok)
		}
	}

	other := testThread(t, h)
	p := other.Alloca(words)
	other.Th.EnterSafe()
	check("stack cell of another thread", p, words.Size)
	other.Th.LeaveSafe()
	other.Th.Bind(nil)
	other.Th.EnterSafe()
	if got, ok := Room(c, p); !ok || got < words.Size || got > smallSegment {
		t.Errorf("stack cell of a stack at rest: %d %v", got, ok)
	}
}
