package ial

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/assemble"
	"github.com/uvm2go/uvm2go/transpile/ial/lint"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ial/verify"
)

// The stages of checking, which MCI has as separate tools.

func assembleOnly(files *diag.Set, srcs []dialect.Source, _ dialect.Options, diags *diag.List) {
	assemble.Load(files, units(srcs), diags)
}

func verifyOnly(files *diag.Set, srcs []dialect.Source, opt dialect.Options, diags *diag.List) {
	verified(files, srcs, opt, diags)
}

func lintToo(files *diag.Set, srcs []dialect.Source, opt dialect.Options, diags *diag.List) {
	if p, _, ok := verified(files, srcs, opt, diags); ok {
		lint.Program(p, diags)
	}
}

// verified assembles and verifies modules; false if there was an error.
func verified(files *diag.Set, srcs []dialect.Source, opt dialect.Options, diags *diag.List) (p *module.Program, keep func(), ok bool) {
	before := diags.Errors()
	for _, src := range opt.Later {
		diags.Errorf(diag.Pos{}, "%s: modules of this dialect are not loaded at run time", src.Name)
	}
	if p, keep, ok = assemble.After(earlierOf(opt.Running), files, units(srcs), diags); !ok {
		return p, keep, false
	}
	verify.Program(p, diags)
	return p, keep, diags.Errors() == before
}
