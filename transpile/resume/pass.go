package resume

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/analysis"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// pass gives the blocks where the body continues the variables that are live there as parameters. Where two
// definitions of a variable meet then, its own and such a parameter, the block gets a parameter, too. (All
// blocks do where the variable is live; those that can only have one value lose it again.)
func (s *splitter) pass() {
	p := &passer{v: s.v, cfg: analysis.NewCFG(s.v), is: map[blockValue]ir.ValueID{}}
	p.again = make([]bool, len(s.v.Blocks))
	for _, b := range s.resumed {
		p.again[b] = true
	}
	p.live()
	for p.sink() {
		p.live()
	}
	p.params()
	p.rename()
	p.drop()
}

type passer struct {
	v     *ir.Version
	cfg   *analysis.CFG
	again []bool                      // by block: the body continues there
	uses  map[ir.ValueID][]ir.BlockID // outside the block of the definition
	in    [][]ir.ValueID              // by block: the variables that it is passed
	is    map[blockValue]ir.ValueID   // what a variable is in a block that it is passed to
	subst map[ir.ValueID]ir.ValueID   // parameters that are dropped
}

type blockValue struct {
	b ir.BlockID
	x ir.ValueID
}

func (p *passer) defBlock(x ir.ValueID) ir.BlockID {
	d := &p.v.Values[x]
	if d.Kind == ir.ValueResult {
		return p.v.Insts[d.Def].Block
	}
	return ir.BlockID(d.Def)
}

// eachUse calls fn for each operand of a block that is a variable.
func (p *passer) eachUse(b ir.BlockID, fn func(x *ir.ValueID)) {
	for _, id := range p.v.Blocks[b].Insts {
		p.eachOperand(id, fn)
	}
}

// eachOperand calls fn for each operand of an instruction that is a variable.
func (p *passer) eachOperand(id ir.InstID, fn func(x *ir.ValueID)) {
	list := func(l []ir.ValueID) {
		for i := range l {
			if l[i] != 0 && p.v.Values[l[i]].Kind != ir.ValueConst {
				fn(&l[i])
			}
		}
	}
	in := &p.v.Insts[id]
	list(in.Args)
	list(in.Keep)
	for i := range in.Dests {
		list(in.Dests[i].Args)
	}
}

// live finds, for each variable that is live where the body continues, the blocks at whose beginning it is live.
func (p *passer) live() {
	uses := map[ir.ValueID][]ir.BlockID{}
	p.uses, p.in = uses, make([][]ir.ValueID, len(p.v.Blocks))
	var order []ir.ValueID
	for _, b := range p.cfg.Order {
		p.eachUse(b, func(x *ir.ValueID) {
			if p.defBlock(*x) == b {
				return
			}
			l := uses[*x]
			if len(l) == 0 {
				order = append(order, *x)
			}
			if len(l) == 0 || l[len(l)-1] != b {
				uses[*x] = append(l, b)
			}
		})
	}
	slices.Sort(order)
	mark := make([]ir.ValueID, len(p.v.Blocks)) // the last variable found live there
	for _, x := range order {
		def, kept := p.defBlock(x), false
		work := slices.Clone(uses[x])
		var found []ir.BlockID
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if b == def || mark[b] == x {
				continue
			}
			mark[b] = x
			found = append(found, b)
			kept = kept || p.again[b]
			work = append(work, p.cfg.Preds[b]...)
		}
		if kept {
			for _, b := range found {
				p.in[b] = append(p.in[b], x)
			}
		}
	}
}

// sink recomputes addresses that the body would keep, in each block that uses them. A pass may have put an address
// in front of the test whether there is such a location; then not the address is a root, but the value it was
// computed from. sink reports whether there were any; the values they are computed from may be such addresses.
func (p *passer) sink() bool {
	var list []ir.ValueID
	for b, in := range p.in {
		for _, x := range in {
			if p.again[b] && p.address(x) && !slices.Contains(list, x) {
				list = append(list, x)
			}
		}
	}
	for _, x := range list {
		def := p.v.Insts[p.v.Values[x].Def]
		for _, b := range p.uses[x] {
			here := ir.ValueID(0)
			for i := 0; i < len(p.v.Blocks[b].Insts); i++ {
				id := p.v.Blocks[b].Insts[i]
				if !p.reads(id, x) {
					continue
				}
				if here == 0 {
					again := def
					again.Name, again.Placed, again.ID, again.Args, again.Results = "", false, 0, slices.Clone(def.Args), nil
					d := p.v.Values[x]
					at := p.v.InsertBefore(b, i, again, []ir.TypeID{d.Type}, []string{d.Name})
					here = p.v.Insts[at].Results[0]
					i++
				}
				p.eachOperand(id, func(y *ir.ValueID) {
					if *y == x {
						*y = here
					}
				})
			}
		}
	}
	return len(list) > 0
}

// address reports whether a variable is a location in the heap that was computed from another.
func (p *passer) address(x ir.ValueID) bool {
	d := &p.v.Values[x]
	if d.Kind != ir.ValueResult {
		return false
	}
	in := &p.v.Insts[d.Def]
	return in.Op.Info().Class == ir.ClassAddr && !in.Has(ir.FlagPtr)
}

// reads reports whether an instruction has a variable as an operand.
func (p *passer) reads(id ir.InstID, x ir.ValueID) bool {
	found := false
	p.eachOperand(id, func(y *ir.ValueID) { found = found || *y == x })
	return found
}

// params makes the parameters.
func (p *passer) params() {
	for b, in := range p.in {
		for _, x := range in {
			d := p.v.Values[x]
			p.is[blockValue{ir.BlockID(b), x}] = p.v.AddParam(ir.BlockID(b), d.Type, d.Name)
		}
	}
}

// value is the value of a variable at the end of a block.
func (p *passer) value(b ir.BlockID, x ir.ValueID) ir.ValueID {
	if y, ok := p.is[blockValue{b, x}]; ok {
		return y
	}
	return x
}

// rename makes the blocks use their parameters, and pass them on.
func (p *passer) rename() {
	for _, b := range p.cfg.Order {
		p.eachUse(b, func(x *ir.ValueID) { *x = p.value(b, *x) })
		if t := p.v.Term(b); t != nil {
			for i := range t.Dests {
				d := &t.Dests[i]
				for _, x := range p.in[d.Block] {
					d.Args = append(d.Args, p.value(b, x))
				}
			}
		}
	}
}

// drop removes the parameters that always have the value of one other variable.
func (p *passer) drop() {
	p.subst = map[ir.ValueID]ir.ValueID{}
	for changed := true; changed; {
		changed = false
		for _, b := range p.cfg.Order {
			for i, x := range p.v.Blocks[b].Params {
				if _, gone := p.subst[x]; gone || !p.mayDrop(b, i) {
					continue
				}
				if y := p.only(b, i, x); y != 0 {
					p.subst[x] = y
					changed = true
				}
			}
		}
	}
	for _, b := range p.cfg.Order {
		if t := p.v.Term(b); t != nil {
			for i := range t.Dests {
				d := &t.Dests[i]
				d.Args = p.without(d.Block, d.Args)
			}
		}
		p.eachUse(b, func(x *ir.ValueID) { *x = p.find(*x) })
	}
	for _, b := range p.cfg.Order {
		params := p.without(b, p.v.Blocks[b].Params)
		p.v.Blocks[b].Params = params
		for i, x := range params {
			p.v.Values[x].Index = int32(i)
		}
	}
}

// mayDrop reports whether parameter i of a block is one of params, and not of a block where the body continues.
func (p *passer) mayDrop(b ir.BlockID, i int) bool {
	own := len(p.v.Blocks[b].Params) - len(p.in[b])
	return i >= own && !p.again[b]
}

// only is the variable whose value parameter x, number i of block b, always has; 0 if there are several.
func (p *passer) only(b ir.BlockID, i int, x ir.ValueID) ir.ValueID {
	var y ir.ValueID
	for _, from := range p.cfg.Preds[b] {
		for k := range p.v.Term(from).Dests {
			d := &p.v.Term(from).Dests[k]
			if d.Block != b {
				continue
			}
			a := p.find(d.Args[i])
			if a == x || a == y {
				continue
			}
			if y != 0 {
				return 0
			}
			y = a
		}
	}
	return y
}

// find is the value that stands for another.
func (p *passer) find(x ir.ValueID) ir.ValueID {
	for {
		y, ok := p.subst[x]
		if !ok {
			return x
		}
		x = y
	}
}

// without leaves out of a list, of parameters of block b or of arguments for it, what was dropped.
func (p *passer) without(b ir.BlockID, list []ir.ValueID) []ir.ValueID {
	params := p.v.Blocks[b].Params
	var out []ir.ValueID
	for i, x := range list {
		if _, gone := p.subst[params[i]]; !gone {
			out = append(out, x)
		}
	}
	return out
}
