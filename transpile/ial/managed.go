package ial

import (
	"fmt"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
	sizes "github.com/uvm2go/uvm2go/transpile/layout"
)

// Checks of managed references where a wrong object is possible (docs/ial.md, "Managed
// types"). NULL passes the checks: the access that follows fails.

// fits fails if an object is no array or vector with elements like those of a type.
func (b *body) fits(ref ir.ValueID, t *module.Type) {
	b.fit(ref, t, func(x *module.Type) bool { return b.facts.sameElements(x, t) })
}

// fitsField fails if an object does not have memory like a member at the offset of the member.
func (b *body) fitsField(ref ir.ValueID, t *module.Type, f *module.Field) {
	b.fit(ref, t, func(x *module.Type) bool { return b.facts.hasMember(x, f) })
}

func (b *body) fit(ref ir.ValueID, t *module.Type, fits func(*module.Type) bool) {
	alike, all := b.facts.alike(t, fits)
	if all {
		return
	}
	own := b.object(t)
	var others []ir.TypeID
	for _, x := range alike {
		if id := b.object(x); id != own && !slices.Contains(others, id) {
			others = append(others, id)
		}
	}
	mismatch := b.trap(ir.FailType, "managed type mismatch")
	is := b.HasType(own, ref)
	if len(others) == 0 {
		b.require(is, mismatch)
		return
	}
	yes, no := b.fork(is)
	b.At(no)
	next := b.Block(b.V.Blocks[no].Name)
	b.require(b.Call(b.FuncRef(b.oneOf(others)), b.cast(ref, b.types.object))[0], mismatch)
	b.jump(next)
	b.At(yes)
	b.jump(next)
	b.s.Seal(next)
	b.At(next)
}

// object is the type of the objects that a managed type refers to.
func (t *translator) object(typ *module.Type) ir.TypeID {
	return t.b.Types.At(t.types.register(typ)).Elem
}

// oneOf is a function that says whether an object is of one of several types.
func (t *translator) oneOf(ids []ir.TypeID) *ir.Function {
	key := fmt.Sprint(ids)
	if fn := t.tests[key]; fn != nil {
		return fn
	}
	fn := t.b.Func(t.fresh("@fits"), t.b.Types.Sig([]ir.TypeID{t.types.object}, []ir.TypeID{t.types.i1}))
	fn.Title, fn.Attrs = ir.Bare(fn.Name), ir.NoInline|ir.Internal
	t.tests[key] = fn
	b := t.b.Body(fn, "v")
	ref := b.Param(0, 0)
	found := b.Block("%found")
	for _, id := range ids {
		next := b.Block("%next")
		b.Branch2(b.HasType(id, ref), ir.To(found), ir.To(next))
		b.At(next)
	}
	b.Ret(b.Int(t.types.i1, 0))
	b.At(found)
	b.Ret(b.Int(t.types.i1, 1))
	return fn
}

// sameElements reports whether two types are arrays or vectors whose elements have the same
// size and references at the same offsets.
func (g *graph) sameElements(a, b *module.Type) bool {
	if !a.IsManaged() || !a.IsArray() || !b.IsArray() {
		return false
	}
	if a.Elem == b.Elem {
		return true
	}
	if len(g.slots(a.Elem)) > maxSlots {
		return false
	}
	return g.layouts.Of(a.Elem).Size == g.layouts.Of(b.Elem).Size && slices.Equal(g.slots(a.Elem), g.slots(b.Elem))
}

// hasMember reports whether objects of a type have memory at the offset of a member of another
// structure, with references at the same offsets.
func (g *graph) hasMember(t *module.Type, f *module.Field) bool {
	if t.Kind != module.Reference || isWeak(t.Elem.Struct) {
		return false
	}
	from := g.layouts.Offset(f)
	end := from.Add(g.layouts.Of(f.Type).Size)
	if l := g.layouts.Struct(t.Elem.Struct).Size; end.W8 > l.W8 || end.W4 > l.W4 {
		return false
	}
	var want []sizes.Num
	for _, s := range g.slots(f.Type) {
		want = append(want, from.Add(s))
	}
	slots := g.slots(t.Elem)
	if len(want) > maxSlots || len(slots) > maxSlots {
		return false
	}
	for _, s := range slots {
		if s.W8 >= from.W8 && s.W8 < end.W8 || s.W4 >= from.W4 && s.W4 < end.W4 {
			if len(want) == 0 || want[0] != s {
				return false
			}
			want = want[1:]
		}
	}
	return len(want) == 0
}

// maxSlots bounds the number of references in types that are compared; a type with more is only
// like itself.
const maxSlots = 1 << 12

// slots are the offsets of the references in values of a type, in order. Function pointers
// that are references of the representation count as well.
func (g *graph) slots(t *module.Type) []sizes.Num {
	var list []sizes.Num
	g.eachSlot(t, sizes.Num{}, &list)
	return list
}

func (g *graph) eachSlot(t *module.Type, at sizes.Num, list *[]sizes.Num) {
	l := g.layouts.Of(t)
	switch {
	case len(*list) > maxSlots:
	case t.Kind == module.StructType:
		for _, m := range l.Members {
			g.eachSlot(m.Field.Type, at.Add(m.Offset), list)
		}
	case t.Kind == module.Static:
		before := len(*list)
		for i := range uint64(t.Count) {
			g.eachSlot(t.Elem, at.Add(g.layouts.Of(t.Elem).Size.Mul(i)), list)
			if len(*list) == before || len(*list) > maxSlots {
				return
			}
		}
	case t.IsManaged(), t.Kind == module.FuncType && t.Conv == module.Standard && !g.tainted(t):
		*list = append(*list, at)
	}
}
