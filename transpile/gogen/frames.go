package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Programs whose frames can be inspected and replaced.
//
// Every function pushes its frame first of all. Before each instruction at
// which it may rest it stores the number of the place, from 1, in the frame's
// site word, and the keep-alive values in the frame: references in the first
// root words, the rest behind the root words. After each call it looks whether
// frames are being popped and this one is where that ends.

// rests reports whether a frame may be at rest at an instruction.
func rests(op ir.Op) bool {
	switch op {
	case ir.OpCall, ir.OpCCall, ir.OpTrap, ir.OpWatchpoint, ir.OpSwapStack:
		return true
	}
	return false
}

// restingFrame lays out the frame.
func (e *fn) restingFrame() {
	e.keepingFrame(func(in *ir.Inst) bool { return rests(in.Op) })
}

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
	e.framed, e.frameAt = true, 0
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
	e.maxTransfer = max(e.maxTransfer, w, r+2) // the runtime adds two references
	return w, r
}

// rest says in the frame that it is at an instruction.
func (e *fn) rest(out *code, id ir.InstID, in *ir.Inst) {
	if !e.Introspect {
		return
	}
	out.Set(frameWord(gotree.Uint32, lit(4)), e.frameNo(e.frameSite(in)))
	e.save(out, in.Keep)
}

// kept is the words of the frame for keep-alive values.
func (e *fn) kept() *area {
	return &area{
		word: func(i int) expr { return frameWord(gotree.Uint64, lit(8+8*(e.keepRoots+e.plan.NumSlots+i))) },
		root: func(i int) expr { return frameWord(gotree.Uintptr, lit(8+8*i)) },
	}
}

// save puts values into the words of the frame for keep-alive values.
func (e *fn) save(out *code, vals []ir.ValueID) {
	a := e.kept()
	for _, x := range vals {
		e.put(out, a, e.v.Values[x].Type, e.temp(out, x))
	}
}

// frameSite numbers the place where a frame rests.
func (e *fn) frameSite(in *ir.Inst) int {
	for _, k := range in.Keep {
		e.desc(e.v.Values[k].Type)
	}
	results := e.resultTypes(in)
	if in.Op == ir.OpCall {
		results = e.at(in.Sig).Results
	}
	e.info.recorded = true
	return e.addFrameSite([]gotree.Elem{field("Func", e.info.record()), intField("Version", e.v.ID), intField("Inst", in.ID)}, results, e.keepVars(in.Keep))
}

func (g *gen) addFrameSite(row []gotree.Elem, results []ir.TypeID, keep []gotree.Elem) int {
	row = append(append(row, intField("Results", g.listOf(results))), keep...)
	g.frameSites = append(g.frameSites, composite(nil, row...))
	return len(g.frameSites)
}

// undefinedSites numbers the places where frames of undefined functions rest.
func (g *gen) undefinedSites() map[*ir.Function]int {
	sites := map[*ir.Function]int{}
	for _, f := range g.p.Funcs {
		if f.Current() == nil && g.Introspect {
			sites[f] = g.undefinedSite(f)
		}
	}
	return sites
}

// undefinedSite is where the frame of an undefined function rests: in its hidden
// trap, whose keep-alive variables are the parameters.
func (g *gen) undefinedSite(f *ir.Function) int {
	var keep []expr
	for _, ty := range g.at(f.Sig).Fields {
		g.desc(ty)
		keep = append(keep, composite(nil, field("Type", g.vtypeRow(ty))))
	}
	return g.addFrameSite([]gotree.Elem{field("Func", g.info[f].record())}, nil, keepField(keep))
}

// land emits, after a call, the end of popping frames.
func (e *fn) land(out *code, in *ir.Inst) {
	if !e.Introspect || in.Op != ir.OpCall {
		return
	}
	body := out.Sub()
	e.results(body, in)
	out.If(bin(gotree.AndAnd, popping(), rtBool("Land", tVar, fpVar)), body, nil)
}

// popping is the condition that frames are being popped, which travels like an exception.
func popping() expr { return eq(word(tVar, "Thrown"), qual("rt", "Popping")) }

// passPopping keeps an exception clause from taking what is no exception.
func (e *fn) passPopping(out *code) {
	if e.Introspect {
		body := out.Sub()
		e.unwind(body)
		out.If(popping(), body, nil)
	}
}

// vtypeLayout is what a value type says about the layout in memory.
func (g *gen) vtypeLayout(id ir.TypeID) []gotree.Elem {
	n, l := g.at(id), g.lay.Of(id)
	var out []gotree.Elem
	if len(n.Fields) > 0 {
		var offs []expr
		for _, o := range l.Offsets {
			offs = append(offs, sizeExpr(o))
		}
		out = append(out, field("Offsets", composite(gotree.SliceOf(gotree.Uintptr), elems(offs)...)))
	}
	if n.Kind == ir.KArray || n.Kind == ir.KVector || n.Kind == ir.KHybrid {
		out = append(out, field("Stride", sizeExpr(l.Stride)))
	}
	if n.Kind != ir.KHybrid && n.Kind != ir.KVoid {
		out = append(out, field("Size", sizeExpr(l.Size.AlignUp(l.Align))))
	}
	return out
}
