// Package randprog writes random Mu programs for differential tests.
//
// A program is text, so that the reader of bundles is tested too. It is
//
//   - valid, strictly typed, without accepted deviations;
//   - terminating: every way back in a function takes from a counter, and every
//     function that may recur takes from a counter of the whole program;
//   - deterministic: nothing that the reference leaves open can be seen in its
//     output, that is, no payload of a NaN, no address, no weak reference to an
//     object that is not held otherwise, no order of threads;
//   - defined: indices are in range, references are tested before they are used
//     unless the access has an exception clause, stack cells do not outlive
//     their frame.
//
// A few programs end with a run-time error or an uncaught exception; those are
// defined too.
//
// It is not a fuzzer of the reader: programs that must be refused are the
// business of the reader's own tests.
//
// # How a program comes about
//
//	types.go    the types of a program and constants of them
//	program.go  the parts of a program, and several programs in one bundle
//	fn.go       functions: blocks and the edges between them, values in scope
//	pick.go     which statements are made how often
//	arith.go    statements: numbers, comparisons, conversions, aggregates
//	memory.go   statements: allocation, addressing, access
//	call.go     statements: calls, exceptions, traps, the ends of blocks
//	special.go  statements: tagged references, natives, watchpoints, futexes
//	stack.go    coroutines and threads
//	weave.go    coroutines that swap anywhere in their control flow
//	loop.go     counting loops over arrays
//	gc.go       object graphs under allocation pressure, deep recursion
//
// Every program draws first which groups of statements it has at all, and how
// many of each: programs that do few things a lot find more than programs that
// do everything a little.
//
// # Invariants
//
//   - The text depends on the seed and the prefix alone.
//   - Programs without weavers (weave.go) do not depend on that file: what these
//     draw to decide whether there are any comes from numbers of their own.
//   - A val in scope may be used in every statement that takes its type; what
//     may not (addresses, weak references) never gets into scope.
package randprog
