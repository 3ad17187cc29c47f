// Package lexdiag turns the reports of the parsers of internal/lexis, which have offsets but not
// files, into diagnostics.
package lexdiag

import (
	"github.com/uvm2go/uvm2go/internal/lexis/lex"
	"github.com/uvm2go/uvm2go/transpile/diag"
)

// Add adds the reports about a file to a list, and returns them as diagnostics, in the same order.
func Add(list *diag.List, file *diag.File, reports []*lex.Report) []*diag.Diagnostic {
	added := make([]*diag.Diagnostic, 0, len(reports))
	pos := func(off lex.Off) diag.Pos { return diag.Pos{File: file.ID(), Off: uint32(off)} }
	for _, r := range reports {
		d := list.Add(&diag.Diagnostic{Pos: pos(r.Off), Msg: r.Msg})
		for _, n := range r.Notes {
			d.Also(pos(n.Off), n.Msg)
		}
		added = append(added, d)
	}
	return added
}
