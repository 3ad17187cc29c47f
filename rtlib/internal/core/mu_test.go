package core

import "unsafe"

// wild is an unmapped address: 1<<46 where addresses have 64 bits, else in the last
// page.
const wild = Is64<<46 | (1-Is64)*(^uintptr(0)-4095)

// Functions as the translator writes them, with the lines of a bundle.

//go:noinline
func divide(t *Ctx, n uint64) uint64 {
//line prog.uir:20
	if n == 0 {
//line prog.uir:20
		Fail(t, DivByZero, "", "")
	}
	return 100 / n
}

//line prog.uir:25
//go:noinline
func divideAll(t *Ctx, n uint64) uint64 {
	s := divide(t, n) + 1
	s += divide(t, 1)
	return s
}

//line prog.uir:40
//go:noinline
func thrower(t *Ctx) {
	Throw(t, newLong(t, 5))
}

//line prog.uir:50
//go:noinline
func middle(t *Ctx) {
	thrower(t)
	if t.Thrown != 0 {
		return
	}
	cell++
}

//line prog.uir:60
//go:noinline
func deep(t *Ctx, n uint64) uint64 {
	fp := frame(t, 1)
	if fp == 0 {
		return 0
	}
	r := deep(t, n+1) + 1
	t.SP = fp
	return r
}

// load reads at an address, like a LOAD without a test.
//
//line prog.uir:69
//go:noinline
func load(p uintptr) uint64 {
//line prog.uir:70
	return *(*uint64)(unsafe.Pointer(p))
}
