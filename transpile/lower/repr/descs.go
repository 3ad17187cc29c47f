package repr

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// Desc numbers the collector's descriptor of a type.
func (g *Program) Desc(id ir.TypeID) int {
	if n, ok := g.descs[id]; ok {
		return n
	}
	n := len(g.DescIDs)
	g.descs[id] = n
	g.DescIDs = append(g.DescIDs, id)
	g.TypeNames = append(g.TypeNames, g.Top("type_"+g.typeName(id)))
	g.DescNames = append(g.DescNames, g.Top("desc_"+g.typeName(id)))
	return n
}

// HasDesc reports whether a type has a descriptor.
func (g *Program) HasDesc(id ir.TypeID) bool {
	_, ok := g.descs[id]
	return ok
}

// DescVar is the variable with a type's descriptor.
func (g *Program) DescVar(ty ir.TypeID) gotree.Expr { return node.Name(g.DescNames[g.Desc(ty)]) }

// typeConst is the constant with the number of a type's descriptor.
func (g *Program) typeConst(ty ir.TypeID) gotree.Expr { return node.Name(g.TypeNames[g.Desc(ty)]) }

// TypeRow is the descriptor of a type.
func (g *Program) TypeRow(ty ir.TypeID) gotree.Expr {
	return &gotree.Index{X: node.Name("types"), I: g.typeConst(ty)}
}

// VTypeRow is the address of the description of a type.
func (g *Program) VTypeRow(id ir.TypeID) gotree.Expr {
	return node.Addr(node.Index(node.Name("vtypes"), g.VType(id)))
}

// A Trace is what the runtime calls words of memory that refer to objects.
type Trace struct {
	Slot   string // for the collector
	Access string // for checked accesses
}

// Traces has the kinds of such words.
var Traces = map[ir.Kind]Trace{
	ir.KRef: ref, ir.KStackRef: ref, ir.KThreadRef: ref, ir.KFrameCursorRef: ref, ir.KIRNodeRef: ref,
	ir.KIRef:     {"SlotIRef", "AccessIRef"},
	ir.KWeakRef:  {"SlotWeak", "AccessWeak"},
	ir.KTagRef64: {"SlotTag", "AccessTag"},
}

var ref = Trace{"SlotRef", "AccessRef"}
