package ial

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	sizes "github.com/uvm2go/uvm2go/transpile/layout"
)

// Structures that native code passes by value must have the layout of C.

// byValue reports the parameters and the result of a type of functions that C would lay out
// differently.
func (t *translator) byValue(pos diag.Pos, in *module.Module, typ *module.Type) {
	if typ.Conv == module.Standard || t.passed[typ] {
		return
	}
	t.passed[typ] = true
	for _, p := range append([]*module.Type{typ.Elem}, typ.Params...) {
		if p.Kind == module.StructType && !t.likeC(p) {
			t.diags.Errorf(pos, "%s cannot be passed by value to or from native code: C lays its members out differently", p.Spell(in))
		}
	}
}

// likeC reports whether a type has the layout of C, for both word sizes.
func (t *translator) likeC(typ *module.Type) bool {
	_, _, ok := t.cLayout(typ)
	return ok
}

// cLayout is the size and alignment of a type in C; ok reports whether its members have the
// same offsets as in IAL.
func (t *translator) cLayout(typ *module.Type) (size, align sizes.Num, ok bool) {
	l := t.layouts.Of(typ)
	switch typ.Kind {
	case module.StructType:
		size, align, ok = sizes.Const(0), sizes.Const(1), len(l.Members) > 0
		for _, m := range l.Members {
			s, a, same := t.cLayout(m.Field.Type)
			size, align = size.AlignUp(a), align.Max(a)
			ok = ok && same && size == m.Offset
			size = size.Add(s)
		}
		size = size.AlignUp(align)
	case module.Static:
		size, align, ok = t.cLayout(typ.Elem)
		size, ok = size.Mul(uint64(typ.Count)), ok && typ.Count > 0
	default:
		return l.Size, l.Align, true
	}
	return size, align, ok && size == l.Size
}
