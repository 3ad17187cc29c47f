package immix

import (
	"slices"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// ClobberByte is what freed memory is overwritten with under Options.Clobber.
const ClobberByte = 0xdb

// A Sweep frees what is not marked. Its Work method may run in several goroutines; then
// Finish is called once. The world is stopped throughout, and every Allocator was Reset.
//
//  1. Work takes ranges of blocks. Per block, the mark bitmap tells which lines hold
//     headers; with the lines behind those and Block.cont, that is what is occupied. The
//     block is then free, recyclable (some lines are free) or full.
//  2. The block's part of starts is cleared.
//  3. Finish does the same for large objects, makes the new lists of blocks, lowest
//     addresses to be used first, and swaps the bitmaps: what is marked is what starts.
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

const sweepBatch = 64 // blocks taken at once

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

// clobber overwrites all of a block but its marked objects.
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

// trim is Trim with mu held. Runs of pages go first, then blocks from the highest down.
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
	if s.dirty.Load() <= keep {
		return
	}
	// Lists are in falling order of addresses, but for what was taken since the sweep.
	n := 0
	for n < len(s.dirtyFree) && s.dirty.Load() > keep {
		first := n
		for n++; n < len(s.dirtyFree) && s.dirtyFree[n] == s.dirtyFree[n-1]-1; n++ {
			if uint64(n-first+1)*BlockSize > s.dirty.Load()-min(keep, s.dirty.Load()) {
				break
			}
		}
		size := uintptr(n-first) * BlockSize
		discard(s.blockAddress(s.dirtyFree[n-1]), size)
		s.dirty.Add(-uint64(size))
	}
	for _, i := range s.dirtyFree[:n] {
		s.block(i).state = blockNone
	}
	s.cleanFree = append(s.cleanFree, s.dirtyFree[:n]...)
	slices.SortFunc(s.cleanFree, func(a, b int32) int { return int(b - a) })
	s.dirtyFree = slices.Delete(s.dirtyFree, 0, n)
}

// discard makes n bytes at a zero and gives back what makes whole pages of the system.
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
