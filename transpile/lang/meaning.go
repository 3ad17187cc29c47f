package lang

import "github.com/uvm2go/uvm2go/transpile/ir"

// Meaning says what an operation of the representation does, as docs/operations.md does.
func Meaning(op ir.Op) string { return meanings[op] }
