package gc

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// Several threads build and check trees while collections happen, others come and go,
// sit in native code, poll in loops, or swap stacks.
func TestThreads(t *testing.T) { mixThreads(t, 9, 60) }

func TestLongThreads(t *testing.T) {
	longtest.Only(t)
	mixThreads(t, 12, 150)
}

func mixThreads(t *testing.T, depth, rounds int) {
	t.Helper()
	for _, d := range []Debug{{}, {GCVerify: true, ClobberFree: true, GCStress: 5000}} {
		h := testHeap(t, Options{HeapLimit: 128 << 20, Debug: d}, nodeType)
		h.parallelFrom = 0
		if d.GCStress != 0 {
			depth, rounds = 9, 60
		}
		var workers sync.WaitGroup
		for range 4 {
			workers.Go(func() { treeWorker(t, h, depth, rounds) })
		}
		var stop atomic.Bool
		var idle sync.WaitGroup
		idle.Go(func() { // in native code all the time, its root must be kept
			c := testThread(t, h)
			fp := pushFrame(c, 1, 0)
			store(fp+8, muTree(c, 5))
			c.Th.EnterSafe()
			for !stop.Load() {
				time.Sleep(time.Millisecond)
			}
			c.Th.LeaveSafe()
			if n := muCount(load(fp + 8)); n != 63 {
				t.Errorf("idle thread: %d nodes", n)
			}
			c.Th.EnterSafe()
			c.Th.Exit()
		})
		idle.Go(func() { // in C and out again, saying so as C does where there is no barrier
			c := testThread(t, h)
			for !stop.Load() {
				fp := pushFrame(c, 1, 0)
				store(fp+8, muTree(c, 3))
				for f := range uintptr(20) {
					atomic.StoreUintptr(&c.Native.Func, 1+f)
					if w := &h.world; w.stopping.Load() != 0 {
						w.mu.Lock()
						w.cond.Broadcast()
						w.mu.Unlock()
					}
					runtime.Gosched()
					atomic.StoreUintptr(&c.Native.Func, 0)
					if h.world.stopping.Load() != 0 {
						c.Native.Resume()
					}
				}
				if n := muCount(load(fp + 8)); n != 15 {
					t.Errorf("thread in C: %d nodes", n)
				}
				c.SP = fp
			}
			c.Th.EnterSafe()
			c.Th.Exit()
			c.Free()
		})
		idle.Go(func() { // a loop with a poll only
			c := testThread(t, h)
			for !stop.Load() {
				for range 1000 {
					if atomic.LoadUint32(&c.Poll) != 0 {
						c.Safepoint()
					}
				}
				runtime.Gosched()
			}
			c.Th.EnterSafe()
			c.Th.Exit()
		})
		idle.Go(func() { // threads that come and go
			for !stop.Load() {
				c := testThread(t, h)
				muTree(c, 6)
				c.Th.EnterSafe()
				c.Th.Exit()
				c.Free()
				runtime.Gosched() // nobody else has a turn on wasm
			}
		})
		idle.Go(func() { // collections from outside
			for !stop.Load() {
				h.collect(nil, "outside", true)
				time.Sleep(2 * time.Millisecond)
			}
		})
		workers.Wait()
		stop.Store(true)
		idle.Wait()
		if n := h.stacks.inUse(0); n > 2 {
			t.Errorf("%d stacks left", n)
		}
		t.Logf("%d collections, %v paused, %v at most", h.stats.Collections, h.stats.PauseTotal, h.stats.PauseMax)
	}
}

// treeWorker builds trees and swaps between two stacks, each of which holds one.
func treeWorker(t *testing.T, h *heap, depth, rounds int) {
	c := testThread(t, h)
	th := c.Th
	other := h.newCtx()
	fp := pushFrame(c, 2, 0)
	f2 := pushFrame(other, 1, 0)
	done := false
	h.registerRoots(func(visit func(uintptr)) { // what is not bound is a root only so
		if !done {
			visit(load(f2 + 8))
			visit(load(fp + 8))
			visit(load(fp + 16))
		}
	})
	for i := range rounds {
		store(fp+8, muTree(c, depth))
		th.Bind(other)
		store(f2+8, muTree(other, depth-2))
		th.Bind(c)
		store(fp+16, muTree(c, depth-1))
		if a, b, d := muCount(load(fp+8)), muCount(load(f2+8)), muCount(load(fp+16)); a != 2<<depth-1 || b != 2<<(depth-2)-1 || d != 2<<(depth-1)-1 {
			t.Errorf("round %d: %d %d %d nodes", i, a, b, d)
			break
		}
		if i%16 == 0 {
			th.EnterSafe()
			runtime.Gosched()
			th.LeaveSafe()
		}
	}
	done = true
	th.EnterSafe()
	th.Exit()
	c.Free()
	other.Free()
}
