// Package irtext makes the text of the internal representation, as uvm2go dump writes
// it, a separate dialect (docs/ir.md): it can be checked, run, translated and dumped
// again, whatever the dialect of the original program, even after passes.
//
// Package ir parses and prints the text. This package verifies programs from files, and
// assigns the entity ids that the text leaves out.
package irtext

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/verify"
)

// Dialect is the entry of the representation in the registry.
var Dialect = &dialect.Dialect{
	Name:      "ir",
	Title:     "the internal representation",
	Forms:     []dialect.Form{{Name: "ir", Title: "text as dump writes it", Ending: ".ir", Write: write}},
	Recognize: recognize,
	Reads:     reads,
	Main:      ir.DefaultMain,
	Aliases:   dialect.Marked,
	Load:      load,
	Results:   func(_ *ir.Program, f *ir.Function) []ir.Notation { return f.Notation },
}

func write(p *ir.Program) ([]byte, error) {
	var b bytes.Buffer
	print := ir.Print
	if p.Files != nil && p.Files.HasAuthor() {
		print = ir.PrintPlaced
	}
	err := print(&b, p)
	return b.Bytes(), err
}

// recognize looks at the first definition. Definitions of other dialects do not
// begin with these words and a name with @.
func recognize(text []byte) dialect.Evidence {
	for line := range bytes.Lines(text) { // as a rule the first one tells
		words := strings.Fields(string(line))
		if len(words) == 0 || strings.HasPrefix(words[0], "//") || strings.HasPrefix(words[0], interpreter) {
			continue
		}
		switch words[0] {
		case "program":
			return dialect.Certain
		case "type", "const", "global", "func", "word", "later":
			if len(words) > 1 && ir.IsGlobal(words[1]) {
				return dialect.Certain
			}
		}
		return dialect.None
	}
	return dialect.None
}

func reads(text []byte) bool {
	if recognize(text) != dialect.Certain {
		return false
	}
	_, err := ir.Parse(nil, "", plain(text))
	return err == nil
}

// interpreter begins the first line of a file that the system starts with the command.
const interpreter = "#!"

// plain makes that line a comment.
func plain(text []byte) []byte {
	if rest, ok := bytes.CutPrefix(text, []byte(interpreter)); ok {
		return slices.Concat([]byte("//"), rest)
	}
	return text
}

func load(files *diag.Set, srcs []dialect.Source, opt dialect.Options, diags *diag.List) (*ir.Program, bool) {
	switch {
	case len(srcs) != 1:
		diags.Errorf(diag.Pos{}, "the representation of a program is one file, got %d", len(srcs))
		return nil, false
	case len(opt.Later) > 0:
		diags.Errorf(diag.Pos{}, "%s: the later bundles of a program in dialect ir are in its text", opt.Later[0].Name)
		return nil, false
	}
	f, err := diags.Open(srcs[0].Name, plain(srcs[0].Text))
	if err != nil {
		diags.Errorf(diag.Pos{}, "%v", err)
		return nil, false
	}
	p, err := ir.ParseFile(files, f)
	if err != nil {
		var l *diag.List
		if errors.As(err, &l) {
			diags.Merge(l)
		} else {
			diags.Errorf(diag.Pos{}, "%v", err)
		}
		return nil, false
	}
	p.GiveIDs()
	p.Bundles = max(p.Bundles, 1)
	faults := verify.Program(p)
	for _, f := range faults {
		diags.Errorf(f.Pos, "%s", f)
	}
	return p, len(faults) == 0
}
