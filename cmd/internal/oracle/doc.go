// Package oracle compares the behaviour of a program on the reference interpreter with
// that of its translations: without and with the optimising passes, with the collector
// under stress, on another architecture. It does not make programs (package randprog
// makes random ones) and does not know their expected output: the interpreter's output
// is the expected one.
//
//	lab.go      translating, building and running
//	way.go      the ways to run a program, and outcomes
//	batch.go    many programs in one build, each compared alone
//	host.go     a program that loads bundles; libmu.go a client in C that builds them
//	corpus.go   the examples and the benchmark kernels
//	fuzz.go     batch after batch of random programs
//	cover.go    which operations, pairs and types were run
//	reduce.go   shrinking a bundle that shows a difference
//	mutant.go   breaking the translator to see that the comparison notices
//
// # Invariants
//
//   - Two outcomes are equal if status, standard output, and, where the program
//     failed, kind and position of the report on standard error are.
//   - A difference is reported with the bundle and the command that shows it.
package oracle
