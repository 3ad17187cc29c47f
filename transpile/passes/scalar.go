package passes

import (
	"maps"
	"slices"
	"strconv"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// scalar turns the memory of stack cells and objects that never leave the body
// into variables.
//
//  1. A NEW or ALLOCA is taken if every use of its address, through fields and
//     elements of constant index, is a plain load or store of a scalar, with
//     one type for each place. An address that is cast, passed on or kept alive
//     is not; nor one that is compared, except with NULL, which it is not.
//     With an exception clause, a NEW may pass the address to its normal
//     destination, even if that is also the exceptional one.
//  2. Each place becomes a variable that is zero where the allocation was. A
//     load is the value of the variable, a store a new value. Where paths meet
//     below the allocation the variable is a parameter; simplify removes those
//     that are not needed.
//
// An allocation in a loop is new memory each time; so is the variable, because
// all its uses are dominated by the allocation and no address goes round.
//
// An allocation that needs no memory cannot fail: its exception clause goes.
//
// A cell with ROOTS stays: numbers in variables keep nothing alive.
//
// Needs: number, simplify. Leaves: parameters for simplify, addresses for dce.
func scalar(u *unit) int {
	s := &scalars{u: u}
	for b := range u.v.Blocks {
		for _, id := range u.v.Blocks[b].Insts {
			in := &u.v.Insts[id]
			if in.Op == ir.OpNew || in.Op == ir.OpAlloca {
				if s.uses == nil {
					s.uses = analysis.NewUses(u.v)
					s.into, _ = u.edgeCounts()
				}
				s.candidate(id)
			}
		}
	}
	if len(s.cells) == 0 {
		return 0
	}
	if len(s.cells)*len(u.v.Blocks) > maxCells {
		return 0
	}
	s.cfg = u.cfg()
	if !s.rewrite() {
		return 0
	}
	return len(s.cells)
}

// Bounds that keep the pass linear.
const (
	maxPlaces = 16      // of one allocation
	maxParams = 20000   // made in one body
	maxCells  = 1 << 20 // allocations times blocks
)

// cell is an allocation that becomes variables.
type cell struct {
	id     ir.InstID
	places []place
}

// place is a scalar part of a cell.
type place struct {
	path  string
	ty    ir.TypeID
	value ir.ValueID // at first
}

// use says which place of which cell an access is to.
type use struct{ cell, place int }

type scalars struct {
	u     *unit
	uses  *analysis.Uses
	cfg   *analysis.CFG
	cells []cell
	into  []int32            // edges into each block
	at    map[ir.InstID]use  // loads and stores, by instruction
	tests map[ir.InstID]bool // comparisons with NULL
}

// candidate adds an allocation if it can become variables.
func (s *scalars) candidate(id ir.InstID) {
	u := s.u
	in := &u.v.Insts[id]
	if in.Has(ir.FlagRoots) || !u.small(in.Ty) {
		return
	}
	c := cell{id: id}
	at := map[ir.InstID]use{}
	type step struct {
		x    ir.ValueID
		path string
	}
	ref := in.Results[0]
	work := []step{{ref, ""}}
	if in.Has(ir.FlagExc) {
		params, ok := u.handed(in, s.into)
		if !ok {
			return
		}
		for _, p := range params {
			work = append(work, step{p, ""})
		}
	}
	tests := map[ir.InstID]bool{}
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		for _, uid := range s.uses.Of(w.x) {
			a := &u.v.Insts[uid]
			switch {
			case uid == id && w.x == ref: // passes it on
			case (a.Op == ir.OpEQ || a.Op == ir.OpNE) && a.Args[0] == w.x && u.isNull(a.Args[1]):
				tests[uid] = true
			case a.Has(ir.FlagExc) || a.Has(ir.FlagPtr) || len(a.Args) == 0 || a.Args[0] != w.x || slices.Contains(a.Args[1:], w.x):
				return
			case a.Op == ir.OpGetIRef:
				work = append(work, step{a.Results[0], w.path})
			case a.Op == ir.OpGetFieldIRef:
				work = append(work, step{a.Results[0], w.path + strconv.FormatUint(a.Imm, 10) + "."})
			case a.Op == ir.OpGetElemIRef:
				k, ok := u.intConst(a.Args[1])
				if !ok || k >= u.t.At(a.Ty).Len || k >= maxPlaces {
					return
				}
				work = append(work, step{a.Results[0], w.path + strconv.FormatUint(k, 10) + "."})
			case plain(a) && s.scalar(a.Ty):
				n := slices.IndexFunc(c.places, func(p place) bool { return p.path == w.path })
				if n < 0 {
					if len(c.places) == maxPlaces {
						return
					}
					n = len(c.places)
					c.places = append(c.places, place{path: w.path, ty: a.Ty})
				}
				if c.places[n].ty != a.Ty {
					return
				}
				at[uid] = use{len(s.cells), n}
			default:
				return
			}
		}
	}
	s.zero(&c)
	s.cells = append(s.cells, c)
	if s.at == nil {
		s.at = map[ir.InstID]use{}
		s.tests = map[ir.InstID]bool{}
	}
	maps.Copy(s.tests, tests)
	for id, x := range at {
		s.at[id] = x
	}
}

// scalar reports whether a place may be of a type: one whose zero is a constant.
func (s *scalars) scalar(ty ir.TypeID) bool {
	switch k := s.u.t.Kind(ty); k {
	case ir.KInt:
		return s.u.t.At(ty).Bits <= 64
	default:
		return k.IsFP() || k.IsNullable() || k.IsPointer()
	}
}

// zero gives the places their first values.
func (s *scalars) zero(c *cell) {
	for i := range c.places {
		p := &c.places[i]
		switch k := s.u.t.Kind(p.ty); {
		case k.IsFP():
			p.value = s.u.constBits(ir.ConstFP, p.ty, 0, 0)
		case k.IsNullable():
			p.value = s.u.constBits(ir.ConstNull, p.ty, 0, 0)
		default:
			p.value = s.u.constBits(ir.ConstInt, p.ty, 0, 0)
		}
	}
}

// rewrite does step 2. It reports false, having changed nothing, if that would
// take too many parameters.
func (s *scalars) rewrite() bool {
	u, v := s.u, s.u.v
	into := u.edges()
	r := u.rename()
	alloc := map[ir.InstID]int{}
	params := 0
	for i := range s.cells {
		alloc[s.cells[i].id] = i
	}
	// entry has, by block and cell, the values where the block begins.
	type state = map[int][]ir.ValueID
	entry := make([]state, len(v.Blocks))
	below := func(c int, b ir.BlockID) bool {
		home := v.Insts[s.cells[c].id].Block
		return home != b && s.cfg.Dominates(home, b)
	}
	// Blocks where ways meet below an allocation get parameters.
	for _, b := range s.cfg.Order[1:] {
		if len(into[b]) < 2 {
			continue
		}
		for c := range s.cells {
			if !below(c, b) {
				continue
			}
			if params += len(s.cells[c].places); params > maxParams {
				return false
			}
		}
	}
	added := make([][]use, len(v.Blocks))
	for _, b := range s.cfg.Order[1:] {
		if len(into[b]) < 2 {
			continue
		}
		entry[b] = state{}
		for c := range s.cells {
			if !below(c, b) {
				continue
			}
			for k, p := range s.cells[c].places {
				entry[b][c] = append(entry[b][c], v.AddParam(b, p.ty, ""))
				added[b] = append(added[b], use{c, k})
			}
		}
	}
	for _, b := range s.cfg.Order {
		cur := state{}
		for c, vals := range entry[b] {
			cur[c] = slices.Clone(vals)
		}
		keep := v.Blocks[b].Insts[:0]
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			if c, ok := alloc[id]; ok {
				cur[c] = nil
				for _, p := range s.cells[c].places {
					cur[c] = append(cur[c], p.value)
				}
			}
			if x, ok := s.at[id]; ok {
				if in.Op == ir.OpLoad {
					r.set(in.Results[0], cur[x.cell][x.place])
				} else {
					cur[x.cell][x.place] = in.Args[1]
				}
				continue
			}
			if s.tests[id] {
				r.set(in.Results[0], u.boolean(in.Op == ir.OpNE))
				continue
			}
			keep = append(keep, id)
		}
		v.Blocks[b].Insts = keep
		t := v.Term(b)
		for k := range t.Dests {
			d := &t.Dests[k]
			for _, x := range added[d.Block] {
				d.Args = append(d.Args[:len(d.Args):len(d.Args)], cur[x.cell][x.place])
			}
			if len(into[d.Block]) == 1 {
				entry[d.Block] = cur
			}
		}
	}
	r.apply()
	for i := range s.cells {
		if in := &v.Insts[s.cells[i].id]; in.Has(ir.FlagExc) {
			u.dropExc(in.Block, in)
		}
	}
	return true
}

// handed lists the parameters of the normal destination of a NEW that get its reference,
// and, if that is the exceptional one as well, something else from there. It reports false
// if they may get yet another value.
func (u *unit) handed(in *ir.Inst, into []int32) (params []ir.ValueID, ok bool) {
	d := &in.Dests[0]
	for i, a := range d.Args {
		if a == in.Results[0] {
			params = append(params, u.v.Blocks[d.Block].Params[i])
		}
	}
	edges := int32(1)
	if in.Dests[1].Block == d.Block {
		edges = 2
	}
	return params, len(params) == 0 || into[d.Block] == edges
}

// isNull reports whether a value is the constant NULL.
func (u *unit) isNull(x ir.ValueID) bool {
	c := u.constant(x)
	return c != nil && c.Kind == ir.ConstNull
}
