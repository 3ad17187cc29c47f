package mu

import (
	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// TagDouble makes a tagref64 with a double.
func (c *Ctx) TagDouble(v float64) TagRef64 { return c.tag(gc.TagFromFP(v)) }

// TagInt makes a tagref64 with an int<52>: the low 52 bits of v.
func (c *Ctx) TagInt(v uint64) TagRef64 { return c.tag(gc.TagFromInt(v & (1<<52 - 1))) }

// TagRef makes a tagref64 with a reference, which may be NULL, and the low 6 bits of tag.
func (c *Ctx) TagRef(ref Ref, tag uint8) (TagRef64, error) {
	if err := c.check(ref.raw()); err != nil {
		return TagRef64{}, err
	}
	return c.tag(gc.TagFromRef(ref.r[0], tag&63)), nil
}

func (c *Ctx) tag(w uint64) TagRef64 {
	return TagRef64{(*held[TagRef64])(c.add(core.SimpleType(core.VTagRef64), []uint64{w}, []uintptr{gc.TagRoot(w)}))}
}

// IsDouble reports whether it holds a double.
func (v TagRef64) IsDouble() bool { return v.held != nil && gc.TagIsFP(v.w[0]) }

// IsInt reports whether it holds an int<52>.
func (v TagRef64) IsInt() bool { return v.held != nil && gc.TagIsInt(v.w[0]) }

// IsRef reports whether it holds a reference.
func (v TagRef64) IsRef() bool { return v.held != nil && gc.TagIsRef(v.w[0]) }

// Double returns the double inside.
func (v TagRef64) Double() (float64, error) {
	if !v.IsDouble() {
		return 0, fail(TypeMismatch, "the tagref64 holds no double")
	}
	return gc.TagToFP(v.w[0]), nil
}

// Int returns the int<52> inside.
func (v TagRef64) Int() (uint64, error) {
	if !v.IsInt() {
		return 0, fail(TypeMismatch, "the tagref64 holds no int")
	}
	return gc.TagToInt(v.w[0]), nil
}

// Ref returns the reference inside a tagref64 and its tag.
func (c *Ctx) Ref(v TagRef64) (Ref, uint8, error) {
	if err := c.check(v.raw()); err != nil {
		return Ref{}, 0, err
	}
	if !v.IsRef() {
		return Ref{}, 0, fail(TypeMismatch, "the tagref64 holds no reference")
	}
	ty := core.TypeTo(core.VRef, core.SimpleType(core.VVoid))
	return Ref{(*held[Ref])(c.addRef(ty, v.r[0]))}, gc.TagToTag(v.w[0]), nil
}
