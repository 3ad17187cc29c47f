package verify

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// noPhi is V2: phi is for functions whose registers are assigned once.
func (c *checker) noPhi() {
	c.each(func(_ *module.Block, _ int, in *module.Instr) {
		if in.Op == module.Phi {
			c.fault(2, in.Pos, "the function is not ssa; assign to one register before the jumps instead")
		}
	})
}

// A definition is the first instruction that a register is the target of.
type definition struct {
	block *module.Block // nil if there is none
	index int           // of the instruction in its block
	pos   diag.Pos
	more  bool // there are others
}

// definitions finds the instruction that defines each register, and reports, for V1, all
// other assignments.
func (c *checker) definitions() []definition {
	defs := make([]definition, len(c.f.Registers))
	c.each(func(b *module.Block, i int, in *module.Instr) {
		if in.Op == module.Copy {
			c.fault(1, in.Pos, "the function is ssa, where copy is not allowed; use %s itself", reg(in.Src[0]))
		}
		if in.Target == nil {
			return
		}
		d := &defs[in.Target.Index]
		if d.block == nil {
			*d = definition{block: b, index: i, pos: in.TargetPos}
			return
		}
		d.more = true
		c.fault(1, in.TargetPos, "%s is assigned twice, but the function is ssa", reg(in.Target)).Also(d.pos, "assigned before")
	})
	return defs
}

// A use is a source register whose definition is not before it in its block.
type use struct {
	block *module.Block
	in    *module.Instr
	src   int
}

// uses is V1: a path leads from the definition to each use.
func (c *checker) uses(g *graph, defs []definition) {
	undefined := make([]bool, len(defs))
	var open []use
	var paths []path
	c.each(func(b *module.Block, i int, in *module.Instr) {
		for k, r := range in.Src {
			d := &defs[r.Index]
			switch {
			case d.block == nil:
				if !undefined[r.Index] {
					undefined[r.Index] = true
					c.fault(1, in.SrcPos[k], "%s is used, but nothing assigns it", reg(r))
				}
			case d.more, d.block == b && d.index < i:
			default:
				open = append(open, use{b, in, k})
				paths = append(paths, path{int32(d.block.Index), int32(b.Index)})
			}
		}
	})
	if len(open) == 0 {
		return
	}
	for i, ok := range g.reachable(paths) {
		if ok {
			continue
		}
		u := &open[i]
		r := u.in.Src[u.src]
		d := &defs[r.Index]
		c.at(u.block, u.in)
		if d.block == u.block {
			c.fault(1, u.in.SrcPos[u.src], "%s is used before it is assigned", reg(r)).Also(d.pos, "assigned")
		} else {
			c.fault(1, u.in.SrcPos[u.src], "%s is assigned in block %s, which does not lead here", reg(r), d.block.Label()).Also(d.pos, "assigned")
		}
	}
	c.at(nil, nil)
}

// phis is V12 to V15.
func (c *checker) phis(g *graph, defs []definition) {
	p := selectors{seen: make([]*module.Register, len(c.f.Blocks)), defs: defs}
	c.each(func(b *module.Block, i int, in *module.Instr) {
		if in.Op != module.Phi {
			return
		}
		first := b.Name == "entry"
		switch {
		case first:
			c.fault(12, in.Pos, "block entry has no phi, as nothing need have come before it")
		case i > 0 && b.Instrs[i-1].Op != module.Phi:
			c.fault(12, in.Pos, "want it at the start of its block, where only phi is before it")
		}
		if len(in.Regs) == 0 {
			c.fault(13, in.Pos, "want at least one register")
			return
		}
		for k, r := range in.Regs {
			if r.Type != in.Target.Type {
				c.fault(14, in.OperandPos[k], "%s is %s, want %s like %s", reg(r), c.spell(r.Type), c.spell(in.Target.Type), reg(in.Target))
			}
		}
		if !first {
			p.phi(c, g, b, in)
		}
	})
}

// selectors compares the registers of phi with the predecessors of its block (V15).
type selectors struct {
	defs []definition
	seen []*module.Register // by block: the register that comes from it; empty between instructions
}

// none marks predecessors of which no register has been seen yet.
var none = new(module.Register)

func (p *selectors) phi(c *checker, g *graph, b *module.Block, in *module.Instr) {
	from := g.preds[b.Index]
	for _, x := range from {
		p.seen[x.block] = none
	}
	ok := true
	for k, r := range in.Regs {
		d := &p.defs[r.Index]
		if d.more {
			ok = false // reported by V1
			continue
		}
		pos := in.OperandPos[k]
		switch {
		case d.block == nil:
			c.fault(15, pos, "nothing assigns %s", reg(r))
			ok = false
		case p.seen[d.block.Index] == nil:
			c.fault(15, pos, "%s is assigned in block %s, which does not branch here", reg(r), d.block.Label()).Also(d.pos, "assigned")
			ok = false
		case p.seen[d.block.Index] != none:
			c.fault(15, pos, "%s and %s are both assigned in block %s, want one register of each block that branches here",
				reg(p.seen[d.block.Index]), reg(r), d.block.Label())
			ok = false
		default:
			p.seen[d.block.Index] = r
		}
	}
	missing, example := 0, ""
	for _, x := range from {
		if p.seen[x.block] == none {
			if missing++; missing == 1 {
				example = c.f.Blocks[x.block].Label()
			}
		}
		p.seen[x.block] = nil
	}
	switch {
	case !ok || missing == 0:
	case missing == 1:
		c.fault(15, in.Pos, "want a register of each block that branches here; there is none of block %s", example)
	default:
		c.fault(15, in.Pos, "want a register of each block that branches here; there is none of block %s and %s", example, count(missing-1, "other"))
	}
}

// unwinding is V16: a block that looks at the exception is entered with one.
func (c *checker) unwinding(g *graph) {
	var marked []bool
	reported := -1
	c.each(func(b *module.Block, _ int, in *module.Instr) {
		if in.Op != module.EHCatch && in.Op != module.EHRethrow || b.Index == reported {
			return
		}
		if marked == nil {
			marked = g.handlers()
		}
		for _, x := range g.preds[b.Index] {
			if marked[x.block] {
				continue
			}
			c.fault(16, in.Pos, "block %s branches here, but no exception leads to it", c.f.Blocks[x.block].Label()).Also(x.pos, "branch")
			reported = b.Index
			return
		}
	})
}
