package gogen

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// How Mu values look in Go:
//
//	int<1>                       bool
//	int<n>, n <= 64              the next larger of uint8 to uint64, zero-extended
//	int<n>, n <= 128             num.U128
//	float, double                float32, float64
//	references and pointers      uintptr; a funcref is the address of its record
//	tagref64                     uint64
//	struct                       a struct type S_NAME with fields F0, F1, ...
//	array, vector                [n]T

// typeTables numbers what the generated tables hold.
type typeTables struct {
	structs   map[ir.TypeID]string
	structIDs []ir.TypeID
	memFuncs  map[ir.TypeID]bool // aggregates with load and store functions
	memIDs    []ir.TypeID

	slots   map[ir.TypeID]bool // see slotted
	descs   map[ir.TypeID]int  // garbage collector's descriptors
	descIDs []ir.TypeID

	lists     map[string]int // machine value lists
	listDescs []listDesc
	vtypes    map[ir.TypeID]int
	vtypeIDs  []ir.TypeID
}

type listDesc struct {
	desc string
	w, r int
}

func (t *typeTables) init() {
	t.structs = map[ir.TypeID]string{}
	t.memFuncs = map[ir.TypeID]bool{}
	t.slots = map[ir.TypeID]bool{}
	t.descs = map[ir.TypeID]int{}
	t.lists = map[string]int{}
	t.vtypes = map[ir.TypeID]int{}
}

func (g *gen) at(id ir.TypeID) *ir.Type  { return g.p.Types.At(id) }
func (g *gen) kind(id ir.TypeID) ir.Kind { return g.p.Types.Kind(id) }

// container is the width of the Go integer that holds int<n>.
func container(n uint32) uint32 {
	switch {
	case n <= 8:
		return 8
	case n <= 16:
		return 16
	case n <= 32:
		return 32
	}
	return 64
}

// goType is the Go type of a value.
func (g *gen) goType(id ir.TypeID) string {
	n := g.at(id)
	switch n.Kind {
	case ir.KInt:
		switch {
		case n.Bits == 1:
			return "bool"
		case n.Bits <= 64:
			return fmt.Sprintf("uint%d", container(n.Bits))
		}
		return "num.U128"
	case ir.KFloat:
		return "float32"
	case ir.KDouble:
		return "float64"
	case ir.KTagRef64:
		return "uint64"
	case ir.KStruct:
		return g.structType(id)
	case ir.KArray, ir.KVector:
		return fmt.Sprintf("[%d]%s", n.Len, g.goType(n.Elem))
	}
	return "uintptr"
}

func (g *gen) structType(id ir.TypeID) string {
	if s, ok := g.structs[id]; ok {
		return s
	}
	name := g.at(id).Name
	if name == "" {
		name = fmt.Sprintf("anon%d", id)
	}
	s := g.top("S_" + clean(name))
	g.structs[id] = s
	g.structIDs = append(g.structIDs, id)
	for _, f := range g.at(id).Fields {
		g.goType(f)
	}
	return s
}

// eachLeaf calls fn with the Go selector path of each scalar of a value.
func (g *gen) eachLeaf(id ir.TypeID, path string, fn func(path string, t ir.TypeID)) {
	n := g.at(id)
	switch n.Kind {
	case ir.KStruct:
		for i, f := range n.Fields {
			g.eachLeaf(f, fmt.Sprintf("%s.F%d", path, i), fn)
		}
	case ir.KArray, ir.KVector:
		for i := range n.Len {
			g.eachLeaf(n.Elem, fmt.Sprintf("%s[%d]", path, i), fn)
		}
	default:
		fn(path, id)
	}
}

// listOf numbers a machine value list; 0 is the empty one.
func (g *gen) listOf(ids []ir.TypeID) int {
	if len(g.listDescs) == 0 {
		g.lists[""] = 0
		g.listDescs = append(g.listDescs, listDesc{})
	}
	key := g.Machine(ids)
	if n, ok := g.lists[key]; ok {
		return n
	}
	d := listDesc{desc: key}
	d.w, d.r = g.Words(ids)
	g.maxTransfer = max(g.maxTransfer, d.w, d.r)
	n := len(g.listDescs)
	g.lists[key] = n
	g.listDescs = append(g.listDescs, d)
	return n
}

// goSig is the Go function type of a signature, without the word func.
// params, if not nil, names the parameters.
func (g *gen) goSig(sig ir.TypeID, params []string, results bool) string {
	n := g.at(sig)
	var b strings.Builder
	b.WriteByte('(')
	if params != nil {
		b.WriteString("t ")
	}
	b.WriteString("*rt.Ctx")
	for i, p := range n.Fields {
		b.WriteString(", ")
		if params != nil {
			b.WriteString(params[i] + " ")
		}
		b.WriteString(g.goType(p))
	}
	b.WriteByte(')')
	if len(n.Results) == 0 {
		return b.String()
	}
	b.WriteString(" (")
	for i, r := range n.Results {
		if i > 0 {
			b.WriteString(", ")
		}
		if results {
			fmt.Fprintf(&b, "r%d ", i)
		}
		b.WriteString(g.goType(r))
	}
	b.WriteByte(')')
	return b.String()
}

// num prints a number of bytes as a Go constant expression.
func numExpr(n layout.Num) string {
	if n.Fixed() {
		return fmt.Sprint(n.W8)
	}
	if n.W8 > n.W4 {
		return fmt.Sprintf("(%d+%d*rt.Is64)", n.W4, n.W8-n.W4)
	}
	return fmt.Sprintf("(%d-%d*rt.Is64)", n.W4, n.W4-n.W8)
}

// desc numbers the collector's descriptor of a type.
func (g *gen) desc(id ir.TypeID) int {
	if n, ok := g.descs[id]; ok {
		return n
	}
	n := len(g.descIDs)
	g.descs[id] = n
	g.descIDs = append(g.descIDs, id)
	return n
}

// shape prints the traced words of a piece of memory as a gc Shape literal, ""
// if there are none.
func (g *gen) shape(slots []shapeSlot) string {
	var s, r []string
	for _, x := range slots {
		if x.rep == nil {
			s = append(s, fmt.Sprintf("{Off: %s, Kind: rt.%s}", numExpr(x.off), x.kind))
		} else {
			sub := g.shape(x.rep)
			r = append(r, fmt.Sprintf("{Off: %s, Count: %d, Stride: %s, Shape: &rt.Shape%s}", numExpr(x.off), x.count, numExpr(x.stride), sub))
		}
	}
	if len(s)+len(r) == 0 {
		return ""
	}
	var parts []string
	if len(s) > 0 {
		parts = append(parts, "Slots: []rt.Slot{"+strings.Join(s, ", ")+"}")
	}
	if len(r) > 0 {
		parts = append(parts, "Reps: []rt.Rep{"+strings.Join(r, ", ")+"}")
	}
	return "{" + strings.Join(parts, ", ") + "}"
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

// descLiteral prints the descriptor of a type.
func (g *gen) descLiteral(id ir.TypeID) string {
	n := g.at(id)
	l := g.lay.Of(id)
	var parts []string
	parts = append(parts, fmt.Sprintf("Name: %q", g.p.Types.String(id)), "Size: "+numExpr(l.Size))
	if l.Align != layout.Const(8) {
		parts = append(parts, "Align: "+numExpr(l.Align))
	}
	if s := g.shape(g.slotsOf(id, layout.Const(0))); s != "" {
		parts = append(parts, "Shape: rt.Shape"+s)
	}
	if n.Kind == ir.KHybrid {
		parts = append(parts, "VarStride: "+numExpr(l.Stride))
		if s := g.shape(g.slotsOf(n.Elem, layout.Const(0))); s != "" {
			parts = append(parts, "VarShape: rt.Shape"+s)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// vtype numbers the printable description of a type.
func (g *gen) vtype(id ir.TypeID) int {
	if n, ok := g.vtypes[id]; ok {
		return n
	}
	n := len(g.vtypeIDs)
	g.vtypes[id] = n
	g.vtypeIDs = append(g.vtypeIDs, id)
	switch t := g.at(id); t.Kind {
	case ir.KStruct:
		for _, f := range t.Fields {
			g.vtype(f)
		}
	case ir.KArray, ir.KVector:
		g.vtype(t.Elem)
	case ir.KHybrid:
		for _, f := range t.Fields {
			g.vtype(f)
		}
		g.vtype(t.Elem)
	case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KUPtr, ir.KFuncRef, ir.KUFuncPtr:
		if g.describes() {
			g.vtype(t.Elem) // clients follow references
		}
	case ir.KSig:
		for _, f := range t.Fields {
			g.vtype(f)
		}
		for _, f := range t.Results {
			g.vtype(f)
		}
	}
	return n
}
