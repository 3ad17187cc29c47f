package check

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// flow orders the blocks of a function and checks the rules that depend on the order
// (docs/tvm.md, "Text").
func (b *body) flow() {
	for _, k := range b.fn.Blocks {
		for _, to := range k.Succs() {
			if n := len(to.Preds); n == 0 || to.Preds[n-1] != k {
				to.Preds = append(to.Preds, k)
			}
		}
	}
	b.number(func(k *Block) *Block { return k.declared })
	for _, k := range b.fn.Blocks {
		for i, to := range k.Succs() {
			b.legal(k, to, k.Insts[len(k.Insts)-1].To[i])
		}
	}
	for _, p := range b.phis {
		b.covered(p)
	}
	b.dominators()
	w := &walk{body: b, solidity: solidity{c: b.checker}, reported: map[diag.Pos]bool{}}
	w.block(b.fn.Blocks[0])
	slices.SortStableFunc(b.fn.Blocks, func(x, y *Block) int {
		switch {
		case x.Reachable && y.Reachable:
			return x.pre - y.pre
		case x.Reachable:
			return -1
		case y.Reachable:
			return 1
		}
		return 0
	})
}

// legal checks that a jump does not bypass the declared dominator of a block. pos is the position of
// the block's name in the jump.
func (b *body) legal(from, to *Block, pos diag.Pos) {
	if !to.declared.Dominates(from) {
		b.errorf(pos, "a jump to %s must come from %s or a block that it dominates", to.Name, to.declared.title())
	}
}

// title is the name of a block in messages.
func (b *Block) title() string {
	if b.Name == "" {
		return "the entry block"
	}
	return b.Name
}

// covered checks that a phi has one value for each predecessor.
func (b *body) covered(p pendingPhi) {
	jumps := map[*Block]bool{}
	for _, k := range p.block.Preds {
		jumps[k] = true
	}
	p.phi.from = map[*Block]int{}
	for i, e := range p.phi.Edges {
		if _, twice := p.phi.from[e.From]; twice {
			b.errorf(e.Pos, "phi has two values for %s", e.From.title())
		} else if !jumps[e.From] {
			b.errorf(e.Pos, "phi has a value for %s, which does not jump here", e.From.title())
		}
		p.phi.from[e.From] = i
	}
	for _, k := range p.block.Preds {
		if _, ok := p.phi.from[k]; !ok {
			b.errorf(p.phi.Pos, "phi has no value for %s, which jumps here", k.title())
		}
	}
}

// dominators finds the immediate dominators of the reachable blocks, and which of these blocks are in
// loops.
func (b *body) dominators() {
	blocks := b.fn.Blocks
	dests := make([][]ir.Dest, len(blocks))
	for i, k := range blocks {
		for _, to := range k.Succs() {
			dests[i] = append(dests[i], ir.To(ir.BlockID(to.Index)))
		}
	}
	flow := analysis.NewGraph(dests)
	loops := analysis.LoopTree(flow)
	for i, k := range blocks {
		if k.Reachable = flow.Reachable(ir.BlockID(i)); k.Reachable && i > 0 {
			k.Dom = blocks[flow.Idom[i]]
		}
		k.Loop = loops.Of[i] >= 0
	}
	b.number(func(k *Block) *Block {
		if k.Reachable {
			return k.Dom
		}
		return k.declared
	})
}

// number numbers the blocks in a tree of dominators: parent returns the immediate dominator of a block
// other than the entry.
func (b *body) number(parent func(k *Block) *Block) {
	for _, k := range b.fn.Blocks {
		k.children = nil
	}
	for _, k := range b.fn.Blocks[1:] {
		p := parent(k)
		p.children = append(p.children, k)
	}
	n := 0
	var visit func(k *Block)
	visit = func(k *Block) {
		k.pre = n
		n++
		for _, c := range k.children {
			visit(c)
		}
		k.end = n
	}
	visit(b.fn.Blocks[0])
}

// A walk traverses the dominator tree and records which results are available.
type walk struct {
	*body
	solidity
	here     trail // terms whose results are available
	reported map[diag.Pos]bool
}

func (w *walk) block(k *Block) {
	known, here := len(w.known.log), len(w.here.log)
	for _, p := range k.Phis {
		w.need(p.Pos, p.Sym.Type, true)
	}
	for _, p := range k.Phis {
		w.here.add(p.Sym.ID)
	}
	for _, in := range k.Insts {
		w.inst(in)
		if in.Sym != nil {
			w.here.add(in.Sym.ID)
		}
	}
	for _, to := range k.Succs() {
		for _, p := range to.Phis {
			if e := p.Edge(k); e != nil {
				w.need(e.At, e.Value, true)
			}
		}
	}
	for _, c := range k.children {
		w.block(c)
	}
	w.known.undo(known)
	w.here.undo(here)
}

// need checks that a term is available and, if solid is set, that it can be computed.
func (w *walk) need(pos diag.Pos, id term.ID, solid bool) {
	if id == 0 || w.reported[pos] {
		return
	}
	if s := w.available(id); s != nil {
		w.reported[pos] = true
		w.errorf(pos, "%s is not available here: %s, which defines it, does not dominate this place", s.Name, s.Data.(*Block).title())
		return
	}
	if solid && !w.solid(id) {
		w.reported[pos] = true
		w.errorf(pos, "%s", w.complaint(id))
	}
}

// available returns the first result in a term that is not available, nil if all are.
func (w *walk) available(id term.ID) *term.Symbol {
	n := w.At(id)
	if w.here.has(id) {
		return nil
	}
	if n.Sym != nil {
		if n.Sym.Kind == term.Result || n.Sym.Kind == term.Phi {
			return n.Sym
		}
		return nil
	}
	for a := range w.Parts(id) {
		if s := w.available(a); s != nil {
			return s
		}
	}
	w.here.add(id)
	return nil
}

// inst checks the operands of an instruction.
func (w *walk) inst(in *Inst) {
	target := func(i int) {
		t, _, _ := w.Target(w.TypeOf(in.Args[i]))
		w.need(in.At[i], t, true)
	}
	switch in.Op {
	case op.Call:
		f, _, _ := w.Target(w.TypeOf(in.Args[0]))
		form := w.FormOf(f)
		w.need(in.At[0], in.Args[0], true)
		for i, a := range in.Args[1:] {
			w.need(in.At[i+1], a, i >= form.Phantoms)
			if i < form.Phantoms {
				continue
			}
			t := w.ParamType(f, i, in.Args[1:])
			w.need(in.At[i+1], t, true)
			if form.ByVal(i) {
				copied, _, _ := w.Target(t)
				w.need(in.At[i+1], copied, true)
			}
		}
		w.need(in.Pos, in.Sym.Type, true)
		return
	case op.Load, op.Memzero:
		target(0)
	case op.Store:
		target(1)
	case op.Memcpy:
		target(0)
	case op.Alloca:
		if w.Layout(in.Args[0]).Kind == term.NoData {
			return // it was reported
		}
	}
	for i, a := range in.Args {
		w.need(in.At[i], a, true)
	}
	if in.Op == op.Solidify {
		w.known.add(w.Arg(w.TypeOf(in.Args[0]), 0))
	}
	if in.Op == op.AllocaConst {
		w.need(in.At[0], w.TypeOf(in.Args[0]), true)
	}
}
