package core

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
)

// A Hook is a function without parameters and results.
type Hook = func(t *Ctx)

// Hooks are functions of a program that the runtime calls (docs/ir.md, "Hooks").
type Hooks struct {
	Start       []Hook // when the program starts
	ThreadStart []Hook // when a thread of native code or of a Go caller starts, or the first thread
	ThreadExit  []Hook // when such a thread ends, the last one first
	Exit        []Hook // when the program ends, the last one first
}

// forward calls functions in order and reports whether none has thrown.
func forward(t *Ctx, list []Hook) bool {
	for _, f := range list {
		if f(t); t.Thrown != 0 {
			return false
		}
	}
	return true
}

// backward is forward in reverse order.
func backward(t *Ctx, list []Hook) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i](t); t.Thrown != 0 {
			return false
		}
	}
	return true
}

// lateHooks are the hooks of bundles that a VM has loaded, apart from those that ran then, in the order of loading. It is
// replaced, not changed: threads go through it.
type lateHooks struct {
	mu  sync.Mutex // held while it is replaced
	all atomic.Pointer[Hooks]
}

// add adds the hooks of a bundle that was loaded.
func (late *lateHooks) add(h Hooks) {
	if h.ThreadStart == nil && h.ThreadExit == nil && h.Exit == nil {
		return
	}
	late.mu.Lock()
	defer late.mu.Unlock()
	var old Hooks
	if l := late.all.Load(); l != nil {
		old = *l
	}
	late.all.Store(&Hooks{
		ThreadStart: slices.Concat(old.ThreadStart, h.ThreadStart),
		ThreadExit:  slices.Concat(old.ThreadExit, h.ThreadExit),
		Exit:        slices.Concat(old.Exit, h.Exit),
	})
}

// linkedHooks calls f for the hooks of the packages, if the VM is theirs.
func (vm *VM) linkedHooks(f func(h *Hooks)) {
	if vm == first {
		for _, p := range packages {
			f(&p.Hooks)
		}
	}
}

// hooksOf are the hooks of a kind: those of the packages, then those of bundles that were loaded.
func (vm *VM) hooksOf(kind func(h *Hooks) []Hook) (l []Hook) {
	vm.linkedHooks(func(h *Hooks) { l = append(l, kind(h)...) })
	if h := vm.hooks.all.Load(); h != nil {
		l = append(l, kind(h)...)
	}
	return l
}

// threadsHaveHooks reports whether threads run hooks when they start or end. Each call on a thread that C made asks.
func (vm *VM) threadsHaveHooks() bool {
	if vm == first {
		for _, p := range packages {
			if p.Hooks.ofThreads() {
				return true
			}
		}
	}
	late := vm.hooks.all.Load()
	return late != nil && late.ofThreads()
}

func (h *Hooks) ofThreads() bool { return h.ThreadStart != nil || h.ThreadExit != nil }

func threadStarts(h *Hooks) []Hook { return h.ThreadStart }
func threadExits(h *Hooks) []Hook  { return h.ThreadExit }
func programExits(h *Hooks) []Hook { return h.Exit }

// enterThread runs the hooks for the start of a thread.
func enterThread(t *Ctx) error {
	if l := homeVM(t).hooksOf(threadStarts); l != nil {
		return Do(t, func() { forward(t, l) })
	}
	return nil
}

// leaveThread runs the hooks for the end of a thread.
func leaveThread(t *Ctx) error {
	if l := homeVM(t).hooksOf(threadExits); l != nil {
		return Do(t, func() { backward(t, l) })
	}
	return nil
}

// firstThread is the thread that a program with an entry function begins with.
var firstThread *thread.Thread

// hooked reports whether the thread of t is one that runs hooks when it ends.
func hooked(t *Ctx) bool {
	th := thread.Of(t).Th
	return th == firstThread || th.HasCaller()
}

// exits lets Finish have an effect only once.
var exits sync.Once

// Finish runs the exit hooks of the packages and of the bundles that their VM has loaded, once, those of the last first. Clients call it when
// they do not need Mu code any more. Other threads may still run. It returns the error of a hook, after
// which no more hooks run.
func Finish() (err error) {
	exits.Do(func() {
		started()
		if err = prepared.all(); err != nil || len(packages) == 0 {
			return
		}
		t := first.newThreadCtx()
		defer giveBack(t)
		err = Do(t, func() { backward(t, first.hooksOf(programExits)) })
	})
	return err
}
