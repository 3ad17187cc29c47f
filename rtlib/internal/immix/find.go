package immix

import (
	"math/bits"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Find returns the header of the object that address a may belong to: the one with the
// greatest payload start at or below a, in the same block or pages. The caller must check
// whether a is within the object, including its end. The world is stopped; several goroutines
// may call Find at the same time.
//
//  1. Objects made since the last collection have no start bits. If the line is fresh, its
//     run is walked once and the bits are set.
//  2. The start bitmap is searched backwards from a.
func (s *Space) Find(a mem.Address, sizeOf SizeFunc) (mem.Address, bool) {
	return s.find(a, sizeOf, (*Space).walk)
}

// FindInUse is Find while threads keep their allocation windows: no start bits are set, because a run whose bits are
// set must not get more objects.
func (s *Space) FindInUse(a mem.Address, sizeOf SizeFunc) (mem.Address, bool) {
	return s.find(a, sizeOf, nil)
}

func (s *Space) find(a mem.Address, sizeOf SizeFunc, walk func(s *Space, base mem.Address, b *Block, line uintptr, sizeOf SizeFunc)) (mem.Address, bool) {
	if a.Sub(s.base) >= s.arena.Size {
		return 0, false
	}
	if a >= s.pages.low {
		o, ok := s.LargeOf(a)
		return o.Header, ok && a >= o.Header.Add(headerSize)
	}
	i := int32(a.Sub(s.base) >> logBlock)
	if i >= s.top {
		return 0, false
	}
	b := s.block(i)
	base := s.blockAddress(i)
	if b.state != blockUsed || a < base.Add(headerSize) {
		return 0, false
	}
	h := a - headerSize
	if line := h.Sub(base) >> logLine; b.fresh.has(line) && !b.walked.has(line) {
		if walk == nil {
			return s.lastStart(base, b, line, h, sizeOf)
		}
		walk(s, base, b, line, sizeOf)
	}
	// Search backwards over the words of the bitmap that belong to the block.
	g := h.Sub(s.base) >> logGranule
	first := base.Sub(s.base) >> (logGranule + 6)
	w := g >> 6
	word := mem.AtomicLoad64(s.starts.Add(w<<3)) & (^uint64(0) >> (63 - g&63))
	for word == 0 {
		if w == first {
			return 0, false
		}
		w--
		word = mem.AtomicLoad64(s.starts.Add(w << 3))
	}
	g = w<<6 + uintptr(63-bits.LeadingZeros64(word))
	return s.base.Add(g << logGranule), true
}

// walk sets the start bits of the run of fresh lines around line.
func (s *Space) walk(base mem.Address, b *Block, line uintptr, sizeOf SizeFunc) {
	first, last := b.runStart(line), line
	for last+1 < linesInBlock && b.fresh.has(last+1) {
		last++
	}
	p, end := base.Add(first<<logLine), base.Add(min((last+1)<<logLine, blockUse))
	for p < end && mem.Load64(p) != 0 {
		n, filler := sizeOf(p)
		if !filler {
			off, mask := s.bit(p)
			mem.AtomicOr64(s.starts.Add(off), mask)
		}
		p = p.Add(n)
	}
	b.walked.addRange(first, last)
}

// runStart is the first line of the run of fresh lines around line.
func (b *Block) runStart(line uintptr) uintptr {
	for line > 0 && b.fresh.has(line-1) {
		line--
	}
	return line
}

// lastStart finds the last header at or below h in the run of fresh lines around line.
func (s *Space) lastStart(base mem.Address, b *Block, line uintptr, h mem.Address, sizeOf SizeFunc) (at mem.Address, ok bool) {
	for p := base.Add(b.runStart(line) << logLine); p <= h && mem.Load64(p) != 0; {
		n, filler := sizeOf(p)
		if !filler {
			at, ok = p, true
		}
		p = p.Add(n)
	}
	return at, ok
}

// WalkFresh sets the start bits of all objects made since the last collection.
func (s *Space) WalkFresh(sizeOf SizeFunc) {
	for i := range s.top {
		b := s.block(i)
		if b.state != blockUsed {
			continue
		}
		for line := uintptr(0); ; {
			first, last, ok := b.fresh.next(line)
			if !ok {
				break
			}
			if !b.walked.has(first) {
				s.walk(s.blockAddress(i), b, first, sizeOf)
			}
			line = last + 1
		}
	}
}

// LinesFree reports whether the block, or any line of the n bytes at header h, is free as of
// the last sweep, which must not be so for a live object. It is for tests of the heap.
func (s *Space) LinesFree(h mem.Address, n uintptr) bool {
	if h >= s.pages.low {
		_, ok := s.LargeOf(h)
		return !ok
	}
	d := h.Sub(s.base)
	i := int32(d >> logBlock)
	if i >= s.top || s.block(i).state != blockUsed {
		return true
	}
	b := s.block(i)
	for l := d >> logLine % linesInBlock; l <= (d+n-1)>>logLine%linesInBlock; l++ {
		if b.free.has(l) && !b.fresh.has(l) {
			return true
		}
	}
	return false
}

// Starts calls yield with the header of each object that has its start bit set, blocks
// first, in order of addresses. The world is stopped.
func (s *Space) Starts(yield func(h mem.Address) bool) {
	for i := range s.top {
		if s.block(i).state != blockUsed {
			continue
		}
		first := uintptr(i) * (BlockSize / tableRatio)
		for o := first; o < first+BlockSize/tableRatio; o += 8 {
			for w := mem.Load64(s.starts.Add(o)); w != 0; w &= w - 1 {
				g := o<<3 + uintptr(bits.TrailingZeros64(w))
				if !yield(s.base.Add(g << logGranule)) {
					return
				}
			}
		}
	}
	for _, o := range s.pages.objects {
		if o.Header != 0 && !yield(o.Header) {
			return
		}
	}
}
