package live

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/nodes"
)

// identify gives the entities of a program that was built the IDs that the client has asked for, removes the names of
// instructions that have none, and the positions, which are in a text that nobody has written.
func identify(p *ir.Program, b *nodes.Built) {
	eachID(p, func(id *uint32, name string) {
		if n, ok := b.IDs[name]; ok {
			*id = n
		}
	})
	for _, f := range p.Funcs {
		f.Pos = diag.Pos{}
		if nodes.IsUnnamed(f.Name) {
			f.Title = b.Prose(f.Name)
		}
		for _, v := range f.Versions {
			v.Pos = diag.Pos{}
			for i := range v.Blocks {
				blk := &v.Blocks[i]
				blk.Pos = diag.Pos{}
				for _, l := range b.Locals[v.BlockName(ir.BlockID(i))] {
					blk.Locals = append(blk.Locals, ir.LocalID{Name: l.Name, ID: l.ID})
				}
			}
			for i := range v.Insts {
				in := &v.Insts[i]
				if in.Pos = (diag.Pos{}); nodes.IsUnnamed(in.Name) {
					in.Name = ""
				}
			}
		}
	}
}

// describeUnnamed gives what has no name the names that reports show. The IDs have their names by now.
func describeUnnamed(p *ir.Program, b *nodes.Built) {
	for _, f := range p.Funcs {
		for _, v := range f.Versions {
			for i := range v.Blocks {
				if nodes.IsUnnamed(v.BlockName(ir.BlockID(i))) {
					describeInsts(v, ir.BlockID(i), b)
				}
			}
			for i := range v.Values {
				x := &v.Values[i]
				x.Name = strings.Replace(x.Name, nodes.Mark, "", 1)
			}
		}
	}
}

// describeInsts names the instructions of a block that reports may show. Traps have names without that.
func describeInsts(v *ir.Version, block ir.BlockID, b *nodes.Built) {
	for i, id := range v.Blocks[block].Insts {
		in := &v.Insts[id]
		if in.Name == "" && in.Op.Any(ir.MayFail|ir.MayThrow|ir.SideEffect) && in.Op.Info().Class != ir.ClassTrap {
			in.Name, in.Placed = b.InstIn(v.BlockName(block), i), true
		}
	}
}

// eachID calls f for the IDs of the entities of a program, with their names.
func eachID(p *ir.Program, f func(id *uint32, name string)) {
	for name, id := range p.TypeIDs {
		f(&id, name)
		p.TypeIDs[name] = id
	}
	for _, c := range p.Consts {
		f(&c.ID, c.Name)
	}
	for _, g := range p.Globals {
		f(&g.ID, g.Name)
	}
	for _, x := range p.Exposes {
		f(&x.ID, x.Name)
	}
	for _, fn := range p.Funcs {
		f(&fn.ID, fn.Name)
		for _, v := range fn.Versions {
			f(&v.ID, v.Name)
			for i := range v.Blocks {
				f(&v.Blocks[i].ID, v.BlockName(ir.BlockID(i)))
				for _, id := range v.Blocks[i].Insts {
					f(&v.Insts[id].ID, v.InstName(id))
				}
			}
		}
	}
}
