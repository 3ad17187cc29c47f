package ial

import (
	"strings"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/format"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Dialect is the entry of IAL in the registry.
var Dialect = &dialect.Dialect{
	Name:      "ial",
	Title:     "MCI's IAL",
	Modules:   true,
	Stages:    []dialect.Stage{{Name: "assemble", Check: assembleOnly}, {Name: "verify", Check: verifyOnly}, {Name: "lint", Check: lintToo}},
	Checks:    "verify",
	Forms:     []dialect.Form{{Name: "ial", Title: "text", Ending: ".ial", Format: format.Source, Convert: convert, Anew: true}},
	Recognize: recognize,
	Reads:     reads,
	Main:      mainName,
	Aliases:   inModule,
	Load:      Load,
	Results:   func(_ *ir.Program, f *ir.Function) []ir.Notation { return f.Notation },
}

// mainName is the usual name of the entry function, and stands for it.
const mainName = "main"

// inModule adds the module to the name of a function.
func inModule(p *ir.Program, name string) []string {
	bare := ir.Bare(name)
	var l []string
	if bare == mainName && p.Main != nil {
		l = append(l, p.Main.Name)
	}
	l = append(l, ir.GlobalName(name))
	for _, f := range p.Funcs {
		if _, own, ok := strings.Cut(f.Name, "/"); ok && own == bare {
			l = append(l, f.Name)
		}
	}
	return l
}

// notation says how values of a type are printed. The representation of a structure has
// additional members, which only align the others.
func (ts *types) notation(t *module.Type) ir.Notation {
	n := ir.Notation{Unsigned: t.IsInt() && !t.IsSigned(), Number: t.Kind == module.Int || t.Kind == module.Uint}
	switch t.Kind {
	case module.Static:
		n.Parts = []ir.Notation{ts.notation(t.Elem)}
	case module.StructType:
		n.Parts = make([]ir.Notation, len(ts.At(ts.memory(t)).Fields))
		for i := range n.Parts {
			n.Parts[i].Filler = true
		}
		for _, m := range t.Struct.Members {
			if m.Storage == module.Instance {
				n.Parts[ts.members[m]] = ts.notation(m.Type)
			}
		}
	}
	return n
}
