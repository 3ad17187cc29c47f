package mem

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

func TestRegion(t *testing.T) {
	r, err := Reserve(16<<20, 4<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if r.Base%(4<<20) != 0 || r.Size != 16<<20 || !r.Contains(r.Base) || r.Contains(r.End()) {
		t.Fatalf("region %#x+%#x", r.Base, r.Size)
	}
	a := r.Base.Add(PageSize)
	if !Commit(a, 2*PageSize) {
		t.Fatal("commit failed")
	}
	for _, p := range []Address{a, a.Add(2*PageSize - 8)} {
		if Load64(p) != 0 {
			t.Fatalf("new memory at %#x holds %#x", p, Load64(p))
		}
		Store64(p, 0x1122334455667788)
	}
	if got := AtomicOr64(a, 7); got != 0x1122334455667788 || Load64(a) != 0x112233445566778f {
		t.Fatalf("or: was %#x, is %#x", got, Load64(a))
	}
	Discard(a, PageSize)
	if Load64(a) != 0 || Load64(a.Add(2*PageSize-8)) != 0x1122334455667788 {
		t.Fatal("discard is not exact")
	}
	Fill(a, 16, 0xdb)
	if Load64(a.Add(8)) != 0xdbdbdbdbdbdbdbdb || Load64(a.Add(16)) != 0 {
		t.Fatal("fill is not exact")
	}
	Clear(a, 16)
	if Load64(a.Add(8)) != 0 {
		t.Fatal("clear did not")
	}
}

func TestReserveTooMuch(t *testing.T) {
	if r, err := Reserve(^uintptr(0)-PageSize, PageSize); err == nil {
		t.Fatalf("reserved all: %#x", r.Base)
	}
	if !Lazy || longtest.Emulated() { // an emulator needs memory for all that is reserved
		return
	}
	r, err := ReserveUpTo(^uintptr(0)>>1, 1<<20, PageSize)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("reserved %d MB", r.Size>>20)
	r.Release()
}

// TestReserveBelow reserves regions below an address far from the last one, where systems that reserve upwards
// would put them, and checks that each is below the one before. The space in between is taken.
func TestReserveBelow(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system chooses addresses")
	}
	const size = 4 << 20
	r, err := Reserve(64<<20, PageSize)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	limit := r.Base / 8 * 7 &^ (PageSize - 1) // a place where nothing else is; Go's heap is at low addresses of 32 bits
	for range 20 {
		r, err := ReserveBelow(limit, size)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Release()
		if r.End() > limit || r.Size != size || !Commit(r.Base, r.Size) {
			t.Fatalf("%#x+%#x, want %#x bytes below %#x", r.Base, r.Size, size, limit)
		}
		limit = r.Base
	}
	// A large region is taken right below the limit, as QEMU places a heap below the first block of stacks.
	const small = 64 << 10
	wide, err := reserveAt(limit-2000*small, 2000*small-PageSize, PageSize)
	if err != nil {
		t.Fatal(err)
	}
	defer wide.Release()
	if below, err := ReserveBelow(limit, small); err != nil || below.End() > wide.Base {
		t.Errorf("%#x, %v, want a region below %#x", below.Base, err, wide.Base)
	} else {
		below.Release()
	}
	if r, err := ReserveBelow(PageSize, size); err == nil {
		t.Errorf("reserved %#x below a page", r.Base)
	}
}

func TestSlots(t *testing.T) {
	r, err := Reserve(1<<20, PageSize)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	s := NewSlots(r, 2048, 8)
	seen := map[Address]bool{}
	var last Address
	for {
		a, ok := s.Get()
		if !ok {
			break
		}
		if seen[a] || !s.Contains(a) || a%2048 != 0 {
			t.Fatalf("slot %#x", a)
		}
		seen[a] = true
		Store64(a, 1)
		Store64(a.Add(2040), 1)
		last = a
	}
	if len(seen) != 512 || s.InUse() != 512 {
		t.Fatalf("%d slots", len(seen))
	}
	s.Put(last)
	if a, ok := s.Get(); !ok || a != last || s.InUse() != 512 {
		t.Fatal("slot not handed out again")
	}
}

func TestPhysicalMemory(t *testing.T) {
	if n := PhysicalMemory(); n != 0 && n < 16<<20 {
		t.Fatalf("%d bytes of memory", n)
	}
}

// Any address may be prefetched.
func TestPrefetch(t *testing.T) {
	x := []Address{0, 8, 1 << 30, ^Address(0), Address(uintptr(unsafe.Pointer(t)))}
	for n := range len(x) + 1 {
		PrefetchEach(&x[0], n, 8, 16)
	}
	PrefetchRange(4096, 4096)
	PrefetchRange(4096, 4000)
	PrefetchRange(1<<30, 1<<30+8192)
}

func TestBigEndian(t *testing.T) {
	x := uint16(1)
	if first := *(*uint8)(unsafe.Pointer(&x)); (first == 0) != BigEndian {
		t.Errorf("BigEndian is %v, the first byte of 1 is %d", BigEndian, first)
	}
}
