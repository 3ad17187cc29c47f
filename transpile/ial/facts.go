package ial

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// facts are what is known of the whole program, whatever the order of execution.
type facts struct {
	files      []string // of support, that the program needs
	callbacks  bool     // allocations can have callbacks
	finalizers bool     // objects can have finalizers
}

func factsOf(p *module.Program) *facts {
	f := &facts{}
	need := map[string]bool{}
	for _, m := range p.Modules {
		for _, fn := range m.Functions {
			for _, k := range fn.Blocks {
				for _, in := range k.Instrs {
					if s := supportOf(in); s != "" {
						need[s] = true
					}
				}
			}
		}
	}
	for s := range need {
		f.files = append(f.files, s)
	}
	slices.Sort(f.files)
	return f
}

// tainted reports whether values of a type of function pointers may be no functions of
// that type.
func (f *facts) tainted(t *module.Type) bool { return true }

// checked reports whether values of a managed type may be objects that do not fit it.
func (f *facts) checked(t *module.Type) bool { return false }
