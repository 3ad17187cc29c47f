package mu

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/mu/format"
	"github.com/uvm2go/uvm2go/transpile/mu/syntax"
	"github.com/uvm2go/uvm2go/transpile/mu/write"
)

// mainName is the function that a program begins with.
const mainName = "@main"

// Dialect is the entry of Mu in the registry.
var Dialect = &dialect.Dialect{
	Name:  "mu",
	Title: "Mu text",
	Forms: []dialect.Form{
		{Name: "uir", Title: "canonical text", Ending: ".uir", Format: format.Source, Expanded: true, Write: write.Program},
		{Name: "muc", Title: "text of Zebu's muc", Ending: ".muc", Fits: syntax.IsMuc, Format: format.Source, Expanded: true, Write: write.Muc},
	},
	Recognize: recognize,
	Reads:     reads,
	Main:      mainName,
	Aliases:   dialect.Marked,
	Load:      Load,
	LoadImage: LoadHAIL,
	Archive:   &dialect.Archive{Ending: ".mu", Bundle: ".uir", Image: ".hail", Info: ".info"},
}

// recognize finds the form of muc, which has things that bundles of 2014 also have. Other text of 2016 has no sign that
// no other dialect has.
func recognize(text []byte) dialect.Evidence {
	if syntax.IsMuc(text) {
		return dialect.Certain
	}
	return dialect.None
}

func reads(text []byte) bool {
	b, err := diag.Parsed("", text, func(f *diag.File, errs *diag.List) *syntax.Bundle {
		return syntax.Parse(f, syntax.NewSymbols(), errs, 0)
	})
	return err == nil && len(b.Defs) > 0
}
