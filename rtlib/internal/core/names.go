package core

import (
	"cmp"
	"strings"
)

// called is the name of the function in reports.
func (f *Func) called() string { return cmp.Or(f.Title, f.Name) }

// plain is called without the mark that global names of the representation begin with (ir.Bare), the form in
// which the default trap handler prints names.
func (f *Func) plain() string { return strings.TrimPrefix(f.called(), "@") }
