package analysis

import "github.com/uvm2go/uvm2go/transpile/ir"

// Uses lists, for each value, the instructions that mention it as an operand,
// in a keep-alive clause or as a destination argument; an instruction once for
// each mention. Instructions of dead blocks are left out.
type Uses struct {
	first []int32
	list  []ir.InstID
}

// NewUses collects the uses of all values.
func NewUses(v *ir.Version) *Uses {
	u := &Uses{first: make([]int32, len(v.Values)+1)}
	each := func(fn func(x ir.ValueID, id ir.InstID)) {
		for b := range v.Blocks {
			if v.Blocks[b].Dead {
				continue
			}
			for _, id := range v.Blocks[b].Insts {
				in := &v.Insts[id]
				for _, a := range in.Args {
					fn(a, id)
				}
				for _, a := range in.Keep {
					fn(a, id)
				}
				for i := range in.Dests {
					for _, a := range in.Dests[i].Args {
						fn(a, id)
					}
				}
			}
		}
	}
	n := 0
	each(func(x ir.ValueID, _ ir.InstID) {
		u.first[x]++
		n++
	})
	sum := int32(0)
	for i, k := range u.first {
		sum += k
		u.first[i] = sum // the end; filling below makes it the beginning
	}
	u.list = make([]ir.InstID, n)
	each(func(x ir.ValueID, id ir.InstID) {
		u.first[x]--
		u.list[u.first[x]] = id
	})
	return u
}

// Of lists the instructions that mention a value. Values made since have none.
func (u *Uses) Of(x ir.ValueID) []ir.InstID {
	if int(x)+1 >= len(u.first) {
		return nil
	}
	return u.list[u.first[x]:u.first[x+1]]
}

// Count is how often a value is mentioned.
func (u *Uses) Count(x ir.ValueID) int { return len(u.Of(x)) }
