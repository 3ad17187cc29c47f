package transpile

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
)

// LoadText reads a text of declarations for a program that runs on the interpreter and loads the
// text; see interp.Config. It returns the names that the text defines, or else an error: its code
// is one of docs/language.md, "Run-time errors", and err has all faults, one per line.
func LoadText(p *ir.Program, text string, visible func(name string) bool) (names []string, code string, err error) {
	files := p.Files // run-time errors in the code of the text have their places
	if files == nil {
		files = diag.NewSet()
	}
	diags := diag.NewList(files)
	find := func(name string) any {
		e, ok := p.Entities[name]
		switch {
		case !visible(name):
			return nil
		case !ok:
			return mu.Other{}
		}
		return e
	}
	names, fault := mu.Extend(p, files, []Source{{Name: mu.Unnamed, Text: []byte(text)}}, mu.Running{Find: find, Bodies: true}, diags)
	if fault == mu.NoFault {
		return names, "", nil
	}
	return nil, fault.Code(), mu.Faults(files, diags)
}
