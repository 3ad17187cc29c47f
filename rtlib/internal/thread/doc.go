// Package thread has the threads and stacks of a Mu program: binding and switching, thread-locals
// and pins, futexes, and what the collector must know of all that (docs/language.md, "Stacks and
// threads"; docs/internals.md, "The collector"; docs/native.md, "Values").
//
// It does not know functions, sites or values: what a stack runs is a hook, values lie in
// the Transfer area of the thread as they were put there, and what a program did wrong is
// a result for the layer above to report.
//
// # Stacks and goroutines
//
// A stack gets a worker goroutine (package stack) when it is first bound, and keeps it
// until it dies. A thread is no goroutine: it is what the goroutine of its current stack
// runs on behalf of, Stack.Th, and moves with a switch. Each thread has a driver, a
// goroutine that waits while the thread's stacks run and does what they cannot do: the
// end of the thread, and waking home stacks.
//
// A home stack is the stack of a Go caller (Run): it runs on the caller's own goroutine,
// which may be locked to an OS thread and so never takes part in a coroutine switch. It
// leaves by a message to the driver, and waits on a channel. A worker whose stack is in a
// callback from C is locked, too: another goroutine stands in for it while it waits.
//
// # Invariants
//
//   - Only the goroutine that runs a thread's current stack, or the driver in its place,
//     changes the thread. Only who has bound a stack changes the stack.
//   - From binding a stack until its goroutine runs there is no safepoint on the thread, so
//     the collector sees a thread with its stack before or after, never between.
//   - A stack that is not READY is bound to a thread, is about to be, or is dead.
package thread
