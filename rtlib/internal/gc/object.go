package gc

import "github.com/uvm2go/uvm2go/rtlib/internal/mem"

// ObjectAt returns the object that an address leads into or to the end of: its address, its type, and the length of a
// hybrid; false if it leads into none. The world is stopped.
func ObjectAt(addr uintptr) (start uintptr, t *Type, length uint64, ok bool) {
	h, a := program, mem.Address(addr)
	if a.Sub(h.space.Base()) >= h.space.Span() {
		return 0, nil, 0, false
	}
	p, ok := h.space.FindInUse(a, h.sizeOf)
	if !ok {
		return 0, nil, 0, false
	}
	if _, ok = h.left(a, p); !ok {
		return 0, nil, 0, false
	}
	header := mem.Load64(p)
	t = (*h.layouts.Load())[uint32(header)].typ
	if t.VarStride != 0 {
		length = uint64(h.lengthAt(p, header))
	}
	return uintptr(p) + headerSize, t, length, true
}
