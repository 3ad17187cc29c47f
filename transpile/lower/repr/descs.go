package repr

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// Described is memory that has a descriptor: a value of a type. With Roots it is a stack
// cell whose words of type uptr are traced too, see ir.FlagRoots.
type Described struct {
	Type  ir.TypeID
	Roots bool
}

// Plain is memory of a type whose references are traced.
func Plain(id ir.TypeID) Described { return Described{Type: id} }

// Made is the memory that an allocation makes.
func Made(in *ir.Inst) Described { return Described{in.Ty, in.Has(ir.FlagRoots)} }

// Part is memory of a type in the described one.
func (d Described) Part(id ir.TypeID) Described { return Described{id, d.Roots} }

// Desc numbers the collector's descriptor of a type.
func (g *Program) Desc(id ir.TypeID) int { return g.desc(Plain(id)) }

func (g *Program) desc(d Described) int {
	if n, ok := g.descs[d]; ok {
		return n
	}
	n := len(g.Descs)
	g.descs[d] = n
	g.Descs = append(g.Descs, d)
	name := g.typeName(d.Type)
	if d.Roots {
		name += "_roots"
	}
	g.TypeNames = append(g.TypeNames, g.Top("type_"+name))
	g.DescNames = append(g.DescNames, g.Top("desc_"+name))
	return n
}

// HasDesc reports whether a type has a descriptor.
func (g *Program) HasDesc(id ir.TypeID) bool {
	_, ok := g.descs[Plain(id)]
	return ok
}

// DescVar is the variable with a type's descriptor.
func (g *Program) DescVar(ty ir.TypeID) gotree.Expr { return node.Name(g.DescNames[g.Desc(ty)]) }

// TypeRow is the descriptor of a type.
func (g *Program) TypeRow(ty ir.TypeID) gotree.Expr { return g.DescRow(Plain(ty)) }

// DescRow is a descriptor.
func (g *Program) DescRow(d Described) gotree.Expr {
	return &gotree.Index{X: node.Name("types"), I: node.Name(g.TypeNames[g.desc(d)])}
}

// VTypeRow is the address of the description of a type.
func (g *Program) VTypeRow(id ir.TypeID) gotree.Expr {
	return node.Addr(node.Index(node.Name("vtypes"), g.VType(id)))
}

// TraceOf is how a word of memory refers to objects; false if it does not.
func (g *Program) TraceOf(d Described) (Trace, bool) {
	k := g.Kind(d.Type)
	if d.Roots && k == ir.KUPtr {
		return Trace{"SlotAny", "AccessData"}, true
	}
	t, ok := Traces[k]
	return t, ok
}

// A Trace has the runtime's names for a kind of words that refer to objects.
type Trace struct {
	Slot   string // for the collector
	Access string // for checked accesses
}

// Traces has the kinds of such words.
var Traces = map[ir.Kind]Trace{
	ir.KRef: ref, ir.KStackRef: ref, ir.KThreadRef: ref, ir.KFrameCursorRef: ref, ir.KIRNodeRef: ref, ir.KIRBuilderRef: ref,
	ir.KIRef:     {"SlotIRef", "AccessIRef"},
	ir.KWeakRef:  {"SlotWeak", "AccessWeak"},
	ir.KTagRef64: {"SlotTag", "AccessTag"},
}

var ref = Trace{"SlotRef", "AccessRef"}
