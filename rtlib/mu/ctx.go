package mu

import (
	"errors"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

const wordSize = unsafe.Sizeof(uintptr(0))

// Ctx is a client context (docs/client.md, "The client API"): it holds values and pins. Only one
// goroutine at a time may use it; a second one gets CtxBusy.
type Ctx struct {
	vm     *VM
	t      *core.Ctx
	trap   *core.Ctx // the handler's, in the context of a trap
	thread uintptr   // object of the trapped thread
	closed atomic.Bool

	mu    sync.Mutex
	scope *Scope // the innermost open one; guarded by mu
	all   Scope  // the outermost

	running interruption

	closing  sync.Mutex // not mu, which a collection takes
	released bool       // t was given back; guarded by closing
}

// NewContext opens a context; if the VM is closed, the context is closed too. It panics as rtlib.NewThreadCtx does.
func (vm *VM) NewContext() *Ctx {
	c := &Ctx{vm: vm}
	c.all.ctx = c
	c.scope = &c.all
	if vm.isClosed() {
		c.closed.Store(true)
		return c
	}
	t, err := vm.core.StartThread()
	if errors.Is(err, core.ErrClosed) {
		c.closed.Store(true)
		return c
	} else if err != nil {
		panic(err)
	}
	c.t = t
	vm.mu.Lock()
	vm.ctxs[c] = struct{}{}
	closed := vm.closed
	vm.mu.Unlock()
	if closed {
		c.closed.Store(true)
		c.release()
	}
	return c
}

// typ is a type as clients see it.
func (c *Ctx) typ(v *core.VType) Type { return Type{v, c.vm.core} }

// VM returns the VM of the context.
func (c *Ctx) VM() *VM { return c.vm }

// ID is VM.ID.
func (c *Ctx) ID(name string) (ID, error) {
	if err := c.open(); err != nil {
		return 0, err
	}
	return c.vm.ID(name)
}

// Name is VM.Name.
func (c *Ctx) Name(id ID) (string, error) {
	if err := c.open(); err != nil {
		return "", err
	}
	return c.vm.Name(id)
}

// Close drops all values and pins of the context; if a call is in progress, the pins are dropped when
// it ends. The context of a trap handler is closed when the handler returns, not by Close.
func (c *Ctx) Close() error {
	if c.trap != nil {
		return fail(CtxClosed, "the context of a trap handler is not the handler's to close")
	}
	return c.close()
}

func (c *Ctx) close() error {
	err := c.end()
	if err != errClosed {
		c.forget()
	}
	return err
}

// end ends the use of the context. Its values are still held. The caller must not be a running thread.
func (c *Ctx) end() error {
	if !c.closed.CompareAndSwap(false, true) {
		return errClosed
	}
	return c.release()
}

// forget drops the values of the context.
func (c *Ctx) forget() {
	c.vm.mu.Lock()
	defer c.vm.mu.Unlock()
	delete(c.vm.ctxs, c)
}

var errClosed = fail(CtxClosed, "the context is closed")

// open returns an error if the context is closed.
func (c *Ctx) open() error {
	if c.closed.Load() {
		return errClosed
	}
	return nil
}

// release gives back the Mu stack of a closed context. If a call still runs on it, from CallContext or
// from another goroutine, the stack is given back when that call ends. The error is that of a hook.
func (c *Ctx) release() error {
	c.closing.Lock()
	defer c.closing.Unlock()
	if c.released {
		return nil
	}
	var err error
	c.released, err = core.EndThreadCtx(c.t)
	return outside(err)
}

// do runs f on the context's Mu stack, and returns its error or that of Mu code inside.
func (c *Ctx) do(f func(t *core.Ctx) error) error {
	if err := c.open(); err != nil {
		return err
	}
	var err error
	e := core.Do(c.t, func() { err = f(c.t) })
	if e != nil {
		err = outside(e)
	}
	if c.closed.Load() {
		if r := c.release(); err == nil {
			err = r
		}
	}
	return err
}

// outside is the error of Mu code as clients get it.
func outside(e error) error {
	var exc *core.Exception
	if errors.As(e, &exc) {
		return e
	}
	return convert(e)
}

// Collect forces a garbage collection.
func (c *Ctx) Collect() error {
	return c.do(func(t *core.Ctx) error { core.Collect(t); return nil })
}
