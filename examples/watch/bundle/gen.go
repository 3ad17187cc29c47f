// Package bundle is bundle.uir, translated.
package bundle

//go:generate go run ../../../cmd/uvm2go -pkg bundle -introspect -nolines -o bundle.go bundle.uir
