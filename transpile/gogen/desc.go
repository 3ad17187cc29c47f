package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// The collector's descriptors of types.

// shape is a literal that lists the traced words of a piece of memory, nil if there
// are none.
func (g *gen) shape(slots []shapeSlot) gotree.Expr {
	var s, r []gotree.Expr
	for _, x := range slots {
		if x.rep == nil {
			s = append(s, node.Composite(nil, node.Field("Off", node.Size(x.off)), node.Field("Kind", node.Qual("rt", x.kind))))
		} else {
			r = append(r, node.Composite(nil, node.Field("Off", node.Size(x.off)), node.IntField("Count", x.count), node.Field("Stride", node.Size(x.stride)),
				node.Field("Shape", node.Addr(g.shape(x.rep)))))
		}
	}
	if len(s)+len(r) == 0 {
		return nil
	}
	var parts []gotree.Elem
	if len(s) > 0 {
		parts = append(parts, node.Field("Slots", node.Composite(gotree.SliceOf(node.RuntimeType("Slot")), node.Elems(s)...)))
	}
	if len(r) > 0 {
		parts = append(parts, node.Field("Reps", node.Composite(gotree.SliceOf(node.RuntimeType("Rep")), node.Elems(r)...)))
	}
	return node.Composite(node.RuntimeType("Shape"), parts...)
}

// shapeSlot is a traced word, or a repetition of the slots in rep.
type shapeSlot struct {
	off    layout.Num
	kind   string
	rep    []shapeSlot
	count  uint64
	stride layout.Num
}

// The slots of arrays of up to unrollMax elements are listed one by one, if there are
// at most unrollSlots: the number of slots in arrays of arrays has no bound.
const (
	unrollMax   = 4
	unrollSlots = 64
)

// slotted reports whether the memory of a type has a traced word.
func (g *gen) slotted(d repr.Described) bool {
	if s, ok := g.slots[d]; ok {
		return s
	}
	n := g.At(d.Type)
	_, s := g.TraceOf(d)
	switch n.Kind {
	case ir.KArray, ir.KVector, ir.KStruct:
		s = n.Elem != ir.NoType && g.slotted(d.Part(n.Elem))
		for _, f := range n.Fields {
			s = g.slotted(d.Part(f)) || s
		}
	}
	g.slots[d] = s
	return s
}

// slotsOf lists the traced words of a value in memory at offset off.
func (g *gen) slotsOf(d repr.Described, off layout.Num) []shapeSlot {
	n := g.At(d.Type)
	if n.Kind != ir.KHybrid && !g.slotted(d) {
		return nil
	}
	switch n.Kind {
	case ir.KStruct, ir.KHybrid:
		var out []shapeSlot
		l := g.Layout.Of(d.Type)
		for i, f := range n.Fields {
			out = append(out, g.slotsOf(d.Part(f), off.Add(l.Offsets[i]))...)
		}
		return out
	case ir.KArray, ir.KVector:
		stride := g.Layout.Of(d.Type).Stride
		sub := g.slotsOf(d.Part(n.Elem), layout.Const(0))
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
	if t, ok := g.TraceOf(d); ok {
		return []shapeSlot{{off: off, kind: t.Slot}}
	}
	return nil
}

// descLiteral is a descriptor.
func (g *gen) descLiteral(d repr.Described) gotree.Expr {
	id := d.Type
	n := g.At(id)
	l := g.Layout.Of(id)
	parts := []gotree.Elem{node.StrField("Name", g.IR.Types.String(id)), node.Field("Size", node.Size(l.Size))}
	if l.Align != layout.Const(8) {
		parts = append(parts, node.Field("Align", node.Size(l.Align)))
	}
	if s := g.shape(g.slotsOf(d, layout.Const(0))); s != nil {
		parts = append(parts, node.Field("Shape", s))
	}
	if n.Kind == ir.KHybrid {
		parts = append(parts, node.Field("VarStride", node.Size(l.Stride)))
		if s := g.shape(g.slotsOf(d.Part(n.Elem), layout.Const(0))); s != nil {
			parts = append(parts, node.Field("VarShape", s))
		}
	}
	return node.Composite(node.RuntimeType("Type"), parts...)
}
