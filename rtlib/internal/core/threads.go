package core

import "github.com/uvm2go/uvm2go/rtlib/internal/thread"

// NewThread is NEWTHREAD (docs/language.md, "Stacks and threads"); the values or the exception are
// in X(t) as for SwapStack. It returns 0 if no thread can be made.
func NewThread(t *Ctx, stack, threadLocal uintptr, pass uint32, flags Flags, site *Site) uintptr {
	return NewThreadAfter(t, stack, threadLocal, pass, flags, site, nil)
}

// NewThreadAfter is NewThread for a thread that begins when the channel is closed; nil is for at once.
func NewThreadAfter(t *Ctx, stack, threadLocal uintptr, pass uint32, flags Flags, site *Site, begin <-chan struct{}) uintptr {
	x := X(t)
	if flags&ThrowExc != 0 {
		x.Live = 1
	} else {
		hold(t, pass)
	}
	me := thread.Of(t).Th
	me.Kept = stack
	th := machine.NewThread(t, threadLocal)
	live := x.Live
	x.Live, me.Kept = 0, 0
	if th == nil {
		return 0
	}
	b, kind, detail := tryBind(t, stack, pass, flags)
	if b == nil {
		th.Drop()
		Fail(t, kind, site.where(), detail)
	}
	if flags&ThrowExc == 0 {
		copy(th.X.W, x.W[:list(pass).W])
		copy(th.X.R, x.R[:live])
		th.X.Live = live
	}
	ref := th.Object(t)
	th.StartAfter(b, begin)
	return ref
}

// EnterSafe declares that the goroutine will not access the heap until LeaveSafe: collections
// do not wait for it. Natives and trap handlers in Go must call it before they block, and
// LeaveSafe afterwards.
func EnterSafe(t *Ctx) { t.Th.EnterSafe() }

// LeaveSafe ends the state that EnterSafe began.
func LeaveSafe(t *Ctx) { t.Th.LeaveSafe() }

// EnterCallback declares that native code called by the stack calls back, on the stack's
// goroutine, which is now locked to its OS thread. The context must be running, not safe.
func EnterCallback(t *Ctx) { thread.Of(t).EnterCallback() }

// LeaveCallback declares that the callback has ended.
func LeaveCallback(t *Ctx) { thread.Of(t).LeaveCallback() }

// ThreadExit is @uvm.thread_exit. It does not return.
func ThreadExit(t *Ctx) { thread.Of(t).Th.SwapKill(nil) }

// ThreadLocal is @uvm.get_threadlocal.
func ThreadLocal(t *Ctx) uintptr { return thread.Of(t).Th.Local }

// SetThreadLocal is @uvm.set_threadlocal.
func SetThreadLocal(t *Ctx, ref uintptr) { thread.Of(t).Th.Local = ref }

// Pin is @uvm.native.pin: it returns the address of the location, which is addr.
func Pin(t *Ctx, addr uintptr) uintptr {
	if addr != 0 {
		thread.Of(t).Th.Pin(addr)
	}
	return addr
}

// Unpin is @uvm.native.unpin.
func Unpin(t *Ctx, addr uintptr) {
	if addr != 0 && !thread.Of(t).Th.Unpin(addr) {
		Fail(t, PinError, "", "the thread has not pinned the location")
	}
}

// GetAddr is @uvm.native.get_addr: the address of a location that is pinned.
func GetAddr(t *Ctx, addr uintptr) uintptr { return addr }

// FutexWait is @uvm.futex.wait for an int<bits> at addr (docs/language.md, "Stacks and threads").
func FutexWait(t *Ctx, addr uintptr, bits uint8, val uint64) uint32 {
	return FutexWaitTimeout(t, addr, bits, val, thread.Forever)
}

// FutexWaitTimeout is @uvm.futex.wait_timeout; ns is in nanoseconds.
func FutexWaitTimeout(t *Ctx, addr uintptr, bits uint8, val, ns uint64) uint32 {
	checkFutex(t, addr)
	checkCompared(t, addr, bits)
	return uint32(thread.Of(t).Th.Wait(addr, bits, val, ns))
}

// FutexWake is @uvm.futex.wake.
func FutexWake(t *Ctx, addr uintptr, n uint32) uint32 {
	checkFutex(t, addr)
	checkCount(t, n)
	return machine.Wake(addr, n)
}

// FutexCmpRequeue is @uvm.futex.cmp_requeue.
func FutexCmpRequeue(t *Ctx, src, dst uintptr, bits uint8, exp uint64, n uint32) uint32 {
	checkFutex(t, src)
	checkFutex(t, dst)
	checkCompared(t, src, bits)
	checkCount(t, n)
	return uint32(machine.Requeue(src, dst, bits, exp, n))
}

func checkFutex(t *Ctx, addr uintptr) {
	if addr < NullZone {
		Fail(t, FutexError, "", "the location is NULL")
	}
}

// checkCompared checks the access to the integer at a location, in programs that check accesses. Only a sandbox excludes that
// it is one of native memory.
func checkCompared(t *Ctx, addr uintptr, bits uint8) {
	switch size := uintptr(bits / 8); {
	case packages[0].Sandbox:
		CheckAccess(t, addr, size, AccessData, "")
	case current.Sanitize:
		CheckAccess(t, addr, size, AccessAny, "")
	}
}

func checkCount(t *Ctx, n uint32) {
	if int32(n) < 0 {
		Fail(t, FutexError, "", "the number of threads is negative")
	}
}

// deadlock is thread.Machine.Deadlock.
func deadlock(th *thread.Thread) {
	s := th.Stack()
	stop(s, newError(s, Deadlock, "", "all threads wait on futexes without a timeout"))
}
