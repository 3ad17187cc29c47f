package interp

import (
	"math"
	"math/big"
)

// Value is a value of any Mu type; the type follows from the program, not from the
// value. The zero Value is the zero of every type that is not an aggregate: 0, +0.0,
// NULL, and the tagref64 that holds +0.0.
//
//	int<n>            Lo, Hi: the n bits, zero-extended
//	float, double     Lo: the bits
//	uptr, ufuncptr    Lo: the address
//	ref               ref: *unit; Lo is 0
//	iref              ref: *unit; Lo: the offset, two's complement; Hi: see span
//	funcref           ref: *function
//	stackref          ref: *stack; likewise threadref, framecursorref
//	tagref64          ref nil: Lo is a double; tagInt: Lo is an int<52>;
//	                  *tagged: a reference with a tag
//	aggregates        ref: *aggregate
type Value struct {
	Lo, Hi uint64
	ref    any
}

// aggregate holds the members of a struct, array or vector value. It is never
// changed once another value may share it.
type aggregate struct{ elems []Value }

// tagInt marks the tagref64 that holds an int<52>.
type tagInt struct{}

// tagged is a reference with a tag in a tagref64.
type tagged struct {
	unit *unit // nil for NULL
	tag  uint8
}

var null Value

func boolValue(b bool) Value {
	if b {
		return Value{Lo: 1}
	}
	return Value{}
}

func makeAggregate(elems []Value) Value { return Value{ref: &aggregate{elems}} }

// usedUndefined is the panic at a read from a register that was never written. Only
// an invalid program does that. The read panics only for aggregates, which have no
// zero Value to continue with.
type usedUndefined struct{}

// elems returns the members of an aggregate value.
func (v Value) elems() []Value {
	a, ok := v.ref.(*aggregate)
	if !ok {
		panic(usedUndefined{})
	}
	return a.elems
}

// Int64 is the value of an int type with the low bits of x; the caller must make sure
// that x fits the type.
func Int64(x int64, bits uint32) Value {
	v := Value{Lo: uint64(x)}
	if x < 0 {
		v.Hi = ^uint64(0)
	}
	return truncate(v, bits)
}

// Float32 is a value of type float.
func Float32(x float32) Value { return Value{Lo: uint64(math.Float32bits(x))} }

// Float64 is a value of type double.
func Float64(x float64) Value { return Value{Lo: math.Float64bits(x)} }

// AsFloat32 reads a value of type float.
func (v Value) AsFloat32() float32 { return math.Float32frombits(uint32(v.Lo)) }

// AsFloat64 reads a value of type double.
func (v Value) AsFloat64() float64 { return math.Float64frombits(v.Lo) }

// BigInt is the value of an int<bits>, signed or unsigned.
func (v Value) BigInt(bits uint32, signed bool) *big.Int {
	x := new(big.Int).SetUint64(v.Hi)
	x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(v.Lo))
	if signed && x.Bit(int(bits)-1) == 1 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
	}
	return x
}

// FromBigInt is the value of an int<bits> that equals x modulo 2^bits.
func FromBigInt(x *big.Int, bits uint32) Value {
	m := new(big.Int).Lsh(big.NewInt(1), 128)
	m.Sub(m, big.NewInt(1)).And(m, x) // And of a negative number acts on its two's complement
	hi := new(big.Int).Rsh(m, 64)
	lo := m.And(m, new(big.Int).SetUint64(math.MaxUint64))
	return truncate(Value{Lo: lo.Uint64(), Hi: hi.Uint64()}, bits)
}

// truncate keeps the low bits of an integer.
func truncate(v Value, bits uint32) Value {
	switch {
	case bits <= 64:
		return Value{Lo: v.Lo & mask(bits)}
	case bits < 128:
		return Value{Lo: v.Lo, Hi: v.Hi & mask(bits-64)}
	}
	return Value{Lo: v.Lo, Hi: v.Hi}
}

// signExtend copies the sign bit of an int<bits> into all bits above it.
func signExtend(v Value, bits uint32) Value {
	switch {
	case bits < 64:
		v.Lo = uint64(signed(v.Lo, bits))
		v.Hi = uint64(int64(v.Lo) >> 63)
	case bits == 64:
		v.Hi = uint64(int64(v.Lo) >> 63)
	case bits < 128:
		v.Hi = uint64(signed(v.Hi, bits-64))
	}
	return v
}

// mask has the low n bits set, n from 0 to 64.
func mask(n uint32) uint64 {
	if n >= 64 {
		return math.MaxUint64
	}
	return 1<<n - 1
}

// signed reads the low n bits of x, n from 1 to 64, as a signed number.
func signed(x uint64, n uint32) int64 { return int64(x<<(64-n)) >> (64 - n) }

// sameReferent compares two values of a reference type: the same object, location,
// function, thread, stack or cursor, or both NULL (docs/language.md, "Numbers").
func sameReferent(x, y Value) bool { return x.ref == y.ref && x.Lo == y.Lo }

// isNull reports whether a reference is NULL.
func (v Value) isNull() bool { return v.ref == nil }
