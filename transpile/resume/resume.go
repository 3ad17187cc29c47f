// Package resume turns the body of a function into a state machine, which can stop where it swaps
// to another stack, and continues from there when it is called again. A stack whose bottom function
// has such a body needs no goroutine to keep its place.
//
// The new body begins with a DISPATCH, which branches to the start or to the place where the body
// stopped. Each SWAPSTACK becomes a SUSPEND, which saves the variables that are live after it. The
// instructions after the SWAPSTACK move to a new block, a target of the DISPATCH. It begins with a
// RELOAD of these variables and a WOKEN, which has the results of the SWAPSTACK and its exception
// clause. If other threads may bind the stack that lends its goroutine, every cycle without a
// SWAPSTACK gets a SUSPEND without operands: a poll, at which the body can be asked to stop.
//
// Package lower decides how a SUSPEND saves variables.
package resume

import (
	"fmt"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Body returns the resumable body of a version. With polls it can be asked to stop in every loop. The version
// stays as it is; its instructions have the same numbers in the new one.
func Body(v *ir.Version, polls bool) *ir.Version {
	s := &splitter{v: v.Clone()}
	if polls {
		s.poll()
	}
	s.split()
	s.begin()
	s.pass()
	s.dispatch()
	return s.v
}

// splitter makes one body. Until dispatch, the blocks that a SUSPEND leads to are its last destinations, so
// that the body is an ordinary one.
type splitter struct {
	v       *ir.Version
	resumed []ir.BlockID // where the body continues, in the order of the numbers of SUSPEND, from 1
}

// goesOn makes the block that SUSPEND id leads to.
func (s *splitter) goesOn(id ir.InstID) ir.BlockID {
	n := len(s.resumed) + 1
	b := s.v.NewBlock(fmt.Sprintf("%%resume.%d", n), s.v.Insts[id].Pos)
	s.resumed = append(s.resumed, b)
	s.v.Insts[id].Imm = uint64(n)
	s.v.Insts[id].Dests = append(s.v.Insts[id].Dests, ir.Dest{Block: b})
	return b
}

// poll puts a poll on each jump back in a loop.
func (s *splitter) poll() {
	s.landings()
	v := s.v
	cfg := analysis.NewCFG(v)
	for _, b := range cfg.Order {
		t := v.Blocks[b].Insts[len(v.Blocks[b].Insts)-1]
		for i := range v.Insts[t].Dests {
			d, pos := v.Insts[t].Dests[i], v.Insts[t].Pos
			if cfg.Index[d.Block] > cfg.Index[b] {
				continue
			}
			at := v.NewBlock(fmt.Sprintf("%%poll.%d", len(s.resumed)+1), pos)
			v.Insts[t].Dests[i] = ir.Dest{Block: at}
			id := v.Append(at, ir.Inst{Op: ir.OpSuspend, Pos: pos, Dests: []ir.Dest{d}}, nil, nil)
			again := ir.Dest{Block: d.Block, Args: slices.Clone(d.Args)}
			v.Append(s.goesOn(id), ir.Inst{Op: ir.OpBranch, Pos: pos, Dests: []ir.Dest{again}}, nil, nil)
		}
	}
}

// landings turns exception parameters into ordinary ones: exceptional edges go through blocks that
// pass the exception on.
func (s *splitter) landings() {
	v := s.v
	n := ir.BlockID(len(v.Blocks))
	for b := range n {
		t := v.Term(b)
		if t == nil || t.ExcDest() == nil || v.Blocks[t.ExcDest().Block].Exc == 0 {
			continue
		}
		d, pos := *t.ExcDest(), t.Pos
		at := v.NewBlock(fmt.Sprintf("%%landing.%d", b), pos)
		exc := v.SetExcParam(at, v.Values[v.Blocks[d.Block].Exc].Type, "")
		v.Append(at, ir.Inst{Op: ir.OpBranch, Pos: pos, Dests: []ir.Dest{{Block: d.Block, Args: append(slices.Clone(d.Args), exc)}}}, nil, nil)
		*v.Term(b).ExcDest() = ir.Dest{Block: at}
	}
	for b := range n {
		if x := v.Blocks[b].Exc; x != 0 {
			v.Values[x].Kind, v.Values[x].Index = ir.ValueParam, int32(len(v.Blocks[b].Params))
			v.Blocks[b].Params = append(v.Blocks[b].Params, x)
			v.Blocks[b].Exc = 0
		}
	}
}

// split ends the blocks at each SWAPSTACK.
func (s *splitter) split() {
	v := s.v
	for b := ir.BlockID(0); int(b) < len(v.Blocks); b++ { // their rests are new blocks
		swaps := func(id ir.InstID) bool { return v.Insts[id].Op == ir.OpSwapStack }
		if i := slices.IndexFunc(v.Blocks[b].Insts, swaps); i >= 0 && !v.Blocks[b].Dead {
			s.suspend(b, i)
		}
	}
}

// suspend replaces the SWAPSTACK at a place of a block.
func (s *splitter) suspend(b ir.BlockID, at int) {
	v := s.v
	id := v.Blocks[b].Insts[at]
	rest := slices.Clone(v.Blocks[b].Insts[at+1:])
	v.Blocks[b].Insts = v.Blocks[b].Insts[:at+1]
	in := v.Insts[id]
	v.Insts[id] = ir.Inst{Op: ir.OpSuspend, Flags: in.Flags & (ir.FlagKillOld | ir.FlagThrowExc),
		Types: in.Types, Args: in.Args}.InPlaceOf(&in)
	on := s.goesOn(id)
	if in.Has(ir.FlagKillOld) {
		// Control comes here only if the swap has to be made again, and goes no further.
		v.Append(on, ir.Inst{Op: ir.OpWoken, Imm: v.Insts[id].Imm, Pos: in.Pos}, nil, nil)
		v.Append(on, ir.Inst{Op: ir.OpRet, Pos: in.Pos}, nil, nil)
		return
	}
	woken := v.Append(on, ir.Inst{Op: ir.OpWoken, Flags: in.Flags & ir.FlagExc, Imm: v.Insts[id].Imm,
		Types: in.Types, Dests: in.Dests, Results: in.Results, Pos: in.Pos}, nil, nil)
	for _, r := range in.Results {
		v.Values[r].Def = int32(woken)
	}
	v.Blocks[on].Insts = append(v.Blocks[on].Insts, rest...)
	for _, x := range rest {
		v.Insts[x].Block = on
	}
}

// begin makes a new entry, which leads to the start of the body, which has the arguments.
func (s *splitter) begin() {
	v := s.v
	old := v.NewBlock(v.Blocks[0].Name, v.Blocks[0].Pos)
	v.Blocks[old] = v.Blocks[0]
	for _, x := range v.Blocks[old].Params {
		v.Values[x].Def = int32(old)
	}
	for _, id := range v.Blocks[old].Insts {
		v.Insts[id].Block = old
	}
	start := v.NewBlock("%start", v.Blocks[old].Pos)
	v.Blocks[0] = ir.Block{Name: "%dispatch", Pos: v.Blocks[old].Pos}
	v.Append(0, ir.Inst{Op: ir.OpDispatch, Pos: v.Pos, Dests: []ir.Dest{{Block: start}}}, nil, nil)

	types := v.TypesOf(v.Blocks[old].Params)
	woken := v.Append(start, ir.Inst{Op: ir.OpWoken, Types: types, Pos: v.Pos}, types, nil)
	args := slices.Clone(v.Insts[woken].Results)
	v.Append(start, ir.Inst{Op: ir.OpBranch, Pos: v.Pos, Dests: []ir.Dest{{Block: old, Args: args}}}, nil, nil)
}

// dispatch lets the entry jump to where the body continues. Values that were passed there are kept and reloaded.
func (s *splitter) dispatch() {
	v := s.v
	for i := range v.Insts {
		if in := &v.Insts[i]; in.Op == ir.OpSuspend && in.Imm != 0 {
			last := len(in.Dests) - 1
			in.Keep, in.Dests = in.Dests[last].Args, in.Dests[:last]
		}
	}
	for _, b := range s.resumed {
		v.Term(0).Dests = append(v.Term(0).Dests, ir.Dest{Block: b})
		params := v.Blocks[b].Params
		if len(params) == 0 {
			continue
		}
		v.Blocks[b].Params = nil
		id := v.InsertBefore(b, 0, ir.Inst{Op: ir.OpReload, Pos: v.Blocks[b].Pos, Results: params}, nil, nil)
		for i, x := range params {
			v.Values[x].Kind, v.Values[x].Def, v.Values[x].Index = ir.ValueResult, int32(id), int32(i)
		}
	}
}
