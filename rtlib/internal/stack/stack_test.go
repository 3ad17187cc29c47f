package stack

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

// inside runs f as a job of a worker, started by a plain goroutine, and waits for it.
func inside(f func(self *Co)) {
	done := make(chan struct{})
	go func() {
		me := Plain()
		var c *Co
		c = Take(func() *Co { f(c); return me })
		me.Switch(c)
		close(done)
	}()
	<-done
}

// quiet waits until no more than n goroutines are left.
func quiet(t *testing.T, n int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= n {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%d goroutines, want at most %d; %d spares", runtime.NumGoroutine(), n, Spares())
}

func TestRing(t *testing.T) {
	const size, rounds = 7, 1000
	inside(func(self *Co) {
		var states [size]State
		var cos [size]*Co
		sum := 0
		for i := range size {
			cos[i] = Take(func() *Co {
				for range rounds {
					sum += i
					next := (i + 1) % size
					to := cos[next]
					if next == 0 {
						to = self
					}
					cos[i].SwitchReady(to, &states[i], uint32(i))
				}
				if i == size-1 {
					return self
				}
				return cos[i+1]
			})
		}
		for r := range rounds + 1 {
			for i := range states {
				if r > 0 {
					if v := states[i].Bind(uint32(i), false); v != Bound {
						t.Errorf("round %d: state %d is %v", r, i, &states[i])
					}
				}
			}
			self.Switch(cos[0])
		}
		if want := rounds * size * (size - 1) / 2; sum != want {
			t.Errorf("sum %d, want %d", sum, want)
		}
	})
}

func TestStates(t *testing.T) {
	var s State
	steps := []struct {
		do   func() any
		want any
		then string
	}{
		{func() any { return s.Bind(0, false) }, Active, "ACTIVE"},
		{func() any { return s.Bind(0, true) }, Active, "ACTIVE"},
		{func() any { return s.Kill() }, Active, "ACTIVE"},
		{func() any { s.Leave(5); return nil }, nil, "READY<5>"},
		{func() any { return s.Bind(4, false) }, WrongTypes, "READY<5>"},
		{func() any { return s.Bind(5, false) }, Bound, "ACTIVE"},
		{func() any { s.Leave(0); return nil }, nil, "READY<0>"},
		{func() any { return s.Bind(9, true) }, Bound, "ACTIVE"},
		{func() any { s.Lend(3); return s.Lent() }, true, "READY<3>"},
		{func() any { return s.Take(3) }, false, "READY<3>"},
		{func() any { return s.Bind(3, false) }, Lent, "READY<3>"},
		{func() any { return s.Bind(4, false) }, WrongTypes, "READY<3>"},
		{func() any { return s.Bind(4, true) }, Lent, "READY<3>"},
		{func() any { return s.Kill() }, Lent, "READY<3>"},
		{func() any { return s.Hold() }, Lent, "READY<3>"},
		{func() any { s.Return(); return s.Lent() }, false, "ACTIVE"},
		{func() any { s.Publish(1); return s.Lent() }, false, "READY<1>"},
		{func() any { return s.Hold() }, Bound, "READY<1>"},
		{func() any { return s.Kill() }, Held, "READY<1>"},
		{func() any { return s.Bind(1, false) }, Held, "READY<1>"},
		{func() any { s.Unhold(); return s.Kill() }, Bound, "DEAD"},
		{func() any { return s.Hold() }, Dead, "DEAD"},
		{func() any { return s.Kill() }, Dead, "DEAD"},
		{func() any { return s.Bind(1, false) }, Dead, "DEAD"},
		{func() any { return s.Bind(1, true) }, Dead, "DEAD"},
	}
	for i, st := range steps {
		if got := st.do(); got != st.want {
			t.Errorf("step %d: got %v, want %v", i, got, st.want)
		}
		if s.String() != st.then {
			t.Errorf("step %d: state %v, want %s", i, &s, st.then)
		}
	}
}

// TestEnd lets many coroutines wait in each other's cells and checks that finished and
// killed ones end.
func TestEnd(t *testing.T) {
	before := runtime.NumGoroutine()
	inside(func(self *Co) {
		const n = 5000
		cos := make([]*Co, n)
		states := make([]State, n)
		for i := range n {
			cos[i] = Take(func() *Co {
				defer func() {
					if r := recover(); r != nil && !IsDoom(r) {
						panic(r)
					}
				}()
				to := self
				if i+1 < n && i%3 != 0 {
					to = cos[i+1] // they wait in one another's cells
				}
				cos[i].SwitchReady(to, &states[i], 0)
				return self
			})
		}
		for i := 0; i < n; {
			self.Switch(cos[i])
			for i < n {
				if _, ok := states[i].Ready(); !ok {
					break
				}
				i++
			}
		}
		for i := range n {
			switch {
			case i%2 == 0:
				if states[i].Kill() != Bound {
					t.Fatalf("stack %d is %v", i, &states[i])
				}
				cos[i].Doom()
			case states[i].Bind(0, false) != Bound:
				t.Fatalf("stack %d is %v", i, &states[i])
			default:
				self.Switch(cos[i])
			}
		}
	})
	quiet(t, before+2*keepSpares+1)
}

// TestThreads has several threads bind stacks that others left.
func TestThreads(t *testing.T) {
	const threads, stacks, swaps = 4, 16, 5000
	type stk struct {
		State
		co *Co
		th int
		n  int
	}
	var all [stacks]*stk
	var drivers [threads]*Co
	var left [threads]int
	for i := range all {
		s := &stk{}
		s.Leave(0)
		s.co = Take(func() *Co {
			for x := uint32(i); ; {
				th := s.th
				s.n++
				left[th]--
				if left[th] <= 0 {
					s.co.SwitchReady(drivers[th], &s.State, 0)
					continue
				}
				x = x*1664525 + 1013904223
				o := all[x>>16%stacks]
				if o.Bind(0, false) != Bound {
					continue
				}
				o.th = th
				s.co.SwitchReady(o.co, &s.State, 0)
			}
		})
		all[i] = s
	}
	var wg sync.WaitGroup
	for i := range threads {
		wg.Go(func() {
			drivers[i] = Plain()
			left[i] = swaps
			s := all[i]
			for s.Bind(0, false) != Bound {
				s = all[(i*7+left[i])%stacks]
				left[i]--
			}
			s.th = i
			drivers[i].Switch(s.co)
		})
	}
	wg.Wait()
	n := 0
	for _, s := range all {
		n += s.n
		if _, ok := s.Ready(); !ok {
			t.Errorf("a stack is %v", &s.State)
		}
	}
	if n == 0 {
		t.Error("nothing ran")
	}
}

func BenchmarkSwitch(b *testing.B) {
	inside(func(self *Co) {
		var s, mine State
		var c *Co
		c = Take(func() *Co {
			for {
				mine.Bind(0, false)
				c.SwitchReady(self, &s, 0)
			}
		})
		self.SwitchReady(c, &mine, 0)
		for i := 0; i < b.N; i += 2 {
			s.Bind(0, false)
			self.SwitchReady(c, &mine, 0)
		}
	})
}

func BenchmarkWorker(b *testing.B) {
	inside(func(self *Co) {
		for range b.N {
			self.Switch(Take(func() *Co { return self }))
		}
	})
}
