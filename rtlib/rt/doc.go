// Package rt is the part of the runtime that generated code uses: the tables that describe a
// program, the context of the running stack, and functions for what Go's own operators cannot
// do. Only generated code may use it. The names may change with each version of uvm2go, and the
// generated code with them; Agreement and the Go compiler detect code of another version.
//
// Go clients use package rtlib, and rtlib/mu for the client API of Mu. Arithmetic and ordered
// accesses of generated code are in rtlib/num and rtlib/atomics.
//
// The package has little code of its own (small.go, tagref.go). cmd/internal/rooms generates the
// rest, rt_gen.go: aliases of types of rtlib/internal/core, and functions that call those of the
// same name there and that Go's compiler inlines. Their full documentation is there, too.
//
// # Invariants
//
//   - Generated code passes the context of the running stack, t, to every function, and
//     calls only from the goroutine that executes that stack.
//   - Lists of values are passed in the thread's transfer area, X(t); see Transfer.
//   - A function that can throw or be thrown at leaves t.Thrown set; the caller tests it.
//   - Functions that do not return (ThreadExit, a SwapStack with KillOld, Fail) unwind the
//     goroutine by a private panic that generated code never recovers.
package rt
