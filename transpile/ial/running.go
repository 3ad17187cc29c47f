package ial

import (
	"slices"

	"github.com/uvm2go/uvm2go/transpile/dialect"
	"github.com/uvm2go/uvm2go/transpile/ial/assemble"
	"github.com/uvm2go/uvm2go/transpile/ial/module"
)

// Modules that a running program loads refer to those that it has loaded before. The translation declares what these
// have, under the same names, and the engine takes what the program has. All such modules have the same types for
// references and pointers to functions, because nothing is known about those that are loaded later.

// kept is what is kept of the modules that a running program has loaded.
type kept struct {
	modules *assemble.Earlier
	objects []*module.Type // types of the objects that they make
}

func keptOf(r *dialect.Running) *kept {
	if r == nil {
		return &kept{modules: &assemble.Earlier{}}
	}
	k, ok := r.Kept.(*kept)
	if !ok {
		k = &kept{modules: &assemble.Earlier{}}
		r.Kept = k
	}
	return k
}

// earlierOf are the modules that a running program has loaded.
func earlierOf(r *dialect.Running) *assemble.Earlier { return keptOf(r).modules }

// objectsOf are the types of the objects that they make.
func objectsOf(r *dialect.Running) []*module.Type { return keptOf(r).objects }

// keepModules keeps modules that have been loaded.
func keepModules(r *dialect.Running, keep func(), objects []*module.Type) *kept {
	keep()
	k := keptOf(r)
	k.objects = objects
	return k
}

// loaded reports whether the running program has a function: one of a module that was loaded before, or an intrinsic
// one that such a module uses.
func (t *translator) loaded(f *module.Function, name string) bool {
	return t.running.Has(name) && (f.Module == t.src.MCI || !slices.Contains(t.src.Modules, f.Module))
}
