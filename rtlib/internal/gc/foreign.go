package gc

import (
	"sync/atomic"
	"unsafe"
)

// C code that a thread calls changes the thread's state itself, because a store in C is
// cheaper than EnterSafe and LeaveSafe: it needs no fence. The pattern is still "write mine,
// then read yours" on both sides (see the top of thread.go); the fence on the side of the
// threads is replaced by one that the collector makes all of them execute, Barrier, between
// its own write and read. Where there is no Barrier, C has to fence.

// Barrier, if not nil, makes every OS thread of the process that is running execute a
// memory fence. SetBarrier sets it, before the first thread.
var Barrier func()

// notice is what C looks at after it has changed a state: 0 means that there is nothing else
// to do. The collector sets noticeStopping together with world.stopping.
var notice atomic.Uint32

const (
	noticeStopping = 1 << iota // the world is to stop: WakeCollector or Resume
	noticeFence                // there is no Barrier: fence, then look again
)

func init() { notice.Store(noticeFence) }

// SetBarrier sets Barrier. From then on C need not fence.
func SetBarrier(barrier func()) {
	Barrier = barrier
	notice.And(^uint32(noticeFence))
}

// NoticeAddr is where notice is, a uint32, for C.
func NoticeAddr() uintptr { return uintptr(unsafe.Pointer(&notice)) }

// Native is what the C code that a stack calls shares with the runtime. Generated C code has
// the same struct. It is part of the context, which Go does not move.
type Native struct {
	State  uintptr // where the state of the thread is that the stack is bound to, a uint32; set by Bind
	Func   uintptr // the C function that is being called
	Result uint64  // what it returned, if a scalar: of C until the call is over, then of the caller
	Errno  int32   // errno of native code on the stack
}

// OfNative returns the context that n is part of.
func OfNative(n *Native) *Ctx {
	return (*Ctx)(unsafe.Add(unsafe.Pointer(n), -int(unsafe.Offsetof(Ctx{}.Native))))
}

// WakeCollector makes the collector look at the states again.
func WakeCollector() {
	w := &program.world
	w.mu.Lock()
	w.cond.Broadcast()
	w.mu.Unlock()
}

// Resume is the rest of LeaveSafe after C has stored that the thread runs and then seen
// noticeStopping.
func (n *Native) Resume() { OfNative(n).Th.LeaveSafe() }
