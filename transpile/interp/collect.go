package interp

import (
	"encoding/binary"

	"github.com/uvm2go/uvm2go/transpile/ir"
)

// Collection (docs/language.md, "Memory"; docs/internals.md, "The collector"). Go's collector frees
// memory; this one only finds the reachable objects, to clear weak references and to enforce the
// limit of the heap. It stops the world, marks everything reachable with an explicit work list,
// and then clears the weakrefs that it met whose objects it did not reach.

// unitOverhead is the number of bytes that an object counts in addition to its size, so
// that a program cannot allocate empty objects for ever.
const unitOverhead = 16

// A program may have a stack for each stackShare bytes of its heap's limit, leastStacks at least
// (docs/language.md, "Limits").
const (
	stackShare  = 4 << 10
	leastStacks = 4096
)

// firstCollection is the number of allocated bytes at which the first collection runs.
const firstCollection = 8 << 20

// heap counts what has been allocated.
type heap struct {
	used      uint64 // bytes alive after the last collection and allocated since
	threshold uint64 // value of used at which the next collection runs
	allocs    uint64
	stacks    uint64 // number of stacks not DEAD after the last collection, or made since
	epoch     uint32 // number of the last collection
}

// reserve counts an allocation of size bytes, after a collection if it is time for
// one. It reports whether the heap may grow by that much.
func (m *machine) reserve(size uint64) bool {
	h := &m.heap
	h.allocs++
	size += unitOverhead
	every := m.cfg.CollectEvery
	if every > 0 && h.allocs%every == 0 || h.used+size > h.threshold || h.used+size > m.cfg.HeapLimit {
		m.collect()
		h.threshold = max(firstCollection, 2*h.used)
		if h.used+size > m.cfg.HeapLimit {
			return false
		}
	}
	h.used += size
	return true
}

// collector is the state of one collection.
type collector struct {
	epoch  uint32
	work   []any
	weak   []*unit // reached units that hold weakrefs
	live   uint64
	stacks uint64 // number of stacks reached and not DEAD
	at     *addresses
}

// collect does one full collection.
func (m *machine) collect() {
	m.heap.epoch++
	c := &collector{epoch: m.heap.epoch, at: m.addresses}
	for _, u := range m.globals {
		c.reach(u)
	}
	for _, t := range m.ready {
		c.reach(t)
	}
	for _, w := range m.waiting {
		c.reach(w.thread)
	}
	if m.running != nil {
		c.reach(m.running)
	}
	c.value(m.handler.data)
	for _, v := range m.handles {
		c.value(v)
	}
	for _, x := range m.finals.queue {
		c.reach(x.object)
	}
	c.drain()
	for _, u := range m.finals.unreached(c.epoch) {
		c.reach(u)
	}
	c.drain()
	for _, u := range c.weak {
		for i := range u.slots {
			target, ok := u.slots[i].ref.(*unit)
			if ok && target.mark != c.epoch && u.shape.slotAt(uint64(i)*8) == ir.KWeakRef {
				u.slots[i] = null
			}
		}
	}
	m.heap.used, m.heap.stacks = c.live, c.stacks
}

// drain scans reached things until the work list is empty.
func (c *collector) drain() {
	for len(c.work) > 0 {
		x := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		c.scan(x)
	}
}

// reach puts a thing that has not been reached yet on the work list.
func (c *collector) reach(x any) {
	var mark *uint32
	switch x := x.(type) {
	case *unit:
		mark = &x.mark
	case *stack:
		mark = &x.mark
	case *thread:
		mark = &x.mark
	case *cursor:
		mark = &x.mark
	case *tagged:
		if x.unit != nil {
			c.reach(x.unit)
		}
		return
	case *aggregate:
		c.values(x.elems)
		return
	default:
		return // functions are never freed; other things do not refer to anything
	}
	if *mark != c.epoch {
		*mark = c.epoch
		c.work = append(c.work, x)
	}
}

func (c *collector) value(v Value) {
	if v.ref != nil {
		c.reach(v.ref)
	}
}

func (c *collector) values(vs []Value) {
	for i := range vs {
		c.value(vs[i])
	}
}

func (c *collector) scan(x any) {
	switch x := x.(type) {
	case *unit:
		c.unit(x)
	case *stack:
		if x.state != deadStack {
			c.stacks++
		}
		for f := x.top; f != nil; f = f.parent {
			if f.kind == muFrame && f.pc != created {
				for _, r := range f.code.live(f.pc) {
					c.value(f.regs[r])
				}
			}
			if f.rare != nil {
				c.values(f.rare.args)
				for _, u := range f.rare.cells {
					c.reach(u)
				}
			}
		}
	case *thread:
		if !x.ended {
			c.reach(x.stack)
			c.value(x.local)
			for _, u := range x.cells {
				c.reach(u)
			}
			for l := range x.pins {
				c.reach(l.unit)
			}
		}
	case *cursor:
		if !x.closed {
			c.reach(x.stack)
		}
	}
}

func (c *collector) unit(u *unit) {
	if u.kind == heapUnit || u.kind == stackUnit && !u.dead {
		c.live += uint64(len(u.data)) + unitOverhead
	}
	if u.roots && !u.dead {
		c.pointers(u.shape, u.data)
	}
	if u.dead || u.slots == nil {
		return
	}
	if !u.shape.weak {
		c.values(u.slots)
		return
	}
	c.weak = append(c.weak, u)
	for i := range u.slots {
		if u.slots[i].ref != nil && u.shape.slotAt(uint64(i)*8) != ir.KWeakRef {
			c.value(u.slots[i])
		}
	}
}

// pointers reaches the units that words of type uptr in memory point into.
func (c *collector) pointers(s *shape, data []byte) {
	if !s.points {
		return
	}
	if s.t.Kind == ir.KUPtr {
		c.value(c.at.at(Value{Lo: binary.LittleEndian.Uint64(data)}))
		return
	}
	for i, f := range s.fields {
		c.pointers(f, data[s.offsets[i]:])
	}
	if s.elem == nil || !s.elem.points {
		return
	}
	n := s.t.Len
	if s.t.Kind == ir.KHybrid {
		data = data[s.size:]
		n = uint64(len(data)) / s.stride
	}
	for i := range n {
		c.pointers(s.elem, data[i*s.stride:])
	}
}
