// Package verify checks the rules of IAL that an assembled program must obey to have a meaning
// (docs/ial.md, "Rules of the verifier"). It reports all errors of a program, each with the
// number of its rule, the function, the block and the instruction, at the register, operand or
// mnemonic concerned.
//
// It does not resolve names, which assemble has done, and changes only the table of types.
// It never panics, whatever the bodies look like, as long as instructions have the
// registers and operands of their rows.
//
// # Organisation
//
//   - Types of registers: typing.go has a row for each operation, in the notation of
//     shape.go.
//   - The places of instructions in a function, block by block: body.go; pushes and calls:
//     calls.go.
//   - Rules that depend on control flow, about registers that are assigned once (V1), phi
//     (V15) and exceptions (V16): flow.go, with the graph of graph.go.
//
// An error is reported once, and its consequences are not reported. A rule that depends on the
// outcome of another, such as the type of a member that does not exist in values, is skipped where
// the other one is broken.
package verify
