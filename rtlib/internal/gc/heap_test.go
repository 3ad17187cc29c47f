package gc

import (
	"testing"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/mem"
)

// testHeap makes a heap of its own for a test, with types registered in it.
func testHeap(t testing.TB, o Options, types ...*Type) *heap {
	t.Helper()
	h := newHeap()
	h.fail = func(message string) { panic("heap corrupt: " + message) }
	if err := h.init(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.close)
	if err := h.registerTypes(types); err != nil {
		t.Fatal(err)
	}
	return h
}

// testThread makes a running thread bound to a new stack.
func testThread(t testing.TB, h *heap) *Ctx {
	t.Helper()
	c := h.newCtx()
	if c == nil {
		t.Fatal("no context")
	}
	th := h.newThread()
	th.LeaveSafe()
	th.Bind(c)
	return c
}

// pushFrame does what the prologue of a generated function does.
//
//go:norace
func pushFrame(c *Ctx, roots, words uintptr) uintptr {
	size := (1 + roots + words) * 8
	fp := c.SP
	if fp+size > c.Limit {
		if fp = c.Grow(size); fp == 0 {
			return 0
		}
	}
	c.SP = fp + size
	store32(fp, uint32(1+roots+words)|uint32(roots)<<16)
	store32(fp+4, 0)
	for i := range roots {
		store(fp+8+8*i, 0)
	}
	return fp
}

func load(a uintptr) uintptr      { return uintptr(mem.LoadAddress(mem.Address(a))) }
func store(a, v uintptr)          { mem.StoreAddress(mem.Address(a), mem.Address(v)) }
func load64(a uintptr) uint64     { return mem.Load64(mem.Address(a)) }
func store64(a uintptr, v uint64) { mem.Store64(mem.Address(a), v) }
func store32(a uintptr, v uint32) { mem.Store32(mem.Address(a), v) }

// newInline is the allocation path that generated code has inline.
//
//go:norace
func newInline(c *Ctx, t *Type, n uintptr, header uint64) uintptr {
	p := c.Cur
	if c.End-p < n {
		return c.NewSlow(t)
	}
	c.Cur = p + n
	*(*uint64)(unsafe.Pointer(p)) = header
	return p + 8
}
