// Package syntax reads the text of TVM: a scanner, a parser and the tree that it makes. It knows
// the grammar alone: names are not resolved, operations not looked up.
//
// The parser reports all errors of a file: after an error it continues with the next statement
// or global. Expressions nest to a depth that the stack of the parser bounds; time and memory
// are linear in the text.
package syntax
