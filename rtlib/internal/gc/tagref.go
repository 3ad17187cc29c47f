package gc

import (
	"math"
	"unsafe"
)

// A tagref64 (docs/language.md, "Tagged references") is one 64-bit word. If all eleven exponent
// bits are set, the low bits say what it contains:
//
//	bit 0 = 1           int<52>: bits 0..50 in word bits 1..51, bit 51 in word bit 63
//	bits 0,1 = 0,1      ref and tag: address bits 3..46 in place, address bit 47 in
//	                    word bit 63, tag bit 0 in word bit 2, tag bits 1..5 in 47..51
//	else                a double: an infinity or a NaN
//
// and any other word is a double as it stands, so the zero word is +0.0. A NaN keeps its
// sign and quiet bit; the rest of its mantissa becomes 8, so it is neither of the others.
const (
	tagExp   = 0x7ff0_0000_0000_0000
	tagSign  = 1 << 63
	tagQuiet = 1 << 51
	tagAddr  = 0x0000_7fff_ffff_fff8
)

// TagIsFP reports whether the word holds a double.
func TagIsFP(w uint64) bool { return w&tagExp != tagExp || w&3 == 0 }

// TagIsInt reports whether the word holds an int<52>.
func TagIsInt(w uint64) bool { return w&(tagExp|1) == tagExp|1 }

// TagIsRef reports whether the word holds a reference and a tag.
func TagIsRef(w uint64) bool { return w&(tagExp|3) == tagExp|2 }

// TagFromFP makes a word of a double.
func TagFromFP(f float64) uint64 {
	w := math.Float64bits(f)
	if f != f {
		w = w&(tagSign|tagQuiet) | tagExp | 8
	}
	return w
}

// TagFromInt makes a word of the low 52 bits of n.
func TagFromInt(n uint64) uint64 {
	return tagExp | 1 | n<<12>>63<<63 | n<<13>>12
}

// TagFromRef makes a word of a reference and the low 6 bits of tag.
func TagFromRef(addr uintptr, tag uint8) uint64 {
	a, t := uint64(addr), uint64(tag)
	return tagExp | 2 | a&tagAddr | a>>47<<63 | t&1<<2 | t>>1<<59>>12
}

// TagToFP returns the double; the word must hold one.
func TagToFP(w uint64) float64 { return math.Float64frombits(w) }

// TagToInt returns the integer zero-extended from 52 bits; the word must hold one.
func TagToInt(w uint64) uint64 { return w<<12>>13 | w>>63<<51 }

// TagToRef returns the reference; the word must hold one.
func TagToRef(w uint64) uintptr {
	return uintptr(w&tagAddr | w>>63<<47)
}

// TagToTag returns the 6-bit tag; the word must hold a reference.
func TagToTag(w uint64) uint8 {
	return uint8(w>>2&1 | w>>47&31<<1)
}

// wordSize is the size of a reference in memory.
const wordSize = unsafe.Sizeof(uintptr(0))

// TagRoot is the reference inside a tagref64, or 0.
func TagRoot(w uint64) uintptr {
	if TagIsRef(w) {
		return TagToRef(w)
	}
	return 0
}
