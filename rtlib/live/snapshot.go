package live

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
)

// A snapshot is a copy of the cells of a VM and of the objects that they reach, as they were at one moment.
type snapshot struct {
	pieces map[uintptr]*piece // by address
	starts []uintptr          // the addresses, in order
	types  map[uint32]*core.VType
	todo   []*piece
}

// A piece is a cell or an object.
type piece struct {
	addr   uintptr
	cell   *core.Entity // nil for an object
	ty     *core.VType
	length uint64 // of a hybrid
	data   []byte
	gc     *core.Type
}

// takeSnapshot copies the cells, and the objects that they and further addresses reach. Objects that only weak
// references reach are not in it. The caller is in a safe region.
func takeSnapshot(vm *core.VM, cells []*core.Entity, further ...uintptr) *snapshot {
	s := &snapshot{pieces: map[uintptr]*piece{}, types: vm.ObjectTypes()}
	gc.Stopped(func() {
		for _, e := range cells {
			s.add(&piece{addr: e.Addr, cell: e, ty: e.Type, gc: e.Type.GC}, e.Type.Size)
		}
		for _, a := range further {
			s.reach(a)
		}
		for len(s.todo) > 0 {
			p := s.todo[len(s.todo)-1]
			s.todo = s.todo[:len(s.todo)-1]
			s.trace(p)
		}
	})
	for a := range s.pieces {
		s.starts = append(s.starts, a)
	}
	slices.Sort(s.starts)
	return s
}

// add copies memory.
//
//go:norace
//go:nocheckptr
func (s *snapshot) add(p *piece, size uintptr) {
	if size > 0 {
		p.data = slices.Clone(unsafe.Slice((*byte)(unsafe.Add(nil, p.addr)), size))
	}
	s.pieces[p.addr] = p
	s.todo = append(s.todo, p)
}

// reach copies the object that an address leads into, if there is one and it is not here yet. The objects that stand for
// stacks, threads and the like are not copied.
func (s *snapshot) reach(addr uintptr) {
	if s.pieces[addr] != nil || addr == 0 {
		return
	}
	at, t, length, ok := gc.ObjectAt(addr)
	if !ok || s.pieces[at] != nil || t.Kind != gc.Plain || s.types[t.ID] == nil {
		return
	}
	s.add(&piece{addr: at, ty: s.types[t.ID], length: length, gc: t}, t.Size+uintptr(length)*t.VarStride)
}

// trace copies what a piece refers to.
func (s *snapshot) trace(p *piece) {
	if p.gc == nil {
		return
	}
	s.shape(p.data, &p.gc.Shape, 0)
	if v := &p.gc.VarShape; len(v.Slots)+len(v.Reps) > 0 {
		for i := range uintptr(p.length) {
			s.shape(p.data, v, p.gc.Size+i*p.gc.VarStride)
		}
	}
}

func (s *snapshot) shape(data []byte, shape *core.Shape, at uintptr) {
	for _, x := range shape.Slots {
		switch at := at + x.Off; x.Kind {
		case core.SlotRef, core.SlotIRef:
			s.reach(addressAt(data, at))
		case core.SlotTag:
			if w := at64(data, at); gc.TagIsRef(w) {
				s.reach(gc.TagToRef(w))
			}
		}
	}
	for _, r := range shape.Reps {
		for i := range r.Count {
			s.shape(data, r.Shape, at+r.Off+i*r.Stride)
		}
	}
}

// around returns the piece that an address leads into, or to the end of; nil if there is none.
func (s *snapshot) around(addr uintptr) *piece {
	i, found := slices.BinarySearch(s.starts, addr)
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	if p := s.pieces[s.starts[i]]; addr-p.addr <= uintptr(len(p.data)) {
		return p
	}
	return nil
}

// addressAt is the reference at an offset.
func addressAt(data []byte, off uintptr) uintptr { return *(*uintptr)(unsafe.Pointer(&data[off])) }

// at64 is the number of 64 bits at an offset.
func at64(data []byte, off uintptr) uint64 { return binary.NativeEndian.Uint64(data[off:]) }
