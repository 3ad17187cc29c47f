package rt

import (
	"sync/atomic"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
	"github.com/uvm2go/uvm2go/rtlib/internal/race"
	"github.com/uvm2go/uvm2go/rtlib/internal/thread"
	"github.com/uvm2go/uvm2go/rtlib/num"
)

// Small functions that Go's compiler inlines into generated code.

// WordMask has the bits that addresses have.
const WordMask = 1<<(32<<Is64) - 1

// Racing means that the program is built for the race detector, to which generated code reports more.
const Racing = race.Enabled

// Var is x. Go does not evaluate it at compile time, so it keeps exact constant
// arithmetic and its overflow errors out of generated code.
func Var[T any](x T) T { return x }

// B2U is 1 for true and 0 for false.
func B2U(b bool) uint64 {
	var x uint64
	if b {
		x = 1
	}
	return x
}

// FOrd reports whether neither operand is NaN.
func FOrd[T float32 | float64](x, y T) bool { return x == x && y == y }

// FOne reports whether the operands are ordered and not equal.
func FOne[T float32 | float64](x, y T) bool { return x < y || x > y }

// Touch reads a byte, for an access whose value is not used. Go's compiler drops such loads unless they are atomic;
// the atomic load may include bytes around the byte, which are on the same page.
//
//go:norace
//go:nocheckptr
func Touch(p uintptr) {
	if race.Enabled {
		touch(p)
	} else {
		atomic.LoadUint32((*uint32)(unsafe.Add(nil, p&^3)))
	}
}

// touch is Touch where atomic loads are reported to the race detector.
//
//go:noinline
//go:norace
//go:nocheckptr
func touch(p uintptr) uint8 { return *(*uint8)(unsafe.Add(nil, p)) }

// TestNull stops the program at an access through NULL, in code for ports where such an access does not
// fault.
func TestNull(p uintptr) {
	if p < NullZone {
		core.AccessNull(p)
	}
}

// Move is the step of a resumable body for which ShouldMove was true.
var Move = &thread.Move

// Index128 is a wide int as an element index; a number that does not fit is out of bounds.
func Index128(x num.U128) uint64 {
	if x.Hi != 0 {
		return ^uint64(0)
	}
	return x.Lo
}

// Length128 is a wide int as a length; a number that does not fit is more than any heap can hold.
func Length128(x num.U128) uint64 { return Index128(x) }

// shown lets Go's compiler inline these methods into generated code: of packages that a program does not import
// itself, the compiler knows only the bodies that this package inlines.
func shown(t *Ctx) { t.AllocaRelease(t.AllocaMark()) }

var _ = shown

// Apart is x. Go's compiler does not know that it is the same value: see transpile/lower/chain.go.
//
//go:noinline
func Apart[T any](x T) T { return x }
