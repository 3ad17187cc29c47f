package gogen

import "github.com/uvm2go/uvm2go/transpile/gotree"

// The race detector and the checks of pointers that come with it are for the Go code of
// clients. Generated code has memory that Go knows nothing about, polls that others set
// while it reads them, and the orders of Mu between its threads. So its functions that
// touch memory or contexts are marked. Without -race, or -d=checkptr, the directives mean
// nothing: the compiler asks for them only there, when it inlines, too.

// unchecked is what such a function is marked with.
var unchecked = []string{"//go:norace", "//go:nocheckptr"}

// touchesMemory reports whether a function reads or writes what is no variable of its own:
// memory, its context, the record of a function that may change.
func touchesMemory(b *gotree.Block) bool {
	return gotree.Has(b, func(x gotree.Expr) bool {
		switch x := x.(type) {
		case *gotree.Qual:
			return x.Pkg == "unsafe"
		case *gotree.Dot:
			v, ok := x.X.(*gotree.Ident)
			return ok && v.Name == "t" || x.Name == "F"
		}
		return false
	})
}
