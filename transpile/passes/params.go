package passes

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// maxSweeps bounds the search below; real code takes three or four.
const maxSweeps = 64

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
		return 0
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
