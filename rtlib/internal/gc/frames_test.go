package gc

import (
	"math/rand/v2"
	"testing"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// Every root of a stack of a million frames must be found, and an overflow must be
// reported and be survived.
func TestDeepStack(t *testing.T) {
	h := testHeap(t, Options{StackBudget: 64 << 20}, nodeType)
	c := testThread(t, h)
	const depth = 1_100_000
	every := 1000
	var fps []uintptr
	for i := range depth {
		roots := uintptr(1)
		fp := pushFrame(c, roots, uintptr(i%5))
		if fp == 0 {
			t.Fatalf("overflow at %d", i)
		}
		if i%every == 0 {
			p := c.New(nodeType)
			store64(p+8*0, 0)
			store(fp+8, p+uintptr(i/every%3)*8) // start, inside, end
			fps = append(fps, fp)
		}
	}
	if n := c.Depth(); n != depth {
		t.Fatalf("depth %d, want %d", n, depth)
	}
	h.collect(c, "test", true)
	if s := h.snapshot(); s.Objects != depth/uint64(every) {
		t.Fatalf("%d objects live, want %d (pause %v)", s.Objects, depth/every, s.PauseMax)
	}
	t.Logf("pause %v", h.snapshot().PauseMax)
	n := depth
	for {
		fp := pushFrame(c, 0, 7)
		if fp == 0 {
			break
		}
		n++
	}
	if c.Thrown != 1 || c.Exc != 0 || !c.Overflow {
		t.Fatal("overflow not reported")
	}
	c.Thrown, c.Overflow = 0, false
	t.Logf("overflow after %d frames", n)
	c.SP = fps[1]
	if fp := pushFrame(c, 1, 0); fp == 0 {
		t.Fatal("no frame after unwinding")
	}
	if n := c.Depth(); n != every+1 {
		t.Fatalf("depth %d after unwinding, want %d", n, every+1)
	}
	h.collect(c, "test", true)
	if s := h.snapshot(); s.Objects != 1 {
		t.Fatalf("%d objects live after unwinding, want 1", s.Objects)
	}
	c.Reset()
	h.collect(c, "test", true)
	if s := h.snapshot(); s.Objects != 0 || c.Depth() != 0 || len(c.segs) != 1 {
		t.Fatalf("%d objects, depth %d, %d segments after reset", s.Objects, c.Depth(), len(c.segs))
	}
}

// The frames must come out right whatever calls and returns cross the ends of segments,
// and a loop that calls across one must not come to Grow each time.
func TestSegments(t *testing.T) {
	h := testHeap(t, Options{}, nodeType)
	c := testThread(t, h)
	var stack []uintptr
	x := uint32(1)
	for step := range 400_000 {
		x = x*1664525 + 1013904223
		up := x>>16&7 < 4
		if step/5000%2 == 1 {
			up = x>>16&15 < 7
		}
		if up || len(stack) == 0 {
			fp := pushFrame(c, uintptr(x>>20&3), uintptr(x>>24&15))
			stack = append(stack, fp)
		} else {
			c.SP = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		}
		if step%997 == 0 {
			i := 0
			for fp := range c.Frames {
				if i >= len(stack) || fp != stack[i] {
					t.Fatalf("step %d: frame %d at %#x", step, i, fp)
				}
				i++
			}
			if i != len(stack) {
				t.Fatalf("step %d: %d frames, want %d", step, i, len(stack))
			}
		}
		if step%9973 == 0 {
			h.collect(c, "test", true)
		}
	}

	c.Reset()
	for c.SP+24 <= c.Limit {
		pushFrame(c, 2, 0)
	}
	trips := 0
	for range 1000 {
		fp := c.SP
		if fp+24 > c.Limit {
			trips++
		}
		fp = pushFrame(c, 2, 0)
		c.SP = fp
	}
	if trips != 1 {
		t.Fatalf("%d trips in a loop across a segment's end", trips)
	}
}

// Frames too large for the next class of segments go to a larger one.
func TestLargeFrames(t *testing.T) {
	h := testHeap(t, Options{}, nodeType)
	c := testThread(t, h)
	f0 := pushFrame(c, 1, 0)
	f1 := pushFrame(c, 1, 60000)
	f2 := pushFrame(c, 65000, 0)
	f3 := pushFrame(c, 1, 0)
	store(f2+8*65000, c.New(nodeType))
	var got []uintptr
	for fp := range c.Frames {
		got = append(got, fp)
	}
	if len(got) != 4 || got[0] != f0 || got[1] != f1 || got[2] != f2 || got[3] != f3 {
		t.Fatalf("frames %#x, want %#x", got, []uintptr{f0, f1, f2, f3})
	}
	h.collect(c, "test", true)
	if s := h.snapshot(); s.Objects != 1 {
		t.Fatalf("%d objects live", s.Objects)
	}
}

func TestStackBudget(t *testing.T) {
	for _, budget := range []uint64{4 << 10, 100 << 10, 1 << 20} {
		h := testHeap(t, Options{StackBudget: budget}, nodeType)
		c := testThread(t, h)
		n := 0
		for pushFrame(c, 1, 0) != 0 {
			n++
		}
		if bytes := uint64(n) * 16; bytes > budget || bytes < budget-128 {
			t.Errorf("budget %d: %d bytes of frames", budget, bytes)
		}
	}
}

// 100,000 stacks, each with a root, reached through their objects; and they can be freed.
func TestManyContexts(t *testing.T) {
	stackType := &Type{Name: "stack", Size: 8, Align: 8, Kind: StackObject}
	arrayType := &Type{Name: "array", Size: 0, Align: 8, VarStride: 8, VarShape: Shape{Slots: []Slot{{0, SlotRef}}}}
	h := testHeap(t, Options{}, nodeType, stackType, arrayType)
	c := testThread(t, h)
	var table []*Ctx
	dead := 0
	h.registerKind(StackObject, func(word uint64, v *Visitor) { v.Ctx(table[word]) }, func(word uint64) {
		table[word].Free()
		table[word] = nil
		dead++
	})
	const n = 100_000
	fp := pushFrame(c, 1, 0)
	all := c.NewHybrid(arrayType, n)
	store(fp+8, all)
	for i := range uintptr(n) {
		s := h.newCtx()
		if s == nil {
			if !mem.Lazy || wordSize < 8 {
				t.Skipf("address space for %d stacks only", i)
			}
			t.Fatalf("no context after %d", i)
		}
		table = append(table, s)
		store(all+8*i, c.NewKind(stackType, uint64(i)))
		f := pushFrame(s, 2, 1)
		node := c.New(nodeType)
		store(f+8, node)
		store64(node, 0)
		s.XRef[3] = c.New(nodeType)
	}
	for i := range uintptr(n) / 2 {
		store(all+16*i, 0)
	}
	h.collect(c, "test", true)
	if s := h.snapshot(); s.Objects != 1+3*n/2 || dead != n/2 {
		t.Fatalf("%d objects live, %d stacks dead", s.Objects, dead)
	}
	c.SP = fp
	h.collect(c, "test", true)
	if s := h.snapshot(); s.Objects != 0 || dead != n {
		t.Fatalf("%d objects live, %d stacks dead at the end", s.Objects, dead)
	}
	if n := h.stacks.inUse(0); n != 1 {
		t.Fatalf("%d segments in use", n)
	}
}

// TestRecursion has functions of Go call each other as frames are pushed: the limit of the stack must be
// reached before the host's stack is full, where there is one, however the depth went up and down before.
func TestRecursion(t *testing.T) {
	h := testHeap(t, Options{StackBudget: 16 << 20}, nodeType)
	c := testThread(t, h)
	var down func(depth int, args [4]uint64) uint64
	down = func(depth int, args [4]uint64) uint64 {
		fp := pushFrame(c, 1, 4)
		if fp == 0 {
			return 0
		}
		r := uint64(1)
		if depth > 0 {
			args[depth%4]++
			if r += down(depth-1, args); depth%20_000 == 0 {
				r += down(3_000, args) // again, from here
			}
		}
		c.SP = fp
		return r + args[depth%4]*0
	}
	for _, depth := range []int{200_000, 1 << 30} {
		n := down(depth, [4]uint64{})
		if over := depth == 1<<30; n < 200_000 || c.Overflow != over {
			t.Errorf("%d deep: %d frames, overflow %v", depth, n, c.Overflow)
		}
		c.Thrown, c.Overflow = 0, false
	}
}

// Where memory cannot be mapped, there must be small segments for more stacks than the first block has.
func TestBlocksAbove(t *testing.T) {
	h := testHeap(t, Options{StackBudget: 256 << 10}, nodeType)
	m := &h.stacks
	var stacks []*Ctx
	for range 3 * m.counts[0] {
		c := h.newCtx()
		if c == nil {
			t.Fatalf("no stack after %d", len(stacks))
		}
		stacks = append(stacks, c)
	}
	for i, c := range []*Ctx{stacks[0], stacks[len(stacks)-1]} {
		th := h.newThread()
		th.LeaveSafe()
		th.Bind(c)
		for range 10_000 {
			if pushFrame(c, 1, 0) == 0 {
				t.Fatalf("stack %d: overflow", i)
			}
		}
		for k := 1; k < len(c.segs); k++ {
			if c.segs[k].end > c.segs[k-1].base {
				t.Errorf("stack %d: segment %d at %#x is not below %#x", i, k, c.segs[k].base, c.segs[k-1].base)
			}
		}
		th.EnterSafe()
		th.Exit()
	}
	for _, c := range stacks {
		c.Free()
	}
	if n := m.inUse(0); n != 0 {
		t.Errorf("%d segments in use", n)
	}
}

// TestNarrowBlocks has address space for no more segments of the largest class: there must be others.
func TestNarrowBlocks(t *testing.T) {
	if !mem.Lazy {
		t.Skip("only one block has larger segments where memory is taken at once")
	}
	h := testHeap(t, Options{StackBudget: 256 << 10}, nodeType)
	m := &h.stacks
	for range m.counts[numClasses-1] {
		if _, ok := m.get(numClasses-1, nil); !ok {
			t.Fatal("no segment in the first block")
		}
	}
	m.sizes[numClasses-1] = ^uintptr(0) / 2 / m.counts[numClasses-1] &^ (mem.PageSize - 1)
	if _, ok := m.get(numClasses-1, nil); ok {
		t.Fatal("a segment for which there is no room")
	}
	blocks := len(m.blocks)
	for class := range numClasses - 1 {
		last := m.blocks[0].region.Base
		for range 3 * m.counts[class] {
			s, ok := m.get(class, nil)
			if !ok {
				t.Fatalf("class %d: no segment after %d", class, m.inUse(class))
			}
			if s.block.index > 0 && s.end > last {
				t.Fatalf("class %d: segment at %#x, want it below %#x", class, s.base, last)
			}
		}
	}
	if len(m.blocks) <= blocks {
		t.Errorf("%d blocks, want more than %d", len(m.blocks), blocks)
	}
}

// Stacks that need more segments of a class than the blocks have get them from new blocks, always
// below those that they have; and there is an end to blocks.
func TestBlocksOfStacks(t *testing.T) {
	if !mem.Lazy {
		t.Skip("only one block has larger segments where memory is taken at once")
	}
	h := testHeap(t, Options{StackBudget: 256 << 10}, nodeType)
	h.stacks.release()
	h.stacks.blocks, h.stacks.counts, h.stacks.most = nil, [numClasses]uintptr{32, 4, 2}, 10
	if err := h.stacks.addBlock(); err != nil {
		t.Fatal(err)
	}
	var stacks []*Ctx
	deep := func() (overflow bool) {
		c := h.newCtx()
		if c == nil {
			return true
		}
		stacks = append(stacks, c)
		for n := 0; n < 150<<10; n += 16 {
			if pushFrame(c, 1, 0) == 0 {
				return true
			}
		}
		if len(c.segs) != numClasses {
			t.Fatalf("stack %d has %d segments", len(stacks), len(c.segs))
		}
		for i := 1; i < numClasses; i++ {
			if c.segs[i].end > c.segs[i-1].base {
				t.Fatalf("stack %d: segment %d at %#x is not below %#x", len(stacks), i, c.segs[i].base, c.segs[i-1].base)
			}
		}
		return false
	}
	const most = 10 * 2 // segments of the largest class
	for range most {
		if deep() {
			t.Fatalf("overflow of stack %d", len(stacks))
		}
	}
	if !deep() {
		t.Fatal("no overflow when all segments are taken")
	}
	// Segments that are given back can be taken again, at any place.
	for i := range stacks {
		if i%3 == 0 || i == most {
			stacks[i].Free()
		}
	}
	again := 0
	for !deep() {
		again++
	}
	if want := (most + 2) / 3; again != want {
		t.Fatalf("%d stacks again, want %d", again, want)
	}
}

func TestAlloca(t *testing.T) {
	array := &Type{Name: "array", Size: 8, Align: 8, VarStride: 16, VarShape: Shape{Slots: []Slot{{8, SlotRef}}}}
	vector := &Type{Name: "vector", Size: 64, Align: 64}
	h := testHeap(t, Options{StackBudget: 1 << 20, Debug: Debug{GCVerify: true}}, nodeType, array, vector)
	c := testThread(t, h)
	type level struct {
		mark Mark
		live uint64
	}
	var levels []level
	live := uint64(0)
	for i := 0; ; i++ {
		levels = append(levels, level{c.AllocaMark(), live})
		if v := c.Alloca(vector); v == 0 || v%64 != 0 {
			if v != 0 {
				t.Fatalf("vector at %#x", v)
			}
			break
		}
		p := c.AllocaHybrid(array, uint64(i%50))
		if p == 0 {
			break
		}
		for j := range uintptr(i % 50) {
			if load(p+8+16*j) != 0 || load(p+16+16*j) != 0 {
				t.Fatal("cell not zeroed")
			}
			store64(p+8+16*j, ^uint64(0)) // not traced
			if i%37 == 0 {
				store(p+16+16*j, c.New(nodeType))
				live++
			}
		}
	}
	if len(levels) < 500 {
		t.Fatalf("only %d levels fit", len(levels))
	}
	for i := len(levels) - 1; i >= 0; i -= 41 {
		c.AllocaRelease(levels[i].mark)
		h.collect(c, "test", true)
		if s := h.snapshot(); s.Objects != levels[i].live {
			t.Fatalf("level %d: %d objects live, want %d", i, s.Objects, levels[i].live)
		}
	}
	c.AllocaRelease(0)
	h.collect(c, "test", true)
	if s := h.snapshot(); s.Objects != 0 {
		t.Fatalf("%d objects live at the end", s.Objects)
	}
	for range 100 { // where cells were before
		p := c.AllocaHybrid(array, 49)
		for j := range uintptr(2 * 49) {
			if load64(p+8+8*j) != 0 {
				t.Fatal("memory used again is not zero")
			}
		}
	}
	c.AllocaRelease(0)
	if c.AllocaHybrid(array, 1<<60) != 0 || c.AllocaHybrid(array, 1<<17) != 0 {
		t.Fatal("cell beyond the budget")
	}
	if p := c.AllocaHybrid(array, 1<<15); p == 0 { // half of the budget
		t.Fatal("no room for a cell within the budget")
	}
	n := 0
	for pushFrame(c, 1, 0) != 0 {
		n++
	}
	if n*16 > 1<<19 || n*16 < 1<<18 {
		t.Fatalf("%d bytes of frames beside the cell", n*16)
	}
	if c.AllocaHybrid(array, 1<<14) != 0 {
		t.Fatal("cell and frames beyond the budget")
	}
}

// allocaInline is the path of Alloca that generated code has inline.
func allocaInline(c *Ctx, typ *Type) uintptr {
	p, n := c.AP, typ.FixedSize()
	if c.AEnd-p < n {
		return c.Alloca(typ)
	}
	c.AP = p + n
	store64(p, uint64(typ.ID))
	p += HeaderSize
	for i := uintptr(0); i < n-HeaderSize; i += 8 {
		store64(p+i, 0)
	}
	return p
}

// TestAllocaWindow pushes and pops cells at random in stacks of several budgets, in
// the window and beside it: what is booked is always what book says, the window holds
// no height for which it says something else, and no two cells overlap.
func TestAllocaWindow(t *testing.T) {
	cell := &Type{Name: "cell", Size: 3 * 8, Align: 8, Shape: Shape{Slots: []Slot{{0, SlotRef}}}}
	vector := &Type{Name: "vector", Size: 32, Align: 32}
	array := &Type{Name: "array", Size: 8, Align: 8, VarStride: 8}
	for _, budget := range []uint64{1 << 12, 1 << 14, 1 << 18, 1 << 20} {
		h := testHeap(t, Options{StackBudget: budget, Debug: Debug{GCVerify: true}}, nodeType, cell, vector, array)
		c := testThread(t, h)
		rnd := rand.New(rand.NewPCG(budget, 1))
		check := func() {
			t.Helper()
			k := len(c.chunks) - 1
			if k < 0 {
				if c.AP != 0 || c.ABase != 0 || c.AEnd != 0 {
					t.Fatalf("a window from %#x to %#x for no cells at %#x", c.ABase, c.AEnd, c.AP)
				}
				return
			}
			for _, a := range []uintptr{c.AP, c.ABase, c.AEnd} {
				if !c.chunks[k].holds(mem.Address(a)) {
					t.Fatalf("%#x is not in the newest segment", a)
				}
				if booked := c.booked; !c.book(k, mem.Address(a)) || c.booked != booked {
					t.Fatalf("budget %d: %d booked, %d for %#x; window from %#x to %#x", budget, booked, c.booked, a, c.ABase, c.AEnd)
				}
			}
			if c.AP < c.ABase || c.AP > c.AEnd {
				t.Fatalf("cells end at %#x, window from %#x to %#x", c.AP, c.ABase, c.AEnd)
			}
		}
		type level struct {
			mark Mark
			cell uintptr
		}
		var levels []level
		full, most := 0, 0
		for i := 0; i < 20000 || full == 0; i++ {
			if rnd.IntN(100) < 8 && len(levels) > 0 {
				k := max(rnd.IntN(len(levels)), len(levels)-1-rnd.IntN(9))
				if rnd.IntN(1000) == 0 {
					k = 0
				}
				c.AllocaRelease(levels[k].mark)
				levels = levels[:k]
				check()
			}
			l := level{mark: c.AllocaMark()}
			switch rnd.IntN(10) {
			case 0:
				l.cell = c.Alloca(vector)
			case 1:
				l.cell = c.AllocaHybrid(array, rnd.Uint64N(40))
			default:
				if l.cell = allocaInline(c, cell); l.cell == 0 {
					break
				}
				for j := range uintptr(3) {
					if load(l.cell+8*j) != 0 {
						t.Fatal("cell not zeroed")
					}
				}
				store(l.cell, c.New(nodeType))
				store64(l.cell+8, ^uint64(0)) // not traced
				store64(l.cell+16, ^uint64(0))
			}
			check()
			if l.cell == 0 {
				if full++; full%100 == 1 {
					h.collect(c, "test", true) // verifies
				}
				continue
			}
			levels = append(levels, l)
			most = max(most, len(levels))
		}
		n := 0
		c.cells(func(p mem.Address) {
			if n < len(levels) && uintptr(p)+HeaderSize != levels[n].cell {
				t.Fatalf("cell %d at %#x, want %#x", n, uintptr(p)+HeaderSize, levels[n].cell)
			}
			n++
		})
		if n != len(levels) {
			t.Fatalf("%d cells, want %d", n, len(levels))
		}
		if uint64(most)*32 > budget {
			t.Fatalf("budget %d: %d cells", budget, most)
		}
		c.AllocaRelease(0)
		check()
	}
}
