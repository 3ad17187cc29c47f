package mu

import (
	"math"
	"math/big"
	"unsafe"

	"github.com/uvm2go/uvm2go/rtlib/internal/core"
)

// maxBits is the length of the longest int type.
const maxBits = 128

// Int makes an int<bits> from the low bits of a number. bits must be 1 to 128; for any other length
// there is no value, and every use of the result returns an error (OutOfRange).
func (c *Ctx) Int(v int64, bits uint32) Int {
	return c.wide(uint64(v), uint64(v>>63), bits)
}

// Uint is Int for unsigned numbers.
func (c *Ctx) Uint(v uint64, bits uint32) Int { return c.wide(v, 0, bits) }

// BigInt is Int for numbers of any size. For nil there is no value, and every use of the result returns
// an error (BadArg).
func (c *Ctx) BigInt(v *big.Int, bits uint32) Int {
	if v == nil {
		return Int{(*held[Int])(c.bad(fail(BadArg, "an int of a nil *big.Int")))}
	}
	mod := new(big.Int).Lsh(big.NewInt(1), maxBits)
	m := new(big.Int).Mod(v, mod)
	lo := new(big.Int).And(m, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return c.wide(lo, m.Rsh(m, 64).Uint64(), bits)
}

func (c *Ctx) wide(lo, hi uint64, bits uint32) Int {
	if bits < 1 || bits > maxBits {
		return Int{(*held[Int])(c.bad(fail(OutOfRange, "int<%d>: want 1 to %d bits", bits, maxBits)))}
	}
	w := [2]uint64{lo, hi}
	n := cutInt(w[:], bits)
	return Int{(*held[Int])(c.add(core.IntType(bits), w[:n], nil))}
}

// cutInt clears the bits of a number that do not fit an int<bits>, and returns the number of its words.
func cutInt(w []uint64, bits uint32) int {
	if bits <= 64 {
		w[0] &= math.MaxUint64 >> (64 - bits)
		return 1
	}
	w[1] &= math.MaxUint64 >> (maxBits - bits)
	return 2
}

// word returns a word of a value, 0 if it has none.
func (h *handle) word(i int) uint64 {
	if h == nil || i >= len(h.w) {
		return 0
	}
	return h.w[i]
}

// Uint64 returns the number, zero-extended, or its low 64 bits; 0 if there is no value.
func (v Int) Uint64() uint64 { return v.raw().word(0) }

// Int64 returns the number, sign-extended, or its low 64 bits; 0 if there is no value.
func (v Int) Int64() int64 { return signed(v.Uint64(), v.Bits()) }

// signed extends the sign of a number of at most 64 bits.
func signed(w uint64, bits uint32) int64 {
	if bits == 0 || bits >= 64 {
		return int64(w)
	}
	return int64(w<<(64-bits)) >> (64 - bits)
}

// Bits returns the length of the type; 0 if there is no value.
func (v Int) Bits() uint32 {
	if v.held == nil || v.ty == nil {
		return 0
	}
	return v.ty.Bits
}

// Big returns the number, unsigned; 0 if there is no value.
func (v Int) Big() *big.Int {
	n := new(big.Int).SetUint64(v.raw().word(1))
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(v.Uint64()))
}

// Float makes a float with the same bits.
func (c *Ctx) Float(v float32) Float {
	return Float{(*held[Float])(c.addWord(core.SimpleType(core.VFloat), uint64(math.Float32bits(v))))}
}

// Float32 returns the number; 0 if there is no value.
func (v Float) Float32() float32 { return math.Float32frombits(uint32(v.raw().word(0))) }

// Double makes a double with the same bits.
func (c *Ctx) Double(v float64) Double {
	return Double{(*held[Double])(c.addWord(core.SimpleType(core.VDouble), math.Float64bits(v)))}
}

// Float64 returns the number; 0 if there is no value.
func (v Double) Float64() float64 { return math.Float64frombits(v.raw().word(0)) }

// Pointer makes a uptr or ufuncptr of the given type.
func (c *Ctx) Pointer(t Type, addr uintptr) (Value, error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	if t.v == nil || t.v.Kind != core.VUPtr && t.v.Kind != core.VUFuncPtr {
		return nil, fail(TypeMismatch, "%s is no pointer type", t)
	}
	return wrap(c.addWord(t.v, uint64(addr))), nil
}

// Addr returns the address; 0 of no value.
func (v UPtr) Addr() uintptr { return v.raw().address() }

// Pointer returns the address as a pointer of Go, for access to the memory; nil of no value. The memory is not Go's: it
// stays only as long as C, or the pin of the location, keeps it.
func (v UPtr) Pointer() unsafe.Pointer { return v.raw().pointer() }

// Addr returns the address; 0 of no value.
func (v UFuncPtr) Addr() uintptr { return v.raw().address() }

// Pointer returns the address as a pointer of Go, to pass it to C; nil of no value.
func (v UFuncPtr) Pointer() unsafe.Pointer { return v.raw().pointer() }

func (h *handle) address() uintptr { return uintptr(h.word(0)) }

// pointer is address for memory that Go's collector does not know.
//
//go:nocheckptr
func (h *handle) pointer() unsafe.Pointer { return unsafe.Add(nil, h.address()) }
