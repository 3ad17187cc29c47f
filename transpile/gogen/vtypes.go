package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// Descriptions of the types of values, for printing and for clients.

var vkinds = map[ir.Kind]string{
	ir.KVoid: "VVoid", ir.KInt: "VInt", ir.KFloat: "VFloat", ir.KDouble: "VDouble", ir.KUPtr: "VUPtr", ir.KUFuncPtr: "VUFuncPtr",
	ir.KRef: "VRef", ir.KIRef: "VIRef", ir.KWeakRef: "VWeakRef", ir.KTagRef64: "VTagRef64", ir.KFuncRef: "VFuncRef",
	ir.KStackRef: "VStackRef", ir.KThreadRef: "VThreadRef", ir.KFrameCursorRef: "VCursorRef", ir.KIRNodeRef: "VNodeRef", ir.KIRBuilderRef: "VBuilderRef",
	ir.KStruct: "VStruct", ir.KArray: "VArray", ir.KVector: "VVector", ir.KHybrid: "VHybrid", ir.KSig: "VSig",
}

// vtypeCode emits the table of descriptions, nil if there are none.
func (g *gen) vtypeCode() []gotree.Decl {
	if g.opt.Debug { // scripts of debuggers find the types of objects there
		for _, d := range g.Descs {
			g.VTypeRow(d.Type)
		}
	}
	if len(g.VTypeIDs) == 0 {
		return nil
	}
	// References to element types would make an initialisation cycle, so init sets them. They
	// may add to the list.
	var links gotree.Block
	set := func(i int, f string, x gotree.Expr) { links.Set(node.Dot(node.Index(node.Name("vtypes"), i), f), x) }
	for i := 0; i < len(g.VTypeIDs); i++ {
		switch t := g.At(g.VTypeIDs[i]); t.Kind {
		case ir.KArray, ir.KVector:
			set(i, "Elem", g.VTypeRow(t.Elem))
		case ir.KRef, ir.KIRef, ir.KWeakRef, ir.KUPtr, ir.KFuncRef, ir.KUFuncPtr:
			if g.Describes() {
				set(i, "Elem", g.VTypeRow(t.Elem))
			}
		case ir.KStruct, ir.KHybrid, ir.KSig:
			if t.Kind == ir.KHybrid {
				set(i, "Elem", g.VTypeRow(t.Elem))
			}
			if len(t.Fields) > 0 {
				set(i, "Fields", g.vtypesOf(t.Fields))
			}
			if len(t.Results) > 0 {
				set(i, "Results", g.vtypesOf(t.Results))
			}
		}
	}
	var rows []gotree.Expr
	for _, id := range g.VTypeIDs {
		rows = append(rows, g.vtypeLiteral(id))
	}
	out := []gotree.Decl{node.Table("vtypes", node.RuntimeType("VType"), rows)}
	if len(links.List) > 0 {
		out = append(out, initFunc(&links))
	}
	return out
}

func (g *gen) vtypeLiteral(id ir.TypeID) gotree.Expr {
	n := g.At(id)
	row := []gotree.Elem{node.Field("Kind", node.Qual("rt", vkinds[n.Kind]))}
	if n.Bits != 0 {
		row = append(row, node.IntField("Bits", n.Bits))
	}
	if n.Kind == ir.KArray || n.Kind == ir.KVector || n.Len != 0 {
		row = append(row, node.IntField("Len", n.Len))
	}
	if n.Name != "" {
		row = append(row, node.StrField("Name", n.Name))
	}
	if w := g.IR.Types.Words[n.Kind]; w != "" {
		row = append(row, node.StrField("Word", w))
	}
	if g.HasDesc(id) {
		row = append(row, node.Field("GC", node.Addr(g.DescVar(id))))
	}
	if n.Kind != ir.KSig && (g.Introspect || g.Describes() || g.opt.Debug) {
		row = append(row, g.vtypeLayout(id)...)
	}
	return node.Composite(nil, row...)
}

// vtypesOf lists the descriptions of types.
func (g *gen) vtypesOf(ids []ir.TypeID) gotree.Expr {
	if len(ids) == 0 {
		return gotree.Nil
	}
	var l []gotree.Expr
	for _, id := range ids {
		l = append(l, g.VTypeRow(id))
	}
	return node.Composite(gotree.SliceOf(gotree.PtrTo(node.RuntimeType("VType"))), node.Elems(l)...)
}

// vtypeLayout are the fields of a value type for the layout in memory.
func (g *gen) vtypeLayout(id ir.TypeID) []gotree.Elem {
	n, l := g.At(id), g.Layout.Of(id)
	var out []gotree.Elem
	if len(n.Fields) > 0 {
		var offs []gotree.Expr
		for _, o := range l.Offsets {
			offs = append(offs, node.Size(o))
		}
		out = append(out, node.Field("Offsets", node.Composite(gotree.SliceOf(gotree.Uintptr), node.Elems(offs)...)))
	}
	if n.Kind == ir.KArray || n.Kind == ir.KVector || n.Kind == ir.KHybrid {
		out = append(out, node.Field("Stride", node.Size(l.Stride)))
	}
	if n.Kind != ir.KHybrid && n.Kind != ir.KVoid {
		out = append(out, node.Field("Size", node.Size(l.Size.AlignUp(l.Align))))
	}
	return out
}
