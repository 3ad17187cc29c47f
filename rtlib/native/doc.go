// Package native implements functions of the C library in Go (docs/native.md, "With C and
// without"). A CCALL uses them in programs without cgo. In programs with cgo it uses only the
// few that behave exactly as in C and are cheaper than a transition.
//
// There are two ways to call them.
//
//   - Generated code that knows the callee calls the Go function: a row of
//     Table says that the symbol "memcpy" is native.Memcpy, what its C
//     signature is in machine classes, and how it may be called.
//   - Anything else goes by address. Symbol gives a function or variable an
//     address that is good for EXTERN constants, for storing and comparing,
//     and for At or Invoke, which call it with a list of words. Register adds
//     functions of the program's own under names that Table has not.
//
// Parameters and results are what generated code keeps in registers: uint8 to
// uint64 by width, uint64 also for size_t and long, on machines with narrower
// ones too, float32, float64, and uintptr for pointers. A function that may
// set errno takes an Errno first, the address of the cell of the caller's
// stack.
//
// Meanings are C's and POSIX's: results, -1 with errno on failure, NULL for
// want of memory. Structures have the layout of a Unix with this machine's
// word size. Standard output is not buffered: what write, puts, putchar and
// printf say leaves at once, in order with trap lines.
//
// It is not a C library: no FILE, no locale, no signals. It
// does not enter or leave the state in which a collection counts a thread as
// stopped: callers do, around functions marked Blocks.
//
// Functions marked Calls call function pointers, by the function of SetCall.
//
// A bad address is a hardware fault here as in generated code. Misuse that
// cannot be told by a result panics with a *Misuse, which the runtime reports
// as R-error NATIVE.
package native
