package mu

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// VM is the program of the process. Any goroutine may use it.
type VM struct {
	closing atomic.Bool // Close was called

	mu     sync.Mutex
	closed bool              // all threads have stopped; guarded by mu
	ctxs   map[*Ctx]struct{} // guarded by mu
}

// Config has the settings that must be made before the VM starts. Open uses the zero Config.
type Config struct {
	HeapLimit  uint64 // greatest total size of objects in bytes; 0: UVM_HEAP, or half of the machine's memory
	StackLimit uint64 // greatest size of the frames and cells of one stack in bytes; 0: UVM_STACK, or 64 MB

	// Sandbox, if not nil, restricts the code that is loaded (docs/security.md): it cannot call native code but the
	// functions that compute numbers, cannot leave its memory, and cannot load code itself. Elements of the list are
	// native symbols that it may use all the same; an empty list allows no more. Loading other code is the error
	// Check.
	Sandbox []string

	// Fatal, if not nil, is called with the error that ends the process: an error of a thread
	// that Mu code started, for which no Go caller waits. It is called instead of the report on
	// standard error, on a separate goroutine; when it returns, or ends its goroutine, the
	// process exits with the status of the error.
	Fatal func(err error)

	// ThreadFailed, if not nil, is called instead of Fatal: only the thread ends, and the process continues. It is
	// called on a goroutine of the VM and must not wait for Mu code.
	ThreadFailed func(err error)
}

// New starts the VM with a configuration and returns it. It returns an error (Conflict) if the VM
// has already started.
func New(cfg Config) (*VM, error) {
	fatal := cfg.Fatal
	s := core.Settings{HeapLimit: cfg.HeapLimit, StackLimit: cfg.StackLimit, Sandbox: cfg.Sandbox}
	if fatal != nil {
		s.Fatal = func(err error) { fatal(convert(err)) }
	}
	if failed := cfg.ThreadFailed; failed != nil {
		s.ThreadFailed = func(err error) { failed(convert(err)) }
	}
	if !core.Configure(s) {
		return nil, fail(Conflict, "the VM has started already")
	}
	return Open()
}

// Open returns the VM, and starts it if necessary. It returns an error if no translated package
// made with -introspect is linked.
func Open() (*VM, error) { return open() }

var open = sync.OnceValues(func() (*VM, error) {
	p := core.Started()
	if p == nil {
		return nil, fail(NoName, "no translated package is linked")
	}
	if p.Constant == nil {
		return nil, fail(NoName, "package %s was not made with -introspect", p.Name)
	}
	vm := &VM{ctxs: map[*Ctx]struct{}{}}
	core.AddRoots(vm.visit, (*freezer)(vm))
	return vm, nil
})

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
	if id, ok := core.IDNamed(name); ok {
		return ID(id), nil
	}
	return 0, fail(NoName, "nothing is named %q", name)
}

// Name returns the name of an entity, "" if it has none.
func (vm *VM) Name(id ID) (string, error) {
	if n, ok := core.NameOfID(uint32(id)); ok {
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
	none, halted := core.Threads()
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

// GC forces a garbage collection.
func (vm *VM) GC() error {
	c := vm.NewContext()
	defer c.Close()
	return c.Collect()
}

// Close stops the VM for good: every thread stops at its next call, allocation or loop iteration, and
// all contexts are closed. Calls in progress return an error (CtxClosed), except in a native that does
// not return, and so does Wait. Close may be called in a trap handler. There is only one VM in the
// process: Open returns this one afterwards too.
func (vm *VM) Close() error {
	if !vm.closing.CompareAndSwap(false, true) {
		return errVMClosed
	}
	core.Halt() // first, so that no handler sees its context closed before its thread has stopped
	vm.mu.Lock()
	defer vm.mu.Unlock()
	vm.closed = true
	for c := range vm.ctxs {
		c.closed.Store(true)
	}
	return nil
}

var errVMClosed = fail(CtxClosed, "the VM is closed")

func (vm *VM) isClosed() bool {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	return vm.closed
}

// EnableWatchpoint makes the WATCHPOINT and WPBRANCH instructions with an ID branch to their enabled
// destination from their next execution on. An ID that no code uses is accepted.
func (vm *VM) EnableWatchpoint(wpid uint32) { core.SetWatchpoint(wpid, true) }

// DisableWatchpoint undoes EnableWatchpoint.
func (vm *VM) DisableWatchpoint(wpid uint32) { core.SetWatchpoint(wpid, false) }
