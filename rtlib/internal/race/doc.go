// Package race reports synchronisation to Go's race detector that the detector cannot see.
//
// The detector is for the Go code of clients. It knows Go's synchronisation on Go's memory.
// Mu code synchronises through memory outside Go's heap, C code through plain stores; the
// detector would report a correct client whose goroutines are ordered by such means. So the
// runtime reports this order to it (rtlib/atomics, gc.ToC).
//
// Functions that access Mu memory, or words that other threads set at any time, such as polls,
// are marked go:norace, and go:nocheckptr where they turn numbers into pointers; so are those
// of generated code. Without the detector neither mark costs anything.
package race
