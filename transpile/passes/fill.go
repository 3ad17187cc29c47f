package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// fillLeast is the number of iterations above which a MEMFILL replaces them.
const fillLeast = 16

// fill replaces the remaining iterations of a loop that only stores zeros, if there are many,
// see analysis.Fill. The store of one iteration has shown that the object exists; before the
// next, a MEMFILL does all but the last, and the last one leaves the loop as before:
//
//	latch:  store p[k] 0; k' = k + 1; jump test
//	test:   n = limit - k'; if n > 16 jump rest, else header(k')
//	rest:   memfill p[k'] 0 (n - 1); jump header(limit - 1)
//
// If the index is a number of the target's word size, so are the number of remaining elements
// and the last index.
//
// Needs: licm, simplify, which bring the loops into one of the known forms.
func fill(u *unit) int {
	v := u.v
	if u.opt.Sanitize {
		return 0 // each access is looked at
	}
	var cfg *analysis.CFG
	var lay *layout.Table
	n := 0
	for b := range len(v.Blocks) {
		if len(v.Blocks[b].Insts) > 8 {
			continue
		}
		for _, id := range v.Blocks[b].Insts {
			if v.Insts[id].Op != ir.OpStore {
				continue
			}
			if cfg == nil {
				cfg, lay = analysis.NewCFG(v), layout.New(u.t)
			}
			if !cfg.Reachable(ir.BlockID(b)) {
				continue
			}
			f, ok := analysis.FindFill(v, u.t, cfg, id)
			if !ok {
				continue
			}
			in, addr := &v.Insts[id], &v.Insts[f.Addr]
			if l := lay.Of(in.Ty); l.Size != lay.Of(addr.Ty).Size && addr.Op == ir.OpShiftIRef || l.Size != l.Size.AlignUp(l.Align) {
				continue // the elements are further apart than what is stored
			}
			u.fillRest(&f)
			cfg = nil
			n++
			break
		}
	}
	return n
}

// fillRest puts test and MEMFILL on the way back to the header of a loop.
func (u *unit) fillRest(f *analysis.Fill) {
	v := u.v
	store, addr := v.Insts[f.Store], v.Insts[f.Addr]
	ty := v.Values[f.Next].Type
	test, rest := u.newBlock(v.Blocks[f.Latch].Name, store.Pos), u.newBlock(v.Blocks[f.Latch].Name, store.Pos)
	var back *ir.Dest
	term := v.Term(f.Latch)
	for k := range term.Dests {
		if term.Dests[k].Block == f.Header {
			back = &term.Dests[k]
		}
	}
	args := back.Args
	*back = ir.Dest{Block: test}
	add := func(b ir.BlockID, op ir.Op, t ir.TypeID, x, y ir.ValueID) ir.ValueID {
		id := v.Append(b, ir.Inst{Op: op, Ty: ty, Args: []ir.ValueID{x, y}, Pos: store.Pos}, []ir.TypeID{t}, nil)
		return v.Insts[id].Results[0]
	}
	word := func(b ir.BlockID, op ir.Op, x ir.ValueID) ir.ValueID {
		if f.Word == ir.OpInvalid {
			return x
		}
		id := v.Append(b, ir.Inst{Op: op, Args: []ir.ValueID{x}, Pos: store.Pos}, []ir.TypeID{ty}, nil)
		return v.Insts[id].Results[0]
	}
	n := word(test, ir.OpZExtWord, add(test, ir.OpSub, ty, f.Limit, f.Next))
	many := add(test, ir.OpUGT, u.int1, n, u.integer(ty, fillLeast))
	v.Append(test, ir.Inst{Op: ir.OpBranch2, Args: []ir.ValueID{many}, Pos: store.Pos,
		Dests: []ir.Dest{{Block: rest}, {Block: f.Header, Args: slices.Clone(args)}}}, nil, nil)

	at := ir.Inst{Op: addr.Op, Ty: addr.Ty, Ty2: addr.Ty2, Args: []ir.ValueID{addr.Args[0], f.Next}, Pos: store.Pos}
	loc := v.Insts[v.Append(rest, at, []ir.TypeID{v.Values[addr.Results[0]].Type}, nil)].Results[0]
	most := add(rest, ir.OpSub, ty, n, u.integer(ty, 1))
	v.Append(rest, ir.Inst{Op: ir.OpMemFill, Ty: store.Ty, Ty2: ty, Args: []ir.ValueID{loc, store.Args[1], most},
		Name: store.Name, Pos: store.Pos}, nil, nil)
	args = slices.Clone(args)
	args[f.Param] = word(rest, f.Word, add(rest, ir.OpSub, ty, f.Limit, u.integer(ty, 1)))
	v.Append(rest, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{{Block: f.Header, Args: args}}, Pos: store.Pos}, nil, nil)
}
