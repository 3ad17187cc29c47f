package gc

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/immix"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
	"github.com/uvm2go/uvm2go/rtlib/internal/race"
)

// How the world is stopped:
//
//  1. The collector makes its own thread safe and takes heap.gcMu.
//  2. It takes world.mu, sets world.stopping and trips the context of each running
//     thread: Limit = 0, Poll = tripped. It does not touch the allocation window, which its
//     owner updates without atomics; every NewSlow looks at world.stopping, and a window
//     is 8 KB at most before NewSlow is called.
//  3. Running threads come to a safepoint, become safe, wake the collector and wait.
//     Those that were safe stay so: LeaveSafe looks at stopping after it said "running",
//     and goes back if it is set.
//  4. The collector waits until all are safe. Everything that a thread wrote before it
//     said "safe" is then seen by the collector, and what the collector writes before it
//     clears stopping is seen by the threads that continue.
//  5. To start it: limits and polls are set right, stopping is cleared, all are woken.
//
// The races are of the pattern "write mine, then read yours" with sequentially
// consistent operations on both sides. A context's owner sets Limit and then looks at
// stopping; the collector sets stopping and then Limit to 0: either the owner sees it
// and comes to the safepoint, or the 0 is the last value written. Bind stores the context
// and then looks at stopping; the collector sets stopping and then reads the context.
//
// Where Bind stores the context without a fence (lateBind) the thread may look at stopping before
// the store is seen: then neither sees the other, and the collector trips a context that the thread
// has left. That does no harm, a poll that finds nothing to wait for takes it back; but the new one
// has to be tripped, too. With a Barrier (foreign.go) between the two accesses of the collector it
// cannot happen. Without one, the collector reads the contexts again some time later, until all
// threads are safe: no store stays invisible for ever. Other accesses stay in order: whoever sees that
// a thread is safe sees its context, and whoever can bind the context that was left sees that it was.

// world is all the threads of a heap, which can be stopped together.
type world struct {
	stopping atomic.Uint32 // 1 from the request to stop until the world continues

	mu      sync.Mutex  // held during a collection
	cond    sync.Cond   // of mu: a thread became safe, or stopping was cleared
	threads []*Thread   // guarded by mu
	again   *time.Timer // runs tripLate; guarded by mu
}

func (w *world) init() { w.cond.L = &w.mu }

// Thread states.
const (
	stateSafe = iota
	stateRunning
)

// Thread is a Mu thread as the collector sees it. It is running (it may touch the heap,
// and a collection waits until it comes to a safepoint) or safe (blocked, in native code,
// in the client: it does not touch the heap, and collections do not wait for it). It is
// not tied to a goroutine.
type Thread struct {
	h     *heap
	state atomic.Uint32
	ctx   atomic.Pointer[Ctx] // what it executes; changed by the thread itself while running

	broken atomic.Bool // see Break

	alloc  immix.Allocator // used by the thread while running, reset by the collector
	long   mem.Address     // next free byte of alloc's block for long objects
	parked window          // the window, while the thread is bound to no stack
	hidden window          // the window, where contexts do not get it: gcstress
	allocs uint64          // allocations since the last collection by gcstress

	unsampled float64 // bytes before the next sample, if sampling
	sampling  bool    // see Thread.use
}

// window is zeroed memory for objects.
type window struct{ Cur, End mem.Address }

// window returns the thread's window, c being its context.
func (th *Thread) window(c *Ctx) window {
	if th.h.opts.Debug.GCStress != 0 {
		return th.hidden
	}
	return window{mem.Address(c.Cur), mem.Address(c.End)}
}

func (th *Thread) setWindow(c *Ctx, w window) {
	if th.h.opts.Debug.GCStress != 0 {
		th.hidden = w
		return
	}
	c.Cur, c.End = uintptr(w.Cur), uintptr(w.End)
}

// NewThread registers a thread, in the state safe and bound to no stack.
func NewThread() *Thread { return program.newThread() }

func (h *heap) newThread() *Thread {
	th := &Thread{h: h}
	th.alloc.Space = h.space
	h.world.mu.Lock()
	defer h.world.mu.Unlock()
	h.world.threads = append(h.world.threads, th)
	return th
}

// Exit unregisters a thread, which must be safe. Its context, if any, is unbound.
func (th *Thread) Exit() {
	w := &th.h.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := th.ctx.Load(); c != nil {
		c.Th, c.Cur, c.End = nil, 0, 0
		th.ctx.Store(nil)
	}
	if i := slices.Index(w.threads, th); i >= 0 {
		w.threads = slices.Delete(w.threads, i, i+1)
	}
	w.cond.Broadcast()
}

// Ctx returns the context of the stack the thread is bound to, nil when there is none.
func (th *Thread) Ctx() *Ctx { return th.ctx.Load() }

// Bind makes c the stack that the thread executes, nil for none. The allocation window
// moves along. The thread must be running.
func (th *Thread) Bind(c *Ctx) {
	old := th.ctx.Load()
	if old == c {
		return
	}
	if old != nil {
		th.parked = window{mem.Address(old.Cur), mem.Address(old.End)}
		old.Cur, old.End = 0, 0
	}
	if c != nil {
		c.Th = th
		c.Cur, c.End = uintptr(th.parked.Cur), uintptr(th.parked.End)
		th.parked = window{}
	}
	th.setCtx(c)
	if c != nil && (th.h.world.stopping.Load() != 0 || th.broken.Load()) {
		c.trip()
	}
}

// Switch is Bind for a thread that is bound to old and goes to another stack. The thread has to
// Notice then.
func (th *Thread) Switch(old, c *Ctx) {
	c.Cur, c.End = old.Cur, old.End
	old.Cur, old.End = 0, 0
	if c.Th != th {
		c.Th = th
	}
	th.setCtx(c)
}

// Notice ends what Switch began.
func (th *Thread) Notice(c *Ctx) {
	if th.h.world.stopping.Load() != 0 {
		c.trip()
	}
}

// bound reports whether a thread is bound to the stack, which is the caller's, or at rest and nobody
// else can bind it.
func (c *Ctx) bound() bool { return c.Th != nil && c.Th.ctx.Load() == c }

// EnterSafe makes a running thread safe.
func (th *Thread) EnterSafe() {
	th.state.Store(stateSafe)
	if w := &th.h.world; w.stopping.Load() != 0 {
		w.wake()
	}
}

// wake wakes the collector, and what waits for it.
func (w *world) wake() {
	w.mu.Lock()
	w.cond.Broadcast()
	w.mu.Unlock()
}

// LeaveSafe makes a safe thread running; it waits while the world is stopped.
func (th *Thread) LeaveSafe() {
	th.state.Store(stateRunning)
	if th.h.world.stopping.Load() != 0 {
		th.leaveLate()
	}
}

// leaveLate is LeaveSafe for a thread that has said that it runs while the world is to stop.
func (th *Thread) leaveLate() {
	w := &th.h.world
	for {
		th.state.Store(stateSafe)
		w.mu.Lock()
		w.cond.Broadcast()
		for w.stopping.Load() != 0 {
			w.cond.Wait()
		}
		w.mu.Unlock()
		th.state.Store(stateRunning)
		if w.stopping.Load() == 0 {
			return
		}
	}
}

// Break makes the thread call Broken at its next safepoint, a poll or a call, and at each one after until Mend. Any
// thread may call it. It should be repeated until it has an effect: a stack that the thread goes to meanwhile does not
// know of it.
func (th *Thread) Break() {
	th.broken.Store(true)
	if c := th.ctx.Load(); c != nil {
		c.trip()
	}
}

// Mend undoes Break.
func (th *Thread) Mend() { th.broken.Store(false) }

// IsBroken reports whether there was a Break, and no Mend.
func (th *Thread) IsBroken() bool { return th.broken.Load() }

// Heed calls Broken after Break: what the thread, which is running and the caller's, waited for has ended.
func (th *Thread) Heed() {
	if th.broken.Load() {
		if c := th.ctx.Load(); c != nil {
			c.heed()
		}
	}
}

// Broken is called at a safepoint of a thread after Break, on the goroutine of the thread. It may not return. Set
// before the first thread.
var Broken = func(*Ctx) {}

// heed calls Broken if that is wanted.
func (c *Ctx) heed() {
	if th := c.Th; th != nil && th.broken.Load() && c.bound() {
		c.args = c.args[:0]
		Broken(c)
	}
}

// Safe reports whether the thread, which is the caller's, has entered a safe region and not left it.
func (th *Thread) Safe() bool { return th.state.Load() == stateSafe }

// stop stops the world and leaves mu locked.
func (w *world) stop() {
	w.mu.Lock()
	w.stopping.Store(1)
	setNotice(noticeStopping, 0)
	if Barrier != nil {
		Barrier()
	}
	w.trip()
	if w.allSafe() {
		return
	}
	if lateBind && Barrier == nil {
		if w.again == nil {
			w.again = time.AfterFunc(tripAgain, w.tripLate)
		} else {
			w.again.Reset(tripAgain)
		}
		defer w.again.Stop()
	}
	for !w.allSafe() {
		w.cond.Wait()
	}
}

// tripAgain is how long the collector waits before it trips contexts again.
const tripAgain = 100 * time.Microsecond

// trip trips what the running threads execute. The caller holds mu.
func (w *world) trip() {
	for _, th := range w.threads {
		if c := th.ctx.Load(); c != nil && !th.safe() {
			c.trip()
		}
	}
}

// tripLate trips contexts that were bound late, again and again until all threads are safe.
func (w *world) tripLate() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopping.Load() != 0 && !w.allSafe() {
		w.trip()
		w.again.Reset(tripAgain)
	}
}

// safe reports whether the thread is safe. The world is stopping, so a stack that leaves C does not
// get far; and a stack that is in C and was the thread's before and after that check is the thread's.
func (th *Thread) safe() bool {
	if th.state.Load() == stateSafe {
		return true
	}
	c := th.ctx.Load()
	if c == nil || atomic.LoadUintptr(&c.Native.Func) == 0 || th.ctx.Load() != c {
		return false
	}
	race.Acquire(unsafe.Pointer(&c.Native))
	return true
}

func (w *world) allSafe() bool {
	for _, th := range w.threads {
		if !th.safe() {
			return false
		}
	}
	return true
}

// start lets the world continue and unlocks mu.
func (w *world) start() {
	for _, th := range w.threads {
		if c := th.ctx.Load(); c != nil {
			c.untrip()
			if th.broken.Load() {
				c.trip()
			}
		}
	}
	w.stopping.Store(0)
	setNotice(0, noticeStopping)
	w.cond.Broadcast()
	w.mu.Unlock()
}

// crowded reports whether there is more than one thread.
func (w *world) crowded() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.threads) > 1
}

// resetWindows takes the allocation windows away from all threads. The world is stopped.
func (w *world) resetWindows() {
	for _, th := range w.threads {
		th.alloc.Reset()
		th.long, th.parked, th.hidden = 0, window{}, window{}
		if c := th.ctx.Load(); c != nil {
			c.Cur, c.End = 0, 0
		}
	}
}

// Safepoint lets a pending collection happen; a poll calls it when Poll is not 0. On a
// stack that no thread is bound to it does nothing: another thread is changing the frames
// of the stack and will come to a safepoint of its own.
//
// Where Go does not preempt, all polls call it: it counts, and lets other threads run.
func (c *Ctx) Safepoint() {
	if cooperative && c.Poll == quiet {
		if c.turn--; c.turn >= 0 {
			return
		}
	}
	c.safepoint()
	c.heed()
}

// safepoint is Safepoint for a caller that must get control back.
func (c *Ctx) safepoint() {
	if cooperative {
		c.turn = turnLength
		runtime.Gosched()
	}
	if !c.bound() {
		c.untrip()
		return
	}
	w := &c.h.world
	for {
		if w.stopping.Load() != 0 {
			c.Th.EnterSafe()
			c.Th.LeaveSafe()
		}
		if cooperative && restDue() {
			c.Th.EnterSafe()
			rest()
			c.Th.LeaveSafe()
		}
		c.untrip()
		if w.stopping.Load() == 0 {
			return
		}
	}
}
