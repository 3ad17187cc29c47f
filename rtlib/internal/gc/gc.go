// Package gc is the managed heap: type descriptors, allocation, the shadow and alloca
// stacks, and a stop-the-world mark-region collector that does not move objects
// (docs/internals.md, "The collector"; docs/language.md, "Memory").
//
// It does not implement threads: it only stops them, and uses stacks as roots. Objects
// that represent stacks and threads have a word that hooks of package thread interpret.
//
// # A collection
//
//  1. A collection is requested: an allocation found that the amount allocated since the
//     last one has reached the trigger, or that memory is at its limit; or Collect was called.
//  2. The world stops (thread.go). Allocation windows are taken away from all threads.
//  3. Roots: globals, the contexts of all threads, what registered functions visit. A
//     context gives the root words of its frames, the exception, transfer references and
//     alloca cells. A root is an arbitrary address; the object it belongs to is looked up
//     (immix.Find).
//  4. Marking (mark.go): one worker, and one for each processor if that finds many live
//     objects. A worker marks an object, by a bit in a side table, before it puts it on its
//     stack, and traces it by its type when it takes it off. Workers with much work share
//     it with idle ones.
//  5. Objects of other kinds than Plain call the hook of their kind when they are traced;
//     so the frames of a suspended stack are roots only if its object is reachable.
//  6. Weak references found during marking are cleared if their objects are not marked.
//  7. Dead objects that represent stacks, threads and cursors are recorded.
//  8. The sweep (immix.Sweep): blocks are sorted into free, recyclable and full by their
//     mark bits; unmarked large objects are freed. The mark bits now say where objects
//     start.
//  9. Memory that the next cycle will not need goes back to the system. The trigger is set
//     in proportion to the live bytes.
//  10. The hook for the dead objects of step 7 is called.
//  11. The world is started again.
//
// With gcverify=1 a second, simple marker checks the heap after steps 2 and 8 (verify.go).
package gc

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

const (
	// minTrigger is the least that is allocated between two collections.
	minTrigger = 32 << 20
	// A collection is due when as many bytes were allocated as were live, plus as many again
	// up to maxExtra: for small heaps memory is cheaper than marking.
	maxExtra = 128 << 20
	// One goroutine marks as long as it has found no more than this alive.
	parallelLive = 16 << 20
	maxWorkers   = 16
)

// HeapStats is what Stats returns.
type HeapStats struct {
	Collections uint64
	PauseTotal  time.Duration
	PauseMax    time.Duration
	Allocated   uint64 // bytes handed out for objects since the start
	Live        uint64 // bytes found live by the last collection
	Objects     uint64 // objects found live by the last collection
	Heap        uint64 // bytes of memory that the heap holds now
	Limit       uint64 // the most it may hold
}

// Stats returns figures about the heap.
func Stats() HeapStats { return program.snapshot() }

func (h *heap) snapshot() HeapStats {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.stats
	s.Allocated += h.space.Fresh.Load()
	s.Heap = h.space.Held()
	return s
}

// Collections is how many collections there were.
func Collections() uint64 { return uint64(program.seq.Load()) }

// Collect collects now. c is the context of the calling thread, which must be running;
// nil when the caller is not a running Mu thread.
func Collect(c *Ctx, reason string) {
	h := program
	if c != nil {
		h = c.h
	}
	h.collect(c, reason, true)
}

// collect collects, unless another thread did so while this one waited for its turn and
// always is not set.
func (h *heap) collect(c *Ctx, reason string, always bool) {
	seq := h.seq.Load()
	if c != nil {
		c.Th.EnterSafe()
	}
	h.gcMu.Lock()
	if always || seq == h.seq.Load() {
		h.world.stop()
		for _, l := range h.holders {
			l.Lock()
		}
		h.collectStopped(reason)
		for _, l := range h.holders {
			l.Unlock()
		}
		h.seq.Add(1)
		h.world.start()
	}
	h.gcMu.Unlock()
	if c != nil {
		c.Th.LeaveSafe()
	}
}

// Exclusive runs f with the world stopped; c is the running context. f does not use the
// heap.
func Exclusive(c *Ctx, f func()) {
	c.Th.EnterSafe()
	c.h.stopped(f)
	c.Th.LeaveSafe()
}

// Stopped is Exclusive for a goroutine that is no running thread.
func Stopped(f func()) { program.stopped(f) }

func (h *heap) stopped(f func()) {
	h.gcMu.Lock()
	defer h.gcMu.Unlock()
	h.world.stop()
	f()
	h.world.start()
}

// collectStopped does the work with the world stopped.
func (h *heap) collectStopped(reason string) {
	begin := time.Now()
	h.world.resetWindows()
	before := h.space.Fresh.Load() + h.stats.Live
	if h.opts.Debug.GCVerify {
		h.space.WalkFresh(h.sizeOf)
		h.verify(false)
	}

	m := h.newMarking()
	m.run()
	m.clearWeak()
	if h.samples != nil {
		h.samples.sweep(m.marks.Has)
	}
	dead := h.takeDead(m)
	h.sweep(len(m.workers))

	h.mu.Lock()
	st := &h.stats
	st.Collections++
	st.Allocated += before - st.Live
	st.Live, st.Objects = m.totals()
	live := st.Live
	h.mu.Unlock()
	if h.opts.Debug.GCVerify {
		h.verify(true)
	}
	h.relax(st.Objects)
	h.pace(live)
	for _, d := range dead {
		h.kinds[d.kind].dead(d.word)
	}

	pause := time.Since(begin)
	h.mu.Lock()
	st.PauseTotal += pause
	st.PauseMax = max(st.PauseMax, pause)
	n := st.Collections
	h.mu.Unlock()
	if h.opts.Debug.GCTrace {
		fmt.Fprintf(os.Stderr, "gc %d (%s): %d -> %d bytes, heap %d, pause %v, %d mark threads\n",
			n, reason, before, live, h.space.Held(), pause.Round(time.Microsecond), len(m.workers))
	}
}

// relax makes collections by gcstress rarer in a large heap: where the last one had this many live
// objects, one at each allocation takes time with the square of their number.
func (h *heap) relax(objects uint64) {
	if h.opts.Debug.GCStress == 0 || objects <= stressedObjects {
		h.stride.Store(0)
		return
	}
	stride := objects / stressShare
	h.stride.Store(stride)
	if stride > h.opts.Debug.GCStress && !h.relaxed {
		h.relaxed = true
		fmt.Fprintf(os.Stderr, "uvm: gcstress: more than %d live objects: one collection in as many allocations as 1/%d of them\n",
			stressedObjects, stressShare)
	}
}

// pace sets the trigger for the next collection and gives back memory that will not be
// needed until then.
func (h *heap) pace(live uint64) {
	next := max(live+min(live, maxExtra), minTrigger)
	h.trigger.Store(next)
	h.space.Trim(next + next/4)
}

// sweep sweeps with n goroutines.
func (h *heap) sweep(n int) {
	w := h.space.NewSweep(h.sizeOf)
	parallel(n, func(int) { w.Work() })
	w.Finish()
}

// parallel runs f(0) ... f(n-1) at once, f(0) in the calling goroutine.
func parallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Go(func() { f(i) })
	}
	f(0)
	wg.Wait()
}

// deadWord is the payload of an object of a kind other than Plain that died.
type deadWord struct {
	kind Kind
	word uint64
}

// takeDead removes the unmarked objects from the list of those that are not Plain.
func (h *heap) takeDead(m *marking) (dead []deadWord) {
	h.mu.Lock()
	defer h.mu.Unlock()
	keep := h.special[:0]
	for _, p := range h.special {
		if m.marks.Has(p) {
			keep = append(keep, p)
			continue
		}
		k := m.layouts[mem.Load32(p-headerSize+lowHalf)].typ.Kind
		if h.kinds[k].dead != nil {
			dead = append(dead, deadWord{k, mem.Load64(p)})
		}
	}
	h.special = keep
	return dead
}
