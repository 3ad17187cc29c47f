package ir

import (
	"cmp"
	"slices"

	"github.com/uvm2go/uvm2go/transpile/diag"
)

// Called is what the author's own source calls a value, "" if the bundle does not say (diag.Set.Called).
func (p *Program) Called(v *Version, id ValueID) string {
	if p == nil {
		return ""
	}
	x := &v.Values[id]
	var pos diag.Pos
	def := uint(x.Def) // out of range only in programs that the verifier refuses, which are printed too
	switch {
	case (x.Kind == ValueParam || x.Kind == ValueExcParam) && def < uint(len(v.Blocks)):
		pos = v.Blocks[def].Pos
	case x.Kind == ValueResult && def < uint(len(v.Insts)):
		pos = v.Insts[def].Pos
	}
	starts := func() (starts []uint32) {
		for _, f := range p.Funcs {
			for _, v := range f.Versions {
				if v.Pos.File == pos.File {
					starts = append(starts, v.Pos.Off)
				}
			}
		}
		slices.Sort(starts)
		return starts
	}
	// Not all dialects have marks.
	return cmp.Or(p.Files.Called(pos, x.Name, starts), p.Files.Called(pos, Bare(x.Name), starts))
}

// CalledOr is Called, or else the LocalName.
func (p *Program) CalledOr(v *Version, id ValueID) string {
	if name := p.Called(v, id); name != "" {
		return name
	}
	return v.LocalName(id)
}

// Namings are the comments that say, before a text that defines values, what the author's own source calls them. local is
// their names in the text.
func (p *Program) Namings(v *Version, ids []ValueID, local func(ValueID) string, names diag.Namings) string {
	text := ""
	for _, id := range ids {
		if uint(id) >= uint(len(v.Values)) {
			continue // in a program that the verifier refuses
		}
		l := local(id)
		text += names.Before(l, p.Called(v, id), Bare(l))
	}
	return text
}
