// Package thread implements the threads and stacks of a Mu program: binding and switching,
// thread-locals and pins, futexes, and their interface to the collector (docs/language.md, "Stacks
// and threads"; docs/internals.md, "The collector"; docs/native.md, "Values").
//
// It does not know functions, sites or values: a stack runs a hook, values stay in the Transfer
// area of the thread as they were put there, and errors of the program are returned as results,
// which the layer above reports.
//
// # Stacks and goroutines
//
// A stack gets a worker goroutine (package stack) when it is first bound, and keeps it
// until it dies. A thread is not a goroutine: the goroutine of its current stack runs on
// its behalf (Stack.Th), and a switch passes the thread on to another goroutine. Each
// thread has a driver, a goroutine that waits while the thread's stacks run and does the
// things that they cannot do: ending the thread and waking home stacks.
//
// A home stack is the stack of a Go caller (Run): it runs on the caller's own goroutine,
// which may be locked to an OS thread and so never takes part in a coroutine switch. It
// leaves by a message to the driver, and waits on a channel. A worker whose stack is in a
// callback from C is locked, too: another goroutine stands in for it while it waits.
//
// # Invariants
//
//   - Only the goroutine that runs a thread's current stack, or the driver in its place,
//     changes the thread. Only the thread that has bound a stack changes the stack.
//   - From binding a stack until its goroutine runs there is no safepoint on the thread, so
//     the collector sees a thread with its stack before or after, never between.
//   - A stack that is not READY is bound to a thread, is about to be, or is dead.
package thread
