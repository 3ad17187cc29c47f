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
//   - on a thread that C made, it is a goroutine that Go made for the call. A temporary Mu
//     thread with its own stack is attached to it.
//
// A stack that dies inside a callback is unwound by a Go panic, which drops the C frames
// as longjmp does.

// CFrame is what C and Callback exchange. It lies in C memory; generated C code has the
// same struct.
type CFrame struct {
	Stack uintptr // gc.Native of the stack inside whose CCALL this is, 0 on a thread of C's own
	Own   uintptr // address of the OS thread's variable that Stack was read from
	Words uintptr // arguments, then the result
	Errno int32
	Sig   uint32 // number given to SetPool
	Slot  int32
}

// maxCallbacks is how deep callbacks of one stack may nest: the C frames of all of them
// are on one OS stack.
const maxCallbacks = 2000

// pools are those of SetPool, by number.
var pools []*CSig

// firstPool is the number that the first signature of the package has that is being initialised.
var firstPool int

// Pools begins the pools of a package and returns what is to be added to its numbers: those of
// packages before it. Generated code calls it before SetPool.
func Pools() int {
	firstPool = len(pools)
	return firstPool
}

// SetPool gives a signature its function pointers: size of them, the i-th at addr(i).
// Generated code calls it before the program starts. number, and what Pools returned, is what
// CFrame.Sig will be.
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
// makes the thread running before, and safe again after.
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
	enterFromC(t, s, fr)
	finished = true
}

// leave records that no CCALL is active on the OS thread.
//
//go:norace
//go:nocheckptr
func (fr *CFrame) leave() { *(*uintptr)(unsafe.Pointer(fr.Own)) = 0 }

// enterFromC calls the function on the stack of t.
//
//go:norace
//go:nocheckptr
func enterFromC(t *Ctx, s *thread.Stack, fr *CFrame) {
	sig := pools[fr.Sig]
	x := sig.Pool.At(int(fr.Slot))
	if x == nil {
		Fail(t, Native, "", "native code calls a function that is not exposed any more")
		return
	}
	if s.Callbacks() > maxCallbacks {
		tooManyCallbacks(t, s, x)
	}
	t.Native.Errno = fr.Errno
	words := unsafe.Pointer(fr.Words)
	in := X(t).W[:sig.Args]
	for i := range in {
		in[i] = *(*uint64)(unsafe.Add(words, 8*i))
	}
	x.call(t)
	for i, w := range X(t).W[:sig.Results] {
		*(*uint64)(unsafe.Add(words, 8*i)) = w
	}
	fr.Errno = t.Native.Errno
}

// tooManyCallbacks stops the program because of a callback to x.
func tooManyCallbacks(t *Ctx, s *thread.Stack, x *Exposure) {
	Fail(t, StackOverflow, "", fmt.Sprintf("%d callbacks inside each other, the last to %s", s.Callbacks(), x.Func.called()))
}

// attached runs the function on an OS thread that is not inside a CCALL.
func attached(fr *CFrame) {
	t, keep, err := foreignThread()
	if err == nil {
		s := thread.Of(t)
		err = Do(t, func() {
			s.EnterCallback()
			enterFromC(t, s, fr)
			s.LeaveCallback()
		})
	}
	if err == nil && !keep {
		err = leaveThread(t)
		giveBack(t)
	}
	endForeign(err)
}

// endForeign deals with the error of what ran on an OS thread of C's own.
func endForeign(err error) {
	switch err.(type) {
	case nil:
	case *Error, *Exception:
		report(err)
	default:
		// The thread has exited, or the stack was killed: the C frames below never go on
		// (docs/native.md, "Stacks with C frames").
		select {}
	}
}

// InGo reports whether an address that is to be called is none of C's: NULL, or a native
// served in Go.
func InGo(f uintptr) bool { return f < NullZone || libc.At(f) != nil }

// cLibrary is what package ffi sets where there is cgo.
var cLibrary struct {
	setup func()           // called when the heap is there and no thread has started
	exit  func(status int) // ends the process
	self  func() uintptr   // the OS thread, of whose end ThreadGone tells; 0 if nothing can tell of it
}

// SetC tells the runtime how to prepare for calls of C, how to end the process, and which OS thread
// the caller is on.
func SetC(setup func(), exit func(status int), self func() uintptr) {
	cLibrary.setup, cLibrary.exit, cLibrary.self = setup, exit, self
}
