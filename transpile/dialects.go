package transpile

import (
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial"
	"github.com/uvm2go/uvm2go/transpile/irtext"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/tvm"
	"github.com/uvm2go/uvm2go/transpile/uvm2014"
)

// Dialects is the one list of source languages. Those without Load are known by name
// only.
var Dialects = dialect.Registry{
	mu.Dialect,
	irtext.Dialect, // in front of those that look further into a text
	withHAIL(uvm2014.Dialect),
	ial.Dialect,
	tvm.Dialect,
}

// withHAIL lets programs in a dialect take HAIL scripts, which know nothing but the names
// and types of the representation.
func withHAIL(d *dialect.Dialect) *dialect.Dialect {
	c := *d
	c.LoadImage = mu.LoadHAIL
	return &c
}
