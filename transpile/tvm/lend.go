package tvm

import (
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/op"
	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// A value that is not flat is the address of bytes that do not change while it is in use, so a load copies
// the bytes. The copy is not needed if the value is only stored, returned, passed to a phi, or passed to a
// function through its second entry, in the block of the load and before any instruction that may write
// memory: then the loaded bytes are unchanged. A second entry copies values that it passes on by address.

// A loan is a load that may need no copy.
type loan struct {
	block       *check.Block
	first, last int // the load and the last use
}

// lends finds the loads that need no copy.
func (b *body) lends() {
	loans := map[term.ID]*loan{}
	for _, k := range b.fn.Blocks {
		for i, in := range k.Insts {
			if in.Op == op.Load && !b.types.rep(in.Sym.Type).flat {
				loans[in.Sym.ID] = &loan{k, i, i}
			}
		}
	}
	if len(loans) == 0 {
		return
	}
	seen := map[term.ID]bool{}
	var part func(id term.ID) // visits a part of a computed value
	part = func(id term.ID) {
		if seen[id] {
			return
		}
		seen[id] = true
		delete(loans, id)
		for a := range b.Parts(id) {
			part(a)
		}
	}
	use := func(id term.ID, k *check.Block, i int) {
		if l := loans[id]; l != nil && l.block == k {
			l.last = i
		} else {
			part(id)
		}
	}
	for _, k := range b.fn.Blocks {
		for i, in := range k.Insts {
			for n, a := range in.Args {
				if n == 0 && (in.Op == op.Store || in.Op == op.Return) || n > 0 && b.entered(in) {
					use(a, k, i)
				} else {
					part(a)
				}
			}
		}
		for _, to := range k.Succs() {
			for _, p := range to.Phis {
				use(p.Edge(k).Value, k, len(k.Insts)-1)
			}
		}
	}
	for id, l := range loans {
		b.lent[id] = true
		for _, in := range l.block.Insts[l.first+1 : max(l.last, l.first+1)] {
			switch in.Op {
			case op.Store, op.Call, op.Memcpy, op.Memzero, op.Alloca, op.AllocaConst:
				delete(b.lent, id)
			}
		}
	}
}

// entered reports whether an instruction calls a function through its second entry.
func (b *body) entered(in *check.Inst) bool {
	if in.Op != op.Call || b.known(in.Args[0]) != nil {
		return false
	}
	f, _, _ := b.Graph.Target(b.Graph.TypeOf(in.Args[0]))
	return b.erased(f)
}
