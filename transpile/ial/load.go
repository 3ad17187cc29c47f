package ial

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/assemble"
	"github.com/uvm2go/uvm2go/transpile/ial/layout"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Load assembles, verifies and translates modules. Errors are added to diags; the program may be used only if the
// second result is true.
func Load(files *diag.Set, srcs []dialect.Source, opt dialect.Options, diags *diag.List) (*ir.Program, bool) {
	p, keep, ok := verified(files, srcs, opt, diags)
	var prog *ir.Program
	if ok {
		before := diags.Errors()
		layout.Aligned(p, layout.New(), diags)
		if ok = aliases(p, diags) && diags.Errors() == before; ok {
			prog, ok = translate(p, opt.Running, keep, diags)
		}
	}
	diags.Sort()
	return prog, ok
}

// units groups sources into modules. Sources without a module name form one module, which has
// the name of the first of these files.
func units(srcs []dialect.Source) []assemble.Unit {
	var list []assemble.Unit
	known := map[string]int{}
	for _, s := range srcs {
		i, ok := known[s.Unit]
		if !ok {
			known[s.Unit] = len(list)
			list = append(list, assemble.Unit{Module: s.Unit, Sources: []dialect.Source{s}})
			continue
		}
		list[i].Sources = append(list[i].Sources, s)
	}
	return list
}
