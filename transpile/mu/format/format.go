// Package format lays out Mu text bundles in the canonical form of package textform
// (docs/commands.md, `fmt`).
package format

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/internal/textform"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
)

// Source formats a bundle. The error is a *diag.List if the bundle has syntax errors.
func Source(name string, src []byte) ([]byte, error) {
	b, err := diag.Parsed(name, src, func(f *diag.File, errs *diag.List) *syntax.Bundle {
		return syntax.Parse(f, syntax.NewSymbols(), errs, syntax.WithComments)
	})
	if err != nil {
		return nil, err
	}
	return textform.Text(src, syntax.NewScanner(src, b.Muc()), marks(b), b.Comments), nil
}
