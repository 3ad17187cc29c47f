package analysis

import (
	"testing"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// graph makes a version whose block i branches to succs[i].
func graph(succs ...[]int) *ir.Version {
	p := ir.NewProgram()
	f := &ir.Function{Name: "@f", Sig: p.Types.Sig(nil, nil)}
	v := p.NewVersion(f, "@f.v", diag.Pos{})
	for range succs {
		v.NewBlock("%b", diag.Pos{})
	}
	for i, s := range succs {
		in := ir.Inst{Op: ir.OpSwitch}
		for _, d := range s {
			in.Dests = append(in.Dests, ir.Dest{Block: ir.BlockID(d)})
		}
		if len(s) == 0 {
			in.Op = ir.OpRet
		}
		v.Append(ir.BlockID(i), in, nil, nil)
	}
	return v
}

func TestDominators(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    *ir.Version
		idom []ir.BlockID // -1: not reachable
	}{
		{"diamond", graph([]int{1, 2}, []int{3}, []int{3}, nil), []ir.BlockID{0, 0, 0, 0}},
		{"loop", graph([]int{1}, []int{2, 3}, []int{1}, nil), []ir.BlockID{0, 0, 1, 1}},
		{"irreducible", graph([]int{1, 2}, []int{2}, []int{1, 3}, nil), []ir.BlockID{0, 0, 0, 2}},
		{"unreachable", graph([]int{2}, []int{2}, nil), []ir.BlockID{0, -1, 0}},
		{"double edge", graph([]int{1, 1}, nil), []ir.BlockID{0, 0}},
	} {
		c := NewCFG(tt.v)
		for b, want := range tt.idom {
			if c.Idom[b] != want {
				t.Errorf("%s: idom(%d) = %d, want %d", tt.name, b, c.Idom[b], want)
			}
		}
		// Dominance against its definition: b cannot be reached without a.
		for a := range tt.v.Blocks {
			for b := range tt.v.Blocks {
				if !c.Reachable(ir.BlockID(a)) || !c.Reachable(ir.BlockID(b)) {
					continue
				}
				if got, want := c.Dominates(ir.BlockID(a), ir.BlockID(b)), !reaches(tt.v, ir.BlockID(a), ir.BlockID(b)); got != want {
					t.Errorf("%s: Dominates(%d, %d) = %v, want %v", tt.name, a, b, got, want)
				}
			}
		}
	}
}

// reaches reports whether to can be reached from the entry without passing avoid.
func reaches(v *ir.Version, avoid, to ir.BlockID) bool {
	if avoid == 0 {
		return false
	}
	seen := map[ir.BlockID]bool{0: true}
	work := []ir.BlockID{0}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if b == to && b != avoid {
			return true
		}
		v.Succs(b, func(d *ir.Dest) {
			if d.Block != avoid && !seen[d.Block] {
				seen[d.Block] = true
				work = append(work, d.Block)
			}
		})
	}
	return false
}
