package core

import (
	"encoding/binary"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// Cells are static: their addresses are numbers, which do not keep memory alive or in place.
var (
	cells     [2]uint64
	mutexCell uint32
)

const (
	woken    = 0
	notEqual = -1
	timedOut = -3
)

// waiting starts a thread that waits and sends the result.
func waiting(addr uintptr, bits uint8, val, ns uint64) chan int32 {
	c := make(chan int32, 1)
	th := machine.NewThread(nil, 0)
	s := machine.NewStack(nil, func(t *Ctx) {
		c <- int32(FutexWaitTimeout(t, addr, bits, val, ns))
	}, none)
	s.State().Bind(none, true)
	th.Start(s)
	for { // until it waits, or has not waited
		if machine.Waiting(addr) > 0 || len(c) > 0 {
			return c
		}
		time.Sleep(time.Millisecond)
	}
}

// queue starts n threads that wait at addr, in order.
func queue(t *testing.T, addr uintptr, n int) []chan int32 {
	var cs []chan int32
	for i := range n {
		c := make(chan int32, 1)
		cs = append(cs, c)
		th := machine.NewThread(nil, 0)
		s := machine.NewStack(nil, func(t *Ctx) {
			c <- int32(FutexWait(t, addr, 64, *longAt(addr)))
		}, none)
		s.State().Bind(none, true)
		th.Start(s)
		for machine.Waiting(addr) != i+1 {
			time.Sleep(time.Millisecond)
		}
	}
	return cs
}

// results says which of cs have a result; all results must be 0.
func results(t *testing.T, cs []chan int32) string {
	t.Helper()
	time.Sleep(10 * time.Millisecond)
	out := ""
	for _, c := range cs {
		select {
		case v := <-c:
			if v != woken {
				t.Errorf("result %d of a woken thread", v)
			}
			out += "x"
			c <- v
		default:
			out += "."
		}
	}
	return out
}

// withCtx runs f on a client context.
func withCtx(t *testing.T, f func(c *Ctx)) {
	t.Helper()
	c := NewThreadCtx()
	if err := Do(c, func() { f(c) }); err != nil {
		t.Error(err)
	}
	CloseThreadCtx(c)
}

// TestFutexWait is the table of wait and wait_timeout (docs/language.md, "Stacks and threads").
func TestFutexWait(t *testing.T) {
	bytes := [8]byte{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}
	*(*[8]byte)(unsafe.Pointer(&cells[0])) = bytes
	a := uintptr(unsafe.Pointer(&cells[0]))
	order := binary.NativeEndian
	word, half := order.Uint64(bytes[:]), order.Uint32(bytes[:])
	ms := uint64(time.Millisecond)
	rows := []struct {
		name string
		addr uintptr
		bits uint8
		val  uint64
		ns   uint64
		want int32
		min  time.Duration
	}{
		{"not equal", a, 64, 1, thread.Forever, notEqual, 0},
		{"not equal, timeout", a, 64, 1, 1000 * ms, notEqual, 0},
		{"not equal, zero timeout", a, 64, 1, 0, notEqual, 0},
		{"equal, zero timeout", a, 64, word, 0, timedOut, 0},
		{"equal, timeout", a, 64, word, 20 * ms, timedOut, 20 * time.Millisecond},
		{"int32 equal", a, 32, uint64(half), 5 * ms, timedOut, 5 * time.Millisecond},
		{"int32 second", a + 4, 32, uint64(order.Uint32(bytes[4:])), 5 * ms, timedOut, 5 * time.Millisecond},
		{"int32 not equal", a, 32, uint64(half ^ 1), 5 * ms, notEqual, 0},
		{"int16 first", a, 16, uint64(order.Uint16(bytes[:])), 5 * ms, timedOut, 0},
		{"int16 second", a + 2, 16, uint64(order.Uint16(bytes[2:])), 5 * ms, timedOut, 0},
		{"int16 fourth", a + 6, 16, uint64(order.Uint16(bytes[6:])), 5 * ms, timedOut, 0},
		{"int16 not equal", a + 2, 16, uint64(order.Uint16(bytes[:])), 5 * ms, notEqual, 0},
		{"int8 first", a, 8, 0x11, 5 * ms, timedOut, 0},
		{"int8 fourth", a + 3, 8, 0x44, 5 * ms, timedOut, 0},
		{"int8 eighth", a + 7, 8, 0x88, 5 * ms, timedOut, 0},
		{"int8 not equal", a + 7, 8, 0x11, 5 * ms, notEqual, 0},
	}
	for _, r := range rows {
		withCtx(t, func(c *Ctx) {
			begin := time.Now()
			got := int32(FutexWaitTimeout(c, r.addr, r.bits, r.val, r.ns))
			if took := time.Since(begin); got != r.want || took < r.min {
				t.Errorf("%s: result %d after %v, want %d", r.name, got, took, r.want)
			}
		})
	}
	withCtx(t, func(c *Ctx) {
		for _, ns := range []uint64{1 << 63, 1<<64 - 1, 10_000 * ms} {
			w := waiting(a, 8, 0x11, ns)
			if n := FutexWake(c, a, 1); n != 1 {
				t.Errorf("woke %d, want 1", n)
			}
			if v := <-w; v != woken {
				t.Errorf("timeout %d: result %d, want 0", ns, v)
			}
		}
	})
}

func TestFutexWake(t *testing.T) {
	a := uintptr(unsafe.Pointer(&cells[0]))
	withCtx(t, func(c *Ctx) {
		cs := queue(t, a, 5)
		steps := []struct {
			n, woke uint32
			state   string
		}{
			{0, 0, "....."}, {1, 1, "x...."}, {2, 2, "xxx.."}, {7, 2, "xxxxx"}, {1, 0, "xxxxx"},
		}
		for _, s := range steps {
			if got := FutexWake(c, a, s.n); got != s.woke {
				t.Errorf("wake %d: %d, want %d", s.n, got, s.woke)
			}
			if got := results(t, cs); got != s.state {
				t.Errorf("wake %d: threads %s, want %s", s.n, got, s.state)
			}
		}
	})
}

func TestFutexRequeue(t *testing.T) {
	w := &cells
	*w = [2]uint64{}
	a, b := uintptr(unsafe.Pointer(&w[0])), uintptr(unsafe.Pointer(&w[1]))
	type step struct {
		what string // wake or requeue
		src  uintptr
		dst  uintptr
		exp  uint64
		n    uint32
		want int32
		at   string // threads that waited at a
		bt   string // and at b
	}
	for _, tc := range [][]step{
		{ // a value that is not expected
			{"requeue", a, b, 1, 9, notEqual, "...", ".."},
			{"wake", a, 0, 0, 9, 3, "xxx", ".."},
			{"wake", b, 0, 0, 9, 2, "xxx", "xx"},
		},
		{ // the rest goes to the end of the other queue, in order
			{"requeue", a, b, 0, 1, 1, "x..", ".."},
			{"wake", a, 0, 0, 9, 0, "x..", ".."},
			{"wake", b, 0, 0, 2, 2, "x..", "xx"},
			{"wake", b, 0, 0, 1, 1, "xx.", "xx"},
			{"wake", b, 0, 0, 1, 1, "xxx", "xx"},
		},
		{ // 0 wakes none and moves all
			{"requeue", a, b, 0, 0, 0, "...", ".."},
			{"wake", a, 0, 0, 9, 0, "...", ".."},
			{"wake", b, 0, 0, 9, 5, "xxx", "xx"},
		},
		{ // more than there are
			{"requeue", a, b, 0, 9, 3, "xxx", ".."},
			{"wake", b, 0, 0, 9, 2, "xxx", "xx"},
		},
		{ // to itself
			{"requeue", a, a, 0, 1, 1, "x..", ".."},
			{"wake", a, 0, 0, 1, 1, "xx.", ".."},
			{"wake", a, 0, 0, 9, 1, "xxx", ".."},
			{"wake", b, 0, 0, 9, 2, "xxx", "xx"},
		},
		{ // there and back
			{"requeue", a, b, 0, 0, 0, "...", ".."},
			{"requeue", b, a, 0, 1, 1, "...", "x."},
			{"wake", a, 0, 0, 1, 1, "...", "xx"},
			{"wake", a, 0, 0, 9, 3, "xxx", "xx"},
		},
	} {
		withCtx(t, func(c *Ctx) {
			as, bs := queue(t, a, 3), queue(t, b, 2)
			for i, s := range tc {
				var got int32
				if s.what == "wake" {
					got = int32(FutexWake(c, s.src, s.n))
				} else {
					got = int32(FutexCmpRequeue(c, s.src, s.dst, 64, s.exp, s.n))
				}
				at, bt := results(t, as), results(t, bs)
				if got != s.want || at != s.at || bt != s.bt {
					t.Errorf("step %d, %+v: %d %s %s", i, s, got, at, bt)
				}
			}
		})
	}
	withCtx(t, func(c *Ctx) { // the deadline is kept
		begin := time.Now()
		w := waiting(a, 64, 0, uint64(60*time.Millisecond))
		time.Sleep(20 * time.Millisecond)
		if n := FutexCmpRequeue(c, a, b, 64, 0, 0); n != 0 {
			t.Errorf("requeue: %d", int32(n))
		}
		if v := <-w; v != timedOut {
			t.Errorf("result %d, want -3", v)
		}
		if took := time.Since(begin); took < 60*time.Millisecond {
			t.Errorf("timed out after %v, want 60ms", took)
		}
		if n := FutexWake(c, b, 1); n != 0 {
			t.Errorf("woke %d after the timeout", n)
		}
	})
}

// lock and unlock are a mutex over a futex: 0 free, 1 taken, 2 taken and waited for.
func lock(t *Ctx, p *uint32) {
	a := uintptr(unsafe.Pointer(p))
	if cas(p, 0, 1) {
		return
	}
	for swap32(p, 2) != 0 {
		FutexWait(t, a, 32, 2)
	}
}

func unlock(t *Ctx, p *uint32) {
	if swap32(p, 0) == 2 {
		FutexWake(t, uintptr(unsafe.Pointer(p)), 1)
	}
}

// TestFutexMutex: no wake-up is lost, and collections can run.
func TestFutexMutex(t *testing.T) {
	mutex := &mutexCell
	var count int
	var wg sync.WaitGroup
	const threads, rounds = 6, 3000
	for i := range threads {
		wg.Go(func() {
			onThread(func(c *Ctx) {
				for j := range rounds {
					lock(c, mutex)
					count++
					if j%1000 == 500 && i == 0 {
						gc.Collect(c, "test")
					}
					unlock(c, mutex)
				}
			})
		})
	}
	wg.Wait()
	if count != threads*rounds {
		t.Errorf("count %d, want %d", count, threads*rounds)
	}
}
