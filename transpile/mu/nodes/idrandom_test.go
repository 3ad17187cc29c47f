package nodes_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// TestIDRandom makes calls at random, of all functions, most with wrong arguments: the bundle is loaded or refused with
// a message.
func TestIDRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		m := newIDMaker(t)
		var ids []uint32
		for range 3 + r.IntN(60) {
			ids = append(ids, m.sym(""))
		}
		pick := func() uint32 {
			switch r.IntN(30) {
			case 0:
				return 0
			case 1:
				return 0x260
			case 2:
				return 5
			}
			return ids[r.IntN(len(ids))]
		}
		next := 0
		fresh := func() uint32 { // rarely one that is taken
			if next++; next >= len(ids) || r.IntN(20) == 0 {
				return pick()
			}
			return ids[next]
		}
		for range len(ids) {
			row := &nodes.IDRows[r.IntN(len(nodes.IDRows))]
			args := make([]nodes.Arg, len(row.Params))
			for i, p := range row.Params {
				n := r.IntN(3)
				if p.Shared {
					n = len(args[i-1].IDs)
				}
				a := nodes.Arg{ID: pick(), Word: r.Uint64() >> r.IntN(64), Text: "x"}
				for range n {
					a.IDs, a.Words = append(a.IDs, pick()), append(a.Words, r.Uint64())
				}
				if p.Role == 'd' || p.Role == 'r' && !p.List {
					a.ID = fresh()
				}
				args[i] = a
			}
			if err := m.b.Call(row, args); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := loadIDs(t, m.b); err != nil && err.Error() == "" {
			t.Error("an error without a message")
		}
	}
}

// TestIDChanged changes one argument of a right bundle at random.
func TestIDChanged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	bundles := seedBundles(t)
	for i, name := range slices.Sorted(maps.Keys(bundles)) {
		if i%4 != 0 {
			continue
		}
		for range 8 {
			m := remakes(t, bundles[name].text, false)
			if m == nil || len(m.calls) == 0 {
				break // nothing to change
			}
			for range 1 + r.IntN(3) {
				c, d := &m.calls[r.IntN(len(m.calls))], &m.calls[r.IntN(len(m.calls))]
				if len(c.Args) == 0 {
					continue
				}
				i, k := r.IntN(len(c.Args)), r.IntN(len(d.Args))
				n := len(c.Args[i].IDs)
				c.Args[i] = d.Args[k]
				if len(c.Args[i].IDs) != n { // lists with one length stay so
					c.Args[i].IDs = append(make([]uint32, 0, n), c.Args[i].IDs[:min(n, len(c.Args[i].IDs))]...)
					for len(c.Args[i].IDs) < n {
						c.Args[i].IDs = append(c.Args[i].IDs, 0)
					}
				}
			}
			if _, err := m.load(); err != nil && err.Error() == "" {
				t.Error("an error without a message")
			}
		}
	}
}
