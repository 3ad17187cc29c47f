package mu

import "github.com/uvm2go/uvm2go/rtlib/internal/core"

// For clients that access memory themselves.

// A Layout says where the parts of a type lie in memory, in bytes.
type Layout struct {
	Size   uintptr // of a hybrid: where its variable part begins
	Fields []Part  // of a struct or the fixed part of a hybrid
	Elem   Type    // of an array, vector or variable part
	Len    uint64  // of an array or vector
	Stride uintptr // of its elements
	Hybrid bool
}

// A Part is a field of a struct.
type Part struct {
	Type   Type
	Offset uintptr
}

// Layout returns the layout of a type of memory. Types without parts have a size only.
func (t Type) Layout() Layout {
	if t.v == nil {
		return Layout{}
	}
	l := Layout{Size: t.v.Size}
	switch t.v.Kind {
	case core.VHybrid:
		l.Hybrid, l.Size = true, t.v.GC.Size
		l.Elem, l.Stride = Type{t.v.Elem, t.vm}, t.v.Stride
	case core.VArray, core.VVector:
		l.Elem, l.Stride, l.Len = Type{t.v.Elem, t.vm}, t.v.Stride, t.v.Len
	case core.VStruct:
	default:
		return l
	}
	for i, f := range t.v.Fields {
		l.Fields = append(l.Fields, Part{Type{f, t.vm}, t.v.Offsets[i]})
	}
	return l
}

// A Location is where a ref or iref leads.
type Location struct {
	Addr uintptr // 0 for NULL
	To   Type
	// Inside says that all of it is known to be in an object or a global cell: a new object, a cell, or a part of one, reached by
	// IRef, FieldIRef and ElemIRef, without RefCast. Then it can be accessed at the address, beside Mu code, as long as the
	// value is not deleted; the collector does not move objects. References must not be stored there that way.
	Inside bool
}

// Locate returns where a ref or iref leads; false for another value.
func Locate(v Value) (Location, bool) {
	switch v.(type) {
	case Ref, IRef:
		if h := raw(v); h != nil && h.ty != nil {
			return Location{h.r[0], Type{h.ty.Elem, h.ctx.vm.core}, h.inside}, true
		}
	}
	return Location{}, false
}

// Beside returns a reference into the object or cell that holder refers to: an iref, or a ref if whole is true. The caller knows that the
// location is there, or has computed it as ShiftIRef and RefCast do.
func (c *Ctx) Beside(holder Value, at Location, whole bool) (Value, error) {
	if err := c.check(raw(holder)); err != nil {
		return nil, err
	}
	kind := core.VIRef
	if whole {
		kind = core.VRef
	}
	h := c.addRef(core.TypeTo(kind, at.To.v), at.Addr)
	h.inside = at.Inside
	return wrap(h), nil
}

// TagWord returns the word of a tagref64, as it is in memory.
func (v TagRef64) TagWord() uint64 {
	if v.held == nil {
		return 0
	}
	return v.w[0]
}

// BesideTag returns a tagref64 of a word; holder refers to the object that a reference in it refers to, or is such a tagref64.
func (c *Ctx) BesideTag(holder Value, word uint64) (TagRef64, error) {
	if err := c.check(raw(holder)); err != nil {
		return TagRef64{}, err
	}
	return c.tag(word), nil
}

// ReadValue returns the value in memory at an address, of a type without references.
func (c *Ctx) ReadValue(ty Type, at uintptr) (Value, error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	w, r := core.LoadValue(ty.v, at, nil, nil)
	return wrap(c.add(ty.v, w, r)), nil
}

// WriteValue stores a value without references in memory at an address.
func (c *Ctx) WriteValue(v Value, at uintptr) error {
	h := raw(v)
	if err := c.check(h); err != nil {
		return err
	}
	core.StoreValue(h.ty, at, h.w, h.r)
	return nil
}
