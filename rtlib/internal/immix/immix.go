// Package immix is the space that objects live in: an arena of 32 KB blocks of 256-byte
// lines for small and medium objects, pages for large ones, and the side tables that say
// where objects start and which are marked.
//
// It is not a collector: it does not know types and roots. To step from one object to the next
// it calls a function for the size. It does not move objects.
//
// # Layout
//
// One reserved region, the arena, is filled from both ends: blocks from the bottom, large
// objects from the top. Two bitmaps run beside it with a bit for every 8 bytes; the bit
// of an object is that of its header, the 8 bytes in front of its payload.
//
//	starts   the objects that survived the last collection, the large objects made
//	         since, and whatever allocation runs were walked on demand
//	marks    during a collection, what has been marked; all zero outside one
//
// Both ends ask the system for large pages; the end with the large objects does so only when it
// holds as much as one large page.
//
// When marking is done, Sweep clears the bits of starts block by block and swaps the two.
//
// # Invariants
//
//   - An object in a block is at most MaxMedium bytes with its header; it never crosses a
//     block's end, and the last 8 bytes of a block are never used, so that an address one
//     past an object's end lies in the same block.
//   - A line is free when no object lies in it. An object of at most a line's size can
//     reach into one line after that of its header, so the line after one with a header
//     counts as occupied; longer objects are entered in Block.cont when they are marked.
//   - Lines handed out since the last collection are Block.fresh. They were zeroed before,
//     and objects fill them from the front without gaps, so walking headers up to the
//     first zero word finds all of them. Therefore no start bit is set when an object is
//     made. Between two runs of fresh lines there is always a line that is not fresh.
//   - Marks, sweeps and Trim happen while the world is stopped; other functions may be called
//     by several threads at the same time, each with its own Allocator.
package immix

import (
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Sizes, each from one logarithm.
const (
	logLine  = 8
	logBlock = 15
	logPage  = 12 // of large objects
	logChunk = 22

	LineSize  = 1 << logLine
	BlockSize = 1 << logBlock
	PageSize  = 1 << logPage
	ChunkSize = 1 << logChunk // number of bytes committed at a time

	linesInBlock  = BlockSize / LineSize
	blocksInChunk = ChunkSize / BlockSize
	blocksInHuge  = mem.HugePage / BlockSize
	pagesInChunk  = ChunkSize / PageSize

	// MaxSmall is the greatest size in bytes, with its header, of an object that fits any free line.
	MaxSmall = LineSize
	// MaxMedium is the greatest size in bytes of an object in a block.
	MaxMedium = 8 << 10

	headerSize = 8
	blockUse   = BlockSize - 8 // bytes of a block that objects may take

	logGranule = 3
	tableRatio = 8 << logGranule // bytes of arena for each byte of a bitmap
)

// chunk is the part of the tables that belongs to ChunkSize bytes of the arena.
type chunk struct {
	blocks [blocksInChunk]Block
	large  *largeChunk // set when the chunk is used for large objects
}

// Space is an arena with its tables.
type Space struct {
	arena  mem.Region
	tables [2]mem.Region
	base   mem.Address // of the arena
	starts mem.Address // bitmap of object starts; changes with the world stopped
	marks  mem.Address // bitmap of marked objects; changes with the world stopped

	chunks []*chunk      // nil until committed; entries change under mu
	limit  uintptr       // greatest number of bytes of blocks and pages in use
	used   atomic.Uint64 // bytes of blocks and pages in use, the whole of each
	dirty  atomic.Uint64 // bytes of free blocks and pages that hold memory of the system

	// Fresh counts the bytes handed out for objects since the last Sweep.
	Fresh atomic.Uint64

	mu         sync.Mutex
	top        int32    // blocks below it have been used; guarded by mu
	dirtyFree  []int32  // free blocks that hold memory, highest address first; guarded by mu
	cleanFree  []int32  // free blocks that hold none, highest address first; guarded by mu
	recyclable []int32  // blocks with free lines, highest address first; guarded by mu
	pages      pageHeap // guarded by mu
	clobber    bool     // Options.Clobber
}

// Options are the parameters of a Space.
type Options struct {
	Limit   uintptr // greatest number of bytes in blocks and large objects
	Space   uintptr // most bytes of address space to reserve, tables included: too few lower Limit; less than minSpace count as any number
	Clobber bool    // overwrite what Sweep frees
}

// minSpace is the least value of Options.Space that has an effect, in bytes.
const minSpace = 5 * ChunkSize

// New reserves a space.
func New(o Options) (*Space, error) {
	limit := max(o.Limit, 4*BlockSize)
	least := (limit + 2*ChunkSize) &^ (ChunkSize - 1)
	size := least
	if mem.Lazy && bits.UintSize == 64 {
		size = max(4*limit, 1<<30) &^ (ChunkSize - 1) // large objects may be scattered
	}
	if o.Space >= minSpace {
		most := (o.Space - o.Space/16 - ChunkSize) &^ (ChunkSize - 1) // without tables and alignment
		if least > most {
			least, limit = most, most-2*ChunkSize
		}
		size = max(min(size, most), least)
	}
	arena, err := mem.ReserveUpTo(size, least, ChunkSize)
	if err != nil {
		return nil, fmt.Errorf("no address space for a heap of %d bytes: %w", limit, err)
	}
	arena.Size &^= ChunkSize - 1
	s := &Space{
		arena:   arena,
		base:    arena.Base,
		limit:   limit,
		clobber: o.Clobber,
		chunks:  make([]*chunk, arena.Size>>logChunk),
	}
	for i := range s.tables {
		if s.tables[i], err = mem.Reserve(arena.Size/tableRatio, mem.PageSize); err != nil {
			s.Release()
			return nil, fmt.Errorf("no address space for the tables of the heap: %w", err)
		}
	}
	s.starts, s.marks = s.tables[0].Base, s.tables[1].Base
	s.pages.init(s)
	return s, nil
}

// Release gives all memory back.
func (s *Space) Release() {
	s.arena.Release()
	for _, t := range s.tables {
		t.Release()
	}
}

// Limit returns the greatest number of bytes of memory that the space may have in use.
func (s *Space) Limit() uintptr { return s.limit }

// Used returns the bytes of blocks and pages in use.
func (s *Space) Used() uint64 { return s.used.Load() }

// Held returns the bytes of memory that the space holds, in use or kept for later.
func (s *Space) Held() uint64 { return s.used.Load() + s.dirty.Load() }

// Base and Span bound the addresses of objects: a can be one only if a-Base < Span.
func (s *Space) Base() mem.Address { return s.base }

// Span returns the size of the arena.
func (s *Space) Span() uintptr { return s.arena.Size }

// commitChunk makes chunk i usable. mu is held.
func (s *Space) commitChunk(i uintptr) bool {
	if s.chunks[i] != nil {
		return true
	}
	a := s.base.Add(i << logChunk)
	if !mem.Commit(a, ChunkSize) {
		return false
	}
	for _, t := range s.tables {
		if !mem.Commit(t.Base.Add(i*(ChunkSize/tableRatio)), ChunkSize/tableRatio) {
			return false
		}
	}
	s.chunks[i] = new(chunk)
	return true
}

// bit returns the place of the bit for header h in a bitmap: the byte offset of a 64-bit word
// and a mask with the bit.
func (s *Space) bit(h mem.Address) (offset uintptr, mask uint64) {
	d := h.Sub(s.base)
	return d >> (logGranule + 6) << 3, 1 << (d >> logGranule & 63)
}

// IsStart reports whether the start bit of header h is set.
func (s *Space) IsStart(h mem.Address) bool {
	o, m := s.bit(h)
	return mem.Load64(s.starts.Add(o))&m != 0
}

// IsMarked reports whether the object with header h is marked.
func (s *Space) IsMarked(h mem.Address) bool {
	o, m := s.bit(h)
	return mem.Load64(s.marks.Add(o))&m != 0
}

// Marks returns the table for Mark; it is valid until the next Sweep.
func (s *Space) Marks() Marks { return Marks{s.base.Add(headerSize), s.marks} }

// Marks is the mark bitmap of a space in a form that marking loops keep in registers.
type Marks struct {
	origin mem.Address // payload of a header at the arena's start
	table  mem.Address
}

// Set marks the object with payload p and reports whether it was not marked before. Only one
// goroutine at a time may use it.
func (m Marks) Set(p mem.Address) bool {
	d := p.Sub(m.origin)
	w := mem.At[uint64](m.table.Add(d >> (logGranule + 6) << 3))
	b := uint64(1) << (d >> logGranule & 63)
	if *w&b != 0 {
		return false
	}
	*w |= b
	return true
}

// SetAtomic is Set for use by several goroutines at the same time.
func (m Marks) SetAtomic(p mem.Address) bool {
	d := p.Sub(m.origin)
	w := mem.At[uint64](m.table.Add(d >> (logGranule + 6) << 3))
	b := uint64(1) << (d >> logGranule & 63)
	return atomic.LoadUint64(w)&b == 0 && atomic.OrUint64(w, b)&b == 0
}

// Has reports whether the object with payload p is marked.
func (m Marks) Has(p mem.Address) bool {
	d := p.Sub(m.origin)
	return mem.Load64(m.table.Add(d>>(logGranule+6)<<3))&(1<<(d>>logGranule&63)) != 0
}
