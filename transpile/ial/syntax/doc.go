// Package syntax is the grammar of IAL: its tokens, the tree of a file, and the parser that
// makes the tree. It accepts both forms of the language and the short-lived one between them,
// mixed in any way.
//
// It does not resolve names or check literals against their types. It does use the table
// of operations (package module), because the mnemonic alone determines the syntax of an
// instruction; an instruction of another shape is a syntax error.
//
// # Invariants
//
//   - Parse reports all errors of a file, continues after each at the next possible place,
//     and takes time linear in the size of the file.
//   - The tree of a file without errors is complete. In the tree of a file with errors (Bad)
//     names may have no text and types may be nil; File.Lost, TypeDecl.Lost and
//     FuncDecl.Lost say where declarations may be missing.
//   - Types nest no deeper than MaxDepth, whether by suffixes or by parameters.
package syntax
