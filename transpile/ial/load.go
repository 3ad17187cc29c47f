package ial

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/assemble"
	"github.com/uvm2go/uvm2go/transpile/ial/layout"
	"github.com/uvm2go/uvm2go/transpile/ial/verify"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Load assembles, verifies and translates modules. What is
// wrong goes to diags; the program is fit for use only if the second value is true.
func Load(files *diag.Set, srcs []dialect.Source, opt dialect.Options, diags *diag.List) (*ir.Program, bool) {
	for _, src := range opt.Later {
		diags.Errorf(diag.Pos{}, "%s: modules of this dialect are not loaded at run time", src.Name)
	}
	p, ok := assemble.Load(files, units(srcs), diags)
	if ok {
		before := diags.Errors()
		verify.Program(p, diags)
		ok = diags.Errors() == before
	}
	var prog *ir.Program
	if ok {
		before := diags.Errors()
		layout.Aligned(p, layout.New(), diags)
		if ok = diags.Errors() == before; ok {
			prog, ok = Translate(p, diags)
		}
	}
	diags.Sort()
	return prog, ok && len(opt.Later) == 0
}

// units groups sources into modules. All are files of one, which has the name of the first.
func units(srcs []dialect.Source) []assemble.Unit {
	return []assemble.Unit{{Sources: srcs}}
}
