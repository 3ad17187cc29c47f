package libc

import "math"

// shape adapts functions of the usual types to words without reflection, which costs
// ten times as much. It returns nil for other types.
func shape(f any) func(e Errno, a []uint64) uint64 {
	u := func(a []uint64, i int) uintptr { return uintptr(a[i]) }
	d := func(a []uint64, i int) float64 { return math.Float64frombits(a[i]) }
	switch f := f.(type) {
	case func(Errno, []uint64) uint64:
		return f
	case func():
		return func(e Errno, a []uint64) uint64 { f(); return 0 }
	case func() uint32:
		return func(e Errno, a []uint64) uint64 { return uint64(f()) }
	case func() uint64:
		return func(e Errno, a []uint64) uint64 { return f() }
	case func(uint32):
		return func(e Errno, a []uint64) uint64 { f(uint32(a[0])); return 0 }
	case func(uint64):
		return func(e Errno, a []uint64) uint64 { f(a[0]); return 0 }
	case func(uintptr):
		return func(e Errno, a []uint64) uint64 { f(u(a, 0)); return 0 }
	case func(uint32) uint32:
		return func(e Errno, a []uint64) uint64 { return uint64(f(uint32(a[0]))) }
	case func(uint64) uint64:
		return func(e Errno, a []uint64) uint64 { return f(a[0]) }
	case func(uintptr) uint32:
		return func(e Errno, a []uint64) uint64 { return uint64(f(u(a, 0))) }
	case func(uintptr) uint64:
		return func(e Errno, a []uint64) uint64 { return f(u(a, 0)) }
	case func(uintptr) uintptr:
		return func(e Errno, a []uint64) uint64 { return uint64(f(u(a, 0))) }
	case func(float64) float64:
		return func(e Errno, a []uint64) uint64 { return math.Float64bits(f(d(a, 0))) }
	case func(float64, float64) float64:
		return func(e Errno, a []uint64) uint64 { return math.Float64bits(f(d(a, 0), d(a, 1))) }
	case func(uintptr, uintptr) uint32:
		return func(e Errno, a []uint64) uint64 { return uint64(f(u(a, 0), u(a, 1))) }
	case func(uintptr, uintptr) uintptr:
		return func(e Errno, a []uint64) uint64 { return uint64(f(u(a, 0), u(a, 1))) }
	case func(uintptr, uintptr, uint64) uint32:
		return func(e Errno, a []uint64) uint64 { return uint64(f(u(a, 0), u(a, 1), a[2])) }
	case func(uintptr, uintptr, uint64) uintptr:
		return func(e Errno, a []uint64) uint64 { return uint64(f(u(a, 0), u(a, 1), a[2])) }
	case func(uintptr, uint32, uint64) uintptr:
		return func(e Errno, a []uint64) uint64 { return uint64(f(u(a, 0), uint32(a[1]), a[2])) }
	case func(Errno, float64) float64:
		return func(e Errno, a []uint64) uint64 { return math.Float64bits(f(e, d(a, 0))) }
	case func(Errno, float64, float64) float64:
		return func(e Errno, a []uint64) uint64 { return math.Float64bits(f(e, d(a, 0), d(a, 1))) }
	case func(Errno, uint32) uint32:
		return func(e Errno, a []uint64) uint64 { return uint64(f(e, uint32(a[0]))) }
	case func(Errno, uint64):
		return func(e Errno, a []uint64) uint64 { f(e, a[0]); return 0 }
	case func(Errno, uintptr):
		return func(e Errno, a []uint64) uint64 { f(e, u(a, 0)); return 0 }
	case func(Errno, uintptr) uint32:
		return func(e Errno, a []uint64) uint64 { return uint64(f(e, u(a, 0))) }
	case func(Errno, uintptr) uint64:
		return func(e Errno, a []uint64) uint64 { return f(e, u(a, 0)) }
	case func(Errno, uint64) uintptr:
		return func(e Errno, a []uint64) uint64 { return uint64(f(e, a[0])) }
	case func(Errno, uint64, uint64) uintptr:
		return func(e Errno, a []uint64) uint64 { return uint64(f(e, a[0], a[1])) }
	case func(Errno, uintptr, uint64) uintptr:
		return func(e Errno, a []uint64) uint64 { return uint64(f(e, u(a, 0), a[1])) }
	case func(Errno, uint32, uintptr, uint64) uint64:
		return func(e Errno, a []uint64) uint64 { return f(e, uint32(a[0]), u(a, 1), a[2]) }
	case func(Errno, uintptr, []uint64) uint32:
		return func(e Errno, a []uint64) uint64 { return uint64(f(e, u(a, 0), a[1:])) }
	}
	return nil
}
