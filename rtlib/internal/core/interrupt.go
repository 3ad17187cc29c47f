package core

import (
	"time"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// An Interruption ends what a Go caller has called.
type Interruption struct{ th *thread.Thread }

// Ask asks the thread that Do on t waits for to end what it executes; the error of Do will be of the kind Interrupted.
// It must be repeated, as the thread may change.
func (i *Interruption) Ask(t *Ctx) {
	th := machine.Break(thread.Home(t))
	if th != i.th {
		i.End()
		i.th = th
	}
}

// End undoes Ask: the call has ended.
func (i *Interruption) End() {
	if i.th != nil {
		i.th.Mend()
		i.th = nil
	}
}

// Heed ends what the stack executes if that was asked for. The caller holds nothing that must be given back.
func Heed(t *Ctx) { t.Th.Heed() }

// broken is thread.Machine.Broken.
func broken(s *thread.Stack) {
	if s.Group.Closed() {
		x := X(s.Ctx)
		x.in, x.cookie = nil, 0
		s.Th.End()
	}
	if s.Th.HasCaller() { // or the caller's stack went to another thread meanwhile
		X(s.Ctx).in = nil
		stop(s, newError(s, Interrupted, "", "the client has ended the call"))
	}
}

func init() { libc.SetWait(libc.Waiting{Pause: pauseNative, Cut: canCut}) }

// callerOf is the stack that calls a native with an Errno.
//
//go:norace
//go:nocheckptr
func callerOf(e libc.Errno) *thread.Stack {
	return thread.Of(gc.OfNative((*gc.Native)(unsafe.Pointer(uintptr(e) - unsafe.Offsetof(gc.Native{}.Errno)))))
}

// canCut reports whether the wait of a native may have to be cut short.
func canCut(e libc.Errno) bool { return callerOf(e).Th.HasCaller() }

// pauseNative waits for a native, whose thread is safe. It does not return if the call of the Go caller is to end.
func pauseNative(e libc.Errno, d time.Duration) {
	th := callerOf(e).Th
	for end := time.Now().Add(d); th.Pause(time.Until(end)); {
		th.LeaveSafe()
		th.Heed()
		th.EnterSafe()
		if !time.Now().Before(end) {
			return
		}
	}
}
