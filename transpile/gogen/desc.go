package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// The collector's descriptors of types.

// desc numbers the collector's descriptor of a type.
func (g *gen) desc(id ir.TypeID) int {
	if n, ok := g.descs[id]; ok {
		return n
	}
	n := len(g.descIDs)
	g.descs[id] = n
	g.descIDs = append(g.descIDs, id)
	g.typeNames = append(g.typeNames, g.top("type_"+g.typeName(id)))
	g.descNames = append(g.descNames, g.top("desc_"+g.typeName(id)))
	return n
}

// descVar is the variable with a type's descriptor.
func (g *gen) descVar(ty ir.TypeID) expr { return name(g.descNames[g.desc(ty)]) }

// typeConst is the constant with the number of a type's descriptor.
func (g *gen) typeConst(ty ir.TypeID) expr { return name(g.typeNames[g.desc(ty)]) }

// typeRow is the descriptor of a type.
func (g *gen) typeRow(ty ir.TypeID) expr {
	return &gotree.Index{X: name("types"), I: g.typeConst(ty)}
}

// shape is the traced words of a piece of memory as a literal, nil if there are
// none.
func (g *gen) shape(slots []shapeSlot) expr {
	var s, r []expr
	for _, x := range slots {
		if x.rep == nil {
			s = append(s, composite(nil, field("Off", sizeExpr(x.off)), field("Kind", qual("rt", x.kind))))
		} else {
			r = append(r, composite(nil, field("Off", sizeExpr(x.off)), intField("Count", x.count), field("Stride", sizeExpr(x.stride)),
				field("Shape", addr(g.shape(x.rep)))))
		}
	}
	if len(s)+len(r) == 0 {
		return nil
	}
	var parts []gotree.Elem
	if len(s) > 0 {
		parts = append(parts, field("Slots", composite(gotree.SliceOf(rtType("Slot")), elems(s)...)))
	}
	if len(r) > 0 {
		parts = append(parts, field("Reps", composite(gotree.SliceOf(rtType("Rep")), elems(r)...)))
	}
	return composite(rtType("Shape"), parts...)
}

// shapeSlot is a traced word, or a repetition of rep.
type shapeSlot struct {
	off    layout.Num
	kind   string
	rep    []shapeSlot
	count  uint64
	stride layout.Num
}

// Arrays up to unrollMax long have their slots listed one by one, if these are no
// more than unrollSlots: arrays of arrays would have any number.
const (
	unrollMax   = 4
	unrollSlots = 64
)

// slotted reports whether a type in memory has a traced word.
func (g *gen) slotted(id ir.TypeID) bool {
	if s, ok := g.slots[id]; ok {
		return s
	}
	n := g.at(id)
	s := slotKind(n.Kind) != ""
	switch n.Kind {
	case ir.KArray, ir.KVector, ir.KStruct:
		s = n.Elem != ir.NoType && g.slotted(n.Elem)
		for _, f := range n.Fields {
			s = g.slotted(f) || s
		}
	}
	g.slots[id] = s
	return s
}

// slotsOf lists the traced words of a value in memory at offset off.
func (g *gen) slotsOf(id ir.TypeID, off layout.Num) []shapeSlot {
	n := g.at(id)
	if n.Kind != ir.KHybrid && !g.slotted(id) {
		return nil
	}
	switch n.Kind {
	case ir.KStruct, ir.KHybrid:
		var out []shapeSlot
		l := g.lay.Of(id)
		for i, f := range n.Fields {
			out = append(out, g.slotsOf(f, off.Add(l.Offsets[i]))...)
		}
		return out
	case ir.KArray, ir.KVector:
		stride := g.lay.Of(id).Stride
		sub := g.slotsOf(n.Elem, layout.Const(0))
		if n.Len > unrollMax || int(n.Len)*len(sub) > unrollSlots {
			return []shapeSlot{{off: off, rep: sub, count: n.Len, stride: stride}}
		}
		var out []shapeSlot
		for i := range n.Len {
			at := off.Add(stride.Mul(i))
			for _, s := range sub {
				s.off = s.off.Add(at)
				out = append(out, s)
			}
		}
		return out
	}
	if k := slotKind(n.Kind); k != "" {
		return []shapeSlot{{off: off, kind: k}}
	}
	return nil
}

func slotKind(k ir.Kind) string {
	switch k {
	case ir.KRef, ir.KStackRef, ir.KThreadRef, ir.KFrameCursorRef, ir.KIRNodeRef:
		return "SlotRef"
	case ir.KIRef:
		return "SlotIRef"
	case ir.KWeakRef:
		return "SlotWeak"
	case ir.KTagRef64:
		return "SlotTag"
	}
	return ""
}

// descLiteral is the descriptor of a type.
func (g *gen) descLiteral(id ir.TypeID) expr {
	n := g.at(id)
	l := g.lay.Of(id)
	parts := []gotree.Elem{strField("Name", g.p.Types.String(id)), field("Size", sizeExpr(l.Size))}
	if l.Align != layout.Const(8) {
		parts = append(parts, field("Align", sizeExpr(l.Align)))
	}
	if s := g.shape(g.slotsOf(id, layout.Const(0))); s != nil {
		parts = append(parts, field("Shape", s))
	}
	if n.Kind == ir.KHybrid {
		parts = append(parts, field("VarStride", sizeExpr(l.Stride)))
		if s := g.shape(g.slotsOf(n.Elem, layout.Const(0))); s != nil {
			parts = append(parts, field("VarShape", s))
		}
	}
	return composite(rtType("Type"), parts...)
}
