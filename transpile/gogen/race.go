package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// The race detector and the pointer checks that come with it are for the Go code of clients.
// Generated code uses memory that Go does not know, polls that other threads set while it reads
// them, and Mu's memory orders between its threads. So its functions that access memory or
// contexts are marked. Without -race and -d=checkptr the directives have no effect: only with
// these flags does the compiler consider them, for inlining too.

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
			return x.X == node.Ctx || x.Shared
		}
		return false
	})
}
