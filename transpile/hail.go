package transpile

import (
	"fmt"
	"slices"

	"github.com/uvm2go/uvm2go/internal/lexis/hail"
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/lexdiag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
)

// LoadHAIL reads a HAIL script for a program that runs on the interpreter and loads the
// script; see interp.Config. The stores are appended to the image of p. The error has line,
// column and message of the first fault; syntax reports whether it is a syntax error.
func LoadHAIL(p *ir.Program, text string) (syntax bool, err error) {
	files := diag.NewSet()
	diags := diag.NewList(files)
	const name = "script"
	first := func() error {
		all := diags.All()
		d := all[slices.IndexFunc(all, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })]
		at := files.Position(d.Pos)
		return fmt.Errorf("%d:%d: %s", at.Line, at.Col, d.Msg)
	}
	f, err := files.Add(name, []byte(text))
	if err != nil {
		return true, err
	}
	if s := hail.Parse([]byte(text), hail.NewSymbols()); len(s.Reports) > 0 {
		lexdiag.Add(diags, f, s.Reports)
		diags.Sort()
		return true, first()
	}
	if !mu.LoadHAIL(p, files, Source{Name: name, Text: []byte(text)}, diags) {
		return false, first()
	}
	return false, nil
}
