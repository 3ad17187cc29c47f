//go:build race

package atomics

import (
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/race"
)

// The operations of sync/atomic on which the others are built, for the race detector. The
// detector sees only atomic operations on Go's memory, and would report races in Go code of
// a client that synchronises through Mu memory. So each operation is reported to it as
// ordered after all earlier ones of its place, as if all were SEQ_CST. This covers weaker
// orders and fences.

// places stand for the words of memory; several share one.
var places [1 << 12]uint64

func place(p unsafe.Pointer) unsafe.Pointer {
	return unsafe.Pointer(&places[uintptr(p)/8*0x9e3779b1>>4%uintptr(len(places))])
}

func release(p unsafe.Pointer) { race.Release(place(p)) }
func acquire(p unsafe.Pointer) { race.Acquire(place(p)) }

// word is what one operation accesses.
type word interface{ ~uint32 | ~uint64 | ~uintptr }

func read[T word](p *T, load func(*T) T) T {
	v := load(p)
	acquire(unsafe.Pointer(p))
	return v
}

func write[T word](p *T, v T, store func(*T, T)) {
	release(unsafe.Pointer(p))
	store(p, v)
}

func update[T word](p *T, v T, op func(*T, T) T) T {
	release(unsafe.Pointer(p))
	beforeUpdate()
	old := op(p, v)
	acquire(unsafe.Pointer(p))
	return old
}

func exchange[T word](p *T, exp, des T, op func(*T, T, T) bool) bool {
	release(unsafe.Pointer(p))
	beforeUpdate()
	ok := op(p, exp, des)
	acquire(unsafe.Pointer(p))
	return ok
}

func load32(p *uint32) uint32           { return read(p, atomic.LoadUint32) }
func store32(p *uint32, v uint32)       { write(p, v, atomic.StoreUint32) }
func swap32(p *uint32, v uint32) uint32 { return update(p, v, atomic.SwapUint32) }
func cas32(p *uint32, exp, des uint32) bool {
	return exchange(p, exp, des, atomic.CompareAndSwapUint32)
}
func add32(p *uint32, v uint32) uint32 { return update(p, v, atomic.AddUint32) }
func and32(p *uint32, v uint32) uint32 { return update(p, v, atomic.AndUint32) }
func or32(p *uint32, v uint32) uint32  { return update(p, v, atomic.OrUint32) }

func load64(p *uint64) uint64           { return read(p, atomic.LoadUint64) }
func store64(p *uint64, v uint64)       { write(p, v, atomic.StoreUint64) }
func swap64(p *uint64, v uint64) uint64 { return update(p, v, atomic.SwapUint64) }
func cas64(p *uint64, exp, des uint64) bool {
	return exchange(p, exp, des, atomic.CompareAndSwapUint64)
}
func add64(p *uint64, v uint64) uint64 { return update(p, v, atomic.AddUint64) }
func and64(p *uint64, v uint64) uint64 { return update(p, v, atomic.AndUint64) }
func or64(p *uint64, v uint64) uint64  { return update(p, v, atomic.OrUint64) }

func loadWord(p *uintptr) uintptr            { return read(p, atomic.LoadUintptr) }
func storeWord(p *uintptr, v uintptr)        { write(p, v, atomic.StoreUintptr) }
func swapWord(p *uintptr, v uintptr) uintptr { return update(p, v, atomic.SwapUintptr) }
func casWord(p *uintptr, exp, des uintptr) bool {
	return exchange(p, exp, des, atomic.CompareAndSwapUintptr)
}
