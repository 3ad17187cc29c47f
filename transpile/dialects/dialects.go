// Package dialects is the list of source languages: it brings all readers together.
//
// Code that reads bundles asks All; no other code knows a language by name. Package dialect
// defines how a language describes itself.
package dialects

import (
	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial"
	"github.com/uvm2go/uvm2go/transpile/irtext"
	"github.com/uvm2go/uvm2go/transpile/mu"
	"github.com/uvm2go/uvm2go/transpile/tvm"
	"github.com/uvm2go/uvm2go/transpile/uvm2014"
)

// All are the source languages. Those without Load are known only by name.
var All = dialect.Registry{
	mu.Dialect,
	irtext.Dialect, // before those that examine more of a text
	withHAIL(uvm2014.Dialect),
	ial.Dialect,
	tvm.Dialect,
}

// withHAIL lets programs in a dialect load HAIL scripts, which depend only on the names and
// types of the representation.
func withHAIL(d *dialect.Dialect) *dialect.Dialect {
	c := *d
	c.LoadImage = mu.LoadHAIL
	return &c
}
