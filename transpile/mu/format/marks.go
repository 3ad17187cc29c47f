package format

import (
	"github.com/uvm2go/uvm2go/transpile/internal/textform"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// marks lists the data from the tree about the tokens, in the order of the source.
func marks(b *syntax.Bundle) []textform.Mark {
	ms := make([]textform.Mark, 0, len(b.Defs)+3*b.Blocks+b.Insts)
	dests := func(ds []syntax.Dest) {
		for i := range ds {
			ms = append(ms, textform.Mark{Off: ds[i].Block.Off, Dest: true})
		}
	}
	for _, d := range b.Defs {
		off, _ := d.Head()
		ms = append(ms, textform.Mark{Off: off, Kind: textform.Definition, Starts: true})
		f, ok := d.(*syntax.FuncDef)
		if !ok {
			continue
		}
		for i := range f.Blocks {
			bl := &f.Blocks[i]
			ms = append(ms, textform.Mark{Off: bl.Name.Off, Kind: textform.Label, Starts: true, Dest: true})
			for j := range bl.Insts {
				in := &bl.Insts[j]
				ms = append(ms, textform.Mark{Off: in.Off, Kind: textform.Instruction, Starts: true})
				if in.Op != syntax.OpSwitch {
					dests(in.Dests)
					continue
				}
				dests(in.Dests[:1])
				for k := range in.Dests[1:] {
					ms = append(ms, textform.Mark{Off: in.Args[k+1].Off, Kind: textform.Case, Starts: true})
					dests(in.Dests[k+1 : k+2])
				}
			}
		}
		ms = append(ms, textform.Mark{Off: f.Close, Kind: textform.FuncEnd, Starts: true})
	}
	return ms
}
