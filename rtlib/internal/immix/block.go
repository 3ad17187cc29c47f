package immix

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// lineSet is a set of the lines of a block.
type lineSet [linesInBlock / 64]uint64

var allLines = lineSet{^uint64(0), ^uint64(0)}

func (l *lineSet) has(i uintptr) bool { return l[i>>6]&(1<<(i&63)) != 0 }

// addRange adds lines first..last.
func (l *lineSet) addRange(first, last uintptr) {
	for w := first >> 6; w <= last>>6; w++ {
		l[w] |= rangeMask(w, first, last)
	}
}

// rangeMask returns those bits of word w that lines first..last have in it.
func rangeMask(w, first, last uintptr) uint64 {
	m := ^uint64(0)
	if first>>6 == w {
		m <<= first & 63
	}
	if last>>6 == w {
		m &= ^uint64(0) >> (63 - last&63)
	}
	return m
}

func (l *lineSet) count() int {
	return bits.OnesCount64(l[0]) + bits.OnesCount64(l[1])
}

// next returns the first run of lines in the set from line i on: first..last.
func (l *lineSet) next(i uintptr) (first, last uintptr, ok bool) {
	for ; i < linesInBlock; i = i&^63 + 64 {
		if w := l[i>>6] >> (i & 63); w != 0 {
			first = i + uintptr(bits.TrailingZeros64(w))
			break
		}
	}
	if i >= linesInBlock {
		return 0, 0, false
	}
	last = first
	for last+1 < linesInBlock {
		w := ^l[(last+1)>>6] >> ((last + 1) & 63)
		if w != 0 {
			n := uintptr(bits.TrailingZeros64(w))
			return first, last + n, true
		}
		last = (last+1)&^63 + 63
	}
	return first, last, true
}

// blockState is the use of a block.
type blockState uint8

const (
	blockNone  blockState = iota // free, and zero
	blockDirty                   // free, contents unspecified
	blockUsed                    // holds objects, or belongs to an Allocator
)

// Block is the data about a block. While the block belongs to an Allocator, only that changes
// it; otherwise it changes under Space.mu or with the world stopped.
type Block struct {
	state  blockState
	free   lineSet       // lines without objects, as of the last sweep
	fresh  lineSet       // lines handed out since
	walked sharedLineSet // fresh lines whose objects have their start bits
	cont   sharedLineSet // lines that marked objects longer than a line reach into
}

// sharedLineSet is a lineSet that several goroutines may add to.
type sharedLineSet [linesInBlock / 64]atomic.Uint64

func (l *sharedLineSet) has(i uintptr) bool { return l[i>>6].Load()>>(i&63)&1 != 0 }

// addRange adds lines first..last.
func (l *sharedLineSet) addRange(first, last uintptr) {
	for w := first >> 6; w <= last>>6; w++ {
		l[w].Or(rangeMask(w, first, last))
	}
}

func (l *sharedLineSet) reset() {
	for i := range l {
		l[i].Store(0)
	}
}

// renew sets the block's state and its set of free lines, and clears everything else.
func (b *Block) renew(state blockState, free lineSet) {
	b.state, b.free, b.fresh = state, free, lineSet{}
	b.walked.reset()
	b.cont.reset()
}

func (s *Space) block(i int32) *Block {
	return &s.chunks[i/blocksInChunk].blocks[i%blocksInChunk]
}

func (s *Space) blockAddress(i int32) mem.Address { return s.base.Add(uintptr(i) << logBlock) }

// MarkLong enters the lines after the first of the object with header h and n bytes.
// Sweep finds the first line by the mark bit.
func (s *Space) MarkLong(h mem.Address, n uintptr) {
	d := h.Sub(s.base)
	first, last := d>>logLine%linesInBlock+1, (d+n-1)>>logLine%linesInBlock
	if h >= s.pages.low || first > last {
		return
	}
	s.block(int32(d>>logBlock)).cont.addRange(first, last)
}

// takeRecyclable returns a block with free lines; false if there is none.
func (s *Space) takeRecyclable() (int32, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.recyclable) == 0 {
		return 0, false
	}
	return pop(&s.recyclable), true
}

// takeFree returns a free block and whether it must be zeroed before use; false if the limit
// is reached. Blocks that still hold memory are taken first, then those for which the system
// must provide memory.
func (s *Space) takeFree() (i int32, dirty, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if uintptr(s.used.Load())+BlockSize > s.limit {
		return 0, false, false
	}
	switch {
	case len(s.dirtyFree) > 0:
		i, dirty = pop(&s.dirtyFree), true
		s.dirty.Add(^uint64(BlockSize - 1))
	case !s.makeRoom(BlockSize):
		return 0, false, false
	case len(s.cleanFree) > 0:
		i = pop(&s.cleanFree)
	default:
		i = s.top
		if s.blockAddress(i).Add(BlockSize) > s.pages.low {
			s.pages.raiseLow()
		}
		if s.blockAddress(i).Add(BlockSize) > s.pages.low || !s.commitChunk(uintptr(i)/blocksInChunk) {
			return 0, false, false
		}
		if i%blocksInChunk == 0 {
			mem.Huge(s.blockAddress(i), ChunkSize)
		}
		s.top++
	}
	s.block(i).renew(blockUsed, allLines)
	s.used.Add(BlockSize)
	return i, dirty, true
}

// pop takes the last element.
func pop(l *[]int32) int32 {
	n := len(*l) - 1
	i := (*l)[n]
	*l = (*l)[:n]
	return i
}

// makeRoom makes sure that n more bytes of memory fit the limit: if necessary it gives unused
// memory back to the system. mu is held.
func (s *Space) makeRoom(n uintptr) bool {
	if uintptr(s.used.Load())+n > s.limit {
		return false
	}
	if uintptr(s.Held())+n > s.limit {
		s.trim(0)
	}
	return true
}

// lowerTop gives up free blocks at the top, so that large objects can use the space. mu is held.
func (s *Space) lowerTop() {
	s.trim(0)
	top := s.top
	for top > 0 && s.block(top-1).state == blockNone {
		top--
	}
	if top == s.top {
		return
	}
	s.top = top
	s.cleanFree = slices.DeleteFunc(s.cleanFree, func(i int32) bool { return i >= top })
}
