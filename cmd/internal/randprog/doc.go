// Package randprog writes random Mu programs for differential tests.
//
// A program is text, so that the reader of bundles is tested too. It is
//
//   - valid, strictly typed, without accepted deviations;
//   - terminating: every back edge in a function decrements a counter, and every
//     function that may recur decrements a counter of the whole program;
//   - deterministic: its output does not depend on anything that Mu does not specify:
//     payloads of NaNs, addresses, weak references to objects without other
//     references, the order of threads;
//   - defined: indices are in range, references are tested before they are used
//     unless the access has an exception clause, stack cells do not outlive
//     their frame.
//
// A few programs end with a run-time error or an uncaught exception; those are
// defined too.
//
// It does not fuzz the reader: the reader's own tests have the programs that must be rejected.
//
// # How a program is made
//
//	types.go    the types of a program and constants of them
//	program.go  the parts of a program, and several programs in one bundle
//	fn.go       functions: blocks and the edges between them, values in scope
//	pick.go     how often which statements are made
//	arith.go    statements: numbers, comparisons, conversions, aggregates
//	memory.go   statements: allocation, addressing, access
//	call.go     statements: calls, exceptions, traps, the ends of blocks
//	special.go  statements: tagged references, natives, watchpoints, futexes
//	stack.go    coroutines and threads
//	weave.go    coroutines that swap anywhere in their control flow
//	loop.go     counting loops over arrays
//	gc.go       object graphs under allocation pressure, deep recursion
//	old.go      programs in µVM IR of 2014
//	ial.go      programs in IAL
//	tvm*.go     programs in TVM
//
// The generator first chooses the groups of statements of a program, and how many
// statements it has of each: programs that concentrate on few things find more faults
// than programs that do a little of everything.
//
// # Invariants
//
//   - The text depends only on the seed and the prefix.
//   - Programs without weavers (weave.go) do not depend on that file: the decision
//     whether a program has weavers uses separate random numbers.
//   - A val in scope may be used in every statement that accepts its type; values for
//     which this does not hold (addresses, weak references) never get into scope.
package randprog
