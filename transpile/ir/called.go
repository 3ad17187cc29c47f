package ir

import (
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
	switch x.Kind {
	case ValueParam, ValueExcParam:
		pos = v.Blocks[x.Def].Pos
	case ValueResult:
		pos = v.Insts[x.Def].Pos
	}
	return p.Files.Called(pos, x.Name, func() (starts []uint32) {
		for _, f := range p.Funcs {
			for _, v := range f.Versions {
				if v.Pos.File == pos.File {
					starts = append(starts, v.Pos.Off)
				}
			}
		}
		slices.Sort(starts)
		return starts
	})
}

// CalledOr is Called, or else the LocalName.
func (p *Program) CalledOr(v *Version, id ValueID) string {
	if name := p.Called(v, id); name != "" {
		return name
	}
	return v.LocalName(id)
}

// Namings are the comments that say, in front of a text that defines values, what the author's own source calls them, for names
// that the text has. last has the names that hold there.
func (p *Program) Namings(v *Version, ids []ValueID, local func(ValueID) string, last map[string]string) string {
	text := ""
	for _, id := range ids {
		name, l := p.Called(v, id), local(id)
		if name == "" && last[l] != "" {
			name = Bare(l)
		}
		if l != "" && name != "" && last[l] != name {
			last[l] = name
			text += diag.Naming(l, name)
		}
	}
	return text
}
