package immix

import "github.com/uvm2go/uvm2go/rtlib/internal/mem"

// step is the number of bytes of a hole that are zeroed and handed out at a time: few enough
// to be still in the nearest cache when objects are made there.
const step = 8 << 10

// window is the hole from which an Allocator takes memory, from the front.
type window struct {
	index int32       // of the block
	block *Block      // nil when there is none
	end   mem.Address // end of what was handed out
	limit mem.Address // end of the hole
	dirty bool        // the rest of the hole must be zeroed
}

// Allocator hands out memory to one thread. Its zero value with Space set is ready.
type Allocator struct {
	Space *Space

	small window // holes of recyclable blocks first, then free blocks
	long  window // for objects longer than a line that do not fit the hole: free blocks
}

// Reset drops the blocks that the allocator owns; the next sweep finds their free lines.
func (a *Allocator) Reset() { a.small, a.long = window{}, window{} }

// Small returns a window with room for n bytes, n at most MaxMedium, given that the last
// window is used up to cur. [start, end) is zeroed, and start is cur if the old window could
// be extended. ok is false if that needs memory beyond the limit or, for n above MaxSmall, if
// the rest of the hole would have to be skipped: see Long.
func (a *Allocator) Small(cur mem.Address, n uintptr) (start, end mem.Address, ok bool) {
	w := &a.small
	for {
		if w.block != nil && w.limit.Sub(cur) >= n {
			return cur, a.extend(w, n-w.end.Sub(cur)), true
		}
		if n > MaxSmall || !a.nextHole(w) {
			return 0, 0, false
		}
		cur = w.end
	}
}

// Long returns room for n bytes, at most MaxMedium, in a block for long objects. The memory
// is zeroed, and the caller may use all of it.
func (a *Allocator) Long(cur mem.Address, n uintptr) (start, end mem.Address, ok bool) {
	w := &a.long
	if w.block == nil || w.limit.Sub(cur) < n {
		if !a.takeFree(w) {
			return 0, 0, false
		}
		cur = w.end
	}
	return cur, a.extend(w, n-w.end.Sub(cur)), true
}

// extend hands out at least n more bytes of the window's hole and returns its new end.
func (a *Allocator) extend(w *window, n uintptr) mem.Address {
	if int(n) <= 0 {
		return w.end
	}
	end := min(w.end.Add(max(n, step)).AlignUp(LineSize), w.limit)
	size := end.Sub(w.end)
	if w.dirty {
		mem.Clear(w.end, size)
	}
	// The following memory will be needed soon: the rest of the hole, or the next block.
	soon := end.Add(step)
	if soon > w.limit && (w.limit+8)%BlockSize != 0 {
		soon = w.limit
	}
	mem.PrefetchRange(end, soon)
	d := w.end.Sub(a.Space.base)
	w.block.fresh.addRange(d>>logLine%linesInBlock, (d+size-1)>>logLine%linesInBlock)
	w.end = end
	a.Space.Fresh.Add(uint64(size))
	return end
}

// nextHole moves the window to the next hole of its block, of the next recyclable block,
// or to a free block.
func (a *Allocator) nextHole(w *window) bool {
	from := uintptr(0)
	if w.block != nil {
		// The block's end is 8 bytes above the limit of its last hole.
		from = (w.limit.Sub(a.Space.blockAddress(w.index)) + 8) >> logLine
	}
	for {
		if w.block != nil {
			if first, last, ok := w.block.free.next(from); ok {
				base := a.Space.blockAddress(w.index)
				w.end = base.Add(first << logLine)
				w.limit = base.Add(min((last+1)<<logLine, blockUse))
				w.dirty = true
				return true
			}
		}
		i, ok := a.Space.takeRecyclable()
		if !ok {
			return a.takeFree(w)
		}
		w.index, w.block, from = i, a.Space.block(i), 0
	}
}

// takeFree moves the window to a free block.
func (a *Allocator) takeFree(w *window) bool {
	i, dirty, ok := a.Space.takeFree()
	if !ok {
		return false
	}
	base := a.Space.blockAddress(i)
	*w = window{index: i, block: a.Space.block(i), end: base, limit: base.Add(blockUse), dirty: dirty}
	return true
}
