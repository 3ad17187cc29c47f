// Package ssabuild turns variables, registers and PHI nodes into the block
// parameters of package ir, while a reader or a front end makes a body.
//
// A definition is noted by block and variable. A use looks for it in its own block and in a
// few blocks before it, as long as a block has one incoming edge and no other can come. If
// that does not find it, the use is a parameter of the block where the search has stopped,
// for the time being. When all edges are known, Finish finds out with the dominator tree
// which of these parameters are needed and which others are (see reach.go). All others are
// replaced by the values that they stand for.
//
// It is not a front end: it makes no instructions, and knows only the types that it is
// given. Nor does it do the work of package passes: it does not remove instructions.
//
// # Use
//
//	s := ssabuild.New(v, undef)
//	x := s.Var(i64, "%x")
//	s.Def(entry, x, value)      // x = value, at the current end of entry
//	...                         // append the terminator of entry
//	s.End(entry)                // its destinations are edges now
//	y := s.Use(loop, x)         // the value of x, at the current end of loop
//	s.Seal(loop)                // every edge to loop is known
//	err := s.Finish()           // seals the rest, drops parameters that are not needed
//
// A PHI node is a parameter whose argument the reader names for each predecessor:
//
//	p := s.Phi(loop, i64, "%i") // a value at once
//	s.Incoming(p, entry, zero)  // whenever the argument is known
//
// # Invariants
//
//   - The entry block has no incoming edge.
//   - A block is used and defined in up to its End, and ended once.
//   - Arguments that the reader passes itself come first: parameters made here follow those
//     that a block has when its first edge or parameter is made here.
//   - The result depends only on the order of calls.
//   - Time and memory grow with the calls, the edges and the arguments of parameters, and not
//     with the number of blocks that lie between a definition and its use. Recursion is not
//     used, so a chain of blocks may be of any length.
package ssabuild

import (
	"errors"
	"fmt"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// A Var is a variable of the body: a register of the source language, or a local
// that is assigned more than once.
type Var int32

// An Undef gives the value of a variable that is read where no definition reaches
// it: a constant, or 0 after it has reported an error. name is that of the variable.
type Undef func(block ir.BlockID, x Var, name string) ir.ValueID

// A Builder makes the parameters of one body.
type Builder struct {
	v     *ir.Version
	undef Undef

	vars   []variable
	blocks []block
	last   map[place]latest
	params []int32  // by value: one more than its place in order; 0 for others
	room   []param  // for the next ones
	spare  []*param // those of bodies that are done
	order  []*param // all of params, as they were made
	undefs map[place]ir.ValueID
	errs   []error
}

type variable struct {
	typ  ir.TypeID
	name string
	defs []definition
}

// A definition is the value of a variable at the end of a block or edge.
type definition struct {
	node  ir.BlockID // see graph
	value ir.ValueID
}

// latest is the value of a variable at the current end of a block.
type latest struct {
	value ir.ValueID
	def   int32 // one more than its place in variable.defs; 0 for what a use has found
}

type place struct {
	block ir.BlockID
	x     Var
}

type block struct {
	in     []edge
	sealed bool
	ended  bool
}

// An edge is destination dest of an instruction.
type edge struct {
	from ir.BlockID
	inst ir.InstID
	dest int
	defs []edgeDef
	node ir.BlockID // see graph
}

// An edgeDef is a definition that holds on one edge only.
type edgeDef struct {
	x     Var
	value ir.ValueID
}

// param is a parameter made here.
type param struct {
	id    ir.ValueID
	block ir.BlockID
	x     Var // noVar for a PHI node
	phi   bool
	in    []incoming   // of a PHI node
	args  []ir.ValueID // by edge of the block; nil until they are known
	same  ir.ValueID   // not 0: the value that replaces the parameter
	keep  bool         // stays although one value could replace it

	// Arguments before first are the parameter itself, those before other are that or the
	// argument first; users wait until this parameter is replaced. See simplify.
	first, other int
	users        []*param
}

// incoming is the value of a PHI node when control comes from a block.
type incoming struct {
	from  ir.BlockID
	value ir.ValueID
}

const noVar Var = -1

// New begins the construction for a body. Blocks may be added to v at any time. undef
// must not be nil.
func New(v *ir.Version, undef Undef) *Builder {
	return &Builder{v: v, undef: undef, last: map[place]latest{}, undefs: map[place]ir.ValueID{}}
}

// Reset begins the construction for another body, as New does, in the memory of the one
// before, which is done. It takes time for what that one used.
func (s *Builder) Reset(v *ir.Version, undef Undef) {
	for i := range s.blocks {
		k := &s.blocks[i]
		clear(k.in) // with their defs
		*k = block{in: k.in[:0]}
	}
	if len(s.last) > maxDefs {
		s.last = map[place]latest{}
	}
	clear(s.last)
	if len(s.undefs) > maxDefs {
		s.undefs = map[place]ir.ValueID{}
	}
	clear(s.undefs)
	for _, p := range s.order {
		*p = param{in: p.in[:0]}
	}
	*s = Builder{v: v, undef: undef, vars: s.vars[:0], blocks: s.blocks[:0], last: s.last, undefs: s.undefs, params: s.params[:0],
		room: s.room, spare: append(s.spare, s.order...), order: s.order[:0]}
}

// maxDefs is the most definitions that a table has had if it is reused: clearing a table takes
// time in proportion to its size.
const maxDefs = 1000

// Var makes a variable. Its name, which may be "", is that of the parameters made for
// it.
func (s *Builder) Var(t ir.TypeID, name string) Var {
	s.vars = append(s.vars, variable{typ: t, name: name})
	return Var(len(s.vars) - 1)
}

// Type is the type of a variable.
func (s *Builder) Type(x Var) ir.TypeID { return s.vars[x].typ }

// Def says that x has a value from here, the current end of the block, on.
func (s *Builder) Def(b ir.BlockID, x Var, value ir.ValueID) {
	if s.at(b).ended {
		s.errorf(b, "%s is defined after the end of the block", s.vars[x].name)
		return
	}
	at := place{b, x}
	l := s.last[at]
	defs := &s.vars[x].defs
	if l.def == 0 {
		*defs = append(*defs, definition{node: nodeOf(b)})
		l.def = int32(len(*defs))
	}
	(*defs)[l.def-1].value, l.value = value, value
	s.last[at] = l
}

// DefOnEdge says that x has a value on destination dest of an instruction only, such
// as the result of a call on the way on which it returns. The block of the instruction
// must have been ended.
func (s *Builder) DefOnEdge(inst ir.InstID, dest int, x Var, value ir.ValueID) {
	in := &s.v.Insts[inst]
	to := s.at(in.Dests[dest].Block)
	for i := range to.in {
		e := &to.in[i]
		if e.inst != inst || e.dest != dest {
			continue
		}
		if to.sealed {
			s.errorf(in.Block, "%s is defined on an edge to a block that is sealed", s.vars[x].name)
			return
		}
		e.defs = append(e.defs, edgeDef{x, value})
		return
	}
	s.errorf(in.Block, "%s is defined on an edge that is not known", s.vars[x].name)
}

// Use is the value of x at the current end of the block.
func (s *Builder) Use(b ir.BlockID, x Var) ir.ValueID {
	at := place{b, x}
	l, ok := s.last[at]
	if !ok {
		l.value = s.find(b, x)
		s.last[at] = l
	}
	return s.Value(l.value)
}

// Value resolves a value as far as it is known now: it is the value itself, or the one
// that has replaced the parameter.
func (s *Builder) Value(id ir.ValueID) ir.ValueID {
	first := id
	for {
		p := s.param(id)
		if p == nil || p.same == 0 {
			break
		}
		id = p.same
	}
	for first != id { // compress the path for the next time
		p := s.param(first)
		first, p.same = p.same, id
	}
	return id
}

// End says that the terminator of the block is complete: its destinations become edges.
func (s *Builder) End(b ir.BlockID) {
	k := s.at(b)
	if k.ended {
		s.errorf(b, "the block is ended twice")
		return
	}
	k.ended = true
	l := s.v.Blocks[b].Insts
	if len(l) == 0 {
		s.errorf(b, "the block is ended without a terminator")
		return
	}
	id := l[len(l)-1]
	for i := range s.v.Insts[id].Dests {
		d := s.v.Insts[id].Dests[i].Block
		to := s.at(d)
		if to.sealed {
			s.errorf(b, "an edge to %s, which is sealed", s.v.BlockName(d))
			continue
		}
		to.in = append(to.in, edge{from: b, inst: id, dest: i})
	}
}

// Seal says that all edges to the block are known.
func (s *Builder) Seal(b ir.BlockID) {
	s.at(b).sealed = true
}

// Phi makes a PHI node: a parameter whose arguments Incoming supplies.
func (s *Builder) Phi(b ir.BlockID, t ir.TypeID, name string) ir.ValueID {
	p := s.newParam(b, noVar, t, name)
	p.phi = true
	return p.id
}

// Keep makes a PHI node stay a value of its own, with its name, even if all its arguments
// are the same value. Other values stay anyway.
func (s *Builder) Keep(id ir.ValueID) {
	if p := s.param(id); p != nil && p.x == noVar {
		p.keep = true
	}
}

// Incoming says what a PHI node is when its block is reached from a predecessor.
func (s *Builder) Incoming(phi ir.ValueID, from ir.BlockID, value ir.ValueID) {
	p := s.param(phi)
	if p == nil || !p.phi {
		s.errorf(from, "an argument for a value that is no PHI node")
		return
	}
	if cap(p.in) == 0 {
		p.in = make([]incoming, 0, 4)
	}
	p.in = append(p.in, incoming{from, value})
}

// Finish ends the construction: it gives all edges their arguments and the body its final
// values. It returns what was wrong with the calls, which is a mistake of the caller.
func (s *Builder) Finish() error {
	if len(s.errs) == 0 && len(s.order) > 0 {
		s.reach()
		s.phis()
	}
	if len(s.errs) == 0 {
		s.unreached()
		for _, p := range s.order {
			s.simplify(p)
		}
		s.arguments()
		s.rewrite()
	}
	return errors.Join(s.errs...)
}

func (s *Builder) errorf(b ir.BlockID, format string, args ...any) {
	s.errs = append(s.errs, fmt.Errorf("ssabuild: %s: %s", s.v.BlockName(b), fmt.Sprintf(format, args...)))
}

func (s *Builder) at(b ir.BlockID) *block {
	if int(b) >= len(s.blocks) {
		if n := len(s.v.Blocks); n <= cap(s.blocks) {
			s.blocks = s.blocks[:n]
		} else {
			s.blocks = append(s.blocks, make([]block, n-len(s.blocks))...)
		}
	}
	return &s.blocks[b]
}

func (s *Builder) newParam(b ir.BlockID, x Var, t ir.TypeID, name string) *param {
	var p *param
	if n := len(s.spare); n > 0 {
		p, s.spare = s.spare[n-1], s.spare[:n-1]
	} else {
		if len(s.room) == 0 {
			s.room = make([]param, min(4+len(s.order), 64))
		}
		p, s.room = &s.room[0], s.room[1:]
	}
	*p = param{id: s.v.AddParam(b, t, name), block: b, x: x, in: p.in}
	if n := len(s.v.Values); len(s.params) < n {
		s.params = append(s.params, make([]int32, n-len(s.params))...)
	}
	s.order = append(s.order, p)
	s.params[p.id] = int32(len(s.order))
	return p
}

// param is what is known of a value that is a parameter made here, else nil.
func (s *Builder) param(id ir.ValueID) *param {
	if int(id) >= len(s.params) || s.params[id] == 0 {
		return nil
	}
	return s.order[s.params[id]-1]
}

// maxWalk is the number of blocks in which a use looks for a definition before Finish: enough to
// find what a front end has just defined before a check.
const maxWalk = 16

// find looks for the definition of x that reaches the end of a block, which has none of its
// own. If it cannot tell, it makes a parameter of the block where it has stopped.
func (s *Builder) find(b ir.BlockID, x Var) ir.ValueID {
	for left := maxWalk; ; left-- {
		k := s.at(b)
		switch {
		case k.sealed && len(k.in) == 0 || b == 0:
			return s.undefined(b, x)
		case !k.sealed || len(k.in) > 1 || left == 0:
			p := s.newParam(b, x, s.vars[x].typ, s.vars[x].name)
			s.last[place{b, x}] = latest{value: p.id}
			return p.id
		}
		e := &k.in[0]
		if v, ok := e.def(x); ok {
			return v
		}
		b = e.from
		if l, ok := s.last[place{b, x}]; ok {
			return l.value
		}
	}
}

// undefined is the value of x where control begins, at the entry or in blocks that control
// never reaches.
func (s *Builder) undefined(b ir.BlockID, x Var) ir.ValueID {
	at := place{b, x}
	id, ok := s.undefs[at]
	if !ok {
		id = s.undef(b, x, s.vars[x].name)
		s.undefs[at] = id
	}
	return id
}

// def is the definition of x on an edge.
func (e *edge) def(x Var) (ir.ValueID, bool) {
	for i := len(e.defs) - 1; i >= 0; i-- {
		if e.defs[i].x == x {
			return e.defs[i].value, true
		}
	}
	return 0, false
}

// phis looks up the arguments of the PHI nodes.
func (s *Builder) phis() {
	values := make([]ir.ValueID, len(s.v.Blocks)) // of one node, by predecessor
	for _, p := range s.order {
		if !p.phi {
			continue
		}
		for _, in := range p.in {
			values[in.from] = in.value
		}
		k := &s.blocks[p.block]
		args := make([]ir.ValueID, len(k.in))
		for i := range k.in {
			v := values[k.in[i].from]
			if v == 0 {
				s.errorf(p.block, "PHI node %s has no argument for %s", s.v.Values[p.id].Name, s.v.BlockName(k.in[i].from))
				return
			}
			args[i] = v
		}
		for _, in := range p.in {
			values[in.from] = 0
		}
		p.args = args
	}
}

// unreached keeps the parameters of blocks that control never reaches: in a loop there, an
// instruction could become its own operand.
func (s *Builder) unreached() {
	reached := make([]bool, len(s.v.Blocks))
	reached[0] = true
	work := []ir.BlockID{0}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		s.v.Succs(b, func(d *ir.Dest) {
			if !reached[d.Block] {
				reached[d.Block] = true
				work = append(work, d.Block)
			}
		})
	}
	for _, p := range s.order {
		p.keep = p.keep || !reached[p.block]
	}
}

// simplify replaces a parameter whose arguments are one value and perhaps the
// parameter itself, and then those that this makes equally simple. A parameter with two different
// arguments waits for one of the two to be replaced; the arguments before them are not looked
// at again, because values that are the same stay so.
func (s *Builder) simplify(p *param) {
	work := []*param{p}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if p.same != 0 || p.args == nil || p.keep {
			continue
		}
		n := len(p.args)
		for p.first < n && s.Value(p.args[p.first]) == p.id {
			p.first++
		}
		if p.first == n { // a PHI node of a loop that nothing leads into
			continue
		}
		same := s.Value(p.args[p.first])
		p.other = max(p.other, p.first+1)
		for p.other < n {
			a := s.Value(p.args[p.other])
			if a != same && a != p.id {
				s.await(p, same)
				s.await(p, a)
				break
			}
			p.other++
		}
		if p.other == n {
			p.same = same
			work = append(work, p.users...)
			p.users = nil
		}
	}
}

// await makes p wait for the replacement of a value, if that is a parameter made here.
func (s *Builder) await(p *param, id ir.ValueID) {
	if q := s.param(id); q != nil {
		q.users = append(q.users, p)
	}
}

// arguments gives the edges the arguments for the parameters that remain.
func (s *Builder) arguments() {
	remain := make([]int, len(s.blocks)) // parameters, by block
	for _, p := range s.order {
		if p.same == 0 {
			remain[p.block]++
		}
	}
	for b, n := range remain {
		if n == 0 {
			continue
		}
		for _, e := range s.blocks[b].in {
			d := &s.v.Insts[e.inst].Dests[e.dest]
			d.Args = append(make([]ir.ValueID, 0, len(d.Args)+n), d.Args...)
		}
	}
	for _, p := range s.order {
		if p.same != 0 {
			continue
		}
		for i, e := range s.blocks[p.block].in {
			d := &s.v.Insts[e.inst].Dests[e.dest]
			d.Args = append(d.Args, p.args[i])
		}
	}
}

// rewrite drops the parameters that have been replaced, and their uses.
func (s *Builder) rewrite() {
	replaced := false
	for _, p := range s.order {
		replaced = replaced || p.same != 0
	}
	if !replaced {
		return
	}
	for b := range s.v.Blocks {
		params := s.v.Blocks[b].Params
		kept := params[:0]
		for _, id := range params {
			if p := s.param(id); p == nil || p.same == 0 {
				s.v.Values[id].Index = int32(len(kept))
				kept = append(kept, id)
			}
		}
		s.v.Blocks[b].Params = kept
	}
	for _, p := range s.order {
		if p.same != 0 {
			s.v.Values[p.id].Kind = ir.ValueNone
		}
	}
	each := func(l []ir.ValueID) {
		for i, id := range l {
			l[i] = s.Value(id)
		}
	}
	for i := range s.v.Insts {
		in := &s.v.Insts[i]
		each(in.Args)
		each(in.Keep)
		for k := range in.Dests {
			each(in.Dests[k].Args)
		}
	}
}
