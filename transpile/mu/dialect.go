package mu

import (
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/mu/format"
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
	},
	Main:      mainName,
	Aliases:   dialect.Marked,
	Load:      Load,
	LoadImage: LoadHAIL,
	Archive:   &dialect.Archive{Ending: ".mu", Bundle: ".uir", Image: ".hail", Info: ".info"},
}
