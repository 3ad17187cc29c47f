package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Descriptions of types of values, for printing and for clients.

var vkinds = map[ir.Kind]string{
	ir.KVoid: "VVoid", ir.KInt: "VInt", ir.KFloat: "VFloat", ir.KDouble: "VDouble", ir.KUPtr: "VUPtr", ir.KUFuncPtr: "VUFuncPtr",
	ir.KRef: "VRef", ir.KIRef: "VIRef", ir.KWeakRef: "VWeakRef", ir.KTagRef64: "VTagRef64", ir.KFuncRef: "VFuncRef",
	ir.KStackRef: "VStackRef", ir.KThreadRef: "VThreadRef", ir.KFrameCursorRef: "VCursorRef", ir.KIRNodeRef: "VNodeRef",
	ir.KStruct: "VStruct", ir.KArray: "VArray", ir.KVector: "VVector", ir.KHybrid: "VHybrid", ir.KSig: "VSig",
}

// vtypeCode emits the table of descriptions, nil if there are none.
func (g *gen) vtypeCode() []gotree.Decl {
	if len(g.vtypeIDs) == 0 {
		return nil
	}
	// Element references would make an initialisation cycle; they are set in init. They may
	// add to the list.
	var links code
	set := func(i int, f string, x expr) { links.Set(dot(index(name("vtypes"), i), f), x) }
	for i := 0; i < len(g.vtypeIDs); i++ {
		switch t := g.at(g.vtypeIDs[i]); t.Kind {
		case ir.KArray, ir.KVector:
			set(i, "Elem", g.vtypeRow(t.Elem))
		case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KUPtr, ir.KFuncRef, ir.KUFuncPtr:
			if g.describes() {
				set(i, "Elem", g.vtypeRow(t.Elem))
			}
		case ir.KStruct, ir.KHybrid, ir.KSig:
			if t.Kind == ir.KHybrid {
				set(i, "Elem", g.vtypeRow(t.Elem))
			}
			if len(t.Fields) > 0 {
				set(i, "Fields", g.vtypesOf(t.Fields))
			}
			if len(t.Results) > 0 {
				set(i, "Results", g.vtypesOf(t.Results))
			}
		}
	}
	var rows []expr
	for _, id := range g.vtypeIDs {
		rows = append(rows, g.vtypeLiteral(id))
	}
	out := []gotree.Decl{table("vtypes", rtType("VType"), rows)}
	if len(links.List) > 0 {
		out = append(out, initFunc(&links))
	}
	return out
}

func (g *gen) vtypeLiteral(id ir.TypeID) expr {
	n := g.at(id)
	row := []gotree.Elem{field("Kind", qual("rt", vkinds[n.Kind]))}
	if n.Kind == ir.KInt {
		row = append(row, intField("Bits", n.Bits))
	}
	if n.Kind == ir.KArray || n.Kind == ir.KVector {
		row = append(row, intField("Len", n.Len))
	}
	if n.Name != "" {
		row = append(row, strField("Name", n.Name))
	}
	if _, ok := g.descs[id]; ok {
		row = append(row, field("GC", addr(g.descVar(id))))
	}
	if n.Kind != ir.KSig && (g.Introspect || g.describes()) {
		row = append(row, g.vtypeLayout(id)...)
	}
	return composite(nil, row...)
}

// vtypeRow is the address of the description of a type.
func (g *gen) vtypeRow(id ir.TypeID) expr { return addr(index(name("vtypes"), g.vtype(id))) }

// vtypesOf lists the descriptions of types.
func (g *gen) vtypesOf(ids []ir.TypeID) expr {
	if len(ids) == 0 {
		return gotree.Nil
	}
	var l []expr
	for _, id := range ids {
		l = append(l, g.vtypeRow(id))
	}
	return composite(gotree.SliceOf(gotree.PtrTo(rtType("VType"))), elems(l)...)
}
