package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// Same reports whether two references (ref, iref, funcref, threadref, stackref or cursor)
// of one type are equal; NULL is equal to itself.
func (c *Ctx) Same(a, b Value) (bool, error) {
	x, y := raw(a), raw(b)
	if err := c.check(x, y); err != nil {
		return false, err
	}
	switch {
	case x.ty != y.ty:
		return false, fail(TypeMismatch, "comparing %s and %s", c.typ(x.ty), c.typ(y.ty))
	case x.ty.Kind == core.VFuncRef:
		return x.w[0] == y.w[0], nil
	case len(x.r) != 1 || x.ty.Kind == core.VTagRef64:
		return false, fail(TypeMismatch, "comparing values of %s", c.typ(x.ty))
	}
	return x.r[0] == y.r[0], nil
}

// Field returns field i of a struct value.
func (c *Ctx) Field(s Struct, i int) (Value, error) {
	if err := c.check(s.raw()); err != nil {
		return nil, err
	}
	if i < 0 || i >= len(s.ty.Fields) {
		return nil, fail(OutOfRange, "field %d of %d", i, len(s.ty.Fields))
	}
	w, r := offset(s.ty.Fields[:i])
	return c.part(s.raw(), s.ty.Fields[i], w, r)
}

// WithField returns a copy of a struct value with another field i.
func (c *Ctx) WithField(s Struct, i int, v Value) (Struct, error) {
	if err := c.check(s.raw(), raw(v)); err != nil {
		return Struct{}, err
	}
	if i < 0 || i >= len(s.ty.Fields) {
		return Struct{}, fail(OutOfRange, "field %d of %d", i, len(s.ty.Fields))
	}
	w, r := offset(s.ty.Fields[:i])
	h, err := c.with(s.raw(), raw(v), s.ty.Fields[i], w, r)
	return Struct{(*held[Struct])(h)}, err
}

// Element returns element i of an array or vector value.
func (c *Ctx) Element(seq Value, i uint64) (Value, error) {
	h, w, r, err := c.element(seq, i)
	if err != nil {
		return nil, err
	}
	return c.part(h, h.ty.Elem, w, r)
}

// WithElement returns a copy of an array or vector value with another element i.
func (c *Ctx) WithElement(seq Value, i uint64, v Value) (Value, error) {
	h, w, r, err := c.element(seq, i)
	if err != nil {
		return nil, err
	}
	if err := c.check(raw(v)); err != nil {
		return nil, err
	}
	n, err := c.with(h, raw(v), h.ty.Elem, w, r)
	if err != nil {
		return nil, err
	}
	return wrap(n), nil
}

func (c *Ctx) element(seq Value, i uint64) (h *handle, w, r int, err error) {
	h = raw(seq)
	if err := c.check(h); err != nil {
		return nil, 0, 0, err
	}
	if h.ty.Kind != core.VArray && h.ty.Kind != core.VVector {
		return nil, 0, 0, fail(TypeMismatch, "%s has no elements", c.typ(h.ty))
	}
	if i >= h.ty.Len {
		return nil, 0, 0, fail(OutOfRange, "element %d of %d", i, h.ty.Len)
	}
	w, r = h.ty.Elem.Width()
	return h, w * int(i), r * int(i), nil
}

// offset is the offset of a value after the given ones, in words and references.
func offset(before []*core.VType) (w, r int) {
	for _, f := range before {
		fw, fr := f.Width()
		w, r = w+fw, r+fr
	}
	return w, r
}

func (c *Ctx) part(h *handle, ty *core.VType, w, r int) (Value, error) {
	nw, nr := ty.Width()
	return wrap(c.add(ty, h.w[w:w+nw:w+nw], h.r[r:r+nr:r+nr])), nil
}

func (c *Ctx) with(h, v *handle, ty *core.VType, w, r int) (*handle, error) {
	if v.ty != ty {
		return nil, fail(TypeMismatch, "%s where %s is wanted", c.typ(v.ty), c.typ(ty))
	}
	nw, nr := append([]uint64(nil), h.w...), append([]uintptr(nil), h.r...)
	copy(nw[w:], v.w)
	copy(nr[r:], v.r)
	return c.add(h.ty, nw, nr), nil
}

// Less reports whether the location of one iref is before that of another, by address:
// the order in one memory array. It has no meaning for locations in different arrays.
func (c *Ctx) Less(a, b IRef) (bool, error) {
	if err := c.check(a.raw(), b.raw()); err != nil {
		return false, err
	}
	if a.ty != b.ty {
		return false, fail(TypeMismatch, "comparing %s and %s", c.typ(a.ty), c.typ(b.ty))
	}
	return a.r[0] < b.r[0], nil
}
