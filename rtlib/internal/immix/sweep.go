package immix

import (
	"slices"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// ClobberByte is the byte with which freed memory is overwritten under Options.Clobber.
const ClobberByte = 0xdb

// A Sweep frees objects that are not marked. Its Work method may run in several goroutines;
// then Finish must be called once. The world is stopped throughout, and every Allocator was
// Reset.
//
//  1. Work takes ranges of blocks. For each block, the mark bitmap shows which lines have
//     headers; these, the lines after them and Block.cont are the occupied lines. The block
//     is then free, recyclable (some lines are free) or full.
//  2. The block's part of starts is cleared.
//  3. Finish does the same for large objects, makes the new lists of blocks, lowest
//     addresses to be used first, and swaps the bitmaps: marks become starts.
type Sweep struct {
	space  *Space
	sizeOf SizeFunc
	next   atomic.Int32
}

// SizeFunc returns the bytes of the object or filler at a header, header included, a
// multiple of 8, and whether it is a filler.
type SizeFunc func(h mem.Address) (n uintptr, filler bool)

// NewSweep starts a sweep. sizeOf is used only with Options.Clobber.
func (s *Space) NewSweep(sizeOf SizeFunc) *Sweep { return &Sweep{space: s, sizeOf: sizeOf} }

const sweepBatch = 64 // blocks taken at a time

// Work sweeps blocks until there are none left.
func (w *Sweep) Work() {
	s := w.space
	for {
		end := w.next.Add(sweepBatch)
		first := end - sweepBatch
		if first >= s.top {
			return
		}
		for i := first; i < min(end, s.top); i++ {
			if b := s.block(i); b.state == blockUsed {
				w.block(i, b)
			}
		}
	}
}

// block sweeps one block.
func (w *Sweep) block(i int32, b *Block) {
	s := w.space
	const tableBytes = BlockSize / tableRatio
	off := uintptr(i) * tableBytes
	marks := mem.At[[tableBytes / 8]uint64](s.marks.Add(off))
	var heads lineSet
	for k := range heads {
		var set uint64
		for j, m := range marks[k*32 : k*32+32] { // a word covers two lines
			if m == 0 {
				continue
			}
			if uint32(m) != 0 {
				set |= 1 << (2 * j)
			}
			if m>>32 != 0 {
				set |= 2 << (2 * j)
			}
		}
		heads[k] = set
	}
	if w.sizeOf != nil && s.clobber {
		w.clobber(i, b)
	}
	mem.Clear(s.starts.Add(off), tableBytes)
	var free lineSet
	carry := uint64(0)
	for k, h := range heads {
		free[k] = ^(h | h<<1 | carry | b.cont[k].Load())
		carry = h >> 63
	}
	state := blockUsed
	if free == allLines {
		state = blockDirty
	}
	b.renew(state, free)
}

// clobber overwrites a block except for its marked objects.
func (w *Sweep) clobber(i int32, b *Block) {
	s := w.space
	base := s.blockAddress(i)
	p := base
	for h := base; h < base.Add(blockUse); h = h.Add(headerSize) {
		if s.IsMarked(h) {
			mem.Fill(p, h.Sub(p), ClobberByte)
			n, _ := w.sizeOf(h)
			p = h.Add(n)
		}
	}
	mem.Fill(p, base.Add(BlockSize).Sub(p), ClobberByte)
}

// Finish ends the sweep.
func (w *Sweep) Finish() {
	s := w.space
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recyclable, s.dirtyFree, s.cleanFree = s.recyclable[:0], s.dirtyFree[:0], s.cleanFree[:0]
	used := 0
	for i := s.top - 1; i >= 0; i-- {
		b := s.block(i)
		switch b.state {
		case blockNone:
			s.cleanFree = append(s.cleanFree, i)
		case blockDirty:
			s.dirtyFree = append(s.dirtyFree, i)
		default:
			used++
			if b.free != (lineSet{}) {
				s.recyclable = append(s.recyclable, i)
			}
		}
	}
	now := uint64(used)*BlockSize + s.sweepLarge()
	s.dirty.Add(s.used.Load() - now)
	s.used.Store(now)
	s.starts, s.marks = s.marks, s.starts
	s.Fresh.Store(0)
}

// Trim gives free memory back to the system until at most keep bytes of it are held.
func (s *Space) Trim(keep uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trim(keep)
}

// trim is Trim with mu held. Runs of pages are given back first, then blocks from the highest
// down. Blocks that make up whole large pages come before others, because giving back a part of
// a large page splits it.
func (s *Space) trim(keep uint64) {
	for bin := len(s.pages.bins) - 1; bin >= 0; bin-- {
		for r := s.pages.bins[bin]; r != 0 && s.dirty.Load() > keep; r = s.pages.runs[r-1].next {
			run := s.pages.runs[r-1]
			s.pages.forDirty(run.first, run.n, func(first, n int32) {
				discard(s.pages.address(first), uintptr(n)<<logPage)
				s.dirty.Add(-(uint64(n) << logPage))
			})
		}
	}
	if s.dirty.Load() <= keep || len(s.dirtyFree) == 0 {
		return
	}
	s.trimBlocks(keep, true)
	s.trimBlocks(keep, false)
	s.dirtyFree = slices.DeleteFunc(s.dirtyFree, func(i int32) bool {
		clean := s.block(i).state == blockNone
		if clean {
			s.cleanFree = append(s.cleanFree, i)
		}
		return clean
	})
	slices.SortFunc(s.cleanFree, func(a, b int32) int { return int(b - a) })
}

// trimBlocks turns dirty free blocks into clean ones until at most keep bytes are held: whole
// large pages of free blocks if whole is set, else any runs of them. It does not change the
// lists.
func (s *Space) trimBlocks(keep uint64, whole bool) {
	// The list is in descending order of addresses.
	for n := 0; n < len(s.dirtyFree) && s.dirty.Load() > keep; {
		last := s.dirtyFree[n]
		first, count := last, int32(0)
		lowest := last - last%blocksInHuge
		most := int32(blocksInHuge)
		if !whole {
			most = int32(min((s.dirty.Load()-keep+BlockSize-1)/BlockSize, blocksInHuge))
		}
		for ; n < len(s.dirtyFree) && s.dirtyFree[n] >= lowest && count < most; n++ {
			i := s.dirtyFree[n]
			if s.block(i).state != blockDirty || !whole && i < first-1 {
				break
			}
			first = i
			count++
		}
		switch {
		case count == 0:
			n++
			continue
		case whole && !s.unused(lowest):
			continue
		}
		discard(s.blockAddress(first), uintptr(last-first+1)*BlockSize)
		s.dirty.Add(-uint64(count) * BlockSize)
		for i := first; i <= last; i++ {
			s.block(i).state = blockNone
		}
	}
}

// unused reports whether the large page that begins with block first holds no used block.
func (s *Space) unused(first int32) bool {
	for i := first; i < min(first+blocksInHuge, s.top); i++ {
		if s.block(i).state == blockUsed {
			return false
		}
	}
	return true
}

// discard makes n bytes at a zero and gives whole pages of the system among them back.
func discard(a mem.Address, n uintptr) {
	first, end := a.AlignUp(mem.SystemPage), a.Add(n)&^mem.Address(mem.SystemPage-1)
	if first >= end {
		mem.Clear(a, n)
		return
	}
	mem.Clear(a, first.Sub(a))
	mem.Discard(first, end.Sub(first))
	mem.Clear(end, a.Add(n).Sub(end))
}
