package mu

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// VM has names, code, cells, threads and contexts of its own (docs/client.md, "Several VMs"). Any goroutine may use it.
type VM struct {
	core        *core.VM
	removeRoots func()

	begin atomic.Pointer[chan struct{}] // closed by Release; nil if threads begin at once

	mu     sync.Mutex
	closed bool              // all threads have stopped; guarded by mu
	ctxs   map[*Ctx]struct{} // guarded by mu
}

// Config has the settings that must be made before the VM starts. Open uses the zero Config.
type Config struct {
	// The limits are those of the process: all VMs share one heap. Only the first VM can set them; for a further one
	// they must be 0 or what they are.
	HeapLimit  uint64 // greatest total size of objects in bytes; 0: UVM_HEAP, or half of the machine's memory
	StackLimit uint64 // greatest size of the frames and cells of one stack in bytes; 0: UVM_STACK, or 64 MB

	// Sandbox, if not nil, restricts the code that is loaded (docs/security.md): it cannot call native code but the
	// functions that compute numbers, cannot leave its memory, and cannot load code itself. Elements of the list are
	// native symbols that it may use all the same; an empty list allows no more. Loading other code is the error
	// Check.
	Sandbox []string

	// Natives are Go functions that EXTERN constants of the VM can name, by symbol, as those of package native, which all
	// VMs of the process have. They take precedence, also over those of the runtime and of C. Translated code does not
	// see them. A sandbox must allow them.
	Natives map[string]any

	// LateSymbols says that EXTERN constants may name native symbols that the process does not have, such as those of C code
	// that only a file made of the VM will have (docs/client.md, "Images"). Calling one is the error NATIVE.
	LateSymbols bool

	// Fatal, if not nil, is called with the error that ends the process: an error of a thread
	// that Mu code started, for which no Go caller waits. It is called instead of the report on
	// standard error, on a separate goroutine; when it returns, or ends its goroutine, the
	// process exits with the status of the error.
	Fatal func(err error)

	// ThreadFailed, if not nil, is called instead of Fatal: only the thread ends, and the process continues. It is
	// called on a goroutine of the VM and must not wait for Mu code.
	ThreadFailed func(err error)
}

// New starts a VM with a configuration and returns it. The first one is the VM of the linked packages, which Open returns.
// A further one has none of their code and names. In a program without the engine for live code it could not have any;
// there it is an error (Conflict). So are limits that differ from those of the first VM.
func New(cfg Config) (*VM, error) {
	s := cfg.settings()
	if ok, err := core.Configure(s); err != nil {
		return nil, convert(err)
	} else if ok {
		return Open()
	}
	if core.Engine.Read == nil {
		return nil, fail(Conflict, "the VM has started already, and a further one needs the engine for live code (rtlib/live)")
	}
	if _, err := Open(); err != nil {
		return nil, err
	}
	vm, err := core.NewVM(s)
	if err != nil {
		return nil, convert(err)
	}
	return newVM(vm), nil
}

// settings are those of the runtime.
func (cfg Config) settings() core.Settings {
	fatal := cfg.Fatal
	s := core.Settings{HeapLimit: cfg.HeapLimit, StackLimit: cfg.StackLimit, Sandbox: cfg.Sandbox, Natives: cfg.Natives, LateSymbols: cfg.LateSymbols}
	if fatal != nil {
		s.Fatal = func(err error) { fatal(convert(err)) }
	}
	if failed := cfg.ThreadFailed; failed != nil {
		s.ThreadFailed = func(err error) { failed(convert(err)) }
	}
	return s
}

// Open returns the first VM, that of the linked packages, and starts it if necessary. It returns an error if no translated package
// made with -introspect is linked.
func Open() (*VM, error) { return open() }

var open = sync.OnceValues(func() (*VM, error) {
	vm, p := core.Started()
	if p == nil {
		return nil, fail(NoName, "no translated package is linked")
	}
	if p.Constant == nil {
		return nil, fail(NoName, "package %s was not made with -introspect", p.Name)
	}
	return newVM(vm), nil
})

// newVM makes the VM for clients of one.
func newVM(c *core.VM) *VM {
	vm := &VM{core: c, ctxs: map[*Ctx]struct{}{}}
	vm.removeRoots = core.AddRoots(vm.visit, (*freezer)(vm))
	return vm
}

// visit visits the roots of all contexts, which must be frozen.
func (vm *VM) visit(visit func(addr uintptr)) {
	for c := range vm.ctxs {
		c.visit(visit)
	}
}

// freezer keeps the values of all contexts unchanged during a collection.
type freezer VM

// Lock takes the locks of the VM and of all contexts.
func (f *freezer) Lock() {
	f.mu.Lock()
	for c := range f.ctxs {
		c.mu.Lock()
	}
}

// Unlock undoes Lock.
func (f *freezer) Unlock() {
	for c := range f.ctxs {
		c.mu.Unlock()
	}
	f.mu.Unlock()
}

// ID returns the ID of a name, such as "@main" or "@main.v1.entry.ask".
func (vm *VM) ID(name string) (ID, error) {
	if vm.isClosed() {
		return 0, errVMClosed
	}
	if id, ok := vm.core.IDNamed(name); ok {
		return ID(id), nil
	}
	return 0, fail(NoName, "nothing is named %q", name)
}

// Name returns the name of an entity, "" if it has none.
func (vm *VM) Name(id ID) (string, error) {
	if vm.isClosed() {
		return "", errVMClosed
	}
	if n, ok := vm.core.NameOfID(uint32(id)); ok {
		return n, nil
	}
	return "", fail(NoID, "nothing has the ID %d", id)
}

// Wait blocks until no thread made by NewThread or by the program is left; until ctx is done,
// whose error it then returns; or until Close stops the threads. After Close it returns an error
// (CtxClosed).
func (vm *VM) Wait(ctx context.Context) error {
	if absent(ctx) {
		return errNoContext
	}
	none, halted := vm.core.Threads()
	select {
	case <-none:
	case <-halted:
	default: // neither yet, so ctx is done
		select {
		case <-none:
		case <-halted:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	select {
	case <-halted:
		return errVMClosed
	default:
		return nil
	}
}

// Hold makes threads wait that clients make by Ctx.NewThread from now on: they begin when Release is called. Wait waits
// for them, too. Threads that exist, and those that Mu code makes, are not held.
func (vm *VM) Hold() {
	gate := make(chan struct{})
	vm.begin.CompareAndSwap(nil, &gate)
}

// Release lets the threads begin that Hold has made wait. Threads made from now on begin at once.
func (vm *VM) Release() {
	if gate := vm.begin.Swap(nil); gate != nil {
		close(*gate)
	}
}

// gate is what a new thread waits for, nil if nothing.
func (vm *VM) gate() <-chan struct{} {
	if gate := vm.begin.Load(); gate != nil {
		return *gate
	}
	return nil
}

// GC forces a garbage collection.
func (vm *VM) GC() error {
	c := vm.NewContext()
	defer c.Close()
	return c.Collect()
}

// Close stops the VM for good: every thread ends at its next call, allocation or loop iteration, and
// all contexts are closed. Calls in progress return an error (CtxClosed) when their natives and trap handlers have
// returned, and so does Wait. Close may be called in a trap handler. When nothing of the VM runs any more, all that it
// has is freed; other VMs go on. Open returns the first VM even if it is closed.
func (vm *VM) Close() error {
	if !vm.core.Halt(vm.gone) { // first, so that no handler sees its context closed before its thread has stopped
		return errVMClosed
	}
	vm.mu.Lock()
	ctxs := slices.Collect(maps.Keys(vm.ctxs))
	for _, c := range ctxs {
		c.closed.Store(true)
	}
	vm.closed = true
	vm.mu.Unlock()
	for _, c := range ctxs {
		c.release() // or the call that runs does so
	}
	return nil
}

// gone is called when nothing of the closed VM is left.
func (vm *VM) gone() {
	vm.removeRoots()
	vm.mu.Lock()
	defer vm.mu.Unlock()
	clear(vm.ctxs)
}

var errVMClosed = fail(CtxClosed, "the VM is closed")

func (vm *VM) isClosed() bool {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	return vm.closed
}

// EnableWatchpoint makes the WATCHPOINT and WPBRANCH instructions with an ID branch to their enabled
// destination from their next execution on. An ID that no code uses is accepted.
func (vm *VM) EnableWatchpoint(wpid uint32) { vm.core.SetWatchpoint(wpid, true) }

// DisableWatchpoint undoes EnableWatchpoint.
func (vm *VM) DisableWatchpoint(wpid uint32) { vm.core.SetWatchpoint(wpid, false) }
