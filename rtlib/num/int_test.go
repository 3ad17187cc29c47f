package num

import (
	"math/big"
	"math/bits"
	"os/exec"
	"regexp"
	"runtime"
	"testing"
)

// values64 are corner cases of all widths, then random patterns.
func values64() []uint64 {
	r := random()
	vs := []uint64{0}
	for _, n := range []uint{0, 1, 5, 7, 8, 15, 31, 32, 51, 52, 53, 62, 63} {
		p := uint64(1) << n
		vs = append(vs, p, p-1, -p, ^p, p+1)
	}
	for range 15 {
		vs = append(vs, random128(r).Lo)
	}
	return vs
}

func TestInt(t *testing.T) {
	vals := values64()
	for _, n := range []uint{1, 2, 3, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 47, 48, 52, 53, 62, 63, 64} {
		for _, x := range vals {
			bx := new(big.Int).SetUint64(x)
			if got, want := Mask(x, n), wrap(bx, n).Uint64(); got != want {
				t.Fatalf("Mask(%#x, %d): got %#x, want %#x", x, n, got, want)
			}
			if got, want := SignExt(x, n), signed(bx, n).Int64(); got != want {
				t.Fatalf("SignExt(%#x, %d): got %d, want %d", x, n, got, want)
			}
			x := Mask(x, n)
			for _, y := range vals {
				checkPair(t, x, Mask(y, n), n)
			}
		}
	}
}

func checkPair(t *testing.T, x, y uint64, n uint) {
	t.Helper()
	ux, sx := new(big.Int).SetUint64(x), signed(new(big.Int).SetUint64(x), n)
	sy := signed(new(big.Int).SetUint64(y), n)
	check := func(name string, got uint64, want *big.Int) {
		t.Helper()
		if w := wrap(want, n).Uint64(); got != w {
			t.Fatalf("%s int<%d> %#x %#x: got %#x, want %#x", name, n, x, y, got, w)
		}
	}
	sum := new(big.Int).Add(sx, sy)
	got, ovf := AddOvf(x, y, n)
	check("add_ovf", got, sum)
	if want := signed(sum, n).Cmp(sum) != 0; ovf != want {
		t.Fatalf("add_ovf int<%d> %#x %#x: overflow %v, want %v", n, x, y, ovf, want)
	}
	if y != 0 {
		check("sdiv", SDiv(x, y, n), new(big.Int).Quo(sx, sy))
		check("srem", SRem(x, y, n), new(big.Int).Rem(sx, sy))
	}
	m := uint64(1) // the least power of two that is n or more
	for m < uint64(n) {
		m *= 2
	}
	k := ShiftCount(y, n)
	if uint64(k) != y%m {
		t.Fatalf("ShiftCount(%d, %d): got %d, want %d", y, n, k, y%m)
	}
	check("shl", Shl(x, k, n), new(big.Int).Lsh(ux, k))
	check("lshr", LShr(x, k), new(big.Int).Rsh(ux, k))
	check("ashr", AShr(x, k, n), new(big.Int).Rsh(sx, k))
}

// TestVectors has worked examples of the integer operations that this package implements.
func TestVectors(t *testing.T) {
	shift := func(f func(x uint64, k, n uint) uint64, x, c uint64, n uint) uint64 {
		return f(x, ShiftCount(c, n), n)
	}
	lshr := func(x uint64, k, n uint) uint64 { return LShr(x, k) }
	one := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	i1, sum := uint64(1), uint64(2)
	tests := []struct {
		name      string
		got, want uint64
	}{
		{"ADD i1 1 1", Mask(sum, 1), 0},
		{"SLT i1 1 0", one(SignExt(i1, 1) < SignExt(0, 1)), 1},
		{"ULT i1 1 0", one(From64(i1).ULT(From64(0))), 0},
		{"ZEXT i32 i64", Mask(0xfedcba98, 32), 0xfedcba98},
		{"PTRCAST uptr i32", Mask(0xdeadbeef13572468, 32), 0x13572468},
		{"SDIV i8 -128 -1", SDiv(0x80, 0xff, 8), 0x80},
		{"SREM i8 -128 -1", SRem(0x80, 0xff, 8), 0},
		{"SDIV i8 -7 2", SDiv(0xf9, 2, 8), 0xfd},
		{"SREM i8 -7 2", SRem(0xf9, 2, 8), 0xff},
		{"SREM i8 7 -2", SRem(7, 0xfe, 8), 1},
		{"SHL i8 0x81 9", shift(Shl, 0x81, 9, 8), 2},
		{"LSHR i8 0x90 4", shift(lshr, 0x90, 4, 8), 9},
		{"ASHR i8 0x90 4", shift(AShr, 0x90, 4, 8), 0xf9},
		{"SHL i6 1 7", shift(Shl, 1, 7, 6), 0},
		{"LSHR i6 0x20 6", shift(lshr, 0x20, 6, 6), 0},
		{"ASHR i6 0x20 7", shift(AShr, 0x20, 7, 6), 0x3f},
		{"SHL i6 1 8", shift(Shl, 1, 8, 6), 1},
		{"SDIV i1 1 1", SDiv(1, 1, 1), 1},
		{"SHL i1 1 1", shift(Shl, 1, 1, 1), 1},
		{"SHL i64 13 63", shift(Shl, 13, 63, 64), 0x8000000000000000},
		{"SHL i64 13 64", shift(Shl, 13, 64, 64), 13},
		{"SHL i64 13 65", shift(Shl, 13, 65, 64), 26},
		{"SREM i32 42 -15", SRem(42, 0xfffffff1, 32), 12},
		{"SDIV i32 42 -15", SDiv(42, 0xfffffff1, 32), 0xfffffffe},
		{"TRUNC i64 i32", Mask(0x123456789abcdef0, 32), 0x9abcdef0},
		{"SEXT i32 i64", uint64(SignExt(0xfedcba98, 32)), 0xfffffffffedcba98},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: got %#x, want %#x", test.name, test.got, test.want)
		}
	}
}

// TestInline checks that the functions that loops call are inlined.
func TestInline(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("needs the go command")
	}
	if bits.UintSize < 64 {
		t.Skip("operations on 64 bits are several there")
	}
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	can := map[string]bool{}
	for _, m := range regexp.MustCompile(`can inline (\S+)`).FindAllSubmatch(out, -1) {
		can[string(m[1])] = true
	}
	for _, f := range []string{
		"Mask", "SignExt", "ShiftCount", "Shl", "LShr", "AShr", "SDiv", "SRem", "AddOvf",
		"F64ToI64", "F64ToU64", "F64ToI32", "F64ToU32", "F32ToI64", "F32ToU64", "F32ToI32", "F32ToU32",
		"U64ToF32", "S64ToF32", "U64ToF64", "S64ToF64",
		"U128.Add", "U128.Sub", "U128.Mul", "U128.And", "U128.Or", "U128.Xor", "U128.Not", "U128.Shl",
		"U128.LShr", "U128.AShr", "U128.Mask", "U128.SignExtend", "U128.EQ", "U128.NE", "U128.ULT", "U128.ULE",
		"U128.UGT", "U128.UGE", "U128.SLT", "U128.SLE", "U128.SGT", "U128.SGE",
	} {
		if !can[f] {
			t.Errorf("%s is no longer inlined", f)
		}
	}
}
