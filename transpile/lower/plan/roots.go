package plan

import (
	"math/bits"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Root slots.
//
//  1. The variables that hold references are numbered densely, so that the
//     sets below are small. An interior reference has the number of its base,
//     see bases.go: reading it counts as reading that.
//  2. Liveness is solved backward over the blocks.
//  3. A variable that is live across a safepoint gets a slot: one that is live after the
//     instruction and is not one of its results. The callee keeps operands alive that die in
//     the instruction.
//  4. Slots are shared: blocks are visited so that definitions come before
//     uses, and each definition takes the lowest slots that no live variable
//     has. In SSA form that uses as few as possible.
//
// A slot is written when its variable is assigned, and never read back, because objects do not
// move. A stale slot keeps an object alive a little too long, which is safe; stale slots of
// inlined bodies are cleared, see stale.go.

type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

// bitsets is memory for a number of sets.
type bitsets struct {
	words bitset
	each  int // of a set
}

func newBitsets(count, n int) *bitsets {
	each := (n + 63) / 64
	return &bitsets{make(bitset, count*each), each}
}

func (s *bitsets) take() bitset {
	var set bitset
	set, s.words = s.words[:s.each:s.each], s.words[s.each:]
	return set
}

func (s bitset) has(i int32) bool { return s[i>>6]>>(uint(i)&63)&1 != 0 }
func (s bitset) set(i int32)      { s[i>>6] |= 1 << (uint(i) & 63) }
func (s bitset) clear(i int32)    { s[i>>6] &^= 1 << (uint(i) & 63) }
func (s bitset) each(fn func(int32)) {
	for w, x := range s {
		for ; x != 0; x &= x - 1 {
			fn(int32(w*64 + bits.TrailingZeros64(x)))
		}
	}
}

// LiveIn calls fn for the variables with references that are live where a
// block's own statements begin, its parameters included.
func (f *Func) LiveIn(b ir.BlockID, fn func(ir.ValueID)) {
	if f.live == nil {
		return
	}
	f.live.in[b].each(func(n int32) { fn(f.live.vals[n]) })
}

type rooter struct {
	f     *Func
	num   []int32      // by ValueID: dense number, that of the base if there is one, or -1
	vals  []ir.ValueID // by dense number
	in    []bitset     // live at the start of each block, parameters included
	out   []bitset
	slots bitset // need a slot
}

// NeverHeap reports whether an address is known not to lie in the heap, and so
// keeps nothing alive: stack cells and what is computed from them.
func (f *Func) NeverHeap(x ir.ValueID) bool {
	for range 100 {
		x = f.Alias[x]
		d := &f.V.Values[x]
		if d.Kind == ir.ValueConst {
			return true
		}
		if d.Kind != ir.ValueResult {
			return false
		}
		in := &f.V.Insts[d.Def]
		switch {
		case in.Op.Is(ir.OnStack):
			return true
		case in.Op.Info().Class == ir.ClassAddr && !in.Op.Is(ir.Renames):
			x = in.Args[0]
		default:
			return false
		}
	}
	return false
}

func (f *Func) slots() {
	v := f.V
	f.Slot = make([]int32, len(v.Values))
	for i := range f.Slot {
		f.Slot[i] = -1
	}
	r := &rooter{f: f, num: make([]int32, len(v.Values))}
	for i := range r.num {
		r.num[i] = -1
	}
	safepoints := false
	for _, b := range f.CFG.Order {
		f.EachInst(b, func(_ ir.InstID, in *ir.Inst) {
			if f.Safepoint(in) {
				safepoints = true
			}
		})
	}
	if !safepoints {
		return
	}
	for i := range v.Values {
		x := ir.ValueID(i)
		k := v.Values[i].Kind
		if k == ir.ValueNone || k == ir.ValueConst || f.Alias[x] != x || f.Inline[x] || !f.Used[x] {
			continue
		}
		if f.known.Traced(v.Values[i].Type) > 0 && !f.NeverHeap(x) {
			r.num[x] = int32(len(r.vals))
			r.vals = append(r.vals, x)
		}
	}
	for i := range r.num {
		if x := ir.ValueID(i); r.num[x] >= 0 && f.baseOf(x) != x {
			r.num[x] = r.num[f.baseOf(x)]
		}
	}
	if len(r.vals) == 0 {
		return
	}
	r.liveness()
	f.live = r
	r.need()
	r.color()
	r.findStale()
}

func (r *rooter) use(s bitset, in *ir.Inst) {
	r.f.InstUses(in, func(x ir.ValueID) {
		if n := r.num[x]; n >= 0 {
			s.set(n)
		}
	})
}

// own is the number of a variable that is its own base, or -1.
func (r *rooter) own(x ir.ValueID) int32 {
	if n := r.num[x]; n >= 0 && r.vals[n] == x {
		return n
	}
	return -1
}

func (r *rooter) def(s bitset, in *ir.Inst) {
	for _, x := range in.Results {
		if n := r.own(x); n >= 0 {
			s.clear(n)
		}
	}
}

// blockDefs calls fn for the variables that are defined on entry to a block.
func (r *rooter) blockDefs(b ir.BlockID, fn func(int32)) {
	blk := &r.f.V.Blocks[b]
	for _, x := range blk.Params {
		if n := r.own(x); n >= 0 {
			fn(n)
		}
	}
	if blk.Exc != 0 {
		if n := r.own(blk.Exc); n >= 0 {
			fn(n)
		}
	}
}

func (r *rooter) liveness() {
	f := r.f
	n := len(f.V.Blocks)
	r.in, r.out = make([]bitset, n), make([]bitset, n)
	gen, kill, entryDefs := make([]bitset, n), make([]bitset, n), make([]bitset, n)
	sets := newBitsets(5*len(f.CFG.Order), len(r.vals))
	for _, b := range f.CFG.Order {
		r.in[b], r.out[b], entryDefs[b] = sets.take(), sets.take(), sets.take()
		g, k := sets.take(), sets.take()
		list := r.f.emitted[b]
		for i := len(list) - 1; i >= 0; i-- {
			in := &f.V.Insts[list[i]]
			// Results are defined before destination arguments are read.
			var args bitset
			if len(in.Results) > 0 && len(in.Dests) > 0 {
				args = newBitset(len(r.vals))
				r.use(args, in)
				for _, x := range in.Results {
					if m := r.own(x); m >= 0 {
						args.clear(m)
						g.clear(m)
						k.set(m)
					}
				}
				for w := range g {
					g[w] |= args[w]
				}
				continue
			}
			for _, x := range in.Results {
				if m := r.own(x); m >= 0 {
					g.clear(m)
					k.set(m)
				}
			}
			r.use(g, in)
		}
		gen[b], kill[b] = g, k
	}
	for _, b := range f.CFG.Order {
		r.blockDefs(b, entryDefs[b].set)
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.CFG.Order) - 1; i >= 0; i-- {
			b := f.CFG.Order[i]
			out, in := r.out[b], r.in[b]
			f.V.Succs(b, func(d *ir.Dest) {
				s, defs := r.in[d.Block], entryDefs[d.Block]
				for w := range out {
					out[w] |= s[w] &^ defs[w]
				}
			})
			for w := range in {
				x := gen[b][w] | out[w]&^kill[b][w]
				if x != in[w] {
					in[w] = x
					changed = true
				}
			}
		}
	}
}

// need finds the variables that are live across a safepoint.
func (r *rooter) need() {
	r.slots = newBitset(len(r.vals))
	r.eachSafepoint(func(_ ir.InstID, across bitset) {
		for w := range across {
			r.slots[w] |= across[w]
		}
	})
}

// eachSafepoint calls fn with each safepoint and the variables that are live
// across it; the set is fn's only during the call.
func (r *rooter) eachSafepoint(fn func(ir.InstID, bitset)) {
	f := r.f
	var live, across bitset
	for _, b := range f.CFG.Order {
		live = append(live[:0], r.out[b]...)
		list := r.f.emitted[b]
		for i := len(list) - 1; i >= 0; i-- {
			id := list[i]
			in := &f.V.Insts[id]
			if f.Safepoint(in) {
				across = append(across[:0], live...)
				f.liveDestArgs(in, func(a ir.ValueID) {
					f.EachUse(a, func(x ir.ValueID) {
						if n := r.num[x]; n >= 0 {
							across.set(n)
						}
					})
				})
				r.def(across, in)
				fn(id, across)
			}
			r.def(live, in)
			r.use(live, in)
			r.def(live, in) // own results in own destination arguments
		}
	}
}

// color assigns the slots.
func (r *rooter) color() {
	f := r.f
	var busy []bool // by slot
	take := func(n int32) {
		x := r.vals[n]
		k := f.known.Traced(f.V.Values[x].Type)
		for at := 0; ; at++ {
			free := true
			for j := at; j < at+k && j < len(busy); j++ {
				if busy[j] {
					free = false
					at = j
					break
				}
			}
			if !free {
				continue
			}
			for len(busy) < at+k {
				busy = append(busy, false)
			}
			for j := at; j < at+k; j++ {
				busy[j] = true
			}
			f.Slot[x] = int32(at)
			return
		}
	}
	mark := func(n int32, on bool) {
		x := r.vals[n]
		if f.Slot[x] < 0 {
			return
		}
		k := int32(f.known.Traced(f.V.Values[x].Type))
		for j := f.Slot[x]; j < f.Slot[x]+k; j++ {
			busy[j] = on
		}
	}
	for _, b := range f.CFG.Order {
		clear(busy)
		r.in[b].each(func(n int32) {
			if r.slots.has(n) {
				mark(n, true)
			}
		})
		r.blockDefs(b, func(n int32) {
			if r.slots.has(n) && f.Slot[r.vals[n]] < 0 {
				take(n)
			}
		})
		// Where each slotted variable is read last in this block.
		list := r.f.emitted[b]
		seen := append(bitset(nil), r.out[b]...)
		dies := make([][]int32, len(list))
		for i := len(list) - 1; i >= 0; i-- {
			f.InstUses(&f.V.Insts[list[i]], func(x ir.ValueID) {
				if n := r.num[x]; n >= 0 && r.slots.has(n) && !seen.has(n) {
					seen.set(n)
					dies[i] = append(dies[i], n)
				}
			})
		}
		r.blockDefs(b, func(n int32) {
			if r.slots.has(n) && !seen.has(n) {
				mark(n, false) // never read here
			}
		})
		for i, id := range list {
			in := &f.V.Insts[id]
			// A result may take the slot of an operand that dies here only if
			// the instruction is no safepoint; keeping them apart is simpler.
			for _, x := range in.Results {
				if n := r.own(x); n >= 0 && r.slots.has(n) {
					take(n)
				}
			}
			for _, n := range dies[i] {
				mark(n, false)
			}
		}
	}
	f.NumSlots = 0
	for x, s := range f.Slot {
		if s >= 0 {
			f.NumSlots = max(f.NumSlots, int(s)+f.known.Traced(f.V.Values[x].Type))
		}
	}
}
