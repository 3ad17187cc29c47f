package gc

import (
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/race"
)

// A thread is safe, too, while the context of its stack says that it is in C: Native.Func is not 0.
// C code that a thread calls sets it, to the function's address on the way in and to 0 on the way
// out and in a callback, because a store in C is cheaper than EnterSafe and LeaveSafe: it needs no
// fence. The pattern is still "write mine, then read yours" on both sides (see the top of
// thread.go); the fence on the side of the threads is replaced by one that the collector makes all
// of them execute, Barrier, between its own write and read. Where there is no Barrier, C has to
// fence.

// Barrier, if not nil, makes every OS thread of the process that is running execute a
// memory fence. SetBarrier sets it, before the first thread.
var Barrier func()

// notice is the word that C looks at after it has changed a state: 0 means that there is nothing
// else to do. The collector sets noticeStopping together with world.stopping.
//
// C looks at a copy, a variable of its own, whose address it knows when it is linked. Copies are
// added before the first thread; all change where the collector holds world.mu, or before.
var notice struct {
	bits   uint32
	copies []*atomic.Uint32
}

const (
	noticeStopping = 1 << iota // the world is to stop: WakeCollector or Resume
	noticeFence                // there is no Barrier: fence, then look again
)

func init() { notice.bits = noticeFence }

// setNotice sets and clears bits.
func setNotice(set, clear uint32) {
	notice.bits = notice.bits&^clear | set
	for _, c := range notice.copies {
		c.Store(notice.bits)
	}
}

// AddNotice adds a copy, before the first thread.
func AddNotice(c *atomic.Uint32) {
	notice.copies = append(notice.copies, c)
	c.Store(notice.bits)
}

// SetBarrier sets Barrier. From then on C need not fence.
func SetBarrier(barrier func()) {
	Barrier = barrier
	setNotice(0, noticeFence)
}

// Native is what the C code that a stack calls shares with the runtime. Generated C code has
// the same struct. It is part of the context, which Go does not move.
type Native struct {
	Func   uintptr // the C function that the stack is in, 0 for none: then its thread is safe; of C
	Result uint64  // what it returned, if a scalar: of C until the call is over, then of the caller
	Errno  int32   // errno of native code on the stack
}

// OfNative returns the context that n is part of.
//
//go:norace
//go:nocheckptr
func OfNative(n *Native) *Ctx {
	return (*Ctx)(unsafe.Add(unsafe.Pointer(n), -int(unsafe.Offsetof(Ctx{}.Native))))
}

// WakeCollector makes the collector look at the states again.
func WakeCollector() { program.world.wake() }

// ToC and FromC tell the race detector, which does not see what C does, that the collector
// sees what a stack did before it went to C, and the stack what the collector did. They
// are called before and after calls of C, and in the opposite order inside callbacks.

// ToC says that a stack enters C.
func (c *Ctx) ToC() { race.Release(unsafe.Pointer(&c.Native)) }

// FromC says that it is back.
func (c *Ctx) FromC() {
	if race.Enabled {
		c.h.world.stopping.Load()
	}
}

// Resume is the rest of LeaveSafe after C has stored that the thread runs and then seen
// noticeStopping.
func (n *Native) Resume() { OfNative(n).Th.LeaveSafe() }
