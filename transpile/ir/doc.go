// Package ir is the one typed representation that every dialect is read into
// and every back end consumes: the reader builds it, the verifier checks it,
// the passes rewrite it, the interpreter runs it and the Go generator prints it.
//
// # Level
//
// It is Mu's level (docs/language.md, "Functions"): functions of basic blocks in static single
// assignment form. Blocks have parameters instead of phi nodes; branches pass arguments,
// assigned in parallel. Instructions may have several results, an exception clause (normal and
// exceptional destination) and a keep-alive clause. Memory is typed; references are opaque.
// Nothing here knows Go, object layout, or which machine the program will run on.
//
// # Differences from the source text
//
//   - Names are for printing only. Types, values, blocks and instructions are
//     dense numbers: TypeID, ValueID, BlockID, InstID.
//   - Types are canonical: equal types have equal ids (see Types).
//   - A value defined in one block may be used in every block that the
//     definition dominates. Readers of Mu text never produce that, because Mu
//     variables are local to a block; passes do.
//   - Every operand has exactly the type that the operation requires. The deviations
//     that readers accept (docs/language.md, "Accepted deviations") become explicit conversions.
//   - Constants, cells, functions and exposed functions used as operands are values of kind
//     ValueConst, created once for each version.
//
// # Roles
//
//	Program   everything loaded, in order: types, constants, cells, functions
//	Function  a function, with its versions in the order of their definition
//	Version   one body: blocks, instructions, values in dense slices
//	Block     parameters, exception parameter, instruction list
//	Inst      one operation with operands, destinations, clauses
//	Value     a parameter, a result or a constant
//	Const     a constant: number, NULL, aggregate, symbol, cell, function
//	Builder   makes versions instruction by instruction
//
// The package does not verify (package verify does), does not optimise, and
// does not parse any dialect; its own text form (Print, Parse) exists for dumps
// and tests.
package ir
