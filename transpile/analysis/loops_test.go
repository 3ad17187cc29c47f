package analysis

import (
	"runtime"
	"slices"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// listed finds all loops with their blocks.
func listed(c *CFG) *Loops {
	l := LoopTree(c)
	l.list(c)
	return l
}

func TestLoops(t *testing.T) {
	for _, tt := range []struct {
		name  string
		v     *ir.Version
		depth []int32 // by block
	}{
		{"none", graph([]int{1, 2}, []int{3}, []int{3}, nil), []int32{0, 0, 0, 0}},
		{"one block", graph([]int{1}, []int{1, 2}, nil), []int32{0, 1, 0}},
		{"nested", graph([]int{1}, []int{2, 4}, []int{3, 1}, []int{2}, nil), []int32{0, 1, 2, 2, 0}},
		{"two ways back", graph([]int{1}, []int{2, 3}, []int{1}, []int{1, 4}, nil), []int32{0, 1, 1, 1, 0}},
		{"one after the other", graph([]int{1}, []int{1, 2}, []int{2, 3}, nil), []int32{0, 1, 1, 0}},
		{"irreducible", graph([]int{1, 2}, []int{2}, []int{1, 3}, nil), []int32{0, 0, 0, 0}},
		{"three deep", graph([]int{1}, []int{2, 5}, []int{3, 1}, []int{4, 2}, []int{3}, nil), []int32{0, 1, 2, 3, 3, 0}},
	} {
		c := NewCFG(tt.v)
		l := listed(c)
		for b, want := range tt.depth {
			if got := l.Depth(ir.BlockID(b)); got != want {
				t.Errorf("%s: depth of block %d is %d, want %d", tt.name, b, got, want)
			}
		}
		for i, x := range l.List {
			if x.Blocks[0] != x.Header {
				t.Errorf("%s: loop %d begins with block %d, header %d", tt.name, i, x.Blocks[0], x.Header)
			}
			for b := range tt.v.Blocks {
				if listed := slices.Contains(x.Blocks, ir.BlockID(b)); l.Contains(LoopID(i), ir.BlockID(b)) != listed {
					t.Errorf("%s: loop %d lists block %d: %t; and contains it: %t", tt.name, i, b, listed, !listed)
				}
			}
			if x.Parent >= 0 && (int(x.Parent) <= i || !l.List[x.Parent].Inner) {
				t.Errorf("%s: loop %d has parent %d", tt.name, i, x.Parent)
			}
		}
	}
}

// TestLoopTree: the tree of loops in each other takes memory that grows with their number, not with its square.
func TestLoopTree(t *testing.T) {
	cost := func(n int) uint64 {
		succs := [][]int{{1}}
		for h := 1; h <= n; h++ { // each head leads to the next and back to the one before
			succs = append(succs, []int{h + 1, h - 1})
		}
		succs[1] = []int{2}
		c := NewCFG(graph(append(succs, []int{n, n + 2}, nil)...))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		l := LoopTree(c)
		runtime.ReadMemStats(&after)
		if len(l.List) != n || l.Depth(ir.BlockID(n+1)) != int32(n) || l.Depth(1) != 1 || !l.Contains(0, ir.BlockID(n)) {
			t.Fatalf("%d levels: %d loops, depth %d", n, len(l.List), l.Depth(ir.BlockID(n+1)))
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, large := cost(500), cost(4000); large > 12*small {
		t.Errorf("8 times the loops take %d bytes instead of %d", large, small)
	}
}

// Of loops that are deep in each other InnerLoops has the inner ones, and the same otherwise.
func TestInnerLoops(t *testing.T) {
	for _, n := range []int{1, 10, maxInside + 1, 1000} {
		// Each head leads to the next and back to the one before; loops of one block stand in the first and in the last.
		succs := [][]int{{1}}
		for h := 1; h <= n; h++ {
			succs = append(succs, []int{h + 1, h - 1})
		}
		succs[1] = []int{2, n + 2}
		succs = append(succs, []int{n, n + 1}, []int{n + 2, n + 3}, nil)
		v := graph(succs...)
		c := NewCFG(v)
		all, inner := listed(c), InnerLoops(v, c)
		kept := min(n, maxInside)
		if len(all.List) != n+2 || len(inner.List) != kept+2 {
			t.Fatalf("%d levels: %d loops, and %d that are inner", n, len(all.List), len(inner.List))
		}
		listed := 0
		for i, x := range inner.List {
			listed += len(x.Blocks)
			k := slices.IndexFunc(all.List, func(y Loop) bool { return y.Header == x.Header })
			if y := all.List[k]; !slices.Equal(x.Blocks, y.Blocks) || x.Inner != y.Inner || x.Parent >= 0 && inner.List[x.Parent].Header != all.List[y.Parent].Header {
				t.Errorf("%d levels: inner loop %+v, want %+v", n, x, y)
			}
			for b := range v.Blocks {
				if b := ir.BlockID(b); inner.Contains(LoopID(i), b) != all.Contains(LoopID(k), b) {
					t.Errorf("%d levels: block %d in loop %d: %t", n, b, i, inner.Contains(LoopID(i), b))
				}
			}
		}
		if listed > (maxInside+2)*(maxInside+2) {
			t.Errorf("%d levels: inner loops list %d blocks", n, listed)
		}
	}
}

func TestUses(t *testing.T) {
	p := ir.NewProgram()
	i64 := p.Types.Int(64)
	f := &ir.Function{Name: "@f", Sig: p.Types.Sig([]ir.TypeID{i64}, nil)}
	v := p.NewVersion(f, "@f.v", diag.Pos{})
	b := v.NewBlock("%b", diag.Pos{})
	x := v.AddParam(b, i64, "%x")
	add := v.Append(b, ir.Inst{Op: ir.OpAdd, Ty: i64, Args: []ir.ValueID{x, x}}, []ir.TypeID{i64}, nil)
	y := v.Insts[add].Results[0]
	v.Append(b, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{{Block: b, Args: []ir.ValueID{y}}}}, nil, nil)
	u := NewUses(v)
	if u.Count(x) != 2 || u.Of(x)[0] != add || u.Count(y) != 1 || u.Count(1000) != 0 {
		t.Errorf("uses of x %v, of y %v", u.Of(x), u.Of(y))
	}
}
