// Package stack switches between goroutines: the coroutines that Mu stacks are made of.
//
// It knows nothing of Mu: no contexts, values or errors. It has three things: Co, a
// goroutine that can be switched to; a pool of worker goroutines that run jobs and are
// reused; and State, the word that says whether a stack can be bound.
//
// # Switching
//
// A switch is one direct hand-off from goroutine to goroutine, whichever two they are.
// It is built on iter.Pull, whose next and yield each exchange the calling goroutine
// with the one that waits inside the iterator. Nothing ties that place of waiting, the
// cell, to the goroutine that the iterator made: a goroutine switches to another by
// exchanging itself with it in whatever cell the other waits in, by next or by yield in
// turn. (An iterator whose yield is called from a nested iterator does just that.) So
//
//   - the goroutines that wait are as many as there are cells, and the cells are as many
//     as there are worker goroutines;
//   - the goroutines that run in the system, or are blocked in it elsewhere, are as many
//     as there are plain goroutines that were brought in by Plain. Each running Mu thread
//     stands for one: its driver, which waits while the thread's stacks run.
//
// The Go runtime forbids to switch on a goroutine that is locked to an OS thread, a C
// callback for example, between goroutines that were not made there. No method of
// Co may be called on such a goroutine: another one has to stand in for it.
//
// # Invariants
//
//   - A Co waits in exactly one cell, or runs. Whoever switches to one must own it: by the
//     compare-and-swap of a State, by having taken it from the pool, or by design.
//   - What becomes of a goroutine that switched away (others may bind it; it is a spare) is
//     published by the one that it switched to, when it is certain to wait.
//   - A worker ends only while a goroutine that is meant to run next waits in the
//     worker's own cell.
package stack
