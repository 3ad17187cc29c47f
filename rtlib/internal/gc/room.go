package gc

import "github.com/uvm2go/uvm2go/rtlib/internal/mem"

// Room returns how many bytes lie between an address that an iref holds and the end of the object or cell that it
// leads into; false if it leads into none. c is the running context. For the alloca cells of a stack that no thread
// is bound to it is the room to the end of their segment, at most. The world is stopped, because that is when the
// start of an object can be found.
func Room(c *Ctx, addr uintptr) (n uintptr, ok bool) {
	Exclusive(c, func() { n, ok = c.h.room(mem.Address(addr)) })
	return n, ok
}

func (h *heap) room(a mem.Address) (uintptr, bool) {
	if a.Sub(h.space.Base()) < h.space.Span() {
		p, ok := h.space.FindInUse(a, h.sizeOf)
		if !ok {
			return 0, false
		}
		return h.left(a, p)
	}
	h.mu.Lock()
	globals := h.globals
	h.mu.Unlock()
	end, found := a, false
	for _, g := range globals { // a may be the end of one and the beginning of the next
		if p := mem.Address(uintptr(g.Addr)); p <= a && a.Sub(p) <= g.Type.Size {
			end, found = max(end, p.Add(g.Type.Size)), true
		}
	}
	if found {
		return end.Sub(a), true
	}
	for _, th := range h.world.threads {
		if c := th.ctx.Load(); c != nil {
			for i := range c.chunks {
				if c.chunks[i].holds(a) {
					return c.roomInCell(a)
				}
			}
		}
	}
	return h.stacks.room(a)
}

// left returns the bytes from a to the end of the object or cell with header p.
func (h *heap) left(a, p mem.Address) (uintptr, bool) {
	header := mem.Load64(p)
	t := (*h.layouts.Load())[uint32(header)].typ
	size := t.Size
	if t.VarStride != 0 {
		size += uintptr(h.lengthAt(p, header)) * t.VarStride
	}
	off := a.Sub(p + headerSize)
	return size - off, off <= size
}

// roomInCell is room for an address in a segment with cells of c.
func (c *Ctx) roomInCell(a mem.Address) (n uintptr, ok bool) {
	c.cells(func(p mem.Address) {
		if p+headerSize <= a {
			if m, in := c.h.left(a, p); in {
				n, ok = m, true
			}
		}
	})
	return n, ok
}

// room returns the bytes from a to the end of the segment that it is in.
func (m *stackMemory) room(a mem.Address) (uintptr, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.blocks {
		for _, s := range b.classes {
			if s.Contains(a) {
				return s.Left(a), true
			}
		}
	}
	return 0, false
}
