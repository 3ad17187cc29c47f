// Package libc implements functions of the C library in Go (docs/native.md, "With C and
// without"). A CCALL uses them in programs without cgo. In programs with cgo it uses only the
// few that behave exactly as in C and are cheaper than a transition.
//
// There are two ways to call them.
//
//   - Generated code that knows the callee calls the Go function: a row of
//     Table says that the symbol "memcpy" is libc.Memcpy, what its C
//     signature is in machine classes, and how it may be called.
//   - All other code uses addresses. Symbol gives a function or variable an
//     address that can be used for EXTERN constants, for storing and comparing,
//     and for At or Invoke, which call it with a list of words. Register adds
//     functions of the program under names that are not in Table; clients see it in
//     package native.
//
// Parameters and results have the types that generated code keeps in registers: uint8
// to uint64 by width, uint64 also for size_t and long, even on machines where these are
// narrower, float32, float64, and uintptr for pointers. A function that may set errno
// takes an Errno first, the address of the cell of the caller's stack.
//
// The functions behave as C and POSIX specify: results, -1 with errno on failure, NULL
// if there is no memory. Structures have the layout of a Unix with this machine's word
// size. Standard output is not buffered: write, puts, putchar and printf write at once,
// in order with trap lines.
//
// The package is not a C library: it has no FILE, no locale, no signals. It does not
// enter or leave the state in which a collection counts a thread as stopped: callers
// must do this around functions marked Blocks.
//
// Functions marked Calls call function pointers, through the function set with SetCall.
//
// A bad address is a hardware fault here as in generated code. Misuse that a result
// cannot report panics with a *Misuse, which the runtime reports as the error NATIVE.
package libc
