package syntax

import "github.com/uvm2go/uvm2go/transpile/ial/module"

// Usage shows how an instruction is written.
func Usage(op module.Op) string { return usages[op] }

// IsType reports whether a word is a type.
func IsType(word string) bool {
	_, ok := coreTypes[word]
	return ok || word == "void"
}
