// Package demo is a translated bundle for the tests of package mu.
package demo

//go:generate go run ../../../../cmd/uvm2go -pkg demo -introspect -nolines -o demo.go -later later.uir -later number.uir -later after.uir demo.uir
