// Package core joins the parts of the runtime: the heap (rtlib/internal/gc), coroutine stacks
// (rtlib/internal/stack), threads and futexes (rtlib/internal/thread). It checks for errors of Mu
// programs, reports these with the names of the bundle, and starts and ends programs.
//
// It exports what others need, but programs do not see it: they see packages rtlib/rt and rtlib,
// which show what generated code and Go clients use. The tables in cmd/internal/rooms say what that
// is; a name that is in none of them is for rtlib/mu or rtlib/ffi.
//
// The invariants of calls from generated code are in the documentation of rtlib/rt.
package core
