package plan

import "github.com/uvm2go/uvm2go/transpile/ir"

// Bases of interior references.
//
// An interior reference that was computed from another reference points into the same object,
// so it needs no root if the other reference has one. A reference that moves through an array
// in a loop would be written to its slot in each iteration; rooting the array once is enough.
//
//  1. The base of what an addressing instruction computes is that of its operand.
//  2. The base of a block parameter is the common base of its arguments on all edges to the
//     block, if there is one that is defined before the block. This is first assumed of every
//     parameter, and then withdrawn where it does not hold, until nothing changes.
//  3. Everything else is its own base.
//
// A value dominates the values that it is the base of. So its variable still holds the same
// reference wherever those are alive: the variable cannot be assigned again without the values
// that were computed from it being computed again, too.

// baser finds bases.
type baser struct {
	f     *Func
	state []ir.ValueID // by ValueID, for parameters: 0 as long as none is known
}

// bases finds the base of every value that has a base other than itself.
func (f *Func) bases() {
	v := f.V
	s := &baser{f: f, state: make([]ir.ValueID, len(v.Values))}
	var params []ir.ValueID
	args := map[ir.ValueID][]ir.ValueID{}
	for _, b := range f.CFG.Order {
		v.Succs(b, func(d *ir.Dest) {
			if f.InPlace[d.Block] >= 0 {
				return
			}
			for i, p := range v.Blocks[d.Block].Params {
				if f.interior(p) {
					if args[p] == nil {
						params = append(params, p)
					}
					args[p] = append(args[p], d.Args[i])
				}
			}
		})
	}
	for changed := true; changed; {
		changed = false
		for _, p := range params {
			if s.state[p] == p {
				continue
			}
			at := ir.BlockID(v.Values[p].Def)
			base := ir.ValueID(0)
			for _, a := range args[p] {
				switch x := s.of(a); {
				case x == 0 || x == base:
				case base != 0 || !s.before(x, at):
					base = p
				default:
					base = x
				}
				if base == p {
					break
				}
			}
			if old := s.state[p]; base != old {
				if old != 0 {
					base = p // so that this ends soon
				}
				s.state[p], changed = base, true
			}
		}
	}
	f.base = make([]ir.ValueID, len(v.Values))
	for i := range v.Values {
		x := ir.ValueID(i)
		if f.Alias[x] != x || !f.interior(x) {
			continue
		}
		if b := s.of(x); b != 0 && b != x && (v.Values[b].Kind == ir.ValueConst || f.variable(b)) {
			f.base[x] = b
		}
	}
}

// interior reports whether a value is an interior reference in a register.
func (f *Func) interior(x ir.ValueID) bool {
	d := &f.V.Values[x]
	return (d.Kind == ir.ValueResult || d.Kind == ir.ValueParam) && f.Prog.Types.Kind(d.Type) == ir.KIRef
}

// variable reports whether a value has a variable that can be rooted.
func (f *Func) variable(x ir.ValueID) bool {
	switch f.Prog.Types.Kind(f.V.Values[x].Type) {
	case ir.KRef, ir.KIRef:
		return f.V.Values[x].Kind != ir.ValueConst && f.Used[x] && !f.Inline[x]
	}
	return false
}

// of is the base of a value under the current assumptions, 0 if it comes from a
// parameter of which nothing is known yet.
func (s *baser) of(x ir.ValueID) ir.ValueID {
	for {
		x = s.f.Alias[x]
		d := &s.f.V.Values[x]
		if d.Kind != ir.ValueResult {
			break
		}
		in := &s.f.V.Insts[d.Def]
		if in.Op.Info().Class == ir.ClassAddr && !in.Op.Is(ir.Renames) && !in.Has(ir.FlagPtr) {
			x = in.Args[0]
			continue
		}
		return x
	}
	d := &s.f.V.Values[x]
	if d.Kind == ir.ValueParam && d.Def != 0 && s.f.InPlace[d.Def] < 0 && s.f.interior(x) {
		return s.state[x]
	}
	return x
}

// before reports whether a value is defined in front of a block.
func (s *baser) before(x ir.ValueID, at ir.BlockID) bool {
	d := &s.f.V.Values[x]
	def := ir.BlockID(d.Def)
	switch d.Kind {
	case ir.ValueConst:
		return true
	case ir.ValueResult:
		def = s.f.V.Insts[d.Def].Block
	}
	return def != at && s.f.CFG.Dominates(def, at)
}

// baseOf is the base of a value, or the value itself.
func (f *Func) baseOf(x ir.ValueID) ir.ValueID {
	if f.base != nil && f.base[x] != 0 {
		return f.base[x]
	}
	return x
}
