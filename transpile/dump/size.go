package dump

import "github.com/uvm2go/uvm2go/transpile/ir"

// A Size counts what a body consists of.
type Size struct {
	Blocks       int `json:"blocks"`
	Instructions int `json:"instructions"`
	Calls        int `json:"calls"`
	Allocations  int `json:"allocations"` // of objects in the heap
}

// SizeOf counts the blocks and instructions of a version; nil counts as empty.
func SizeOf(v *ir.Version) (s Size) {
	if v == nil {
		return s
	}
	for b := range v.Blocks {
		if v.Blocks[b].Dead {
			continue
		}
		s.Blocks++
		for _, id := range v.Blocks[b].Insts {
			s.Instructions++
			in := &v.Insts[id]
			if in.Op.Info().Class == ir.ClassCall {
				s.Calls++
			}
			if in.Op.Is(ir.Allocates) && !in.Op.Is(ir.OnStack) && !in.Has(ir.FlagLocal) {
				s.Allocations++
			}
		}
	}
	return s
}

// Plus adds two sizes.
func (s Size) Plus(t Size) Size {
	return Size{s.Blocks + t.Blocks, s.Instructions + t.Instructions, s.Calls + t.Calls, s.Allocations + t.Allocations}
}
