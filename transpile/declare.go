package transpile

import (
	"fmt"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/mu"
)

// LoadText reads a text of declarations for a program that runs on the interpreter and loads it;
// see interp.Config. The code of an error is that of docs/language.md, "Run-time errors"; its text
// has all that is wrong, one a line.
func LoadText(p *ir.Program, text string, visible func(name string) bool) (names []string, code string, err error) {
	files := diag.NewSet()
	diags := diag.NewList(files)
	names, fault := mu.Declare(p, files, Source{Name: "text", Text: []byte(text)}, visible, diags)
	if fault == mu.NoFault {
		return names, "", nil
	}
	var lines []string
	for _, d := range diags.All() {
		if d.Severity != diag.Error {
			continue
		}
		at := files.Position(d.Pos)
		line := fmt.Sprintf("%d:%d: %s", at.Line, at.Col, d.Msg)
		for _, r := range d.Related {
			if r.Pos.IsValid() && strings.HasSuffix(d.Msg, "redefined") {
				at := files.Position(r.Pos)
				line += fmt.Sprintf(" (%s at %d:%d)", r.Msg, at.Line, at.Col)
			}
		}
		lines = append(lines, line)
	}
	codes := map[mu.Fault]string{mu.BadText: "E_PARSE", mu.BadCheck: "E_CHECK", mu.Clash: "E_CONFLICT", mu.HasCode: "E_DYNCODE"}
	return nil, codes[fault], fmt.Errorf("%s", strings.Join(lines, "\n\t"))
}
