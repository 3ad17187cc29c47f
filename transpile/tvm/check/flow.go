package check

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// flow orders the blocks of a function and checks what depends on the order (section 9).
func (b *body) flow() {
	for _, k := range b.fn.Blocks {
		for i, to := range k.Succs() {
			if !slices.Contains(to.Preds, k) {
				to.Preds = append(to.Preds, k)
			}
			b.legal(k, to, k.Insts[len(k.Insts)-1].To[i])
		}
	}
	for _, p := range b.phis {
		b.covered(p)
	}
	b.dominators()
	b.number()
	w := &walk{body: b, solidity: solidity{c: b.checker, known: map[term.ID]bool{}}, here: map[term.ID]bool{}, reported: map[diag.Pos]bool{}}
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

// legal checks that a jump does not get around the dominator that a block says it has. pos is the
// name of the block in the jump.
func (b *body) legal(from, to *Block, pos diag.Pos) {
	for k := from; k != nil; k = k.declared {
		if k == to.declared {
			return
		}
	}
	if to.declared != nil {
		d := "the entry block"
		if to.declared.Name != "" {
			d = to.declared.Name
		}
		b.errorf(pos, "a jump to %s must come from %s or a block that it dominates", to.Name, d)
	}
}

// covered checks that a phi has one value for each predecessor.
func (b *body) covered(p pendingPhi) {
	seen := map[*Block]bool{}
	for _, e := range p.phi.Edges {
		name := e.From.Name
		if name == "" {
			name = "the entry block"
		}
		switch {
		case seen[e.From]:
			b.errorf(e.Pos, "phi has two values for %s", name)
		case !slices.Contains(p.block.Preds, e.From):
			b.errorf(e.Pos, "phi has a value for %s, which does not jump here", name)
		}
		seen[e.From] = true
	}
	for _, k := range p.block.Preds {
		if !seen[k] {
			name := k.Name
			if name == "" {
				name = "the entry block"
			}
			b.errorf(p.phi.Pos, "phi has no value for %s, which jumps here", name)
		}
	}
}

// dominators finds the immediate dominators of the blocks that can be reached, by the algorithm of
// Cooper, Harvey and Kennedy.
func (b *body) dominators() {
	entry := b.fn.Blocks[0]
	order := postorder(entry)
	place := map[*Block]int{}
	for i, k := range order {
		k.Reachable = true
		place[k] = i
	}
	dom := map[*Block]*Block{entry: entry}
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			k := order[i]
			var d *Block
			for _, p := range k.Preds {
				if dom[p] == nil {
					continue
				}
				if d == nil {
					d = p
					continue
				}
				for x := p; x != d; {
					for place[x] < place[d] {
						x = dom[x]
					}
					for place[d] < place[x] {
						d = dom[d]
					}
				}
			}
			if dom[k] != d {
				dom[k], changed = d, true
			}
		}
	}
	for _, k := range b.fn.Blocks {
		parent := k.declared
		if k.Reachable && k != entry {
			k.Dom = dom[k]
			parent = k.Dom
		}
		if k != entry {
			parent.children = append(parent.children, k)
		}
	}
}

// postorder lists the blocks that can be reached, the entry last.
func postorder(entry *Block) []*Block {
	type visit struct {
		k    *Block
		next int
	}
	var order []*Block
	seen := map[*Block]bool{entry: true}
	stack := []visit{{k: entry}}
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		succs := v.k.Succs()
		if v.next == len(succs) {
			order = append(order, v.k)
			stack = stack[:len(stack)-1]
			continue
		}
		to := succs[v.next]
		v.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, visit{k: to})
		}
	}
	return order
}

// number numbers the blocks in the dominator tree.
func (b *body) number() {
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

// A walk goes over the dominator tree. It knows which results are available.
type walk struct {
	*body
	solidity
	here     map[term.ID]bool // terms whose results are available
	made     []term.ID
	reported map[diag.Pos]bool
}

func (w *walk) block(k *Block) {
	known, made := len(w.log), len(w.made)
	for _, p := range k.Phis {
		w.need(p.Pos, p.Sym.Type, true)
	}
	for _, p := range k.Phis {
		w.add(p.Sym.ID)
	}
	for _, in := range k.Insts {
		w.inst(in)
		if in.Sym != nil {
			w.add(in.Sym.ID)
		}
	}
	for _, to := range k.Succs() {
		for _, p := range to.Phis {
			for _, e := range p.Edges {
				if e.From == k {
					w.need(e.At, e.Value, true)
				}
			}
		}
	}
	for _, c := range k.children {
		w.block(c)
	}
	w.undo(known)
	for _, id := range w.made[made:] {
		delete(w.here, id)
	}
	w.made = w.made[:made]
}

func (w *walk) add(id term.ID) {
	if !w.here[id] {
		w.here[id] = true
		w.made = append(w.made, id)
	}
}

// need checks that a term is available, and if solid that it can be computed.
func (w *walk) need(pos diag.Pos, id term.ID, solid bool) {
	if id == 0 || w.reported[pos] {
		return
	}
	if s := w.available(id); s != nil {
		w.reported[pos] = true
		where := "the entry block"
		if k := s.Data.(*Block); k.Name != "" {
			where = k.Name
		}
		w.errorf(pos, "%s is not available here: %s, which defines it, does not dominate this place", s.Name, where)
		return
	}
	if solid && !w.solid(id) {
		w.reported[pos] = true
		w.errorf(pos, "phantom value required at run time: %s of %s", w.solidity.text(), w.String(id))
	}
}

// available gives the first result in a term that is not available, nil if all are.
func (w *walk) available(id term.ID) *term.Symbol {
	n := w.At(id)
	if w.here[id] {
		return nil
	}
	if n.Sym != nil {
		if n.Sym.Kind == term.Result || n.Sym.Kind == term.Phi {
			return n.Sym
		}
		return nil
	}
	args, sums := n.Args, n.Sums
	for _, a := range args {
		if s := w.available(a); s != nil {
			return s
		}
	}
	for _, p := range sums {
		for _, a := range p.Atoms {
			if s := w.available(a); s != nil {
				return s
			}
		}
	}
	w.add(id)
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
		phantoms := w.FormOf(f).Phantoms
		w.need(in.At[0], in.Args[0], true)
		for i, a := range in.Args[1:] {
			w.need(in.At[i+1], a, i >= phantoms)
			if i >= phantoms {
				w.need(in.At[i+1], w.ParamType(f, i, in.Args[1:]), true)
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
	}
	for i, a := range in.Args {
		w.need(in.At[i], a, true)
	}
	if in.Op == op.Solidify {
		w.learn(w.Arg(w.TypeOf(in.Args[0]), 0))
	}
	if in.Op == op.AllocaConst {
		w.need(in.At[0], w.TypeOf(in.Args[0]), true)
	}
}
