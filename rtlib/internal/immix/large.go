package immix

import (
	"math/bits"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Large is an object with pages of its own. Its payload starts at least largeLead bytes
// after its first page's start, so an address one past the end of another object
// never looks like a part of it.
type Large struct {
	Header mem.Address // 0 when the entry is not in use
	Size   uintptr     // bytes of header and payload
	Length uint64      // the length given at allocation, for lengths that headers cannot hold

	first, n int32 // pages
}

const largeLead = 64

// largeChunk is the page table of a chunk that large objects use.
type largeChunk struct {
	owner [pagesInChunk]int32       // n > 0: object n-1; n < 0, first and last page of a free run: run -n-1; 0: neither
	dirty [pagesInChunk / 64]uint64 // free pages that hold memory
}

// pageRun is a run of free pages, in a list of runs of similar length.
type pageRun struct {
	first, n   int32
	next, prev int32 // run index+1, 0 at the ends
}

// pageHeap has the pages of large objects: everything from low up to the arena's end. Free
// runs are joined immediately and found by the power of two below their length.
type pageHeap struct {
	space    *Space
	low      mem.Address // changes under Space.mu
	huge     mem.Address // from here on large pages were asked for
	objects  []Large     // changes under Space.mu
	freeObjs []int32     // entries of objects not in use
	runs     []pageRun
	freeRuns []int32   // entries of runs not in use
	bins     [32]int32 // first run of 2^i..2^(i+1)-1 pages, index+1
}

func (h *pageHeap) init(s *Space) {
	h.space = s
	h.low = s.arena.End()
	h.huge = h.low
}

func (h *pageHeap) address(page int32) mem.Address {
	return h.space.base.Add(uintptr(page) << logPage)
}

func (h *pageHeap) lowPage() int32 { return int32(h.low.Sub(h.space.base) >> logPage) }

func (h *pageHeap) endPage() int32 { return int32(h.space.arena.Size >> logPage) }

// owner returns the table entry of a page.
func (h *pageHeap) owner(page int32) *int32 {
	return &h.space.chunks[page/pagesInChunk].large.owner[page%pagesInChunk]
}

// forDirty calls f for the runs of dirty pages among first..first+n-1 and makes them clean.
func (h *pageHeap) forDirty(first, n int32, f func(first, n int32)) {
	start := int32(-1)
	for p := first; p <= first+n; p++ {
		dirty := false
		if p < first+n {
			w := &h.space.chunks[p/pagesInChunk].large.dirty[p%pagesInChunk/64]
			if *w == 0 && p&63 == 0 && p+64 <= first+n && start < 0 {
				p += 63
				continue
			}
			dirty = *w>>(p&63)&1 != 0
			*w &^= 1 << (p & 63)
		}
		switch {
		case dirty && start < 0:
			start = p
		case !dirty && start >= 0:
			f(start, p-start)
			start = -1
		}
	}
}

func (h *pageHeap) addRun(first, n int32) {
	var r int32
	if len(h.freeRuns) > 0 {
		r = pop(&h.freeRuns)
	} else {
		h.runs = append(h.runs, pageRun{})
		r = int32(len(h.runs) - 1)
	}
	bin := bits.Len32(uint32(n)) - 1
	next := h.bins[bin]
	h.runs[r] = pageRun{first: first, n: n, next: next}
	if next != 0 {
		h.runs[next-1].prev = r + 1
	}
	h.bins[bin] = r + 1
	*h.owner(first), *h.owner(first + n - 1) = -r-1, -r-1
}

// removeRun takes run r out of its list and the page table.
func (h *pageHeap) removeRun(r int32) (first, n int32) {
	run := h.runs[r]
	if run.prev != 0 {
		h.runs[run.prev-1].next = run.next
	} else {
		h.bins[bits.Len32(uint32(run.n))-1] = run.next
	}
	if run.next != 0 {
		h.runs[run.next-1].prev = run.prev
	}
	*h.owner(run.first), *h.owner(run.first + run.n - 1) = 0, 0
	h.freeRuns = append(h.freeRuns, r)
	return run.first, run.n
}

// take returns the first of n free pages, which then have no owner; false if there is no room.
func (h *pageHeap) take(n int32) (int32, bool) {
	bin := bits.Len32(uint32(n)) - 1
	tries := 64
	for r := h.bins[bin]; r != 0 && tries > 0; r = h.runs[r-1].next {
		if h.runs[r-1].n >= n {
			return h.split(r-1, n), true
		}
		tries--
	}
	for bin++; bin < len(h.bins); bin++ {
		if r := h.bins[bin]; r != 0 {
			return h.split(r-1, n), true
		}
	}
	return h.grow(n)
}

// split takes the last n pages of run r.
func (h *pageHeap) split(r, n int32) int32 {
	first, size := h.removeRun(r)
	if size > n {
		h.addRun(first, size-n)
	}
	return first + size - n
}

// grow moves low down for n pages, counting those of a free run at low.
func (h *pageHeap) grow(n int32) (int32, bool) {
	s := h.space
	for attempt := 0; ; attempt++ {
		have := int32(0)
		if low := h.lowPage(); low < h.endPage() {
			if o := *h.owner(low); o < 0 {
				if have = h.runs[-o-1].n; have >= n {
					return h.split(-o-1, n), true
				}
			}
		}
		need := uintptr(n-have) << logPage
		bottom := s.blockAddress(s.top)
		if h.low.Sub(bottom) >= need {
			low := h.low - mem.Address(need)
			for i := low.Sub(s.base) >> logChunk; i <= (h.low.Sub(s.base)-1)>>logChunk; i++ {
				if !s.commitChunk(i) {
					return 0, false
				}
				if s.chunks[i].large == nil {
					s.chunks[i].large = new(largeChunk)
				}
			}
			if have > 0 {
				h.removeRun(-*h.owner(h.lowPage()) - 1)
			}
			h.low = low
			h.askHuge()
			return h.lowPage(), true
		}
		if attempt > 0 {
			return 0, false
		}
		s.lowerTop()
	}
}

// askHuge asks for large pages down to the one with low, unless little memory is in use.
func (h *pageHeap) askHuge() {
	a := h.low &^ (mem.HugePage - 1)
	if a < h.huge && h.space.arena.End().Sub(h.low) >= mem.HugePage {
		mem.Huge(a, h.huge.Sub(a))
		h.huge = a
	}
}

// raiseLow gives up a run of free pages at low, so that blocks can use the space. Space.mu is held.
func (h *pageHeap) raiseLow() {
	if h.lowPage() == h.endPage() {
		return
	}
	h.space.trim(0)
	if o := *h.owner(h.lowPage()); o < 0 {
		first, n := h.removeRun(-o - 1)
		h.low = h.address(first + n)
	}
}

// give takes n pages back and joins them with free neighbours.
func (h *pageHeap) give(first, n int32) {
	for p := first; p < first+n; p++ {
		*h.owner(p) = 0
		h.space.chunks[p/pagesInChunk].large.dirty[p%pagesInChunk/64] |= 1 << (p & 63)
	}
	if first > h.lowPage() {
		if o := *h.owner(first - 1); o < 0 {
			f, m := h.removeRun(-o - 1)
			first, n = f, n+m
		}
	}
	if end := first + n; end < h.endPage() {
		if o := *h.owner(end); o < 0 {
			_, m := h.removeRun(-o - 1)
			n += m
		}
	}
	h.addRun(first, n)
}

// NewLarge makes room for an object of size bytes, its header included, with a payload
// aligned to align, a power of two. The memory is zeroed and the start bit is set; the caller
// must set the header. ok is false if the limit is reached.
func (s *Space) NewLarge(size, align uintptr, length uint64) (header mem.Address, ok bool) {
	lead := max(largeLead, align)
	if align > PageSize {
		lead += largeLead
	}
	if size > s.limit || lead > s.limit {
		return 0, false
	}
	// Eight more bytes, so that the address one past the end is in the last page.
	bytes := (size - headerSize + lead + 8 + PageSize - 1) &^ (PageSize - 1)
	if bytes > s.limit || bytes>>logPage > 1<<30 {
		return 0, false
	}
	n := int32(bytes >> logPage)
	type pages struct{ first, n int32 }
	var zero []pages

	s.mu.Lock()
	h := &s.pages
	if !s.makeRoom(bytes) {
		s.mu.Unlock()
		return 0, false
	}
	first, ok := h.take(n)
	if !ok {
		s.mu.Unlock()
		return 0, false
	}
	h.forDirty(first, n, func(first, n int32) {
		zero = append(zero, pages{first, n})
		s.dirty.Add(-(uint64(n) << logPage))
	})
	var o int32
	if len(h.freeObjs) > 0 {
		o = pop(&h.freeObjs)
	} else {
		h.objects = append(h.objects, Large{})
		o = int32(len(h.objects) - 1)
	}
	for p := first; p < first+n; p++ {
		*h.owner(p) = o + 1
	}
	header = (h.address(first) + largeLead).AlignUp(align) - headerSize
	h.objects[o] = Large{Header: header, Size: size, Length: length, first: first, n: n}
	s.used.Add(uint64(bytes))
	s.Fresh.Add(uint64(bytes))
	off, mask := s.bit(header)
	*mem.At[uint64](s.starts.Add(off)) |= mask
	s.mu.Unlock()

	for _, z := range zero {
		mem.Clear(h.address(z.first), uintptr(z.n)<<logPage)
	}
	return header, true
}

// LargeLength returns the Length of the large object with header h.
func (s *Space) LargeLength(h mem.Address) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, _ := s.LargeOf(h)
	return o.Length
}

// LargeOf returns the large object whose pages a lies in. The world is stopped.
func (s *Space) LargeOf(a mem.Address) (Large, bool) {
	h := &s.pages
	if a < h.low || a >= s.arena.End() {
		return Large{}, false
	}
	o := *h.owner(int32(a.Sub(s.base) >> logPage))
	if o <= 0 {
		return Large{}, false
	}
	return h.objects[o-1], true
}

// sweepLarge frees the large objects that are not marked and returns the bytes of the
// pages of those that are.
func (s *Space) sweepLarge() (used uint64) {
	h := &s.pages
	for i := range h.objects {
		o := &h.objects[i]
		if o.Header == 0 {
			continue
		}
		off, mask := s.bit(o.Header)
		*mem.At[uint64](s.starts.Add(off)) &^= mask
		if mem.Load64(s.marks.Add(off))&mask != 0 {
			used += uint64(o.n) << logPage
			continue
		}
		if s.clobber {
			mem.Fill(h.address(o.first), uintptr(o.n)<<logPage, ClobberByte)
		}
		h.give(o.first, o.n)
		*o = Large{}
		h.freeObjs = append(h.freeObjs, int32(i))
	}
	return used
}
