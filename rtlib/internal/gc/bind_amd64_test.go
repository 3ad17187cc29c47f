//go:build amd64 && !race

package gc

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// A thread that goes to another stack just when the world is to stop, and does not see that, is
// found on the new one. There is no Barrier here, which only rtlib/ffi sets.
func TestLateBind(t *testing.T) {
	h := testHeap(t, Options{}, nodeType)
	c := [2]*Ctx{testThread(t, h), h.newCtx()}
	th := c[0].Th
	var stop atomic.Bool
	var thread sync.WaitGroup
	thread.Go(func() {
		for i := 0; !stop.Load(); {
			for h.world.stopping.Load() == 0 {
				if stop.Load() {
					break
				}
				runtime.Gosched()
			}
			th.Switch(c[i], c[1-i]) // and no Notice
			i = 1 - i
			for atomic.LoadUint32(&c[i].Poll) == 0 && !stop.Load() {
				runtime.Gosched()
			}
			c[i].Safepoint()
		}
		th.EnterSafe()
		th.Exit()
	})
	for range 200 {
		h.collect(nil, "test", true)
	}
	stop.Store(true)
	thread.Wait()
	c[0].Free()
	c[1].Free()
}
