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
	entities map[ID]*rt.Entity
	ids      map[string]ID
	names    map[ID]string
	funcs    map[*rt.Func]*rt.Entity

	mu      sync.Mutex
	closed  bool                   // guarded by mu
	ctxs    map[*Ctx]struct{}      // guarded by mu
	derived map[refType]*rt.VType  // guarded by mu
	ints    map[uint32]*rt.VType   // guarded by mu
	single  map[rt.VKind]*rt.VType // guarded by mu
}

// refType is a reference type by its parts.
type refType struct {
	kind rt.VKind
	elem *rt.VType
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
	vm := &VM{
		entities: map[ID]*rt.Entity{}, ids: map[string]ID{}, names: map[ID]string{}, funcs: map[*rt.Func]*rt.Entity{},
		ctxs: map[*Ctx]struct{}{}, derived: map[refType]*rt.VType{}, ints: map[uint32]*rt.VType{}, single: map[rt.VKind]*rt.VType{},
	}
	for i := range p.Entities {
		e := &p.Entities[i]
		vm.entities[ID(e.ID)] = e
		vm.know(e.Type)
		if e.Func != nil {
			vm.funcs[e.Func] = e
		}
	}
	for _, n := range p.Names {
		if _, ok := vm.names[ID(n.ID)]; !ok {
			vm.names[ID(n.ID)] = n.Name
		}
		if n.Name != "" {
			vm.ids[n.Name] = ID(n.ID)
		}
	}
	rt.AddRoots(vm.visit)
	return vm, nil
})

// know enters a type of the program, so that an equal one is not made again.
func (vm *VM) know(v *rt.VType) {
	if v == nil {
		return
	}
	switch v.Kind {
	case rt.VInt:
		if vm.ints[v.Bits] != nil {
			return
		}
		vm.ints[v.Bits] = v
	case rt.VRef, rt.VIRef, rt.VWeakRef, rt.VUPtr:
		k := refType{v.Kind, v.Elem}
		if vm.derived[k] != nil {
			return
		}
		vm.derived[k] = v
		vm.know(v.Elem)
	case rt.VStruct, rt.VHybrid, rt.VArray, rt.VVector:
		k := refType{v.Kind, v}
		if vm.derived[k] != nil {
			return
		}
		vm.derived[k] = v
		for _, f := range v.Fields {
			vm.know(f)
		}
		vm.know(v.Elem)
	case rt.VFuncRef, rt.VUFuncPtr:
	default:
		if vm.single[v.Kind] == nil {
			vm.single[v.Kind] = v
		}
	}
}

// to returns the type of references to another type.
func (vm *VM) to(kind rt.VKind, elem *rt.VType) *rt.VType {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	k := refType{kind, elem}
	v := vm.derived[k]
	if v == nil {
		v = &rt.VType{Kind: kind, Elem: elem, Size: wordSize}
		vm.derived[k] = v
	}
	return v
}

func (vm *VM) intType(bits uint32) *rt.VType {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	v := vm.ints[bits]
	if v == nil {
		size := uintptr(1)
		for size*8 < uintptr(bits) {
			size *= 2
		}
		v = &rt.VType{Kind: rt.VInt, Bits: bits, Size: size}
		vm.ints[bits] = v
	}
	return v
}

func (vm *VM) simple(kind rt.VKind) *rt.VType {
	vm.mu.Lock()
	defer vm.mu.Unlock()
	v := vm.single[kind]
	if v == nil {
		v = &rt.VType{Kind: kind, Size: wordSize}
		vm.single[kind] = v
	}
	return v
}

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
	if id, ok := vm.ids[name]; ok && rt.Visible(uint32(id)) {
		return id, nil
	}
	return 0, fail(NoName, "nothing is named %q", name)
}

// Name returns the name of an entity, "" when it has none.
func (vm *VM) Name(id ID) (string, error) {
	if n, ok := vm.names[id]; ok && rt.Visible(uint32(id)) {
		return n, nil
	}
	return "", fail(NoID, "nothing has the ID %d", id)
}

// entity returns an entity of a kind.
func (vm *VM) entity(id ID, kind rt.EntityKind, what string) (*rt.Entity, error) {
	if e := vm.entities[id]; e != nil && e.Kind == kind && rt.Visible(uint32(id)) {
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
