package passes_test

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// inWords puts ZEXTWORD or SEXTWORD after each operation whose int<64> may not fit a word, like
// a reader whose integers are of the target's word size.
func inWords(p *ir.Program, op ir.Op) {
	for _, f := range p.Funcs {
		for _, v := range f.Versions {
			for b := range v.Blocks {
				wordsIn(p, v, ir.BlockID(b), op)
			}
		}
	}
}

func wordsIn(p *ir.Program, v *ir.Version, b ir.BlockID, op ir.Op) {
	for i := 0; i < len(v.Blocks[b].Insts); i++ {
		in := v.Insts[v.Blocks[b].Insts[i]]
		if !slices.Contains([]ir.Op{ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpShl}, in.Op) || p.Types.At(in.Ty).Bits != 64 {
			continue
		}
		x := in.Results[0]
		last := len(v.Insts)
		id := v.InsertBefore(b, i+1, ir.Inst{Op: op, Args: []ir.ValueID{x}, Pos: in.Pos}, []ir.TypeID{in.Ty}, nil)
		w := v.Insts[id].Results[0]
		for k := range v.Insts[:last] {
			use := &v.Insts[k]
			for _, l := range [][]ir.ValueID{use.Args, use.Keep} {
				putFor(l, x, w)
			}
			for d := range use.Dests {
				putFor(use.Dests[d].Args, x, w)
			}
		}
		i++
	}
}

func putFor(l []ir.ValueID, x, w ir.ValueID) {
	for i := range l {
		if l[i] == x {
			l[i] = w
		}
	}
}
