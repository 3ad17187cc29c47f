// Package syntax reads the text of TVM: a scanner, a parser and the tree that it makes. It knows
// only the grammar: names are not resolved, operations are not looked up.
//
// The parser reports all errors of a file: after an error it continues with the next statement
// or global. The depth of expressions is bounded, because of the stack of the parser; time and
// memory are linear in the text.
package syntax
