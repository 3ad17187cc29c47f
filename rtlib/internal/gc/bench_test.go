package gc

import (
	"testing"
	"time"
)

// Binary trees of depth 18, as in the benchmarks game: a long-lived tree, and many trees
// of lesser depths that die at once.
const treeDepth = 18

type goNode struct{ left, right *goNode }

func goTree(depth int) *goNode {
	if depth == 0 {
		return &goNode{}
	}
	return &goNode{goTree(depth - 1), goTree(depth - 1)}
}

func (n *goNode) count() int {
	if n.left == nil {
		return 1
	}
	return 1 + n.left.count() + n.right.count()
}

func goTrees() int {
	total := goTree(treeDepth + 1).count()
	long := goTree(treeDepth)
	for d := 4; d <= treeDepth; d += 4 {
		for range 1 << (treeDepth - d + 4) {
			total += goTree(d).count()
		}
	}
	return total + long.count()
}

var nodeType = &Type{Name: "node", Size: 16, Align: 8, Shape: Shape{Slots: []Slot{{0, SlotRef}, {8, SlotRef}}}}

// muTree is what the generator would make of the same function: a frame with two roots.
//
//go:norace
func muTree(t *Ctx, depth int) uintptr {
	fp := t.SP
	if fp+24 > t.Limit {
		if fp = t.Grow(24); fp == 0 {
			return 0
		}
	}
	t.SP = fp + 24
	store32(fp, 3|2<<16)
	store(fp+8, 0)
	store(fp+16, 0)
	var l, r uintptr
	if depth > 0 {
		l = muTree(t, depth-1)
		store(fp+8, l)
		r = muTree(t, depth-1)
		store(fp+16, r)
	}
	p := t.Cur
	if t.End-p < 24 {
		p = t.NewSlow(nodeType)
	} else {
		t.Cur = p + 24
		store64(p, FirstTypeID)
		p += 8
	}
	store(p, l)
	store(p+8, r)
	t.SP = fp
	return p
}

func muCount(p uintptr) int {
	if load(p) == 0 {
		return 1
	}
	return 1 + muCount(load(p)) + muCount(load(p+8))
}

//
//go:norace
func muTrees(c *Ctx) int {
	total := muCount(muTree(c, treeDepth+1))
	fp := pushFrame(c, 1, 0)
	store(fp+8, muTree(c, treeDepth))
	for d := 4; d <= treeDepth; d += 4 {
		for range 1 << (treeDepth - d + 4) {
			total += muCount(muTree(c, d))
		}
	}
	total += muCount(load(fp + 8))
	c.SP = fp
	return total
}

// BenchmarkBinaryTrees reports the time relative to Go's own allocator and collector.
func BenchmarkBinaryTrees(b *testing.B) {
	if wordSize != 8 {
		b.Skip("64-bit layout")
	}
	h := testHeap(b, Options{}, nodeType)
	c := testThread(b, h)
	var own, ours time.Duration
	for b.Loop() {
		t0 := time.Now()
		want := goTrees()
		t1 := time.Now()
		got := muTrees(c)
		t2 := time.Now()
		if got != want {
			b.Fatalf("%d nodes, want %d", got, want)
		}
		own += t1.Sub(t0)
		ours += t2.Sub(t1)
	}
	s := h.snapshot()
	b.ReportMetric(float64(ours)/float64(own), "ratio")
	b.ReportMetric(float64(own.Milliseconds())/float64(b.N), "go-ms")
	b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "mu-ms")
	b.ReportMetric(float64(s.PauseTotal.Milliseconds())/float64(b.N), "pause-ms")
	b.ReportMetric(float64(s.Collections)/float64(b.N), "gcs")
	b.ReportMetric(float64(s.PauseMax.Microseconds()), "maxpause-us")
}

// BenchmarkMark collects a heap of one tree of two million nodes.
func BenchmarkMark(b *testing.B) {
	if wordSize != 8 {
		b.Skip("64-bit layout")
	}
	h := testHeap(b, Options{}, nodeType)
	c := testThread(b, h)
	fp := pushFrame(c, 1, 0)
	store(fp+8, muTree(c, 20))
	h.collect(c, "bench", true)
	least := time.Hour
	for b.Loop() {
		t0 := time.Now()
		h.collect(c, "bench", true)
		least = min(least, time.Since(t0))
	}
	b.ReportMetric(float64(least.Nanoseconds())/float64(h.snapshot().Objects), "min-ns/object")
}

// BenchmarkNew makes objects that die at once, by the path that is inlined.
func BenchmarkNew(b *testing.B) {
	h := testHeap(b, Options{}, nodeType)
	c := testThread(b, h)
	for b.Loop() {
		newInline(c, nodeType, 24, FirstTypeID)
	}
}

// BenchmarkSafe goes to the safe state and back, as each call of native code does.
func BenchmarkSafe(b *testing.B) {
	h := testHeap(b, Options{}, nodeType)
	c := testThread(b, h)
	for b.Loop() {
		c.Th.EnterSafe()
		c.Th.LeaveSafe()
	}
}

// BenchmarkCtx makes and frees stacks.
func BenchmarkCtx(b *testing.B) {
	h := testHeap(b, Options{}, nodeType)
	for b.Loop() {
		h.newCtx().Free()
	}
}

// BenchmarkLarge makes objects of 1 MB that die at once.
func BenchmarkLarge(b *testing.B) {
	bytes := &Type{Name: "bytes", Size: 0, Align: 1, VarStride: 1}
	h := testHeap(b, Options{}, bytes)
	c := testThread(b, h)
	for b.Loop() {
		c.NewHybrid(bytes, 1<<20)
	}
}
