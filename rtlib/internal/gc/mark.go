package gc

import (
	"fmt"
	"math/bits"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/uvm2go/uvm2go/rtlib/internal/immix"
	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// marking is the marking phase of one collection.
type marking struct {
	h       *heap
	seq     uint32
	layouts []layout
	marks   immix.Marks
	workers []*Visitor // the first alone, until it finds that there is much to do; guarded by mu

	idle  atomic.Int32 // workers in take
	avail atomic.Int32 // len(chunks) + len(ranges)

	wg      sync.WaitGroup // of the workers after the first
	mu      sync.Mutex
	cond    sync.Cond   // of mu: work was added, or all are idle
	chunks  []*workbuf  // full or half full buffers; guarded by mu
	ranges  []workRange // guarded by mu
	waiting int         // guarded by mu
	done    bool        // guarded by mu
}

// workbuf is a stack of marked objects that are to be traced.
type workbuf struct {
	n    int
	objs [bufSize]mem.Address
}

const (
	bufSize = 2048
	batch   = 16  // objects asked for from memory together
	spins   = 100 // looks for work before sleeping
	piece   = 512 // elements of a long span traced at once
)

// workRange is a part of a long span that is to be traced.
type workRange struct {
	at    mem.Address // of the first element
	count uintptr
	span  *span
}

// bufs keeps work buffers from one collection to the next.
var bufs = sync.Pool{New: func() any { return new(workbuf) }}

// Visitor is one worker of a marking, and what hooks and root functions pass roots to.
type Visitor struct {
	m       *marking
	h       *heap
	marks   immix.Marks
	base    mem.Address
	span    uintptr
	layouts []layout
	shared  bool    // there are other workers
	alone   uintptr // bytes of live objects up to which a worker continues alone

	buf    *workbuf
	lots   [2][batch]mem.Address // objects taken off buf, their memory asked for
	sizes  [2]int                // how many of them
	turn   int                   // index of the lot to be traced next; the other is empty
	ranges []workRange
	weak   []mem.Address // slots that hold a weak reference
	ctxs   []*Ctx        // whose Weak is not 0

	live    uintptr
	objects uint64

	check *checker // not nil: the visitor is that of a verification, which takes the roots
}

func (h *heap) newMarking() *marking {
	m := &marking{h: h, seq: h.seq.Load() + 1, layouts: *h.layouts.Load(), marks: h.space.Marks()}
	m.cond.L = &m.mu
	m.worker()
	return m
}

// worker adds a worker and returns it. mu is held, or there are no others.
func (m *marking) worker() *Visitor {
	h := m.h
	w := &Visitor{
		m: m, h: h, marks: m.marks, layouts: m.layouts,
		base: h.space.Base(), span: h.space.Span(),
		buf: bufs.Get().(*workbuf), alone: h.parallelFrom,
	}
	m.workers = append(m.workers, w)
	return w
}

// run marks everything reachable.
func (m *marking) run() {
	w := m.workers[0]
	m.guard(func() {
		w.roots()
		w.drain()
	})
	m.wg.Wait()
	m.finals()
	for _, w := range m.workers {
		w.buf.n = 0
		bufs.Put(w.buf)
	}
}

// guard runs f, which looks at memory that might not be there.
func (m *marking) guard(f func()) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if r := recover(); r != nil {
			if _, ok := r.(interface{ Addr() uintptr }); !ok {
				panic(r)
			}
			m.h.fail(fmt.Sprintf("fault while marking: %v", r))
		}
	}()
	f()
}

// widen lets the other processors help v, which is the only worker so far. As long as it
// is alone it needs no locked instructions and waits for nobody.
func (m *marking) widen(v *Visitor) {
	v.alone = ^uintptr(0)
	n := min(runtime.GOMAXPROCS(0), maxWorkers)
	if n == 1 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	v.shared = true
	for range n - 1 {
		w := m.worker()
		w.shared = true
		m.wg.Go(func() { m.guard(w.drain) })
	}
}

// roots visits all roots.
func (v *Visitor) roots() {
	h := v.h
	h.mu.Lock()
	globals, roots := h.globals, h.roots
	h.mu.Unlock()
	for _, g := range globals {
		v.traceFixed(mem.Address(uintptr(g.Addr)), &v.layouts[g.Type.ID])
	}
	for _, th := range h.world.threads {
		if c := th.ctx.Load(); c != nil {
			v.Ctx(c)
		}
	}
	for _, r := range roots {
		r.visit(v.Addr)
	}
}

// Forget, if not nil, clears the root words of a stack that hold nothing any more, in the frames that its
// Live knows. It is called while the world is stopped.
var Forget func(c *Ctx)

// Ctx visits the frames, alloca cells, exception and transfer references of a stack.
func (v *Visitor) Ctx(c *Ctx) {
	if c.Live != nil {
		Forget(c)
	}
	if v.check != nil {
		v.check.context(c)
		return
	}
	if c.epoch.Swap(v.m.seq) == v.m.seq {
		return
	}
	c.dropSegments()
	c.pieces(v.frames)
	v.Addr(c.Exc)
	if c.Weak != 0 {
		v.ctxs = append(v.ctxs, c)
	}
	for _, a := range c.XRef {
		v.Addr(a)
	}
	for _, a := range c.args {
		v.Addr(a)
	}
	c.cells(v.cell)
}

// frames visits the root words of the frames from fp up to sp.
func (v *Visitor) frames(fp, sp mem.Address) {
	for fp < sp {
		shape := mem.Load32(fp)
		size, n := shape&0xffff, shape>>16
		if n >= size {
			v.h.fail(fmt.Sprintf("frame at %#x has shape %#x", fp, shape))
			return
		}
		for i := mem.Address(1); i <= mem.Address(n); i++ {
			if a := mem.LoadAddress(fp + i*8); a != 0 {
				v.Addr(uintptr(a))
			}
		}
		fp += mem.Address(size) * 8
	}
}

// cell visits an alloca cell by its header address.
func (v *Visitor) cell(p mem.Address) {
	header := mem.Load64(p)
	l := &v.layouts[uint32(header)]
	v.traceFixed(p+headerSize, l)
	if l.typ.VarStride != 0 {
		v.traceElems(p+headerSize, l, header>>32)
	}
}

// Addr visits one root: any address that a SlotIRef may hold.
func (v *Visitor) Addr(addr uintptr) {
	a := mem.Address(addr)
	if a.Sub(v.base) >= v.span {
		return
	}
	if v.check != nil {
		v.check.address(a, "a root")
		return
	}
	p, ok := v.h.space.Find(a, v.h.sizeOf)
	if !ok {
		return
	}
	if p+headerSize != a && !v.h.within(a, p) {
		return
	}
	v.push(p + headerSize)
}

// within reports whether a lies in the object with header p, whose end is in it.
func (h *heap) within(a, p mem.Address) bool {
	n, _ := h.sizeOf(p)
	return a <= p.Add(n)
}

// push marks the object with payload p, which must exist, and puts it on the stack if it
// was not marked before.
func (v *Visitor) push(p mem.Address) {
	if p.Sub(v.base) >= v.span {
		v.stray(p)
		return
	}
	if v.shared {
		if !v.marks.SetAtomic(p) {
			return
		}
	} else if !v.marks.Set(p) {
		return
	}
	b := v.buf
	if b.n == bufSize {
		b = v.spill()
	}
	b.objs[b.n] = p
	b.n++
}

func (v *Visitor) stray(p mem.Address) {
	v.h.fail(fmt.Sprintf("reference to %#x, which is outside the heap", p))
}

// spill adds the full buffer to the shared ones and starts a new one.
func (v *Visitor) spill() *workbuf {
	v.m.add(v.buf)
	v.buf = bufs.Get().(*workbuf)
	return v.buf
}

func (m *marking) add(b *workbuf) {
	m.mu.Lock()
	m.chunks = append(m.chunks, b)
	m.avail.Add(1)
	m.cond.Signal()
	m.mu.Unlock()
}

// take gets work for v; false when there is none left anywhere. It looks for some for a
// while before it sleeps: waking takes longer than most waits.
func (m *marking) take(v *Visitor) bool {
	m.idle.Add(1)
	defer m.idle.Add(-1)
	if v.shared {
		for i := 0; i < spins && m.avail.Load() == 0; i++ {
			runtime.Gosched()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		if n := len(m.chunks); n > 0 {
			bufs.Put(v.buf)
			v.buf = m.chunks[n-1]
			m.chunks = m.chunks[:n-1]
			m.avail.Add(-1)
			return true
		}
		if n := len(m.ranges); n > 0 {
			v.ranges = append(v.ranges, m.ranges[n-1])
			m.ranges = m.ranges[:n-1]
			m.avail.Add(-1)
			return true
		}
		m.waiting++
		if m.waiting == len(m.workers) || m.done {
			m.done = true
			m.cond.Broadcast()
			return false
		}
		m.cond.Wait()
		m.waiting--
		if m.done {
			return false
		}
	}
}

// share gives half of what v has to those who have nothing.
func (v *Visitor) share() {
	m := v.m
	if len(v.ranges) > 1 {
		r := v.ranges[0]
		v.ranges = append(v.ranges[:0], v.ranges[1:]...)
		m.mu.Lock()
		m.ranges = append(m.ranges, r)
		m.avail.Add(1)
		m.cond.Signal()
		m.mu.Unlock()
		return
	}
	if n := v.buf.n; n >= 2*batch {
		b := bufs.Get().(*workbuf)
		// The bottom of the stack: what is there leads to most.
		b.n = copy(b.objs[:], v.buf.objs[:n/2])
		v.buf.n = copy(v.buf.objs[:], v.buf.objs[n/2:n])
		m.add(b)
	}
}

// drain traces until nothing is left to be traced, here or with other workers.
func (v *Visitor) drain() {
	for {
		for v.buf.n > 0 || v.sizes[v.turn] > 0 {
			v.traceBatch()
			switch {
			case !v.shared:
				if v.live >= v.alone {
					v.m.widen(v)
				}
			case v.m.idle.Load() > v.m.avail.Load():
				v.share()
			}
		}
		if n := len(v.ranges); n > 0 {
			r := v.ranges[n-1]
			v.ranges = v.ranges[:n-1]
			v.traceSpan(r.at, r.count, r.span)
			continue
		}
		if !v.m.take(v) {
			return
		}
	}
}

// traceBatch takes some objects off the stack, asks for their memory, and traces those
// taken off the last time, whose memory has come meanwhile. What push does is written out
// in the middle: most of the time of a collection goes there.
func (v *Visitor) traceBatch() {
	b := v.buf
	turn := v.turn & 1
	objs, n := &v.lots[turn], v.sizes[turn]
	v.turn, v.sizes[turn] = turn^1, 0
	next, m := &v.lots[turn^1], min(b.n, batch)
	b.n -= m
	v.sizes[turn^1] = m
	copy(next[:m], b.objs[b.n:b.n+m])
	mem.PrefetchEach(&next[0], m, headerSize, wordSize)
	marks, shared, layouts := v.marks, v.shared, v.layouts
	live := uintptr(0)
	for _, p := range objs[:n] {
		header := mem.Load64(p - headerSize)
		if uint(uint32(header)) >= uint(len(layouts)) {
			v.unknown(p, header)
			continue
		}
		l := &layouts[uint32(header)]
		live += l.size
		if l.class != classRefs {
			if l.class == classOther {
				v.traceOther(p, header, l)
				b = v.buf
			}
			continue
		}
		for m := l.mask; m != 0; m &= m - 1 {
			c := mem.LoadAddress(p.Add(uintptr(bits.TrailingZeros64(m)) * wordSize))
			if c == 0 {
				continue
			}
			if c.Sub(v.base) >= v.span {
				v.stray(c)
				continue
			}
			if shared {
				if !marks.SetAtomic(c) {
					continue
				}
			} else if !marks.Set(c) {
				continue
			}
			if b.n == bufSize {
				b = v.spill()
			}
			b.objs[b.n] = c
			b.n++
		}
	}
	v.objects += uint64(n)
	v.live += live
}

func (v *Visitor) unknown(p mem.Address, header uint64) {
	v.h.fail(fmt.Sprintf("object at %#x has header %#x, no type", p, header))
}

// traceOther traces an object that is long, a hybrid, or has more than plain references.
func (v *Visitor) traceOther(p mem.Address, header uint64, l *layout) {
	if l.typ == nil {
		v.unknown(p, header)
		return
	}
	size := v.h.sizeAs(p-headerSize, header, l)
	v.live += size - l.size
	if size > smallSize {
		v.h.space.MarkLong(p-headerSize, size)
	}
	v.traceFixed(p, l)
	if l.typ.VarStride != 0 {
		v.traceElems(p, l, v.h.lengthAt(p-headerSize, header))
	}
	if k := l.typ.Kind; k != Plain {
		if hook := v.h.kinds[k].mark; hook != nil {
			hook(mem.Load64(p), v)
		}
	}
}

// traceFixed traces the fixed part of what is at p.
func (v *Visitor) traceFixed(p mem.Address, l *layout) {
	for i := range l.fixed {
		s := &l.fixed[i]
		v.traceSpan(p.Add(s.off), s.count, s)
	}
}

// traceElems traces the n variable elements of the hybrid at p.
func (v *Visitor) traceElems(p mem.Address, l *layout, n uint64) {
	for i := range l.elem {
		s := &l.elem[i]
		v.traceSpan(p.Add(l.typ.Size+s.off), uintptr(n), s)
	}
}

// traceSpan traces count elements of a span, the first at at. Only a piece of a long span
// is traced now, so that the stack stays short and others can take a share.
func (v *Visitor) traceSpan(at mem.Address, count uintptr, s *span) {
	if count > piece {
		v.ranges = append(v.ranges, workRange{at.Add(piece * s.stride), count - piece, s})
		count = piece
	}
	if s.group != nil {
		for ; count > 0; count-- {
			for i := range s.group {
				g := &s.group[i]
				v.traceSpan(at.Add(g.off), g.count, g)
			}
			at = at.Add(s.stride)
		}
		return
	}
	switch s.kind {
	case SlotRef:
		for ; count > 0; count-- {
			if c := mem.LoadAddress(at); c != 0 {
				v.push(c)
			}
			at = at.Add(s.stride)
		}
	case SlotIRef, SlotAny:
		for ; count > 0; count-- {
			if c := mem.LoadAddress(at); c != 0 {
				v.Addr(uintptr(c))
			}
			at = at.Add(s.stride)
		}
	case SlotTag:
		for ; count > 0; count-- {
			if w := mem.Load64(at); TagIsRef(w) {
				if c := TagToRef(w); c != 0 {
					v.push(mem.Address(c))
				}
			}
			at = at.Add(s.stride)
		}
	case SlotWeak:
		for ; count > 0; count-- {
			if mem.LoadAddress(at) != 0 {
				v.weak = append(v.weak, at)
			}
			at = at.Add(s.stride)
		}
	}
}

// clearWeak clears the weak references to objects that are not marked.
func (m *marking) clearWeak() {
	for _, w := range m.workers {
		for _, slot := range w.weak {
			c := mem.LoadAddress(slot)
			if c.Sub(w.base) >= w.span {
				w.stray(c)
			} else if !m.marks.Has(c) {
				mem.StoreAddress(slot, 0)
			}
		}
		for _, c := range w.ctxs {
			if !m.marks.Has(mem.Address(c.Weak)) {
				c.Weak = 0
			}
		}
	}
}

// totals returns the bytes and the number of the objects that were marked.
func (m *marking) totals() (bytes, objects uint64) {
	for _, w := range m.workers {
		bytes += uint64(w.live)
		objects += w.objects
	}
	return bytes, objects
}
