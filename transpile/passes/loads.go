package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// loads replaces loads whose result is known: the value that an earlier load
// found in memory or an earlier store left there.
//
//  1. Blocks are taken in reverse postorder, each with a list of locations
//     whose content is known where it begins: what all its predecessors know
//     where they end. At the header of a loop these are the locations known
//     outside that nothing in the loop may write; of an irreducible loop, none.
//  2. A store or an access that orders others forgets what it may touch
//     (alias.go); memory that is private to the body survives calls, and FIXED
//     places survive everything.
//  3. A plain load of a known location of the same type goes.
//
// Loads of weak references stay, because they may be cleared meanwhile.
//
// Needs: number. Leaves: dead addresses.
func loads(u *unit) int {
	some := 0
	for i := range u.v.Insts {
		if u.v.Insts[i].Op == ir.OpLoad {
			some++
		}
	}
	if some == 0 {
		return 0
	}
	cfg := u.cfg()
	l := &loader{memory: u.memory(), cfg: cfg, loops: analysis.InnerLoops(u.v, cfg), r: u.rename()}
	l.out = make([][]known, len(u.v.Blocks))
	l.summarize()
	for _, b := range cfg.Order {
		l.block(b)
	}
	l.r.apply()
	return l.r.n
}

// known is a location with known content.
type known struct {
	location
	ty    ir.TypeID
	value ir.ValueID
}

// maxKnown bounds the list of a block; the oldest are forgotten.
const maxKnown = 48

// clobber is what a loop does to memory.
type clobber struct {
	all    bool // anything known elsewhere
	stores []location
}

// maxStores is the number of stores from which a loop is taken to write anything.
const maxStores = 64

type loader struct {
	*memory
	cfg   *analysis.CFG
	loops *analysis.Loops
	sum   []clobber // by loop
	r     *rename
	out   [][]known // known where a block ends
}

// summarize finds what each loop writes.
func (l *loader) summarize() { l.sum = l.memory.clobbers(l.cfg, l.loops) }

// clobbers says what each loop does to memory, inner loops included.
func (m *memory) clobbers(cfg *analysis.CFG, loops *analysis.Loops) []clobber {
	sum := make([]clobber, len(loops.List))
	v := m.u.v
	for _, b := range cfg.Order {
		x := loops.Of[b]
		if x < 0 {
			continue
		}
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			switch m.effect(in) {
			case writesAll:
				sum[x].all = true
			case writesOne:
				sum[x].stores = append(sum[x].stores, m.location(in))
			}
		}
	}
	for i := range sum { // inner loops first
		s := &sum[i]
		if len(s.stores) > maxStores {
			s.all, s.stores = true, nil
			// Private memory may be written too: nothing survives.
			s.stores = append(s.stores, location{kind: ir.KVoid})
		}
		if p := loops.List[i].Parent; p >= 0 {
			sum[p].all = sum[p].all || s.all
			sum[p].stores = append(sum[p].stores, s.stores...)
		}
	}
	return sum
}

// survives reports whether a clobber leaves a location alone.
func (m *memory) survives(k location, c *clobber) bool {
	if k.fixed {
		return true // stored to only once, before any load
	}
	if c.all && !m.isPrivate(k.base) {
		return false
	}
	for _, s := range c.stores {
		if s.addr == 0 || !m.disjoint(k, s) {
			return false
		}
	}
	return true
}

// begin lists the known locations where a block begins.
func (l *loader) begin(b ir.BlockID) []known {
	if b == 0 {
		return nil
	}
	preds := l.cfg.Preds[b]
	if x := l.loops.Of[b]; x >= 0 && l.loops.List[x].Header == b {
		var list []known
		first := true
		for _, p := range preds {
			if l.loops.Contains(x, p) {
				continue
			}
			if l.cfg.Index[p] >= l.cfg.Index[b] {
				return nil
			}
			if list = l.meet(list, l.out[p], first); len(list) == 0 {
				return nil
			}
			first = false
		}
		return slices.DeleteFunc(list, func(k known) bool { return !l.survives(k.location, &l.sum[x]) })
	}
	var list []known
	for i, p := range preds {
		if l.cfg.Index[p] >= l.cfg.Index[b] {
			return nil // an irreducible loop
		}
		if list = l.meet(list, l.out[p], i == 0); len(list) == 0 {
			return nil
		}
	}
	return list
}

// meet lists what two lists have in common; if first is set, all of b.
func (l *loader) meet(a, b []known, first bool) []known {
	if first {
		return slices.Clone(b)
	}
	return slices.DeleteFunc(a, func(k known) bool { return !slices.Contains(b, k) })
}

func (l *loader) block(b ir.BlockID) {
	v := l.u.v
	list := l.begin(b)
	var gone map[ir.InstID]bool
	for _, id := range v.Blocks[b].Insts {
		in := &v.Insts[id]
		switch l.effect(in) {
		case writesAll:
			list = slices.DeleteFunc(list, func(k known) bool { return !k.fixed && !l.isPrivate(k.base) })
			if in.Op.Info().Class == ir.ClassMem && len(in.Args) > 0 {
				list = l.forget(list, l.location(in))
			}
			continue
		case writesOne:
			list = l.forget(list, l.location(in))
		}
		if in.Op == ir.OpNew || in.Op == ir.OpAlloca {
			// The same instruction in a loop makes other memory each time.
			if base := in.Results[0]; l.loops.Of[b] >= 0 {
				list = slices.DeleteFunc(list, func(k known) bool { return k.base == base })
			}
		}
		if !plain(in) || in.Has(ir.FlagPtr) || l.u.t.Kind(in.Ty) == ir.KWeakRef {
			continue
		}
		if in.Op == ir.OpLoad {
			at := slices.IndexFunc(list, func(k known) bool { return k.addr == in.Args[0] && k.ty == in.Ty })
			if at >= 0 {
				if !in.Has(ir.FlagExc) {
					l.r.set(in.Results[0], list[at].value)
					if gone == nil {
						gone = map[ir.InstID]bool{}
					}
					gone[id] = true
				}
				continue
			}
		}
		if in.Has(ir.FlagExc) {
			continue // known in the normal destination only
		}
		k := known{location: l.location(in), ty: in.Ty}
		if in.Op == ir.OpLoad {
			k.value = in.Results[0]
		} else {
			k.value = l.r.find(in.Args[1])
		}
		if len(list) >= maxKnown {
			list = slices.Delete(list, 0, 1)
		}
		list = append(list, k)
	}
	if gone != nil {
		v.Blocks[b].Insts = slices.DeleteFunc(v.Blocks[b].Insts, func(id ir.InstID) bool { return gone[id] })
	}
	l.out[b] = list
}

// forget drops what a store to a location may change.
func (l *loader) forget(list []known, at location) []known {
	return slices.DeleteFunc(list, func(k known) bool { return !l.disjoint(k.location, at) })
}
