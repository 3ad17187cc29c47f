// Package live runs programs in the representation of the translator (package ir) at once, without
// Go's toolchain: an engine for code that was not compiled. The command uses it for run -live.
//
// The parts:
//
//	program.go, types.go, entities.go  what the runtime is told of a program: records of functions,
//	                                   types, places, entities, as generated code has it in tables
//	compile.go and what it calls       make code of a body when it is first called: instructions on
//	                                   the words of a frame, several of the representation in one
//	                                   where that is possible
//	regs                               gives values their words
//	loop_gen.go (from opgen), loop.go  run the code
//	machine.go                         calls, tail calls and exceptions
//	forget.go, trace.go                what the collector and reports of errors ask
//
// It is not the reference interpreter (package interp), which shares nothing with what it judges.
// Memory, collector, threads, stacks, traps and the client API are the runtime's; a body here differs
// from a compiled one in nothing that others can see. Its frames are on the shadow stack, so that
// the collector finds the references in them; the records of its functions can be called by anybody.
// A call between two bodies does not use Go's stack.
//
// There is no C here: symbols are those that the runtime serves in Go. What a program does wrong in a
// way that the reference leaves undefined is not checked (-sanitize).
package live

//go:generate go run ./opgen
