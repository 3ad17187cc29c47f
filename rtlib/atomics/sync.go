//go:build !race

package atomics

import "sync/atomic"

// The operations of sync/atomic on which the others are built; for the race detector see
// sync_race.go.

func load32(p *uint32) uint32     { return atomic.LoadUint32(p) }
func store32(p *uint32, v uint32) { atomic.StoreUint32(p, v) }
func swap32(p *uint32, v uint32) uint32 {
	beforeUpdate()
	return atomic.SwapUint32(p, v)
}

func cas32(p *uint32, exp, des uint32) bool {
	beforeUpdate()
	return atomic.CompareAndSwapUint32(p, exp, des)
}

func add32(p *uint32, v uint32) uint32 {
	beforeUpdate()
	return atomic.AddUint32(p, v)
}

func and32(p *uint32, v uint32) uint32 {
	beforeUpdate()
	return atomic.AndUint32(p, v)
}

func or32(p *uint32, v uint32) uint32 {
	beforeUpdate()
	return atomic.OrUint32(p, v)
}

func load64(p *uint64) uint64 { return atomic.LoadUint64(p) }

func store64(p *uint64, v uint64) {
	beforeStore64()
	atomic.StoreUint64(p, v)
}

func swap64(p *uint64, v uint64) uint64 {
	beforeUpdate()
	return atomic.SwapUint64(p, v)
}

func cas64(p *uint64, exp, des uint64) bool {
	beforeUpdate()
	return atomic.CompareAndSwapUint64(p, exp, des)
}

func add64(p *uint64, v uint64) uint64 {
	beforeUpdate()
	return atomic.AddUint64(p, v)
}

func and64(p *uint64, v uint64) uint64 {
	beforeUpdate()
	return atomic.AndUint64(p, v)
}

func or64(p *uint64, v uint64) uint64 {
	beforeUpdate()
	return atomic.OrUint64(p, v)
}

func loadWord(p *uintptr) uintptr     { return atomic.LoadUintptr(p) }
func storeWord(p *uintptr, v uintptr) { atomic.StoreUintptr(p, v) }
func swapWord(p *uintptr, v uintptr) uintptr {
	beforeUpdate()
	return atomic.SwapUintptr(p, v)
}

func casWord(p *uintptr, exp, des uintptr) bool {
	beforeUpdate()
	return atomic.CompareAndSwapUintptr(p, exp, des)
}
