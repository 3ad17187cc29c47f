package core

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// Exposure is a Mu function that native code can call, with its cookie (docs/native.md, "Function
// pointers").
type Exposure struct {
	Func   *Func
	Cookie uint64
	Sig    *CSig

	vm     *VM // whose function it is; set by expose
	pool   *Pool
	slot   int
	addr   uintptr // the address that native code calls
	static bool    // made by .expose: for as long as the VM
	linked bool    // of a package: for ever
}

// Pool has the addresses of exposed functions: slots, each with its own address. Without cgo
// there is one pool, with addresses of unmapped memory; with cgo there is one for each C
// signature, with the addresses of C functions that call back.
type Pool struct {
	size int
	addr func(i int) uintptr

	slots [poolChunks]atomic.Pointer[[poolChunk]atomic.Pointer[Exposure]]

	mu   sync.Mutex
	next int   // number of slots used so far; guarded by mu
	free []int // slots given back, oldest first; guarded by mu
}

const (
	poolChunk  = 256
	poolChunks = 4096
	maxPool    = poolChunk * poolChunks

	// keepFree is the number of free slots that are kept before the oldest is reused, so that
	// a call of a function that is no longer exposed is noticed.
	keepFree = 1024
)

// NewPool makes a pool of size slots with the given addresses. addr may return 0: then there is none at present.
func NewPool(size int, addr func(i int) uintptr) *Pool {
	return &Pool{size: min(size, maxPool), addr: addr}
}

// At returns the exposure in a slot, nil for a free slot.
func (p *Pool) At(i int) *Exposure {
	if uint(i) >= maxPool {
		return nil
	}
	c := p.slots[i/poolChunk].Load()
	if c == nil {
		return nil
	}
	return c[i%poolChunk].Load()
}

// put exposes x in a slot; false if the pool is used up or the slot gets no address.
func (p *Pool) put(x *Exposure) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	var i int
	switch {
	case len(p.free) > 0 && (len(p.free) > keepFree || p.next == p.size):
		i = p.free[0]
		p.free = p.free[1:]
	case p.next < p.size:
		i = p.next
		p.next++
	default:
		return false
	}
	x.slot, x.addr = i, p.addr(i)
	if x.addr == 0 {
		p.next-- // a slot that had an address keeps it
		return false
	}
	c := p.slots[i/poolChunk].Load()
	if c == nil {
		c = new([poolChunk]atomic.Pointer[Exposure])
		p.slots[i/poolChunk].Store(c)
	}
	c[i%poolChunk].Store(x)
	return true
}

// drop frees a slot.
func (p *Pool) drop(i int) {
	p.slots[i/poolChunk].Load()[i%poolChunk].Store(nil)
	p.mu.Lock()
	p.free = append(p.free, i)
	p.mu.Unlock()
}

// bare is the pool without cgo. Its addresses are in a region that is never committed, so
// that calling or reading there by mistake faults.
var bare struct {
	once sync.Once
	Pool
	base uintptr
}

const bareSlot = 16

func barePool() *Pool {
	bare.once.Do(func() {
		r, err := mem.Reserve(maxPool*bareSlot, mem.PageSize)
		if err != nil {
			return // the pool has no size
		}
		bare.base, bare.size = uintptr(r.Base), maxPool
		bare.addr = func(i int) uintptr { return bare.base + uintptr(i)*bareSlot }
	})
	return &bare.Pool
}

// bareAt returns the slot that an address of the bare pool stands for.
func bareAt(addr uintptr) (x *Exposure, ok bool) {
	i := addr - bare.base
	if bare.base == 0 || i >= maxPool*bareSlot || i%bareSlot != 0 {
		return nil, false
	}
	return bare.At(int(i / bareSlot)), true
}

// exposures finds exposures by address, for unexpose.
var exposures struct {
	mu sync.Mutex
	at map[uintptr]*Exposure // guarded by mu
}

// expose gives x, of a VM, an address.
func (vm *VM) expose(x *Exposure) *Error {
	x.vm = vm
	if x.pool = x.Sig.Pool; x.pool == nil && x.Sig.late == nil {
		x.pool = barePool()
	}
	if x.pool == nil || !x.pool.put(x) {
		l := x.Sig.late
		if l == nil {
			return &Error{Kind: NoResource, Detail: fmt.Sprintf("all %d function pointers of this signature are in use", x.pool.size)}
		}
		if err := l.ready(); err != nil {
			return &Error{Kind: Native, Detail: "a function pointer of the signature " + l.sig.spell() + " " + err.Error()}
		}
		if x.pool = l.pool; !x.pool.put(x) {
			return &Error{Kind: NoResource, Detail: "no more function pointers of this signature can be made"}
		}
	}
	exposures.mu.Lock()
	defer exposures.mu.Unlock()
	if exposures.at == nil {
		exposures.at = map[uintptr]*Exposure{}
	}
	exposures.at[x.addr] = x
	return nil
}

// dropExposures takes the addresses of the functions of a VM back. The world is stopped.
func dropExposures(vm *VM) {
	exposures.mu.Lock()
	defer exposures.mu.Unlock()
	for addr, x := range exposures.at {
		if x.vm == vm && !x.linked {
			delete(exposures.at, addr)
			x.pool.drop(x.slot)
		}
	}
}

// exposedAt returns the exposure at an address, nil if there is none.
func exposedAt(addr uintptr) *Exposure {
	exposures.mu.Lock()
	defer exposures.mu.Unlock()
	return exposures.at[addr]
}

// exposeAll does all .expose definitions of a program (docs/language.md, "Definitions").
func exposeAll(p *Program) error {
	for _, x := range p.Exposes {
		x.static, x.linked = true, true
		if first.expose(x) != nil {
			return &Error{Kind: NoResource, Detail: "no function pointer left for " + x.Func.called()}
		}
	}
	return nil
}

// ExposedAddr is the address of a function of .expose.
func ExposedAddr(x *Exposure) uintptr { return x.addr }

// ExposeFunc is @uvm.native.expose (docs/language.md, "Native code").
//
//go:norace
//go:nocheckptr
func ExposeFunc(t *Ctx, f uintptr, cookie uint64, sig *CSig) uintptr {
	if f == 0 {
		Fail(t, NullFunc, "", "exposing NULL")
	}
	x := &Exposure{Func: (*Func)(unsafe.Pointer(f)), Cookie: cookie, Sig: sig}
	if err := vmOf(t).expose(x); err != nil {
		Fail(t, err.Kind, "", err.Detail)
	}
	return x.addr
}

// Unexpose is @uvm.native.unexpose.
func Unexpose(t *Ctx, addr uintptr) {
	exposures.mu.Lock()
	x := exposures.at[addr]
	if x != nil && x.vm != vmOf(t) {
		x = nil
	}
	if x != nil && !x.static {
		delete(exposures.at, addr)
	}
	exposures.mu.Unlock()
	switch {
	case x == nil:
		must(t, &misuse{Native, "E_UNEXPOSE", "unexposing what is not exposed"})
	case x.static:
		must(t, &misuse{Native, "E_UNEXPOSE", "unexposing a function of .expose: " + x.Func.called()})
	}
	x.pool.drop(x.slot)
}

// TakeCookie is the first call in a function that reads its cookie.
func TakeCookie(t *Ctx) uint64 {
	x := X(t)
	c := x.cookie
	x.cookie = 0
	return c
}

// call calls the function on behalf of native code: arguments and results are in X(t). An
// exception must not leave it (docs/language.md, "Exceptions").
func (x *Exposure) call(t *Ctx) {
	if current.Frames == nil {
		x.enter(t)
	} else {
		x.enterInspected(t)
	}
	if t.Thrown != 0 {
		X(t).cookie = 0
		x.crossed(t)
	}
}

// enter enters the current version. There is no safepoint before it, where another thread could replace a version that
// takes the cookie by one that leaves it to a function which was not called by native code.
func (x *Exposure) enter(t *Ctx) {
	if x.Func.Cookie {
		X(t).cookie = x.Cookie
	}
	x.Func.Enter(t)
}

// crossed stops the program because of the exception that x left.
func (x *Exposure) crossed(t *Ctx) {
	e := &Error{Kind: Native, Code: "E_NATIVE_UNWIND"}
	what := "an exception"
	if t.Overflow {
		what = "a stack overflow"
		e.Trace, e.site = trace(callers(0), livePlaces(t, nil))
	} else {
		if name := vmOf(t).typeName(t.Exc); name != "" {
			what += " of type " + name
		}
		e.Trace, _ = originOf(t)
	}
	e.Detail = what + " would leave " + x.Func.called() + ", which native code called"
	s := thread.Of(t)
	e.locate(s)
	t.Thrown, t.Exc, t.Overflow = 0, 0, false
	stop(s, e)
}

// enterInspected calls the function in a program whose frames can be inspected: it pushes a frame
// for the native code.
func (x *Exposure) enterInspected(t *Ctx) {
	fp := t.SP
	if fp+createdSize <= t.Limit {
		fillFrame(t, fp, siteNative, x.Func)
	} else {
		hold(t, x.Func.Params)
		fp = putFrame(t, siteNative, x.Func)
	}
	X(t).Live = 0
	if fp == 0 {
		return
	}
	x.enter(t)
	if t.Thrown == Popping {
		Land(t, fp)
	}
	t.SP = fp
}
