package ial

import "github.com/uvm2go/uvm2go/transpile/dialect"

// Dialect is what the registry knows of IAL.
var Dialect = &dialect.Dialect{
	Name:  "ial",
	Title: "MCI's IAL",
	Forms: []dialect.Form{{Name: "ial", Title: "text", Ending: ".ial"}},
	Load:  Load,
}
