package gc

import (
	"fmt"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// checker walks everything reachable by the simplest means, for UVMDEBUG=gcverify=1. Before a
// collection it finds faults of the program: references that are none. After one it finds
// faults of the collector: what is reachable must be marked, what is marked must be reachable,
// and free lines must hold none of it. It shares only type descriptors, immix.Find and
// immix.Starts with the marking it checks.
type checker struct {
	h       *heap
	after   bool
	visitor Visitor // what hooks and root functions get
	seen    map[mem.Address]struct{}
	todo    []mem.Address // payloads
	faulty  bool
}

// verify checks the heap; the world is stopped, all allocation runs were walked. after
// says whether the heap was just swept.
func (h *heap) verify(after bool) {
	k := &checker{h: h, after: after, seen: map[mem.Address]struct{}{}}
	k.visitor = Visitor{h: h, base: h.space.Base(), span: h.space.Span(), check: k}
	for i, g := range h.globals {
		k.shape(mem.Address(uintptr(g.Addr)), &g.Type.Shape, func() string { return fmt.Sprintf("global %d (%s)", i, g.Type.Name) })
	}
	for _, th := range h.world.threads {
		if c := th.ctx.Load(); c != nil {
			k.context(c)
		}
	}
	for _, r := range h.roots {
		r.visit(k.visitor.Addr)
	}
	for len(k.todo) > 0 && !k.faulty {
		p := k.todo[len(k.todo)-1]
		k.todo = k.todo[:len(k.todo)-1]
		k.object(p)
	}
	if !after || k.faulty {
		return
	}
	n := 0
	for p := range h.space.Starts {
		if _, ok := k.seen[p+headerSize]; !ok {
			k.fault("object at %#x is marked, but nothing refers to it", p+headerSize)
			return
		}
		n++
	}
	if n != len(k.seen) || uint64(n) != h.stats.Objects {
		k.fault("%d objects are reachable, %d marked, %d were traced", len(k.seen), n, h.stats.Objects)
	}
}

func (k *checker) fault(format string, args ...any) {
	if k.faulty {
		return
	}
	k.faulty = true
	when := "before"
	if k.after {
		when = "after"
	}
	k.h.fail(fmt.Sprintf(format, args...) + fmt.Sprintf(" (%s collection %d)", when, k.h.seq.Load()+1))
}

// context checks the roots of a stack.
func (k *checker) context(c *Ctx) {
	for fp := range c.Frames {
		shape := mem.Load32(mem.Address(fp))
		if shape>>16 >= shape&0xffff {
			k.fault("frame at %#x has shape %#x", fp, shape)
			return
		}
		for i := range uintptr(shape >> 16) {
			a := mem.LoadAddress(mem.Address(fp).Add(8 + 8*i))
			k.address(a, "root word %d of the frame at %#x, site %d", i, fp, mem.Load32(mem.Address(fp)+4))
		}
	}
	k.address(mem.Address(c.Exc), "an exception")
	for i, a := range c.XRef {
		k.address(mem.Address(a), "transfer reference %d", i)
	}
	for _, a := range c.args {
		k.address(mem.Address(a), "an argument")
	}
	c.cells(func(p mem.Address) { k.body(p+headerSize, mem.Load64(p)>>32, "alloca cell") })
}

// address checks a word that may be any address.
func (k *checker) address(a mem.Address, where string, args ...any) {
	if a.Sub(k.visitor.base) >= k.visitor.span {
		return
	}
	p, ok := k.h.space.Find(a, k.h.sizeOf)
	if !ok || !k.h.within(a, p) {
		k.fault("%s is %#x, in the heap but in no object", fmt.Sprintf(where, args...), a)
		return
	}
	k.add(p + headerSize)
}

// add notes that the object with payload p is reachable.
func (k *checker) add(p mem.Address) {
	if _, ok := k.seen[p]; !ok {
		k.seen[p] = struct{}{}
		k.todo = append(k.todo, p)
	}
}

// object checks one reachable object.
func (k *checker) object(p mem.Address) {
	header := mem.Load64(p - headerSize)
	l := *k.h.layouts.Load()
	if id := uint32(header); int(id) >= len(l) || l[id].typ == nil {
		k.fault("object at %#x has header %#x, no type", p, header)
		return
	}
	typ := l[uint32(header)].typ
	n, _ := k.h.sizeOf(p - headerSize)
	if k.after && k.h.space.LinesFree(p-headerSize, n) {
		k.fault("object at %#x (%s) lies on a free line", p, typ.Name)
		return
	}
	k.body(p, k.h.lengthAt(p-headerSize, header), "object")
	if hook := k.h.kinds[typ.Kind].mark; typ.Kind != Plain && hook != nil {
		hook(mem.Load64(p), &k.visitor)
	}
}

// body checks the words of an object or an alloca cell.
func (k *checker) body(p mem.Address, length uint64, what string) {
	t := (*k.h.layouts.Load())[mem.Load32(p-headerSize+lowHalf)].typ
	where := func() string { return fmt.Sprintf("%s at %#x (%s)", what, p, t.Name) }
	k.shape(p, &t.Shape, where)
	if t.VarStride != 0 && (len(t.VarShape.Slots) > 0 || len(t.VarShape.Reps) > 0) {
		for i := range length {
			k.shape(p.Add(t.Size+uintptr(i)*t.VarStride), &t.VarShape, where)
		}
	}
}

// shape checks the words of a shape at p.
func (k *checker) shape(p mem.Address, s *Shape, where func() string) {
	for _, slot := range s.Slots {
		at := p.Add(slot.Off)
		switch slot.Kind {
		case SlotTag:
			if w := mem.Load64(at); TagIsRef(w) {
				k.exact(mem.Address(TagToRef(w)), at, true, where)
			}
		case SlotIRef:
			if a := mem.LoadAddress(at); a.Sub(k.visitor.base) < k.visitor.span {
				k.address(a, "%s, word at %#x,", where(), at)
			}
		case SlotAny:
			if p, ok := k.h.space.Find(mem.LoadAddress(at), k.h.sizeOf); ok && k.h.within(mem.LoadAddress(at), p) {
				k.add(p + headerSize)
			}
		default:
			k.exact(mem.LoadAddress(at), at, slot.Kind == SlotRef, where)
		}
	}
	for _, r := range s.Reps {
		for i := range r.Count {
			k.shape(p.Add(r.Off+i*r.Stride), r.Shape, where)
		}
	}
}

// exact checks a word that must be 0 or an object's payload address.
func (k *checker) exact(a, at mem.Address, strong bool, where func() string) {
	if a == 0 {
		return
	}
	if a.Sub(k.visitor.base) < k.visitor.span {
		if p, ok := k.h.space.Find(a, k.h.sizeOf); ok && p+headerSize == a {
			if strong {
				k.add(a)
			}
			return
		}
	}
	k.fault("%s, word at %#x, refers to %#x, no object", where(), at, a)
}
