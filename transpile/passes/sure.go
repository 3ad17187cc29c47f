package passes

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// sureLoads marks plain loads that cannot fail because an access to the same
// object comes before them on every path: with a NULL reference, that access would
// have failed. It stays, or another access before it does.
//
// Only a load of a fixed place in the object is marked: the reference alone decides
// whether it fails.
func (u *unit) sureLoads() []bool {
	v := u.v
	sure := make([]bool, len(v.Insts))
	if u.opt.Sanitize {
		return sure // every access is looked at there
	}
	cfg := u.cfg()
	type access struct {
		block ir.BlockID
		next  int32 // in accesses, 0 at the end
	}
	seen := make([]int32, len(v.Values)) // the last access, by reference
	accesses := make([]access, 1)
	for _, b := range cfg.Order {
	insts:
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			if !in.Op.Is(ir.Access) || in.Has(ir.FlagExc) {
				continue // with the clause, the program continues after a failure
			}
			x, ok := u.object(in.Args[0])
			if !ok {
				continue
			}
			n := 0
			for a := seen[x]; a != 0; a = accesses[a].next {
				if cfg.Dominates(accesses[a].block, b) {
					sure[id] = in.Op == ir.OpLoad && in.Ord == ir.NotAtomic
					continue insts
				}
				n++
			}
			if n < 8 {
				accesses = append(accesses, access{b, seen[x]})
				seen[x] = int32(len(accesses) - 1)
			}
		}
	}
	return sure
}

// object is the reference that an address at a fixed place in an object was
// computed from.
func (u *unit) object(x ir.ValueID) (ir.ValueID, bool) {
	for {
		in := u.def(x)
		if in == nil {
			return x, u.constant(x) == nil
		}
		if in.Has(ir.FlagPtr) {
			return 0, false
		}
		if !in.Op.Is(ir.Derives) {
			return x, true
		}
		if !in.Op.Is(ir.Within) && !u.inside(in) {
			return 0, false
		}
		x = in.Args[0]
	}
}

// inside reports whether an instruction locates an element of an array by a constant index that is
// in range.
func (u *unit) inside(in *ir.Inst) bool {
	if in.Op != ir.OpGetElemIRef {
		return false
	}
	c := u.constant(in.Args[1])
	return c != nil && c.Lo < u.t.At(in.Ty).Len && c.Hi == 0
}
