// Package live is the engine for code that was not compiled: it runs programs in the
// representation of the translator (package ir) directly, without Go's toolchain. Programs that
// load code at run time use it (docs/client.md, "Code that arrives at run time"), and so does the
// command for run -live.
//
// The parts:
//
//	program.go, types.go, entities.go  what the runtime is told of a program: records of functions,
//	                                   types, places, entities, as generated code has it in tables
//	compile.go and what it calls       make code of a body when it is first called: instructions on
//	                                   the words of a frame, several of the representation in one
//	                                   where that is possible
//	regs                               gives values their words
//	fuse.go                            makes pairs of instructions that often follow each other
//	loop_gen.go (from opgen), loop.go  run the code
//	machine.go                         calls, tail calls and exceptions
//	builder*.go                        the IR builder: bundles that a program makes by calls
//	forget.go, trace.go                what the collector and reports of errors ask
//
// It is not the reference interpreter (package interp), which shares no code with the parts that
// it judges. Memory, collector, threads, stacks, traps and the client API are the runtime's, and
// other code cannot tell a body that runs here from a compiled one. Its frames are on the shadow
// stack, so that the collector finds the references in them; any code can call its functions
// through their records. A call between two bodies does not use Go's stack.
//
// Programs that run on the engine alone cannot call C: their symbols are those that the runtime
// implements in Go. The engine does not check for behaviour that the language leaves undefined, as
// -sanitize does.
package live

//go:generate go run ./opgen
