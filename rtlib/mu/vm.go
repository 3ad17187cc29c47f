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

// Config is what can be set before the VM starts. The zero Config is that of Open.
type Config struct {
	HeapLimit  uint64 // most bytes of objects; 0: UVM_HEAP, or half of the machine's memory
	StackLimit uint64 // most bytes of the frames and cells of one stack; 0: UVM_STACK, or 64 MB

	// Fatal, if not nil, gets the error that ends the process: of a thread of Mu's own,
	// which no Go caller waits for. It is called instead of the report on standard
	// error, on a goroutine of its own; if it returns, or ends its goroutine, the process exits
	// with the status of the error.
	Fatal func(err error)

	// ThreadFailed, if not nil, gets the error of a thread of Mu's own instead of Fatal: the thread ends and the
	// process goes on. It is called on a goroutine of the VM and must not wait for Mu code.
	ThreadFailed func(err error)
}

// New starts the VM with a configuration and returns it. It is an error (Conflict) if it
// has started already.
func New(cfg Config) (*VM, error) {
	fatal := cfg.Fatal
	s := core.Settings{HeapLimit: cfg.HeapLimit, StackLimit: cfg.StackLimit}
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

// Open returns the VM, started if need be. It is an error if no translated package is
// linked, or not one made with -introspect.
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

// visit is the roots of all contexts, which are frozen.
func (vm *VM) visit(visit func(addr uintptr)) {
	for c := range vm.ctxs {
		c.visit(visit)
	}
}

// freezer keeps the values of all contexts as they are, during a collection.
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

// Name returns the name of an entity, "" when it has none.
func (vm *VM) Name(id ID) (string, error) {
	if n, ok := core.NameOfID(uint32(id)); ok {
		return n, nil
	}
	return "", fail(NoID, "nothing has the ID %d", id)
}

// Wait blocks until no thread made by NewThread or by the program is left; until ctx
// is done, whose error it returns then; or until Close stops the threads. After Close it is an
// error (CtxClosed).
func (vm *VM) Wait(ctx context.Context) error {
	none, halted := core.Threads()
	select {
	case <-none:
	case <-halted:
	default: // neither yet, so ctx counts
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

// Close stops the VM for good: every thread stops where it can be stopped, at its next call, allocation
// or turn of a loop, and all contexts are closed. Calls under way return an error (CtxClosed), unless a
// native does not return, and so does Wait. Close may be called in a trap handler. There is no other VM
// in the process, and Open returns this one.
func (vm *VM) Close() error {
	if !vm.closing.CompareAndSwap(false, true) {
		return errVMClosed
	}
	core.Halt() // first: no handler sees its context close before its thread has stopped
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

// EnableWatchpoint makes the WATCHPOINT and WPBRANCH instructions of an ID take the other
// way from their next execution on. An ID that no code has is accepted.
func (vm *VM) EnableWatchpoint(wpid uint32) { core.SetWatchpoint(wpid, true) }

// DisableWatchpoint undoes EnableWatchpoint.
func (vm *VM) DisableWatchpoint(wpid uint32) { core.SetWatchpoint(wpid, false) }
