package core

import (
	"fmt"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// Calls of exposed functions by C (docs/native.md, "Function pointers" and "Stacks with C frames").
//
// The C function of the slot has put its arguments into words, laid out as in the transfer
// area, and calls Callback on the goroutine of its OS thread:
//
//   - inside a CCALL, that is the goroutine of the stack that made the CCALL, locked to the
//     thread until Callback returns. The exposed function runs there, on the same Mu stack. If
//     it swaps away the goroutine waits, and with it the thread and its C frames; another
//     goroutine drives the switch (package thread).
//   - on a thread that C made, that is a goroutine that Go made for the call. It runs on a Mu
//     thread with its own stack that is kept for the OS thread (foreign.go).
//
// A stack that dies inside a callback is unwound by a Go panic, which drops the C frames
// as longjmp does.

// CFrame has the data that C and Callback exchange. It is in C memory; generated C code has
// the same struct.
type CFrame struct {
	Stack uintptr // gc.Native of the stack inside whose CCALL this is, 0 on a thread of C's own
	Own   uintptr // address of the OS thread's variable that Stack was read from
	Kept  uintptr // address of the OS thread's variable in which foreign.go has its osThread
	Words uintptr // arguments, then the result
	Errno int32
	Sig   uint32 // number given to SetPool
	Slot  int32
}

// maxCallbacks bounds how deep callbacks of one stack may nest: the C frames of all of them
// are on one OS stack.
const maxCallbacks = 2000

// pools are the signatures with pools, by the numbers of SetPool.
var pools []*CSig

// firstPool is the number of the first signature of the package that is being initialised.
var firstPool int

// Pools begins the pools of a package and returns the number of pools of packages before it, which
// must be added to the numbers of its own. Generated code calls it before SetPool.
func Pools() int {
	firstPool = len(pools)
	return firstPool
}

// SetPool sets the function pointers of a signature: size of them, the i-th at addr(i).
// Generated code calls it before the program starts. CFrame.Sig will be number plus the result
// of Pools.
func SetPool(number int, sig *CSig, size int, addr func(i int) uintptr) {
	number += firstPool
	for len(pools) <= number {
		pools = append(pools, nil)
	}
	if err := sig.agree(); err != nil {
		refuse(err)
	}
	pools[number] = sig
	sig.Pool = NewPool(size, addr)
}

// Callback runs the exposed function of a slot. Inside a CCALL the C function of the slot
// marks the thread as running before the call, and as safe again after it.
//
//go:norace
//go:nocheckptr
func Callback(fr *CFrame) {
	if fr.Stack == 0 {
		attached(fr)
		return
	}
	t := gc.OfNative((*gc.Native)(unsafe.Pointer(fr.Stack)))
	s := thread.Of(t)
	s.EnterCallback()
	finished := false
	defer func() {
		s.LeaveCallback()
		if !finished {
			fr.leave()
		}
	}()
	sig, x := fr.callee()
	enterFromC(t, s, fr, sig, x)
	finished = true
}

// callee is the function that C calls, nil if it is not exposed any more, and its signature.
func (fr *CFrame) callee() (*CSig, *Exposure) {
	sig, pool := called(fr.Sig)
	return sig, pool.At(int(fr.Slot))
}

// leave records that no CCALL is active on the OS thread.
//
//go:norace
//go:nocheckptr
func (fr *CFrame) leave() { *(*uintptr)(unsafe.Pointer(fr.Own)) = 0 }

// enterFromC calls a function, nil for one that is not exposed any more, on the stack of t.
//
//go:norace
//go:nocheckptr
func enterFromC(t *Ctx, s *thread.Stack, fr *CFrame, sig *CSig, x *Exposure) {
	if x == nil {
		Fail(t, Native, "", "native code calls a function that is not exposed any more")
		return
	}
	x.own(t, "")
	if s.Callbacks() > maxCallbacks {
		tooManyCallbacks(t, s, x)
	}
	t.Native.Errno = fr.Errno
	for i, w := range unsafe.Slice((*uint64)(unsafe.Pointer(fr.Words)), sig.Args) {
		s.X.W[i] = w
	}
	x.call(t)
	out := unsafe.Slice((*uint64)(unsafe.Pointer(fr.Words)), sig.Results)
	copy(out, X(t).W) // another area if the stack has changed its thread
	fr.Errno = t.Native.Errno
}

// tooManyCallbacks stops the program because of a callback to x.
func tooManyCallbacks(t *Ctx, s *thread.Stack, x *Exposure) {
	Fail(t, StackOverflow, "", fmt.Sprintf("%d callbacks inside each other, the last to %s", s.Callbacks(), x.Func.called()))
}

// InGo reports whether an address to be called is not that of a C function: NULL, or a native
// implemented in Go.
func InGo(f uintptr) bool { return f < NullZone || libc.At(f) != nil }

// cLibrary has functions that package ffi sets if there is cgo.
var cLibrary struct {
	setup func()           // called when the heap exists and no thread has started
	exit  func(status int) // ends the process
	self  func() uintptr   // the OS thread, whose end is reported to ThreadGone; 0 if that is not possible
}

// SetC sets the functions of cLibrary: how to prepare for calls of C, how to end the process, and which
// OS thread the caller is on.
func SetC(setup func(), exit func(status int), self func() uintptr) {
	cLibrary.setup, cLibrary.exit, cLibrary.self = setup, exit, self
}
