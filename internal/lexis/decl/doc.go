// Package decl reads the definitions of Mu text bundles (docs/language.md, "Text" and "Grammar"):
// types, signatures, constants, cells, declared and exposed functions, and the heads of functions.
// The translator, which reads their bodies as well, builds on its Parser; the runtime, which loads
// declarations as text (docs/client.md, "Loading text"), skips bodies.
//
// It reads two forms, that of 2016 and that of muc (muc.go), and makes the same tree of both.
//
// It checks only the grammar: it does not resolve names and does not check types. It reports all
// syntax errors of a text: after an error it continues at the next definition. The tree is compact, see
// package syntax of the translator.
package decl
