package rtlib

import (
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/gc"
	"github.com/uvm2go/uvm2go/rtlib/internal/race"
	"github.com/uvm2go/uvm2go/rtlib/num"
)

// Small things that generated code writes inline.

// Is64 is 1 where addresses have 64 bits and 0 where they have 32. Offsets
// that depend on the word size are constant expressions over it.
const Is64 = ^uintptr(0) >> 63

// WordMask has the bits that addresses have.
const WordMask = 1<<(32<<Is64) - 1

// NullZone is the size of the zone at address 0 that counts as NULL.
const NullZone = 65536

// Racing says that the program is built for the race detector, which wants to know more.
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

// FOrd reports that neither operand is NaN.
func FOrd[T float32 | float64](x, y T) bool { return x == x && y == y }

// FOne reports that the operands are ordered and not equal.
func FOne[T float32 | float64](x, y T) bool { return x < y || x > y }

// Touch reads a byte, for an access whose value nobody wants: Go's compiler would drop it.
//
//go:noinline
//go:norace
//go:nocheckptr
func Touch(p uintptr) uint8 { return *(*uint8)(unsafe.Add(nil, p)) }

// LoadU128 reads an int of more than 64 bits, in the machine's byte order.
//
//go:norace
//go:nocheckptr
func LoadU128(p uintptr) num.U128 {
	w := (*[2]uint64)(unsafe.Pointer(p))
	return num.U128{Lo: w[lowWord], Hi: w[1-lowWord]}
}

// StoreU128 writes an int of more than 64 bits, in the machine's byte order.
//
//go:norace
//go:nocheckptr
func StoreU128(p uintptr, x num.U128) {
	w := (*[2]uint64)(unsafe.Pointer(p))
	w[lowWord], w[1-lowWord] = x.Lo, x.Hi
}

var orderProbe = [2]uint32{1, 0}

// lowWord is the index of the low half of a two-word number in memory.
var lowWord = func() int {
	if *(*uint64)(unsafe.Pointer(&orderProbe)) == 1 {
		return 0
	}
	return 1
}()

// TagRoot is the reference inside a tagref64, or 0.
func TagRoot(w uint64) uintptr {
	if gc.TagIsRef(w) {
		return gc.TagToRef(w)
	}
	return 0
}

// The tagref64 operations (docs/language.md, "Tagged references").

// TagIsFP reports that a tagref64 holds a double.
func TagIsFP(w uint64) bool { return gc.TagIsFP(w) }

// TagIsInt reports that a tagref64 holds an int<52>.
func TagIsInt(w uint64) bool { return gc.TagIsInt(w) }

// TagIsRef reports that a tagref64 holds a reference.
func TagIsRef(w uint64) bool { return gc.TagIsRef(w) }

// TagFromFP makes a tagref64 of a double.
func TagFromFP(f float64) uint64 { return gc.TagFromFP(f) }

// TagFromInt makes a tagref64 of an int<52>.
func TagFromInt(x uint64) uint64 { return gc.TagFromInt(x) }

// TagFromRef makes a tagref64 of a reference and a tag.
func TagFromRef(addr uintptr, tag uint8) uint64 { return gc.TagFromRef(addr, tag) }

// TagToFP is the double inside.
func TagToFP(w uint64) float64 { return gc.TagToFP(w) }

// TagToInt is the int<52> inside.
func TagToInt(w uint64) uint64 { return gc.TagToInt(w) }

// TagToRef is the reference inside.
func TagToRef(w uint64) uintptr { return gc.TagToRef(w) }

// TagToTag is the tag inside.
func TagToTag(w uint64) uint8 { return gc.TagToTag(w) }

// Catch ends the propagation of an exception and returns it.
func Catch(t *Ctx) uintptr {
	e := t.Exc
	t.Thrown, t.Exc = 0, 0
	return e
}
