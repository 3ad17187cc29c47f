package plan

import "github.com/uvm2go/uvm2go/transpile/ir"

// Stale slots.
//
// When a call ends, its frame and slots end, too. If the code of a called function is inlined
// into its caller, the content that its variables leave in their slots would keep objects alive
// as long as the caller runs: weak references would not be cleared, and memory would not be
// reused. So such slots are cleared before the next safepoint. In programs that can observe the
// end of an object, the stale slots of all variables are cleared.
//
//  1. A variable belongs to a copy if a copied instruction defines it, or if it is live
//     across a copied safepoint; without the copy it would not be rooted here.
//  2. A forward analysis over the blocks finds the words that may hold a value that such a
//     variable has left.
//  3. Before a safepoint, those of them are cleared that belong to no variable live across it.

// Stale lists the words of the frame to clear in front of an instruction.
func (f *Func) Stale(id ir.InstID) []int32 { return f.stale[id] }

type staler struct {
	*rooter
	deep  []bool               // by dense number: a variable whose slot is cleared
	owned map[ir.InstID]bitset // by safepoint: words of what is live across it
}

func (r *rooter) findStale() {
	f := r.f
	if f.NumSlots == 0 || !f.known.Weak && !f.hasCopies() {
		return
	}
	s := &staler{rooter: r, deep: make([]bool, len(r.vals)), owned: map[ir.InstID]bitset{}}
	for n, x := range r.vals {
		d := &f.V.Values[x]
		s.deep[n] = f.known.Weak || d.Kind == ir.ValueResult && f.copied(ir.InstID(d.Def))
	}
	r.eachSafepoint(func(id ir.InstID, across bitset) {
		own := newBitset(f.NumSlots)
		across.each(func(n int32) {
			s.deep[n] = s.deep[n] || f.copied(id)
			s.words(n, own.set)
		})
		s.owned[id] = own
	})
	s.solve()
}

// hasCopies reports whether there are copied instructions.
func (f *Func) hasCopies() bool {
	any := false
	for _, b := range f.CFG.Order {
		f.EachInst(b, func(id ir.InstID, _ *ir.Inst) { any = any || f.copied(id) })
	}
	return any
}

// words calls fn for the words of a variable's slot.
func (s *staler) words(n int32, fn func(int32)) {
	x := s.vals[n]
	at := s.f.Slot[x]
	if at < 0 {
		return
	}
	for k := range int32(s.f.known.Traced(s.f.V.Values[x].Type)) {
		fn(at + k)
	}
}

// write notes the assignment of a variable: its words may now hold what it leaves,
// or do not belong to a copy any more.
func (s *staler) write(dirty, kept bitset, n int32) {
	s.words(n, func(w int32) {
		kept.clear(w)
		if s.deep[n] {
			dirty.set(w)
		} else {
			dirty.clear(w)
		}
	})
}

// walk carries dirty words through a block. It removes the words that do not survive the
// block from kept.
func (s *staler) walk(b ir.BlockID, dirty, kept bitset, at func(ir.InstID, bitset)) {
	s.blockDefs(b, func(n int32) { s.write(dirty, kept, n) })
	s.f.EachInst(b, func(id ir.InstID, in *ir.Inst) {
		if own, ok := s.owned[id]; ok {
			at(id, own)
			for w := range own {
				dirty[w] &= own[w]
				kept[w] &= own[w]
			}
		}
		for _, x := range in.Results {
			if n := s.own(x); n >= 0 {
				s.write(dirty, kept, n)
			}
		}
	})
}

func (s *staler) solve() {
	f := s.f
	n := len(f.V.Blocks)
	in, gen, keep := make([]bitset, n), make([]bitset, n), make([]bitset, n)
	sets := newBitsets(3*len(f.CFG.Order), f.NumSlots)
	nowhere := func(ir.InstID, bitset) {}
	for _, b := range f.CFG.Order {
		in[b], gen[b], keep[b] = sets.take(), sets.take(), sets.take()
		for w := range keep[b] {
			keep[b][w] = ^uint64(0)
		}
		s.walk(b, gen[b], keep[b], nowhere)
	}
	for changed := true; changed; {
		changed = false
		for _, b := range f.CFG.Order {
			f.V.Succs(b, func(d *ir.Dest) {
				to := in[d.Block]
				for w := range to {
					x := to[w] | gen[b][w] | in[b][w]&keep[b][w]
					changed = changed || x != to[w]
					to[w] = x
				}
			})
		}
	}
	f.stale = map[ir.InstID][]int32{}
	for _, b := range f.CFG.Order {
		dirty := in[b]
		s.walk(b, dirty, newBitset(f.NumSlots), func(id ir.InstID, own bitset) {
			dirty.each(func(w int32) {
				if !own.has(w) {
					f.stale[id] = append(f.stale[id], w)
				}
			})
		})
	}
}
