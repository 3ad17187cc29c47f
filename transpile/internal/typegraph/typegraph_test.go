package typegraph_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/internal/typegraph"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A list may refer to itself, a struct must not contain itself, and types that refer to such a
// struct are unknown.
func TestTypes(t *testing.T) {
	types := ir.NewTypes()
	var g typegraph.Graph
	list, ref, self, user, plain := g.Add(), g.Add(), g.Add(), g.Add(), g.Add()
	g.Nodes[list] = ir.Node{Kind: ir.KStruct, Fields: []ir.TypeID{ir.Raw(ref), types.Int(64)}}
	g.Nodes[ref] = ir.Node{Kind: ir.KRef, Elem: ir.Raw(list)}
	g.Nodes[self] = ir.Node{Kind: ir.KStruct, Fields: []ir.TypeID{types.Int(8), ir.Raw(user)}}
	g.Nodes[user] = ir.Node{Kind: ir.KArray, Elem: ir.Raw(self), Len: 2}
	g.Nodes[plain] = ir.Node{Kind: ir.KSig, Results: []ir.TypeID{ir.Raw(user)}}
	cycles := 0
	g.Cycles(func(cycle []int) {
		cycles++
		if len(cycle) != 2 || cycle[0] != self || cycle[1] != user {
			t.Errorf("cycle %v", cycle)
		}
		g.Bad[cycle[0]] = true
	})
	ids := g.Types(types)
	if cycles != 1 || ids[self] != ir.NoType || ids[user] != ir.NoType || ids[plain] != ir.NoType {
		t.Errorf("%d cycles, types %v", cycles, ids)
	}
	if types.At(ids[ref]).Elem != ids[list] || ids[list] == ir.NoType {
		t.Errorf("types %v", ids)
	}
}
