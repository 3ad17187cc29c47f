package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/layout"
)

// strength replaces a multiplication in each iteration of an innermost loop by an
// addition to a value that goes round.
//
//  1. An induction variable is a parameter of the header to which every back edge
//     adds the same invariant amount. Sums, differences, and products with invariant
//     values are linear in it: from iteration to iteration they change by a slope,
//     which is a constant or a constant times an invariant value. Integers wrap
//     around, so that this is exact. After ZEXTWORD or SEXTWORD a value is linear modulo
//     the target's word; so is the address of an element, whatever its index.
//  2. Candidates are products by an invariant that is no power of two, with the sums
//     around them as far as nothing else reads the product; and addresses of
//     elements of a size by which no machine scales an index, if their slope is
//     constant. Addresses of elements at constant distances share one value.
//  3. The value of the first iteration is computed before the loop, from copies of
//     the instructions with what the header gets there. No iteration may follow: they
//     cannot fail.
//  4. Where an index is the sum of an invariant and another value, and serves for addresses
//     only, the invariant is added before the loop: to the address that elements are
//     counted from.
//  5. A new parameter of the header takes the place of the result; its slope is
//     added in front of each jump back, with ZEXTWORD or SEXTWORD after it if the result
//     was theirs. Instructions whose results are not read any more go.
//
// An address that goes round may be computed for an iteration that does not come, far from
// the object. It is never used then, and no root slot holds it: it is kept alive by the
// value that it was computed from, see lower/bases.go, which has a variable of its own
// (rooted, below). Addresses stay where each step is checked for NULL, and in bodies that
// swap to other stacks: these may get a second body that keeps its variables in a frame, see package resume.
//
// Left alone is what machines do as part of an access or in one instruction, what is
// not done in every iteration, and everything in loops with calls, with allocations or
// with more values than registers.
//
// Needs: licm, for invariants to be outside; fill, whose loops stay. Leaves: a
// constant slope that unroll adds repeatedly, for number.
func strength(u *unit) int {
	cfg := u.cfg()
	loops := analysis.InnerLoops(u.v, cfg)
	var s *reducer
	n := 0
	for i := range loops.List {
		lp := &loops.List[i]
		if lp.Inner || lp.Header == 0 || slices.Contains(u.cold, lp.Header) || u.v.Blocks[lp.Header].Exc != 0 {
			continue
		}
		if s == nil {
			s = &reducer{u: u, cfg: cfg, loops: loops, r: u.rename(), swaps: swaps(u.v)}
		}
		n += s.loop(analysis.LoopID(i))
	}
	if s != nil {
		s.r.apply()
	}
	return n
}

// swaps reports whether a body has a SWAPSTACK.
func swaps(v *ir.Version) bool {
	return slices.ContainsFunc(v.Insts, func(in ir.Inst) bool { return in.Op == ir.OpSwapStack })
}

// Bounds of what is reduced.
const (
	strengthValues = 10 // in a loop that want a register
	strengthTurns  = 3  // new parameters of a header
)

type reducer struct {
	u     *unit
	cfg   *analysis.CFG
	loops *analysis.Loops
	uses  *analysis.Uses
	lay   *layout.Table
	r     *rename
	swaps bool // the body has a SWAPSTACK

	// Of the loop that is looked at.
	x       analysis.LoopID
	pre     ir.BlockID   // from which it is entered
	enter   *ir.Inst     // the terminator of pre
	latches []ir.BlockID // from which the header follows again, each once
	slopes  map[ir.ValueID]slope
	first   map[ir.ValueID]ir.ValueID // values of the first iteration
	moving  map[element]ir.ValueID
	bases   map[element]ir.ValueID // addresses before the loop, by the element that they are of
	gone    map[ir.InstID]bool
	room    int // registers left for new parameters
}

// slope is the amount by which a value changes from iteration to iteration: k, or k times a
// value that the loop does not change.
type slope struct {
	k    uint64
	unit ir.ValueID // 0 for 1
	word bool       // modulo the target's word
}

// element is the address of an element at a linear index.
type element struct {
	op    ir.Op
	ty    ir.TypeID
	base  ir.ValueID
	index ir.ValueID
}

func (s *reducer) loop(x analysis.LoopID) int {
	v := s.u.v
	lp := &s.loops.List[x]
	s.x = x
	if !s.simple(lp) || !s.entered(lp) || !s.induction(lp) {
		return 0
	}
	s.first = map[ir.ValueID]ir.ValueID{}
	s.moving = map[element]ir.ValueID{}
	s.bases = map[element]ir.ValueID{}
	s.gone = map[ir.InstID]bool{}
	s.room = min(strengthTurns, strengthValues-s.live(lp))
	if s.uses == nil {
		s.uses = analysis.NewUses(v)
	}
	n := 0
	for _, b := range lp.Blocks {
		if !s.always(b) {
			continue
		}
		for _, id := range slices.Clone(v.Blocks[b].Insts) {
			if s.gone[id] {
				continue
			}
			switch op := v.Insts[id].Op; {
			case op == ir.OpMul:
				if s.product(id) {
					n++
				}
			case op.Is(ir.Indexed):
				if s.address(id) || s.offset(id) {
					n++
				}
			}
		}
	}
	if len(s.gone) > 0 {
		for _, b := range lp.Blocks {
			v.Blocks[b].Insts = slices.DeleteFunc(v.Blocks[b].Insts, func(id ir.InstID) bool { return s.gone[id] })
		}
	}
	return n
}

// simple reports whether a loop has nothing in it but arithmetic, accesses and branches: new variables
// cost nothing then, as long as registers last.
func (s *reducer) simple(lp *analysis.Loop) bool {
	v := s.u.v
	for _, b := range lp.Blocks {
		if v.Blocks[b].Exc != 0 {
			return false
		}
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			if !in.Op.Is(ir.Straight) || in.Has(ir.FlagExc) {
				return false
			}
		}
	}
	return true
}

// entered finds the one edge into a loop and the blocks that lead back; false if
// there are several edges into it.
func (s *reducer) entered(lp *analysis.Loop) bool {
	v := s.u.v
	s.enter, s.latches = nil, s.latches[:0]
	for _, b := range s.cfg.Preds[lp.Header] {
		if s.loops.Contains(s.x, b) {
			if !slices.Contains(s.latches, b) {
				s.latches = append(s.latches, b)
			}
			continue
		}
		if s.enter != nil {
			return false
		}
		s.pre, s.enter = b, v.Term(b)
	}
	return s.enter != nil && s.enter.Op.Is(ir.Straight) && !s.enter.Has(ir.FlagExc)
}

// always reports whether a block is part of every iteration.
func (s *reducer) always(b ir.BlockID) bool {
	for _, l := range s.latches {
		if !s.cfg.Dominates(b, l) {
			return false
		}
	}
	return true
}

// invariant reports whether a value is the same in all iterations.
func (s *reducer) invariant(x ir.ValueID) bool { return s.loops.Invariant(s.u.v, s.x, x) }

// bits is the width of an integer of up to 64 bits, or 0.
func (s *reducer) bits(ty ir.TypeID) uint32 {
	if n := s.u.t.At(ty); n.Kind == ir.KInt && n.Bits <= 64 {
		return n.Bits
	}
	return 0
}

// induction does step 1. It reports whether there is an induction variable.
func (s *reducer) induction(lp *analysis.Loop) bool {
	v := s.u.v
	s.slopes = nil
	for i, p := range v.Blocks[lp.Header].Params {
		if s.bits(v.Values[p].Type) == 0 {
			continue
		}
		if d, ok := s.step(lp.Header, i, p); ok {
			if s.slopes == nil {
				s.slopes = map[ir.ValueID]slope{}
			}
			s.slopes[p] = d
		}
	}
	if s.slopes == nil {
		return false
	}
	for _, b := range lp.Blocks {
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			switch {
			case in.Op == ir.OpAdd, in.Op == ir.OpSub, in.Op == ir.OpMul, in.Op == ir.OpShl: // see linear
				if n := s.bits(in.Ty); n != 0 {
					if d, ok := s.linear(in, n); ok {
						s.slopes[in.Results[0]] = d
					}
				}
			case isWord(in.Op):
				if d, ok := s.slopes[in.Args[0]]; ok {
					d.word = true
					s.slopes[in.Results[0]] = d
				}
			}
		}
	}
	return true
}

// step is the amount that all back edges add to a parameter of the header.
func (s *reducer) step(header ir.BlockID, i int, p ir.ValueID) (d slope, ok bool) {
	v := s.u.v
	for _, l := range s.latches {
		for k := range v.Term(l).Dests {
			dest := &v.Term(l).Dests[k]
			if dest.Block != header {
				continue
			}
			sum := s.u.beneath(dest.Args[i])
			in := s.u.def(sum)
			if in == nil || in.Op != ir.OpAdd && in.Op != ir.OpSub {
				return d, false
			}
			x, y := in.Args[0], in.Args[1]
			if in.Op == ir.OpAdd && y == p {
				x, y = y, x
			}
			if x != p || y == p || !s.invariant(y) {
				return d, false
			}
			e := slope{k: 1, unit: y}
			if c, isConst := s.u.intConst(y); isConst {
				e = slope{k: c}
			}
			e.word = d.word || sum != dest.Args[i]
			if in.Op == ir.OpSub {
				e.k = -e.k
			}
			e.k &= mask(s.bits(v.Values[p].Type))
			if ok && (e.k != d.k || e.unit != d.unit) {
				return d, false
			}
			d, ok = e, true
		}
	}
	return d, ok && d.k != 0
}

// linear is the slope of a sum, difference or product of n bits.
func (s *reducer) linear(in *ir.Inst, n uint32) (d slope, ok bool) {
	x, y := in.Args[0], in.Args[1]
	a, aok := s.slopes[x]
	b, bok := s.slopes[y]
	if !aok && !bok || !aok && !s.invariant(x) || !bok && !s.invariant(y) {
		return d, false
	}
	switch in.Op {
	case ir.OpAdd, ir.OpSub:
		if in.Op == ir.OpSub {
			b.k = -b.k
		}
		switch {
		case !aok:
			d = b
		case !bok:
			d = a
		case a.unit == b.unit:
			d = slope{k: a.k + b.k, unit: a.unit}
		default:
			return d, false
		}
	case ir.OpMul:
		if aok && bok {
			return d, false
		}
		if !aok {
			a, y = b, x
		}
		c, isConst := s.u.intConst(y)
		switch {
		case isConst:
			d = slope{k: a.k * c, unit: a.unit}
		case a.unit == 0:
			d = slope{k: a.k, unit: y}
		default:
			return d, false
		}
	case ir.OpShl:
		c, isConst := s.u.intConst(y)
		if bok || !isConst {
			return d, false
		}
		d = slope{k: a.k << shiftCount(c, n), unit: a.unit}
	}
	d.k &= mask(n)
	d.word = a.word || b.word
	return d, d.k != 0
}

// live counts the values of a loop that want a register all the time: numbers
// and addresses that go round, and those from outside.
func (s *reducer) live(lp *analysis.Loop) int {
	v := s.u.v
	seen := map[ir.ValueID]bool{}
	note := func(x ir.ValueID) {
		if v.Values[x].Kind != ir.ValueConst && !s.u.t.Kind(v.Values[x].Type).IsFP() && !seen[x] && s.invariant(x) {
			seen[x] = true
		}
	}
	for _, p := range v.Blocks[lp.Header].Params {
		if !s.u.t.Kind(v.Values[p].Type).IsFP() {
			seen[p] = true
		}
	}
	for _, b := range lp.Blocks {
		for _, id := range v.Blocks[b].Insts {
			in := &v.Insts[id]
			for _, a := range in.Args {
				note(a)
			}
			for k := range in.Dests {
				if s.loops.Contains(s.x, in.Dests[k].Block) {
					for _, a := range in.Dests[k].Args {
						note(a)
					}
				}
			}
		}
	}
	return len(seen)
}

// product reduces a product to a value that goes round, with the sums and differences
// that follow it, each the only reader of the one before.
func (s *reducer) product(id ir.InstID) bool {
	v := s.u.v
	in := &v.Insts[id]
	x := in.Results[0]
	d, ok := s.slopes[x]
	if !ok || s.room <= 0 || s.shift(in.Args[0]) || s.shift(in.Args[1]) {
		return false
	}
	id, ok = s.last(id)
	if !ok {
		return false
	}
	in = &v.Insts[id]
	x = in.Results[0]
	d = s.slopes[x]
	ty, op := v.Values[x].Type, ir.OpAdd
	if n := s.bits(ty); n > 1 && signed(d.k, n) < 0 {
		op, d.k = ir.OpSub, -d.k&mask(n)
	}
	by := d.unit
	if d.unit == 0 {
		by = s.u.integer(ty, d.k)
	} else if d.k != 1 {
		by = s.before(ir.Inst{Op: ir.OpMul, Ty: ty, Args: []ir.ValueID{d.unit, s.u.integer(ty, d.k)}, Pos: in.Pos}, ty, "", id)
	}
	s.replace(id, s.goRound(id, x, s.begin(x), ir.Inst{Op: op, Ty: ty, Args: []ir.ValueID{0, by}, Pos: in.Pos}))
	return true
}

// last follows a chain of instructions from a product on, each the only use of the one
// before, and finds the last one whose value can go round; false if there is none.
func (s *reducer) last(id ir.InstID) (found ir.InstID, ok bool) {
	v := s.u.v
	for {
		in := &v.Insts[id]
		d, linear := s.slopes[in.Results[0]]
		if !linear || !s.always(in.Block) {
			return found, ok
		}
		if s.addable(d) && (!d.word || isWord(in.Op)) {
			found, ok = id, true
		}
		list := s.uses.Of(in.Results[0])
		if len(list) != 1 {
			return found, ok
		}
		id = list[0]
		if next := &v.Insts[id]; len(next.Results) != 1 || !s.loops.Contains(s.x, next.Block) || next.IsTerminator() {
			return found, ok
		}
	}
}

// shift reports whether a product by a value is no more than a shift, which is
// part of an access if it is small.
func (s *reducer) shift(x ir.ValueID) bool {
	c, ok := s.u.intConst(x)
	return ok && c&(c-1) == 0
}

// addable reports whether a slope can be added without computing it in the loop.
func (s *reducer) addable(d slope) bool { return d.unit == 0 || s.invariant(d.unit) }

// address reduces the address of an element.
func (s *reducer) address(id ir.InstID) bool {
	u, v := s.u, s.u.v
	in := &v.Insts[id]
	index := in.Args[1]
	d, ok := s.slopes[index]
	if !ok || d.unit != 0 || s.bits(in.Ty2) != 64 || !s.fixedBase(in) {
		return false
	}
	elem := in.Ty
	if in.Op == ir.OpGetElemIRef {
		elem = u.t.At(in.Ty).Elem
	}
	if s.lay == nil {
		s.lay = layout.New(u.t)
	}
	if l := s.lay.Of(elem); scalable(l.Size.AlignUp(l.Align).W8) {
		return false
	}
	// The index without a constant that is added.
	off := uint64(0)
	for {
		def := u.def(u.beneath(index))
		if def == nil || def.Op != ir.OpAdd && def.Op != ir.OpSub {
			break
		}
		c, isConst := u.intConst(def.Args[1])
		if _, ok := s.slopes[def.Args[0]]; !ok || !isConst {
			break
		}
		if def.Op == ir.OpSub {
			c = -c
		}
		off += c
		index = def.Args[0]
	}
	key := element{in.Op, in.Ty, in.Args[0], index}
	ptr := in.Flags & ir.FlagPtr
	x, ok := s.moving[key]
	if !ok {
		if s.room <= 0 {
			return false
		}
		res := in.Results[0]
		start := ir.Inst{Op: in.Op, Flags: ptr, Ty: in.Ty, Ty2: in.Ty2, Args: []ir.ValueID{s.begin(in.Args[0]), s.begin(index)}, Pos: in.Pos}
		x = s.goRound(id, res, s.before(start, v.Values[res].Type, "", id), ir.Inst{Op: ir.OpShiftIRef, Flags: ptr, Ty: elem, Ty2: in.Ty2, Args: []ir.ValueID{0, u.integer(in.Ty2, d.k)}, Pos: in.Pos})
		s.moving[key] = x
	}
	if off == 0 {
		s.replace(id, x)
		return true
	}
	in = &v.Insts[id]
	in.Op, in.Ty, in.Args = ir.OpShiftIRef, elem, []ir.ValueID{x, u.integer(in.Ty2, off)}
	return true
}

// fixedBase reports whether elements are counted from an address that can be computed in front
// of the loop, and others computed from it there, if need be far from the object.
func (s *reducer) fixedBase(in *ir.Inst) bool {
	x := in.Args[0]
	for !s.invariant(x) { // addresses that are too cheap for licm
		def := s.u.def(x)
		if def == nil || !def.Op.Is(ir.Derives) || !def.Op.Is(ir.Free) || def.Has(ir.FlagPtr) {
			return false
		}
		x = def.Args[0]
	}
	return in.Has(ir.FlagPtr) || !s.u.opt.Sanitize && !s.swaps && s.rooted(x)
}

// offset does step 4.
func (s *reducer) offset(id ir.InstID) bool {
	u, v := s.u, s.u.v
	in := v.Insts[id]
	sum := u.def(u.beneath(in.Args[1]))
	if s.bits(in.Ty2) != 64 || sum == nil || sum.Op != ir.OpAdd || !s.fixedBase(&in) {
		return false
	}
	c, y := sum.Args[0], sum.Args[1]
	if s.invariant(y) {
		c, y = y, c
	}
	if !s.invariant(c) || s.invariant(y) || u.constant(c) != nil || !s.onlyIndex(in.Args[1]) || !s.onlyIndex(sum.Results[0]) {
		return false
	}
	key := element{in.Op, in.Ty, in.Args[0], c}
	x, ok := s.bases[key]
	if !ok {
		if s.room <= 0 {
			return false
		}
		s.room--
		start := ir.Inst{Op: in.Op, Flags: in.Flags & ir.FlagPtr, Ty: in.Ty, Ty2: in.Ty2, Args: []ir.ValueID{s.begin(in.Args[0]), c}, Pos: in.Pos}
		x = s.before(start, v.Values[in.Results[0]].Type, "", id)
		s.bases[key] = x
	}
	elem := in.Ty
	if in.Op == ir.OpGetElemIRef {
		elem = u.t.At(in.Ty).Elem
	}
	to := &v.Insts[id]
	to.Op, to.Ty, to.Args = ir.OpShiftIRef, elem, []ir.ValueID{x, y}
	return true
}

// onlyIndex reports whether a value is used only in addresses, as an index or part of
// one.
func (s *reducer) onlyIndex(x ir.ValueID) bool {
	for _, id := range s.uses.Of(x) {
		in := &s.u.v.Insts[id]
		if !isWord(in.Op) && (!in.Op.Is(ir.Indexed) || in.Args[0] == x) {
			return false
		}
	}
	return true
}

// scalable reports whether machines multiply an index by a size at no cost.
func scalable(size uint64) bool { return size <= 8 && size&(size-1) == 0 }

// rooted reports whether a reference was computed from one that has a variable
// of its own in generated code, which keeps alive all that are computed from it, or
// from none that is in the heap. Objects of a fixed size are left out: an address
// that goes round would hide from later passes which object it is from.
func (s *reducer) rooted(x ir.ValueID) bool {
	x = s.u.base(x)
	in := s.u.def(x)
	if in == nil {
		d := &s.u.v.Values[x]
		return d.Kind != ir.ValueParam || d.Def == 0 || len(s.cfg.Preds[d.Def]) > 1
	}
	switch in.Op { // depends on how later stages treat the operation, not on a property of it
	case ir.OpLoad, ir.OpCall, ir.OpNewHybrid:
		return true
	}
	return false
}

// begin is the value of an expression in the first iteration, computed before the loop.
func (s *reducer) begin(x ir.ValueID) ir.ValueID {
	if s.invariant(x) {
		return x
	}
	if y, ok := s.first[x]; ok {
		return y
	}
	v := s.u.v
	var y ir.ValueID
	if d := &v.Values[x]; d.Kind == ir.ValueParam {
		for k := range s.enter.Dests {
			if e := &s.enter.Dests[k]; int32(e.Block) == d.Def {
				y = e.Args[d.Index]
			}
		}
	} else {
		id := ir.InstID(d.Def)
		in := v.Insts[id]
		args := make([]ir.ValueID, len(in.Args))
		for i, a := range in.Args {
			args[i] = s.begin(a)
		}
		in.Args, in.Results = args, nil
		y = s.before(in, d.Type, d.Name, id)
	}
	s.first[x] = y
	return y
}

// before puts an instruction, made of another, before the loop.
func (s *reducer) before(in ir.Inst, ty ir.TypeID, name string, of ir.InstID) ir.ValueID {
	return s.insert(s.pre, in, ty, name, of)
}

// insert puts an instruction in front of the terminator of a block.
func (s *reducer) insert(b ir.BlockID, in ir.Inst, ty ir.TypeID, name string, of ir.InstID) ir.ValueID {
	v := s.u.v
	id := v.InsertBefore(b, len(v.Blocks[b].Insts)-1, in, []ir.TypeID{ty}, []string{name})
	s.u.setOrigin(id, s.u.originOf(of))
	s.enter = v.Term(s.pre)
	return v.Insts[id].Results[0]
}

// goRound makes a parameter of the header in place of a value: it begins as init,
// and each jump back passes next, of which the first operand is the parameter, made a
// word if the value was one.
func (s *reducer) goRound(of ir.InstID, x, init ir.ValueID, next ir.Inst) ir.ValueID {
	v := s.u.v
	header := s.loops.List[s.x].Header
	ty, name := v.Values[x].Type, v.Values[x].Name
	p := v.AddParam(header, ty, name)
	pass := func(b ir.BlockID, a ir.ValueID) {
		for k := range v.Term(b).Dests {
			if d := &v.Term(b).Dests[k]; d.Block == header {
				d.Args = append(d.Args[:len(d.Args):len(d.Args)], a)
			}
		}
	}
	pass(s.pre, init)
	for _, b := range s.latches {
		in := next
		in.Args = []ir.ValueID{p, next.Args[1]}
		y := s.insert(b, in, ty, name, of)
		if op := v.Insts[of].Op; isWord(op) {
			y = s.insert(b, ir.Inst{Op: op, Args: []ir.ValueID{y}, Pos: next.Pos}, ty, name, of)
		}
		pass(b, y)
	}
	s.room--
	return p
}

// replace puts a parameter in place of the result of an instruction, which goes.
func (s *reducer) replace(id ir.InstID, p ir.ValueID) {
	in := &s.u.v.Insts[id]
	s.r.set(in.Results[0], p)
	s.gone[id] = true
	for _, a := range in.Args {
		s.unused(a)
	}
}

// unused removes the computation of a linear value if nothing reads it any more.
func (s *reducer) unused(x ir.ValueID) {
	v := s.u.v
	d := &v.Values[x]
	if _, ok := s.slopes[x]; !ok || d.Kind != ir.ValueResult || s.gone[ir.InstID(d.Def)] {
		return
	}
	for _, id := range s.uses.Of(x) {
		if !s.gone[id] {
			return
		}
	}
	s.gone[ir.InstID(d.Def)] = true
	for _, a := range v.Insts[d.Def].Args {
		s.unused(a)
	}
}
