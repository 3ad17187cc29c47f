package analysis

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
		check(t, tt.name, tt.v)
	}
	// Graphs of all kinds, irreducible and partly unreachable ones too.
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		succs := make([][]int, 1+r.IntN(12))
		for b := range succs {
			for range r.IntN(4) {
				succs[b] = append(succs[b], r.IntN(len(succs)))
			}
		}
		check(t, fmt.Sprintf("random %d, %v", i, succs), graph(succs...))
	}
}

// TestDominatorSteps doubles graphs on which some algorithms take quadratic time.
func TestDominatorSteps(t *testing.T) {
	shapes := map[string]func(n, i int) []int{
		"chain":                 func(n, i int) []int { return []int{i + 1} },
		"chain with exits":      func(n, i int) []int { return []int{i + 1, n} },
		"way back":              func(n, i int) []int { return []int{i + 1, max(i-1, 1)} },
		"way back to the first": func(n, i int) []int { return []int{i + 1, 1} },
		"ladder":                func(n, i int) []int { return []int{min(i+2, n), i + 1} },
		"fan":                   func(n, i int) []int { return []int{n - i/2, i + 1} },
	}
	for name, shape := range shapes {
		steps := func(n int) int {
			succs := make([][]int, n+1)
			for i := range n {
				succs[i] = shape(n, i)
			}
			v := graph(succs...)
			_, tree := newCFG(len(v.Blocks), destsOf(v), new(Room))
			return tree.steps
		}
		const n = 2000
		if one, two := steps(n), steps(2*n); two > 3*one+1000 {
			t.Errorf("%s: %d steps for %d blocks, %d for twice as many", name, one, n, two)
		}
	}
}

// check compares a CFG with the definitions of what it says.
func check(t *testing.T, name string, v *ir.Version) {
	t.Helper()
	c := NewCFG(v)
	if o := Order(v); !slices.Equal(o, c.Order) {
		t.Errorf("%s: Order is %v, of a CFG %v", name, o, c.Order)
	}
	preds := make([][]ir.BlockID, len(v.Blocks))
	for i, b := range c.Order {
		if c.Index[b] != int32(i) {
			t.Errorf("%s: Index[%d] = %d, want %d", name, b, c.Index[b], i)
		}
		v.Succs(b, func(d *ir.Dest) { preds[d.Block] = append(preds[d.Block], b) })
	}
	kids := 0
	for b, k := range c.Children() {
		kids += len(k)
		for i, x := range k {
			if c.Idom[x] != ir.BlockID(b) || i > 0 && c.Index[k[i-1]] >= c.Index[x] {
				t.Errorf("%s: children of %d: %v", name, b, k)
			}
		}
	}
	if kids != len(c.Order)-1 {
		t.Errorf("%s: %d children of %d blocks", name, kids, len(c.Order))
	}
	for a := range v.Blocks {
		if !slices.Equal(c.Preds[a], preds[a]) {
			t.Errorf("%s: Preds[%d] = %v, want %v", name, a, c.Preds[a], preds[a])
		}
		if got, want := c.Reachable(ir.BlockID(a)), a == 0 || reaches(v, -1, ir.BlockID(a)); got != want {
			t.Errorf("%s: Reachable(%d) = %v, want %v", name, a, got, want)
		}
		// b cannot be reached without a.
		for b := range v.Blocks {
			if !c.Reachable(ir.BlockID(a)) || !c.Reachable(ir.BlockID(b)) {
				continue
			}
			if got, want := c.Dominates(ir.BlockID(a), ir.BlockID(b)), !reaches(v, ir.BlockID(a), ir.BlockID(b)); got != want {
				t.Errorf("%s: Dominates(%d, %d) = %v, want %v", name, a, b, got, want)
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
