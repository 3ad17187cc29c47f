// Package interp is the reference interpreter: it runs an ir.Program directly, so that
// the behaviour of translated programs can be compared with it.
//
// It is written for clarity, with Go values and without package unsafe, and shares no
// code with the run-time library or the code generator: an oracle must not have the bugs
// of the code that it checks. It does not optimise, does not call real native code, and
// verifies only what it needs to avoid running invalid programs.
//
// # Values and memory
//
// A Value is two words and a referent. Memory consists of units (an object, a stack
// cell, a global cell, a block of malloc); a reference is a unit and an offset.
// Data that the collector does not follow is kept as bytes in the layout of
// docs/language.md, "Types", everything else in one slot for each 8-byte word. So
// every access can be checked: bounds, dead stack cells, and the type of a slot.
// The interpreter invents an address when the program first asks for it.
//
// # Execution
//
//	thread.go    Mu threads, taken in turn by a scheduler with a seed
//	stack.go     stacks and frames; binding, passing values
//	throw.go     exceptions
//	code.go      a version, decoded once into one step function an instruction
//	decode.go    the decoder; the decoders of the instructions are grouped by
//	             subject, and each is next to what it decodes to
//
// The interpreter keeps the Mu frames itself and never recurses on Go's stack.
// Time is virtual: it passes with the instructions and jumps when all threads
// wait.
//
// # Invariants
//
//   - The pc of every frame that is not on top names the instruction it waits
//     in, so that reports, cursors and exceptions need nothing else.
//   - A step function either has its whole effect or, when it fails, none.
//   - Same program, same Config: same output, thread interleaving included.
package interp
