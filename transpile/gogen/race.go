package gogen

import (
	"github.com/uvm2go/uvm2go/transpile/gotree"
	"github.com/uvm2go/uvm2go/transpile/lower/node"
)

// The race detector and the pointer checks that come with it are for the Go code of clients.
// Generated code uses memory outside the Go heap, reads polls while other threads set them, and
// follows Mu's memory orders between its threads. So the generated functions that access memory
// or contexts have directives that switch the checks off. The compiler considers the directives
// only with -race or -d=checkptr, also for inlining; without these flags they have no effect.

// unchecked are the directives of such a function.
var unchecked = []gotree.Directive{gotree.NoRace, gotree.NoCheckPtr}

// touchesMemory reports whether a function reads or writes anything except its local variables:
// memory, its context, or the record of a function that may change.
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
