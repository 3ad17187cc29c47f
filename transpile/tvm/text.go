package tvm

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/tvm/check"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
	"github.com/uvm2go/uvm2go/transpile/tvm/write"
)

// convert rewrites a module.
func convert(src dialect.Source, opt dialect.Options) ([]byte, *diag.List) {
	set := diag.NewSet()
	set.Folder = opt.Folder
	diags := diag.NewList(set)
	f, err := diags.Open(src.Name, src.Text)
	if err != nil {
		diags.Errorf(diag.Pos{}, "%v", err)
		return nil, diags
	}
	m := syntax.Parse(f, diags)
	if !diags.HasErrors() {
		check.Check([]*syntax.Module{m}, nil, diags)
	}
	if diags.HasErrors() {
		diags.Sort()
		return nil, diags
	}
	text, err := write.Module(m)
	if err != nil {
		diags.Errorf(diag.Pos{}, "%s: %v", src.Name, err)
	}
	return text, diags
}
