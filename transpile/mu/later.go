package mu

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Later bundles: translated with the program, loaded at run time (docs/client.md, "Loading text";
// docs/language.md, "Later bundles"). They are checked in the given order, each with all before it
// visible. At run time they may be loaded in another order, as long as the entities that a bundle
// uses exist: ir.Later lists them. A name that two later bundles define is an error, even if only
// one of them is ever loaded.

// laterState is the data about the later bundle being loaded.
type laterState struct {
	*ir.Later
	own, needs map[string]bool // Names, Needs
}

// startLater begins with a later bundle.
func (l *loader) startLater(s Source, b *syntax.Bundle) {
	if l.later == nil {
		l.base = l.number
	}
	l.later = &laterState{s.Later(), map[string]bool{}, map[string]bool{}}
	if other := l.prog.AddLater(l.later.Later); other != nil {
		l.diags.Errorf(b.Pos(0), "%s: another later bundle has the same name or text: %s", s.Name, other.Name)
	}
}

// use notes that the later bundle being loaded refers to an entity.
func (l *loader) use(s syntax.Sym, e *entity) {
	if e.first <= l.base || e.first == l.number || e.kind > entExpose {
		return
	}
	name := l.syms.String(s)
	if !l.later.needs[name] && !l.later.own[name] {
		l.later.needs[name] = true
		l.later.Needs = append(l.later.Needs, name)
	}
}

// shows notes that an entity becomes visible with the later bundle being loaded, if there
// is one.
func (l *loader) shows(name string) {
	if l.later != nil && !l.later.own[name] {
		l.later.own[name] = true
		l.later.Names = append(l.later.Names, name)
	}
}

// implement makes the function that stands for a version of a later bundle.
func (l *loader) implement(f *ir.Function, version string, pos diag.Pos) *ir.Function {
	i := l.out.Implement(f, version)
	i.Pos = pos
	l.later.Impls = append(l.later.Impls, i)
	return i
}
