package gc

import (
	"syscall/js"
	"testing"
	"time"
)

// Threads that wait in loops with polls must leave time for what the host does in the background.
func TestRest(t *testing.T) {
	h := testHeap(t, Options{})
	done := make(chan struct{})
	came := false
	event := js.FuncOf(func(js.Value, []js.Value) any { came = true; return nil })
	defer event.Release()
	begin := time.Now()
	for range 3 {
		go func() {
			c := testThread(t, h)
			for !came && time.Since(begin) < 10*time.Second {
				for range 100 {
					if c.Poll != 0 {
						c.Safepoint()
					}
				}
			}
			c.Th.EnterSafe()
			c.Th.Exit()
			done <- struct{}{}
		}()
	}
	js.Global().Call("setTimeout", event, 5)
	for range 3 {
		<-done
	}
	if !came {
		t.Fatal("threads that poll keep an event of the host away")
	}
}
