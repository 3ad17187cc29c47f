package ial

import (
	"github.com/uvm2go/uvm2go/transpile/diag"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// aliases reports the fields that stand for a field of a module outside the program. They can be
// assembled but not translated. It reports whether there are none.
func aliases(p *module.Program, diags *diag.List) bool {
	ok := true
	for _, m := range p.Modules {
		for _, f := range m.Fields {
			if f.ForwardModule != "" && f.Forward == nil {
				diags.Errorf(f.Pos, "field %s stands for %s/%s, and module %s is not part of the program", module.Quote(f.Name),
					module.Quote(f.ForwardModule), module.Quote(f.ForwardName), module.Quote(f.ForwardModule))
				ok = false
			}
		}
	}
	return ok
}
