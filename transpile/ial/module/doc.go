// Package module is an IAL program after assembly: modules with their structures, fields, data
// blocks, functions and entry points, where every name has become a pointer to the thing that
// it names. Package assemble makes it from syntax trees; the verifier, the linter, the writer
// and the translator read it.
//
// It is not a syntax tree: comments and spelling are gone, positions are kept for
// messages. Nor is it verified: a body may have no blocks, and registers of any type
// anywhere.
//
// # Invariants
//
//   - Types are canonical within a Program: equal types are one *Type.
//   - Declarations with errors of assembly are not in the program, so nothing points to them: a
//     program is passed on only if there was no error.
//   - Instructions have the sources and the operand that their row in Ops says.
package module
