package plan

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// maxNest bounds how deep braces nest because of the shape of a body. Each level
// indents what is in it, so without a bound the text of a body with many decisions one
// after another would grow with the square of its length.
const maxNest = 64

// nest decides which blocks are written in place. If the branch to a block would put
// it in braces deeper than maxNest, the block gets a label instead; the last labelled
// sibling of a block, which has the most code after it, needs no braces.
func (f *Func) nest() {
	n := len(f.V.Blocks)
	f.InPlace = make([]ir.BlockID, n)
	f.Labels = make([][]ir.BlockID, n)
	f.Open = make([]bool, n)
	for i := range f.InPlace {
		f.InPlace[i] = -1
	}
	depth := make([]int, n) // of braces, at most maxNest
	for _, b := range f.CFG.Order[1:] {
		d := f.CFG.Idom[b]
		depth[b] = depth[d]
		if len(f.CFG.Preds[b]) == 1 {
			if len(f.V.Term(d).Dests) == 1 {
				f.InPlace[b] = d
				continue
			}
			if depth[d] < maxNest {
				f.InPlace[b] = d
				depth[b]++
				continue
			}
		}
		f.Labels[d] = append(f.Labels[d], b)
		if depth[d] < maxNest {
			depth[b]++
		}
	}
	for b, kids := range f.Labels {
		if len(kids) == 0 || depth[b] < maxNest {
			continue
		}
		f.Open[b] = true
		last := 0
		for i, k := range kids {
			if f.CFG.Dominated(k) > f.CFG.Dominated(kids[last]) {
				last = i
			}
		}
		k := kids[last]
		f.Labels[b] = append(slices.Delete(kids, last, last+1), k)
	}
}
