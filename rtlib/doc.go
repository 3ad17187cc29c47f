// Package rtlib has the functions and types that generated programs use: contexts and
// types of the heap, stacks and threads, traps, futexes, pins, errors, and the start and
// the end of a program.
//
// Other packages do most of the work: the heap is rtlib/internal/gc, coroutine stacks are
// rtlib/internal/stack, threads and futexes rtlib/internal/thread. This package joins
// them, checks for errors of Mu programs, and reports these with the names of the bundle.
//
// # Invariants
//
//   - Generated code passes the context of the running stack, t, to every function, and
//     calls only from the goroutine that executes that stack.
//   - Lists of values are passed in the thread's transfer area, X(t); see Transfer.
//   - A function that can throw or be thrown at leaves t.Thrown set; the caller tests it.
//   - Functions that do not return (ThreadExit, a SwapStack with KillOld, Fail) unwind the
//     goroutine by a private panic that generated code never recovers.
package rtlib
