package mu

import (
	"strconv"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Bundles in the form of muc (docs/language.md, "The form of muc"). The parser makes the tree of the other form: what is
// written in the place of a name is a definition, which has a symbol but no name. Such definitions are checked like others
// and do not become entities of the program.

// addInline notes what a bundle has of the form of muc.
func (l *loader) addInline(b *syntax.Bundle) {
	if !b.Muc() {
		return
	}
	l.muc = append(l.muc, b)
	if l.inline == nil {
		l.inline = map[syntax.Sym]bool{}
	}
	for _, d := range b.Inline {
		_, n := d.Head()
		l.inline[n.Sym] = true
	}
}

// numberVersion gives the version of a function without VERSION its name: the first of v1, v2 and so on that is free.
func (l *loader) numberVersion(d *syntax.FuncDef, f *ir.Function) {
	for n := 1; ; n++ {
		d.Version.Sym = l.syms.InternString("%v" + strconv.Itoa(n))
		if _, taken := l.versionNamed(f, l.expand(l.name(d.Name), d.Version)); !taken {
			break
		}
	}
	l.growEnts()
}

// asWritten spells the names in messages as the bundles do.
func (l *loader) asWritten() {
	for _, b := range l.muc {
		of := func(p diag.Pos) bool { return p.IsValid() && p.File == b.File.ID() }
		for _, d := range l.diags.All() {
			if of(d.Pos) {
				d.Msg = b.AsWritten(d.Msg)
			}
			for i := range d.Related {
				if of(d.Related[i].Pos) {
					d.Related[i].Msg = b.AsWritten(d.Related[i].Msg)
				}
			}
		}
	}
}
