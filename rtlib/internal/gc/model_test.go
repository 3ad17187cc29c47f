package gc

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// The heap against a model of it in Go: a random graph is changed step by step in both,
// with collections in between, and compared. Every word of every reachable object is
// checked: references against the model, other words against a hash of the object's
// number and the offset.

// modelTypes are the shapes that the random graph is made of. Offsets are of a 64-bit
// layout, but for the size of references nothing depends on it.
func modelTypes() []*Type {
	ref := Shape{Slots: []Slot{{0, SlotRef}}}
	pair := Shape{Slots: []Slot{{8, SlotRef}, {16, SlotIRef}}}
	row := Shape{Reps: []Rep{{Off: 8, Count: 3, Stride: 24, Shape: &pair}}}
	return []*Type{
		{Name: "leaf", Size: 24, Align: 8},
		{Name: "void", Size: 0, Align: 1},
		{Name: "bytes5", Size: 5, Align: 1},
		{Name: "node", Size: 16, Align: 8, Shape: Shape{Slots: []Slot{{0, SlotRef}, {8, SlotRef}}}},
		{Name: "all", Size: 48, Align: 8, Shape: Shape{Slots: []Slot{{0, SlotRef}, {8, SlotIRef}, {16, SlotWeak}, {24, SlotTag}, {32, SlotWeak}}}},
		{Name: "medium", Size: 1000, Align: 8, Shape: Shape{Slots: []Slot{{496, SlotIRef}}, Reps: []Rep{{Off: 16, Count: 40, Stride: 8, Shape: &ref}}}},
		{Name: "vector", Size: 64, Align: 64, Shape: Shape{Slots: []Slot{{32, SlotRef}}}},
		{Name: "vector16", Size: 24, Align: 16, Shape: Shape{Slots: []Slot{{16, SlotTag}}}},
		{Name: "nested", Size: 8 + 4*80, Align: 8, Shape: Shape{Reps: []Rep{{Off: 8, Count: 4, Stride: 80, Shape: &row}}}},
		{Name: "large", Size: 24000, Align: 8, Shape: Shape{Reps: []Rep{{Off: 0, Count: 3000, Stride: 8, Shape: &ref}}}},
		{Name: "largeleaf", Size: 40000, Align: 8192},
		{Name: "page", Size: 7000, Align: 8, Shape: Shape{Slots: []Slot{{6992, SlotRef}}}},
		{Name: "refs", Size: 8, Align: 8, VarStride: 8, VarShape: ref},
		{Name: "bytes", Size: 0, Align: 1, VarStride: 1},
		{Name: "rows", Size: 16, Align: 16, Shape: Shape{Slots: []Slot{{8, SlotTag}}}, VarStride: 80, VarShape: row},
	}
}

// modelObject is an object of the model.
type modelObject struct {
	id    uint64
	addr  uintptr
	typ   *Type
	size  uintptr // of the payload
	slots []Slot
	refs  map[uintptr]modelRef // by offset of the slot; absent means null
}

// modelRef is what a slot holds: an object, and an offset or a tag.
type modelRef struct {
	to  *modelObject
	off uintptr
	tag uint8
}

// expand lists the slots of a shape.
func expand(out []Slot, s *Shape, off uintptr) []Slot {
	for _, slot := range s.Slots {
		out = append(out, Slot{off + slot.Off, slot.Kind})
	}
	for _, r := range s.Reps {
		for i := range r.Count {
			out = expand(out, r.Shape, off+r.Off+i*r.Stride)
		}
	}
	return out
}

type model struct {
	t     *testing.T
	r     *rand.Rand
	h     *heap
	c     *Ctx
	types []*Type
	ids   uint64
	fp    uintptr
	roots [modelRoots]modelRef
	hub   *modelObject // in root 0 for good; its slots keep many objects alive
	fixed map[*Type][]Slot
}

const modelRoots = 24

func (m *model) hash(o *modelObject, off uintptr) uint64 {
	return (o.id*0x9e3779b97f4a7c15 ^ uint64(off)) * 0xbf58476d1ce4e5b9
}

// setRoot changes a root in both worlds.
func (m *model) setRoot(i int, r modelRef) {
	m.roots[i] = r
	v := uintptr(0)
	if r.to != nil {
		v = r.to.addr + r.off
	}
	store(m.fp+8+8*uintptr(i), v)
}

// setSlot changes a slot of an object in both worlds.
func (m *model) setSlot(o *modelObject, s Slot, r modelRef) {
	if r.to == nil {
		delete(o.refs, s.Off)
	} else {
		o.refs[s.Off] = r
	}
	a := o.addr + s.Off
	switch s.Kind {
	case SlotTag:
		if r.to == nil {
			store64(a, TagFromFP(float64(m.r.IntN(100))))
		} else {
			store64(a, TagFromRef(r.to.addr, r.tag))
		}
	default:
		v := uintptr(0)
		if r.to != nil {
			v = r.to.addr + r.off
		}
		store(a, v)
	}
}

// alloc makes an object of a random type and puts it in a root.
func (m *model) alloc(root int) bool {
	typ := m.types[m.r.IntN(len(m.types))]
	if typ.Size > 5000 && m.r.IntN(8) != 0 {
		typ = m.types[m.r.IntN(5)]
	}
	n := uintptr(m.r.IntN(20))
	switch m.r.IntN(40) {
	case 0:
		n = uintptr(m.r.IntN(12000 * 8 / max(int(typ.VarStride), 8)))
	case 1, 2, 3:
		n = uintptr(m.r.IntN(120))
	}
	return m.allocAs(root, typ, n)
}

// allocAs makes an object, with n elements if it is a hybrid, and puts it in a root.
func (m *model) allocAs(root int, typ *Type, n uintptr) bool {
	o := &modelObject{typ: typ, size: typ.Size, refs: map[uintptr]modelRef{}}
	m.ids++
	o.id = m.ids
	if _, ok := m.fixed[typ]; !ok {
		m.fixed[typ] = slices.Clip(expand(nil, &typ.Shape, 0))
	}
	o.slots = m.fixed[typ]
	if typ.VarStride != 0 {
		o.size += n * typ.VarStride
		for i := range n {
			o.slots = expand(o.slots, &typ.VarShape, typ.Size+i*typ.VarStride)
		}
		o.addr = m.c.NewHybrid(typ, uint64(n))
	} else if typ.Align <= 8 && m.r.IntN(2) == 0 {
		o.addr = newInline(m.c, typ, typ.FixedSize(), uint64(typ.ID))
	} else {
		o.addr = m.c.New(typ)
	}
	if o.addr == 0 {
		return false
	}
	if typ.Align > 8 && o.addr%typ.Align != 0 {
		m.t.Fatalf("%s at %#x, want alignment %d", typ.Name, o.addr, typ.Align)
	}
	traced := map[uintptr]bool{}
	for _, s := range o.slots {
		traced[s.Off] = true
	}
	for off := uintptr(0); off < max(o.size, 8); off += 8 {
		if w := load64(o.addr + off); w != 0 {
			m.t.Fatalf("new %s at %#x: word %d is %#x", typ.Name, o.addr, off, w)
		}
		if !traced[off] && off+8 <= o.size {
			store64(o.addr+off, m.hash(o, off))
		}
	}
	m.setRoot(root, modelRef{to: o})
	return true
}

// pick returns a random strongly reachable object by a walk from a root.
func (m *model) pick() *modelObject {
	o := m.hub
	if m.r.IntN(3) == 0 {
		o = m.roots[m.r.IntN(modelRoots)].to
	}
	for o != nil && len(o.slots) > 0 && m.r.IntN(4) != 0 {
		s := o.slots[m.r.IntN(len(o.slots))]
		if s.Kind == SlotWeak || o.refs[s.Off].to == nil {
			break
		}
		o = o.refs[s.Off].to
	}
	return o
}

// refTo makes a reference to o that a slot of the kind may hold.
func (m *model) refTo(o *modelObject, k SlotKind) modelRef {
	r := modelRef{to: o}
	if o == nil {
		return r
	}
	switch k {
	case SlotIRef:
		switch m.r.IntN(3) {
		case 0:
			r.off = o.size // one past the end
		case 1:
			r.off = uintptr(m.r.IntN(int(o.size) + 1))
		}
	case SlotTag:
		r.tag = uint8(m.r.IntN(64))
	}
	return r
}

// step makes one random change.
func (m *model) step() {
	root := 1 + m.r.IntN(modelRoots-1)
	switch k := m.r.IntN(20); {
	case k < 8:
		if m.alloc(root) {
			m.setSlot(m.hub, m.hub.slots[m.r.IntN(len(m.hub.slots))], modelRef{to: m.roots[root].to})
		}
	case k < 15:
		o := m.pick()
		if o == nil || len(o.slots) == 0 {
			return
		}
		for range 1 + m.r.IntN(4) {
			s := o.slots[m.r.IntN(len(o.slots))]
			m.setSlot(o, s, m.refTo(m.pick(), s.Kind))
		}
	case k < 16:
		m.setRoot(root, m.refTo(m.pick(), SlotIRef))
	case k < 18:
		m.setRoot(root, modelRef{})
	case k < 19: // load a weak reference
		o := m.pick()
		if o == nil {
			return
		}
		for _, s := range o.slots {
			if r := o.refs[s.Off]; s.Kind == SlotWeak && r.to != nil {
				switch load(o.addr + s.Off) {
				case 0:
					delete(o.refs, s.Off)
				case r.to.addr:
					m.setRoot(root, r)
				default:
					m.t.Fatalf("weak slot at %#x holds %#x, want 0 or %#x", o.addr+s.Off, load(o.addr+s.Off), r.to.addr)
				}
			}
		}
	default: // garbage
		for range m.r.IntN(20) {
			m.alloc(root)
		}
		m.setRoot(root, modelRef{})
	}
}

// check compares all that is reachable; collected says that nothing changed since the
// last collection, so that weak references must be exact.
func (m *model) check(collected bool) (objects int) {
	live := map[*modelObject]bool{}
	var order []*modelObject
	visit := func(o *modelObject) {
		if o != nil && !live[o] {
			live[o] = true
			order = append(order, o)
		}
	}
	for i, r := range m.roots {
		visit(r.to)
		want := uintptr(0)
		if r.to != nil {
			want = r.to.addr + r.off
		}
		if got := load(m.fp + 8 + 8*uintptr(i)); got != want {
			m.t.Fatalf("root %d is %#x, want %#x", i, got, want)
		}
	}
	for i := 0; i < len(order); i++ {
		o := order[i]
		for _, s := range o.slots {
			if s.Kind != SlotWeak {
				visit(o.refs[s.Off].to)
			}
		}
	}
	for _, o := range order {
		traced := map[uintptr]bool{}
		if got := load64(o.addr - 8); uint32(got) != o.typ.ID {
			m.t.Fatalf("object %d (%s) at %#x has header %#x", o.id, o.typ.Name, o.addr, got)
		}
		for _, s := range o.slots {
			traced[s.Off] = true
			r := o.refs[s.Off]
			a := o.addr + s.Off
			switch {
			case s.Kind == SlotTag:
				w := load64(a)
				if r.to == nil && TagIsRef(w) || r.to != nil && (!TagIsRef(w) || TagToRef(w) != r.to.addr || TagToTag(w) != r.tag) {
					m.t.Fatalf("object %d (%s): tagref at %d is %#x", o.id, o.typ.Name, s.Off, w)
				}
			case r.to == nil:
				if load(a) != 0 {
					m.t.Fatalf("object %d (%s): slot at %d is %#x, want 0", o.id, o.typ.Name, s.Off, load(a))
				}
			case s.Kind == SlotWeak && !live[r.to]:
				if got := load(a); got == 0 {
					delete(o.refs, s.Off)
				} else if collected || got != r.to.addr {
					m.t.Fatalf("object %d (%s): weak slot at %d is %#x, its target is dead", o.id, o.typ.Name, s.Off, got)
				}
			default:
				if got, want := load(a), r.to.addr+r.off; got != want {
					m.t.Fatalf("object %d (%s): slot at %d is %#x, want %#x", o.id, o.typ.Name, s.Off, got, want)
				}
			}
		}
		for off := uintptr(0); off+8 <= o.size; off += 8 {
			if !traced[off] && load64(o.addr+off) != m.hash(o, off) {
				m.t.Fatalf("object %d (%s) at %#x: word %d is %#x", o.id, o.typ.Name, o.addr, off, load64(o.addr+off))
			}
		}
	}
	return len(order)
}

// runModel makes rounds of random steps, each followed by a collection and a check.
func runModel(t *testing.T, o Options, seed uint64, rounds, steps int) {
	runModelFrom(t, o, rand.NewPCG(seed, 1), seed%2 == 1, rounds, steps)
}

// runModelFrom is runModel with random numbers from a source; parallel says whether more than one
// goroutine marks from the start.
func runModelFrom(t *testing.T, o Options, source rand.Source, parallel bool, rounds, steps int) {
	m := &model{t: t, r: rand.New(source), types: modelTypes()}
	m.h = testHeap(t, o, m.types...)
	if parallel {
		m.h.parallelFrom = 0
	}
	m.c = testThread(t, m.h)
	m.fp = pushFrame(m.c, modelRoots, 2)
	m.fixed = map[*Type][]Slot{}
	m.allocAs(0, m.types[len(m.types)-3], 300)
	m.hub = m.roots[0].to
	for range rounds {
		for range steps {
			m.step()
		}
		m.check(false)
		m.h.collect(m.c, "test", true)
		n := m.check(true)
		if got := m.h.snapshot().Objects; got != uint64(n) {
			t.Fatalf("%d objects live, want %d", got, n)
		}
	}
	s := m.h.snapshot()
	t.Logf("%d collections, %d objects made, %d live, %d bytes held", s.Collections, m.ids, s.Objects, s.Heap)
}

func TestModel(t *testing.T) { compareModel(t, 10) }

func TestLongModel(t *testing.T) {
	longtest.Only(t)
	compareModel(t, 1)
}

// compareModel does a part of the rounds.
func compareModel(t *testing.T, part int) {
	t.Helper()
	all := Debug{GCVerify: true, ClobberFree: true}
	stress := func(n uint64) Debug { return Debug{GCVerify: true, ClobberFree: true, GCStress: n} }
	for _, tc := range []struct {
		name          string
		d             Debug
		rounds, steps int
	}{
		{"plain", Debug{}, 350, 100},
		{"verify", all, 350, 40},
		{"stress7", stress(7), 60, 30},
		{"stress1", stress(1), 20, 30},
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s/%d", tc.name, seed), func(t *testing.T) {
				runModel(t, Options{HeapLimit: 256 << 20, Debug: tc.d}, seed, tc.rounds/part, tc.steps)
			})
		}
	}
}

// tape is a source of the numbers on it, and of random ones after its end.
type tape struct {
	data []byte
	rest *rand.PCG
}

func (p *tape) Uint64() (x uint64) {
	if len(p.data) < 2 {
		return p.rest.Uint64()
	}
	// The upper bits decide.
	x = uint64(p.data[0])<<56 | uint64(p.data[1])<<48
	p.data = p.data[2:]
	return x | x>>16 | x>>32 | x>>48
}

// FuzzHeap is TestModel with steps from the fuzzer.
func FuzzHeap(f *testing.F) {
	f.Add([]byte("steps"), uint8(1), false)
	f.Add([]byte{}, uint8(0), true)
	f.Fuzz(func(t *testing.T, steps []byte, stress uint8, parallel bool) {
		o := Options{HeapLimit: 64 << 20, Debug: Debug{GCVerify: true, ClobberFree: true, GCStress: uint64(stress)}}
		runModelFrom(t, o, &tape{steps, rand.NewPCG(uint64(len(steps)), 2)}, parallel, 4, 40)
	})
}
