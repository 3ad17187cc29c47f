package uvm2014

import (
	"sort"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/textform"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// Format lays out a text bundle in the canonical form of package textform. The error is a
// *diag.List if the bundle has syntax errors.
func Format(name string, src []byte) ([]byte, error) {
	b, err := diag.Parsed(name, src, func(f *diag.File, errs *diag.List) *syntax.Bundle {
		return syntax.Parse(f, syntax.NewSymbols(), errs, syntax.WithComments)
	})
	if err != nil {
		return nil, err
	}
	return textform.Text(src, syntax.NewScanner(src), marks(b), b.Comments), nil
}

// marks lists the data from the tree about the tokens, in the order of the source.
func marks(b *syntax.Bundle) []textform.Mark {
	ms := make([]textform.Mark, 0, len(b.Defs)+3*b.Blocks+b.Insts)
	add := func(off syntax.Off, k textform.Kind) {
		ms = append(ms, textform.Mark{Off: off, Kind: k, Starts: true})
	}
	dest := func(off syntax.Off) { ms = append(ms, textform.Mark{Off: off, Dest: true}) }
	for _, d := range b.Defs {
		add(d.DefHead().Off, textform.Definition)
		f, ok := d.(*syntax.FuncDef)
		if !ok {
			continue
		}
		for _, c := range f.Consts {
			add(c.Off, textform.Instruction)
		}
		for i := range f.Blocks {
			blk := &f.Blocks[i]
			if !blk.Name.IsZero() {
				add(blk.Off, textform.Label)
			}
			for k := range blk.Insts {
				in := &blk.Insts[k]
				add(in.Off, textform.Instruction)
				for _, n := range in.Dests {
					dest(n.Off)
				}
				for j := range in.Cases {
					c := &in.Cases[j]
					add(min(c.Label.Off, c.Value.Off), textform.Case)
				}
			}
		}
		add(f.Close, textform.FuncEnd)
	}
	// Global constants may be in bodies.
	sort.SliceStable(ms, func(i, k int) bool { return ms[i].Off < ms[k].Off })
	return ms
}
