// Package module is an IAL program after assembly: modules with their structures, fields, data
// blocks, functions and entry points, where every name has become a pointer to the thing that
// it names. Package assemble makes it from syntax trees; the verifier, the linter, the writer
// and the translator read it.
//
// It is not a syntax tree: it has no comments and spellings, and positions only for
// messages. It is not verified either: a body may have no blocks, and instructions may
// have registers of any type.
//
// # Invariants
//
//   - Types are canonical within a Program: equal types are one *Type.
//   - Declarations with errors of assembly are not in the program, so nothing points to them; a
//     program is passed on only if there was no error.
//   - Instructions have the sources and the operand that their row in Ops prescribes.
package module
