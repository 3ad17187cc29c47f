package libmu

/*
#include "libmu.h"
#include <stdlib.h>
*/
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/ffi/process"
	"github.com/uvm2go/uvm2go/rtlib/live"
	"github.com/uvm2go/uvm2go/rtlib/mu"
)

// A vm is a MuVM.
type vm struct {
	mu    *mu.VM
	c     *C.uvm_vm
	types numberedTypes
	names sync.Map // of *C.char, by mu.ID
	conf  config
	noC   error // why C can be neither called nor call; nil if it can

	open struct { // contexts
		mu      sync.Mutex
		clients map[*client]struct{} // guarded by mu
	}

	building   sync.Mutex
	bundles    map[uint32]*live.NodeBuilder // those that are neither loaded nor given up; guarded by building
	lastBundle uint32                       // guarded by building

	run struct { // execute
		mu      sync.Mutex
		calls   int                // that wait; guarded by mu
		cancel  context.CancelFunc // ends the waiting; guarded by mu
		failure error              // of a thread, for execute; guarded by mu
	}
}

// calledByC returns an error if C cannot call functions.
func (v *vm) calledByC() error {
	if v.noC != nil {
		return fail(mu.DynCode, "function pointers: calling C %v", v.noC)
	}
	return nil
}

// newVM makes a VM of a generation.
func newVM(generation C.uint32_t, conf config) (*vm, error) {
	v := &vm{conf: conf}
	if v.noC = process.Use(true); v.noC != nil && len(conf.libs) > 0 {
		return nil, fmt.Errorf("calling C %v", v.noC)
	}
	for _, l := range conf.libs {
		if err := process.Open(l); err != nil {
			return nil, fail(mu.BadArg, "library %s: %v", l, err)
		}
	}
	m, err := live.New(mu.Config{ThreadFailed: v.threadFailed, LateSymbols: generation != C.UVM_REFIMPL2})
	if err != nil {
		return nil, err
	}
	v.mu = m
	if v.c = C.uvm_new_vm(generation, C.uint32_t(vms.add(v))); v.c == nil {
		return nil, fail(mu.OutOfMemory, "no memory for a VM")
	}
	if generation != C.UVM_ZEBU {
		m.Hold()
	}
	return v, v.setTrapHandler(0, 0)
}

// close ends the VM: its threads stop, its contexts are closed.
func (v *vm) close() error {
	if !atomic.CompareAndSwapUint32((*uint32)(&v.c.closed), 0, 1) {
		return fail(mu.CtxClosed, "the VM is closed")
	}
	v.settle()
	err := v.mu.Close()
	v.open.mu.Lock()
	defer v.open.mu.Unlock()
	for c := range v.open.clients {
		// The context of a trap ends with its handler. One that another thread uses is not freed.
		if !c.trap && c.idleTo(C.UVM_CLOSED) {
			v.free(c)
		}
	}
	vms.drop(uint32(v.c.number))
	return err
}

// settle waits for the accesses of memory in C that have begun before the VM was closed.
func (v *vm) settle() {
	v.open.mu.Lock()
	defer v.open.mu.Unlock()
	for c := range v.open.clients {
		for atomic.LoadUint32((*uint32)(&c.c.state)) == C.UVM_ACCESSING {
			runtime.Gosched()
		}
	}
}

func (v *vm) newContext() (*C.uvm_ctx, error) {
	c, err := v.wrap(v.mu.NewContext(), false)
	if err != nil {
		return nil, err
	}
	return c.c, nil
}

// wrap makes a MuCtx of a context, which may be that of a trap.
func (v *vm) wrap(m *mu.Ctx, trap bool) (*client, error) {
	c := &client{mu: m, vm: v, trap: trap}
	no := clients.add(c)
	if c.c = C.uvm_new_ctx(v.c, C.uint32_t(no)); c.c == nil {
		clients.drop(no)
		return nil, fail(mu.OutOfMemory, "no memory for a context")
	}
	v.open.mu.Lock()
	defer v.open.mu.Unlock()
	if v.open.clients == nil {
		v.open.clients = map[*client]struct{}{}
	}
	v.open.clients[c] = struct{}{}
	return c, nil
}

// free frees the MuCtx of a context that is closed, and that no other thread can use. The caller holds v.open.mu.
func (v *vm) free(c *client) {
	delete(v.open.clients, c)
	no := uint32(c.c.number)
	C.uvm_end_ctx(c.c)
	clients.drop(no)
}

// idleTo changes the state of a context that no thread uses; false if one does.
func (c *client) idleTo(state uint32) bool {
	return atomic.CompareAndSwapUint32((*uint32)(&c.c.state), C.UVM_IDLE, state)
}

// closeContext is called while the context is busy, so nobody else uses it.
func (c *client) closeContext() error {
	if err := c.mu.Close(); err != nil {
		return err
	}
	atomic.StoreUint32((*uint32)(&c.c.state), C.UVM_CLOSED)
	c.vm.open.mu.Lock()
	defer c.vm.open.mu.Unlock()
	c.vm.free(c)
	return nil
}

func (v *vm) idOf(name string) (mu.ID, error) { return v.mu.ID(name) }

func (c *client) idOf(name string) (mu.ID, error) { return c.mu.ID(name) }

func (c *client) nameOf(id mu.ID) (*C.char, error) { return c.vm.nameOf(id) }

// nameOf returns the name of an entity, which stays as long as the process; "" if it has none.
func (v *vm) nameOf(id mu.ID) (*C.char, error) {
	if s, ok := v.names.Load(id); ok {
		return s.(*C.char), nil
	}
	name, err := v.mu.Name(id)
	if err != nil {
		return nil, err
	}
	s, _ := v.names.LoadOrStore(id, C.CString(name))
	return s.(*C.char), nil
}

// notePointer notes the kind of slots for a pointer type.
func (v *vm) notePointer(id, kind uint32) {
	atomic.StoreUint64((*uint64)(&v.c.pointers[id%uint32(len(v.c.pointers))]), uint64(id)<<32|uint64(kind))
}

// execute lets the threads run that clients have made, and waits until no thread is left, or one has failed.
func (v *vm) execute() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	v.run.mu.Lock()
	if v.run.calls == 0 {
		v.run.cancel = cancel
	} else {
		other := v.run.cancel
		v.run.cancel = func() { other(); cancel() }
	}
	v.run.calls++
	v.run.mu.Unlock()

	v.mu.Release()
	err := v.mu.Wait(ctx)

	v.run.mu.Lock()
	defer v.run.mu.Unlock()
	if v.run.calls--; v.run.calls == 0 {
		v.mu.Hold()
		v.run.cancel = nil
		if v.run.failure != nil {
			err, v.run.failure = v.run.failure, nil
		}
	} else if v.run.failure != nil {
		err = v.run.failure
	}
	return err
}

// threadFailed is called when an error has ended a thread. It ends execute, which reports the error; or it reports it, if nothing
// waits for the thread.
func (v *vm) threadFailed(err error) {
	v.run.mu.Lock()
	waiting := v.run.calls > 0 && v.run.failure == nil
	if waiting {
		v.run.failure = err
		v.run.cancel()
	}
	v.run.mu.Unlock()
	if !waiting {
		// Not failed: no call of this thread of the system has failed.
		inC("a thread", err, func(f, why *C.char) { C.uvm_report(v.c, f, why) })
	}
}

// currentThreadAsMuThread needs to do nothing: any thread may call.
func (v *vm) currentThreadAsMuThread(uintptr) error { return nil }
