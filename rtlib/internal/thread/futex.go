package thread

import (
	"math"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Results of waiting (docs/language.md, "Stacks and threads").
const (
	Woken    = 0
	NotEqual = -1
	TimedOut = -3
)

// Forever is a timeout that never comes, as any of 1<<63 or more.
const Forever = math.MaxUint64

const futexBuckets = 256

// bucket holds the queues of some addresses. The load and comparison of a wait happen
// under mu. A waker must take mu, too, unless there are no waiters: a waiter increments
// waiters before its load; a waker reads it, by a read-modify-write, after its store. The
// two operations on waiters are ordered, so either the waker sees the waiter or the waiter
// sees what was stored.
type bucket struct {
	waiters atomic.Int32
	mu      sync.Mutex
	queues  map[uintptr]*queue // guarded by mu; none is empty
	_       [40]byte           // to a cache line of its own
}

// queue is the waiting queue of an address, oldest first.
type queue struct{ first, last *waiter }

// waiter is a thread's part in a queue. A thread waits in one at a time.
type waiter struct {
	th     *Thread
	sem    chan struct{}
	timed  bool
	blamed atomic.Bool            // it is to report that all threads wait
	addr   atomic.Uintptr         // a root; written under the mutex of its bucket, and 0 by the thread when it runs again
	bucket atomic.Pointer[bucket] // nil when not queued; written likewise
	next   *waiter                // guarded by the mutex of the bucket
	prev   *waiter                // guarded by the mutex of the bucket

	pausing atomic.Bool // the thread waits in Pause, and nobody has cut that
}

func (w *waiter) init(th *Thread) { w.th, w.sem = th, make(chan struct{}, 1) }

func (q *queue) push(w *waiter) {
	w.prev, w.next = q.last, nil
	if q.last != nil {
		q.last.next = w
	} else {
		q.first = w
	}
	q.last = w
}

// bucketOf returns the bucket of an address, and its number.
func (m *Machine) bucketOf(addr uintptr) (*bucket, uint64) {
	n := uint64(addr) * 0x9e3779b97f4a7c15 >> 56
	return &m.futex[n%futexBuckets], n
}

// add puts w at the end of the queue of addr. The caller holds mu.
func (b *bucket) add(w *waiter, addr uintptr) {
	q := b.queues[addr]
	if q == nil {
		if b.queues == nil {
			b.queues = map[uintptr]*queue{}
		}
		q = &queue{}
		b.queues[addr] = q
	}
	w.addr.Store(addr)
	w.bucket.Store(b)
	q.push(w)
}

// unlink takes w out of the queue of addr. The caller holds mu.
func (b *bucket) unlink(w *waiter, addr uintptr) {
	q := b.queues[addr]
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		q.first = w.next
	}
	if w.next != nil {
		w.next.prev = w.prev
	} else {
		q.last = w.prev
	}
	if q.first == nil {
		delete(b.queues, addr)
	}
	w.next, w.prev = nil, nil
	b.waiters.Add(-1)
}

// remove takes w out of its queue. The caller holds mu.
func (b *bucket) remove(w *waiter) {
	b.unlink(w, w.addr.Load())
	w.bucket.Store(nil)
}

// load reads an integer of 8, 16, 32 or 64 bits, sequentially consistent. Short ones are
// read with the aligned word around them, so addr must be aligned to its size.
//
//go:norace
//go:nocheckptr
func load(addr uintptr, bits uint8) uint64 {
	if bits == 64 {
		return mem.AtomicLoad64(mem.Address(addr))
	}
	word := atomic.LoadUint32(mem.At[uint32](mem.Address(addr &^ 3)))
	at := unsafe.Add(unsafe.Pointer(&word), addr&3)
	switch bits {
	case 8:
		return uint64(*(*uint8)(at))
	case 16:
		return uint64(*(*uint16)(at))
	case 32:
		return uint64(word)
	}
	panic("futex of " + strconv.Itoa(int(bits)) + " bits")
}

// Wait waits until it is woken, if the integer at addr equals val, and returns Woken, NotEqual or
// TimedOut. ns is the timeout in nanoseconds.
func (th *Thread) Wait(addr uintptr, bits uint8, val, ns uint64) int32 {
	m, w := th.m, &th.wait
	load(addr, bits) // a fault must not come under the lock
	b, _ := m.bucketOf(addr)
	b.waiters.Add(1)
	b.mu.Lock()
	if load(addr, bits) != val {
		b.waiters.Add(-1)
		b.mu.Unlock()
		return NotEqual
	}
	if ns == 0 {
		b.waiters.Add(-1)
		b.mu.Unlock()
		return TimedOut
	}
	w.timed = ns < 1<<63
	b.add(w, addr)
	stuck := false
	if !w.timed && th.counted {
		stuck = m.stuck(m.counts.Add(1))
	}
	b.mu.Unlock()
	if stuck {
		m.blame()
	}
	th.gc.EnterSafe()
	result := w.sleep(ns)
	th.gc.LeaveSafe()
	if w.blamed.Load() {
		m.Deadlock(th)
	}
	w.addr.Store(0)
	th.gc.Heed()
	return result
}

// sleep waits for the semaphore or the timeout.
func (w *waiter) sleep(ns uint64) int32 {
	if !w.timed {
		<-w.sem
		return Woken
	}
	th := w.th
	th.startTimer(time.Duration(ns))
	select {
	case <-w.sem:
		th.timer.Stop()
		return Woken
	case <-th.timer.C:
	}
	for {
		b := w.bucket.Load()
		if b == nil {
			<-w.sem // woken at the same time
			return Woken
		}
		b.mu.Lock()
		if w.bucket.Load() == b {
			b.remove(w)
			b.mu.Unlock()
			return TimedOut
		}
		b.mu.Unlock() // it was moved, or woken
	}
}

// wakeUp ends the wait of w, which has been removed.
func (w *waiter) wakeUp() {
	if !w.timed && w.th.counted {
		w.th.m.counts.Add(^uint64(0))
	}
	w.sem <- struct{}{}
}

// Wake wakes the first n waiters at addr and returns how many there were.
func (m *Machine) Wake(addr uintptr, n uint32) uint32 {
	b, _ := m.bucketOf(addr)
	if b.waiters.Add(0) == 0 {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.wake(addr, n)
}

// wake is Wake for callers that hold mu.
func (b *bucket) wake(addr uintptr, n uint32) uint32 {
	woken := uint32(0)
	for ; woken < n; woken++ {
		q := b.queues[addr]
		if q == nil {
			break
		}
		w := q.first
		b.remove(w)
		w.wakeUp()
	}
	return woken
}

// Requeue wakes the first n waiters at src and moves the rest to dst, if the integer
// at src equals expected. It returns how many it woke, or NotEqual.
func (m *Machine) Requeue(src, dst uintptr, bits uint8, expected uint64, n uint32) int32 {
	load(src, bits)
	a, i := m.bucketOf(src)
	b, j := m.bucketOf(dst)
	first, second := a, b
	if i > j {
		first, second = b, a
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	if a != b {
		second.mu.Lock()
		defer second.mu.Unlock()
	}
	if load(src, bits) != expected {
		return NotEqual
	}
	woken := a.wake(src, n)
	if src == dst {
		return int32(woken)
	}
	for q := a.queues[src]; q != nil; q = a.queues[src] {
		w := q.first
		a.unlink(w, src)
		b.waiters.Add(1)
		b.add(w, dst)
	}
	return int32(woken)
}

// blame makes one of the threads report that all wait, the same one whichever waited last: the one
// with the lowest number, among those that Go callers wait for if there are any. There must be a
// thread.
func (m *Machine) blame() {
	m.mu.Lock()
	var who *Thread
	for _, th := range m.threads {
		if !th.counted || th.wait.bucket.Load() == nil {
			continue
		}
		if who == nil || th.HasCaller() && !who.HasCaller() || th.HasCaller() == who.HasCaller() && th.Number < who.Number {
			who = th
		}
	}
	m.mu.Unlock()
	who.wait.blamed.Store(true)
	who.wait.sem <- struct{}{}
}

// stuck reports whether all started threads wait without a timeout, n being counts.
func (m *Machine) stuck(n uint64) bool {
	started, waiting := n>>32, n&(1<<32-1)
	return started > 0 && waiting == started && m.Detect.Load()
}

// Waiting returns the number of threads that wait at addr.
func (m *Machine) Waiting(addr uintptr) int {
	b, _ := m.bucketOf(addr)
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	if q := b.queues[addr]; q != nil {
		for w := q.first; w != nil; w = w.next {
			n++
		}
	}
	return n
}
