package gc

import (
	"testing"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/immix"
)

// Hybrids come from the window as long as they fit it, and zeroed; those that belong
// elsewhere never do, and no size or alignment makes a window overflow.
func TestHybridWindow(t *testing.T) {
	bytesType := &Type{Name: "bytes", Size: 0, Align: 1, VarStride: 1}
	vectors := &Type{Name: "vectors", Size: 16, Align: 16, VarStride: 16}
	for _, stress := range []uint64{0, 1} {
		h := testHeap(t, Options{Debug: Debug{GCVerify: true, GCStress: stress, ClobberFree: true}}, nodeType, bytesType, vectors)
		c := testThread(t, h)
		pushFrame(c, 1, 0)
		c.New(nodeType)
		for _, n := range []uint64{0, 1, 7, 8, 9, 100, 255, 256, 1000, 4000, immix.MaxMedium - 8, immix.MaxMedium - 7, 20000, 0, 3} {
			for _, typ := range []*Type{bytesType, vectors} {
				for range 20 {
					before, room := c.Cur, c.End-c.Cur
					size := (max(typ.Size+uintptr(n)*typ.VarStride, 8) + HeaderSize + 7) &^ 7
					p := c.NewHybrid(typ, n)
					if p == 0 || p%typ.Align != 0 || load64(p-HeaderSize) != uint64(typ.ID)|n<<32 {
						t.Fatalf("%s of %d: at %#x", typ.Name, n, p)
					}
					for i := range size - HeaderSize {
						if *(*byte)(unsafe.Pointer(p + i)) != 0 {
							t.Fatalf("%s of %d: byte %d is not zero", typ.Name, n, i)
						}
						*(*byte)(unsafe.Pointer(p + i)) = 0xa5 // references are not in it
					}
					bumped := p == before+HeaderSize && c.Cur == before+size
					if want := stress == 0 && typ == bytesType && size <= immix.MaxMedium && size <= room; want && !bumped || size > immix.MaxMedium && c.Cur != before {
						t.Fatalf("%s of %d: at %#x with a window from %#x of %d", typ.Name, n, p, before, room)
					}
					if c.Cur > c.End {
						t.Fatalf("%s of %d: beyond the window", typ.Name, n)
					}
				}
			}
		}
		h.collect(c, "test", true)
		for _, n := range []uint64{1 << 47, 1 << 62, 1<<64 - 1} {
			if p := c.NewHybrid(vectors, n); p != 0 {
				t.Errorf("%d vectors at %#x", n, p)
			}
		}
	}
}

// No object and no cell can have these sizes, and rounding them up does not make small ones of them.
func TestTooLarge(t *testing.T) {
	for _, size := range []uintptr{maxSize + 1, ^uintptr(0) - 16, ^uintptr(0) - 7, ^uintptr(0)} {
		typ := &Type{Name: "large", Size: size, Align: 8}
		h := testHeap(t, Options{}, typ)
		c := testThread(t, h)
		pushFrame(c, 1, 0)
		if p := c.New(typ); p != 0 {
			t.Errorf("an object of %#x bytes at %#x", size, p)
		}
		if p := c.Alloca(typ); p != 0 {
			t.Errorf("a cell of %#x bytes at %#x", size, p)
		}
	}
}
