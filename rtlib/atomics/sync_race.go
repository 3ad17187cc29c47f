//go:build race

package atomics

import (
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/race"
)

// The operations of sync/atomic that the others are made of, for the race detector. It
// sees atomic operations on Go's memory only, and would take the Go code of a client that
// synchronises through Mu memory for unsynchronised. So it is told: each operation is
// ordered after all earlier ones of its place, as if all were SEQ_CST. Weaker orders, and
// fences, need nothing else.

// places stand for the words of memory; several share one.
var places [1 << 12]uint64

func place(p unsafe.Pointer) unsafe.Pointer {
	return unsafe.Pointer(&places[uintptr(p)/8*0x9e3779b1>>4%uintptr(len(places))])
}

func release(p unsafe.Pointer) { race.Release(place(p)) }
func acquire(p unsafe.Pointer) { race.Acquire(place(p)) }

func load32(p *uint32) uint32 {
	v := atomic.LoadUint32(p)
	acquire(unsafe.Pointer(p))
	return v
}

func store32(p *uint32, v uint32) {
	release(unsafe.Pointer(p))
	atomic.StoreUint32(p, v)
}

func swap32(p *uint32, v uint32) uint32 {
	release(unsafe.Pointer(p))
	old := atomic.SwapUint32(p, v)
	acquire(unsafe.Pointer(p))
	return old
}

func cas32(p *uint32, exp, des uint32) bool {
	release(unsafe.Pointer(p))
	ok := atomic.CompareAndSwapUint32(p, exp, des)
	acquire(unsafe.Pointer(p))
	return ok
}

func add32(p *uint32, v uint32) uint32 {
	release(unsafe.Pointer(p))
	old := atomic.AddUint32(p, v)
	acquire(unsafe.Pointer(p))
	return old
}

func and32(p *uint32, v uint32) uint32 {
	release(unsafe.Pointer(p))
	old := atomic.AndUint32(p, v)
	acquire(unsafe.Pointer(p))
	return old
}

func or32(p *uint32, v uint32) uint32 {
	release(unsafe.Pointer(p))
	old := atomic.OrUint32(p, v)
	acquire(unsafe.Pointer(p))
	return old
}

func load64(p *uint64) uint64 {
	v := atomic.LoadUint64(p)
	acquire(unsafe.Pointer(p))
	return v
}

func store64(p *uint64, v uint64) {
	release(unsafe.Pointer(p))
	atomic.StoreUint64(p, v)
}

func swap64(p *uint64, v uint64) uint64 {
	release(unsafe.Pointer(p))
	old := atomic.SwapUint64(p, v)
	acquire(unsafe.Pointer(p))
	return old
}

func cas64(p *uint64, exp, des uint64) bool {
	release(unsafe.Pointer(p))
	ok := atomic.CompareAndSwapUint64(p, exp, des)
	acquire(unsafe.Pointer(p))
	return ok
}

func add64(p *uint64, v uint64) uint64 {
	release(unsafe.Pointer(p))
	old := atomic.AddUint64(p, v)
	acquire(unsafe.Pointer(p))
	return old
}

func and64(p *uint64, v uint64) uint64 {
	release(unsafe.Pointer(p))
	old := atomic.AndUint64(p, v)
	acquire(unsafe.Pointer(p))
	return old
}

func or64(p *uint64, v uint64) uint64 {
	release(unsafe.Pointer(p))
	old := atomic.OrUint64(p, v)
	acquire(unsafe.Pointer(p))
	return old
}

func loadWord(p *uintptr) uintptr {
	v := atomic.LoadUintptr(p)
	acquire(unsafe.Pointer(p))
	return v
}

func storeWord(p *uintptr, v uintptr) {
	release(unsafe.Pointer(p))
	atomic.StoreUintptr(p, v)
}

func swapWord(p *uintptr, v uintptr) uintptr {
	release(unsafe.Pointer(p))
	old := atomic.SwapUintptr(p, v)
	acquire(unsafe.Pointer(p))
	return old
}

func casWord(p *uintptr, exp, des uintptr) bool {
	release(unsafe.Pointer(p))
	ok := atomic.CompareAndSwapUintptr(p, exp, des)
	acquire(unsafe.Pointer(p))
	return ok
}
