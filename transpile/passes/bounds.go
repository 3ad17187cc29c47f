package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// bounds takes tests of indices out of loops. A loop with such tests gets a copy without them,
// for the iterations in which the tests hold: the fast loop, which continues in the original.
//
//	header: if x < n jump body, else exit            fast:  if x < m jump body', else header
//	body:   if x + c < limit jump ..., else fail     body': ...
//
// The tests hold if x is less than m, the least of n and of limit - c for each test, or 0 where
// limit is not greater than c. That is so in each iteration, however x changes.
//
//  1. A loop is taken if it is an innermost one of a kind that unroll copies; if its header
//     ends with a test and writes nothing, as it is executed again; and if other tests
//     that leave the loop compare x, or the sum of x and values from outside, with limits,
//     unsigned. Limits come from outside the loop.
//  2. A limit may also be loaded in the loop if it is a FIXED field of an object from
//     outside, such as the length of an array. It is loaded before the fast loop, if the
//     object is not NULL; else the original is entered, where the load fails as before.
//  3. Values of the loop that are used after it become parameters, and the loop is copied,
//     as in unroll.
//
// The original is cold then: passes that make loops larger leave it alone.
//
// Needs: licm, number, which bring loops into this form. Leaves: blocks to join for
// simplify.
func bounds(u *unit) int {
	if u.opt.Sanitize || !slices.ContainsFunc(u.v.Insts, func(in ir.Inst) bool { return in.Op.Info().Class == ir.ClassCmpULT }) {
		return 0
	}
	n := 0
	seen := map[ir.BlockID]bool{} // headers
	for work := 0; work < maxBounds; work += len(u.v.Insts) {
		cfg := analysis.NewCFG(u.v)
		s := &splitter{u: u, cfg: cfg, loops: analysis.InnerLoops(u.v, cfg), seen: seen}
		if !s.next() {
			break
		}
		n++
	}
	return n
}

const (
	// maxBounds keeps the pass linear: as many instructions are looked at again because
	// loops have changed.
	maxBounds = 1 << 18
	// maxTests is how many tests a loop may have, maxTerms the values in a sum.
	maxTests, maxTerms = 8, 3
)

// A splitter looks for one loop to change.
type splitter struct {
	u     *unit
	cfg   *analysis.CFG
	loops *analysis.Loops
	seen  map[ir.BlockID]bool // headers of loops that were looked at
	x     analysis.LoopID     // the loop that is looked at
}

// A test stays in the loop if a value is less than a limit.
type test struct {
	block        ir.BlockID
	stay         int // destination in the loop
	value, limit ir.ValueID
	signed       bool
	plus         []ir.ValueID // value is the sum of these and the value of the header's test
	ref          ir.ValueID   // the object in which the limit is, if it is loaded in the loop; else 0
}

// next changes a loop. It reports false if there is none left.
func (s *splitter) next() bool {
	for i := range s.loops.List {
		lp := &s.loops.List[i]
		if lp.Inner || lp.Header == 0 || s.seen[lp.Header] {
			continue
		}
		s.seen[lp.Header] = true
		s.x = analysis.LoopID(i)
		tests := s.tests(lp)
		if len(tests) < 2 {
			continue
		}
		r := newUnroller(s.u, s.cfg, s.loops)
		if r.times(lp) < 2 || !r.close(s.x) {
			continue
		}
		s.split(r, lp, tests)
		return true
	}
	return false
}

// tests lists the test of the header, and those that hold if a stricter one holds there.
func (s *splitter) tests(lp *analysis.Loop) []test {
	v := s.u.v
	if v.Blocks[lp.Header].Exc != 0 || slices.ContainsFunc(v.Blocks[lp.Header].Insts, func(id ir.InstID) bool { return v.Insts[id].Op == ir.OpStore }) {
		return nil
	}
	first, ok := s.test(lp.Header)
	if !ok {
		return nil
	}
	tests := []test{first}
	for _, b := range lp.Blocks[1:] {
		t, ok := s.test(b)
		if !ok || t.signed {
			continue
		}
		if t.plus, ok = s.sum(t.value, first.value); ok {
			tests = append(tests, t)
		}
	}
	if len(tests) > maxTests {
		return nil
	}
	return tests
}

// test is the test at the end of a block.
func (s *splitter) test(b ir.BlockID) (t test, ok bool) {
	term := s.u.v.Term(b)
	if term.Op != ir.OpBranch2 {
		return t, false
	}
	in, out := s.loops.Contains(s.x, term.Dests[0].Block), s.loops.Contains(s.x, term.Dests[1].Block)
	cmp := s.u.def(term.Args[0])
	if in == out || cmp == nil || len(cmp.Args) != 2 || cmp.Ty != s.u.t.Int(64) {
		return t, false
	}
	t = test{block: b, value: cmp.Args[0], limit: cmp.Args[1]}
	op := cmp.Op
	if !in {
		t.stay = 1
		op = map[ir.Op]ir.Op{ir.OpUGE: ir.OpULT, ir.OpULE: ir.OpUGT, ir.OpSGE: ir.OpSLT, ir.OpSLE: ir.OpSGT}[op]
	}
	switch op {
	case ir.OpULT, ir.OpSLT:
	case ir.OpUGT, ir.OpSGT:
		t.value, t.limit = t.limit, t.value
	default:
		return t, false
	}
	t.signed = op == ir.OpSLT || op == ir.OpSGT
	if t.value = s.word(t.value); s.invariant(t.value) {
		return t, false
	}
	if !s.invariant(t.limit) {
		t.ref, ok = s.fixed(t.limit)
		return t, ok
	}
	return t, true
}

// word strips a ZEXTWORD from a value, which is no greater than the operand.
func (s *splitter) word(x ir.ValueID) ir.ValueID {
	if in := s.u.def(x); in != nil && in.Op == ir.OpZExtWord {
		return in.Args[0]
	}
	return x
}

// sum lists what is added to x, from outside the loop, to give a value.
func (s *splitter) sum(value, x ir.ValueID) (plus []ir.ValueID, ok bool) {
	for value = s.word(value); value != x; {
		in := s.u.def(value)
		if in == nil || in.Op != ir.OpAdd || len(plus) == maxTerms {
			return nil, false
		}
		y, c := s.word(in.Args[0]), in.Args[1]
		if s.invariant(y) {
			y, c = s.word(in.Args[1]), in.Args[0]
		}
		if k, isConst := s.u.intConst(c); !s.invariant(c) || isConst && int64(k) < 0 {
			return nil, false
		}
		value, plus = y, append(plus, c)
	}
	return plus, true
}

// invariant reports whether a value comes from outside the loop.
func (s *splitter) invariant(x ir.ValueID) bool { return s.loops.Invariant(s.u.v, s.x, x) }

// fixed is the object from outside the loop that a value is loaded from, if it is loaded
// from a FIXED field.
func (s *splitter) fixed(x ir.ValueID) (ref ir.ValueID, ok bool) {
	in := s.u.def(x)
	if in == nil || in.Op != ir.OpLoad || !plain(in) || !in.Has(ir.FlagFixed) || in.Has(ir.FlagPtr) {
		return 0, false
	}
	for {
		if in = s.u.def(in.Args[0]); in == nil || in.Has(ir.FlagPtr) {
			return 0, false
		}
		switch in.Op {
		case ir.OpGetFieldIRef:
		case ir.OpGetIRef:
			return in.Args[0], s.invariant(in.Args[0])
		default:
			return 0, false
		}
	}
}

// split makes the fast loop.
func (s *splitter) split(r *unroller, lp *analysis.Loop, tests []test) {
	u, v := s.u, s.u.v
	blocks, values := r.copyLoop(lp)
	fast := blocks[lp.Header]
	s.seen[fast] = true
	u.cold = append(u.cold, lp.Header)

	// In front of both.
	g := &guard{u: u, cold: lp.Header, pos: v.Blocks[lp.Header].Pos, name: v.Blocks[lp.Header].Name}
	g.at = u.newBlock(g.name, g.pos)
	for _, p := range v.Blocks[lp.Header].Params {
		g.args = append(g.args, v.AddParam(g.at, v.Values[p].Type, v.Values[p].Name))
	}
	for _, b := range s.cfg.Preds[lp.Header] {
		if s.loops.Contains(s.x, b) {
			continue
		}
		for k := range v.Term(b).Dests {
			if d := &v.Term(b).Dests[k]; d.Block == lp.Header {
				d.Block = g.at
			}
		}
	}
	least := ir.ValueID(0)
	loaded := u.rename()
	for _, t := range tests {
		limit := t.limit
		if t.ref != 0 {
			limit = g.load(t.ref, limit)
			s.drop(values[t.limit])
			loaded.set(values[t.limit], limit)
		}
		if t.signed {
			zero := u.integer(u.t.Int(64), 0)
			limit = g.choose(g.compare(ir.OpSLT, limit, zero), zero, limit)
		}
		for _, c := range t.plus {
			zero := u.integer(u.t.Int(64), 0)
			limit = g.choose(g.compare(ir.OpULT, c, limit), g.put(ir.Inst{Op: ir.OpSub, Ty: u.t.Int(64), Args: []ir.ValueID{limit, c}}, u.t.Int(64)), zero)
		}
		if least == 0 {
			least = limit
		} else {
			least = g.choose(g.compare(ir.OpULT, limit, least), limit, least)
		}
	}
	g.branch(ir.Dest{Block: fast, Args: g.args})

	// The tests of the fast loop.
	for _, t := range tests[1:] {
		term := v.Term(blocks[t.block])
		u.jump(term, term.Dests[t.stay])
	}
	x := tests[0].value
	if y, ok := values[x]; ok {
		x = y
	}
	at := len(v.Blocks[fast].Insts) - 1
	id := v.InsertBefore(fast, at, ir.Inst{Op: ir.OpULT, Ty: u.t.Int(64), Args: []ir.ValueID{x, least}, Pos: v.Term(fast).Pos}, []ir.TypeID{u.int1}, nil)
	term := v.Term(fast)
	term.Args = []ir.ValueID{v.Insts[id].Results[0]}
	term.Dests = []ir.Dest{term.Dests[tests[0].stay], {Block: lp.Header, Args: slices.Clone(v.Blocks[fast].Params)}}
	loaded.apply()
}

// drop removes the instruction that has a given result from its block.
func (s *splitter) drop(x ir.ValueID) {
	id := ir.InstID(s.u.v.Values[x].Def)
	blk := &s.u.v.Blocks[s.u.v.Insts[id].Block]
	if i := slices.Index(blk.Insts, id); i >= 0 {
		blk.Insts = slices.Delete(blk.Insts, i, i+1)
	}
}

// A guard stands for the blocks in front of a fast loop; at is the last of them. They lead
// to the cold loop if there can be no fast one.
type guard struct {
	u    *unit
	at   ir.BlockID
	cold ir.BlockID
	args []ir.ValueID // of the header
	name string
	pos  diag.Pos
}

// put appends an instruction with a result of type ty to the last block.
func (g *guard) put(in ir.Inst, ty ir.TypeID) ir.ValueID {
	in.Pos = g.pos
	return g.u.v.Insts[g.u.v.Append(g.at, in, []ir.TypeID{ty}, nil)].Results[0]
}

func (g *guard) compare(op ir.Op, x, y ir.ValueID) ir.ValueID {
	return g.put(ir.Inst{Op: op, Ty: g.u.v.Values[x].Type, Args: []ir.ValueID{x, y}}, g.u.int1)
}

func (g *guard) choose(cond, yes, no ir.ValueID) ir.ValueID {
	ty := g.u.v.Values[yes].Type
	return g.put(ir.Inst{Op: ir.OpSelect, Ty: g.u.int1, Ty2: ty, Args: []ir.ValueID{cond, yes, no}}, ty)
}

func (g *guard) branch(dests ...ir.Dest) {
	g.u.v.Append(g.at, ir.Inst{Op: ir.OpBranch, Dests: dests, Pos: g.pos}, nil, nil)
}

// load continues only if a reference is not NULL. It copies a load of the loop, with the
// address computations that the load needs, and returns its result.
func (g *guard) load(ref, x ir.ValueID) ir.ValueID {
	u, v := g.u, g.u.v
	if !u.notNull(ref) {
		ty := v.Values[ref].Type
		some := g.compare(ir.OpNE, ref, u.constBits(ir.ConstNull, ty, 0, 0))
		next := u.newBlock(g.name, g.pos)
		v.Append(g.at, ir.Inst{Op: ir.OpBranch2, Args: []ir.ValueID{some}, Pos: g.pos,
			Dests: []ir.Dest{{Block: next}, {Block: g.cold, Args: slices.Clone(g.args)}}}, nil, nil)
		g.at = next
	}
	var chain []ir.InstID
	for y := x; y != ref; y = u.def(y).Args[0] {
		chain = append(chain, ir.InstID(v.Values[y].Def))
	}
	for at := ref; ; {
		id := chain[len(chain)-1]
		chain = chain[:len(chain)-1]
		in := v.Insts[id]
		d := &v.Values[in.Results[0]]
		in.Args, in.Results = []ir.ValueID{at}, nil
		copied := v.Append(g.at, in, []ir.TypeID{d.Type}, []string{d.Name})
		u.setOrigin(copied, u.originOf(id))
		if at = v.Insts[copied].Results[0]; len(chain) == 0 {
			return at
		}
	}
}
