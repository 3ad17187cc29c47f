package tvm

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ir"
	"github.com/uvm2go/uvm2go/transpile/tvm/format"
	"github.com/uvm2go/uvm2go/transpile/tvm/syntax"
)

// Dialect is the entry of TVM in the registry.
var Dialect = &dialect.Dialect{
	Name:      "tvm",
	Title:     "Psi's TVM",
	Forms:     []dialect.Form{{Name: "tvm", Title: "text", Ending: ".tvm", Format: format.Source, Convert: convert, Anew: true}},
	Recognize: recognize,
	Reads:     reads,
	Main:      mainName,
	Aliases:   func(_ *ir.Program, name string) []string { return []string{global(name)} },
	Load:      Load,
	Calls:     true,
	Results:   func(_ *ir.Program, f *ir.Function) []ir.Notation { return f.Notation },
}

// recognize looks at the beginning: a name with a percent sign and an equals sign. Text of no other
// dialect begins this way.
func recognize(text []byte) dialect.Evidence {
	_, t := dialect.Head(text, 3, syntax.Head)
	if len(t) > 2 && t[0].Kind == syntax.Ident && t[1].Kind == '=' {
		return dialect.Certain
	}
	return dialect.None
}

func reads(text []byte) bool {
	m, err := diag.Parsed("", text, syntax.Parse)
	return err == nil && len(m.Globals) > 0
}
