package passes

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Tail calls as jumps.
//
//  1. A TAILCALL of the function itself is a jump to its beginning, which
//     becomes a block that can be jumped to.
//  2. A TAILCALL of another known function is a jump to a copy of its body in
//     this one. A function is copied once; what it tail-calls is looked at in
//     turn. So functions that tail-call each other become loops inside those of
//     them that are entered from elsewhere.
//
// The rules of inlining say which bodies may be copied. A body with stack cells
// or that asks for its cookie keeps its tail calls: a new frame has neither.
//
// Needs: names. Changes: TAILCALL, blocks. Leaves: work for simplify.
const (
	tailSize      = 100  // a function outside the circle of this one
	tailCircle    = 2500 // all functions of the circle together
	tailMostSites = 4000
	// tailDepth is the most bodies, one copied into the other, that are copied once more. In a chain of
	// functions each has copies of all that follow otherwise, and a table that names them.
	tailDepth = 30
)

func tails(u *unit) int {
	sites := u.tailSites()
	if len(sites) == 0 || len(sites) > tailMostSites || u.keepsFrame() {
		return 0
	}
	t := &tailer{u: u, entry: map[*unit]ir.BlockID{}}
	if u.circle(sites) {
		u.pristine, u.pristineOrigin = u.v.Clone(), slices.Clone(u.origin)
		t.merge = u.enteredElsewhere()
	}
	for i := 0; i < len(sites); i++ {
		from := len(u.v.Insts)
		if t.site(sites[i]) {
			for id := from; id < len(u.v.Insts); id++ {
				if u.v.Insts[id].Op == ir.OpTailCall {
					sites = append(sites, ir.InstID(id))
				}
			}
		}
	}
	return t.n
}

// tailSites lists the tail calls of known functions.
func (u *unit) tailSites() []ir.InstID {
	var out []ir.InstID
	for b := range u.v.Blocks {
		t := u.v.Term(ir.BlockID(b))
		if t != nil && t.Op == ir.OpTailCall && u.callee(t) != nil {
			l := u.v.Blocks[b].Insts
			out = append(out, l[len(l)-1])
		}
	}
	return out
}

// circle reports whether a tail call may come back.
func (u *unit) circle(sites []ir.InstID) bool {
	for _, id := range sites {
		if c := u.callee(&u.v.Insts[id]); c != u && c.group == u.group {
			return true
		}
	}
	return false
}

// keepsFrame reports whether a body depends on having a new frame.
func (u *unit) keepsFrame() bool {
	for b := range u.v.Blocks {
		for _, id := range u.v.Blocks[b].Insts {
			if u.v.Insts[id].Op.Is(ir.KeepsFrame) {
				return true
			}
		}
	}
	return false
}

// enteredElsewhere reports whether anything but tail calls enters the function.
func (u *unit) enteredElsewhere() bool {
	if u.tailRefs == nil {
		u.state.tailRefs = map[*ir.Function]int{}
		for _, x := range u.units {
			for _, id := range x.tailSites() {
				u.tailRefs[x.callee(&x.v.Insts[id]).v.Func]++
			}
		}
	}
	return u.references(u.v.Func) > u.tailRefs[u.v.Func] || u.tailRefs[u.v.Func] == 0
}

type tailer struct {
	u     *unit
	entry map[*unit]ir.BlockID // where a function begins in this body
	merge bool                 // functions of the circle may be copied
	size  int
	n     int
}

// site turns one tail call into a jump if it can. It reports whether a body was copied.
func (t *tailer) site(id ir.InstID) (copied bool) {
	u, v := t.u, t.u.v
	c := u.callee(&v.Insts[id])
	if c == nil {
		return false
	}
	to, ok := t.entry[c]
	switch {
	case ok:
	case c == u:
		to = u.splitEntry()
		t.entry[u] = to
	default:
		from, origin := c.v, c.origin
		if c.pristine != nil {
			from, origin = c.pristine, c.pristineOrigin
		}
		s := (&unit{state: u.state, v: from}).inlinable()
		near := c.group == u.group && t.merge && t.size+s.size <= tailCircle
		if !s.ok || !u.mayHide(s) || deep(origin) || !near && (c.group == u.group || s.size > tailSize && u.references(c.v.Func) > 1) {
			return false
		}
		t.size += s.size
		to = t.copy(id, from, origin)
		t.entry[c] = to
		copied = true
	}
	in := &v.Insts[id]
	u.jump(in, ir.Dest{Block: to, Args: slices.Clone(in.Args[1:])})
	t.n++
	return copied
}

// deep reports whether a body has copies of copies down to the limit.
func deep(origin []*ir.Inlined) bool {
	var last *ir.Inlined
	for _, o := range origin {
		if o == last {
			continue // like the instruction before
		}
		last = o
		for n := 0; o != nil; o = o.Below {
			if n++; n >= tailDepth {
				return true
			}
		}
	}
	return false
}

// splitEntry makes the beginning of the body a block that can be jumped to.
func (u *unit) splitEntry() ir.BlockID {
	v := u.v
	nb := u.newBlock(v.Blocks[0].Name, v.Blocks[0].Pos)
	old, body := &v.Blocks[0], &v.Blocks[nb]
	body.Params, body.Insts = old.Params, old.Insts
	old.Params, old.Insts = nil, nil
	for _, p := range body.Params {
		v.Values[p].Def = int32(nb)
	}
	for _, id := range body.Insts {
		v.Insts[id].Block = nb
	}
	for _, p := range body.Params {
		v.AddParam(0, v.Values[p].Type, v.Values[p].Name)
	}
	v.Append(0, ir.Inst{Op: ir.OpBranch, Dests: []ir.Dest{{Block: nb, Args: slices.Clone(v.Blocks[0].Params)}}, Pos: v.Pos}, nil, nil)
	return nb
}

// copy puts the body of a function into this one and returns where it begins.
func (t *tailer) copy(id ir.InstID, from *ir.Version, origin []*ir.Inlined) ir.BlockID {
	c := &copier{u: t.u, from: from, values: make([]ir.ValueID, len(from.Values)), blocks: make([]ir.BlockID, len(from.Blocks)), origin: origin, tail: true}
	c.stack.bottom = ir.Inlined{Func: from.Func, Tail: true, Below: nil}
	return c.whole()
}
