package core

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/stack"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// settle waits until no more than n goroutines are left.
func settle(t *testing.T, n int) {
	t.Helper()
	for range 400 {
		if runtime.NumGoroutine() <= n {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines, want at most %d; %d spares, %d stacks", runtime.NumGoroutine(), n, machine.Spares(), machine.Stacks())
}

// pause is called in a loop that waits.
func pause(c *Ctx) {
	c.Safepoint()
	runtime.Gosched()
}

// slack is the number of goroutines that may be kept as spares, plus a few.
const slack = 280

func TestGenerator(t *testing.T) {
	onThread(func(c *Ctx) {
		if got := sumSquares(c, 100); got != 328350 {
			t.Errorf("on a thread: %d, want 328350", got)
		}
	})
	c := NewThreadCtx()
	defer CloseThreadCtx(c)
	for range 3 {
		if err := Do(c, func() {
			if got := sumSquares(c, 100); got != 328350 {
				t.Errorf("from Go: %d, want 328350", got)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}

// TestManyStacks makes many stacks in turn in various ways, and checks that neither
// goroutines nor memory pile up.
func TestManyStacks(t *testing.T) { makeStacks(t, 150_000) }

func TestLongManyStacks(t *testing.T) {
	longtest.Only(t)
	makeStacks(t, 1_000_000)
}

func makeStacks(t *testing.T, n int) {
	t.Helper()
	before, stacks := runtime.NumGoroutine(), machine.Stacks()
	var m0, m runtime.MemStats
	runtime.ReadMemStats(&m0) // the heap is in it where memory cannot be mapped
	onThread(func(c *Ctx) {
		fp := frame(c, 1)
		*root(fp, 0) = CurrentStack(c)
		me := *root(fp, 0)
		for i := range n {
			switch i % 4 {
			case 0: // never started, killed
				KillStack(c, NewStack(c, addr(&fEcho)))
			case 1: // left in the middle, killed
				KillStack(c, newEcho(c))
			case 2: // left in the middle, unreachable
				newEcho(c)
			case 3: // unreachable, never started
				NewStack(c, addr(&fIdle))
			}
			if i%100_000 == 1 {
				if g := runtime.NumGoroutine(); g > 100_000 {
					t.Errorf("%d goroutines after %d stacks", g, i)
				}
			}
		}
		_ = me
		gc.Collect(c, "test")
	})
	settle(t, before+slack)
	if got := machine.Stacks(); got > stacks+1 {
		t.Errorf("%d stacks are left, were %d", got, stacks)
	}
	runtime.GC()
	runtime.ReadMemStats(&m)
	if more := int64(m.HeapInuse + m.StackInuse - m0.HeapInuse - m0.StackInuse); more > 200<<20 {
		t.Errorf("%d more bytes of Go memory in use", more)
	}
}

// TestIdleStacks has many stacks at once, started and not.
func TestIdleStacks(t *testing.T) { idleStacks(t, 10_000) }

func TestLongIdleStacks(t *testing.T) {
	longtest.Only(t)
	idleStacks(t, 100_000)
}

func idleStacks(t *testing.T, n int) {
	t.Helper()
	before := runtime.NumGoroutine()
	refs := &Type{Name: "@refs", Size: 8, Align: 8, VarStride: 8, VarShape: Shape{Slots: []Slot{{Kind: SlotRef}}}}
	if err := gc.RegisterTypes([]*gc.Type{refs}); err != nil {
		t.Fatal(err)
	}
	var m0, m1 runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m0)
	onThread(func(c *Ctx) {
		fp := frame(c, 1)
		*root(fp, 0) = c.NewHybrid(refs, uint64(n))
		all := func(i int) *uintptr { return root(*root(fp, 0), uintptr(i)) }
		begin := time.Now()
		for i := range n {
			*all(i) = newEcho(c)
		}
		took := time.Since(begin)
		runtime.ReadMemStats(&m1)
		t.Logf("%d idle stacks: %v each, %d bytes of Go memory each", n, took/time.Duration(n),
			(m1.HeapInuse+m1.StackInuse-m0.HeapInuse-m0.StackInuse)/uint64(n))
		gc.Collect(c, "test")
		for i := range n {
			if got := swap(c, *all(i), uint64(i)); got != uint64(i)+1 {
				t.Fatalf("stack %d answered %d", i, got)
			}
		}
		begin = time.Now()
		*root(fp, 0) = 0
		gc.Collect(c, "test")
		t.Logf("killing them took %v", time.Since(begin))
	})
	settle(t, before+slack)
}

// TestRace lets several threads bind one stack at the same time: only one at a time succeeds.
func TestRace(t *testing.T) {
	const threads = 4
	var errs, ok atomic.Int64
	var wg sync.WaitGroup
	var shared atomic.Pointer[thread.Stack]
	onThread(func(c *Ctx) {
		f := Func{Name: "@add", Params: long, Defined: true}
		f.Enter = func(c *Ctx) {
			for {
				ok.Add(1)
				// Back to the stack of whoever bound this one.
				back := uintptr(X(c).W[0])
				b := (*thread.Stack)(machine.Stack(back))
				if b.State().Bind(long, false) != 0 {
					panic("the binder's stack cannot be bound")
				}
				thread.Of(c).Th.Swap(b, long)
			}
		}
		s := machine.NewStack(c, &f, long)
		s.Object(c)
		shared.Store(s)
		Pin(c, s.Object(c))
		for range threads {
			wg.Go(func() {
				onThread(func(c *Ctx) {
					me := CurrentStack(c)
					for range 20000 {
						if s.State().Bind(long, false) != 0 {
							errs.Add(1)
							continue
						}
						// The stack is ours; it answers when this one is READY.
						X(c).W[0] = uint64(me)
						thread.Of(c).Th.Swap(s, long)
					}
				})
			})
		}
		th := thread.Of(c).Th
		th.EnterSafe()
		wg.Wait()
		th.LeaveSafe()
	})
	if ok.Load()+errs.Load() != threads*20000 || ok.Load() == 0 {
		t.Errorf("%d bound, %d refused, want %d together", ok.Load(), errs.Load(), threads*20000)
	}
}

// TestRefusal checks that the reason for not binding a stack is the state that it was found in,
// though the state changes all the time: READY is no reason, nor are values that fit.
func TestRefusal(t *testing.T) {
	onThread(func(c *Ctx) {
		f := Func{Name: "@add", Params: long, Defined: true}
		s := machine.NewStack(c, &f, long)
		ref := s.Object(c)
		Pin(c, ref)
		var end atomic.Bool
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := 0; !end.Load(); i++ {
				if s.State().Bind(0, true) == stack.Bound {
					s.State().Leave([]uint32{long, refLong}[i%2])
				}
			}
		})
		reasons := map[string]bool{"": true, "the stack is ACTIVE": true,
			"the stack waits for (" + list(refLong).String() + "), the values are (" + list(long).String() + ")": true}
		for range 200000 {
			b, _, reason := tryBind(c, ref, long, 0)
			if !reasons[reason] {
				t.Errorf("the reason is %q", reason)
				break
			}
			if b != nil {
				s.State().Leave(long)
			}
		}
		end.Store(true)
		wg.Wait()
	})
}

// fAnswer gets (stack, n) and passes n+1 to that stack.
var fAnswer = Func{Name: "@answer", Params: refLong, Defined: true, Enter: func(t *Ctx) {
	for t.Thrown == 0 {
		x := X(t)
		x.W[0]++
		SwapStack(t, x.R[0], long, refLong, 0, nil)
	}
}}

func ask(t *Ctx, s uintptr, n uint64) uint64 {
	me := CurrentStack(t)
	x := X(t)
	x.R[0], x.W[0] = me, n
	SwapStack(t, s, refLong, long, 0, nil)
	return X(t).W[0]
}

// TestMigrate runs one stack on many threads in turn: each thread's values come with it.
func TestMigrate(t *testing.T) {
	onThread(func(c *Ctx) {
		fp := frame(c, 1)
		SetThreadLocal(c, newLong(c, 1))
		*root(fp, 0) = NewStack(c, addr(&fAnswer))
		s := *root(fp, 0)
		for range 100 {
			th := thread.Of(c).Th
			th.EnterSafe()
			onThread(func(c *Ctx) {
				if got := ask(c, s, 41); got != 42 {
					t.Errorf("on another thread: %d", got)
				}
				if ThreadLocal(c) != 0 {
					t.Error("thread-local of another thread")
				}
			})
			th.LeaveSafe()
			if got := ask(c, s, 10); got != 11 {
				t.Errorf("back again: %d", got)
			}
		}
		if *longAt(ThreadLocal(c)) != 1 {
			t.Error("thread-local lost")
		}
	})
}

func TestClientErrors(t *testing.T) {
	c := NewThreadCtx()
	defer CloseThreadCtx(c)
	ok := func() {
		t.Helper()
		if err := Do(c, func() {
			if got := sumSquares(c, 5); got != 30 {
				t.Errorf("afterwards: %d", got)
			}
		}); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	}
	kinds := []struct {
		name string
		f    func()
		want Kind
	}{
		{"divide", func() { divideAll(c, 0) }, DivByZero},
		{"null", func() { load(uintptr(zero)) }, NullRef},
		{"wild", func() { load(uintptr(zero) + wild) }, Native},
		{"overflow", func() { deep(c, 0) }, StackOverflow},
		{"state", func() { SwapStack(c, 0, none, none, 0, nil) }, StackState},
		{"types", func() { SwapStack(c, newEcho(c), ref, none, 0, nil) }, StackTypes},
		{"futex", func() { FutexWake(c, 0, 1) }, FutexError},
		{"pin", func() { Unpin(c, NullZone) }, PinError},
		{"undefined", func() { undefinedF(c, 1) }, UndefinedFunction},
		{"trap", func() { trapAbort = true; defer func() { trapAbort = false }(); Trap(c, &site, 0) }, UnhandledTrap},
		{"onstack", func() {
			s := NewStack(c, addr(&fDivide))
			X(c).W[0] = 0
			SwapStack(c, s, long, none, 0, nil)
			t.Error("came back")
		}, DivByZero},
		{"internal", func() { panic("oops") }, Internal},
	}
	for _, k := range kinds {
		if k.want == Native && (runtime.GOARCH == "wasm" || longtest.HidesFaults()) {
			continue // wasm detects no bad address within the program's memory (docs/ports.md)
		}
		err := Do(c, k.f)
		var e *Error
		if !errors.As(err, &e) || e.Kind != k.want {
			t.Errorf("%s: error %v, want kind %v", k.name, err, k.want)
		}
		ok()
	}

	err := Do(c, func() { middle(c) })
	var x *Exception
	if !errors.As(err, &x) || *longAt(x.Ref) != 5 || len(x.Trace) != 2 || x.Trace[1] != (Frame{Func: "@middle", File: "prog.uir", Line: 52}) {
		t.Errorf("exception: %v, %+v", err, x)
	}
	ok()
	if err := Do(c, func() { ThreadExit(c) }); err != ErrThreadExit {
		t.Errorf("thread_exit: %v", err)
	}
	ok()
	err = Do(c, func() { // the thread ends on another stack while this one is READY
		X(c).W[0] = 1
		SwapStack(c, NewStack(c, addr(&fCell)), long, none, 0, nil)
		t.Error("came back")
	})
	if err != ErrThreadExit {
		t.Errorf("end elsewhere: %v", err)
	}
	ok()
	err = Do(c, func() {
		X(c).W[0] = 1
		SwapStack(c, NewStack(c, addr(&fCell)), long, none, KillOld, nil)
	})
	if err != ErrStackKilled {
		t.Errorf("kill_old: %v", err)
	}
	ok()
	err = Do(c, func() { // another stack kills this one
		f := func(c2 *Ctx) { KillStack(c2, thread.Of(c2).Th.Kept) }
		s := machine.NewStack(c, f, none)
		s.State().Bind(none, true)
		th := thread.Of(c).Th
		th.Kept = CurrentStack(c)
		th.Swap(s, none)
		t.Error("came back")
	})
	if err != ErrStackKilled {
		t.Errorf("killed: %v", err)
	}
	ok()
	if err := Do(c, func() {
		if err := Do(c, func() {}); err != ErrBusy {
			t.Errorf("nested: %v", err)
		}
	}); err != nil {
		t.Error(err)
	}
	ok()
}

// TestClientSwaps lets other threads bind stacks of Go callers.
func TestClientSwaps(t *testing.T) {
	c := NewThreadCtx()
	defer CloseThreadCtx(c)
	for range 100 {
		err := Do(c, func() {
			// A new thread binds this stack; the thread of this one ends meanwhile.
			me := CurrentStack(c)
			carry := machine.NewStack(c, func(c2 *Ctx) {
				X(c2).W[0] = 77
				SwapStack(c2, me, long, none, KillOld, nil)
			}, none)
			carry.State().Bind(none, true)
			end := machine.NewStack(c, func(c2 *Ctx) {
				machine.NewThread(nil, 0).Start(carry)
				for s := machine.Stack(me); ; pause(c2) {
					if _, ok := s.State().Ready(); !ok {
						return
					}
				}
			}, none)
			end.State().Bind(none, true)
			thread.Of(c).Th.Swap(end, long)
			if got := X(c).W[0]; got != 77 {
				t.Errorf("got %d", got)
			}
			if got := sumSquares(c, 5); got != 30 {
				t.Errorf("got %d", got)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	// Two callers whose stacks swap with one another.
	a, b := NewThreadCtx(), NewThreadCtx()
	var ra, rb atomic.Uintptr
	var resumed atomic.Int32
	both := func(c *Ctx) { // the end of the one thread must not find the other stack READY
		for resumed.Add(1); resumed.Load() < 2; pause(c) {
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := Do(a, func() {
			fp := frame(a, 1)
			*root(fp, 0) = CurrentStack(a)
			ra.Store(*root(fp, 0))
			s := machine.NewStack(a, func(c *Ctx) { // wait here for b's stack
				th := thread.Of(c).Th
				for rb.Load() == 0 {
					pause(c)
				}
				for {
					s := machine.Stack(rb.Load())
					if s.State().Bind(long, false) == 0 {
						th.X.W[0] = 5
						th.SwapKill(s)
					}
					pause(c)
				}
			}, none)
			s.State().Bind(none, true)
			thread.Of(a).Th.Swap(s, long)
			if X(a).W[0] != 6 {
				t.Errorf("a got %d", X(a).W[0])
			}
			both(a)
		}); err != nil {
			t.Error("a: ", err)
		}
	})
	wg.Go(func() {
		if err := Do(b, func() {
			fp := frame(b, 1)
			*root(fp, 0) = CurrentStack(b)
			rb.Store(*root(fp, 0))
			s := machine.NewStack(b, func(c *Ctx) { // and here for a's
				th := thread.Of(c).Th
				for ra.Load() == 0 {
					pause(c)
				}
				for {
					s := machine.Stack(ra.Load())
					if s.State().Bind(long, false) == 0 {
						th.X.W[0] = 6
						th.SwapKill(s)
					}
					pause(c)
				}
			}, none)
			s.State().Bind(none, true)
			thread.Of(b).Th.Swap(s, long)
			if X(b).W[0] != 5 {
				t.Errorf("b got %d", X(b).W[0])
			}
			both(b)
		}); err != nil {
			t.Error("b: ", err)
		}
	})
	wg.Wait()
	CloseThreadCtx(a)
	CloseThreadCtx(b)
}

// TestCallback swaps away from inside a callback on a goroutine locked to its OS thread.
func TestCallback(t *testing.T) {
	run := func(c *Ctx) {
		s := thread.Of(c)
		fp := frame(c, 1)
		*root(fp, 0) = newEcho(c)
		for i := range uint64(100) {
			s.EnterCallback()
			runtime.LockOSThread()
			if got := swap(c, *root(fp, 0), i); got != i+1 {
				t.Errorf("in the callback: %d, want %d", got, i+1)
			}
			if got := sumSquares(c, 5); got != 30 {
				t.Errorf("in the callback: %d, want 30", got)
			}
			runtime.UnlockOSThread()
			s.LeaveCallback()
			if got := swap(c, *root(fp, 0), i); got != i+1 {
				t.Errorf("outside: %d, want %d", got, i+1)
			}
		}
	}
	onThread(run)
	c := NewThreadCtx()
	defer CloseThreadCtx(c)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := Do(c, func() { run(c) }); err != nil {
		t.Error(err)
	}
}

// TestClientTraps passes a trap of a Go caller's function to a handler in Mu, one in Go, and one that
// ends the thread.
func TestClientTraps(t *testing.T) {
	defer first.trap.Store(nil)
	c := NewThreadCtx()
	defer CloseThreadCtx(c)
	trap := func(what uint64) (got uint64, err error) {
		err = Do(c, func() {
			handle(c, what)
			Trap(c, &valued, 7)
			if c.Thrown != 0 {
				got = *longAt(Catch(c))
				return
			}
			got = X(c).W[0]
		})
		return got, err
	}
	for _, r := range []struct {
		what, want uint64
		err        error
	}{
		{answer, 1007, nil}, {raise, 7, nil}, {exitThread, 0, ErrThreadExit}, {answer, 1007, nil},
	} {
		if got, err := trap(r.what); got != r.want || err != r.err {
			t.Errorf("handler %d: %d, %v; want %d, %v", r.what, got, err, r.want, r.err)
		}
	}
	first.SetTrapHandler(func(h *Ctx, stack uintptr, site *Site, wpid uint32) TrapResult {
		s := machine.Stack(stack)
		if got := s.Data.(*suspension).w; len(got) != 1 || got[0] != 5 || site != &valued || wpid != 7 {
			t.Errorf("handler got %v, %v, %d", got, site, wpid)
		}
		EnterSafe(h)
		gc.Collect(nil, "test")
		LeaveSafe(h)
		X(h).W[0] = 6
		return TrapResult{TrapPassValues, stack, long}
	})
	if err := Do(c, func() {
		X(c).W[0] = 5
		Trap(c, &valued, 7)
		if got := X(c).W[0]; got != 6 {
			t.Errorf("got %d", got)
		}
	}); err != nil {
		t.Error(err)
	}
}

// TestStaleHome: a caller that looked up the stack of a context while another call was ending
// runs on the stack that the context has afterwards.
func TestStaleHome(t *testing.T) {
	c := NewThreadCtx()
	defer CloseThreadCtx(c)
	s := thread.Home(c)
	if err := Do(c, func() { CurrentStack(c) }); err != nil { // references to s are dead from here on
		t.Fatal(err)
	}
	if thread.Home(c) == s {
		t.Fatal("the context has the same stack")
	}
	var ran *thread.Stack
	if err := s.Run(func() { ran = machine.Stack(CurrentStack(c)) }); err != nil {
		t.Error(err)
	}
	if !ran.State().Dead() || ran == s {
		t.Errorf("the stack of the call is %s afterwards", ran.State())
	}
	if !s.Clear() {
		t.Error("the context is busy")
	}
}
