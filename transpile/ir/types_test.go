package ir_test

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Equality is structural and coinductive (docs/language.md, "Types").
func TestCanonicalCycles(t *testing.T) {
	ty := ir.NewTypes()
	i64 := ty.Int(64)
	// @Node = struct<@i64 @NodeRef>, @NodeRef = ref<@Node>
	a := ty.Add([]ir.Node{
		{Kind: ir.KStruct, Fields: []ir.TypeID{i64, ir.Raw(1)}, Name: "@Node"},
		{Kind: ir.KRef, Elem: ir.Raw(0)},
	})
	// The same cycle, unrolled twice and numbered otherwise.
	b := ty.Add([]ir.Node{
		{Kind: ir.KRef, Elem: ir.Raw(3)},
		{Kind: ir.KStruct, Fields: []ir.TypeID{i64, ir.Raw(0)}},
		{Kind: ir.KRef, Elem: ir.Raw(1)},
		{Kind: ir.KStruct, Fields: []ir.TypeID{i64, ir.Raw(2)}},
	})
	if a[0] != b[1] || a[0] != b[3] || a[1] != b[0] || a[1] != b[2] {
		t.Errorf("equal cycles differ: %v %v", a, b)
	}
	if got := ty.Struct(i64, a[1]); got != a[0] {
		t.Errorf("struct<i64 ref<Node>> = %d, want %d", got, a[0])
	}
	c := ty.Add([]ir.Node{
		{Kind: ir.KStruct, Fields: []ir.TypeID{i64, ir.Raw(1)}},
		{Kind: ir.KIRef, Elem: ir.Raw(0)},
	})
	if c[0] == a[0] {
		t.Error("a cycle through iref equals one through ref")
	}
	if ty.String(a[0]) != "@Node" {
		t.Errorf("name %q", ty.String(a[0]))
	}
}

func TestPureReferenceCycle(t *testing.T) {
	ty := ir.NewTypes()
	a := ty.Add([]ir.Node{{Kind: ir.KRef, Elem: ir.Raw(1)}, {Kind: ir.KRef, Elem: ir.Raw(0)}})
	b := ty.Add([]ir.Node{{Kind: ir.KRef, Elem: ir.Raw(0)}})
	if a[0] != a[1] || a[0] != b[0] {
		t.Errorf("ref cycles differ: %v %v", a, b)
	}
	if ty.Ref(a[0]) != a[0] {
		t.Error("ref of the cycle is another type")
	}
}

func TestSignatureCycle(t *testing.T) {
	ty := ir.NewTypes()
	// .funcsig @S = (@Fp) -> ()  .typedef @Fp = ufuncptr<@S>
	a := ty.Add([]ir.Node{{Kind: ir.KSig, Fields: []ir.TypeID{ir.Raw(1)}}, {Kind: ir.KUFuncPtr, Elem: ir.Raw(0)}})
	b := ty.Add([]ir.Node{{Kind: ir.KUFuncPtr, Elem: ir.Raw(1)}, {Kind: ir.KSig, Fields: []ir.TypeID{ir.Raw(0)}}})
	if a[0] != b[1] || a[1] != b[0] {
		t.Errorf("signature cycles differ: %v %v", a, b)
	}
}

func TestChainIsLinear(t *testing.T) {
	ty := ir.NewTypes()
	n := 200000
	nodes := make([]ir.Node, n)
	for i := range nodes {
		nodes[i] = ir.Node{Kind: ir.KRef, Elem: ir.Raw(i + 1)}
	}
	nodes[n-1] = ir.Node{Kind: ir.KInt, Bits: 8}
	ids := ty.Add(nodes)
	if ty.Ref(ids[5]) != ids[4] {
		t.Error("chain is not interned")
	}
}

func TestLargeCycle(t *testing.T) {
	// A ring of structures of which one differs: all are different.
	ty := ir.NewTypes()
	i64 := ty.Int(64)
	n := 20000
	nodes := make([]ir.Node, 2*n)
	for i := range n {
		nodes[2*i] = ir.Node{Kind: ir.KStruct, Fields: []ir.TypeID{i64, ir.Raw(2*i + 1)}}
		nodes[2*i+1] = ir.Node{Kind: ir.KRef, Elem: ir.Raw((2*i + 2) % (2 * n))}
	}
	nodes[0].Fields[0] = ty.Int(8)
	ids := ty.Add(nodes)
	seen := map[ir.TypeID]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	if len(seen) != 2*n {
		t.Errorf("%d different types, want %d", len(seen), 2*n)
	}
	again := ty.Add(nodes)
	for i := range ids {
		if ids[i] != again[i] {
			t.Fatalf("node %d is %d, then %d", i, ids[i], again[i])
		}
	}
}

func TestRingOfEquals(t *testing.T) {
	ty := ir.NewTypes()
	nodes := make([]ir.Node, 5000)
	for i := range nodes {
		nodes[i] = ir.Node{Kind: ir.KRef, Elem: ir.Raw((i + 1) % len(nodes))}
	}
	ids := ty.Add(nodes)
	for _, id := range ids {
		if id != ids[0] {
			t.Fatal("members of a ring of equals differ")
		}
	}
}
