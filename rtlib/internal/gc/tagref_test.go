package gc

import (
	"math"
	"math/rand/v2"
	"testing"
)

// kinds counts how many of the three predicates hold.
func kinds(w uint64) (n int) {
	for _, b := range []bool{TagIsFP(w), TagIsInt(w), TagIsRef(w)} {
		if b {
			n++
		}
	}
	return n
}

func TestTagExactlyOneKind(t *testing.T) {
	for i := 0; i < 200000; i++ {
		w := rand.Uint64()
		if i%2 == 0 {
			w |= tagExp
		}
		if kinds(w) != 1 {
			t.Fatalf("%#x: %d kinds", w, kinds(w))
		}
	}
	if !TagIsFP(0) || TagToFP(0) != 0 || math.Signbit(TagToFP(0)) {
		t.Error("the zero word is not +0.0")
	}
}

func TestTagFP(t *testing.T) {
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1.5, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1)} {
		w := TagFromFP(f)
		if !TagIsFP(w) || kinds(w) != 1 || math.Float64bits(TagToFP(w)) != math.Float64bits(f) {
			t.Errorf("%v: word %#x", f, w)
		}
	}
	for i := 0; i < 100000; i++ {
		bits := rand.Uint64() | tagExp
		f := math.Float64frombits(bits)
		w := TagFromFP(f)
		if !TagIsFP(w) || kinds(w) != 1 {
			t.Fatalf("%#x became %#x, not a double", bits, w)
		}
		if math.IsNaN(f) != math.IsNaN(TagToFP(w)) || math.Signbit(f) != math.Signbit(TagToFP(w)) {
			t.Fatalf("%#x became %v", bits, TagToFP(w))
		}
	}
}

func TestTagInt(t *testing.T) {
	check := func(n uint64) {
		t.Helper()
		w := TagFromInt(n)
		if !TagIsInt(w) || kinds(w) != 1 || TagToInt(w) != n&(1<<52-1) {
			t.Fatalf("%#x: word %#x, back %#x", n, w, TagToInt(w))
		}
	}
	for i := 0; i < 64; i++ {
		check(1 << i)
		check(1<<i - 1)
	}
	for i := 0; i < 100000; i++ {
		check(rand.Uint64())
	}
}

func TestTagRef(t *testing.T) {
	check := func(a uint64, tag uint8) {
		t.Helper()
		a = uint64(uintptr(a)) &^ 7
		w := TagFromRef(uintptr(a), tag)
		if !TagIsRef(w) || kinds(w) != 1 || uint64(TagToRef(w)) != a || TagToTag(w) != tag&63 {
			t.Fatalf("%#x,%d: word %#x, back %#x,%d", a, tag, w, TagToRef(w), TagToTag(w))
		}
	}
	check(0, 0)
	for tag := 0; tag < 256; tag++ {
		check(0, uint8(tag))
		check(1<<48-8, uint8(tag))
	}
	for i := 0; i < 100000; i++ {
		check(rand.Uint64()&(1<<48-1), uint8(i))
	}
}
