package mu

import (
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// checkLimits reports a type that is too large, unless a member of it is already too
// large.
func (l *loader) checkLimits(d *syntax.TypeDef, id ir.TypeID) {
	if what := l.limits.Excess(id); what != "" {
		l.errorf(d.Name.Off, "%s: invalid type: %s", l.name(d.Name), what)
	}
}

// checkCells reports the global cell that makes the total size of the cells too
// large.
func (l *loader) checkCells(d *syntax.GlobalDef, t ir.TypeID) {
	if l.limits.Cell(t) {
		l.errorf(d.Name.Off, "%s: the global cells of the program take more than 2^30 bytes", l.name(d.Name))
	}
}
