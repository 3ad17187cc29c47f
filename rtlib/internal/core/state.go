package core

import (
	"cmp"
	"slices"
)

// What the engine asks to write a VM down.

// Quiet calls f while no bundle is read or entered. The thread of t is in a safe region then, so f may stop the world
// (gc.Stopped).
func Quiet(t *Ctx, f func()) {
	arrive(t, f)
	arriving.Unlock()
}

// Entities lists the visible entities that are not predefined, in the order of their IDs.
func (vm *VM) Entities() (list []*Entity) {
	d := vm.entities()
	for id, e := range d.ents {
		if id >= firstID && d.visible(id) {
			list = append(list, e)
		}
	}
	d.mu.RLock()
	for _, e := range d.more.ents {
		list = append(list, e)
	}
	d.mu.RUnlock()
	slices.SortFunc(list, func(a, b *Entity) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// ObjectTypes are the types of objects, by the number of their descriptors.
func (vm *VM) ObjectTypes() map[uint32]*VType {
	tt := typesOf()
	tt.mu.Lock()
	defer tt.mu.Unlock()
	m := map[uint32]*VType{}
	for _, v := range tt.all {
		if v.GC != nil && v.Kind != VVoid {
			m[v.GC.ID] = v
		}
	}
	if void := tt.single[VVoid]; void != nil {
		m[VoidType.ID] = void
	}
	for id, t := range map[uint32]*Type{0x260: bytesType, 0x262: refsType} {
		if e := vm.EntityOf(id); e != nil {
			m[t.ID] = e.Type
		}
	}
	return m
}
