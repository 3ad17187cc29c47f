package transpile

import (
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/irtext"
	"github.com/uvm2go/uvm2go/transpile/mu"
)

// Dialects is the one list of source languages. Those without Load are known by name
// only.
var Dialects = dialect.Registry{
	mu.Dialect,
	{Name: "uvm2014", Title: "µVM IR of 2014", Forms: []dialect.Form{
		{Name: "uirb", Title: "binary", Ending: ".uirb", Binary: true}}},
	{Name: "ial", Title: "MCI's IAL", Forms: []dialect.Form{{Name: "ial", Title: "text", Ending: ".ial"}}},
	{Name: "tvm", Title: "Psi's TVM", Forms: []dialect.Form{{Name: "tvm", Title: "text", Ending: ".tvm"}}},
	irtext.Dialect,
}
