// Package core joins the parts of the runtime: the heap (rtlib/internal/gc), coroutine stacks
// (rtlib/internal/stack), threads and futexes (rtlib/internal/thread). It checks for errors of Mu
// programs, reports these with the names of the bundle, and starts and ends programs.
//
// Programs do not import it: generated code uses package rtlib/rt, and Go clients use package
// rtlib. The tables in cmd/internal/rooms list what these two packages show of core; an exported
// name that is in neither table is for rtlib/mu or rtlib/ffi.
//
// The invariants of calls from generated code are in the documentation of rtlib/rt.
package core
