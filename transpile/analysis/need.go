package analysis

import "github.com/uvm2go/uvm2go/transpile/ir"

// Needed marks the instructions of a body that are needed, and the values that they read. An
// instruction is needed if kept says so, or if it defines a value that a needed one reads or that
// is passed to a parameter that a needed one reads. Only reachable blocks are considered. passed
// calls use for the values that the edges into a block pass as its parameter i.
func Needed(v *ir.Version, c *CFG, kept func(ir.InstID) bool, passed func(b ir.BlockID, i int, use func(ir.ValueID))) (needed, used []bool) {
	needed, used = make([]bool, len(v.Insts)), make([]bool, len(v.Values))
	var work []ir.ValueID
	use := func(x ir.ValueID) {
		if x != 0 && !used[x] {
			used[x] = true
			work = append(work, x)
		}
	}
	take := func(id ir.InstID) {
		needed[id] = true
		in := &v.Insts[id]
		for _, a := range in.Args {
			use(a)
		}
		for _, a := range in.Keep {
			use(a)
		}
	}
	for _, b := range c.Order {
		for _, id := range v.Blocks[b].Insts {
			if kept(id) {
				take(id)
			}
		}
	}
	for len(work) > 0 {
		x := &v.Values[work[len(work)-1]]
		work = work[:len(work)-1]
		switch x.Kind {
		case ir.ValueParam:
			passed(ir.BlockID(x.Def), int(x.Index), use)
		case ir.ValueResult:
			if id := ir.InstID(x.Def); !needed[id] {
				take(id)
			}
		}
	}
	return needed, used
}
