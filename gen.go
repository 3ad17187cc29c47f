// Package uvm2go holds the directives that regenerate the generated files of
// the module. The translator is package transpile, the command cmd/uvm2go.
package uvm2go

//go:generate go generate ./transpile/ir
