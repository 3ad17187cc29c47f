package check

import (
	"maps"

	"github.com/uvm2go/uvm2go/transpile/tvm/term"
)

// Size is the number of instructions and phis in the reachable blocks of a function.
func (f *Func) Size() int {
	n := 0
	for _, k := range f.Blocks {
		if k.Reachable {
			n += len(k.Insts) + len(k.Phis)
		}
	}
	return n
}

// Copy returns a copy of a function in which terms replace some parameters. The copy does not have these
// parameters, unreachable blocks, and data that only the checks need. made is called with the terms that
// replace others.
func (f *Func) Copy(g *term.Graph, with map[term.ID]term.ID, made func(term.ID)) *Func {
	with = maps.Clone(with)
	replace := g.Replacer(with, made)
	// same is the symbol for s in the copy: a new one if its type differs in the copy.
	same := func(s *term.Symbol) *term.Symbol {
		if s == nil {
			return nil
		}
		t := replace(s.Type)
		if t == s.Type {
			return s
		}
		c := *s
		c.Type = t
		out := g.Symbol(c)
		with[s.ID] = out.ID
		return out
	}
	c := &Func{Global: f.Global, Form: term.Form{}}
	for i, p := range f.Params {
		if with[p.ID] != 0 {
			continue
		}
		c.Params = append(c.Params, same(p))
		if i < f.Form.Phantoms {
			c.Form.Phantoms++
		}
	}
	c.Result = replace(f.Result)
	blocks := map[*Block]*Block{}
	for _, k := range f.Blocks {
		if k.Reachable {
			n := *k
			n.Preds, n.declared, n.children, n.Phis, n.Insts = nil, nil, nil, nil, nil
			blocks[k] = &n
			c.Blocks = append(c.Blocks, &n)
		}
	}
	for _, k := range f.Blocks[:len(c.Blocks)] {
		n := blocks[k]
		n.Dom = blocks[k.Dom]
		for _, p := range k.Phis {
			n.Phis = append(n.Phis, &Phi{Pos: p.Pos, Sym: same(p.Sym)})
		}
		for _, i := range k.Insts {
			x := *i
			x.Args, x.Blocks = nil, nil
			for _, a := range i.Args {
				x.Args = append(x.Args, replace(a))
			}
			x.Sym = same(i.Sym)
			for _, to := range i.Blocks {
				x.Blocks = append(x.Blocks, blocks[to])
			}
			n.Insts = append(n.Insts, &x)
		}
	}
	for _, k := range f.Blocks[:len(c.Blocks)] {
		for i, p := range k.Phis {
			q := blocks[k].Phis[i]
			q.from = map[*Block]int{}
			for _, e := range p.Edges {
				if from := blocks[e.From]; from != nil {
					q.from[from] = len(q.Edges)
					q.Edges = append(q.Edges, Edge{from, replace(e.Value), e.Pos, e.At})
				}
			}
		}
	}
	return c
}
