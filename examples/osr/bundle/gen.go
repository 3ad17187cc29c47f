// Package bundle is bundle.uir, translated, with opt.uir to be loaded later.
package bundle

//go:generate go run ../../../cmd/uvm2go -pkg bundle -introspect -nolines -later opt.uir -o bundle.go bundle.uir
