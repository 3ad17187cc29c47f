package thread

import (
	"slices"
	"time"
)

// The end of what a Go caller has called, before it returns.
//
// Break asks the thread that the caller waits for. A thread that runs comes to a safepoint; one that waits for a futex
// or pauses is woken. After that it calls Machine.Broken. What does not wait in the runtime, such as C, is left alone.

// Break makes the thread whose end ends the Run on a home stack call Broken at its next safepoint, and ends its wait. It
// returns the thread, nil if there is none. It should be repeated until it has an effect, as gc.Thread.Break.
func (m *Machine) Break(s *Stack) *Thread {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, th := range m.threads {
		if slices.Contains(th.homes, s) {
			th.gc.Break()
			th.wait.cut()
			return th
		}
	}
	return nil
}

// Mend undoes Break, unless the thread ends anyway because its group was closed.
func (th *Thread) Mend() {
	th.m.mu.Lock()
	defer th.m.mu.Unlock()
	if !th.group.Closed() {
		th.gc.Mend()
	}
}

// Heed calls Broken after Break. The thread is running, and the caller's.
func (th *Thread) Heed() { th.gc.Heed() }

// cut ends a wait.
func (w *waiter) cut() {
	if w.pausing.CompareAndSwap(true, false) {
		w.sem <- struct{}{}
		return
	}
	for b := w.bucket.Load(); b != nil; b = w.bucket.Load() {
		b.mu.Lock()
		if w.bucket.Load() == b { // or it was moved, or woken
			b.remove(w)
			w.wakeUp()
		}
		b.mu.Unlock()
	}
}

// Pause waits, for a native, until the time is over; true if Break came first. The thread is safe.
func (th *Thread) Pause(d time.Duration) (cut bool) {
	w := &th.wait
	w.pausing.Store(true)
	if th.gc.IsBroken() {
		d = 0
	}
	th.startTimer(d)
	select {
	case <-w.sem:
		th.timer.Stop()
	case <-th.timer.C:
		if !w.pausing.CompareAndSwap(true, false) {
			<-w.sem // cut at the same time
		}
	}
	return th.gc.IsBroken()
}

// startTimer sets the timer of the thread.
func (th *Thread) startTimer(d time.Duration) {
	if th.timer == nil {
		th.timer = time.NewTimer(d)
	} else {
		th.timer.Reset(d)
	}
}
