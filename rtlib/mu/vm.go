package mu

import (
	"context"
	"maps"
	"slices"
	"sync"

	rt "github.com/uvm2go/uvm2go/rtlib"
)

// ID identifies an entity: a function, type, constant, instruction ... 0 is none.
type ID uint32

// VM is the program of the process. Any goroutine may use it.
type VM struct {
	mu     sync.Mutex
	closed bool              // guarded by mu
	ctxs   map[*Ctx]struct{} // guarded by mu
}

// Config is what can be set before the VM starts. The zero Config is that of Open.
type Config struct {
	HeapLimit  uint64 // most bytes of objects; 0: UVM_HEAP, or half of the machine's memory
	StackLimit uint64 // most bytes of the frames and cells of one stack; 0: UVM_STACK, or 64 MB

	// Fatal, if not nil, gets the error that ends the process: of a thread of Mu's own,
	// which no Go caller waits for. It is called instead of the report on standard
	// error; if it returns the process exits with the status of the error.
	Fatal func(err error)
}

// New starts the VM with a configuration and returns it. It is an error (Conflict) if it
// has started already.
func New(cfg Config) (*VM, error) {
	fatal := cfg.Fatal
	s := rt.Settings{HeapLimit: cfg.HeapLimit, StackLimit: cfg.StackLimit}
	if fatal != nil {
		s.Fatal = func(err error) { fatal(convert(err)) }
	}
	if !rt.Configure(s) {
		return nil, fail(Conflict, "the VM has started already")
	}
	return Open()
}

// Open returns the VM, started if need be. It is an error if no translated package is
// linked, or not one made with -introspect.
func Open() (*VM, error) { return open() }

var open = sync.OnceValues(func() (*VM, error) {
	p := rt.Started()
	if p == nil {
		return nil, fail(NoName, "no translated package is linked")
	}
	if p.Constant == nil {
		return nil, fail(NoName, "package %s was not made with -introspect", p.Name)
	}
	vm := &VM{ctxs: map[*Ctx]struct{}{}}
	rt.AddRoots(vm.visit)
	return vm, nil
})

// to returns the type of references to another type.
func (vm *VM) to(kind rt.VKind, elem *rt.VType) *rt.VType { return rt.TypeTo(kind, elem) }

func (vm *VM) intType(bits uint32) *rt.VType { return rt.IntType(bits) }

func (vm *VM) simple(kind rt.VKind) *rt.VType { return rt.SimpleType(kind) }

// visit is the roots of all contexts.
func (vm *VM) visit(visit func(addr uintptr)) {
	vm.mu.Lock()
	ctxs := slices.Collect(maps.Keys(vm.ctxs))
	vm.mu.Unlock()
	for _, c := range ctxs {
		c.mu.Lock()
		for h := range c.values {
			for _, r := range h.r {
				visit(r)
			}
		}
		c.mu.Unlock()
	}
}

// ID returns the ID of a name, such as "@main" or "@main.v1.entry.ask".
func (vm *VM) ID(name string) (ID, error) {
	if id, ok := rt.IDNamed(name); ok {
		return ID(id), nil
	}
	return 0, fail(NoName, "nothing is named %q", name)
}

// Name returns the name of an entity, "" when it has none.
func (vm *VM) Name(id ID) (string, error) {
	if n, ok := rt.NameOfID(uint32(id)); ok {
		return n, nil
	}
	return "", fail(NoID, "nothing has the ID %d", id)
}

// entity returns an entity of a kind.
func (vm *VM) entity(id ID, kind rt.EntityKind, what string) (*rt.Entity, error) {
	if e := rt.EntityOf(uint32(id)); e != nil && e.Kind == kind {
		return e, nil
	}
	return nil, fail(NoID, "%d is not the ID of a %s", id, what)
}

// Wait blocks until no thread made by NewThread or by the program is left, or until ctx
// is done, whose error it returns then.
func (vm *VM) Wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		rt.WaitThreads()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// GC forces a garbage collection.
func (vm *VM) GC() error {
	c := vm.NewContext()
	defer c.Close()
	return c.Collect()
}

// Close stops the VM for good: its contexts are closed, and every thread stops where it
// can be stopped, at its next call, allocation or turn of a loop. Calls in progress do not
// return. There is no other VM in the process, and Open returns this one.
func (vm *VM) Close() error {
	vm.mu.Lock()
	if vm.closed {
		vm.mu.Unlock()
		return fail(CtxClosed, "the VM is closed")
	}
	vm.closed = true
	ctxs := slices.Collect(maps.Keys(vm.ctxs))
	vm.mu.Unlock()
	t := rt.NewThreadCtx()
	for _, c := range ctxs {
		c.closed.Store(true)
	}
	return convert(rt.Halt(t))
}

// EnableWatchpoint makes the WATCHPOINT and WPBRANCH instructions of an ID take the other
// way from their next execution on. An ID that no code has is accepted.
func (vm *VM) EnableWatchpoint(wpid uint32) { rt.SetWatchpoint(wpid, true) }

// DisableWatchpoint undoes EnableWatchpoint.
func (vm *VM) DisableWatchpoint(wpid uint32) { rt.SetWatchpoint(wpid, false) }
