package atomics

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// area is memory that does not move, aligned to 8 bytes: a Go global.
var area [16]uint64

func base() uintptr { return uintptr(unsafe.Pointer(&area)) }

// width lets one test run on all operand sizes; values are zero-extended.
type width struct {
	name   string
	bytes  uintptr
	plain  func(addr uintptr) uint64 // by an ordinary load
	load   []func(addr uintptr) uint64
	store  []func(addr uintptr, v uint64)
	swap   func(addr uintptr, v uint64) uint64
	cas    func(addr uintptr, exp, des uint64) (uint64, bool)
	rmw    map[string]func(addr uintptr, v uint64) uint64
	layout func(addr uintptr, v uint64) // ordinary store
}

type uints interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func l[T uints](f func(uintptr) T) func(uintptr) uint64 {
	return func(a uintptr) uint64 { return uint64(f(a)) }
}

func s[T uints](f func(uintptr, T)) func(uintptr, uint64) {
	return func(a uintptr, v uint64) { f(a, T(v)) }
}

func o[T uints](f func(uintptr, T) T) func(uintptr, uint64) uint64 {
	return func(a uintptr, v uint64) uint64 { return uint64(f(a, T(v))) }
}

func c[T uints](f func(uintptr, T, T) (T, bool)) func(uintptr, uint64, uint64) (uint64, bool) {
	return func(a uintptr, x, y uint64) (uint64, bool) {
		old, ok := f(a, T(x), T(y))
		return uint64(old), ok
	}
}

func of[T uints](name string, w width) width {
	w.name, w.bytes = name, unsafe.Sizeof(T(0))
	w.plain = func(a uintptr) uint64 { return uint64(*(*T)(unsafe.Pointer(a))) }
	w.layout = func(a uintptr, v uint64) { *(*T)(unsafe.Pointer(a)) = T(v) }
	return w
}

type (
	loads  = []func(uintptr) uint64
	stores = []func(uintptr, uint64)
	rmws   = map[string]func(uintptr, uint64) uint64
)

var widths = []width{
	of[uint8]("8", width{
		load: loads{l(Load8), l(LoadAcquire8), l(LoadRelaxed8)}, store: stores{s(Store8), s(StoreRelease8), s(StoreRelaxed8)},
		swap: o(Swap8), cas: c(CompareAndSwap8),
		rmw: rmws{"add": o(Add8), "sub": o(Sub8), "and": o(And8), "nand": o(Nand8), "or": o(Or8), "xor": o(Xor8),
			"max": o(Max8), "min": o(Min8), "umax": o(UMax8), "umin": o(UMin8)},
	}),
	of[uint16]("16", width{
		load: loads{l(Load16), l(LoadAcquire16), l(LoadRelaxed16)}, store: stores{s(Store16), s(StoreRelease16), s(StoreRelaxed16)},
		swap: o(Swap16), cas: c(CompareAndSwap16),
		rmw: rmws{"add": o(Add16), "sub": o(Sub16), "and": o(And16), "nand": o(Nand16), "or": o(Or16), "xor": o(Xor16),
			"max": o(Max16), "min": o(Min16), "umax": o(UMax16), "umin": o(UMin16)},
	}),
	of[uint32]("32", width{
		load: loads{l(Load32), l(LoadAcquire32), l(LoadRelaxed32)}, store: stores{s(Store32), s(StoreRelease32), s(StoreRelaxed32)},
		swap: o(Swap32), cas: c(CompareAndSwap32),
		rmw: rmws{"add": o(Add32), "sub": o(Sub32), "and": o(And32), "nand": o(Nand32), "or": o(Or32), "xor": o(Xor32),
			"max": o(Max32), "min": o(Min32), "umax": o(UMax32), "umin": o(UMin32)},
	}),
	of[uint64]("64", width{
		load: loads{l(Load64), l(LoadAcquire64), l(LoadRelaxed64)}, store: stores{s(Store64), s(StoreRelease64), s(StoreRelaxed64)},
		swap: o(Swap64), cas: c(CompareAndSwap64),
		rmw: rmws{"add": o(Add64), "sub": o(Sub64), "and": o(And64), "nand": o(Nand64), "or": o(Or64), "xor": o(Xor64),
			"max": o(Max64), "min": o(Min64), "umax": o(UMax64), "umin": o(UMin64)},
	}),
	of[uintptr]("Word", width{
		load: loads{l(LoadWord), l(LoadAcquireWord), l(LoadRelaxedWord)}, store: stores{s(StoreWord), s(StoreReleaseWord), s(StoreRelaxedWord)},
		swap: o(SwapWord), cas: c(CompareAndSwapWord),
	}),
}

func (w width) mask(v uint64) uint64 { return v & (^uint64(0) >> (64 - 8*w.bytes)) }

func (w width) signed(v uint64) *big.Int {
	s := 64 - 8*w.bytes
	return big.NewInt(int64(v<<s) >> s)
}

// apply is the oracle: the new value that docs/language.md, "Memory", specifies.
func (w width) apply(op string, old, v uint64) uint64 {
	pick := func(second bool) uint64 {
		if second {
			return v
		}
		return old
	}
	switch op {
	case "add":
		return w.mask(old + v)
	case "sub":
		return w.mask(old - v)
	case "and":
		return old & v
	case "nand":
		return w.mask(^(old & v))
	case "or":
		return old | v
	case "xor":
		return old ^ v
	case "max":
		return pick(w.signed(v).Cmp(w.signed(old)) > 0)
	case "min":
		return pick(w.signed(v).Cmp(w.signed(old)) < 0)
	case "umax":
		return pick(v > old)
	case "umin":
		return pick(v < old)
	}
	panic(op)
}

// places are the addresses of a width inside the second and third word.
func (w width) places() []uintptr {
	var ps []uintptr
	for a := base() + 8; a < base()+24; a += w.bytes {
		ps = append(ps, a)
	}
	return ps
}

// scribble fills the area and returns a check that only the n bytes at addr have
// changed.
func scribble(t *testing.T, addr, n uintptr) func() {
	b := unsafe.Slice((*byte)(unsafe.Pointer(base())), 32)
	for i := range b {
		b[i] = byte(i*7 + 0x81)
	}
	was := append([]byte(nil), b...)
	return func() {
		t.Helper()
		for i := range b {
			if at := base() + uintptr(i); (at < addr || at >= addr+n) && b[i] != was[i] {
				t.Fatalf("access of %d bytes at +%d changed the byte at +%d", n, addr-base(), i)
			}
		}
	}
}

func TestSemantics(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vals := []uint64{0, 1, 2, 0x30, 0x3c, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<63 - 1, 1 << 63, ^uint64(0), r.Uint64(), r.Uint64()}
	for _, w := range widths {
		for _, a := range w.places() {
			same := scribble(t, a, w.bytes)
			for _, x := range vals {
				x := w.mask(x)
				for _, y := range vals {
					w.pair(t, a, x, w.mask(y))
				}
			}
			same()
		}
	}
}

// TestNandVector is the example of ATOMICRMW NAND that Mu's documents give.
func TestNandVector(t *testing.T) {
	a := base()
	Store32(a, 0x30)
	if old := Nand32(a, 0x3c); old != 0x30 || Load32(a) != 0xffffffcf {
		t.Errorf("NAND i32, old 0x30, v 0x3c: result %#x, memory %#x", old, Load32(a))
	}
}

// pair tries each operation at a with a location holding x and an operand y.
func (w width) pair(t *testing.T, a uintptr, x, y uint64) {
	check := func(what string, got, want uint64) {
		t.Helper()
		if got != want {
			t.Fatalf("%s%s of %#x, operand %#x: got %#x, want %#x", what, w.name, x, y, got, want)
		}
	}
	for i := range w.load {
		w.layout(a, x)
		check("load", w.load[i](a), x)
		w.store[i](a, y)
		check("store", w.plain(a), y)
	}
	w.layout(a, x)
	check("swap", w.swap(a, y), x)
	check("swap, memory", w.plain(a), y)

	w.layout(a, x)
	old, ok := w.cas(a, y, w.mask(y+1))
	check("cas", old, x)
	if ok != (x == y) {
		t.Fatalf("cas%s of %#x, expecting %#x: ok is %v", w.name, x, y, ok)
	}
	if want := x; ok {
		check("cas, memory", w.plain(a), w.mask(y+1))
	} else {
		check("cas, memory", w.plain(a), want)
	}
	for name, f := range w.rmw {
		w.layout(a, x)
		check(name, f(a, y), x)
		check(name+", memory", w.plain(a), w.apply(name, x, y))
	}
}

// TestContention lets two threads update one place: no update may be lost, and the
// neighbours of a narrow place, which are updated at the same time with atomics of their
// own width, must keep their values.
func TestContention(t *testing.T) {
	n := 200 * uint64(longtest.Rounds(100))
	both := func(f func(i, id int)) {
		var wg sync.WaitGroup
		for id := range 2 {
			wg.Go(func() {
				for i := range int(n) {
					f(i, id)
				}
			})
		}
		wg.Wait()
	}
	for _, w := range widths {
		a, other := base()+8, base()+8+w.bytes // narrow ones share a word
		check := func(name string, got, want uint64) {
			t.Helper()
			if got != want {
				t.Errorf("%s%s: got %#x, want %#x", name, w.name, got, want)
			}
		}
		reset := func(v uint64) {
			w.layout(a, w.mask(v))
			w.layout(other, 0)
		}
		// Each updates the shared place; thread 1 also its neighbour.
		run := func(v uint64, f func(i, id int)) uint64 {
			reset(v)
			both(func(i, id int) {
				f(i, id)
				if id == 1 {
					w.store[i%3](other, w.mask(w.load[0](other)+1))
				}
			})
			check("neighbour of ", w.plain(other), w.mask(n))
			return w.plain(a)
		}
		got := run(0, func(i, id int) {
			for {
				old := w.load[2](a)
				if _, ok := w.cas(a, old, w.mask(old+1)); ok {
					return
				}
			}
		})
		check("cas", got, w.mask(2*n))

		// Swaps pass tokens around: each value that is stored is returned exactly once.
		var sum atomic.Uint64
		got = run(0, func(i, id int) { sum.Add(w.swap(a, uint64(i%200))) })
		check("swap", sum.Load()+got, 2*n/200*(199*200/2))

		if w.rmw == nil {
			continue
		}
		check("add", run(0, func(i, id int) { w.rmw["add"](a, 3) }), w.mask(6*n))
		check("sub", run(0, func(i, id int) { w.rmw["sub"](a, 3) }), w.mask(^uint64(6*n)+1))
		check("xor", run(0x55, func(i, id int) { w.rmw["xor"](a, w.mask(1<<id|uint64(i)<<2)) }), 0x55)
		check("nand", run(1, func(i, id int) { w.rmw["nand"](a, w.mask(^uint64(0))) }), 1)
		for _, op := range []string{"max", "umax"} {
			check(op, run(0, func(i, id int) { w.rmw[op](a, uint64(i%100+id)) }), 100)
		}
		for _, op := range []string{"min", "umin"} {
			check(op, run(0x7f, func(i, id int) { w.rmw[op](a, uint64(100-i%100+id)) }), 1)
		}
		// Each thread sets and clears its own bits and must see its changes.
		bits := [2]uint64{0x0f, 0xf0}
		check("or, and", run(0, func(i, id int) {
			m := bits[id]
			if w.rmw["or"](a, m)&m != 0 {
				t.Errorf("or%s: bits were set already", w.name)
			}
			if w.rmw["and"](a, w.mask(^m))&m != m {
				t.Errorf("and%s: bits were lost", w.name)
			}
		}), 0)
	}
}

// twoThreads lets Go run two goroutines at a time, even if one processor has to take turns.
func twoThreads(t *testing.T) {
	before := runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// TestMessagePassing looks for reorderings that release and acquire forbid.
func TestMessagePassing(t *testing.T) {
	twoThreads(t)
	for i, name := range []string{"seq_cst", "release"} {
		for _, w := range widths {
			x, y := base()+8, base()+72 // two cache lines
			w.layout(x, 0)
			w.layout(y, 0)
			var wg sync.WaitGroup
			const n = 100
			rounds := longtest.Rounds(300)
			wg.Go(func() {
				for range rounds {
					for v := range uint64(n) {
						w.store[i](x, v+1)
						w.store[i](y, v+1)
					}
					for w.load[0](y) != 0 {
						runtime.Gosched()
					}
				}
			})
			wg.Go(func() {
				for range rounds {
					for {
						ry := w.load[i](y)
						if rx := w.load[i](x); rx < ry {
							t.Errorf("%s %s: saw y=%d, then x=%d", name, w.name, ry, rx)
						}
						if ry == n {
							break
						}
						if runtime.GOARCH == "wasm" {
							runtime.Gosched() // Go does not preempt this loop there
						}
					}
					w.store[0](x, 0)
					w.store[0](y, 0)
				}
			})
			wg.Wait()
		}
	}
}

// TestStoreBuffering looks for the reordering that only SEQ_CST and its fence
// forbid, the one that amd64 shows: store, then load of another location.
func TestStoreBuffering(t *testing.T) {
	run := func(name string, store func(uintptr, uint32), fence func()) {
		x, y := base()+8, base()+72
		var round, done [2]atomic.Uint32
		var r [2]uint32
		var wg sync.WaitGroup
		n := uint32(longtest.Rounds(20000))
		for id := range 2 {
			wg.Go(func() {
				mine, other := x, y
				if id == 1 {
					mine, other = y, x
				}
				for i := uint32(1); i <= n; i++ {
					if id == 0 {
						if r[0] == 0 && r[1] == 0 && i > 1 {
							t.Errorf("%s: both threads read 0", name)
						}
						Store32(x, 0)
						Store32(y, 0)
					}
					round[id].Store(i)
					for round[1-id].Load() != i {
						runtime.Gosched()
					}
					store(mine, 1)
					fence()
					r[id] = LoadRelaxed32(other)
					done[id].Store(i)
					for done[1-id].Load() != i {
						runtime.Gosched()
					}
				}
			})
		}
		wg.Wait()
	}
	run("seq_cst", Store32, func() {})
	run("relaxed and fence", StoreRelaxed32, Fence)
}

// TestLoadNotHoisted spins on each load until another thread stores.
func TestLoadNotHoisted(t *testing.T) {
	a := base() + 8
	for i, spin := range []func(){
		func() {
			for LoadRelaxed32(a) == 0 {
			}
		},
		func() {
			for LoadRelaxed8(a) == 0 {
			}
		},
		func() {
			for LoadRelaxed64(a) == 0 {
			}
		},
	} {
		twoThreads(t)
		Store64(a, 0)
		done := make(chan bool)
		go func() { spin(); close(done) }()
		Store64(a, ^uint64(0))
		<-done
		_ = i
	}
}

func TestAligned(t *testing.T) {
	for _, n := range []uintptr{1, 2, 4, 8} {
		for a := uintptr(64); a < 80; a++ {
			if got := Aligned(a, n); got != (a%n == 0) {
				t.Errorf("Aligned(%d, %d): got %v", a, n, got)
			}
		}
	}
	a := base() + 3
	for name, f := range map[string]func(){
		"Swap16": func() { Swap16(a, 1) }, "Store16": func() { Store16(a, 1) }, "StoreRelease16": func() { StoreRelease16(a, 1) },
		"Add16": func() { Add16(a, 1) }, "CompareAndSwap16": func() { CompareAndSwap16(a, 1, 2) },
	} {
		func() {
			defer func() {
				var e *Misaligned
				if err, _ := recover().(error); !errors.As(err, &e) || e.Addr != a || e.Size != 2 {
					t.Errorf("%s at %#x: panic %v", name, a, err)
				}
			}()
			f()
		}()
	}
}

var sink uint64

func BenchmarkStore(b *testing.B) {
	p := (*uint32)(unsafe.Pointer(base()))
	run := func(name string, f func(int)) {
		b.Run(name, func(b *testing.B) { f(b.N) })
	}
	run("sync/atomic", func(n int) {
		for i := range n {
			atomic.StoreUint32(p, uint32(i))
		}
	})
	run("Store32", func(n int) {
		for i := range n {
			Store32(base(), uint32(i))
		}
	})
	run("StoreRelease32", func(n int) {
		for i := range n {
			StoreRelease32(base(), uint32(i))
		}
	})
	run("Store8", func(n int) {
		for i := range n {
			Store8(base(), uint8(i))
		}
	})
	run("StoreRelease8", func(n int) {
		for i := range n {
			StoreRelease8(base(), uint8(i))
		}
	})
	run("Fence", func(n int) {
		for range n {
			Fence()
		}
	})
	run("FenceAcqRel", func(n int) {
		for range n {
			FenceAcqRel()
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	p := (*uint32)(unsafe.Pointer(base()))
	b.Run("sync/atomic", func(b *testing.B) {
		for range b.N {
			sink += uint64(atomic.LoadUint32(p))
		}
	})
	b.Run("Load32", func(b *testing.B) {
		for range b.N {
			sink += uint64(Load32(base()))
		}
	})
	b.Run("Load8", func(b *testing.B) {
		for range b.N {
			sink += uint64(Load8(base()))
		}
	})
	b.Run("Load16", func(b *testing.B) {
		for range b.N {
			sink += uint64(Load16(base()))
		}
	})
}

// BenchmarkAdd compares an atomic add of generated code with Go's own.
func BenchmarkAdd(b *testing.B) {
	a := base()
	p, q := (*uint32)(unsafe.Pointer(a)), (*uint64)(unsafe.Pointer(a))
	b.Run("Add32", func(b *testing.B) {
		for range b.N {
			sink += uint64(Add32(a, 1))
		}
	})
	b.Run("Add32Twin", func(b *testing.B) {
		for range b.N {
			sink += uint64(atomic.AddUint32(p, 1))
		}
	})
	b.Run("Add64", func(b *testing.B) {
		for range b.N {
			sink += Add64(a, 1)
		}
	})
	b.Run("Add64Twin", func(b *testing.B) {
		for range b.N {
			sink += atomic.AddUint64(q, 1)
		}
	})
}

func BenchmarkRMW(b *testing.B) {
	p := (*uint32)(unsafe.Pointer(base()))
	b.Run("sync/atomic.Add", func(b *testing.B) {
		for range b.N {
			atomic.AddUint32(p, 1)
		}
	})
	b.Run("sync/atomic.CompareAndSwap", func(b *testing.B) {
		*p = 1
		for range b.N {
			atomic.CompareAndSwapUint32(p, 1, 1)
		}
	})
	for _, w := range widths {
		if w.rmw == nil {
			continue
		}
		for _, op := range []string{"add", "and", "max"} {
			b.Run(fmt.Sprintf("%s%s", op, w.name), func(b *testing.B) {
				for range b.N {
					w.rmw[op](base(), 1)
				}
			})
		}
	}
	b.Run("CompareAndSwap32", func(b *testing.B) {
		*p = 1
		for range b.N {
			CompareAndSwap32(base(), 1, 1)
		}
	})
}
