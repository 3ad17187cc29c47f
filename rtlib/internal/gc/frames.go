package gc

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// A shadow stack grows through three classes of segments: 100,000 stacks must be cheap,
// and one must be able to hold a million frames. A stack has at most one segment of each
// class. A newer segment lies at a lower address (stackmem.go), so a frame in an older segment
// is always above the limit of a newer one: a function that is called when the newest
// frame is in an older segment comes to Grow, and Grow lets it continue in the newest
// segment, not in what is left of the older. So a loop that calls across a segment's end
// comes to Grow once, not each time, and Limit changes only when segments come or go.
//
// Every newer segment records the SP at which frames continued in it; that is how a walk
// finds its way down. Segments above the newest frame are dropped by collections.
//
// A frame of Go may also take space on a stack of the host, which cannot grow (WebAssembly). There no run of
// frames that have called each other without a pause may be long: when the goroutine yields, Go
// leaves all functions of the host's stack, and later enters the newest one alone, and each of the others
// when its callee has returned. So a stack yields whenever it gets another segment, and its segments are
// small: there are many of the largest class, pieces that are cut from one segment of that class, from
// its end downwards. Frames that continue from an older segment do so in the next one, and all after that
// are dropped. So a frame lies in the segment of its caller only if that is the newest, and what the host
// holds of a stack is never much more than a segment.

// Grow is the slow path of pushing a frame of size bytes: a pending safepoint, the step
// to another segment, or overflow. It returns where the frame starts; or 0 with
// Thrown = 1, Exc = 0 and Overflow set. It may collect, and then references known only
// to the function that calls it are lost: see GrowRefs.
func (c *Ctx) Grow(size uintptr) uintptr {
	if c.h.world.stopping.Load() != 0 || atomic.LoadUintptr(&c.Limit) != c.limit {
		c.safepoint()
		c.heed()
	}
	if c.SP+size <= c.limit {
		return c.SP
	}
	c.dropPieces()
	newest := &c.segs[len(c.segs)-1]
	if sp := mem.Address(c.SP); !newest.holds(sp) && newest.base.Add(size) <= mem.Address(c.limit) {
		newest.prev = sp
		c.SP = uintptr(newest.base)
		return c.SP
	}
	for class := newest.nextClass(); class < numClasses; class++ {
		if c.addSegment(class, size) {
			if pieceSize != 0 {
				runtime.Gosched() // leaves the host's stack
			}
			s := &c.segs[len(c.segs)-1]
			s.prev = mem.Address(c.SP)
			c.SP = uintptr(s.base)
			return c.SP
		}
	}
	c.Thrown, c.Exc, c.Overflow = 1, 0, true
	if OnOverflow != nil {
		OnOverflow(c)
	}
	return 0
}

// OnOverflow, if not nil, is called when Grow finds a stack exhausted, on the goroutine
// of the stack, whose frames are all still there. Set before the program starts.
var OnOverflow func(c *Ctx)

// GrowRefs is Grow for functions with reference arguments that are rooted nowhere else.
func (c *Ctx) GrowRefs(size uintptr, refs ...uintptr) uintptr {
	c.args = append(c.args[:0], refs...)
	fp := c.Grow(size)
	c.args = c.args[:0]
	return fp
}

// addSegment adds a segment of a class in which size bytes fit; false if the budget does not
// allow it.
func (c *Ctx) addSegment(class int, size uintptr) bool {
	m := &c.h.stacks
	n := min(m.sizes[class], c.room())
	if n < size || n == 0 {
		return false
	}
	var newest *segment
	if k := len(c.segs); k > 0 {
		newest = &c.segs[k-1]
	}
	var s segment
	if newest != nil && newest.class == class {
		s = segment{base: newest.rest, end: newest.base.Add(^uintptr(7)), class: class, block: newest.block, piece: true}
	} else {
		var ok bool
		if s, ok = m.get(class, newest); !ok {
			return false
		}
	}
	if pieceSize != 0 && class == numClasses-1 {
		s.rest = s.base
		if s.end < s.base.Add(size) {
			return false
		}
		n = min(n, max(size, pieceSize), s.end.Sub(s.base)) &^ 7
		s.base = mem.Address(uintptr(s.end) - n)
	}
	c.segs = append(c.segs, s)
	c.setLimit(uintptr(s.base) + n)
	return true
}

// dropPieces drops the segments after the one that follows that of the newest frame, where there are
// pieces: else much of the budget would be lost, as frames continue in the newest segment.
func (c *Ctx) dropPieces() {
	if pieceSize == 0 {
		return
	}
	sp := mem.Address(c.SP)
	n := len(c.segs)
	for n > 2 && c.segs[n-1].piece && !c.segs[n-1].holds(sp) && !c.segs[n-2].holds(sp) {
		n--
	}
	if n < len(c.segs) {
		c.segs = c.segs[:n]
		c.fitLimit()
	}
}

// nextClass is the class of the segment that follows.
func (s *segment) nextClass() int {
	if pieceSize != 0 && s.class == numClasses-1 {
		return s.class
	}
	return s.class + 1
}

// room returns what is left of the budget for the newest segment, all older ones and the
// alloca cells being counted.
func (c *Ctx) room() uintptr {
	used := uintptr(0)
	for _, s := range c.segs {
		used += s.end.Sub(s.base)
	}
	if b := c.h.stacks.budget; used < maxFrames && used+c.booked < b {
		return min(maxFrames-used, b-used-c.booked)
	}
	return 0
}

// Holds reports whether small frames of at most size bytes in total can be pushed on the stack, which
// is not running, within its budget.
func (c *Ctx) Holds(size uintptr) bool {
	m := &c.h.stacks
	newest := c.segs[len(c.segs)-1]
	start := newest.base
	if sp := mem.Address(c.SP); newest.holds(sp) {
		start = sp
	}
	have := mem.Address(c.limit).Sub(start)
	room := c.room()
	for class := newest.nextClass(); class < numClasses; class++ {
		n := m.sizes[class]
		if class == newest.class {
			n = newest.base.Sub(newest.rest)
			n -= n / 256 // for the unused ends of pieces
		}
		have += min(n, room)
		room -= min(n, room)
	}
	return size <= have
}

// fitLimit sets the limit of the newest segment to what the budget leaves to it.
func (c *Ctx) fitLimit() {
	n := len(c.segs) - 1
	s := c.segs[n]
	c.segs = c.segs[:n]
	room := c.room()
	c.segs = c.segs[:n+1]
	c.setLimit(uintptr(s.base) + min(s.end.Sub(s.base), room))
}

// dropSegments gives back the segments after the one of the newest frame.
func (c *Ctx) dropSegments() {
	n := len(c.segs)
	for n > 1 && !c.segs[n-1].holds(mem.Address(c.SP)) {
		n--
		if s := &c.segs[n]; !s.piece {
			c.h.stacks.put(s)
		}
	}
	if n < len(c.segs) {
		c.segs = c.segs[:n]
		c.fitLimit()
	}
}

// pieces calls f with the ranges that frames lie in, newest first.
func (c *Ctx) pieces(f func(base, sp mem.Address)) {
	sp := mem.Address(c.SP)
	for i := len(c.segs) - 1; i >= 0; i-- {
		if s := &c.segs[i]; s.holds(sp) {
			f(s.base, sp)
			sp = s.prev
		}
	}
}

// Frames calls yield with the address of each frame, oldest first. The stack must not
// be running.
func (c *Ctx) Frames(yield func(fp uintptr) bool) {
	type piece struct{ base, sp mem.Address }
	var all []piece
	c.pieces(func(base, sp mem.Address) { all = append(all, piece{base, sp}) })
	for i := len(all) - 1; i >= 0; i-- {
		for fp := all[i].base; fp < all[i].sp; {
			if !yield(uintptr(fp)) {
				return
			}
			n := mem.Load32(fp) & 0xffff
			if n == 0 {
				c.h.fail(fmt.Sprintf("frame at %#x has no size", fp))
				return
			}
			fp = fp.Add(uintptr(n) * 8)
		}
	}
}

// Depth counts the frames.
func (c *Ctx) Depth() int {
	n := 0
	for range c.Frames {
		n++
	}
	return n
}
