// Package tvm translates TVM, the assembly language of Psi, to the representation of package ir.
// Package syntax parses, check makes a checked program of terms; this package makes bodies, and
// has the entry for the registry (Dialect).
//
// # Values
//
// A value of a flat type is a list of values of the representation: one for a scalar, two for a value
// of type `type` (size and alignment), those of its members for a small struct or array, none for empty.
// Other values (unions, large aggregates, and all values whose size is known only at run time) are the
// address of bytes that do not change while the value is in use. These bytes are memory of the frame.
// The file types.go decides which types are flat.
//
// # Evaluation
//
// A term is computed where an instruction first needs it, and then reused in all blocks that this
// place dominates: blocks are made in preorder of the dominator tree, and the values that a block has
// added to memo are removed after its subtree.
//
// # Copies
//
// Functions are copied for type arguments of known size, see mono.go.
//
// # Memory of the frame
//
// Memory of static size is a cell of the entry block, one for each place that makes memory: its
// lifetime ends at the latest when control reaches that place again. Other memory is allocated
// where it is needed; if the block is in a loop, the edges that leave the block or lead back to it
// free the memory (docs/tvm.md, "Programs").
package tvm
