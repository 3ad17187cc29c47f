package rtlib

import (
	"sync"
)

// directory finds the entities of the program by name, ID and record. What was translated
// with the program is in maps that do not change; what is declared at run time comes into
// others.
type directory struct {
	ids   map[string]uint32
	names map[uint32]string
	ents  map[uint32]*Entity
	funcs map[*Func]*Entity

	mu   sync.RWMutex
	next uint32 // ID of the next entity; guarded by mu
	more struct {
		ids   map[string]uint32  // guarded by mu
		names map[uint32]string  // guarded by mu
		ents  map[uint32]*Entity // guarded by mu
		funcs map[*Func]*Entity  // guarded by mu
	}
}

var theDirectory struct {
	once sync.Once
	d    *directory
}

// entities returns the directory, made when it is first needed.
func entities() *directory {
	theDirectory.once.Do(func() { theDirectory.d = newDirectory() })
	return theDirectory.d
}

func newDirectory() *directory {
	d := &directory{
		ids: make(map[string]uint32, len(current.Names)), names: make(map[uint32]string, len(current.Names)),
		ents: make(map[uint32]*Entity, len(current.Entities)), funcs: map[*Func]*Entity{}, next: 65536,
	}
	for _, e := range current.Names {
		if _, ok := d.names[e.ID]; !ok {
			d.names[e.ID] = e.Name
		}
		if e.Name != "" {
			d.ids[e.Name] = e.ID
		}
		d.next = max(d.next, e.ID+1)
	}
	for i := range current.Entities {
		e := &current.Entities[i]
		d.ents[e.ID] = e
		if e.Func != nil {
			d.funcs[e.Func] = e
		}
		d.next = max(d.next, e.ID+1)
	}
	d.more.ids, d.more.names = map[string]uint32{}, map[uint32]string{}
	d.more.ents, d.more.funcs = map[uint32]*Entity{}, map[*Func]*Entity{}
	return d
}

// enter adds an entity. The caller holds the lock.
func (d *directory) enter(name string, e *Entity) {
	d.more.ids[name], d.more.names[e.ID], d.more.ents[e.ID] = e.ID, name, e
	if e.Func != nil {
		d.more.funcs[e.Func] = e
	}
}

// declared reports whether a name was declared at run time.
func (d *directory) declared(name string) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	_, ok := d.more.ids[name]
	return ok
}

// IDNamed returns the ID of a name; false when nothing visible has it.
func IDNamed(name string) (uint32, bool) {
	d := entities()
	if id, ok := d.ids[name]; ok && Visible(id) {
		return id, true
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	id, ok := d.more.ids[name]
	return id, ok
}

// NameOfID returns the name of an entity, "" if it has none; false when nothing visible has
// the ID.
func NameOfID(id uint32) (string, bool) {
	d := entities()
	if n, ok := d.names[id]; ok {
		return n, Visible(id)
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	n, ok := d.more.names[id]
	return n, ok
}

// EntityOf returns the entity of an ID, nil if there is none that is visible.
func EntityOf(id uint32) *Entity {
	d := entities()
	if e := d.ents[id]; e != nil {
		if !Visible(id) {
			return nil
		}
		return e
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.more.ents[id]
}

// EntityOfFunc returns the entity of a function, nil for NULL.
func EntityOfFunc(f *Func) *Entity {
	d := entities()
	if e := d.funcs[f]; e != nil {
		return e
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.more.funcs[f]
}

// Func returns the record of the function that captured s.
func (s Self) Func() *Func {
	d := entities()
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.more.ents[s.ID].Func
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
	current.Constant(t, e.ID)
	x := X(t)
	nw, nr := e.Type.Width()
	return append(w, x.W[:nw]...), append(r, x.R[:nr]...)
}
