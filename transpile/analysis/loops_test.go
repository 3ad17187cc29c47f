package analysis

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

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
		l := NewLoops(tt.v, c)
		for b, want := range tt.depth {
			if got := l.Depth(ir.BlockID(b)); got != want {
				t.Errorf("%s: depth of block %d is %d, want %d", tt.name, b, got, want)
			}
		}
		for i, x := range l.List {
			if x.Blocks[0] != x.Header {
				t.Errorf("%s: loop %d begins with block %d, header %d", tt.name, i, x.Blocks[0], x.Header)
			}
			for _, b := range x.Blocks {
				if !l.Contains(LoopID(i), b) {
					t.Errorf("%s: loop %d lists block %d, which it does not contain", tt.name, i, b)
				}
			}
			if x.Parent >= 0 && (int(x.Parent) <= i || !l.List[x.Parent].Inner) {
				t.Errorf("%s: loop %d has parent %d", tt.name, i, x.Parent)
			}
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
