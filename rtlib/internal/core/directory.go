package core

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// directory finds the entities of a VM by name, ID and record. Translated entities are
// in maps that do not change; entities declared at run time are in other maps.
//
// If several packages define a name, code in one of them refers to its own entity. Other code
// gets that of the first package, in the order of their init functions, or names the package by
// its import path: example.org/app/list.@sum.
type directory struct {
	ids    map[string]uint32
	own    map[*Program]map[string]uint32 // of each package, if there are several
	names  map[uint32]string
	ents   map[uint32]*Entity
	funcs  map[*Func]*Entity
	hidden map[uint32]hiddenRow
	// Made when a bundle with late names is loaded: the prefixes of ids, as in lateDirectory.
	fixed    sync.Once
	prefixes map[string]bool
	*additions
}

// hiddenRow is a row of Program.Hidden.
type hiddenRow struct {
	of *Program
	in []uint32
}

// additions are the entities that were declared at run time.
type additions struct {
	mu   sync.RWMutex
	more struct {
		ids   map[string]uint32  // guarded by mu
		names map[uint32]string  // guarded by mu
		ents  map[uint32]*Entity // guarded by mu
		funcs map[*Func]*Entity  // guarded by mu
	}
	late lateDirectory // guarded by mu
}

// ids gives IDs, of which no two VMs have the same.
var ids struct {
	mu   sync.Mutex
	next uint32 // ID of the next entity; guarded by mu
}

// reserve makes sure that no entity gets an ID below next.
func reserve(next uint32) {
	ids.mu.Lock()
	ids.next = max(ids.next, next)
	ids.mu.Unlock()
}

// directories has the directory of a VM.
type directories struct {
	mu  sync.Mutex // held while the directory is made
	now atomic.Pointer[directory]
}

// entities returns the directory, made when it is first needed.
func (vm *VM) entities() *directory {
	t := &vm.dir
	if d := t.now.Load(); d != nil {
		return d
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now.Load() == nil {
		t.now.Store(vm.newDirectory(newAdditions()))
	}
	return t.now.Load()
}

// join adds the entities of a program that was linked late.
func (t *directories) join() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if d := t.now.Load(); d != nil {
		t.now.Store(first.newDirectory(d.additions))
	}
}

// drop leaves only the names that the VM had when it started.
func (t *directories) drop(vm *VM) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Store(vm.newDirectory(newAdditions()))
}

func newAdditions() *additions {
	a := &additions{}
	a.more.ids, a.more.names = map[string]uint32{}, map[uint32]string{}
	a.more.ents, a.more.funcs = map[uint32]*Entity{}, map[*Func]*Entity{}
	a.late.prefixes = map[string]bool{}
	return a
}

// newDirectory makes a directory of what is linked: of packages in the first VM, in others only what is predefined.
func (vm *VM) newDirectory(a *additions) *directory {
	d := &directory{
		ids: map[string]uint32{}, own: map[*Program]map[string]uint32{}, names: map[uint32]string{},
		ents: map[uint32]*Entity{}, funcs: map[*Func]*Entity{}, hidden: map[uint32]hiddenRow{}, additions: a,
	}
	if vm != first {
		d.predefined()
		return d
	}
	next := firstID + linking.nextID
	for _, p := range packages {
		if len(packages) > 1 {
			d.own[p] = make(map[string]uint32, len(p.Names))
		}
		for _, e := range p.Names {
			if _, ok := d.names[e.ID]; !ok {
				d.names[e.ID] = e.Name
			}
			if e.Name != "" {
				d.name(p, e.Name, e.ID)
			}
			next = max(next, e.ID+1)
		}
		for i := range p.Entities {
			e := &p.Entities[i]
			d.ents[e.ID] = e
			if e.Func != nil {
				d.funcs[e.Func] = e
			}
			next = max(next, e.ID+1)
		}
		for _, h := range p.Hidden {
			d.hidden[h.ID] = hiddenRow{p, h.In}
		}
	}
	reserve(next)
	return d
}

// predefined enters what is predefined, which every package that describes its entities has.
func (d *directory) predefined() {
	for _, p := range packages {
		if p.Entities == nil {
			continue
		}
		for _, e := range p.Names {
			if e.ID < firstID {
				d.ids[e.Name], d.names[e.ID] = e.ID, e.Name
			}
		}
		for i := range p.Entities {
			if e := &p.Entities[i]; e.ID < firstID {
				d.ents[e.ID] = e
			}
		}
		return
	}
}

// name enters a name of a package.
func (d *directory) name(p *Program, name string, id uint32) {
	if len(packages) > 1 {
		d.own[p][name] = id
		d.ids[p.at.pkg+name] = id
		if _, ok := d.ids[name]; ok {
			return
		}
	}
	d.ids[name] = id
}

// enter adds an entity. The caller holds the lock.
func (d *directory) enter(name string, e *Entity) {
	d.enterUnnamed(e)
	d.enterName(name, e.ID)
}

// enterName adds a name, "" for what has none. The caller holds the lock.
func (d *directory) enterName(name string, id uint32) {
	d.more.names[id] = name
	if name == "" {
		return
	}
	d.more.ids[name] = id
	addPrefixes(d.late.prefixes, name)
}

// enterUnnamed adds an entity that has no name. The caller holds the lock.
func (d *directory) enterUnnamed(e *Entity) {
	d.more.names[e.ID], d.more.ents[e.ID] = "", e
	if e.Func != nil {
		d.more.funcs[e.Func] = e
	}
}

// declared reports whether a name was declared at run time.
func (d *directory) declared(name string) bool {
	d.mu.RLock()
	_, ok := d.more.ids[name]
	d.mu.RUnlock()
	if !ok {
		_, ok = d.lateID(name)
	}
	return ok
}

// IDNamed returns the ID of a name; false if no visible entity has the name.
func (vm *VM) IDNamed(name string) (uint32, bool) { return vm.idNamed(nil, name) }

// idNamed is IDNamed for the code of a package, nil for a client.
func (vm *VM) idNamed(p *Program, name string) (uint32, bool) {
	d := vm.entities()
	if id, ok := d.own[p][name]; ok && d.visible(id) {
		return id, true
	}
	if id, ok := d.ids[name]; ok && d.visible(id) {
		return id, true
	}
	d.mu.RLock()
	id, ok := d.more.ids[name]
	d.mu.RUnlock()
	if !ok {
		return d.lateID(name)
	}
	return id, true
}

// NameOfID returns the name of an entity, "" if it has none; false if no visible entity has
// the ID.
func (vm *VM) NameOfID(id uint32) (string, bool) {
	d := vm.entities()
	if n, ok := d.names[id]; ok {
		return n, d.visible(id)
	}
	d.mu.RLock()
	n, ok := d.more.names[id]
	d.mu.RUnlock()
	if !ok {
		return d.lateName(id)
	}
	return n, true
}

// EntityNames lists the names of entities that begin with a prefix, in order.
func (vm *VM) EntityNames(prefix string) []string {
	d := vm.entities()
	var list []string
	for name, id := range d.ids {
		if strings.HasPrefix(name, prefix) && d.ents[id] != nil && d.visible(id) {
			list = append(list, name)
		}
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	for name, id := range d.more.ids {
		if strings.HasPrefix(name, prefix) && d.more.ents[id] != nil {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// EntityOf returns the visible entity with an ID, nil if there is none.
func (vm *VM) EntityOf(id uint32) *Entity {
	d := vm.entities()
	if e := d.ents[id]; e != nil {
		if !d.visible(id) {
			return nil
		}
		return e
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.more.ents[id]
}

// EntityOfFunc returns the entity of a function, nil for NULL.
func (vm *VM) EntityOfFunc(f *Func) *Entity {
	d := vm.entities()
	if e := d.funcs[f]; e != nil {
		return e
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.more.funcs[f]
}

// Func returns the record of the function that captured s.
func (s Self) Func() *Func {
	if s.ID >= firstHost {
		return &(*host.byID.Load())[s.ID-firstHost].Func
	}
	if e := first.EntityOf(s.ID); e != nil {
		return e.Func
	}
	vms.mu.Lock()
	defer vms.mu.Unlock()
	for vm := range vms.all {
		if e := vm.EntityOf(s.ID); e != nil {
			return e.Func
		}
	}
	return nil
}

// constValue is the value of a constant, flattened as in a transfer area.
type constValue struct {
	w []uint64
	r []uintptr
}

// ConstantOf returns the value of a constant, flattened. It uses X(t).
func ConstantOf(t *Ctx, e *Entity) (w []uint64, r []uintptr) {
	if e.value != nil {
		return e.value.w, e.value.r
	}
	e.of.Constant(t, e.local)
	x := X(t)
	nw, nr := e.Type.Width()
	return append(w, x.W[:nw]...), append(r, x.R[:nr]...)
}
