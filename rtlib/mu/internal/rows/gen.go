// Package rows is a translated bundle for the tests of package mu.
package rows

//go:generate go run ../../../../cmd/uvm2go -pkg rows -introspect -o rows.go rows.uir
