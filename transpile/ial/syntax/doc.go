// Package syntax is the grammar of IAL: its tokens, the tree of a file, and the parser that
// makes the tree. It accepts both forms of the language and the short-lived one between them,
// mixed in any way.
//
// It knows no meaning: names are not resolved, literals are not checked against their
// types. It does apply the table of operations (package module), because the mnemonic
// alone decides how an instruction reads; an instruction of another shape is an error of
// this package.
//
// # Invariants
//
//   - Parse reports all errors of a file, goes on after each at the next place where it can,
//     and takes time linear in the size of the file.
//   - The tree of a file without errors is complete. In that of a file with errors (Bad)
//     things may be missing: names without text, types that are nil; File.Lost,
//     TypeDecl.Lost and FuncDecl.Lost say where declarations may be missing.
//   - Types nest no deeper than MaxDepth, whether by suffixes or by parameters.
package syntax
