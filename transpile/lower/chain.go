package lower

import "github.com/uvm2go/uvm2go/transpile/ir"

// Long chains of operations.
//
// To find equal values, Go's compiler first takes all values with one operation for equal, and then tells
// them apart by their operands, again and again (ssa/cse.go). In a chain of operations in which each has the result of
// the one before, each round tells the next value from all the rest, so the time is in proportion to the
// square of the length. The result of a call is equal to nothing. So a long chain passes through one now and then.

// chainLength is the number of operations between two such calls.
const chainLength = 1000

// findChains notes the values that pass through a call: results of arithmetic after so many others.
func (e *fn) findChains() {
	if len(e.v.Insts) < 2*chainLength {
		return
	}
	e.apart = make([]bool, len(e.v.Values))
	length := make([]int32, len(e.v.Values))
	for _, b := range e.plan.CFG.Order {
		for _, id := range e.v.Blocks[b].Insts {
			in := &e.v.Insts[id]
			if len(in.Results) != 1 {
				continue
			}
			n := int32(0)
			for _, a := range in.Args {
				n = max(n, length[e.plan.Alias[a]])
			}
			x := e.plan.Alias[in.Results[0]]
			switch in.Op.Info().Class {
			case ir.ClassCall:
				n = -1
			case ir.ClassIntBin, ir.ClassFPBin, ir.ClassConv:
				if n >= chainLength && !e.plan.Inline[x] && e.scalar(e.v.Values[x].Type) {
					e.apart[x], n = true, -1
				}
			}
			length[x] = n + 1
		}
	}
}

// scalar reports whether values of a type are numbers of at most 64 bits.
func (e *fn) scalar(t ir.TypeID) bool {
	switch e.Kind(t) {
	case ir.KInt:
		return e.At(t).Bits <= 64
	case ir.KFloat, ir.KDouble:
		return true
	}
	return false
}
