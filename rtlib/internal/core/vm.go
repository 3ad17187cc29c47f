package core

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
	"github.com/uvm2go/uvm2go/rtlib/libc"
)

// A VM is what belongs to one VM of the process: its threads and stacks, its names, and all that code which it has
// loaded and its clients have made. VMs share the heap, the types (by structure), the value lists, and the room for places
// of frames.
//
// The first VM is that of the linked packages. Code of the others is loaded at run time, and runs on the engine.
//
// Code finds its VM by the stack that it runs on: a stack belongs to one VM for ever, and so does a thread. So the fast
// paths of code know nothing of VMs.
type VM struct {
	threads thread.Group // first: stacks know the VM by its address

	dir      directories
	settings Settings
	trap     atomic.Pointer[handler] // the current trap handler, nil for the default one (docs/language.md, "Programs")
	watches  watches
	hooks    lateHooks
	idle     contexts
	memory   declaredMemory
	frozen   snapshots
	places   places
	finals   gc.Finals
	names    sync.Map // names of types that have none in the table, by *VType and by the *Type of their objects
	recent   atomic.Pointer[recentFuncs]
	natives  map[string]*libc.Native // by symbol; not changed after the start

	// Engine is what the engine has of the VM. It is changed while a bundle is read, and when the VM is gone.
	Engine any
}

// first is the VM of the linked packages.
var first = &VM{}

// vms are the VMs that have started and are not gone. Its lock is held, too, while goroutines that are not threads
// change what a collection visits of a VM.
var vms struct {
	mu  sync.Mutex
	all map[*VM]bool // guarded by mu
}

// VMOf is the VM whose code runs on t.
func VMOf(t *Ctx) *VM { return vmOfGroup(thread.Of(t).Group) }

func vmOf(t *Ctx) *VM { return VMOf(t) }

// homeVM is VMOf for a context of a Go caller on which something may run, on another goroutine.
func homeVM(t *Ctx) *VM { return vmOfGroup(thread.Home(t).Group) }

func vmOfGroup(g *thread.Group) *VM { return (*VM)(unsafe.Pointer(g)) }

// begin makes the VM one of the process.
func (vm *VM) begin() {
	machine.Init(&vm.threads)
	vms.mu.Lock()
	defer vms.mu.Unlock()
	if vms.all == nil {
		vms.all = map[*VM]bool{}
	}
	vms.all[vm] = true
}

// NewVM starts a further VM, which has no names but the predefined ones. The first one must have started. The limits of
// the heap and of stacks are those of the process: it is an error if settings ask for others.
func NewVM(s Settings) (*VM, error) {
	have := gc.Limits()
	if s.HeapLimit != 0 && s.HeapLimit != have.HeapLimit {
		return nil, conflict("all VMs of a process share one heap, whose limit the first VM has set to %d bytes: want that or 0, got %d", have.HeapLimit, s.HeapLimit)
	}
	if s.StackLimit != 0 && s.StackLimit != have.StackBudget {
		return nil, conflict("the limit of a stack is the same for all VMs of a process, %d bytes as the first VM has set it: want that or 0, got %d", have.StackBudget, s.StackLimit)
	}
	vm := &VM{}
	if err := vm.set(s); err != nil {
		return nil, err
	}
	vm.begin()
	return vm, nil
}

// conflict is an error of settings that contradict those of the process.
func conflict(format string, args ...any) error {
	return &Error{Kind: Conflict, Code: "E_CONFLICT", Detail: fmt.Sprintf(format, args...)}
}

// set applies settings to a VM that has not started.
func (vm *VM) set(s Settings) error {
	vm.dropNatives()
	vm.settings, vm.natives = s, map[string]*libc.Native{}
	for name, f := range s.Natives {
		n, err := libc.Make(name, f, vm)
		if err != nil {
			vm.dropNatives()
			return &Error{Kind: Native, Code: "E_ARG", Detail: err.Error()}
		}
		vm.natives[name] = n
	}
	return nil
}

// dropNatives takes the natives of the VM back.
func (vm *VM) dropNatives() {
	for _, n := range vm.natives {
		dropHosts(n.Addr)
		n.Remove()
	}
	vm.natives = nil
}

// has reports whether code of the VM may call a native: none of another VM.
func (vm *VM) has(n *libc.Native) bool {
	owner := n.Owner()
	return owner == nil || owner == any(vm)
}

// Symbol is the address of a native symbol in the VM.
func (vm *VM) Symbol(name string) (uintptr, bool) {
	if n := vm.natives[name]; n != nil {
		symbolNames.Store(n.Addr, name)
		return n.Addr, true
	}
	return Symbol(name)
}

// visitVMs visits the user data of trap handlers. The lock of vms is held, see gc.RegisterHolder.
func visitVMs(visit func(addr uintptr)) {
	for vm := range vms.all {
		if h := vm.trap.Load(); h != nil {
			visit(h.data)
		}
	}
}

// Threads returns two channels. none is closed when no started thread of the VM is left, halted when Halt has
// stopped the threads.
func (vm *VM) Threads() (none, halted <-chan struct{}) { return vm.threads.Idle(), vm.threads.Done() }

// Halted reports whether Halt was called.
func (vm *VM) Halted() bool { return vm.threads.Closed() }

// Halt stops all threads of the VM for good, at their next safepoint, and reports true; false if it was called before.
// Calls of Go callers end with ErrClosed, except in natives that do not return; so do all calls that they make from then
// on. It may be called from a trap handler or a native in Go. When nothing of the VM runs any more and its contexts are
// closed, all of it is freed, and gone is called.
func (vm *VM) Halt(gone func()) bool {
	halted := vm.threads.Close(func() {
		vm.bury()
		gone()
	})
	if halted {
		vm.idle.close()
		vm.closeForeign()
	}
	return halted
}

// bury frees what the VM has. Nothing of it runs any more.
func (vm *VM) bury() {
	gc.Stopped(func() {
		vm.threads.Bury()
		vm.memory.drop()
		vm.places.drop()
		dropExposures(vm)
		vm.recent.Store(nil)
		if vm == first {
			clear(recent[:])
		}
		if Engine.Gone != nil {
			Engine.Gone(vm)
		}
	})
	vm.dir.drop(vm)
	vm.watches.drop()
	vm.hooks.all.Store(nil)
	vm.frozen.drop()
	vm.names.Clear()
	vm.finals.Drop()
	vm.dropNatives()
	vms.mu.Lock()
	defer vms.mu.Unlock()
	vm.trap.Store(nil)
	vm.Engine = nil
	if vm != first {
		delete(vms.all, vm)
	}
}
