package gc

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
	"github.com/uvm2go/uvm2go/testscripts/longtest"
)

// A heap that is full answers 0, and works again when something was dropped.
func TestExhaustion(t *testing.T) {
	bytesType := &Type{Name: "bytes", Size: 0, Align: 1, VarStride: 1}
	medium := &Type{Name: "medium", Size: 3000, Align: 8, Shape: Shape{Slots: []Slot{{0, SlotRef}}}}
	for _, verify := range []bool{false, true} {
		h := testHeap(t, Options{HeapLimit: 16 << 20, Debug: Debug{GCVerify: verify, ClobberFree: verify}}, nodeType, bytesType, medium)
		c := testThread(t, h)
		fp := pushFrame(c, 2, 0)
		for round := range 3 {
			for _, typ := range []*Type{nodeType, medium} {
				n := 0
				for {
					p := c.New(typ)
					if p == 0 {
						break
					}
					store(p, load(fp+8))
					store(fp+8, p)
					n++
				}
				if used := uintptr(n) * typ.total; used < 12<<20 || used > 16<<20 {
					t.Fatalf("round %d: %d bytes of %s fit", round, used, typ.Name)
				}
				if h.snapshot().Heap > 16<<20 {
					t.Fatalf("%d bytes held", h.snapshot().Heap)
				}
				if c.NewHybrid(bytesType, 1<<20) != 0 {
					t.Fatal("room for a large object in a full heap")
				}
				store(fp+8, 0)
			}
			var last uintptr
			n := 0
			for {
				p := c.NewHybrid(bytesType, 1<<20)
				if p == 0 {
					break
				}
				last = p
				n++
				// Kept alive by frames.
				f := pushFrame(c, 1, 0)
				store(f+8, p)
			}
			if n < 14 || n > 16 || Length(last) != 1<<20 {
				t.Fatalf("%d megabytes fit", n)
			}
			c.SP = fp + 24
		}
		for _, n := range []uint64{16 << 20, 1 << 40, 1 << 47, 1 << 63, ^uint64(0)} {
			if c.NewHybrid(bytesType, n) != 0 {
				t.Fatalf("room for %d bytes", n)
			}
		}
		if c.New(nodeType) == 0 {
			t.Fatal("the heap did not recover")
		}
		c.Th.EnterSafe()
		c.Th.Exit()
	}
}

// The heap gives memory back.
func TestShrink(t *testing.T) {
	if !mem.Lazy {
		t.Skip("memory does not go back")
	}
	h := testHeap(t, Options{}, nodeType)
	c := testThread(t, h)
	fp := pushFrame(c, 1, 0)
	for range 200 << 20 / 24 {
		p := c.New(nodeType)
		store(p, load(fp+8))
		store(fp+8, p)
	}
	if s := h.snapshot(); s.Heap < 200<<20 {
		t.Fatalf("%d bytes held", s.Heap)
	}
	store(fp+8, 0)
	h.collect(c, "test", true)
	if s := h.snapshot(); s.Heap > 2*minTrigger || s.Live != 0 {
		t.Fatalf("%d bytes held, %d live", s.Heap, s.Live)
	}
	for range 1 << 20 {
		if p := c.New(nodeType); load(p) != 0 || load(p+wordSize) != 0 {
			t.Fatal("memory that came back is not zero")
		}
	}
}

// Every element of long arrays of all kinds is traced, the first and the last included.
func TestLargeSpans(t *testing.T) {
	one := Shape{Slots: []Slot{{0, SlotRef}}}
	mixed := Shape{Slots: []Slot{{0, SlotRef}, {16, SlotIRef}, {24, SlotTag}}, Reps: []Rep{{32, 700, 8, &one}}}
	types := []*Type{
		{Name: "refs", Size: 8 * 5000, Align: 8, Shape: Shape{Reps: []Rep{{0, 5000, 8, &one}}}},
		{Name: "irefs", Size: 16 * 1025, Align: 8, Shape: Shape{Reps: []Rep{{8, 1024, 16, &Shape{Slots: []Slot{{0, SlotIRef}}}}}}},
		{Name: "tags", Size: 8 * 513, Align: 8, Shape: Shape{Reps: []Rep{{0, 513, 8, &Shape{Slots: []Slot{{0, SlotTag}}}}}}},
		{Name: "mixed", Size: 5632 * 6, Align: 8, Shape: Shape{Reps: []Rep{{0, 6, 5632, &mixed}}}},
		{Name: "matrix", Size: 90 * 7 * 8, Align: 8, Shape: Shape{Reps: []Rep{{0, 90, 56, &Shape{Reps: []Rep{{0, 7, 8, &one}}}}}}},
		{Name: "columns", Size: 90 * 7 * 16, Align: 8, Shape: Shape{Reps: []Rep{{0, 90, 112, &Shape{Reps: []Rep{{8, 6, 16, &one}}}}}}},
		{Name: "hybrid", Size: 16, Align: 8, VarStride: 24, VarShape: Shape{Slots: []Slot{{0, SlotRef}, {8, SlotRef}}}},
		{Name: "hybrids", Size: 0, Align: 8, VarStride: 5632, VarShape: mixed},
	}
	for _, workers := range []uintptr{parallelLive, 0} {
		h := testHeap(t, Options{Debug: Debug{GCVerify: true}}, append(types, nodeType)...)
		h.parallelFrom = workers
		c := testThread(t, h)
		for _, typ := range types {
			fp := pushFrame(c, 1, 0)
			var p uintptr
			slots := expand(nil, &typ.Shape, 0)
			if typ.VarStride == 0 {
				p = c.New(typ)
			} else {
				const n = 1100
				p = c.NewHybrid(typ, n)
				for i := range uintptr(n) {
					slots = expand(slots, &typ.VarShape, typ.Size+i*typ.VarStride)
				}
			}
			store(fp+8, p)
			for _, s := range slots {
				if o := c.New(nodeType); s.Kind == SlotTag {
					store64(p+s.Off, TagFromRef(o, 63))
				} else {
					store(p+s.Off, o)
				}
			}
			h.collect(c, "test", true)
			if s := h.snapshot(); s.Objects != uint64(1+len(slots)) {
				t.Errorf("%s: %d objects live, want %d", typ.Name, s.Objects, 1+len(slots))
			}
			c.SP = fp
		}
	}
}

var globalCell [6]uint64

// Globals, root functions, thread objects, weak references and interior addresses.
func TestRoots(t *testing.T) {
	threadType := &Type{Name: "thread", Size: 8, Align: 8, Kind: ThreadObject}
	cell := &Type{Name: "cell", Size: 48, Align: 8, Shape: Shape{Slots: []Slot{{0, SlotRef}, {8, SlotWeak}, {16, SlotWeak}, {24, SlotIRef}, {32, SlotTag}}}}
	h := testHeap(t, Options{Debug: Debug{GCVerify: true}}, nodeType, threadType, cell)
	globalCell = [6]uint64{}
	h.registerGlobals([]Global{{unsafe.Pointer(&globalCell), cell}})
	var pinned uintptr
	h.registerRoots(func(visit func(uintptr)) { visit(pinned) })
	var marked, dead []uint64
	var local uintptr
	h.registerKind(ThreadObject,
		func(word uint64, v *Visitor) { marked = append(marked, word); v.Addr(local) },
		func(word uint64) { dead = append(dead, word) })
	c := testThread(t, h)
	at := func(i int) uintptr { return uintptr(unsafe.Pointer(&globalCell[i])) }
	expect := func(n uint64) {
		t.Helper()
		marked, dead = nil, nil
		h.collect(c, "test", true)
		if s := h.snapshot(); s.Objects != n {
			t.Fatalf("%d objects live, want %d", s.Objects, n)
		}
	}
	a, b, d := c.New(nodeType), c.New(nodeType), c.New(nodeType)
	store(at(0), a)
	store(at(1), a)
	store(at(2), b)
	store(at(3), d+8)
	store64(at(4), TagFromRef(c.New(nodeType), 9))
	expect(3)
	if load(at(1)) != a || load(at(2)) != 0 {
		t.Fatalf("weak references %#x %#x", load(at(1)), load(at(2)))
	}
	c.Weak = a
	expect(3)
	if c.Weak != a {
		t.Fatalf("the weak reference of the context is %#x, want %#x", c.Weak, a)
	}
	c.Weak = c.New(nodeType)
	expect(3)
	if c.Weak != 0 {
		t.Fatalf("the weak reference of the context is %#x, want 0", c.Weak)
	}
	pinned = c.New(nodeType) + 16
	c.Exc = c.New(nodeType)
	c.XRef[15] = c.New(nodeType)
	local = c.New(nodeType)
	store(a, c.NewKind(threadType, 77))
	expect(8)
	if len(marked) < 1 || marked[0] != 77 || len(dead) != 0 {
		t.Fatalf("marked %v, dead %v", marked, dead)
	}
	store(a, 0)
	store(at(3), at(5)) // outside the heap
	store64(at(4), TagFromInt(1<<51))
	expect(4)
	if len(marked) != 0 || len(dead) != 1 || dead[0] != 77 {
		t.Fatalf("marked %v, dead %v", marked, dead)
	}
	store(at(0), 0)
	pinned, c.Exc, c.XRef[15] = 0, 0, 0
	expect(0)
	if load(at(1)) != 0 {
		t.Fatal("weak reference not cleared")
	}
}

// The verifier must name what is wrong with a heap.
func TestVerifyConvicts(t *testing.T) {
	type world struct {
		h  *heap
		c  *Ctx
		fp uintptr
	}
	irefType := &Type{Name: "holder", Size: 16, Align: 8, Shape: Shape{Slots: []Slot{{0, SlotIRef}, {8, SlotTag}}}}
	for _, tc := range []struct {
		name, want string
		spoil      func(w *world, a, b uintptr) // a is rooted, b not
	}{
		{"interior ref", "no object", func(w *world, a, b uintptr) { store(a, b+8) }},
		{"wild ref", "no object", func(w *world, a, b uintptr) { store(a, 0x123450) }},
		{"ref to free memory", "no object", func(w *world, a, b uintptr) { store(a, b+1<<14) }},
		{"header", "no type", func(w *world, a, b uintptr) { store64(a-8, 999) }},
		{"dangling", "no object", func(w *world, a, b uintptr) {
			w.h.collect(w.c, "test", true)
			store(a, b)
		}},
		{"stray iref", "in no object", func(w *world, a, b uintptr) {
			p := w.c.New(irefType)
			store(a, p)
			store(p, b+1<<14)
		}},
		{"tagref", "no object", func(w *world, a, b uintptr) {
			p := w.c.New(irefType)
			store(a, p)
			store64(p+8, TagFromRef(b+8, 1))
		}},
		{"frame", "shape", func(w *world, a, b uintptr) { store32(w.fp, 1|9<<16) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := testHeap(t, Options{Debug: Debug{GCVerify: true}}, nodeType, irefType)
			w := &world{h: h, c: testThread(t, h)}
			w.fp = pushFrame(w.c, 1, 0)
			a := w.c.New(nodeType)
			store(w.fp+8, a)
			b := w.c.New(nodeType)
			tc.spoil(w, a, b)
			got := ""
			func() {
				defer func() {
					if r := recover(); r != nil {
						got, _ = r.(string)
					}
				}()
				h.collect(w.c, "test", true)
			}()
			if !strings.Contains(got, tc.want) {
				t.Errorf("message %q, want %q in it", got, tc.want)
			}
			if got != "" {
				// The collection was left half way: let go of its locks.
				h.world.mu.TryLock()
				h.world.mu.Unlock()
			}
		})
	}
}

// Marking without the verifier names a corrupt header or a wild reference too.
func TestMarkConvicts(t *testing.T) {
	for name, spoil := range map[string]func(a uintptr){
		"header": func(a uintptr) { store64(a-8, 1<<20) },
		"wild":   func(a uintptr) { store(a, 0x123450) },
		"fault":  func(a uintptr) { store(a, a+512<<20) },
	} {
		h := testHeap(t, Options{}, nodeType)
		c := testThread(t, h)
		var got string
		h.fail = func(message string) { got = message; panic("stop") }
		fp := pushFrame(c, 1, 0)
		a := c.New(nodeType)
		store(fp+8, a)
		spoil(a)
		func() {
			defer func() { recover() }()
			h.collect(c, "test", true)
		}()
		if got == "" && (name != "fault" || mem.Lazy && !longtest.HidesFaults()) {
			t.Errorf("%s: no message", name)
		}
	}
}

func TestInit(t *testing.T) {
	for _, tc := range []struct{ heap, stack, debug, want string }{
		{"", "", "", ""},
		{"64M", "1M", "gctrace=0,gcverify=1", ""},
		{"1g", "128k", "gcstress=64k,traptrace,stacktrace=1", ""},
		{"lots", "", "", "UVM_HEAP: bad size"},
		{"0", "", "", "UVM_HEAP: bad size"},
		{"", "-1", "", "UVM_STACK: bad size"},
		{"", "", "gctrase=1", `unknown key "gctrase", known are clobberfree, cpuprofile, gcstress, gctrace, gcverify, live, memprofile, memprofilerate, nolibffi, stacktrace, tier1, tier2, trace, traptrace`},
		{"", "", "gcstress=x", `gcstress: bad number "x"`},
		{"", "", "gcstress=99999999999G", "bad number"},
	} {
		t.Setenv("UVM_HEAP", tc.heap)
		t.Setenv("UVM_STACK", tc.stack)
		t.Setenv("UVMDEBUG", tc.debug)
		err := Init(Options{})
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%+v: %v", tc, err)
		}
	}
	t.Setenv("UVM_HEAP", "64M")
	t.Setenv("UVM_STACK", "")
	t.Setenv("UVMDEBUG", "")
	if err := Init(Options{}); err != nil {
		t.Fatal(err)
	}
	if err := RegisterTypes([]*Type{nodeType}); err != nil || nodeType.ID != FirstTypeID {
		t.Fatalf("ID %d, %v", nodeType.ID, err)
	}
	th := NewThread()
	c := NewCtx()
	th.LeaveSafe()
	th.Bind(c)
	if p := c.New(nodeType); p == 0 || TypeOf(p) != nodeType {
		t.Fatal("no object")
	}
	Collect(c, "test")
	th.EnterSafe()
	Collect(nil, "test")
	th.Exit()
	c.Free()
	if s := Stats(); s.Collections != 2 || s.Limit != 64<<20 || s.Allocated == 0 || s.Live != 0 {
		t.Fatalf("%+v", s)
	}
}

func TestTypeFaults(t *testing.T) {
	ref := Shape{Slots: []Slot{{0, SlotRef}}}
	for want, typ := range map[string]*Type{
		"invalid slot at 8":        {Name: "t", Size: 8, Shape: Shape{Slots: []Slot{{8, SlotRef}}}},
		"invalid slot at 0":        {Name: "t", Size: 8, Shape: Shape{Slots: []Slot{{0, 9}}}},
		"invalid repetition at 0":  {Name: "t", Size: 64, Shape: Shape{Reps: []Rep{{0, 10, 8, &ref}}}},
		"alignment 24 is no power": {Name: "t", Size: 64, Align: 24},
	} {
		if err := newHeap().registerTypes([]*Type{typ}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A heap of two gigabytes, filled with few large objects and many small ones.
func TestLongTwoGigabytes(t *testing.T) {
	longtest.Only(t)
	if wordSize < 8 || !mem.Lazy || mem.PhysicalMemory() < 6<<30 {
		t.Skip("needs memory")
	}
	rows := &Type{Name: "rows", Size: 0, Align: 8, VarStride: 8, VarShape: Shape{Slots: []Slot{{0, SlotRef}}}}
	block := &Type{Name: "block", Size: 8000, Align: 8, Shape: Shape{Slots: []Slot{{7992, SlotRef}}}}
	h := testHeap(t, Options{HeapLimit: 2<<30 + 64<<20}, rows, block)
	c := testThread(t, h)
	fp := pushFrame(c, 1, 0)
	const n = 1 << 30 / 8008
	all := c.NewHybrid(rows, 1<<27) // a gigabyte, untouched but for what is stored in it
	if all == 0 {
		t.Fatal("no large object")
	}
	store(fp+8, all)
	for i := range uintptr(n) {
		p := c.New(block)
		if p == 0 {
			t.Fatalf("full after %d", i)
		}
		store(all+8*(1<<27-1-i), p)
	}
	if p := c.NewHybrid(rows, 1<<25); p != 0 {
		t.Fatal("room beyond the limit")
	}
	h.collect(c, "test", true)
	s := h.snapshot()
	if s.Objects != n+1 || s.Live < 2<<30-1<<20 {
		t.Fatalf("%d objects, %d bytes live", s.Objects, s.Live)
	}
	t.Logf("pause %v at most, %d collections", s.PauseMax, s.Collections)
	store(fp+8, 0)
	h.collect(c, "test", true)
	if s := h.snapshot(); s.Heap > 2*minTrigger {
		t.Fatalf("%d bytes held", s.Heap)
	}
}

// A limit above the memory of the machine is lowered to what can be filled.
func TestLimitOverMemory(t *testing.T) {
	memory := mem.PhysicalMemory()
	if wordSize < 8 || !mem.Lazy || memory == 0 {
		t.Skip("the limit is lower for other reasons, or the memory is not known")
	}
	h := testHeap(t, Options{HeapLimit: 3 * memory})
	if got := h.snapshot().Limit; got > memory/8*7+8 {
		t.Errorf("the limit is %d bytes where there are %d", got, memory)
	}
	if got := mostHeap(0); got < 1<<62 {
		t.Errorf("the limit is %d bytes where it is not known how many there are", got)
	}
}

// With many live objects gcstress collects after a part of as many allocations, and not at each.
func TestStressedLargeHeap(t *testing.T) {
	cell := &Type{Name: "cell", Size: 48, Align: 8, Shape: Shape{Slots: []Slot{{0, SlotRef}}}}
	h := testHeap(t, Options{Debug: Debug{GCStress: 1}}, nodeType, cell)
	globalCell = [6]uint64{}
	h.registerGlobals([]Global{{unsafe.Pointer(&globalCell), cell}})
	c := testThread(t, h)
	at := uintptr(unsafe.Pointer(&globalCell[0]))
	list := func(n int) (collections uint64) {
		before := h.snapshot().Collections
		for range n {
			o := c.New(nodeType)
			store(o, load(at))
			store(at, o)
		}
		return h.snapshot().Collections - before
	}
	if n := list(stressedObjects); n != stressedObjects {
		t.Errorf("%d collections at %d allocations, want one each", n, stressedObjects)
	}
	const more = 3 * stressedObjects / 2
	if n := list(more); n > more*stressShare/stressedObjects+2 || n < more*stressShare/(stressedObjects+more) {
		t.Errorf("%d collections at %d more, %d objects", n, more, h.snapshot().Objects)
	}
}
