package gc

import (
	"math/bits"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/immix"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// The paths of an allocation, from the cheapest to the most expensive:
//
//  1. Generated code, New, or NewHybrid: bump Ctx.Cur within the window up to Ctx.End and store
//     the header. The window is zeroed already. No call, no lock, no start bit.
//  2. NewSlow: the window is used up, but the hole it lies in continues. The next 8 KB of
//     the hole are zeroed and added to the window. The holes belong to the thread alone.
//  3. The next hole of the thread's block, then the next recyclable block (one lock),
//     then a free block: first one that still has memory, then one for which the system
//     has to provide memory.
//  4. An object longer than a line that does not fit the rest of the hole goes to a block
//     of its own kind, so that the hole is not wasted.
//  5. An object of more than 8 KB gets pages of its own.
//  6. When as much was handed out since the last collection as the trigger says, or
//     memory is at its limit, collect and start over, once. Then the answer is 0.
//
// With UVMDEBUG=gcstress=N every allocation comes to NewSlow: the thread keeps the
// window to itself and leaves Cur and End 0.

// MaxInline is the largest FixedSize for which generated code may have the path of New
// inline, and then only for Plain types of an alignment of at most 8 that are no hybrids.
const MaxInline = immix.MaxMedium

const (
	headerSize = HeaderSize
	longLength = 1<<32 - 1 // in a header: the length is in the large-object table
	fillerID   = 1<<32 - 1 // type ID of padding before an aligned payload; the high half is its bytes

	// maxSize is the most bytes an object may have.
	maxSize = 1 << min(47, bits.UintSize-2)

	// tooLarge is the size of objects that cannot be made; no heap and no stack has as much room.
	tooLarge = 2 * maxSize

	maxBlockAlign = immix.LineSize // payloads aligned to more get pages of their own
)

// New allocates an object of a registered type that is not a hybrid and returns its
// payload address, zeroed memory; 0 when the heap is exhausted. It may collect. As with
// all allocation, a running thread must be bound to the stack.
func (c *Ctx) New(t *Type) uintptr {
	p := c.Cur
	n := t.total
	if c.End-p < n || t.Align > 8 || t.Kind != Plain {
		return c.NewSlow(t)
	}
	c.Cur = p + n
	mem.Store64(mem.Address(p), uint64(t.ID))
	return p + HeaderSize
}

// NewSlow is New for when the window has no room, and for types aligned to 16 or more.
func (c *Ctx) NewSlow(t *Type) uintptr {
	if t.Kind != Plain {
		return c.NewKind(t, 0)
	}
	return uintptr(c.allocate(t.total, t.Align, uint64(t.ID), 0))
}

// NewHybrid allocates a hybrid with n variable elements and returns its payload address,
// zeroed memory; 0 when the size is beyond bounds or the heap exhausted. It may collect.
func (c *Ctx) NewHybrid(t *Type, n uint64) uintptr {
	size, ok := hybridSize(t, n)
	if !ok {
		return 0
	}
	header := hybridHeader(t, n)
	if p := c.Cur; size <= min(c.End-p, immix.MaxMedium) && t.Align <= 8 {
		c.Cur = p + size
		mem.Store64(mem.Address(p), header)
		return p + HeaderSize
	}
	return uintptr(c.allocate(size, t.Align, header, n))
}

// NewKind allocates an object of a type whose Kind is not Plain and stores its payload
// word; 0 when the heap is exhausted. It may collect.
func (c *Ctx) NewKind(t *Type, word uint64) uintptr {
	p := c.allocate(t.total, t.Align, uint64(t.ID), 0)
	if p == 0 {
		return 0
	}
	mem.Store64(p, word)
	h := c.h
	h.mu.Lock()
	h.special = append(h.special, p)
	h.mu.Unlock()
	return uintptr(p)
}

// hybridSize returns the bytes of a hybrid with n elements, header included, rounded up
// to 8; false when that is beyond bounds.
func hybridSize(t *Type, n uint64) (uintptr, bool) {
	hi, lo := bits.Mul64(uint64(t.VarStride), n)
	if hi != 0 || lo > maxSize || lo+uint64(t.Size) > maxSize {
		return 0, false
	}
	return (max(t.Size+uintptr(lo), 8) + headerSize + 7) &^ 7, true
}

func hybridHeader(t *Type, n uint64) uint64 { return uint64(t.ID) | min(n, longLength)<<32 }

// Length returns the number of variable elements of the hybrid with payload addr.
func Length(addr uintptr) uint64 {
	p := mem.Address(addr) - headerSize
	n := mem.Load64(p) >> 32
	if n == longLength {
		return program.space.LargeLength(p)
	}
	return n
}

// TypeOf returns the type of the object or alloca cell with payload addr.
func TypeOf(addr uintptr) *Type {
	return (*program.layouts.Load())[mem.Load32(mem.Address(addr)-headerSize+lowHalf)].typ
}

// lowHalf is where the low 32 bits of a 64-bit word are.
var lowHalf = func() mem.Address {
	one := uint64(1)
	if *(*uint32)(unsafe.Pointer(&one)) == 1 {
		return 0
	}
	return 4
}()

// allocate makes an object of n bytes, header included, and returns its payload.
func (c *Ctx) allocate(n, align uintptr, header, length uint64) mem.Address {
	h, th := c.h, c.Th
	if n == tooLarge {
		return 0
	}
	if h.world.stopping.Load() != 0 {
		c.safepoint()
	}
	if stress := h.opts.Debug.GCStress; stress != 0 {
		if th.allocs++; th.allocs >= max(stress, h.stride.Load()) {
			th.allocs = 0
			h.collect(c, "stress", false)
		}
	}
	if h.space.Fresh.Load() >= h.trigger.Load() {
		h.collect(c, "trigger", false)
	}
	for attempt := 0; ; attempt++ {
		if p := c.place(n, align, header, length); p != 0 {
			return p
		}
		if attempt == 2 || uint64(n) > h.opts.HeapLimit {
			return 0
		}
		if attempt == 1 && !h.world.crowded() {
			return 0 // another thread took none of what the collection freed
		}
		h.collect(c, "limit", false)
	}
}

// place finds room for an object and stores its header; 0 when there is none.
func (c *Ctx) place(n, align uintptr, header, length uint64) mem.Address {
	th := c.Th
	if n > immix.MaxMedium || align > maxBlockAlign {
		p, ok := c.h.space.NewLarge(n, max(align, 8), length)
		if !ok {
			return 0
		}
		mem.Store64(p, header)
		if th.use(n) {
			c.sample(p+headerSize, n)
		}
		return p + headerSize
	}
	need := n
	if align > 8 {
		need += align - 8
	}
	w, take := th.window(c), false
	if w.End.Sub(w.Cur) < need {
		start, end, ok := th.alloc.Small(w.Cur, need)
		switch {
		case ok:
			if start == w.Cur {
				take = th.use(end.Sub(w.End))
			} else {
				take = th.use(end.Sub(start))
			}
			w = window{start, end}
		case need > immix.MaxSmall:
			start, _, ok := th.alloc.Long(th.long, need)
			if !ok {
				return 0
			}
			th.long = start
			p := putHeader(&th.long, n, align, header)
			if th.use(n) {
				c.sample(p, n)
			}
			return p
		default:
			return 0
		}
	}
	p := putHeader(&w.Cur, n, align, header)
	th.setWindow(c, w)
	if take {
		c.sample(p, n)
	}
	return p
}

// putHeader pads *cur so that the payload is aligned, stores the header and moves *cur
// after the object of n bytes.
func putHeader(cur *mem.Address, n, align uintptr, header uint64) (payload mem.Address) {
	p := *cur
	if align > 8 {
		if pad := (p + headerSize).AlignUp(align).Sub(p + headerSize); pad != 0 {
			mem.Store64(p, uint64(fillerID)|uint64(pad)<<32)
			p = p.Add(pad)
		}
	}
	mem.Store64(p, header)
	*cur = p.Add(n)
	return p + headerSize
}
