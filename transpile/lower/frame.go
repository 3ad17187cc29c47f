package lower

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/lower/plan"
	"github.com/uvm2go/uvm2go/transpile/lower/repr"
)

// Frames on the shadow stack: a word of shape and site, the roots of keep-alive
// values, the slots of variables, other words of keep-alive values, objects.

// frame says how the frame of a function is laid out, and what has been emitted of it.
type frame struct {
	framed    bool
	frameAt   ir.BlockID        // where the frame is pushed
	pushed    bool              // that block is emitted
	frameSize int               // bytes
	locals    map[ir.InstID]int // places in the frame of objects that lie there
	keepRoots int               // root words for keep-alive values, the first of the frame
	keepWords int               // untraced words for them, after the root words
	slots     []string          // constants with the places of the slots of variables
	unwinds   *gotree.Label     // jumps to where the frame is left with an exception, nil if there are none
	exits     int               // of these jumps
}

// maxExits is the number of exits with an exception that pop the frame in place;
// further ones share a label.
const maxExits = 8

// maxPadding is the most that a frame is enlarged to for the sake of the Go stack: the size has 16 bits of
// the frame's first word.
const maxPadding = 8 * (1<<16 - 1)

// frameSize is what a frame takes of the stack budget: its words, and enough more that the Go stack
// stays within four times the budget. The variables count with all their scalars: Go's compiler may
// keep all of them in the Go frame. Aggregates count twice, since Go passes and loads them through
// copies there.
func frameSize(e *repr.Program, p *plan.Func) int {
	sizes := map[ir.TypeID]int{}
	words := 0
	for x, u := range p.Used {
		if u && !p.Inline[x] && int(p.Alias[x]) == x {
			ty := p.V.Values[x].Type
			n, ok := sizes[ty]
			if !ok {
				w, r := e.Words([]ir.TypeID{ty})
				n = w + r
				switch e.Kind(ty) {
				case ir.KStruct, ir.KArray, ir.KVector:
					n *= 2
				}
				sizes[ty] = n
			}
			words += n
		}
	}
	return max(8+8*p.NumSlots, 48, min(words*2&^7, maxPadding))
}

// needsFrame reports whether an instruction must find the frame pushed.
func (e *fn) needsFrame(in *ir.Inst) bool {
	if in.Op == ir.OpCall || in.Op == ir.OpLanding || in.Op.Is(ir.OnStack) || e.Introspect && rests(in) {
		return true
	}
	if e.plan.Safepoint(in) && (e.plan.NumSlots > 0 || len(e.locals) > 0) {
		return true
	}
	return in.Op.Is(ir.MayThrow) && in.Op != ir.OpThrow && in.Op != ir.OpTailCall
}

// inFrame reports whether the frame is pushed where a block's statements run.
func (e *fn) inFrame(b ir.BlockID) bool {
	return e.framed && e.plan.CFG.Dominates(e.frameAt, b)
}

// nameSlots names the slots, after the first variable that has each.
func (e *fn) nameSlots() {
	if !e.framed {
		return
	}
	e.slots = make([]string, e.plan.NumSlots)
	for i := range e.v.Values {
		x := ir.ValueID(i)
		if s := e.plan.Slot[x]; s >= 0 {
			n := e.v.Values[x].Name
			if n == "" {
				n = "v"
			}
			for k := range e.Traced(e.v.Values[x].Type) {
				if e.slots[int(s)+k] == "" {
					e.slots[int(s)+k] = e.scope.Local(repr.Clean(n) + "_slot")
				}
			}
		}
	}
}

// slot is the place of a root word in the frame.
func (e *fn) slot(w int) expr { return name(e.slots[w]) }

// declareFrame declares the size of the frame and the places of the slots.
func (e *fn) declareFrame(out *code) {
	if !e.framed || e.frameAt != 0 && !e.pushed {
		return
	}
	rows := []gotree.ConstRow{{Name: "frame", X: lit(e.frameSize)}}
	for w, n := range e.slots {
		if n != "" {
			rows = append(rows, gotree.ConstRow{Name: n, X: lit(8 + 8*(e.keepRoots+w))})
		}
	}
	out.Consts(rows)
}

// prologue pushes the frame before the statements of block b.
func (e *fn) prologue(out *code, b ir.BlockID) {
	var refs []expr
	live := func(x ir.ValueID) { refs = append(refs, e.rootExprs(e.v.Values[x].Type, e.variable(x))...) }
	if b == 0 {
		for _, p := range e.v.Blocks[0].Params {
			if e.plan.Used[p] {
				live(p)
			}
		}
	} else {
		e.plan.LiveIn(b, live)
	}
	size := name("frame")
	grow := method(tVar, "Grow", size)
	switch {
	case e.resumable:
		grow = rt("GrowStart", tVar, size, lit(e.startRefs()))
	case len(refs) > 0:
		grow = method(tVar, "GrowRefs", append([]expr{size}, refs...)...)
	}
	full, init, failed := out.Sub(), out.Sub(), out.Sub()
	if e.allocas && b != 0 {
		e.releaseCells(failed)
	}
	failed.Return()
	init.Set(fpVar, grow)
	full.IfInit(init, eq(fpVar, zero), failed, nil)
	end := add(fpVar, size)
	out.If(bin(gotree.Greater, end, word(tVar, "Limit")), full, nil)
	out.Set(word(tVar, "SP"), end)
	words := bin(gotree.Div, size, lit(8))
	if roots := e.keepRoots + e.plan.NumSlots; roots > 0 {
		words = bin(gotree.Or, bin(gotree.Shl, lit(roots), lit(16)), words)
	}
	out.Set(deref(gotree.Uint32, pointerTo(fpVar)), words)
	if e.Introspect {
		out.Set(frameWord(gotree.Uint32, lit(4)), zero)
	}
	set := make([]bool, e.plan.NumSlots)
	var early []ir.ValueID // in slots, assigned before the frame
	for i := range e.v.Values {
		x := ir.ValueID(i)
		if s := e.plan.Slot[x]; s >= 0 && e.assignedBefore(x, b) {
			early = append(early, x)
			for k := range e.Traced(e.v.Values[x].Type) {
				set[int(s)+k] = true
			}
		}
	}
	for i := range e.keepRoots {
		out.Set(frameWord(gotree.Uintptr, lit(8+8*i)), zero)
	}
	for w, ok := range set {
		if !ok {
			out.Set(frameWord(gotree.Uintptr, e.slot(w)), zero)
		}
	}
	if b != 0 {
		for _, x := range early {
			e.root(out, x)
		}
	}
}

// assignedBefore reports whether a variable with a slot has its value before
// the statements of the block that pushes the frame.
func (e *fn) assignedBefore(x ir.ValueID, at ir.BlockID) bool {
	def := e.defBlock(x)
	if def == at {
		return e.v.Values[x].Kind != ir.ValueResult
	}
	if !e.plan.CFG.Dominates(def, at) {
		return false
	}
	live := false
	e.plan.LiveIn(at, func(y ir.ValueID) { live = live || x == y })
	return live
}

// clearStale clears the slots of copies that have ended.
func (e *fn) clearStale(out *code, id ir.InstID) {
	if !e.inFrame(e.cur) {
		return
	}
	for _, w := range e.plan.Stale(id) {
		out.Set(frameWord(gotree.Uintptr, e.slot(int(w))), zero)
	}
}

// rootExprs lists the addresses that the collector must see of a value.
func (e *fn) rootExprs(ty ir.TypeID, x expr) []expr {
	var out []expr
	if e.Traced(ty) == 0 {
		return nil
	}
	e.EachLeaf(ty, x, func(x expr, t ir.TypeID) {
		if r := e.RootOf(x, t); r != nil {
			out = append(out, r)
		}
	})
	return out
}

// root stores a variable in its slot, if it has one.
func (e *fn) root(out *code, x ir.ValueID) {
	s := e.plan.Slot[x]
	if s < 0 || !e.inFrame(e.cur) {
		return
	}
	for i, r := range e.rootExprs(e.v.Values[x].Type, e.variable(x)) {
		out.Set(frameWord(gotree.Uintptr, e.slot(int(s)+i)), r)
	}
}

// releaseCells ends the stack cells of the frame.
func (e *fn) releaseCells(out *code) {
	e.released = true
	out.Do(method(tVar, "AllocaRelease", name("am")))
	if e.Opt.Sanitize {
		out.Do(rt("SanRelease", tVar, name("sm")))
	}
}

// popFrame takes the frame off the shadow stack.
func popFrame(out *code) { out.Set(word(tVar, "SP"), fpVar) }

// leave pops what the prologue pushed.
func (e *fn) leave(out *code) {
	if e.allocas {
		e.releaseCells(out)
	}
	if e.inFrame(e.cur) {
		popFrame(out)
	}
}

// unwind returns with the exception that is set.
func (e *fn) unwind(out *code) {
	if !e.inFrame(e.cur) {
		if e.allocas {
			e.releaseCells(out)
		}
		out.Return()
		return
	}
	if e.unwinds == nil {
		e.unwinds = &gotree.Label{Name: "unwind"}
		if e.allocas {
			e.released = true
		}
	}
	e.exits++
	out.Goto(e.unwinds)
}

// finishUnwind emits what the exits with an exception do.
func (e *fn) finishUnwind(all *code) {
	if e.unwinds == nil {
		return
	}
	leave := func(out *code) {
		if e.allocas && !e.resumable {
			e.releaseCells(out)
		}
		popFrame(out)
		out.Return()
	}
	if e.exits <= maxExits {
		gotree.Expand(all, e.unwinds, leave)
		return
	}
	body := all.Sub()
	body.List, all.List = all.List, nil
	all.Add(body)
	all.Mark(e.unwinds)
	leave(all)
}
