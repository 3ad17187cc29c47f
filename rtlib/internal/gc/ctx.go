package gc

import (
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Ctx is the context of one Mu stack: the first argument of each generated function.
// While a thread is bound to the stack only the goroutine that runs it touches the
// context, except that others may set Limit to 0 and Poll to tripped to ask for a safepoint.
//
// # Allocation
//
// For a type T with N = T.FixedSize() at most MaxInline, generated code does
//
//	p := t.Cur
//	if t.End-p < N {
//		p = t.NewSlow(T) // 0: exhausted
//	} else {
//		t.Cur = p + N
//		*(*uint64)(p) = T.ID
//		p += HeaderSize
//	}
//
// All allocation may collect: what is needed afterwards must be rooted.
//
// # The shadow stack
//
// References that live across a call, an allocation or a poll are kept in frames
//
//	[u32 shape][u32 site][N root words][M untraced words]
//
// where a word is eight bytes, bits 0..15 of shape are the size of the frame in words
// (the first, with shape and site, included) and bits 16..31 are N. Root word i is the
// uintptr at fp+8+8*i: 0 or any address that a SlotIRef may hold. A function does
//
//	fp := t.SP
//	if fp+SIZE > t.Limit {
//		if fp = t.Grow(SIZE); fp == 0 {
//			return // zero results; Thrown is 1, Exc 0
//		}
//	}
//	t.SP = fp + SIZE
//	*(*uint32)(fp) = shape
//	// zero the root words
//	...
//	t.SP = fp // at each exit, a throw included
//
// and Limit is that of the newest segment, which lies below all older ones in memory: so
// the same test fails when the frame of the caller is in an older segment.
//
// Grow may collect. The frame does not exist yet then, so references that came as
// arguments and that no caller has rooted must be passed: t.GrowRefs(SIZE, a, b).
type Ctx struct {
	Cur uintptr // next free byte of the allocation window, zeroed memory
	End uintptr // end of the allocation window

	SP    uintptr // end of the newest frame
	Limit uintptr // frames must end at or below it; 0 asks for a safepoint

	Thrown uint32  // 1 while an exception propagates
	Poll   uint32  // not 0 asks for a safepoint: tripped or quiet
	Exc    uintptr // the exception being propagated; a root

	AP    uintptr // end of the newest alloca cell; 0 when there is none
	ABase uintptr // cells may be popped down to here
	AEnd  uintptr // and pushed up to here without a look at the budget

	Resume uint32  // where the resumable body of the stack continues, 0 at its start
	Bottom uintptr // its frame; SP need not be its end, if frames were in another segment meanwhile

	Weak uintptr // a reference that keeps nothing alive: cleared when its object dies

	Overflow bool // set with Thrown when the stack is exhausted, cleared by whoever handles it

	Th   *Thread        // the thread bound to the stack, or the last that was; nil when there was none, or it has ended
	User unsafe.Pointer // of the threads layer

	Native Native // for C code that the stack calls

	Live  unsafe.Pointer // what runs the bodies of the stack that are not compiled, see package live
	Spare unsafe.Pointer // one that has ended, for the next; of package live

	X    [16]uint64  // transfer words
	XRef [16]uintptr // transfer references, roots; nulled by the receiver

	h     *heap
	limit uintptr       // Limit when no safepoint is asked for; of the owner
	segs  []segment     // of the shadow stack, oldest first; of the owner
	args  []uintptr     // references of a function that waits in GrowRefs
	asked atomic.Uint32 // see Ask
	turn  int           // safepoints until other threads have a turn, if ports need that; of the owner
	epoch atomic.Uint32 // 1 + number of the collection that visited the context last

	chunks []segment // of the alloca stack, oldest first; of the owner
	booked uintptr   // part of the budget that alloca cells take, rounded up
}

// segment is a piece of a shadow stack, or of an alloca stack.
type segment struct {
	base, end mem.Address
	prev      mem.Address // shadow stack: SP in an older segment when frames continue here; alloca stack: end of the newest cell in the segment before
	class     int         // of its size
	block     *stackBlock // that it comes from
	rest      mem.Address // pieces: where the memory begins that the next ones are cut from
	piece     bool        // it is such a next one: its memory is an older segment's
}

// holds reports whether sp is a height within the segment.
func (s *segment) holds(sp mem.Address) bool { return s.base <= sp && sp <= s.end }

// NewCtx returns the context of a new, empty Mu stack, nil when there is no address
// space for it.
func NewCtx() *Ctx { return program.newCtx() }

func (h *heap) newCtx() *Ctx {
	c := &Ctx{h: h, Poll: quiet}
	if !c.addSegment(0, 0) {
		return nil
	}
	c.SP = uintptr(c.segs[0].base)
	return c
}

// Free gives back the context of a dead stack, its frames and alloca cells. No thread
// may be bound to it, and it must not be used any more.
func (c *Ctx) Free() {
	c.Reset()
	if len(c.segs) == 1 {
		c.h.stacks.put(&c.segs[0])
	}
	for i := range c.chunks {
		c.h.stacks.put(&c.chunks[i])
	}
	c.segs, c.chunks, c.SP = nil, nil, 0
	c.AP, c.ABase, c.AEnd = 0, 0, 0
	c.setLimit(0)
}

// Reset makes the stack empty: no frames, no alloca cells, no references in transfer. Each call of a Go caller, or of C on
// a thread of its own, ends with it.
func (c *Ctx) Reset() {
	if n := len(c.segs); n > 0 {
		c.SP = uintptr(c.segs[0].base)
		if n > 1 {
			c.dropSegments()
		}
	}
	c.AllocaRelease(0)
	c.Thrown, c.Exc, c.Weak, c.Overflow, c.Resume = 0, 0, 0, false, 0
	if c.Live != nil {
		c.Live = nil
	}
	c.XRef = [16]uintptr{} // those of X keep nothing alive, and are not read before they are written
	c.args = c.args[:0]
}

// tripped is Ctx.Poll when somebody asks for a safepoint.
const tripped = 2

// turnLength is the number of polls after which a thread lets others run, where Go does not preempt.
const turnLength = 1000

// trip asks the owner for a safepoint.
func (c *Ctx) trip() {
	atomic.StoreUintptr(&c.Limit, 0)
	atomic.StoreUint32(&c.Poll, tripped)
}

// Ask keeps Poll set until Asked is called: other safepoints do not clear it. Any thread may call it.
func (c *Ctx) Ask() {
	c.asked.Store(tripped)
	c.trip()
}

// Asked undoes Ask. Called by the owner.
func (c *Ctx) Asked() {
	c.asked.Store(0)
	c.Safepoint()
}

// untrip withdraws the request. Called by the owner, who must look at world.stopping
// afterwards, or while the world is stopped.
func (c *Ctx) untrip() {
	atomic.StoreUint32(&c.Poll, c.asked.Load()|quiet)
	atomic.StoreUintptr(&c.Limit, c.limit)
}

// setLimit changes the real limit of the shadow stack without losing a request for a
// safepoint. Called by the owner, or while the world is stopped.
func (c *Ctx) setLimit(limit uintptr) {
	c.limit = limit
	atomic.StoreUintptr(&c.Limit, limit)
	if c.h.world.stopping.Load() != 0 && c.bound() {
		c.trip()
	}
}
