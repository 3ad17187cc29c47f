package core

import (
	"iter"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/self"
)

func cas(p *uint32, old, new uint32) bool { return atomic.CompareAndSwapUint32(p, old, new) }

func swap32(p *uint32, v uint32) uint32 { return atomic.SwapUint32(p, v) }

// The benchmarks whose names end in Twin do the same in Go; docs/performance.md compares them.

// BenchmarkSwapStack is one SWAPSTACK of a ping-pong with one value.
func BenchmarkSwapStack(b *testing.B) {
	onThread(func(t *Ctx) {
		fp := frame(t, 1)
		*root(fp, 0) = newEcho(t)
		b.ResetTimer()
		for i := 0; i < b.N; i += 2 {
			swap(t, *root(fp, 0), uint64(i))
		}
	})
}

// BenchmarkSwapStackPullTwin is half a round of iter.Pull, with one value.
func BenchmarkSwapStackPullTwin(b *testing.B) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	})
	defer stop()
	for i := 0; i < b.N; i += 2 {
		next()
	}
}

// BenchmarkSwapStackChannelsTwin hands one value from goroutine to goroutine.
func BenchmarkSwapStackChannelsTwin(b *testing.B) {
	there, back := make(chan int), make(chan int)
	go func() {
		for v := range there {
			back <- v
		}
	}()
	for i := 0; i < b.N; i += 2 {
		there <- i
		<-back
	}
	close(there)
}

// BenchmarkSwapStackClient is the same with the stack of a Go caller on one side.
func BenchmarkSwapStackClient(b *testing.B) {
	t := NewThreadCtx()
	Do(t, func() {
		fp := frame(t, 1)
		*root(fp, 0) = newEcho(t)
		b.ResetTimer()
		for i := 0; i < b.N; i += 2 {
			swap(t, *root(fp, 0), uint64(i))
		}
	})
	CloseThreadCtx(t)
}

// ringFuncs are static, as function records must be: a funcref does not keep them alive.
var ringFuncs [8]Func

// BenchmarkSwapRing is one SWAPSTACK around eight stacks.
func BenchmarkSwapRing(b *testing.B) {
	onThread(func(t *Ctx) {
		const n = 8
		fp := frame(t, n+1)
		left := b.N
		for i := range n {
			f := &ringFuncs[i]
			f.Enter = func(c *Ctx) {
				for left > 0 {
					left--
					SwapStack(c, *root(fp, uintptr(i+1)%n), none, none, 0, nil)
				}
				SwapStack(c, *root(fp, n), none, none, KillOld, nil)
			}
			*root(fp, uintptr(i)) = NewStack(t, addr(f))
		}
		*root(fp, n) = CurrentStack(t)
		b.ResetTimer()
		SwapStack(t, *root(fp, 0), none, none, 0, nil)
		if left != 0 {
			b.Errorf("%d switches are left", left)
		}
	})
}

// BenchmarkNewStack makes a stack, runs it to its first switch, and kills it.
func BenchmarkNewStack(b *testing.B) {
	onThread(func(t *Ctx) {
		for range b.N {
			KillStack(t, newEcho(t))
		}
	})
}

// BenchmarkNewStackPullTwin makes a coroutine of iter.Pull, runs it to its first switch, and
// ends it.
func BenchmarkNewStackPullTwin(b *testing.B) {
	for range b.N {
		next, stop := iter.Pull(func(yield func(int) bool) { yield(1) })
		next()
		stop()
	}
}

// BenchmarkNewStackGoTwin starts a goroutine with a go statement, gets a value from it, and
// lets it end.
func BenchmarkNewStackGoTwin(b *testing.B) {
	c := make(chan int)
	for i := range b.N {
		go func() { c <- i }()
		<-c
	}
}

// BenchmarkNewStackOnly makes and kills a stack that never runs.
func BenchmarkNewStackOnly(b *testing.B) {
	onThread(func(t *Ctx) {
		for range b.N {
			KillStack(t, NewStack(t, addr(&fEcho)))
		}
	})
}

// BenchmarkNewThread starts threads that end immediately.
func BenchmarkNewThread(b *testing.B) {
	onThread(func(t *Ctx) {
		for range b.N {
			X(t).W[0] = 1
			NewThread(t, NewStack(t, addr(&fCell)), 0, long, 0, nil)
		}
		for machine.Threads() > 1 {
			pause(t)
		}
	})
}

// BenchmarkNewThreadGoTwin starts goroutines that end immediately.
func BenchmarkNewThreadGoTwin(b *testing.B) {
	var n atomic.Int64
	var wg sync.WaitGroup
	for range b.N {
		wg.Go(func() { n.Add(1) })
	}
	wg.Wait()
}

func benchmarkLock(b *testing.B, threads int) {
	mutex := &mutexCell
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			onThread(func(t *Ctx) {
				for range b.N / threads {
					lock(t, mutex)
					unlock(t, mutex)
				}
			})
		})
	}
	wg.Wait()
}

func BenchmarkFutexLock(b *testing.B)          { benchmarkLock(b, 1) }
func BenchmarkFutexLockContended(b *testing.B) { benchmarkLock(b, 4) }

func benchmarkMutex(b *testing.B, threads int) {
	var mutex sync.Mutex
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			for range b.N / threads {
				mutex.Lock()
				mutex.Unlock()
			}
		})
	}
	wg.Wait()
}

func BenchmarkFutexLockTwin(b *testing.B)          { benchmarkMutex(b, 1) }
func BenchmarkFutexLockContendedTwin(b *testing.B) { benchmarkMutex(b, 4) }

// BenchmarkFutexWakeNobody is a wake without waiters.
func BenchmarkFutexWakeNobody(b *testing.B) {
	onThread(func(t *Ctx) {
		for range b.N {
			FutexWake(t, wordAddr(), 1)
		}
	})
}

// BenchmarkDo is a call from Go.
func BenchmarkDo(b *testing.B) {
	t := NewThreadCtx()
	f := func() { cell++ }
	for range b.N {
		Do(t, f)
	}
	CloseThreadCtx(t)
}

// BenchmarkThrow is a throw that is caught one frame below, recorded in full or not.
func BenchmarkThrow(b *testing.B) {
	for _, full := range []bool{false, true} {
		name := "short"
		if full {
			name = "full"
		}
		b.Run(name, func(b *testing.B) {
			onThread(func(t *Ctx) {
				for range b.N {
					o := &X(t).thrown
					if o.count = fullThrows; full {
						o.count = 0
					}
					Throw(t, 0)
					Catch(t)
				}
			})
		})
	}
}

// BenchmarkStart measures an empty program, from exec to exit.
func BenchmarkStart(b *testing.B) {
	for range b.N {
		cmd := self.Command(b.Context(), b)
		cmd.Env = append(cmd.Env, caseVariable+"=exit")
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStartGo measures an empty Go program.
func BenchmarkStartGo(b *testing.B) {
	for range b.N {
		cmd := self.Command(b.Context(), b)
		cmd.Env = append(cmd.Env, caseVariable+"=go")
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
	}
}
