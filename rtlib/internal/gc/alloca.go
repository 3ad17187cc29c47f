package gc

import "github.com/uvm2go/uvm2go/rtlib/internal/mem"

// Alloca cells look like objects, a header in front of a zeroed payload, and are traced
// by their type. They lie in segments from the same arenas as the shadow stack's, at
// addresses outside the heap, so an iref to one keeps nothing alive and never faults: a
// segment's memory stays mapped when it is given back.
//
// From ABase to AEnd, in the newest segment, cells come and go without changing what
// is counted against the budget, since that is counted in steps. There generated code
// does, for a type T with N = T.FixedSize() and an alignment of at most 8,
//
//	p := t.AP
//	if t.AEnd-p < N {
//		p = t.Alloca(T) // 0: exhausted
//	} else {
//		t.AP = p + N
//		*(*uint64)(p) = T.ID
//		p += HeaderSize
//		// zero the payload
//	}

// Mark is a height of the alloca stack. The zero Mark is the empty stack.
type Mark uintptr

// AllocaMark returns the height of the alloca stack.
func (c *Ctx) AllocaMark() Mark { return Mark(c.AP) }

// Alloca pushes a zeroed cell on the alloca stack and returns its payload address; 0
// when the stack is exhausted. It never collects.
func (c *Ctx) Alloca(t *Type) uintptr {
	return c.pushCell(t.total, t.Align, uint64(t.ID))
}

// AllocaHybrid is Alloca for a hybrid with n variable elements.
func (c *Ctx) AllocaHybrid(t *Type, n uint64) uintptr {
	size, ok := hybridSize(t, n)
	if !ok || n >= longLength && t.VarStride != 0 {
		return 0
	}
	return c.pushCell(size, t.Align, hybridHeader(t, n))
}

func (c *Ctx) pushCell(n, align uintptr, header uint64) uintptr {
	most := n + max(align, 8) - 8
	if start := mem.Address(c.AP); most >= n && c.ABase <= c.AP && c.AP <= c.AEnd && most <= c.AEnd-c.AP { // in the window, see above
		end := start
		mem.Clear(start, most)
		p := putHeader(&end, n, align, header)
		c.AP = uintptr(end)
		return uintptr(p)
	}
	if most < n || most > c.h.stacks.budget {
		return 0
	}
	k := len(c.chunks) - 1
	defer c.fitWindow()
	if k < 0 || c.chunks[k].end.Sub(mem.Address(c.AP)) < most {
		class := 0
		if k >= 0 {
			class = c.chunks[k].class + 1
		}
		if !c.addChunk(class, most) {
			return 0
		}
		k = len(c.chunks) - 1
	}
	start := mem.Address(c.AP)
	end := start
	mem.Clear(start, most)
	p := putHeader(&end, n, align, header)
	if !c.book(k, end) {
		c.unwindTo(k, start)
		return 0
	}
	c.AP = uintptr(end)
	return uintptr(p)
}

// addChunk adds a segment of the class or a larger one with room for n bytes, and moves
// AP there.
func (c *Ctx) addChunk(class int, n uintptr) bool {
	for ; class < numClasses; class++ {
		if c.h.stacks.sizes[class] < n {
			continue
		}
		if s, ok := c.h.stacks.get(class, nil); ok {
			s.prev = mem.Address(c.AP)
			c.chunks = append(c.chunks, s)
			c.AP = uintptr(s.base)
			return true
		}
	}
	return false
}

// unwindTo makes the alloca stack end at a in segment k, or in the one before if k would
// be empty.
func (c *Ctx) unwindTo(k int, a mem.Address) {
	c.AP = uintptr(a)
	if k > 0 && a == c.chunks[k].base {
		c.dropChunk()
	}
}

// dropChunk gives the newest segment back.
func (c *Ctx) dropChunk() {
	k := len(c.chunks) - 1
	c.AP = uintptr(c.chunks[k].prev)
	c.h.stacks.put(&c.chunks[k])
	c.chunks = c.chunks[:k]
}

// book counts the cells up to end in segment k against the budget; false if it is
// exhausted.
func (c *Ctx) book(k int, end mem.Address) bool {
	m := &c.h.stacks
	used := c.cellsBelow(k) + end.Sub(c.chunks[k].base)
	booked := uintptr(0)
	if used > smallSegment { // the first ones are free, so most stacks never come here
		booked = (used + m.unit - 1) / m.unit * m.unit
	}
	if booked == c.booked {
		return true
	}
	if booked > c.booked {
		shadow := uintptr(0)
		for _, s := range c.segs {
			if s.holds(mem.Address(c.SP)) {
				shadow += mem.Address(c.SP).Sub(s.base)
				break
			}
			shadow += s.end.Sub(s.base)
		}
		if shadow+booked > m.budget {
			return false
		}
	}
	c.booked = booked
	c.dropSegments()
	c.fitLimit()
	return true
}

// cellsBelow is how many bytes cells take in the segments before segment k.
func (c *Ctx) cellsBelow(k int) uintptr {
	n := uintptr(0)
	for i := range c.chunks[:k] {
		n += c.chunks[i+1].prev.Sub(c.chunks[i].base)
	}
	return n
}

// fitWindow sets ABase and AEnd after segments or what is booked have changed.
func (c *Ctx) fitWindow() {
	m := &c.h.stacks
	k := len(c.chunks) - 1
	if k < 0 || m.budget < smallSegment {
		c.ABase, c.AEnd = c.AP, c.AP
		return
	}
	// All that is used may be from least to most bytes; see book.
	least, most := uintptr(0), uintptr(smallSegment)
	if c.booked != 0 {
		least, most = max(c.booked-m.unit, smallSegment)+8, c.booked
	}
	s, below := &c.chunks[k], c.cellsBelow(k)
	c.ABase = uintptr(s.base) + max(least, below) - below
	c.AEnd = min(uintptr(s.base)+most-below, uintptr(s.end))
}

// AllocaRelease pops all cells pushed since m was taken.
func (c *Ctx) AllocaRelease(m Mark) {
	if uintptr(m)-c.ABase > c.AEnd-c.ABase {
		c.releaseTo(m)
		return
	}
	c.AP = uintptr(m)
}

// releaseTo is AllocaRelease for a mark outside the window.
func (c *Ctx) releaseTo(m Mark) {
	k := len(c.chunks) - 1
	if k < 0 {
		return
	}
	a := mem.Address(m)
	if a == 0 {
		a = c.chunks[0].base
	}
	for k > 0 && !c.chunks[k].holds(a) {
		c.dropChunk()
		k--
	}
	c.AP = uintptr(a)
	if c.booked != 0 {
		c.book(k, a)
	}
	c.fitWindow()
}

// cells calls f with the header address of each cell.
func (c *Ctx) cells(f func(p mem.Address)) {
	for i, k := range c.chunks {
		end := mem.Address(c.AP)
		if i+1 < len(c.chunks) {
			end = c.chunks[i+1].prev
		}
		for p := k.base; p < end; {
			n, filler := c.h.sizeOf(p)
			if !filler {
				f(p)
			}
			p = p.Add(n)
		}
	}
}
