// Package library is for shared libraries that C programs open, which uvm2go build -shared makes. Go's main function does not
// run there: the functions that the library exports, which are C, ask for what they call when they are first called.
package library

import "github.com/uvm2go/uvm2go/rtlib/internal/core"

// Function is the address of an exposed function of the linked package, by its number. At the first call the package
// starts. An error ends the process with a report.
func Function(i int) uintptr { return core.LibraryFunction(i) }

// Cell is the address of a cell of the linked package, by its number. It starts the package as Function does.
func Cell(i int) uintptr { return core.LibraryCell(i) }
