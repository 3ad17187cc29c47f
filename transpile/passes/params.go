package passes

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// maxSweeps is after how many sweeps the search below goes another way, which takes longer for real code: that needs
// three or four sweeps. A variable for tests.
var maxSweeps = 16

// redundantParams replaces the parameters that have the same value whichever
// way their block is entered. Readers make many: Mu text passes each live
// variable through each block.
//
// The search is optimistic, so that parameters that merely go round loops are
// found whatever the loops look like: at first nothing is known of any
// parameter, then each is what its arguments are, as far as these are known,
// and itself when they differ, until nothing changes. If x is all that a set
// of parameters gets from outside the set, then every way into the set passes
// the definition of x, so x is defined wherever one of them is used; and what
// they hold is the latest x, because each way from there to a use enters the
// parameter's block again.
//
// Needs: no unreachable blocks.
func (u *unit) redundantParams() int {
	v := u.v
	some := false
	for b := 1; b < len(v.Blocks); b++ {
		some = some || len(v.Blocks[b].Params) > 0
	}
	if !some {
		return 0
	}
	order := analysis.Order(v)
	into := u.edges()
	is := make([]ir.ValueID, len(v.Values)) // 0 unknown
	for i := range is {
		is[i] = ir.ValueID(i)
		if x := &v.Values[i]; x.Kind == ir.ValueParam && x.Def != 0 {
			is[i] = 0
		} else if x.Kind == ir.ValueConst {
			is[i] = u.canonical(ir.ValueID(i))
		}
	}
	value := func(x ir.ValueID) ir.ValueID {
		for int(x) < len(is) && is[x] != x { // constants made above are beyond
			if x = is[x]; x == 0 {
				return 0
			}
		}
		return x
	}
	stable := false
	for sweep := 0; !stable && sweep < maxSweeps; sweep++ {
		stable = true
		for _, b := range order[1:] {
			for i, p := range v.Blocks[b].Params {
				if is[p] == p {
					continue
				}
				same := ir.ValueID(0)
				for _, e := range into[b] {
					x := value(e.dest().Args[i])
					if x == 0 || x == p || x == same {
						continue
					}
					if same != 0 {
						same = p
						break
					}
					same = x
				}
				if same != 0 && same != is[p] {
					is[p], stable = same, false
				}
			}
		}
	}
	if !stable {
		u.sources(order, into, is)
	}
	r := u.rename()
	n := 0
	for b := 1; b < len(v.Blocks); b++ {
		params := v.Blocks[b].Params
		var drop []bool
		for i, p := range params {
			if x := value(p); x != 0 && x != p {
				r.set(p, x)
				if drop == nil {
					drop = make([]bool, len(params))
				}
				drop[i] = true
				n++
			}
		}
		if drop != nil {
			u.dropParams(ir.BlockID(b), drop, into[b])
		}
	}
	r.apply()
	return n
}

// sources sets what parameters are, in a list in which constants are canonical. Some bodies need as many sweeps as they
// have parameters, for example that of a loop that rotates variables.
//
// Take the graph that leads from each argument to its parameter, and from a root to each argument that is no parameter. Of
// the values that all ways from the root to a parameter pass, its dominators, the one next to the root is what it is.
// Sweeps find no others, though they miss a few: those that depend on a value which two sweeps saw differently.
func (u *unit) sources(order []ir.BlockID, into [][]edge, is []ir.ValueID) {
	v := u.v
	node := func(x ir.ValueID) ir.ValueID {
		if int(x) < len(is) && v.Values[x].Kind == ir.ValueConst {
			return is[x]
		}
		return x
	}
	param := func(x ir.ValueID) bool { return v.Values[x].Kind == ir.ValueParam && v.Values[x].Def != 0 }
	edges := func(f func(from, to ir.ValueID)) {
		rooted := make([]bool, len(v.Values))
		for _, b := range order[1:] {
			for i, p := range v.Blocks[b].Params {
				for _, e := range into[b] {
					x := node(e.dest().Args[i])
					f(x, p)
					if !param(x) && !rooted[x] {
						rooted[x] = true
						f(0, x)
					}
				}
			}
		}
	}
	count, n := make([]int32, len(v.Values)), 0
	edges(func(from, _ ir.ValueID) {
		count[from]++
		n++
	})
	dests, all := make([][]ir.Dest, len(v.Values)), make([]ir.Dest, n)
	for x, n := range count {
		dests[x], all = all[:0:n], all[n:]
	}
	edges(func(from, to ir.ValueID) { dests[from] = append(dests[from], ir.Dest{Block: ir.BlockID(to)}) })
	c := analysis.NewGraph(dests)
	top := make([]ir.ValueID, len(v.Values))
	for _, x := range c.Order[1:] {
		if top[x] = ir.ValueID(x); c.Idom[x] != 0 {
			top[x] = top[c.Idom[x]]
		}
		if param(ir.ValueID(x)) {
			is[x] = top[x]
		}
	}
}

// dropParams takes parameters of a block away, and what the edges pass for them.
func (u *unit) dropParams(b ir.BlockID, drop []bool, into []edge) {
	blk := &u.v.Blocks[b]
	blk.Params = without(blk.Params, drop)
	for i, p := range blk.Params {
		u.v.Values[p].Index = int32(i)
	}
	for _, e := range into {
		d := e.dest()
		d.Args = without(d.Args, drop)
	}
}

// without makes a list of the elements that are not dropped.
func without(list []ir.ValueID, drop []bool) []ir.ValueID {
	out := make([]ir.ValueID, 0, len(list))
	for i, x := range list {
		if !drop[i] {
			out = append(out, x)
		}
	}
	return out
}
