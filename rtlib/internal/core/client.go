package core

import (
	"sync"

	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// Errors of Do that are not faults of the Mu program.
var (
	ErrThreadExit  = thread.ErrThreadExit  // the program ended the thread by thread_exit
	ErrStackKilled = thread.ErrStackKilled // the program killed the stack
	ErrBusy        = thread.ErrBusy        // something runs on the context
	ErrClosed      = thread.ErrClosed      // the threads of the VM were stopped by Halt
)

// contexts has idle contexts of a VM for NewThreadCtx.
type contexts struct {
	mu   sync.Mutex
	list []*Ctx // guarded by mu
}

// maxIdleContexts is the number of idle contexts that are kept.
const maxIdleContexts = 64

// NewThreadCtx returns a context on which a Go caller can run Mu functions with Do, one at a
// time: a stack, with a thread that has it, its pins and its thread-local reference between
// calls. The first context is made after the start hooks of the program have run, and each
// context after its thread hooks have run. NewThreadCtx panics if there is no address space for a
// context, if a native symbol of the program is neither linked nor registered, if there is no
// memory for its heap image, or if a hook ends with an error.
func NewThreadCtx() *Ctx {
	t, err := first.StartThread()
	if err != nil {
		panic(err)
	}
	return t
}

// StartThread is NewThreadCtx for a VM with an error, such as ErrClosed after Halt.
func (vm *VM) StartThread() (*Ctx, error) {
	if err := vm.ready(); err != nil {
		return nil, err
	}
	t := vm.newThreadCtx()
	if err := enterThread(t); err != nil {
		giveBack(t)
		return nil, err
	}
	return t, nil
}

// ready prepares the VM for calls; an error if that fails, or if it was halted.
func (vm *VM) ready() error {
	if vm == first && !prepared.done.Load() {
		started()
		if err := prepared.all(); err != nil {
			return err
		}
	}
	if vm.Halted() {
		return ErrClosed
	}
	return nil
}

func (vm *VM) newThreadCtx() *Ctx {
	if t := vm.idle.take(); t != nil {
		return t
	}
	s := vm.threads.NewHome()
	if s == nil {
		panic(&Error{Kind: NoResource, Detail: "no memory for a context"})
	}
	return s.Ctx
}

// take returns an idle context, nil if there is none.
func (c *contexts) take() *Ctx {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.list)
	if n == 0 {
		return nil
	}
	t := c.list[n-1]
	c.list = c.list[:n-1]
	return t
}

// close closes the idle contexts of a VM that was halted.
func (c *contexts) close() {
	for t := c.take(); t != nil; t = c.take() {
		thread.Home(t).Close()
	}
}

// CloseThreadCtx closes a context on which nothing runs: the program's hooks for the end of a
// thread run, pins are dropped, and the thread-local reference becomes NULL. If something runs on
// the context, CloseThreadCtx does nothing and reports false; if a hook ends with an error, it
// panics. The caller does not count as a running thread, so it may have to wait for a collection.
func CloseThreadCtx(t *Ctx) bool {
	closed, err := EndThreadCtx(t)
	if err != nil {
		panic(err)
	}
	return closed
}

// EndThreadCtx is CloseThreadCtx that returns the error of a hook; the context is then closed.
func EndThreadCtx(t *Ctx) (closed bool, err error) {
	switch err = leaveThread(t); err {
	case nil:
		return giveBack(t), nil
	case ErrBusy:
		return false, nil
	case ErrClosed:
		return giveBack(t), nil
	default:
		giveBack(t)
		return true, err
	}
}

// giveBack is CloseThreadCtx without hooks.
func giveBack(t *Ctx) bool {
	s := thread.Home(t)
	if !s.Clear() { // waits while the world is stopped, so must not be called with the lock, for which threads wait
		return false
	}
	vm := homeVM(t)
	c := &vm.idle
	c.mu.Lock()
	keep := len(c.list) < maxIdleContexts && !vm.Halted()
	if keep {
		c.list = append(c.list, t)
	}
	c.mu.Unlock()
	return keep || thread.Home(t).Close()
}

// Do runs f, which calls functions of the program with t, on the calling goroutine. A run-time
// error that ends f is returned as *Error, an exception that f leaves in t as *Exception;
// references that f returns are valid only as long as the program keeps them, or they
// are pinned. Do also returns when another thread of the program kills the stack, or when
// its own thread ends after leaving it, or all threads of the VM are stopped by Halt. A native in Go that
// ends the goroutine by runtime.Goexit leaves the context free.
func Do(t *Ctx, f func()) error { return thread.Home(t).Run(f) }
