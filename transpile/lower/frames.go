package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// Programs whose frames can be inspected and replaced.
//
// Every function has a frame where it may rest. Before each instruction at which it may it
// stores the number of the place, from 1, in the frame's site word, and the keep-alive values
// in the frame: references in the first root words, the rest in those after them. When a
// call has not returned normally, it tests whether frames are being popped and this frame is the last one to stay.

// rests reports whether a frame may be at rest at an instruction: one that can have a keep-alive clause.
func rests(in *ir.Inst) bool { return in.Op.Is(ir.MayKeep) }

// keepingFrame lays out a frame that has room for the keep-alive values of some instructions.
func (e *fn) keepingFrame(keeps func(*ir.Inst) bool) {
	for _, b := range e.plan.CFG.Order {
		e.plan.EachInst(b, func(_ ir.InstID, in *ir.Inst) {
			if !keeps(in) {
				return
			}
			w, r := e.leafWords(in.Keep)
			e.keepWords, e.keepRoots = max(e.keepWords, w), max(e.keepRoots, r)
		})
	}
	e.frameSize = max(e.frameSize, 8+8*(e.keepRoots+e.plan.NumSlots+e.keepWords))
	if e.frameSize/8 > 0xffff {
		e.fail("the keep-alive variables of an instruction take more than %d bytes", 0xffff*8)
	}
}

// leafWords counts the words that values take in a transfer area.
func (e *fn) leafWords(vals []ir.ValueID) (w, r int) {
	for _, a := range vals {
		dw, dr := e.Words([]ir.TypeID{e.v.Values[a].Type})
		w, r = w+dw, r+dr
	}
	e.MaxTransfer = max(e.MaxTransfer, w, r+2) // the runtime adds two references
	return w, r
}

// rest notes in the frame that it rests at an instruction.
func (e *fn) rest(out *code, id ir.InstID, in *ir.Inst) {
	if !e.Introspect {
		return
	}
	out.Set(frameWord(gotree.Uint32, lit(4)), e.FrameNo(e.frameSite(id, in)))
	e.save(out, in.Keep)
}

// kept has the words of the frame for keep-alive values.
func (e *fn) kept() *repr.Area {
	return &repr.Area{
		Word: func(i int) expr { return frameWord(gotree.Uint64, lit(8+8*(e.keepRoots+e.plan.NumSlots+i))) },
		Root: func(i int) expr { return frameWord(gotree.Uintptr, lit(8+8*i)) },
	}
}

// save puts values into the words of the frame for keep-alive values.
func (e *fn) save(out *code, vals []ir.ValueID) {
	a := e.kept()
	for _, x := range vals {
		e.Put(out, a, e.v.Values[x].Type, e.temp(out, x))
	}
}

// frameSite numbers the place where a frame rests.
func (e *fn) frameSite(id ir.InstID, in *ir.Inst) int {
	for _, k := range in.Keep {
		e.Desc(e.v.Values[k].Type)
	}
	results := e.v.TypesOf(in.Results)
	if in.Op == ir.OpCall {
		results = e.At(in.Sig).Results
	}
	return e.siteIn(e.origin(id), repr.FrameSite{Inst: in.ID, Results: e.ListOf(results), Keep: e.keepVars(in.Keep)})
}

// siteIn numbers a place of the function itself or of a copy in it.
func (e *fn) siteIn(o *ir.Inlined, s repr.FrameSite) int {
	s.Func, s.Version = e.info, e.v.ID
	if o != nil {
		s.Func, s.Version, s.Below = e.Funcs[o.Func], o.Version, e.replaced(o)
	}
	s.Func.Recorded = true
	return e.AddFrameSite(s)
}

// replaced numbers the place of the call that a copy replaces.
func (e *fn) replaced(o *ir.Inlined) int {
	n, ok := e.calls[o]
	if !ok {
		results := e.ListOf(e.At(o.Sig).Results)
		n = e.siteIn(o.Below, repr.FrameSite{Inst: o.CallID, Results: results})
		e.calls[o] = n
	}
	return n
}

// landing emits, where a call has not returned normally, the end of popping frames: what left emits is for calls
// at which they do not end. Otherwise there are results.
func (e *fn) landing(out *code, id ir.InstID, in *ir.Inst, left func(*code)) {
	missed := out.Sub()
	left(missed)
	var again *gotree.Label
	if e.loops {
		// A loop that is never gone round: Go's compiler puts an inner loop out of the way of what surrounds it.
		again = e.newLabel("land")
		out.Mark(again)
	}
	out.If(bin(gotree.OrOr, gotree.Not(popping()), gotree.Not(e.lands(id))), missed, nil)
	e.results(out, in)
	if again != nil {
		round := out.Sub()
		round.Goto(again)
		out.If(thrown(), round, nil)
	}
}

// lands asks whether frames are popped down to the one that an instruction is in.
func (e *fn) lands(id ir.InstID) expr {
	level := 0
	for o := e.origin(id); o != nil; o = o.Below {
		level++
	}
	if level == 0 {
		return rtBool("Land", tVar, fpVar)
	}
	return rtBool("LandAt", tVar, fpVar, lit(level))
}

// passPopping keeps an exception clause from catching the popping of frames, which is no exception.
func (e *fn) passPopping(out *code) {
	if e.Introspect {
		body := out.Sub()
		e.unwind(body)
		out.If(popping(), body, nil)
	}
}
