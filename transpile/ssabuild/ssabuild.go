// Package ssabuild turns variables, registers and PHI nodes into the block
// parameters of package ir, while a reader or a front end makes a body.
//
// It is the construction of Braun and others (Simple and Efficient Construction of
// Static Single Assignment Form, 2013): a definition is noted by block and variable;
// a use looks for it, first in its own block, then against the direction of control
// flow; where several edges meet, the block gets a parameter. A block whose incoming
// edges are not all known yet gets a parameter for every variable that is looked for
// in it; Seal completes these. A parameter that turns out to stand for one value only
// is replaced by that value.
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
//   - Time is linear in the instructions and in the parameters and edges that are
//     looked at on the way from uses to definitions; recursion is not used, so a chain
//     of blocks may be of any length.
package ssabuild

import (
	"errors"
	"fmt"
	"slices"

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
	defs   map[place]ir.ValueID // the last definition, or what a use has found
	params []int32              // by value: one more than its place in order; 0 for others
	room   []param              // for the next ones
	spare  []*param             // those of bodies that are done
	order  []*param             // all of params, as they were made
	work   []*param             // parameters of variables whose arguments are not looked up yet
	path   []ir.BlockID
	stamp  int32
	errs   []error
}

type variable struct {
	typ  ir.TypeID
	name string
}

type place struct {
	block ir.BlockID
	x     Var
}

type block struct {
	in     []edge
	open   []*param // parameters of a block that is not sealed, without arguments yet
	sealed bool
	ended  bool
	seen   int32 // stamp of the last walk that came by
}

// An edge is destination dest of an instruction.
type edge struct {
	from ir.BlockID
	inst ir.InstID
	dest int
	defs []edgeDef
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
	users []*param     // that have this one as an argument
	same  ir.ValueID   // not 0: the value that replaces the parameter
	keep  bool         // stays although one value could replace it
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
	return &Builder{v: v, undef: undef, defs: map[place]ir.ValueID{}}
}

// Reset begins the construction for another body, as New does, in the memory of the one
// before, which is done. It takes time for what that one used.
func (s *Builder) Reset(v *ir.Version, undef Undef) {
	for i := range s.blocks {
		k := &s.blocks[i]
		clear(k.in) // with their defs
		*k = block{in: k.in[:0]}
	}
	if len(s.defs) > maxDefs {
		s.defs = map[place]ir.ValueID{}
	}
	clear(s.defs)
	for _, p := range s.order {
		*p = param{in: p.in[:0]}
	}
	*s = Builder{v: v, undef: undef, vars: s.vars[:0], blocks: s.blocks[:0], defs: s.defs, params: s.params[:0],
		room: s.room, spare: append(s.spare, s.order...), order: s.order[:0], work: s.work[:0], path: s.path[:0]}
}

// maxDefs is how many definitions a table had that is used again: to clear one takes time
// for its size.
const maxDefs = 1000

// Var makes a variable. Its name, which may be "", is that of the parameters made for
// it.
func (s *Builder) Var(t ir.TypeID, name string) Var {
	s.vars = append(s.vars, variable{t, name})
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
	s.defs[place{b, x}] = value
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
	id := s.find(b, x)
	s.complete()
	return s.Value(id)
}

// Value is what a value is known to be now: itself, or what has replaced the
// parameter that it was.
func (s *Builder) Value(id ir.ValueID) ir.ValueID {
	first := id
	for {
		p := s.param(id)
		if p == nil || p.same == 0 {
			break
		}
		id = p.same
	}
	for first != id { // shorten the way for the next time
		p := s.param(first)
		first, p.same = p.same, id
	}
	return id
}

// End says that the terminator of the block stands: its destinations become edges.
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
	k := s.at(b)
	if k.sealed {
		return
	}
	k.sealed = true
	s.work = append(s.work, k.open...)
	k.open = nil
	s.complete()
}

// Phi makes a PHI node: a parameter whose arguments Incoming tells.
func (s *Builder) Phi(b ir.BlockID, t ir.TypeID, name string) ir.ValueID {
	p := s.newParam(b, noVar, t, name)
	p.phi = true
	return p.id
}

// Keep makes a PHI node stay a value of its own, with its name, even where all its values
// are one. Other values stay anyway.
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

// Finish ends the construction: it seals what is not sealed, gives all edges their
// arguments and the body its final values. It returns what was wrong with the calls,
// which is a mistake of the caller.
func (s *Builder) Finish() error {
	for b := range s.blocks {
		s.Seal(ir.BlockID(b))
	}
	s.phis()
	if len(s.errs) == 0 {
		s.restore()
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

// find looks for the definition of x that reaches the end of a block. Parameters that
// it makes wait in s.work, or in their block until that is sealed.
func (s *Builder) find(b ir.BlockID, x Var) ir.ValueID {
	s.stamp++
	path := s.path[:0]
	var id ir.ValueID
	for {
		if known, ok := s.defs[place{b, x}]; ok {
			id = known
			break
		}
		k := s.at(b)
		if k.seen == s.stamp { // a loop that nothing leads into
			id = s.undef(b, x, s.vars[x].name)
			break
		}
		k.seen = s.stamp
		path = append(path, b)
		if k.sealed && len(k.in) == 0 || b == 0 {
			id = s.undef(b, x, s.vars[x].name)
			break
		}
		if !k.sealed || len(k.in) > 1 {
			p := s.newParam(b, x, s.vars[x].typ, s.vars[x].name)
			if k.sealed {
				s.work = append(s.work, p)
			} else {
				k.open = append(k.open, p)
			}
			id = p.id
			break
		}
		e := &k.in[0]
		if v, ok := e.def(x); ok {
			id = v
			break
		}
		b = e.from
	}
	for _, b := range path {
		s.defs[place{b, x}] = id
	}
	s.path = path
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

// complete looks up the arguments of the parameters that wait for that.
func (s *Builder) complete() {
	for len(s.work) > 0 {
		p := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		n := len(s.blocks[p.block].in)
		args := make([]ir.ValueID, n)
		for i := range n {
			e := &s.blocks[p.block].in[i] // find may move the blocks
			if v, ok := e.def(p.x); ok {
				args[i] = v
			} else {
				args[i] = s.find(e.from, p.x)
			}
		}
		s.setArgs(p, args)
	}
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
		s.setArgs(p, args)
	}
}

// setArgs gives a parameter its arguments, and replaces it if it stands for one value.
func (s *Builder) setArgs(p *param, args []ir.ValueID) {
	p.args = args
	for _, a := range args {
		if q := s.param(s.Value(a)); q != nil && q != p {
			q.users = append(q.users, p)
		}
	}
	s.simplify(p)
}

// simplify replaces a parameter whose arguments are one value and perhaps the
// parameter itself, and then those that this makes as simple.
func (s *Builder) simplify(p *param) {
	work := []*param{p}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if p.same != 0 || p.args == nil || p.keep {
			continue
		}
		var same ir.ValueID
		several := false
		for _, a := range p.args {
			a = s.Value(a)
			if a == p.id || a == same {
				continue
			}
			several = several || same != 0
			same = a
		}
		if several || same == 0 { // or a PHI node of a loop that nothing leads into
			continue
		}
		p.same = same
		users := slices.DeleteFunc(p.users, func(u *param) bool { return u.same != 0 })
		p.users = nil
		work = append(work, users...)
		if q := s.param(same); q != nil {
			if len(q.users) < len(users) { // move the shorter list
				q.users, users = users, q.users
			}
			q.users = append(q.users, users...)
		}
	}
}

// restore takes back what was replaced in blocks that control never reaches: in a loop
// there, an instruction could become its own operand.
func (s *Builder) restore() {
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
		if !reached[p.block] {
			p.same = 0
		}
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
