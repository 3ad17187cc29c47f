package uvm2014

import (
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/uvm2014/syntax"
)

// Later bundles are translated with the program and loaded when its client says so, like
// those of Mu (docs/client.md, "Loading text"). They are checked in the given order, each
// with all before it visible.

// laterState is the data about the later bundle being loaded.
type laterState struct {
	*ir.Later
	own, needs map[string]bool // Names, Needs
}

// startLater begins with a later bundle.
func (l *loader) startLater(src dialect.Source, b *syntax.Bundle) {
	if l.later == nil {
		l.base = l.prog.Bundles
	}
	l.later = &laterState{src.Later(), map[string]bool{}, map[string]bool{}}
	if other := l.prog.AddLater(l.later.Later); other != nil {
		l.diags.Errorf(b.Pos(0), "%s: another later bundle has the same name or text: %s", src.Name, other.Name)
	}
}

// use notes that the later bundle being loaded refers to an entity.
func (l *loader) use(name string, e *entity) {
	if e.bundle >= l.base && e.bundle != l.number && !l.later.needs[name] && !l.later.own[name] {
		l.later.needs[name] = true
		l.later.Needs = append(l.later.Needs, name)
	}
}

// shows notes that an entity is visible because of the later bundle being loaded, if there is
// such a bundle and no earlier bundle has the entity.
func (l *loader) shows(name string, e *entity) {
	if l.later != nil && e.bundle >= l.base && !l.later.own[name] {
		l.later.own[name] = true
		l.later.Names = append(l.later.Names, name)
	}
}

// implementation is the function for a definition in a later bundle: it replaces f when the
// bundle is loaded. Other definitions define f itself.
func (l *loader) implementation(f *ir.Function, name string, d *syntax.FuncDef) *ir.Function {
	if l.later == nil {
		return f
	}
	i := &ir.Function{Name: name, Sig: f.Sig, Pos: l.b.Pos(d.Name.Off), Of: f}
	f.Impls = append(f.Impls, i)
	l.later.Impls = append(l.later.Impls, i)
	l.prog.Funcs = append(l.prog.Funcs, i)
	return i
}
