// Package langs is the list of the languages that editors are told about, by the names of the dialects.
package langs

import (
	"github.com/uvm2go/uvm2go/transpile/dialect"
	ial "github.com/uvm2go/uvm2go/transpile/ial/lang"
	irtext "github.com/uvm2go/uvm2go/transpile/irtext/lang"
	"github.com/uvm2go/uvm2go/transpile/lang"
	mu "github.com/uvm2go/uvm2go/transpile/mu/lang"
	tvm "github.com/uvm2go/uvm2go/transpile/tvm/lang"
	uvm2014 "github.com/uvm2go/uvm2go/transpile/uvm2014/lang"
)

var byName = map[string]*lang.Language{
	"mu":      mu.Language,
	"uvm2014": uvm2014.Language,
	"ial":     ial.Language,
	"tvm":     tvm.Language,
	"ir":      irtext.Language,
}

// Of returns the language of a dialect, nil for a dialect without text.
func Of(d *dialect.Dialect) *lang.Language { return byName[d.Name] }
