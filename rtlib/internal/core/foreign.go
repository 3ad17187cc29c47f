package core

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// Calls of exposed functions on OS threads that C made.
//
// Such an OS thread gets a Mu thread with its own stack at its first call, one in each VM, and keeps it: making and
// giving back a context costs more than the call. In programs with hooks of threads, all its calls run on that Mu thread.
// In others each call gets a new thread as far as Mu code can tell, because the Mu thread forgets what it has when a
// call ends.
//
// The kept contexts of a VM are closed when the VM is halted, those of an OS thread when that ends. Nothing is kept where
// the runtime is not told of that (Windows), and for calls on threads that Go made: those of C code that does not know on
// whose behalf it runs, such as that of another package of the process.

// osThread is an OS thread that C made and that has called back.
type osThread struct {
	self uintptr                     // result of cLibrary.self
	last atomic.Pointer[keptContext] // that of the newest call, if it is among all; written with foreign.mu locked

	all map[*VM]*keptContext // guarded by foreign.mu
	// at are the variables of C that have the address of this struct: one in each package that has called. Only the OS
	// thread itself uses them.
	at []uintptr
}

// keptContext is the context of an OS thread in a VM. Only the OS thread uses it, except for closeForeign.
type keptContext struct {
	of     *osThread // nil if it is not kept
	vm     *VM
	t      *Ctx
	hooked bool   // the hooks for the start of a thread have run, so that it keeps what it has until its end
	run    func() // runs a call; made once, because each call would allocate it

	// The call that it is in: fr is nil for none.
	fr  *CFrame
	sig *CSig
	x   *Exposure
}

// foreign has these OS threads.
var foreign struct {
	mu  sync.Mutex
	all map[uintptr]*osThread // by self; guarded by mu
}

// attached runs the function on an OS thread that is not inside a CCALL.
func attached(fr *CFrame) {
	sig, x := fr.callee()
	vm := first
	if x != nil {
		vm = x.vm
	}
	err := vm.ready()
	if err == nil {
		k := keptBy(fr, vm)
		if k == nil || k.fr != nil { // in use by the C code below this call
			err = once(vm, fr, sig, x)
		} else if err = k.serve(fr, sig, x); err != nil || vm.Halted() {
			k.drop()
		}
	}
	if err != nil {
		endForeign(vm, err)
	}
}

// keptBy is the context that the OS thread has in a VM, made if there is none; nil if none can be kept.
//
//go:norace
//go:nocheckptr
func keptBy(fr *CFrame, vm *VM) *keptContext {
	at := (*unsafe.Pointer)(unsafe.Pointer(fr.Kept))
	o := (*osThread)(*at)
	if o != nil {
		if k := o.last.Load(); k != nil && k.vm == vm {
			return k
		}
	} else if o = thisThread(); o != nil {
		o.at = append(o.at, fr.Kept)
		*at = unsafe.Pointer(o)
	} else {
		return nil
	}
	return o.in(vm)
}

// thisThread is the OS thread of the caller, nil if the runtime would not be told of its end.
func thisThread() *osThread {
	if !onThreadOfC() {
		return nil
	}
	self := cLibrary.self()
	if self == 0 {
		return nil
	}
	foreign.mu.Lock()
	defer foreign.mu.Unlock()
	o := foreign.all[self]
	if o == nil {
		o = &osThread{self: self, all: map[*VM]*keptContext{}}
		if foreign.all == nil {
			foreign.all = map[uintptr]*osThread{}
		}
		foreign.all[self] = o
	}
	return o
}

// onThreadOfC reports whether C made the OS thread of the caller, which C has called: then no Go function is below that
// call. Threads that Go made must not be followed to their end, where they cannot run Go any more.
func onThreadOfC() bool {
	var pcs [64]uintptr
	n := runtime.Callers(0, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	last, before := "", ""
	for more := n > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		last, before = f.Function, last
	}
	return last == "runtime.goexit" && before == "runtime.cgocallback"
}

// in is the context of the OS thread in a VM, made if there is none; nil if the VM was halted.
func (o *osThread) in(vm *VM) *keptContext {
	foreign.mu.Lock()
	defer foreign.mu.Unlock()
	k := o.all[vm]
	if k == nil {
		if vm.Halted() { // closeForeign has been here, or waits for the lock
			return nil
		}
		k = &keptContext{of: o, vm: vm, t: vm.newThreadCtx()}
		k.run = k.call
		o.all[vm] = k
	}
	o.last.Store(k)
	return k
}

// serve runs a call.
func (k *keptContext) serve(fr *CFrame, sig *CSig, x *Exposure) error {
	if !k.hooked && k.vm.threadsHaveHooks() {
		if err := enterThread(k.t); err != nil {
			return err
		}
		k.hooked = true
	}
	k.fr, k.sig, k.x = fr, sig, x
	err := Do(k.t, k.run)
	k.fr = nil
	return err
}

// call runs the call of k.fr.
func (k *keptContext) call() {
	s := thread.Of(k.t)
	s.EnterCallback()
	enterFromC(k.t, s, k.fr, k.sig, k.x)
	s.LeaveCallback()
	if !k.hooked {
		thread.Of(k.t).Th.Forget()
	}
}

// drop closes the context for good, after an error or in a VM that was halted.
func (k *keptContext) drop() {
	foreign.mu.Lock()
	if k.of.all[k.vm] == k {
		k.of.forget(k)
	}
	foreign.mu.Unlock()
	giveBack(k.t)
}

// forget removes a context. The caller holds foreign.mu.
func (o *osThread) forget(k *keptContext) {
	delete(o.all, k.vm)
	o.last.CompareAndSwap(k, nil)
}

// once runs a call with a context that is not kept.
func once(vm *VM, fr *CFrame, sig *CSig, x *Exposure) error {
	t, err := vm.StartThread()
	if err != nil {
		return err
	}
	// The thread keeps what it has until the hooks for its end have run.
	k := &keptContext{vm: vm, t: t, hooked: true, fr: fr, sig: sig, x: x}
	if err = Do(t, k.call); err != nil {
		giveBack(t)
		return err
	}
	_, err = EndThreadCtx(t)
	return err
}

// endForeign handles the error of a call of a VM on an OS thread that C made.
func endForeign(vm *VM, err error) {
	switch err.(type) {
	case *Error, *Exception:
		vm.report(err)
	default:
		// The thread has exited, or the stack was killed: the C frames below never continue
		// (docs/native.md, "Stacks with C frames").
		select {}
	}
}

// closeForeign closes the contexts of such threads in a VM that was halted. A call that still runs closes its own.
func (vm *VM) closeForeign() {
	var list []*keptContext
	foreign.mu.Lock()
	for _, o := range foreign.all {
		if k := o.all[vm]; k != nil {
			list = append(list, k)
			o.forget(k)
		}
	}
	foreign.mu.Unlock()
	for _, k := range list {
		giveBack(k.t)
	}
}

// ThreadGone is called on an OS thread that C made when it ends. The thread may call back once more after that, in
// what other libraries do at its end.
func ThreadGone(self uintptr) {
	foreign.mu.Lock()
	o := foreign.all[self]
	delete(foreign.all, self)
	foreign.mu.Unlock()
	if o == nil {
		return
	}
	o.leave()
	for _, k := range o.all {
		if !k.hooked {
			giveBack(k.t)
		} else if _, err := EndThreadCtx(k.t); err != nil {
			endForeign(k.vm, err)
		}
	}
}

// leave clears the variables of C.
//
//go:norace
//go:nocheckptr
func (o *osThread) leave() {
	for _, at := range o.at {
		*(*uintptr)(unsafe.Pointer(at)) = 0
	}
}
