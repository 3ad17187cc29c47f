// Package tvm translates TVM, the assembly language of Psi, to the representation of package ir.
// Package syntax parses, check makes a checked program of terms; this package makes bodies, and
// is the entry for the registry (Dialect).
//
// # Values
//
// A value of a type is a list of values of the representation if the type is flat: a scalar is one,
// type is two (size and alignment), a small struct or array has those of its members, empty has none.
// Other values are the address of bytes that nothing changes while the value is in use: unions, large
// aggregates, and all whose size is known at run time only. Those bytes are memory of the frame. The
// file types.go decides which type is flat.
//
// # Evaluation
//
// A term is computed where an instruction first needs it, and then used again in all blocks that
// the place dominates: blocks are made in preorder of the dominator tree, and memo forgets what a
// block has made when it is left.
//
// # Copies
//
// Functions are copied for type arguments of known size, see mono.go.
//
// # Memory of the frame
//
// Memory of static size is a cell of the entry block, one for each place that makes it: its
// lifetime ends at the latest when control reaches that place again. Other memory is allocated
// where it is needed; blocks in loops free it on the edges that leave them or lead back to them
// (docs/tvm.md, "Programs").
package tvm
