package passes

import (
	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// local marks objects that a program may allocate in the frame of the function,
// because they die with it and nothing needs to find them before:
//
//  1. The reference, and all that it becomes by casts, addresses of fields,
//     choices and parameters of blocks, is only used to load and store through
//     and to be compared. So it may go around a loop together with references
//     to other objects, which scalar does not take.
//  2. The allocation is in no loop: there is one such object at a time.
//  3. The body calls nothing, waits for nothing and makes no other object.
//     Then no collection can happen while the object is there, which the
//     collector would not find.
//  4. It is small, of numbers and references.
//
// An allocation in the frame cannot fail: its exception clause goes,
// and simplify removes what becomes unreachable.
//
// Needs: inline, scalar, which leave fewer calls and objects.
func local(u *unit) int {
	if u.opt.Sanitize {
		return 0
	}
	v := u.v
	var news []ir.InstID
	cfg := analysis.NewCFG(v)
	for _, b := range cfg.Order {
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			if in.Op == ir.OpNew {
				if news = append(news, id); in.Has(ir.FlagLocal) || len(news) > maxLocals {
					return 0
				}
			} else if in.Op.Any(ir.MayCollect|ir.MayThrow|ir.SideEffect) || len(in.Keep) > 0 {
				return 0
			}
		}
	}
	words := 0
	for _, id := range news {
		n := u.cellWords(v.Insts[id].Ty)
		if words += n; n == 0 || words > maxLocalWords || reaches(v, v.Insts[id].Block) {
			return 0
		}
	}
	if len(news) == 0 {
		return 0
	}
	uses := analysis.NewUses(v)
	for _, id := range news {
		if !u.stays(uses, v.Insts[id].Results[0]) {
			return 0
		}
	}
	dropped := false
	for _, id := range news {
		in := &v.Insts[id]
		in.Flags |= ir.FlagLocal
		if in.Has(ir.FlagExc) {
			u.dropExc(in.Block, in)
			dropped = true
		}
	}
	if dropped {
		simplify(u)
	}
	return len(news)
}

// Bounds of what a frame takes.
const (
	maxLocals     = 4
	maxLocalWords = 16
)

// cellWords is the number of words that a value of a type takes at most, 0 if
// such a value may not lie in a frame.
func (u *unit) cellWords(ty ir.TypeID) int {
	switch n := u.t.At(ty); n.Kind {
	case ir.KInt:
		if n.Bits <= 64 {
			return 1
		}
	case ir.KFloat, ir.KDouble, ir.KRef, ir.KIRef, ir.KUPtr:
		return 1
	case ir.KStruct:
		sum := 0
		for _, f := range n.Fields {
			k := u.cellWords(f)
			if k == 0 || sum+k > maxLocalWords {
				return 0
			}
			sum += k
		}
		return sum
	}
	return 0
}

// reaches reports whether a path leads from a block back to it.
func reaches(v *ir.Version, b ir.BlockID) bool {
	seen := make([]bool, len(v.Blocks))
	work := []ir.BlockID{b}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		found := false
		v.Succs(x, func(d *ir.Dest) {
			found = found || d.Block == b
			if !seen[d.Block] {
				seen[d.Block] = true
				work = append(work, d.Block)
			}
		})
		if found {
			return true
		}
	}
	return false
}

// stays is condition 1.
func (u *unit) stays(uses *analysis.Uses, ref ir.ValueID) bool {
	v := u.v
	is := map[ir.ValueID]bool{ref: true}
	work := []ir.ValueID{ref}
	take := func(x ir.ValueID) {
		if !is[x] {
			is[x] = true
			work = append(work, x)
		}
	}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		for _, id := range uses.Of(x) {
			in := &v.Insts[id]
			for i, a := range in.Args {
				if a != x {
					continue
				}
				switch {
				case in.Op.Is(ir.Access):
					if i != 0 || in.Ord != ir.NotAtomic {
						return false
					}
				case in.Op == ir.OpEQ, in.Op == ir.OpNE: // they do not reveal where the object is
				case in.Op.Is(ir.Renames), in.Op.Is(ir.Within), in.Op == ir.OpSelect:
					take(in.Results[0])
				default:
					return false
				}
			}
			for k := range in.Dests {
				d := &in.Dests[k]
				for i, a := range d.Args {
					if a == x {
						take(v.Blocks[d.Block].Params[i])
					}
				}
			}
		}
	}
	return true
}
