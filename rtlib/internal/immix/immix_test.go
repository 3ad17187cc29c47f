package immix

import (
	"math/rand/v2"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

func testSpace(t *testing.T, o Options) *Space {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Release)
	return s
}

// An object of these tests has its size in its header, with bit 62 set for a filler.
func sizeOf(h mem.Address) (uintptr, bool) {
	w := mem.Load64(h)
	return uintptr(w &^ (1 << 62)), w>>62&1 != 0
}

func TestLineSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		var l lineSet
		var want [linesInBlock]bool
		for range r.IntN(6) {
			first := uintptr(r.IntN(linesInBlock))
			last := min(first+uintptr(r.IntN(80)), linesInBlock-1)
			l.addRange(first, last)
			for i := first; i <= last; i++ {
				want[i] = true
			}
		}
		var got [linesInBlock]bool
		n := 0
		prev := -2
		for i := uintptr(0); ; {
			first, last, ok := l.next(i)
			if !ok {
				break
			}
			if int(first) <= prev+1 {
				t.Fatalf("run %d..%d after one to %d", first, last, prev)
			}
			for j := first; j <= last; j++ {
				got[j] = true
				n++
			}
			prev, i = int(last), last+1
		}
		if got != want || n != l.count() {
			t.Fatalf("%#x: got %v, want %v", l, got, want)
		}
		for i := range want {
			if l.has(uintptr(i)) != want[i] {
				t.Fatalf("%#x: line %d", l, i)
			}
		}
	}
}

// bump makes an object of n bytes, header included.
type bump struct {
	a              Allocator
	cur, end, long mem.Address
}

func (b *bump) make(n uintptr) (h mem.Address, ok bool) {
	if b.end.Sub(b.cur) < n {
		cur, end, ok := b.a.Small(b.cur, n)
		if !ok && n > MaxSmall {
			if h, _, ok = b.a.Long(b.long, n); !ok {
				return 0, false
			}
			b.long = h.Add(n)
			mem.Store64(h, uint64(n))
			return h, true
		}
		if !ok {
			return 0, false
		}
		b.cur, b.end = cur, end
	}
	h = b.cur
	b.cur = h.Add(n)
	mem.Store64(h, uint64(n))
	return h, true
}

// Random objects survive sweeps if and only if they are marked; new objects never overlap old
// ones; their memory is zero; Find finds the object of every interior address.
func TestSpace(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := testSpace(t, Options{Limit: 64 << 20, Clobber: seed%2 == 1})
		b := &bump{a: Allocator{Space: s}}
		live := map[mem.Address]uintptr{}
		tag := func(h mem.Address, n uintptr) uint64 { return uint64(h)*31 ^ uint64(n) }
		for round := range 60 {
			for range 300 {
				n := uintptr(16 + 8*r.IntN(12))
				switch r.IntN(12) {
				case 0:
					n = uintptr(264 + 8*r.IntN(900))
				case 1:
					n = uintptr(8 + 8*r.IntN(31) + 8)
				}
				var h mem.Address
				var ok bool
				if r.IntN(40) != 0 {
					h, ok = b.make(n)
				} else {
					n = uintptr(8200 + 8*r.IntN(8000))
					align := uintptr(8) << r.IntN(12)
					h, ok = s.NewLarge(n, align, 5)
					if (h+8)%mem.Address(align) != 0 {
						t.Fatalf("large object at %#x, alignment %d", h, align)
					}
					mem.Store64(h, uint64(n))
				}
				if !ok {
					t.Fatal("no room")
				}
				for a := h + 8; a < h.Add(n); a += 8 {
					if mem.Load64(a) != 0 {
						t.Fatalf("round %d: new memory at %#x holds %#x", round, a, mem.Load64(a))
					}
					mem.Store64(a, tag(h, n))
				}
				live[h] = n
			}
			for h, n := range live {
				for _, a := range []mem.Address{h + 8, h.Add(n), h.Add(8 + uintptr(r.IntN(int(n)-7)))} {
					if got, ok := s.Find(a, sizeOf); !ok || got != h {
						t.Fatalf("round %d: %#x is of %#x+%d, found %#x %v", round, a, h, n, got, ok)
					}
				}
			}
			if r.IntN(2) == 0 {
				s.WalkFresh(sizeOf)
				n := 0
				for h := range s.Starts {
					if live[h] == 0 {
						t.Fatalf("start bit at %#x", h)
					}
					n++
				}
				if n != len(live) {
					t.Fatalf("%d starts, %d objects", n, len(live))
				}
			}
			m := s.Marks()
			keep := r.IntN(100)
			for h, n := range live {
				if r.IntN(100) >= keep {
					delete(live, h)
					continue
				}
				if !m.Set(h+8) || m.SetAtomic(h+8) || !m.Has(h+8) || !s.IsMarked(h) {
					t.Fatal("mark bit")
				}
				if n > MaxSmall {
					s.MarkLong(h, n)
				}
			}
			b.a.Reset()
			b.cur, b.end, b.long = 0, 0, 0
			w := s.NewSweep(sizeOf)
			w.Work()
			w.Finish()
			if r.IntN(3) == 0 {
				s.Trim(uint64(r.IntN(1 << 20)))
			}
			n := 0
			for h := range s.Starts {
				if live[h] == 0 {
					t.Fatalf("round %d: dead object at %#x starts", round, h)
				}
				n++
			}
			if n != len(live) {
				t.Fatalf("round %d: %d starts, %d objects", round, n, len(live))
			}
			for h, n := range live {
				if s.LinesFree(h, n) || !s.IsStart(h) {
					t.Fatalf("round %d: object at %#x+%d on a free line", round, h, n)
				}
				for a := h + 8; a < h.Add(n); a += 8 {
					if mem.Load64(a) != tag(h, n) {
						t.Fatalf("round %d: object at %#x+%d changed", round, h, n)
					}
				}
			}
			checkCounts(t, s)
		}
	}
}

// checkCounts recounts memory and compares.
func checkCounts(t *testing.T, s *Space) {
	t.Helper()
	var used, dirty uint64
	for i := range s.top {
		switch s.block(i).state {
		case blockUsed:
			used += BlockSize
		case blockDirty:
			dirty += BlockSize
		}
	}
	h := &s.pages
	for p := h.lowPage(); p < h.endPage(); p++ {
		if *h.owner(p) > 0 {
			used += PageSize
		}
		dirty += uint64(s.chunks[p/pagesInChunk].large.dirty[p%pagesInChunk/64]>>(p&63)&1) << logPage
	}
	if used != s.used.Load() || dirty != s.dirty.Load() {
		t.Fatalf("used %d, counted %d; dirty %d, counted %d", s.used.Load(), used, s.dirty.Load(), dirty)
	}
}

// Blocks and large objects share an arena that is not much larger than the limit: each must be
// able to use the space that the other has given up.
func TestSharedArena(t *testing.T) {
	s := testSpace(t, Options{Limit: 8 << 20})
	s.arena.Size = 12 << 20
	s.pages.init(s)
	sweep := func() {
		w := s.NewSweep(sizeOf)
		w.Work()
		w.Finish()
	}
	for range 4 {
		b := &bump{a: Allocator{Space: s}}
		n := 0
		for {
			if _, ok := b.make(64); !ok {
				break
			}
			n += 64
		}
		if n < 7<<20 {
			t.Fatalf("%d bytes of small objects fit", n)
		}
		sweep()
		n = 0
		for {
			h, ok := s.NewLarge(1<<20-4096, 8, 0)
			if !ok {
				break
			}
			mem.Store64(h, 1<<20-4096)
			n++
		}
		if n < 7 {
			t.Fatalf("%d large objects fit", n)
		}
		sweep()
		checkCounts(t, s)
	}
}

// Memory is given back in whole large pages as long as there are large pages without a used block.
func TestTrimWholePages(t *testing.T) {
	if !mem.Lazy {
		t.Skip("memory does not go back")
	}
	s := testSpace(t, Options{Limit: 64 << 20})
	b := &bump{a: Allocator{Space: s}}
	for s.top < 4*blocksInHuge {
		if _, ok := b.make(64); !ok {
			t.Fatal("no room")
		}
	}
	const survivor = 3*blocksInHuge + 5 // its neighbours are the highest
	s.Marks().Set(s.blockAddress(survivor) + headerSize)
	b.a.Reset()
	w := s.NewSweep(sizeOf)
	w.Work()
	w.Finish()

	clean := func(page int32) (n int) {
		for i := page * blocksInHuge; i < (page+1)*blocksInHuge; i++ {
			if i < s.top && s.block(i).state == blockNone {
				n++
			}
		}
		return n
	}
	for _, row := range []struct {
		keep uint64
		want [4]int
	}{
		{s.dirty.Load() - 1, [4]int{0, 0, blocksInHuge, 0}},
		{mem.HugePage, [4]int{blocksInHuge, blocksInHuge, blocksInHuge, 0}},
		{10 * BlockSize, [4]int{blocksInHuge, blocksInHuge, blocksInHuge, int(s.top) - 3*blocksInHuge - 1 - 10}},
		{0, [4]int{blocksInHuge, blocksInHuge, blocksInHuge, int(s.top) - 3*blocksInHuge - 1}},
	} {
		s.Trim(row.keep)
		if got := [4]int{clean(0), clean(1), clean(2), clean(3)}; got != row.want || s.dirty.Load() > row.keep {
			t.Errorf("trim to %d: blocks given back are %v, want %v; %d bytes kept", row.keep, got, row.want, s.dirty.Load())
		}
		checkCounts(t, s)
	}
	for range 100000 {
		h, ok := b.make(64)
		if !ok || mem.Load64(h+8) != 0 || mem.Load64(h+56) != 0 {
			t.Fatal("memory that came back is not zero")
		}
	}
}
