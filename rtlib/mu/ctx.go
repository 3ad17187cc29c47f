package mu

import (
	"errors"
	"sync"
	"sync/atomic"
	"unsafe"

	rt "github.com/uvm2go/uvm2go/rtlib"
)

const wordSize = unsafe.Sizeof(uintptr(0))

// Ctx is a client context (mu-runtime, 12.1): it holds values and pins. One goroutine at a
// time may use it; a second one gets CtxBusy.
type Ctx struct {
	vm     *VM
	t      *rt.Ctx
	trap   *rt.Ctx // of the handler, in the context of a trap
	thread uintptr // object of the trapped thread
	closed atomic.Bool

	mu     sync.Mutex
	values map[*handle]struct{} // guarded by mu

	closing  sync.Mutex // not mu, which a collection takes
	released bool       // t was given back; guarded by closing
}

// NewContext opens a context; a closed one, if the VM is closed.
func (vm *VM) NewContext() *Ctx {
	c := &Ctx{vm: vm, values: map[*handle]struct{}{}}
	vm.mu.Lock()
	closed := vm.closed
	vm.mu.Unlock()
	if closed {
		c.closed.Store(true)
		return c
	}
	c.t = rt.NewThreadCtx()
	vm.mu.Lock()
	vm.ctxs[c] = struct{}{}
	vm.mu.Unlock()
	return c
}

// VM returns the VM of the context.
func (c *Ctx) VM() *VM { return c.vm }

// ID is VM.ID.
func (c *Ctx) ID(name string) (ID, error) { return c.vm.ID(name) }

// Name is VM.Name.
func (c *Ctx) Name(id ID) (string, error) { return c.vm.Name(id) }

// Close drops all values and pins of the context; its pins, if a call is in progress, when that
// ends. The context of a trap handler is closed when the handler returns, and not by Close.
func (c *Ctx) Close() error {
	if c.trap != nil {
		return fail(CtxClosed, "the context of a trap handler is not the handler's to close")
	}
	return c.close()
}

func (c *Ctx) close() error {
	if !c.closed.CompareAndSwap(false, true) {
		return fail(CtxClosed, "the context is closed")
	}
	c.vm.mu.Lock()
	delete(c.vm.ctxs, c)
	c.vm.mu.Unlock()
	c.release()
	return nil
}

// release gives the Mu stack of a closed context back. While something runs on it, which CallContext
// or another goroutine has left there, it stays, and goes when that ends.
func (c *Ctx) release() {
	c.closing.Lock()
	defer c.closing.Unlock()
	if !c.released {
		c.released = rt.CloseThreadCtx(c.t)
	}
}

// do runs f on the context's Mu stack. What is wrong inside is the error.
func (c *Ctx) do(f func(t *rt.Ctx) error) error {
	if c.closed.Load() {
		return fail(CtxClosed, "the context is closed")
	}
	var err error
	e := rt.Do(c.t, func() { err = f(c.t) })
	if c.closed.Load() {
		c.release()
	}
	if e != nil {
		var exc *rt.Exception
		if errors.As(e, &exc) {
			return e
		}
		return convert(e)
	}
	return err
}

// handle is a value, flattened as in a transfer area. It is never changed.
type handle struct {
	ctx  *Ctx
	ty   *rt.VType
	w    []uint64
	r    []uintptr
	gone bool // guarded by Ctx.mu
}

// add makes a handle. While the value is not held elsewhere the caller must be inside do.
func (c *Ctx) add(ty *rt.VType, w []uint64, r []uintptr) *handle {
	h := &handle{ctx: c, ty: ty, w: w, r: r}
	c.mu.Lock()
	c.values[h] = struct{}{}
	c.mu.Unlock()
	return h
}

func (c *Ctx) addRef(ty *rt.VType, ref uintptr) *handle { return c.add(ty, nil, []uintptr{ref}) }

// check tells whether handles are of the context and not deleted.
func (c *Ctx) check(list ...*handle) error {
	if c.closed.Load() {
		return fail(CtxClosed, "the context is closed")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range list {
		switch {
		case h == nil:
			return fail(BadHandle, "no value")
		case h.ctx != c:
			return fail(BadHandle, "a value of another context")
		case h.gone:
			return fail(BadHandle, "the value was deleted")
		}
	}
	return nil
}

// referent checks a handle and that its reference is not NULL.
func (c *Ctx) referent(h *handle, what string) (uintptr, error) {
	if err := c.check(h); err != nil {
		return 0, err
	}
	if h.r[0] == 0 {
		return 0, fail(Null, "the %s is NULL", what)
	}
	return h.r[0], nil
}

// Delete invalidates a value and its copies.
func (c *Ctx) Delete(v Value) error {
	h := raw(v)
	if err := c.check(h); err != nil {
		return err
	}
	c.mu.Lock()
	h.gone = true
	delete(c.values, h)
	c.mu.Unlock()
	return nil
}

// Collect forces a garbage collection.
func (c *Ctx) Collect() error {
	return c.do(func(t *rt.Ctx) error { rt.Collect(t); return nil })
}
