package format

import (
	"github.com/uvm2go/uvm2go/transpile/internal/lex"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// A mark tells something about the token at an offset.
type mark struct {
	off    lex.Off
	kind   kind
	starts bool // an item of kind begins
	dest   bool // the name of a label or destination
}

// marks lists what the tree tells about the tokens, in the order of the source.
func marks(b *syntax.Bundle) []mark {
	ms := make([]mark, 0, len(b.Defs)+3*b.Blocks+b.Insts)
	dests := func(ds []syntax.Dest) {
		for i := range ds {
			ms = append(ms, mark{off: ds[i].Block.Off, dest: true})
		}
	}
	for _, d := range b.Defs {
		off, _ := d.Head()
		ms = append(ms, mark{off: off, kind: definition, starts: true})
		f, ok := d.(*syntax.FuncDef)
		if !ok {
			continue
		}
		for i := range f.Blocks {
			bl := &f.Blocks[i]
			ms = append(ms, mark{off: bl.Name.Off, kind: label, starts: true, dest: true})
			for j := range bl.Insts {
				in := &bl.Insts[j]
				ms = append(ms, mark{off: in.Off, kind: instruction, starts: true})
				if in.Op != syntax.OpSwitch {
					dests(in.Dests)
					continue
				}
				dests(in.Dests[:1])
				for k := range in.Dests[1:] {
					ms = append(ms, mark{off: in.Args[k+1].Off, kind: switchCase, starts: true})
					dests(in.Dests[k+1 : k+2])
				}
			}
		}
		ms = append(ms, mark{off: f.Close, kind: funcEnd, starts: true})
	}
	return ms
}
