package core

import (
	"cmp"
	"strings"
)

// called is what reports call the function.
func (f *Func) called() string { return cmp.Or(f.Title, f.Name) }

// plain is called without the mark that global names of the representation begin with (ir.Bare), as the
// default trap handler prints names.
func (f *Func) plain() string { return strings.TrimPrefix(f.called(), "@") }
